"""Projections: a log, and a state, as one viewer may know them.

A log holds everything hidden only as commitments, so a view is the very same payloads and chain with
fewer openings beside them: every viewer has the same head, and can check that no one else was told
another story.  What a viewer may know follows from the log itself.  Each time a fact appears it names
its audience; the opening comes with the first frame in which that audience includes the viewer, and a
card's definition with the first frame that opens to them a fact that names the card.

Of the header, the players' names are for all seats (so the public sees none), a deck list is for its own
seat, and the draw seed and the blinding key are for nobody.  A view says whose it is, beside the header
and outside the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from immutables import Map

from cascade_es.errors import InputError
from cascade_es.log import (
    MAGIC,
    Disclosure,
    Encoder,
    Header,
    Log,
    Openings,
    Unit,
    pack_disclosure,
    pack_frame,
    parse_log,
)
from cascade_es.values import events as ev
from cascade_es.values.facts import PUBLIC, CardRef, Fact, Opening, sees
from cascade_es.values.state import Ledger, State

__all__ = ["Findings", "audit", "disclose", "facts_in", "project", "project_state"]

Place = tuple[int, int]


def project(log: bytes, viewer: int | None) -> bytes:
    """A log as one viewer may see it: the same payloads, chain and head, and that viewer's openings alone.

    ``viewer`` is a seat, counted from 0, or None for the public.  A view of a view is possible where it
    shows less; words that were erased stay erased.

    Raises:
        InputError: when this is no log, has no such seat, or lacks what the viewer was shown.
        Damaged: when it is not what its writer wrote.

    >>> from cascade_es import Game, load_card
    >>> game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")])
    >>> mine, theirs = project(game.log_bytes, 0), project(game.log_bytes, 1)
    >>> parse_log(mine).head == parse_log(theirs).head, b"Forest" in mine, b"Forest" in theirs
    (True, True, False)
    """
    whole = parse_log(log, "log")
    if viewer is not None and (type(viewer) is not int or not 0 <= viewer < len(whole.header.seats)):
        raise InputError(f"there is no seat {viewer!r}; seats are 0 to {len(whole.header.seats) - 1}")
    seat = PUBLIC if viewer is None else viewer
    given = _openings(whole)
    words = _erasable(whole)
    encoder = Encoder()
    frames = [MAGIC]
    shown = _Shown(seat)
    for frame, record in zip(whole.frames, _records(whole), strict=True):
        places, digests = shown.by(record)
        facts = []
        for place in places:
            if place in given:
                facts.append(given[place])
            elif place not in words:
                what = f"this copy lacks the opening of {place[0]}.{place[1]}, which the viewer was shown"
                raise InputError(f"{what}; use a full copy")
        definitions = []
        for digest, name in digests:
            if digest not in whole.definitions:
                raise InputError(f"this copy lacks the definition of '{name}'; use a full copy")
            definitions.append((digest, whole.definitions[digest]))
        view = None if frame.number else seat
        section = encoder.openings(Openings(tuple(facts), tuple(definitions), view))
        frames.append(pack_frame(frame.previous, frame.payload, section))
    return b"".join(frames)


def project_state(state: State, viewer: int | None) -> State:
    """A state as one viewer may know it: the same, without the values of facts that are sealed to them.

    It is what replaying that viewer's view gives at the same step.  The digest stays the same.
    """
    seat = PUBLIC if viewer is None else viewer
    # What players know of a run of cards, though not which is which, is known to just those players.
    groups = tuple(group for group in state.ledger.groups if sees(group.seats, seat))
    ledger: Ledger = msgspec.structs.replace(state.ledger, groups=groups)
    return State(_blanked(state.game, seat), _blanked(ledger, seat))


def _blanked(value: Any, seat: int) -> Any:
    """The value with every fact as the viewer has it; the same object where nothing is sealed to them."""
    if isinstance(value, Fact):
        return value.seen_by(seat)
    if isinstance(value, tuple):
        items = tuple(_blanked(item, seat) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if isinstance(value, Map):
        for key in sorted(value):
            new = _blanked(value[key], seat)
            if new is not value[key]:
                value = value.set(key, new)
        return value
    if isinstance(value, msgspec.Struct):
        changes = {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            new = _blanked(old, seat)
            if new is not old:
                changes[name] = new
        return msgspec.structs.replace(value, **changes) if changes else value
    return value


def disclose(log: bytes, places: Iterable[Place]) -> bytes:
    """A disclosure: the openings of single facts as a small file, which anybody can check against a view.

    ``places`` are pairs of a frame and an ordinal within it.  The definitions of the cards come along.

    Raises:
        InputError: when this is no log, no place is named, nothing is sealed at one, or this copy has no
            opening for it.
        Damaged: when the log is not what its writer wrote.

    >>> from cascade_es import Game, load_card
    >>> from cascade_es.log import parse_disclosure
    >>> game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")])
    >>> parse_disclosure(disclose(game.log_bytes, [(0, 1)])).places
    ((0, 1),)
    """
    whole = parse_log(log, "log")
    given = _openings(whole)
    sealed: dict[Place, Fact] = {}
    for record in _records(whole):
        for fact in facts_in(record):
            if (fact.sealed and (fact.frame, fact.ordinal) not in sealed) or (fact.sealed and fact.known):
                sealed[fact.frame, fact.ordinal] = fact
    wanted = sorted(dict.fromkeys(places))
    if not wanted:
        raise InputError("no fact is named; name one as frame.ordinal")
    digests: dict[bytes, str] = {}
    for place in wanted:
        if place not in sealed:
            raise InputError(
                f"nothing is sealed at {place[0]}.{place[1]}; 'cascade-es disclose LOG' lists the places"
            )
        if place not in given:
            raise InputError(f"this copy has no opening of {place[0]}.{place[1]}; use a full copy")
        digests |= dict(_cards(sealed[place].value))
    definitions = tuple(
        (digest, whole.definitions[digest]) for digest in sorted(digests) if digest in whole.definitions
    )
    openings = Openings(tuple(given[place] for place in wanted), definitions)
    return pack_disclosure(Disclosure(whole.header.log_id, openings))


# --------------------------------------------------------------------------------------- audits


class Findings(msgspec.Struct, frozen=True):
    """What is not as it should be in a view, each as (frame, what).

    ``missing`` are openings and definitions that the viewer was shown and this copy lacks, ``unshown``
    those that it has though the viewer was never (or not yet) shown them.
    """

    missing: tuple[tuple[int, str], ...] = ()
    unshown: tuple[tuple[int, str], ...] = ()


def audit(log: Log) -> Findings:
    """Compare the openings of a view with what its viewer was shown; nothing is found in other copies.

    Names and words may have been erased: their openings are never missing.
    """
    if log.view is None:
        return Findings()
    words = _erasable(log)
    shown = _Shown(log.view)
    have: dict[Any, None] = {}
    missing: list[tuple[int, str]] = []
    unshown: list[tuple[int, str]] = []
    for frame, record in zip(log.frames, _records(log), strict=True):
        number = frame.number
        places, digests = shown.by(record)
        beside = log.openings.get(number, Openings())
        for opening in beside.facts:
            place = (opening.frame, opening.ordinal)
            if place in have:
                unshown.append((number, f"a second opening of {place[0]}.{place[1]}"))
            have[place] = None
            if place not in shown.places:
                unshown.append((number, f"the opening of {place[0]}.{place[1]}"))
        for digest, _ in beside.definitions:
            if digest in have:
                unshown.append((number, f"a second definition {digest.hex()}"))
            have[digest] = None
            if digest not in shown.digests:
                unshown.append((number, f"the definition {digest.hex()}"))
        missing += [
            (number, f"the opening of {place[0]}.{place[1]}")
            for place in places
            if place not in have and place not in words
        ]
        missing += [(number, f"the definition of '{name}'") for digest, name in digests if digest not in have]
    return Findings(tuple(missing), tuple(unshown))


class _Shown:
    """What a viewer has been shown so far, going through a log from its beginning."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.places: dict[Place, None] = {}
        self.digests: dict[bytes, None] = {}

    def by(self, record: Header | Unit) -> tuple[list[Place], list[tuple[bytes, str]]]:
        """The places and the definitions (with a name for each) that one more record shows them."""
        places: list[Place] = []
        digests: list[tuple[bytes, str]] = []
        for fact in facts_in(record):
            if fact.sealed:
                if not sees(fact.audience, self.seat):
                    continue
                place = (fact.frame, fact.ordinal)
                if place not in self.places:
                    self.places[place] = None
                    places.append(place)
            for digest, name in _cards(fact.value):
                if digest not in self.digests:
                    self.digests[digest] = None
                    digests.append((digest, name))
        return places, digests


