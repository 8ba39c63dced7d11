"""Payloads: what the bytes of a frame mean, and that they can mean it in one way only.

A hash chain covers bytes, but people compare values.  So one value must have one encoding, or two
logs that say the same would have different heads, and a reader could be shown what the writer never
wrote.  Payloads are therefore msgpack arrays in fixed field order, with no maps, floats or extension
types, and the reader encodes again what it has read and refuses payloads that differ.

A file is not trusted.  Sizes are limited by the frames; nesting is limited by the types of the fields,
which end somewhere, and in the values of facts, which could be anything, by :data:`MAX_VALUE_DEPTH`.  The
class of an event is found by its kind in our own table, never by a name or path from the file.

::

    unit     = [[seat, kind, insist, fact], time or nil, [[kind, rule, cause, auto, …], …]]
    fact     = [value] in clear, or [frame, ordinal, audience, commitment]
    openings = nothing, or [[[frame, ordinal, salt, content], …], [[digest, definition], …]]
               and beside the header of a view also whose it is: a seat, or -1 for the public's

The facts sealed in a frame have the ordinals 0, 1, 2, … in the order in which they first appear; any
other sealed fact must repeat a commitment that is already in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import msgpack
import msgspec
from msgspec.structs import astuple

from cascade_es.errors import Damaged, InputError, NewerLog
from cascade_es.log.codec import BUFFER, CODEC_ERRORS, Flaw, line_of, rich, unpack
from cascade_es.log.frames import RawFrame
from cascade_es.log.places import (
    HASH_BYTES,
    Place,
    Places,
    SealedRow,
    check_definitions,
    definition_digest,
)
from cascade_es.log.records import NO_OPENINGS, Header, Openings, SeatHeader, Unit
from cascade_es.log.shapes import exact
from cascade_es.log.upcast import LADDER, Ladder
from cascade_es.values import facts as sealing
from cascade_es.values.decisions import ANSWERS, RecordedDecision
from cascade_es.values.events import KINDS, Event
from cascade_es.values.facts import MAX_VALUE_DEPTH, Fact, Opening

__all__ = [
    "FORMAT",
    "MAX_VALUE_DEPTH",
    "NO_OPENINGS",
    "Decoder",
    "Encoder",
    "FalseDisclosure",
    "Flaw",
    "Header",
    "Openings",
    "Places",
    "SeatHeader",
    "Unit",
    "definition_digest",
]

FORMAT: Final = LADDER.newest
"""The newest format that is read, and the one that is written."""

LOG_ID_BYTES: Final = 16

_S = TypeVar("_S", bound=msgspec.Struct)


class FalseDisclosure(InputError):
    """What was disclosed beside a log is not what the log committed to."""


# ------------------------------------------------------------------------------------- encoding


class Encoder:
    """Writes payloads; one for each writer, because it keeps a buffer.

    The values are taken apart while msgpack packs them: what it does not know comes to the hook, so a
    value without facts or structures inside costs one step in C.  What a fact holds was checked when the
    fact was made; whether other fields are of their types, :meth:`Decoder.check` tells.
    """

    __slots__ = ("_facts", "_write")

    def __init__(self) -> None:
        facts: list[SealedRow] = []

        def take_apart(value: Any) -> tuple[Any, ...]:
            if type(value) is Fact:
                if mark := value.commitment:
                    row = (value.frame, value.ordinal, value.audience, mark)
                    facts.append(row)
                    return row
                return (value.value,)
            try:
                return astuple(value)
            except TypeError:
                kind = type(value).__name__
                what = "a number of more than 64 bits" if kind == "int" else f"a log holds no {kind}"
                raise TypeError(what) from None

        self._facts = facts
        packer = msgpack.Packer(use_bin_type=True, default=take_apart, buf_size=BUFFER)
        self._write: Callable[[Any], bytes] = packer.pack

    def unit(self, unit: Unit) -> tuple[bytes, tuple[SealedRow, ...]]:
        """The payload of a unit, and its sealed facts in the order in which they appear.

        Raises:
            InputError: when it holds something that cannot be written.
        """
        decision = unit.decision
        if type(decision) is not RecordedDecision:
            raise InputError(f"a {type(decision).__name__} is no recorded decision; record one of those")
        if type(decision.kind) is not str or decision.kind not in ANSWERS:
            raise InputError(f"unknown kind of decision {decision.kind!r}; record one that exists")
        if unit.time is not None and type(unit.time) is not int:
            raise InputError("a time is no whole number; give milliseconds since 1970")
        try:
            rows = [(event.kind,) + astuple(event) for event in unit.events]  # noqa: RUF005 - a fifth faster
        except (AttributeError, TypeError):
            raise InputError("what happened are events; record nothing else") from None
        return self._pack((astuple(decision), unit.time, rows))

    def header(self, header: Header) -> tuple[bytes, tuple[SealedRow, ...]]:
        """The payload of a header, and its facts; raises as :meth:`unit` does."""
        try:
            _check_header(header)
        except Flaw as flaw:
            raise InputError(f"{flaw.detail}; mend it before recording") from None
        return self._pack(header)

    def openings(self, openings: Openings) -> bytes:
        """The bytes beside a payload; nothing where there is nothing; raises as :meth:`unit` does.

        >>> Encoder().openings(Openings())
        b''
        """
        if openings.empty:
            return b""
        return self._pack(_rows(openings))[0]

    def value(self, value: Any) -> bytes:
        """The bytes of any one value with all that is inside; raises as :meth:`unit` does."""
        return self._pack(value)[0]

    def _pack(self, value: Any) -> tuple[bytes, tuple[SealedRow, ...]]:
        facts = self._facts
        if facts:
            facts.clear()
        try:
            payload = self._write(value)
        except CODEC_ERRORS as error:
            raise InputError(f"this cannot be written: {line_of(error)}; mend the value") from None
        return payload, tuple(facts)


def _rows(openings: Openings) -> tuple[Any, ...]:
    """Openings as they are written: the view only where there is one."""
    rows = (tuple(map(astuple, openings.facts)), openings.definitions)
    return rows if openings.view is None else (*rows, openings.view)


def _check_header(header: Header) -> None:
    if header.format < 0 or header.table < 0 or header.behaviour < 0:
        raise Flaw("payload", "the header has a negative version")
    if len(header.log_id) != LOG_ID_BYTES:
        raise Flaw("payload", f"a log id has {LOG_ID_BYTES} bytes, not {len(header.log_id)}")
    if header.parent is not None:
        log_id, frame, digest = header.parent
        if len(log_id) != LOG_ID_BYTES or frame < 0 or len(digest) != HASH_BYTES:
            raise Flaw("payload", "the parent is not the id, frame and hash of a log")
    if any(seat.deck_size < 0 for seat in header.seats):
        raise Flaw("payload", "the header has a deck of negative size")
    if not all(fact.sealed and fact.frame == 0 for fact in header.facts):
        raise Flaw("payload", "the header has a fact that is not sealed at frame 0")


# ------------------------------------------------------------------------------------- decoding


class _Shape(msgspec.Struct, frozen=True):
    """How a kind of event is read: whether there are ``facts`` in it, and what tells that it is ``exact``."""

    cls: type[Event]
    facts: bool
    exact: Callable[[Any], bool]


_SHAPES: dict[str, _Shape] = {}
_FACTLESS = (int, str, bool, bytes, tuple[int, ...], tuple[str, ...], tuple[bool, ...])


def _shape(kind: str) -> _Shape:
    cls = KINDS.get(kind)
    if cls is None:
        raise Flaw("payload", f"unknown kind of event {kind[:40]!r}")
    facts = any(field.type not in _FACTLESS for field in msgspec.structs.fields(cls))
    return _SHAPES.setdefault(kind, _Shape(cls, facts, exact(cls)))


_EXACT_DECISION = exact(RecordedDecision)
_EXACT_HEADER = exact(Header)


class Decoder:
    """Reads the frames of one log in order: the header first, then every unit.

    It keeps what later frames may refer to: the commitments, the values opened so far, and the
    definitions by digest.  A fact has its value if its opening stands in its own or an earlier frame.
    In a ``view`` it has it only where the log says that its viewer may know it: what is shown by the
    last event of a unit is not known in the first.  ``disclosed`` are openings given beside the log;
    they hold wherever the fact appears.

    Each method raises :class:`~cascade_es.errors.Damaged` of one of these kinds: ``"payload"`` (not
    what a frame can hold), ``"encoding"`` (one of the other ways to write the same), ``"ordinal"`` (a
    commitment out of place), ``"opening"`` and ``"definition"`` (which do not fit what they claim to be).
    """

    __slots__ = (
        "_disclosed",
        "_encoder",
        "_facts",
        "_format",
        "_ladder",
        "_sealed",
        "definitions",
        "openings",
        "places",
        "view",
    )

    def __init__(self, disclosed: Iterable[Opening] = (), *, ladder: Ladder = LADDER) -> None:
        self._ladder = ladder
        self._format = ladder.newest
        self._encoder = Encoder()
        self._facts: list[Fact] = []
        self._sealed: list[SealedRow] = []
        self._disclosed = {(opening.frame, opening.ordinal): opening for opening in disclosed}
        self.places = Places(b"")
        self.definitions: dict[bytes, bytes] = {}
        self.openings: dict[int, Openings] = {}
        self.view: int | None = None

    def header(self, frame: RawFrame, name: str = "") -> Header:
        """The header of a log called ``name``.

        Raises:
            NewerLog: when it was written in a format newer than ours.
            InputError: when it was written before formats were stable.
        """
        try:
            raw = _payload(frame.payload, "a header")
            newest = self._ladder.newest
            if raw and type(raw[0]) is int and raw[0] > newest:
                what = f"written in format {raw[0]}, this version reads up to {newest}; use a newer version"
                raise NewerLog(what, where=name)
            if raw and type(raw[0]) is int and 0 <= raw[0] < self._ladder.oldest:
                what = f"written in format {raw[0]}, which was no promise; this version reads formats from "
                raise InputError(f"{what}{self._ladder.oldest} on; play it again", where=name)
            if raw and type(raw[0]) is int and 0 <= raw[0] < newest:
                self._format = raw[0]
                self._check_encoding(raw, frame.payload)
                raw = self._climb(self._ladder.header, raw)
            self._forget_facts()
            header = self._convert(raw, Header, "header")
            _check_header(header)
            if self._format == newest:
                self._check_encoding(raw, frame.payload)
                if not _EXACT_HEADER(raw):
                    raise _other_encoding()
            self.places = Places(header.log_id)
            self._settle(frame)
        except Flaw as flaw:
            raise Damaged(flaw.kind, flaw.detail, frame=frame.number, offset=frame.offset) from None
        return header

    def unit(self, frame: RawFrame) -> Unit:
        """The unit in the next frame."""
        try:
            unit = self._unit(frame.payload)
            self._settle(frame)
        except Flaw as flaw:
            raise Damaged(flaw.kind, flaw.detail, frame=frame.number, offset=frame.offset) from None
        return unit

    def check(self, number: int, unit: Unit, payload: bytes, openings: bytes) -> Openings:
        """See that a payload is read as this unit, for its writer; and the openings as they are read.

        Nothing keeps a caller from putting a yes where a number belongs, which packs well and is damage
        to every reader.  What the facts and openings say, the writer asks of its own places.

        Raises:
            Flaw: when it is not.
        """
        self._forget_facts()
        if self._unit(payload) != unit:
            raise Flaw("payload", "this unit would be read as another than it is")
        return self._openings(RawFrame(number, 0, b"", openings, b"", b"")) if openings else NO_OPENINGS

    def _unit(self, payload: bytes) -> Unit:
        raw = _payload(payload, "a unit")
        if len(raw) != 3 or type(raw[2]) is not tuple:
            raise Flaw("payload", "a unit is a decision, a time and events")
        said, time, rows = raw
        if time is not None and type(time) is not int:
            raise Flaw("payload", "a time is a whole number of milliseconds")
        self._check_encoding(raw, payload)
        if self._format < self._ladder.newest:
            said = self._climb(self._ladder.decision, self._format, said)
            rows = [self._climb(self._ladder.event, self._format, row) for row in rows]
        self._forget_facts()
        decision = self._convert(said, RecordedDecision, "decision")
        if not _EXACT_DECISION(said):
            raise _other_encoding()
        if decision.kind not in ANSWERS:
            raise Flaw("payload", f"unknown kind of decision {decision.kind[:40]!r}")
        return Unit(decision, self._events(rows), time)

    def _check_encoding(self, raw: Any, payload: bytes) -> None:
        try:
            same = self._encoder.value(raw) == payload
        except InputError as error:
            raise Flaw("payload", error.what) from None
        if not same:
            raise _other_encoding()

    def _climb(self, cast: Callable[..., Any], *given: Any) -> Any:
        """A record of an older format as the newest has it."""
        try:
            return cast(*given)
        except (*CODEC_ERRORS, LookupError, AttributeError) as error:
            what = f"a record of format {self._format} is none that it had: {line_of(error)}"
            raise Flaw("payload", what) from None

    def _events(self, rows: Iterable[Any]) -> tuple[Event, ...]:
        convert, fact = msgspec.convert, self._fact
        events: list[Event] = []
        for row in rows:
            if type(row) is not tuple or not row or type(row[0]) is not str:
                raise Flaw("payload", "an event begins with its kind")
            shape = _SHAPES.get(row[0]) or _shape(row[0])
            fields = row[1:]
            try:
                event = (
                    convert(fields, shape.cls, dec_hook=fact) if shape.facts else convert(fields, shape.cls)
                )
            except CODEC_ERRORS as error:
                raise _misfit(row[0], error) from None
            if not shape.exact(fields):
                raise _other_encoding()
            events.append(event)
        return tuple(events)

    def _forget_facts(self) -> None:
        self._facts.clear()
        self._sealed.clear()

    def _settle(self, frame: RawFrame) -> None:
        """Check the facts just read against the openings and all that came before, and give them values."""
        if not self._facts and not frame.openings:
            return
        openings = self._openings(frame) if frame.openings else NO_OPENINGS
        fresh = self.places.sealed(frame.number, self._sealed)
        values = self.places.opened(map(astuple, openings.facts), fresh)
        check_definitions(openings.definitions)
        told = self._told(fresh) if self._disclosed else {}
        self.places.enter(fresh, told | values)
        self.definitions.update(openings.definitions)
        known, view, disclosed = self.places.values.get, self.view, self._disclosed
        # These facts are fresh from the bytes and nobody has them yet: filling them in changes no value.
        for fact in self._facts:
            place = (fact.frame, fact.ordinal)
            if view is None or sealing.sees(fact.audience, view) or place in disclosed:
                fact.value = known(place)

    def _told(self, fresh: dict[Place, bytes]) -> dict[Place, Any]:
        """The values of the facts sealed here that were disclosed.

        Raises:
            FalseDisclosure: when what was disclosed does not fit the commitment.
        """
        try:
            told = [self._disclosed[place] for place in fresh if place in self._disclosed]
            return self.places.opened(map(astuple, told), fresh)
        except Flaw as flaw:
            raise FalseDisclosure(f"{flaw.detail} in the log; do not trust it") from None

    def finish(self) -> None:
        """After the last frame: everything disclosed was a fact of this log.

        Raises:
            FalseDisclosure: when something was not.
        """
        for place in self._disclosed:
            if place not in self.places.committed:
                raise FalseDisclosure(f"it opens {place[0]}.{place[1]}, where nothing is sealed in the log")

    def _openings(self, frame: RawFrame) -> Openings:
        raw = _payload(frame.openings, "openings")
        openings = self._convert(raw, Openings, "openings")
        if openings.empty or raw != _rows(openings):
            raise _other_encoding()
        self._check_encoding(raw, frame.openings)
        if openings.view is not None:
            if frame.number or openings.view < sealing.PUBLIC:
                raise Flaw("opening", "whose view a copy is stands beside the header, and is a seat or -1")
            self.view = openings.view
        self.openings[frame.number] = openings
        return openings

    def _convert(self, raw: Any, cls: type[_S], what: str) -> _S:
        try:
            return msgspec.convert(raw, cls, dec_hook=self._fact)
        except CODEC_ERRORS as error:
            raise _misfit(what, error) from None

    def _fact(self, _: type, raw: Any) -> Fact:
        if type(raw) is tuple:
            if len(raw) == 1:
                return Fact.read(rich(raw[0]))
            if len(raw) == 4:
                frame, ordinal, audience, mark = raw
                if type(frame) is type(ordinal) is type(audience) is int and type(mark) is bytes:
                    if frame < 0 or ordinal < 0 or audience < sealing.EVERYONE or len(mark) != HASH_BYTES:
                        raise Flaw(
                            "payload", "a sealed fact with an impossible place, audience or commitment"
                        )
                    fact = Fact(frame, ordinal, audience, mark)
                    self._facts.append(fact)
                    self._sealed.append(raw)
                    return fact
        raise Flaw("payload", "a fact is a value in clear, or a place, an audience and a commitment")


def _payload(data: bytes, what: str) -> tuple[Any, ...]:
    """The array in these bytes."""
    try:
        raw = unpack(data)
    except CODEC_ERRORS as error:
        raise Flaw("payload", f"the bytes of {what} cannot be read: {line_of(error)}") from None
    if type(raw) is not tuple:
        raise Flaw("payload", f"{what} is an array")
    return raw


def _misfit(what: str, error: Exception) -> Flaw:
    return Flaw("payload", f"this is no {what!r}: {line_of(error)}")


def _other_encoding() -> Flaw:
    return Flaw("encoding", "it is not written the one way in which this would be written")
