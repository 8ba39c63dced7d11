"""What the frames of a log say: its header, its units, and what is opened beside them."""

from __future__ import annotations

from typing import Final

import msgspec

from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.events import Event
from cascade_es.values.facts import Fact, Opening


class Unit(msgspec.Struct, frozen=True):
    """One accepted decision with all events that follow from it: written whole or not at all.

    ``time`` is metadata that an application may hand in, in milliseconds since 1970; no rule reads it.
    """

    decision: RecordedDecision
    events: tuple[Event, ...]
    time: int | None = None


class SeatHeader(msgspec.Struct, frozen=True, array_like=True):
    """What a log says of a seat before the game: a sealed name, the deck's size, its sealed list."""

    name: Fact
    deck_size: int
    deck: Fact


class Header(msgspec.Struct, frozen=True, array_like=True):
    """The first frame: which versions made the log, what it continues, and what it commits to.

    ``format``, ``table`` and ``behaviour`` are version numbers: of the file, of the table of events
    and of the rules' code.  ``edition`` is the date of the rules.  ``log_id`` are 16 bytes.  ``parent``
    is what a fork continues: the id of a log, the number of its last shared frame, and that frame's
    hash.  ``seed`` and ``key`` commit to the recorder's secrets.  All facts are sealed here, at frame 0.
    """

    format: int
    table: int
    behaviour: int
    edition: str
    log_id: bytes
    parent: tuple[bytes, int, bytes] | None
    seats: tuple[SeatHeader, ...]
    seed: Fact
    key: Fact
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Its facts by ordinal: name and deck list of each seat in turn, then seed and key."""
        seats = tuple(fact for seat in self.seats for fact in (seat.name, seat.deck))
        return (*seats, self.seed, self.key)


class Openings(msgspec.Struct, frozen=True, array_like=True):
    """What stands beside a payload and outside the chain: it makes sealed facts and digests readable.

    ``definitions`` are pairs of a digest (see :func:`definition_digest`) and the bytes it stands for.
    ``view`` stands beside the header alone: the seat whose view this copy is, -1 for the public's, None
    for a copy that is nobody's view.
    """

    facts: tuple[Opening, ...] = ()
    definitions: tuple[tuple[bytes, bytes], ...] = ()
    view: int | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to be written."""
        return not self.facts and not self.definitions and self.view is None


NO_OPENINGS: Final = Openings()
"""Nothing beside a payload."""
