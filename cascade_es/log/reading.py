"""Reading logs: strictly, or as far as they can be read.

Reading checks the chain of the stored bytes first and only then asks what they mean, so that damage
is always named as the damage it is.  It repairs nothing: a log whose end is torn is refused, because
a writer that went on from there, or from the beginning, would fork the history in silence.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from cascade_es.errors import Damaged, InputError
from cascade_es.log.disk import unusable
from cascade_es.log.frames import MAGIC, RawFrame, pack_frame, read_frames
from cascade_es.log.wire import Decoder, Header, Unit
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
    """

    name: str
    header: Header
    frames: tuple[RawFrame, ...]
    units: tuple[tuple[int, Unit], ...]
    definitions: dict[bytes, bytes]

    @property
    def head(self) -> Head:
        """The count of its frames (with the header) and the hash of the last one."""
        return Head(len(self.frames), self.frames[-1].hash)

    @property
    def sealed(self) -> bool:
        """Whether the record was ended; an open log may yet grow, or may have been shortened."""
        return bool(self.units) and is_end(self.units[-1][1])


def read_log(path: str | os.PathLike[str]) -> Log:
    """The log in a file.

    Raises:
        InputError: when there is no such file, or it is empty, foreign, or of a newer format.
        Damaged: when the file is not what its writer wrote; see :func:`parse_log`.
    """
    name = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None
    return parse_log(data, name)


def parse_log(data: bytes, name: str = "") -> Log:
    """The log in these bytes; ``name`` is what errors call it.

    Raises:
        InputError: when the data is empty, foreign, or of a newer format.
        Damaged: of a kind that :func:`~cascade_es.log.frames.read_frames` or
            :class:`~cascade_es.log.wire.Decoder` names, or ``"extended"``: something follows the seal.
    """
    return parse_with_decoder(data, name)[0]


def parse_with_decoder(data: bytes, name: str) -> tuple[Log, Decoder]:
    """The log, and the decoder that knows its commitments, for a writer; see :func:`parse_log`."""
    try:
        frames = tuple(read_frames(data, name))
    except Damaged as damage:
        raise _behind_a_seal(damage, data, name) from None
    decoder = Decoder()
    header = decoder.header(frames[0], name)
    units: list[tuple[int, Unit]] = []
    for frame in frames[1:]:
        if units and is_end(units[-1][1]):
            raise Damaged("extended", "it follows the seal", frame=frame.number, offset=frame.offset)
        units.append((frame.number, decoder.unit(frame)))
    return Log(name, header, frames, tuple(units), dict(decoder.definitions)), decoder


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
    log = Log(name, header, tuple(frames), tuple(units), dict(decoder.definitions))
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
