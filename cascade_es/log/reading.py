"""Reading logs: strictly, or as far as they can be read.

Reading checks the chain of the stored bytes first and only then asks what they mean, so that damage
is always named as the damage it is.  It repairs nothing: a log whose end is torn is refused, because
a writer that went on from there, or from the beginning, would fork the history in silence.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from cascade_es.errors import Damaged, InputError
from cascade_es.log.disclosures import Disclosure
from cascade_es.log.disk import read_file
from cascade_es.log.frames import MAGIC, RawFrame, pack_frame, read_frames
from cascade_es.log.wire import Decoder, FalseDisclosure, Header, Openings, Unit
from cascade_es.values.events import SealedEnd

__all__ = [
    "Head",
    "Log",
    "is_end",
    "parse_log",
    "parse_with_decoder",
    "read_log",
    "salvage",
    "strip_openings",
]


class Head(msgspec.Struct, frozen=True):
    """What a holder keeps of a log to notice any change: the number of frames, and the last one's hash."""

    frames: int
    hash: bytes


class Log(msgspec.Struct, frozen=True):
    """A log that was read and found whole.

    ``name`` is what it was called, ``frames`` its checked bytes, ``units`` its decisions with their
    events, each with the number of its frame, and ``definitions`` the card definitions in it by digest.
    ``openings`` are those beside each frame that has some.  ``view`` says whose view this copy is: a seat,
    -1 for the public, None for a copy that is nobody's view.
    """

    name: str
    header: Header
    frames: tuple[RawFrame, ...]
    units: tuple[tuple[int, Unit], ...]
    definitions: dict[bytes, bytes]
    openings: dict[int, Openings] = {}
    view: int | None = None

    @property
    def head(self) -> Head:
        """The count of its frames (with the header) and the hash of the last one."""
        return Head(len(self.frames), self.frames[-1].hash)

    @property
    def sealed(self) -> bool:
        """Whether the record was ended; an open log may yet grow, or may have been shortened."""
        return bool(self.units) and is_end(self.units[-1][1])


def read_log(path: str | os.PathLike[str], disclosure: Disclosure | None = None) -> Log:
    """The log in a file, read with a disclosure if one is given.

    Raises:
        InputError: when there is no such file, or it is empty, foreign, or of a newer format; or when the
            disclosure is of another log.
        FalseDisclosure: when the disclosure opens what the log does not commit to.
        Damaged: when the file is not what its writer wrote; see :func:`parse_log`.
    """
    return parse_log(read_file(path), os.fspath(path), disclosure)


def parse_log(data: bytes, name: str = "", disclosure: Disclosure | None = None) -> Log:
    """The log in these bytes, read with a disclosure if one is given; ``name`` is what errors call it.

    Raises:
        InputError: when the data is empty, foreign, or of a newer format; or when the disclosure is of
            another log.
        FalseDisclosure: when the disclosure opens what the log does not commit to.
        Damaged: of a kind that :func:`~cascade_es.log.frames.read_frames` or
            :class:`~cascade_es.log.wire.Decoder` names, or ``"extended"``: something follows the seal.
    """
    return parse_with_decoder(data, name, disclosure)[0]


def parse_with_decoder(data: bytes, name: str, disclosure: Disclosure | None = None) -> tuple[Log, Decoder]:
    """The log, and the decoder that knows its commitments, for a writer; see :func:`parse_log`."""
    try:
        frames = tuple(read_frames(data, name))
    except Damaged as damage:
        raise _behind_a_seal(damage, data, name) from None
    if disclosure is None:
        return _decode(frames, Decoder(), name)
    log_id = Decoder().header(frames[0], name).log_id
    if disclosure.log_id != log_id:
        what = f"it is about log {disclosure.log_id.hex()}, not about {log_id.hex()}"
        raise InputError(f"{what}; name the file that belongs to it", where=disclosure.name)
    try:
        log, decoder = _decode(frames, Decoder(disclosure.openings.facts), name)
        decoder.finish()
    except FalseDisclosure as error:
        raise FalseDisclosure(error.what, where=disclosure.name) from None
    log.definitions.update(disclosure.openings.definitions)
    return log, decoder


def _decode(frames: tuple[RawFrame, ...], decoder: Decoder, name: str) -> tuple[Log, Decoder]:
    header = decoder.header(frames[0], name)
    units: list[tuple[int, Unit]] = []
    for frame in frames[1:]:
        if units and is_end(units[-1][1]):
            raise Damaged("extended", "it follows the seal", frame=frame.number, offset=frame.offset)
        units.append((frame.number, decoder.unit(frame)))
    _check_view(decoder, header, frames[0])
    return _log(name, header, frames, units, decoder), decoder


def _check_view(decoder: Decoder, header: Header, first: RawFrame) -> None:
    """See that the view is that of a seat that is there."""
    if decoder.view is not None and decoder.view >= len(header.seats):
        detail = f"this is said to be the view of seat {decoder.view}, which is not there"
        raise Damaged("opening", detail, frame=0, offset=first.offset)


def _log(
    name: str, header: Header, frames: Sequence[RawFrame], units: list[tuple[int, Unit]], decoder: Decoder
) -> Log:
    definitions = dict(decoder.definitions)
    return Log(name, header, tuple(frames), tuple(units), definitions, decoder.openings, decoder.view)


def salvage(data: bytes, name: str = "") -> tuple[Log, int, Damaged | None]:
    """What can be read of these bytes: the log up to the first damage, how many bytes that is, the damage.

    The size is that of the magic and the whole frames; the damage is None if nothing is wrong.

    Raises:
        InputError: as :func:`parse_log`.
        Damaged: when not even the header can be read.
    """
    decoder = Decoder()
    frames: list[RawFrame] = []
    units: list[tuple[int, Unit]] = []
    header: Header | None = None
    damage = None
    try:
        for frame in read_frames(data, name):
            if header is None:
                header = decoder.header(frame, name)
                _check_view(decoder, header, frame)
            elif units and is_end(units[-1][1]):
                raise Damaged("extended", "it follows the seal", frame=frame.number, offset=frame.offset)
            else:
                units.append((frame.number, decoder.unit(frame)))
            frames.append(frame)
    except Damaged as found:
        if header is None:
            raise
        damage = found
    assert header is not None
    log = _log(name, header, frames, units, decoder)
    if damage is None:
        return log, len(data), None
    if log.sealed and damage.kind in _NOISE:
        damage = Damaged("extended", _AFTER_SEAL, frame=damage.frame, offset=damage.offset)
    return log, damage.offset, damage


_NOISE = ("cut", "length", "checksum", "replaced")
_AFTER_SEAL = "these bytes follow the seal, and no writer writes there"


def _behind_a_seal(damage: Damaged, data: bytes, name: str) -> Damaged:
    """The same damage, or "extended" if it is something that was put behind the end of the record."""
    if damage.kind not in _NOISE:
        return damage
    try:
        found = salvage(data, name)[2]
    except (Damaged, InputError):
        return damage
    return damage if found is None or found.frame != damage.frame else found


def strip_openings(data: bytes) -> bytes:
    """The same log without openings: the same chain and head, and nothing that was sealed.

    Raises as :func:`~cascade_es.log.frames.read_frames` does.
    """
    frames = [pack_frame(frame.previous, frame.payload, b"") for frame in read_frames(data)]
    return b"".join((MAGIC, *frames))


def is_end(unit: Unit) -> bool:
    """Whether the record ends with this unit."""
    return bool(unit.events) and type(unit.events[-1]) is SealedEnd
