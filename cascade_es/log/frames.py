"""Frames: the bytes of a log as a chain, before anybody asks what they mean.

A log is only worth trusting if damage is found where it is and called what it is.  So this layer
knows lengths, a checksum and a hash chain, and nothing of events: whoever writes, reads, repairs or
verifies uses this one framing.  The checksum finds accidents.  The chain finds changes: each frame
holds the hash of all payloads before it, so a head (:func:`chain` of the last one) stands for the
whole history.  A chain alone accepts a log that was shortened at the border of a frame; for that
there are the seal and a head kept elsewhere.

::

    file  = magic (16 bytes), frame 0 (the header), frame 1, frame 2, …
    frame = payload length (u32 BE), openings length (u32 BE), CRC-32 (u32 BE) of the rest of the frame,
            hash of the frame before (32 bytes), payload, openings

The openings stay outside the chain: a log without them has the same hashes, and fewer secrets.

What a file from a stranger can ask of a reader is limited, all in all, by:

* :data:`MAX_PAYLOAD` and :data:`MAX_OPENINGS` bytes a frame, refused before a byte of it is taken;
* counts: what an array, a text or bytes announce can be no more than the bytes that are there, so a
  payload holds fewer items than it has bytes, and memory is a small multiple of the file;
* depth: the types of the fields end somewhere; the value of a fact, which could be anything, by
  :data:`~cascade_es.log.wire.MAX_VALUE_DEPTH`, and what nests deeper than msgpack's own stack is refused;
* numbers: those of 64 bits; no floats, maps, times or extension types;
* names: a kind of event or decision is a word of our own tables, never a class or a path;
* definitions: JSON that fits the types of :mod:`cascade_es.values.script`; nothing in it runs.

Writers check the same, so that what was appended can be read.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from hashlib import sha256
from typing import Final
from zlib import crc32

import msgspec

from cascade_es.errors import Damaged, InputError

__all__ = [
    "FRAME_HEAD",
    "MAGIC",
    "MAX_OPENINGS",
    "MAX_PAYLOAD",
    "START",
    "RawFrame",
    "chain",
    "chain_holds",
    "count_frames",
    "frames_from",
    "pack_frame",
    "read_frames",
    "unpack_frame",
]

# The first byte has its high bit set and the line ends are both kinds, so that a transfer as text
# shows at once, as in PNG.
MAGIC: Final = b"\x89cascade-es\r\n\x1a\n\x00"
"""The first 16 bytes of every log."""

MAX_PAYLOAD: Final = 1 << 20
"""The most bytes of one payload."""

MAX_OPENINGS: Final = 4 << 20
"""The most bytes of the openings beside one payload."""

START: Final = bytes(32)
"""The chain value before the header."""

FRAME_HEAD: Final = 44
"""The bytes of a frame before its payload: lengths, checksum, hash of the frame before."""

_LABEL = b"cascade-es frame\x00"
_LENGTHS = struct.Struct(">II")
_CRC = struct.Struct(">I")
_HEAD = struct.Struct(">III32s")  # lengths, checksum, hash of the frame before: FRAME_HEAD bytes
# A magic with this many wrong bytes is still taken for ours, and damaged, rather than foreign.
_FORGIVEN = 2
# What becomes of it where line ends or the encoding of characters are "mended".
_AS_TEXT = re.compile(rb"(?:\xef\xbb\xbf)?(?:\x89|\xc2\x89|\xef\xbf\xbd|\?)cascade-es[\r\n]")


class RawFrame(msgspec.Struct, frozen=True):
    """One frame whose checksum and place in the chain are right.

    ``number`` is 0 for the header, ``offset`` the byte of the file at which the frame begins,
    ``previous`` the hash of the frame before and ``hash`` its own.
    """

    number: int
    offset: int
    payload: bytes
    openings: bytes
    previous: bytes
    hash: bytes


def chain(previous: bytes, payload: bytes) -> bytes:
    """The hash of a frame: SHA-256 over a label, the hash of the frame before, and the payload.

    >>> chain(START, b"header").hex()[:16]
    'fb4778111e7d9031'
    """
    return sha256(_LABEL + previous + payload).digest()


def pack_frame(previous: bytes, payload: bytes, openings: bytes) -> bytes:
    """The bytes of one frame; ``previous`` is the hash of the frame before (:data:`START` for the first).

    Raises:
        InputError: when the payload or the openings are longer than a reader accepts.

    >>> len(pack_frame(START, b"header", b"names")) - FRAME_HEAD
    11
    """
    if len(payload) > MAX_PAYLOAD:
        raise InputError(f"a unit of {len(payload)} bytes; record less at once (at most {MAX_PAYLOAD})")
    if len(openings) > MAX_OPENINGS:
        raise InputError(f"openings of {len(openings)} bytes; disclose less at once (at most {MAX_OPENINGS})")
    lengths = _LENGTHS.pack(len(payload), len(openings))
    rest = previous + payload + openings if openings else previous + payload
    return lengths + _CRC.pack(crc32(rest, crc32(lengths))) + rest


def read_frames(data: bytes | memoryview, name: str = "") -> Iterator[RawFrame]:
    """The frames of a log one by one, each checked before it is given out.

    ``name`` is what errors call the file.

    Raises:
        InputError: when the data is empty, or is not (the bytes of) a log of ours at all.
        Damaged: of the kind ``"magic"``, ``"length"`` (longer than any writer writes), ``"cut"`` (the
            data ends inside a frame), ``"checksum"``; or, for a whole frame that does not follow the
            one before it, ``"duplicated"`` (it stands elsewhere too), ``"reordered"`` (the one that
            belongs here stands elsewhere), ``"parent"`` (it follows an earlier frame), ``"header"``
            (it follows another header) or ``"replaced"`` (the one it follows is not here).

    >>> log = MAGIC + pack_frame(START, b"header", b"")
    >>> [frame.payload for frame in read_frames(log)]
    [b'header']
    >>> list(read_frames(log[:-1]))
    Traceback (most recent call last):
    cascade_es.errors.Damaged: damaged (cut) at frame 0, byte 16: the data ends inside this frame; 1 byte \