def _openings(log: Log) -> dict[Place, Opening]:
    """Every opening in a log, by the place of its fact."""
    return {
        (opening.frame, opening.ordinal): opening
        for openings in log.openings.values()
        for opening in openings.facts
    }


def _records(log: Log) -> Iterator[Header | Unit]:
    """What each frame says, in order."""
    yield log.header
    for _, unit in log.units:
        yield unit


def _erasable(log: Log) -> dict[Place, None]:
    """The places of names and of words: people may have them erased from every copy."""
    facts = [seat.name for seat in log.header.seats]
    for _, unit in log.units:
        if unit.decision.kind in ("comment", "ruling"):
            facts.append(unit.decision.body)
        facts += [event.text for event in unit.events if isinstance(event, ev.Commented | ev.RulingMade)]
    return {(fact.frame, fact.ordinal): None for fact in facts if fact.sealed}


def facts_in(value: Any) -> Iterator[Fact]:
    """Every fact in a record, sealed or in clear, in the order of the wire."""
    if isinstance(value, Fact):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from facts_in(item)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from facts_in(getattr(value, name))


def _cards(value: Any) -> Iterator[tuple[bytes, str]]:
    """The digests, with names, of all cards in the value of a fact."""
    if isinstance(value, CardRef):
        yield value.digest, value.name
    elif isinstance(value, tuple):
        for item in value:
            yield from _cards(item)
