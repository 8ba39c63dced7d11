"""Forks: a new game that goes on from any moment of an old one, which stays as it is.

A fork is a log of its own.  Its header names what it continues (the id of the parent, the last frame
that both have, and that frame's hash), and it has its own id and its own blinding key, so that nothing
given out with a fork helps anybody to open what is sealed in its parent.  The draw seed is the
parent's: the same draws come out as they would have there, which is what "what if" asks.

What happened before is told again: every decision up to the fork is decided anew, under the new key.
Cards in hidden zones get other ids then, which tell nothing by design, so a decision that names one is
bound to the same card again; and everything public must come out just as it was, or there is no fork.
So a fork verifies by itself as any log does, and against its parent with what both make public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from cascade_es.errors import CascadeError, InputError
from cascade_es.evolve import HIDDEN
from cascade_es.game import Game, derive, header_for, root_of
from cascade_es.history import History
from cascade_es.log import Log, MemoryLog, Unit, policy
from cascade_es.log.heads import Comparison, parent_of
from cascade_es.rules.board import Context
from cascade_es.rules.decide import recorded_answer
from cascade_es.stores import Store, keep_log
from cascade_es.values.decisions import Answer, Choose, Pay, SetUp
from cascade_es.values.fact_events import Rehandled
from cascade_es.values.facts import Fact, Secrets
from cascade_es.values.state import State

__all__ = ["Alike", "border", "compare_with_parent", "fork"]


def fork(
    past: History,
    seq: int,
    *,
    seed: bytes | str | None = None,
    log: str | None = None,
    store: Store | None = None,
    durability: str = "every-decision",
    logger: Any = None,
) -> Game:
    """A new game that goes on after event ``seq`` of another; see :meth:`History.fork`."""
    root = root_of(seed)
    frame = border(past, seq)
    if not past.ctx.secrets.key:
        raise InputError("this copy lacks its recorder's secrets; only a full copy can be forked")
    own = derive(root)
    if own.log_id == past.ctx.secrets.log_id:
        raise InputError("a fork needs another seed than its parent's, for it has its own id and key")
    secrets = Secrets(own.log_id, past.ctx.secrets.seed, own.key)
    ctx = Context(past.ctx.edition, past.ctx.cards, secrets)
    origin = (past.ctx.secrets.log_id, frame, past.hashes[frame])
    header, openings = header_for(ctx, past.names, _set_up(past.units[:frame]).piles, origin)
    recorder = MemoryLog(header, openings)
    game = Game(ctx, past.names, recorder, logger=logger)
    alike = Alike()
    for unit in past.units[:frame]:
        _tell(game, past, unit, alike)
    if log is None and store is None:
        return game
    policy(durability)
    where = keep_log(log, recorder.data, store=store)
    return Game.resume(where, store=store, durability=durability, logger=logger)


def border(past: History, seq: int) -> int:
    """The frame that ends with event ``seq``.

    Raises:
        InputError: when a fork cannot begin there.
    """
    if not 0 <= seq <= len(past):
        raise InputError(f"there is no event {seq}; events run from 0 to {len(past)}")
    last = 0
    for frame, unit in enumerate(past.units, start=1):
        first, last = last + 1, last + len(unit.events)
        if seq > last:
            continue
        if not past.at(last).game.players:
            break  # so is what a player contributes before the set-up
        if seq < last:
            before = f" or {first - 1}" if past.at(first - 1).game.players else ""
            what = f"event {seq} is inside decision {frame}, events {first} to {last}"
            raise InputError(f"{what}; a decision is whole or not at all: say {last}{before}")
        if past.at(last).ledger.sealed:
            raise InputError(f"event {seq} seals the record, and nothing follows it; say {first - 1}")
        return frame
    start = next((end for end in _ends(past) if past.at(end).game.players), None)
    if start is None:
        raise InputError("no game is set up in this log yet, so nothing can go on from it")
    raise InputError(f"the game is not set up yet after event {seq}; say {start} or a later one")


def _ends(past: History) -> Iterator[int]:
    """The last event of each unit."""
    last = 0
    for unit in past.units:
        last += len(unit.events)
        yield last


def _set_up(units: Sequence[Unit]) -> SetUp:
    for unit in units:
        answer = recorded_answer(unit.decision)
        if isinstance(answer, SetUp):
            return answer
    raise InputError("the game is not set up yet; fork a later event")


def _tell(game: Game, past: History, unit: Unit, alike: Alike) -> None:
    """Decide a decision of the parent again, and see that what everybody sees comes out as it was."""
    number = len(game.units) + 1
    old = past.at(len(game))
    try:
        answer = bound(recorded_answer(unit.decision), old, game.state)
        game.decide(unit.decision.seat, answer, insist=unit.decision.insist, time=unit.time)
    except (CascadeError, ValueError) as error:
        raise InputError(f"decision {number} cannot be told again: {error}; fork an earlier event") from None
    if not alike.units(game.units[-1], unit):
        what = f"decision {number} comes out otherwise than it is recorded"
        raise InputError(f"{what}; see what 'cascade-es verify' says, and fork an earlier event")


def bound(answer: Answer, old: State, new: State) -> Answer:
    """An answer with the ids that the cards it names in hidden zones have in another game."""
    ids = {handle: _same(handle, old, new) for handle in answer.objects()}
    if isinstance(answer, Choose | Pay):
        return msgspec.structs.replace(answer, picks=tuple(ids[handle] for handle in answer.picks))
    if hasattr(answer, "object"):
        return msgspec.structs.replace(answer, object=ids.get(answer.object, answer.object))
    return answer


def _same(handle: int, old: State, new: State) -> int:
    """The id of the same card: another one in a hidden zone, where order tells equal cards apart."""
    obj = old.game.objects.get(handle)
    if obj is None or obj.zone not in HIDDEN or not obj.card.known:
        return handle

    def like(state: State) -> list[int]:
        found = state.zone(obj.zone, obj.owner)
        same = [state.object(each) for each in found]
        return [each.id for each in same if (each.card.value, each.card.audience) == wanted]

    wanted = (obj.card.value, obj.card.audience)
    there = like(new)
    place = like(old).index(handle)
    if place >= len(there):
        raise InputError(f"object {handle} cannot be found again")
    return there[place]


_IDS: Final = frozenset(
    ("about", "attached", "bound", "hit", "id", "last", "object", "objects", "old", "source", "targets")
)
"""The fields in which an event can name a card of a hidden zone by its id."""


class Alike:
    """Whether two logs tell everybody the same, unit by unit from the first on.

    What is sealed is compared by who may know it.  Under another key the cards of a hand, or of a library
    that is searched, get their ids in another order: when one of them is shown later, its ids may
    differ, but only among those that were given out at the same time, and always by the same rule.
    """

    def __init__(self) -> None:
        self._given: dict[Any, int] = {}  # what was given out at random: when
        self._pairs: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
        self._times = 0

    def units(self, one: Unit, two: Unit) -> bool:
        """Whether the next unit is alike."""
        if one.time != two.time or len(one.events) != len(two.events):
            return False
        return self._same(one.decision, two.decision, "") and all(
            type(mine) is type(theirs) and self._same(mine, theirs, "") and self._enter(mine)
            for mine, theirs in zip(one.events, two.events, strict=True)
        )

    def _enter(self, event: Any) -> bool:
        if isinstance(event, Rehandled):
            self._times += 1
            for index, card in enumerate(event.cards):
                self._given[event.first + index] = self._times
                if card.sealed:
                    self._given[card.frame, card.ordinal] = self._times
        return True

    def _same(self, one: Any, two: Any, name: str) -> bool:
        if type(one) is not type(two):
            return False
        if name == "digest":
            return True  # it covers commitments, which are others under another key
        if isinstance(one, Fact):
            if not (one.sealed and two.sealed):
                return one.sealed == two.sealed and bool(one.value == two.value)
            places = (one.frame, one.ordinal), (two.frame, two.ordinal)
            return one.audience == two.audience and (places[0] == places[1] or self._paired(*places))
        if isinstance(one, tuple):
            return len(one) == len(two) and all(
                self._same(mine, theirs, name) for mine, theirs in zip(one, two, strict=True)
            )
        if isinstance(one, msgspec.Struct):
            return all(
                self._same(getattr(one, field), getattr(two, field), name if name in _IDS else field)
                for field in one.__struct_fields__
            )
        return bool(one == two) or (type(one) is int and name in _IDS and self._paired(one, two))

    def _paired(self, one: Any, two: Any) -> bool:
        """Whether two were given out at random at the same time, and none of them stands for a third."""
        if self._given.get(one, 0) != self._given.get(two, -1):
            return False
        return bool(self._pairs[0].setdefault(one, two) == two and self._pairs[1].setdefault(two, one) == one)


def compare_with_parent(log: Log, other: Log) -> Comparison:
    """Whether a log is a fork of another: it names a frame of it, and tells all up to that frame alike.

    The word is "same" if it is, and "other-past" if the fork tells something public otherwise, or a deck
    list that is open in both.
    """
    found = parent_of(log, other)
    if not found.good or log.header.parent is None:
        return found
    frame = log.header.parent[1]
    if len(log.frames) <= frame:
        detail = f"this is a fork at frame {frame}, but has only {len(log.frames)} frames itself"
        return Comparison("shortened", detail)
    mine, theirs = log.header, other.header
    if (mine.edition, [seat.deck_size for seat in mine.seats]) != (
        theirs.edition,
        [seat.deck_size for seat in theirs.seats],
    ):
        return Comparison("other-past", "its header has another edition or other decks than its parent's")
    for one, two in zip(mine.facts[:-1], theirs.facts[:-1], strict=True):  # the key is its own
        if one.known and two.known and one.value != two.value:
            return Comparison("other-past", "its header has another name, deck or seed than its parent's")
    alike = Alike()
    for (number, mine_told), (_, theirs_told) in zip(log.units[:frame], other.units[:frame], strict=True):
        if not alike.units(mine_told, theirs_told):
            return Comparison("other-past", f"frame {number} is told otherwise than in its parent")
    return found
