"""The sealed facts of a log: where each is, who may know it, and what it says in this copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from cascade_es.projection import facts_in
from cascade_es.replay import Replay
from cascade_es.values.facts import EVERYONE, CardRef, Fact
from cascade_es.views.naming import Names
from cascade_es.views.plain import listed, one_line, plain

SEED: Final = "draw seed"
KEY: Final = "blinding key"


class Sealed(msgspec.Struct, frozen=True):
    """One sealed fact.

    ``place`` is "frame.ordinal"; ``event`` the number of the event that first holds it, 0 for the header
    or a decision, and ``what`` that event's kind, "decision", or its name in the header; ``audience``
    names who has come to know it by the end of the log; ``known`` is whether this copy opens it; ``value``
    is as :func:`~cascade_es.views.plain.plain` says it, ``text`` in words.  The values of the draw seed and
    the blinding key are never said here: who has them can find out everything else.
    """

    place: str
    event: int
    what: str
    audience: tuple[str, ...]
    known: bool
    value: Any
    text: str


def sealed_facts(replay: Replay) -> tuple[Sealed, ...]:
    """All sealed facts of a log, in the order of their places."""
    first: dict[tuple[int, int], tuple[int, str, Fact]] = {}
    seen: dict[tuple[int, int], int] = {}
    for event, what, fact in _facts(replay):
        place = (fact.frame, fact.ordinal)
        found = first.setdefault(place, (event, what, fact))
        if fact.known and not found[2].known:
            # A view opens a fact where its viewer comes to know it, which may be later.
            first[place] = (*found[:2], fact)
        # -1, everybody, is all bits: whoever joins an audience stays in it.
        seen[place] = seen.get(place, 0) | fact.audience
    names = Names(replay, 0)
    return tuple(_said(replay, names, *first[place], seen[place]) for place in sorted(first))


def _facts(replay: Replay) -> Iterator[tuple[int, str, Fact]]:
    header = replay.log.header
    named: list[tuple[str, Fact]] = [(SEED, header.seed), (KEY, header.key)]
    for seat in header.seats:
        named += [("name", seat.name), ("deck list", seat.deck)]
    for what, fact in named:
        if fact.sealed:
            yield 0, what, fact
    event = 0
    for _, unit in replay.log.units:
        # An event says more of a fact than the decision that it followed from, and has a number.
        for record in unit.events:
            event += 1
            yield from ((event, record.kind, fact) for fact in facts_in(record) if fact.sealed)
        yield from ((0, "decision", fact) for fact in facts_in(unit.decision) if fact.sealed)


def _said(replay: Replay, names: Names, event: int, what: str, fact: Fact, audience: int) -> Sealed:
    if audience == EVERYONE:
        who: tuple[str, ...] = ("everybody",)
    else:
        seats = range(len(replay.log.header.seats))
        who = tuple(names.player(seat) for seat in seats if audience >> seat & 1)
    place = f"{fact.frame}.{fact.ordinal}"
    if not fact.known:
        return Sealed(place, event, what, who, False, None, "sealed to this copy")
    if what in (SEED, KEY):
        return Sealed(place, event, what, who, True, None, "a secret of the recorder")
    return Sealed(place, event, what, who, True, plain(fact.value), _words(fact.value))


def _words(value: Any) -> str:
    if isinstance(value, CardRef):
        return one_line(value.name)
    if isinstance(value, tuple) and all(isinstance(item, CardRef) for item in value):
        return listed([_words(item) for item in value])
    if isinstance(value, tuple):
        return ", ".join(f"({_words(item)})" if isinstance(item, tuple) else _words(item) for item in value)
    return one_line(value.hex() if isinstance(value, bytes) else str(value))