is missing
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        what = f"a log's bytes are wanted, not {type(data).__name__}; of a file or a store see Replay.open"
        raise InputError(what, where=name)
    view = memoryview(data)
    _check_magic(bytes(view[: len(MAGIC)]), name)
    yield from frames_from(view, 0, len(MAGIC), START)


def frames_from(data: bytes | memoryview, number: int, offset: int, previous: bytes) -> Iterator[RawFrame]:
    """The frames from one on: its number, the byte at which it begins, and the hash that it must follow.

    Raises as :func:`read_frames` does.
    """
    view = memoryview(data)
    size = len(view)
    while offset < size or number == 0:
        frame = _frame_at(view, offset, number)
        if frame.previous != previous:
            raise _out_of_place(view, number, offset, previous)
        yield frame
        number += 1
        offset += FRAME_HEAD + len(frame.payload) + len(frame.openings)
        previous = frame.hash


def unpack_frame(data: bytes, number: int = 0) -> RawFrame:
    """One frame by itself, as a store keeps it; whether it follows is asked of the frame before it.

    Raises:
        Damaged: of the kind ``"length"`` (also: something follows the frame), ``"cut"`` or ``"checksum"``.

    >>> unpack_frame(pack_frame(START, b"header", b"names")).payload
    b'header'
    """
    frame = _frame_at(memoryview(data), 0, number)
    rest = len(data) - FRAME_HEAD - len(frame.payload) - len(frame.openings)
    if rest:
        raise Damaged("length", f"{rest} more bytes follow this frame", frame=number, offset=0)
    return frame


def _frame_at(view: memoryview, offset: int, number: int) -> RawFrame:
    """The frame that begins at an offset, if it is whole and its checksum is right."""
    begin = offset + FRAME_HEAD
    size = len(view)
    if begin > size:
        raise _headless(view[offset:], number, offset)
    payload_length, openings_length, checksum, stored = _HEAD.unpack_from(view, offset)
    if payload_length > MAX_PAYLOAD or openings_length > MAX_OPENINGS:
        raise _too_long(payload_length, openings_length, number, offset)
    middle = begin + payload_length
    end = middle + openings_length
    if end > size:
        raise _cut(end - size, number, offset)
    if crc32(view[offset + 12 : end], crc32(view[offset : offset + 8])) != checksum:
        detail = "its bytes are not those that were written"
        raise Damaged("checksum", detail, frame=number, offset=offset)
    payload = view[begin:middle].tobytes()
    openings = view[middle:end].tobytes() if openings_length else b""
    return RawFrame(number, offset, payload, openings, stored, chain(stored, payload))


def chain_holds(data: bytes, offset: int, previous: bytes, end: int, last: bytes) -> bool:
    """Whether the frames from one byte to another follow one another, from one hash to another.

    It is :func:`frames_from` for who only wants to know that, without the checksums: several times as fast.

    >>> log = MAGIC + pack_frame(START, b"header", b"")
    >>> chain_holds(log, 16, START, len(log), chain(START, b"header"))
    True
    """
    unpack = _HEAD.unpack_from
    while offset < end:
        if offset + FRAME_HEAD > end:
            return False
        payload_length, openings_length, _, stored = unpack(data, offset)
        if stored != previous:
            return False
        begin = offset + FRAME_HEAD
        offset = begin + payload_length
        previous = sha256(_LABEL + stored + data[begin:offset]).digest()
        offset += openings_length
    return offset == end and previous == last


