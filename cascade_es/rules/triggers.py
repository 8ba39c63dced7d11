"""Triggered abilities: noticing that they trigger, and in which order they wait (603).

An ability triggers by itself and does nothing yet (603.2).  It goes on the stack the next time a
player would receive priority (603.3); each player orders their own, the active player's first.
Delayed abilities wait for their event in the game itself (603.7), state triggers for the game to be in
some state (603.8); a triggered mana ability does not wait at all (605.4a).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.rules.attaching import player_of
from cascade_es.rules.board import Board, every_operation
from cascade_es.rules.filters import about_words, holds, matches, matches_player, speaks_to
from cascade_es.rules.happenings import Happening, happenings
from cascade_es.rules.hidden import reveal
from cascade_es.rules.keywords import RULES, TRIGGERED, stem
from cascade_es.rules.running import Running, at_once, deed_of, done_this_turn
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import CardRef
from cascade_es.values.script import AddMana, Condition, Filter, On, Triggered
from cascade_es.values.state import AbilityRef, Choices, Obj, Pending, ResolvingData, State

_OWN_ZONE = {"cast": "stack", "copied": "stack", "countered": "stack"}
_ARRIVED = {"put into graveyard": "graveyard", "discarded": "graveyard", "exiled": "exile"}
"""Where an ability functions that triggers on something happening to its own object (113.6k, 603.6)."""

MANA = ("tapped for mana", "mana added")
ONCE = {"once each turn": "triggered", "do once each turn": "done"}


class Found(msgspec.Struct, frozen=True):
    """An ability that triggers: whose it is, and on what."""

    ref: AbilityRef
    ability: Triggered
    source: int
    controller: int
    happening: Happening
    event: int
    those: tuple[int, ...] = ()
    delayed: int = 0

    @property
    def about(self) -> tuple[int, ...]:
        """What the ability is about: the object, the player, how much, and other objects."""
        those = self.those or self.happening.others
        about = (self.happening.object, self.happening.player)
        return (*about, self.happening.amount, *those) if self.happening.amount or those else about


# ------------------------------------------------------------------------------------- noticing


MOST_AT_ONCE: Final = 1000
"""So many events follow at once from others: triggered mana abilities, which resolve without the stack."""


def sweep(w: Work) -> None:
    """Notice what triggers on events that no batch has looked at: each of them happened alone."""
    for at in range(len(w.events) - 1, w.noticed - 1, -1):
        if w.events[at].kind == ev.ActionReversed.kind:
            w.noticed = at + 1  # 733.1: from an action that is undone nothing triggers
            break
    there = len(w.events)
    while w.noticed < len(w.events):
        if len(w.events) > there + MOST_AT_ONCE:
            raise DecisionError("mana would be added for ever, and nobody can end it (104.4b)")
        at = w.noticed
        w.noticed += 1
        detect(w, w.states[at], at, at + 1)
    state_triggers(w)


def detect(w: Work, before: State, start: int, end: int) -> None:
    """Notice every ability that triggers on simultaneous events of this unit, and let it wait (603.2)."""
    found: list[Found] = []
    now, earlier = w.board, None
    for at in range(start, end):
        # One after the other: what most events leave as it was, nobody works out anew.
        after = now if w.states[at + 1] is w.state else Board(w.ctx, w.states[at + 1])
        for happening in happenings(w.events[at], w.states[at], after):
            if not _listened(w, happening.name):
                continue
            number = w.start.ledger.seq + at + 1
            if happening.looks_back:
                # 603.10: it is seen with the abilities that existed before.
                board = earlier = earlier or Board(w.ctx, before)
            else:
                board = now
            if happening.name == "triggers" and _on_triggers(w, at):
                continue  # "whenever another ability triggers": two of them would never come to an end
            for source in _sources(board, happening):
                found += _notice(board, happening, source, number)
            found += _delayed(w.board, happening, number)
    _let_wait(w, found)


def _on_triggers(w: Work, at: int) -> bool:
    event = w.events[at]
    assert isinstance(event, ev.Trigger)
    ability = w.board.ability(event.ability)
    return isinstance(ability, Triggered) and "triggers" in (ability.when.event, *ability.when.also)


def _listened(w: Work, name: str) -> bool:
    """Whether any card of the game can trigger on such a thing: most events are of no interest to any."""
    return name in w.ctx.cards.listened() or any(
        name == item.when.event or name in item.when.also for item in TRIGGERED.values()
    )


def _sources(board: Board, happening: Happening) -> Iterator[int]:
    """The objects whose abilities may trigger: permanents, the object itself, and cards that say so."""
    game = board.state.game
    yield from game.battlefield
    own = happening.object
    if own and own in game.objects and game.objects[own].zone != "battlefield":
        yield own
    zones: list[tuple[int, ...]] = [game.stack, game.exile, game.command]
    zones += [player.graveyard for player in game.players] + [player.hand for player in game.players]
    for handle in (handle for zone in zones for handle in zone if handle != own):
        if trigger_zones(board, game.objects[handle]):
            yield handle


def trigger_zones(board: Board, obj: Obj) -> tuple[str, ...]:
    """The zones in which the text of an object says that a triggered ability of it functions."""
    home = board.home(obj) if obj.kind != "ability" else None
    if home is None:
        return ()
    assert isinstance(home[0].value, CardRef)
    zones = board.ctx.cards.trigger_zones(home[0].value, home[1])
    return zones if obj.zone in zones else ()


def _notice(board: Board, happening: Happening, source: int, event: int) -> Iterator[Found]:
    holder = board.find(source)
    assert holder is not None
    if board.state.game.players[holder.controller].lost:
        return
    for ref, ability in board.triggered(source):
        if not _functions(ability, happening, holder):
            continue
        on = ability.when
        if happening.name == "unlocks" and on.this and ref.face != happening.amount:
            continue  # 709.5h: "when you unlock this door" is about the half that it is written on
        if triggers_on(board, on, happening, source, holder.controller):
            yield Found(ref, ability, source, holder.controller, happening, event)


def _functions(ability: Triggered, happening: Happening, holder: Obj) -> bool:
    """113.6: abilities function on the battlefield, unless they say or could only work elsewhere."""
    if ability.zones:
        return holder.zone in ability.zones
    on = ability.when
    if on.this:
        if happening.name in ("leaves", "sacrificed"):
            return holder.zone == happening.origin
        zone = _OWN_ZONE.get(happening.name) or _ARRIVED.get(happening.name)
        if zone is not None:
            return holder.zone == zone
    return holder.zone == "battlefield"


def _delayed(board: Board, happening: Happening, event: int) -> Iterator[Found]:
    """603.7: delayed triggered abilities whose event this is."""
    for item in board.state.game.delayed:
        ability, you = board.ability(item.ability), item.controller
        if not isinstance(ability, Triggered) or board.state.game.players[you].lost:
            continue
        if triggers_on(board, ability.when, happening, item.source, you, item.about):
            if item.amount:
                happening = msgspec.structs.replace(happening, amount=item.amount)
            yield Found(
                item.ability, ability, item.source, item.controller, happening, event, item.about, item.id
            )


def triggers_on(
    board: Board, on: On, happening: Happening, source: int, controller: int, those: tuple[int, ...] = ()
) -> bool:
    """Whether a happening is the trigger event of an ability."""
    h = happening
    if h.name not in (on.event, *on.also) or (on.step is not None and on.step != h.step):
        return False
    if on.this and h.object != source:
        return False
    if on.those and (not h.object or h.object not in those):
        return False
    if on.attached:
        holder = board.find(source)
        if holder is None or not holder.attached:
            return False
        if holder.attached < 0:
            # 303.4: by or to the enchanted player; damage to the player, and attacks on no planeswalker.
            seat = h.to_seat if h.name in ("dealt damage", "deals damage", "becomes target") else h.player
            if seat != player_of(holder.attached) or (h.name == "attacks" and h.others):
                return False
        elif holder.attached != h.object:
            return False
    if not speaks_to(on.who, controller, h.player):
        return False
    if on.chapters and str(h.amount) not in on.chapters:
        return False
    if on.combat is not None and h.combat != on.combat:
        return False
    if on.counter and on.counter != h.counter:
        return False
    if (on.from_ or h.name == "leaves") and h.origin not in (on.from_ or ("battlefield",)):
        return False
    if on.to is not None and not _fits(board, on.to, h.to_object, h.to_seat, controller, source):
        return False
    if on.by is not None and not any(matches(board, on.by, one, controller, source) for one in h.others):
        return False
    # What becomes a target may be a player; "who" is then still whose spell or ability it is.
    seat = h.to_seat if h.name == "becomes target" else h.player
    return on.what is None or _fits(board, on.what, h.object, seat, controller, source)


def _fits(board: Board, f: Filter, handle: int, seat: int, you: int, this: int) -> bool:
    if handle:
        return matches(board, f, handle, you, this)
    return seat >= 0 and matches_player(f, seat, you)


# -------------------------------------------------------------------------------------- waiting


def _let_wait(w: Work, found: list[Found]) -> None:
    """Abilities that trigger wait for the stack; those that say "one or more" do so once together."""
    ended: list[int] = []
    for item in _together(found):
        if item.delayed in ended:
            continue  # 603.7b: it triggers only once
        if w.state.player(item.controller).lost:
            continue
        condition = item.ability.condition
        if condition is not None and not if_true(
            w.board, condition, item.controller, item.source, item.about
        ):
            continue  # 603.4: an intervening "if" must be true for the ability to trigger at all
        if not _may_again(w.board, item):
            continue
        if item.delayed and any(d.once for d in w.state.game.delayed if d.id == item.delayed):
            ended.append(item.delayed)
            w.emit(ev.DelayedEnded, "trigger.delayed", (item.delayed,), cause=item.event)
        if is_mana_ability(item.ability):
            _at_once(w, item)
        else:
            _emit(w, item)


def if_true(board: Board, condition: Condition, you: int, source: int, about: tuple[int, ...]) -> bool:
    """Whether an intervening "if" is true; it may ask about what the ability is about, as it last was."""
    declared = board.choices(source).declared
    return holds(board, condition, you, source, declared, meant=about_words(source, about))


def _together(found: list[Found]) -> Iterator[Found]:
    """603.2c: once for each occurrence; but "one or more" is one occurrence, however many they are."""
    groups: dict[tuple[AbilityRef, int, int], list[Found]] = {}
    for item in found:
        if item.ability.when.together:
            groups.setdefault((item.ref, item.source, item.delayed), []).append(item)
    done: set[tuple[AbilityRef, int, int]] = set()
    for item in found:
        key = (item.ref, item.source, item.delayed)
        if key not in groups:
            yield item
        elif key not in done:
            done.add(key)
            all_ = groups[key]
            objects = tuple(dict.fromkeys(one.happening.object for one in all_ if one.happening.object))
            total = sum(one.happening.amount for one in all_) or len(all_)
            happening = msgspec.structs.replace(item.happening, amount=total)
            yield msgspec.structs.replace(item, happening=happening, those=item.those or objects)


def _may_again(board: Board, item: Found) -> bool:
    """603.2h: whether an ability that is for once each turn may trigger (again)."""
    if not item.ability.limit:
        return True
    word = deed_of(item.ref, ONCE[item.ability.limit])
    return not done_this_turn(board, item.source, word)


def _emit(w: Work, item: Found) -> None:
    source, ref = item.source, item.ref
    holder = w.state.game.objects.get(source)
    if holder is not None and holder.zone == "hand":
        # What triggers from a hidden zone is shown: nobody could follow it otherwise.
        (source,) = reveal(w, (source,), "trigger.occurs")
        ref = msgspec.structs.replace(ref, card=w.state.object(source).card)
    w.emit(
        ev.Trigger,
        _rule(item),
        w.new_id(),
        source,
        ref,
        item.controller,
        item.about,
        cause=item.event,
    )
    if item.ability.limit == "once each turn":
        word = deed_of(item.ref, "triggered")
        w.emit(ev.Noted, "trigger.occurs", item.controller, item.source, word, cause=item.event)


def _rule(item: Found) -> str:
    if item.delayed:
        return "trigger.delayed"
    return RULES.get(stem(item.ref.keyword), "trigger.occurs")


def state_triggers(w: Work) -> None:
    """603.8: abilities that trigger as soon as the game is in some state; once until they left the stack."""
    if "state" not in w.ctx.cards.listened() or w.state.over or not w.state.game.players:
        return
    board = w.board
    for source in board.state.game.battlefield:
        holder = board.state.object(source)
        for ref, ability in board.triggered(source):
            if ability.when.event != "state" or ability.condition is None:
                continue
            if _about_to_resolve(board, source, ref) or board.state.player(holder.controller).lost:
                continue
            if holds(board, ability.condition, holder.controller, source):
                nothing = Happening("state", 0, holder.controller)
                found = Found(ref, ability, source, holder.controller, nothing, w.state.ledger.seq)
                if _may_again(board, found):
                    _emit(w, found)


def _about_to_resolve(board: Board, source: int, ref: AbilityRef) -> bool:
    def same(other: AbilityRef | None) -> bool:
        return other is not None and (other.face, other.index, other.keyword) == (
            ref.face,
            ref.index,
            ref.keyword,
        )

    game = board.state.game
    return any(item.source == source and same(item.ability) for item in game.pending) or any(
        (obj := game.objects[handle]).source == source and same(obj.ability) for handle in game.stack
    )


# -------------------------------------------------------------------------- triggered mana abilities


def is_mana_ability(ability: Triggered) -> bool:
    """605.1b: no target, it triggers on mana being made, and could add mana."""
    if not {ability.when.event, *ability.when.also} & set(MANA) or ability.text.targets:
        return False
    operations = every_operation(ability.text.do)
    return not ability.text.modes and any(isinstance(operation, AddMana) for operation in operations)


def _at_once(w: Work, item: Found) -> None:
    """605.4a: it resolves immediately after the mana ability, without the stack."""
    w.emit(
        ev.ManaTriggered,
        "mana-ability.triggered",
        item.source,
        item.ref,
        item.controller,
        item.about,
        cause=item.event,
    )
    text = Obj(
        0,
        "ability",
        "stack",
        item.controller,
        item.controller,
        item.ref.card,
        source=item.source,
        ability=item.ref,
        about=item.about,
        choices=Choices(),
    )
    for operation in item.ability.text.do:
        at_once(w, Running(w.board, ResolvingData(0), text), operation, None)


# --------------------------------------------------------------------------------------- stacking


def waiting(board: Board, seat: int, late: bool | None = None) -> tuple[Pending, ...]:
    """A player's triggered abilities that are not on the stack yet; ``late``: of which pass (603.3b)."""
    return tuple(
        item
        for item in board.state.game.pending
        if item.controller == seat and late in (None, second_pass(board, item))
    )


def second_pass(board: Board, item: Pending) -> bool:
    """603.3b: abilities that trigger on another ability triggering are put on the stack after the rest."""
    if not board.ctx.edition.has("two-pass-triggers"):
        return False
    ability = board.ability(item.ability)
    return isinstance(ability, Triggered) and "triggers" in (ability.when.event, *ability.when.also)


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
    for late in (False, True):
        for seat in board.seats():
            mine = [item.id for item in waiting(board, seat, late)]
            chosen = [item for item in order if item in mine]
            placed += chosen + [item for item in mine if item not in chosen]
    return tuple(placed)
