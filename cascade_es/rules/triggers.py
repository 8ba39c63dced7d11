"""Triggered abilities: noticing that they trigger, and putting them on the stack (603).

An ability triggers by itself and does nothing yet (603.2).  It goes on the stack the next time a
player would receive priority (603.3); each player orders their own, the active player's first.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds, matches
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.events import Event
from cascade_es.values.script import On
from cascade_es.values.state import Pending, State


class Happening(msgspec.Struct, frozen=True):
    """Something that abilities may trigger on: its name, the object it happened to, the player."""

    name: str
    object: int
    player: int
    step: str = ""
    looks_back: bool = False


def happenings(event: Event, before: State, after: State) -> Iterator[Happening]:
    """What an event is, as triggers see it."""
    if isinstance(event, ev.SpellCast):
        yield Happening("cast", event.object, event.player)
    elif isinstance(event, ev.TargetsChosen):
        controller = after.object(event.object).controller
        for target in event.targets:
            if target.object:
                yield Happening("becomes target", target.object, controller)
    elif isinstance(event, ev.LandPlayed):
        yield Happening("enters", event.new, event.player)
    elif isinstance(event, ev.Moved | ev.Exile):
        zone = event.zone if isinstance(event, ev.Moved) else "exile"
        if zone == "battlefield":
            yield Happening("enters", event.new, after.object(event.new).controller)
        if event.last is not None and event.last.object.zone == "battlefield":
            controller = event.last.object.controller
            yield Happening("leaves", event.old, controller, looks_back=True)
            if zone == "graveyard":
                yield Happening("dies", event.old, controller, looks_back=True)
    elif isinstance(event, ev.Melded):
        yield Happening("enters", event.new, event.controller)
    elif isinstance(event, ev.DoorUnlocked):
        yield Happening("unlocks", event.object, after.object(event.object).controller, step=str(event.door))
    elif isinstance(event, ev.FaceChanged):
        obj, old = after.object(event.object), before.game.objects.get(event.object)
        turned = old is not None and old.face_down != obj.face_down
        name = ("turned face down" if obj.face_down else "turned face up") if turned else "transforms"
        yield Happening(name, event.object, obj.controller)
    elif isinstance(event, ev.Shuffled):
        yield Happening("shuffles", 0, event.player)
    elif isinstance(event, ev.Drawn):
        yield Happening("draws", 0, event.player)
    elif isinstance(event, ev.StepBegun):
        yield Happening("step", 0, after.game.turn.active, step=event.step)
    elif isinstance(event, ev.Tapped):
        for handle in event.objects:
            yield Happening("taps", handle, after.object(handle).controller)


def detect(w: Work, before: State, events: tuple[Event, ...]) -> None:
    """Notice every ability that triggers on a batch, and let it wait (603.2)."""
    after = w.state
    board, earlier = w.board, Board(w.ctx, before)
    first = before.ledger.seq + 1
    for offset, event in enumerate(events):
        for happening in happenings(event, before, after):
            # 603.10: what leaves the battlefield is seen with the abilities that existed before.
            seen = earlier if happening.looks_back else board
            for source in _sources(seen, happening):
                _notice(w, seen, happening, source, first + offset)


def _sources(board: Board, happening: Happening) -> tuple[int, ...]:
    """The objects whose abilities may trigger: permanents, and the spell that is being cast itself."""
    game = board.state.game
    own = (happening.object,) if happening.name == "cast" and happening.object in game.stack else ()
    return (*game.battlefield, *own)


def _notice(w: Work, board: Board, happening: Happening, source: int, event: int) -> None:
    holder = board.find(source)
    assert holder is not None
    for ref, ability in board.triggered(source):
        on = ability.when
        # 113.6: an ability of a spell that triggers on its own casting functions on the stack only,
        # every other one only on the battlefield.
        on_stack = on.event == "cast" and on.this
        if on_stack != (holder.zone == "stack"):
            continue
        if not triggers_on(board, on, happening, source, holder.controller):
            continue
        if on.event == "unlocks" and on.this and str(ref.face) != happening.step:
            continue  # 709.5h: "when you unlock this door" is about the half that it is written on
        if ability.condition is not None and not holds(
            w.board, ability.condition, holder.controller, source, board.choices(source).declared
        ):
            continue  # 603.4: an intervening "if" must be true for the ability to trigger at all
        about = (happening.object, happening.player)
        w.emit(ev.Trigger, _rule(ref.keyword), w.new_id(), source, ref, holder.controller, about, cause=event)


def _rule(keyword: str) -> str:
    return "cascade" if keyword == "cascade" else "trigger.occurs"


def triggers_on(board: Board, on: On, happening: Happening, source: int, controller: int) -> bool:
    """Whether a happening is the trigger event of an ability."""
    if on.event != happening.name or (on.step is not None and on.step != happening.step):
        return False
    if on.this and happening.object != source:
        return False
    if on.who == "you" and happening.player != controller:
        return False
    if on.who == "opponent" and happening.player == controller:
        return False
    return on.what is None or matches(board, on.what, happening.object, controller, source)


def waiting(board: Board, seat: int) -> tuple[Pending, ...]:
    """A player's triggered abilities that are not on the stack yet."""
    return tuple(item for item in board.state.game.pending if item.controller == seat)


def alike(items: tuple[Pending, ...]) -> bool:
    """Whether the order of these triggers makes no difference: the same ability of the same object."""
    first = items[0]
    return all(
        item.source == first.source
        and item.ability.keyword == first.ability.keyword != ""
        and item.about == first.about
        for item in items
    )


def stacking_order(board: Board, order: tuple[int, ...]) -> tuple[int, ...]:
    """All waiting triggers in the order in which they go on the stack (603.3b): APNAP, own order."""
    placed: list[int] = []
    for seat in board.seats():
        mine = [item.id for item in waiting(board, seat)]
        chosen = [item for item in order if item in mine]
        placed += chosen + [item for item in mine if item not in chosen]
    return tuple(placed)