def _out_of_place(view: memoryview, number: int, offset: int, previous: bytes) -> Damaged:
    """Why a whole frame does not follow the one before it, as far as all the whole frames can tell."""
    here = (b"", b"")
    before: dict[bytes, int] = {START: -1}  # the frame that has this hash
    elsewhere: dict[bytes, int] = {}  # the byte at which the frame with this hash stands
    wanted = -1  # the byte at which a frame stands that follows the one before this
    for place, (begin, stored, own) in enumerate(_whole_frames(view)):
        if begin == offset:
            here = (stored, own)
        else:
            elsewhere.setdefault(own, begin)
            if begin < offset:
                before[own] = place
            elif stored == previous and wanted < 0:
                wanted = begin
    stored, own = here
    if own in elsewhere:
        kind, detail = "duplicated", f"the same frame stands at byte {elsewhere[own]}"
    elif wanted >= 0:
        kind, detail = "reordered", f"the frame that belongs here stands at byte {wanted}"
    elif stored in before:
        after = f"frame {before[stored]}" if before[stored] >= 0 else "nothing, as a header does"
        kind, detail = "parent", f"it follows {after}, and not the frame before it"
    elif number == 1:
        kind, detail = "header", "it follows another header: that was changed, or frames were taken out"
    else:
        kind, detail = "replaced", "what it follows is not here: a frame was replaced, or some were taken out"
    return Damaged(kind, detail, frame=number, offset=offset)


def _whole_frames(view: memoryview) -> Iterator[tuple[int, bytes, bytes]]:
    """Where whole frames begin, the hash that each follows, and its own: chained or not."""
    offset = len(MAGIC)
    while offset + FRAME_HEAD <= len(view):
        payload_length, openings_length, checksum, stored = _HEAD.unpack_from(view, offset)
        middle = offset + FRAME_HEAD + payload_length
        end = middle + openings_length
        if payload_length > MAX_PAYLOAD or openings_length > MAX_OPENINGS or end > len(view):
            return
        if crc32(view[offset + 12 : end], crc32(view[offset : offset + 8])) == checksum:
            yield offset, stored, chain(stored, bytes(view[offset + FRAME_HEAD : middle]))
        offset = end


def count_frames(data: bytes, offset: int) -> tuple[int, int]:
    """How many frames begin at or behind this byte, as their lengths tell, and how many of them are whole.

    Where a length is damaged, nothing is known of what comes behind it: at least so many.

    >>> log = MAGIC + pack_frame(START, b"header", b"") + pack_frame(START, b"stray", b"")
    >>> count_frames(log, 16), count_frames(log[:-1], 16)
    ((2, 2), (2, 1))
    """
    total = 0
    begin = offset
    while begin < len(data):
        total += 1
        if begin + FRAME_HEAD > len(data):
            break
        payload_length, openings_length, _, _ = _HEAD.unpack_from(data, begin)
        if payload_length > MAX_PAYLOAD or openings_length > MAX_OPENINGS:
            break
        begin += FRAME_HEAD + payload_length + openings_length
    whole = sum(1 for place, _, _ in _whole_frames(memoryview(data)) if place >= offset)
    return total, whole


def _headless(rest: memoryview, number: int, offset: int) -> Damaged:
    """The data ends before the payload begins; how much is missing depends on what the lengths say."""
    if len(rest) < _LENGTHS.size:
        return _cut(FRAME_HEAD - len(rest), number, offset, least=True)
    payload_length, openings_length = _LENGTHS.unpack_from(rest)
    if payload_length > MAX_PAYLOAD or openings_length > MAX_OPENINGS:
        return _too_long(payload_length, openings_length, number, offset)
    return _cut(FRAME_HEAD + payload_length + openings_length - len(rest), number, offset)


def _too_long(payload_length: int, openings_length: int, number: int, offset: int) -> Damaged:
    detail = f"it announces {payload_length} and {openings_length} bytes, which no writer writes"
    return Damaged("length", detail, frame=number, offset=offset)


def _check_magic(found: bytes, name: str) -> None:
    if found == MAGIC:
        return
    if not found:
        raise InputError("empty file; it holds no log", where=name)
    if MAGIC.startswith(found):
        raise _cut(len(MAGIC) - len(found) + FRAME_HEAD, 0, 0, least=True)
    wrong = sum(a != b for a, b in zip(found, MAGIC, strict=False))
    if len(found) == len(MAGIC) and wrong <= _FORGIVEN:
        raise Damaged("magic", "the first 16 bytes are almost those of a log", frame=0, offset=0)
    if _AS_TEXT.match(found):
        detail = "it was changed as if it were a text, by a transfer or an editor; transfer it again as it is"
        raise Damaged("magic", detail, frame=0, offset=0)
    raise InputError("not a cascade-es log; name a file that this package recorded", where=name)


def _cut(missing: int, frame: int, offset: int, *, least: bool = False) -> Damaged:
    count = f"{missing} byte is" if missing == 1 else f"{missing} bytes are"
    about = "at least " if least else ""
    detail = f"the data ends inside this frame; {about}{count} missing"
    return Damaged("cut", detail, frame=frame, offset=offset)
