"""What an event is, as triggered abilities see it: something that happened, to what, by whom (603.2).

One event can be several happenings: a creature that is destroyed leaves the battlefield and dies.  Whoever
makes an event needs to know nothing of triggers; a new kind of trigger event is a function here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from cascade_es.evolve import HIDDEN
from cascade_es.rules.board import Board
from cascade_es.rules.combat.happened import happened
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING
from cascade_es.values.script import Activated, PayTap
from cascade_es.values.state import LastKnown, ManaData, State, Target


class Happening(msgspec.Struct, frozen=True):
    """Something that abilities may trigger on: its name, the object it happened to, the player.

    ``others`` are the other objects that it was about (the spell that targets, the source of damage),
    ``to_object`` and ``to_seat`` whom damage was dealt to, ``looks_back`` whether it is judged by the game as
    it was just before (603.10).
    """

    name: str
    object: int
    player: int
    step: str = ""
    looks_back: bool = False
    amount: int = 0
    others: tuple[int, ...] = ()
    origin: str = ""
    to_object: int = 0
    to_seat: int = -1
    combat: bool = False
    counter: str = ""


_Reader = Callable[[Any, State, Board], Iterator[Happening]]

_READERS: Final[dict[str, _Reader]] = {}


def _reads(kind: type[ev.Event]) -> Callable[[_Reader], _Reader]:
    def register(reader: _Reader) -> _Reader:
        _READERS[kind.kind] = reader
        return reader

    return register


def happenings(event: ev.Event, before: State, after: Board) -> Iterator[Happening]:
    """What an event is, as triggers see it; ``before`` and ``after`` are the game just around it."""
    reader = _READERS.get(event.kind)
    return reader(event, before, after) if reader is not None else iter(())


# ------------------------------------------------------------------------------ casting, abilities


@_reads(ev.SpellCast)
def _cast(e: ev.SpellCast, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("cast", e.object, e.player)


@_reads(ev.Announce)
def _announced(e: ev.Announce, before: State, after: Board) -> Iterator[Happening]:
    obj = before.object(e.old)
    if obj.zone not in HIDDEN:
        yield Happening("leaves", e.old, obj.owner, looks_back=True, origin=obj.zone)


@_reads(ev.Copied)
def _copied(e: ev.Copied, before: State, after: Board) -> Iterator[Happening]:
    obj = after.state.object(e.new)
    if obj.kind != "ability":
        yield Happening("copied", e.new, e.controller)
    yield from _targeted(e.new, e.choices.targets, e.controller)


@_reads(ev.AbilityActivated)
def _activated(e: ev.AbilityActivated, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("activated", after.state.object(e.object).source, e.player, others=(e.object,))


@_reads(ev.Trigger)
def _triggers(e: ev.Trigger, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("triggers", e.source, e.controller)


@_reads(ev.TargetsChosen)
def _targets(e: ev.TargetsChosen, before: State, after: Board) -> Iterator[Happening]:
    controller = after.state.object(e.object).controller
    yield from _targeted(e.object, e.targets, controller)


@_reads(ev.Retargeted)
def _retargeted(e: ev.Retargeted, before: State, after: Board) -> Iterator[Happening]:
    choices = before.object(e.object).choices
    old = choices.targets if choices is not None else ()
    new = tuple(target for target in e.targets if target not in old)
    yield from _targeted(e.object, new, after.state.object(e.object).controller)


def _targeted(by: int, targets: tuple[Target, ...], controller: int) -> Iterator[Happening]:
    for target in targets:
        yield Happening("becomes target", target.object, controller, others=(by,), to_seat=target.seat)


@_reads(ev.Countered)
def _countered(e: ev.Countered, before: State, after: Board) -> Iterator[Happening]:
    obj = before.game.objects.get(e.object)
    if obj is not None:  # 603.10e
        yield Happening("countered", e.object, obj.controller, looks_back=True, others=(e.by,))


# --------------------------------------------------------------------------------- changing zones


def _arrived(
    old: int, new: int, zone: str, why: str, last: LastKnown | None, after: Board, before: State
) -> Iterator[Happening]:
    origin = before.game.objects[old].zone
    if zone == "battlefield" and new:
        yield Happening("enters", new, after.state.object(new).controller, origin=origin)
    if last is not None and origin not in HIDDEN and origin != "stack":
        # 603.10a: what leaves the battlefield or a graveyard is seen by what was there before.
        holder = last.object.controller if origin == "battlefield" else last.object.owner
        yield Happening("leaves", old, holder, looks_back=True, origin=origin)
        if last.object.attached and origin == "battlefield":  # 701.3d
            others = (last.object.attached,)
            yield Happening("unattached", old, holder, looks_back=True, others=others)
        if origin == "battlefield" and zone == "graveyard":
            yield Happening("dies", old, holder, looks_back=True, origin=origin)
        if why == "sacrificed":
            yield Happening("sacrificed", old, holder, looks_back=True, origin=origin)
    if new and zone in ("graveyard", "exile", "hand"):
        owner = after.state.object(new).owner
        if zone == "graveyard":
            yield Happening("put into graveyard", new, owner, origin=origin)
            if why == "discarded":
                yield Happening("discarded", new, owner, origin=origin)
        elif zone == "exile":
            yield Happening("exiled", new, owner, origin=origin)


@_reads(ev.Moved)
def _moved(e: ev.Moved, before: State, after: Board) -> Iterator[Happening]:
    yield from _arrived(e.old, e.new, e.zone, e.why, e.last, after, before)
    if e.attached and e.zone == "battlefield":
        yield Happening("attached", e.new, after.state.object(e.new).controller, others=(e.attached,))


@_reads(ev.Exile)
def _exiled(e: ev.Exile, before: State, after: Board) -> Iterator[Happening]:
    new = e.new if e.new in after.state.game.objects else 0
    yield from _arrived(e.old, new, "exile", "", e.last, after, before)


@_reads(ev.LandPlayed)
def _land(e: ev.LandPlayed, before: State, after: Board) -> Iterator[Happening]:
    old = before.object(e.old)
    if e.zone == "battlefield":
        yield Happening("enters", e.new, e.controller, origin=old.zone)
    if old.zone not in HIDDEN:
        yield Happening("leaves", e.old, old.owner, looks_back=True, origin=old.zone)
    if e.zone in ("graveyard", "exile"):
        name = "exiled" if e.zone == "exile" else "put into graveyard"
        yield Happening(name, e.new, old.owner, origin=old.zone)
    yield Happening("land played", e.new, e.player)


@_reads(ev.Melded)
def _melded(e: ev.Melded, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("enters", e.new, e.controller)


@_reads(ev.TokenCreated)
def _token(e: ev.TokenCreated, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("enters", e.new, e.owner)
    yield Happening("created", e.new, e.owner)


@_reads(ev.Shuffled)
def _shuffled(e: ev.Shuffled, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("shuffles", 0, e.player)


@_reads(ev.Rehandled)
def _searched(e: ev.Rehandled, before: State, after: Board) -> Iterator[Happening]:
    if e.zone == "library" and e.order != NOTHING and before.player(e.player).order == NOTHING:
        yield Happening("searches", 0, e.player)


@_reads(ev.Drawn)
def _drawn(e: ev.Drawn, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("draws", 0, e.player)


# ----------------------------------------------------------------------------------------- values


@_reads(ev.Tapped)
def _tapped(e: ev.Tapped, before: State, after: Board) -> Iterator[Happening]:
    for handle in e.objects:
        yield Happening("taps", handle, after.state.object(handle).controller)


@_reads(ev.Untapped)
def _untapped(e: ev.Untapped, before: State, after: Board) -> Iterator[Happening]:
    for handle in e.objects:
        yield Happening("untaps", handle, after.state.object(handle).controller)


@_reads(ev.LifeChanged)
def _life(e: ev.LifeChanged, before: State, after: Board) -> Iterator[Happening]:
    if e.amount:
        yield Happening("gains life" if e.amount > 0 else "loses life", 0, e.player, amount=abs(e.amount))


@_reads(ev.DamageDealt)
def _damage(e: ev.DamageDealt, before: State, after: Board) -> Iterator[Happening]:
    combat = e.rule.startswith("combat")
    hit = after.find(e.object) if e.object else None
    player = e.seat if hit is None else hit.controller
    yield Happening(
        "deals damage",
        e.source,
        player,
        amount=e.amount,
        others=(e.object,) if e.object else (),
        to_object=e.object,
        to_seat=e.seat,
        combat=combat,
    )
    yield Happening(
        "dealt damage",
        e.object,
        player,
        amount=e.amount,
        others=(e.source,),
        to_object=e.object,
        to_seat=e.seat,
        combat=combat,
    )


@_reads(ev.CountersChanged)
def _counters(e: ev.CountersChanged, before: State, after: Board) -> Iterator[Happening]:
    holder = after.find(e.object)
    assert holder is not None
    name = "counters put" if e.amount > 0 else "counters removed"
    yield Happening(name, e.object, holder.controller, amount=abs(e.amount), counter=e.counter)
    if e.counter == "lore" and e.amount > 0:
        number = dict(holder.counters).get("lore", 0)
        for chapter in range(number - e.amount + 1, number + 1):  # 714.2b
            yield Happening("chapter", e.object, holder.controller, amount=chapter)


@_reads(ev.PlayerCountersChanged)
def _player_counters(e: ev.PlayerCountersChanged, before: State, after: Board) -> Iterator[Happening]:
    name = "counters put" if e.amount > 0 else "counters removed"
    yield Happening(name, 0, e.player, amount=abs(e.amount), counter=e.counter)


@_reads(ev.ManaAdded)
def _mana(e: ev.ManaAdded, before: State, after: Board) -> Iterator[Happening]:
    source = e.units[0].source if e.units else 0
    made = len(e.units)
    yield Happening("mana added", source, e.player, amount=made)
    data = before.frame.data
    if isinstance(data, ManaData):
        ability = after.ability(data.ability)
        if isinstance(ability, Activated) and any(isinstance(part, PayTap) for part in ability.cost):
            # 106.12a: it is tapped for mana when an ability with {T} in its cost resolves and makes some.
            yield Happening("tapped for mana", source, e.player, amount=made)


# -------------------------------------------------------------------------------- objects, players


@_reads(ev.ControllerChanged)
def _controller(e: ev.ControllerChanged, before: State, after: Board) -> Iterator[Happening]:
    obj = before.object(e.object)
    if obj.zone == "battlefield":
        yield Happening("control lost", e.object, obj.controller, looks_back=True)  # 603.10d
        yield Happening("control gained", e.object, e.controller)


@_reads(ev.Attached)
def _attached(e: ev.Attached, before: State, after: Board) -> Iterator[Happening]:
    obj = before.object(e.object)
    if obj.attached and obj.attached != e.to:  # 603.10c
        yield Happening("unattached", e.object, obj.controller, looks_back=True, others=(obj.attached,))
    if e.to and obj.attached != e.to:
        yield Happening("attached", e.object, obj.controller, others=(e.to,))


@_reads(ev.FaceChanged)
def _face(e: ev.FaceChanged, before: State, after: Board) -> Iterator[Happening]:
    obj = before.object(e.object)
    if obj.face_down != e.face_down:
        name = "turned face down" if e.face_down else "turned face up"
        yield Happening(name, e.object, obj.controller)
    elif e.face != obj.face:
        yield Happening("transforms", e.object, obj.controller)


@_reads(ev.DoorUnlocked)
def _unlocked(e: ev.DoorUnlocked, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("unlocks", e.object, after.state.object(e.object).controller, amount=e.door)


@_reads(ev.PlayerLost)
def _lost(e: ev.PlayerLost, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("loses", 0, e.player, looks_back=True)  # 603.10f


@_reads(ev.StepBegun)
def _step(e: ev.StepBegun, before: State, after: Board) -> Iterator[Happening]:
    yield Happening("step", 0, after.state.game.turn.active, step=e.step)


@_reads(ev.AttackersDeclared)
@_reads(ev.BlockingEnded)
def _combat(e: ev.AttackersDeclared | ev.BlockingEnded, before: State, after: Board) -> Iterator[Happening]:
    for name, handle, player, others in happened(e, after.state):
        yield Happening(name, handle, player, others=others, to_seat=player)
