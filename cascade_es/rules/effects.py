"""Effects that last: how they begin, what they make of control, and when they end (611)."""

from __future__ import annotations

import re
from collections.abc import Callable

from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds
from cascade_es.rules.keywords import KEYWORD_COUNTERS
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.script import Static
from cascade_es.values.state import AbilityRef, Alteration, Effect, Obj

END_OF_TURN = ("end of turn", "end of combat")
"""Durations that are over in the cleanup step at the latest (514.2)."""

COUNTED = re.compile("the last (.+) counter is gone")
"""The duration of what a keyword counter gives."""


def begin(
    w: Work,
    source: int,
    controller: int,
    until: str,
    *,
    objects: tuple[int, ...] = (),
    alteration: Alteration | None = None,
    ability: AbilityRef | None = None,
    about: tuple[int, ...] = (),
    rule: str = "effect",
) -> int:
    """An effect begins; its id.  611.2b: one whose duration would be over at once does nothing."""
    new = w.new_id()
    sort = "alter" if alteration is not None else "ability"
    effect = Effect(new, sort, source, controller, 0, until, objects, (), ability, alteration, about)
    if _over(w.board, effect):
        return 0
    w.emit(ev.EffectBegun, rule, effect)
    return new


def keyword_counters(w: Work, handle: int, kind: str) -> None:
    """122.1b: a permanent has the keyword as long as such a counter is on it, from when the last one came.

    613.7c: with a further counter the others of its kind get its timestamp as well.
    """
    if kind in KEYWORD_COUNTERS and dict(w.state.object(handle).counters).get(kind, 0) > 0:
        duration = f"the last {kind} counter is gone"
        end(w, lambda e: e.duration == duration and e.objects == (handle,), "counter.keyword")
        seat = w.state.object(handle).controller
        gain = Alteration(gain=(kind,))
        begin(w, handle, seat, duration, objects=(handle,), alteration=gain, rule="counter.keyword")


def end(w: Work, over: Callable[[Effect], bool], rule: str = "effect.ends") -> None:
    """End all effects of which this is true."""
    ids = tuple(effect.id for effect in w.state.game.effects if over(effect))
    if ids:
        w.emit(ev.EffectsEnded, rule, ids)


def _over(board: Board, effect: Effect) -> bool:
    """Whether an effect that lasts as long as something is the case is over (611.2b)."""
    if (last := COUNTED.fullmatch(effect.duration)) is not None:
        counted = board.state.game.objects.get(effect.source)
        return counted is None or not dict(counted.counters).get(last[1], 0)
    if effect.duration not in ("this leaves", "you lose control of this"):
        return False
    obj = board.state.game.objects.get(effect.source)
    if obj is None or obj.zone != "battlefield":
        return True
    return effect.duration == "you lose control of this" and obj.controller != effect.controller


def settle(w: Work) -> bool:
    """After facts: end what is over, and give control to whom effects give it; whether anything happened.

    Control is the one characteristic-like value that the state itself holds (108.4): so an event says
    when it changes, and who looks at a log needs no layers to see who controls what.
    """
    game = w.state.game
    if game.effects and any(_over(w.board, effect) for effect in game.effects):
        board = w.board
        end(w, lambda effect: _over(board, effect))
        return True
    changed = tuple(_wrongly_controlled(w.board))
    for handle, seat in changed:
        w.emit(ev.ControllerChanged, "layer.control", handle, seat)
    return bool(changed)


def _wrongly_controlled(board: Board) -> list[tuple[int, int]]:
    game = board.state.game
    giving = [e for e in game.effects if e.alter is not None and e.alter.control is not None]
    taking = _controlling_statics(board)
    if not giving and not taking and not any(game.objects[h].held >= 0 for h in game.battlefield):
        return []
    wrong = []
    for handle in (*game.battlefield, *game.stack):
        obj = game.objects[handle]
        seat = _rightful(obj, giving, taking)
        if seat != obj.controller and not game.players[seat].lost:
            wrong.append((handle, seat))
    return wrong


def _rightful(obj: Obj, giving: list[Effect], taking: list[tuple[int, int, int]]) -> int:
    """Who controls an object: the latest effect says (613.7), else who put it there."""
    claims = [
        (effect.stamp, effect.alter.control)
        for effect in giving
        if effect.alter is not None and effect.alter.control is not None and obj.id in effect.objects
    ]
    claims += [(stamp, seat) for host, stamp, seat in taking if host == obj.id]
    if claims:
        return max(claims)[1]
    return obj.controller if obj.held < 0 else obj.held


def _controlling_statics(board: Board) -> list[tuple[int, int, int]]:
    """Static abilities that give control: of what (id), since when, to whom ("you control enchanted …").

    Control is layer 2, and abilities are lost in later ones (613.6): so what is asked is which abilities an
    object has before them.
    """
    found: list[tuple[int, int, int]] = []
    if Static not in board.ctx.cards.sorts:
        return found
    for handle in board.state.game.battlefield:
        if not board.may_affect(handle):
            continue
        obj = board.state.object(handle)
        for _, ability, stamp in board.base(handle).abilities:
            if not isinstance(ability, Static) or ability.changes.control != "you":
                continue
            if ability.condition and not holds(board, ability.condition, obj.controller, handle):
                continue
            if ability.attached:
                found.append((obj.attached, stamp, obj.controller))
    return found
