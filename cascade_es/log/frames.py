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

import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import Final

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
    "pack_frame",
    "read_frames",
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
    return hashlib.sha256(_LABEL + previous + payload).digest()


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
    rest = b"".join((previous, payload, openings))
    return b"".join((lengths, _CRC.pack(zlib.crc32(rest, zlib.crc32(lengths))), rest))


def read_frames(data: bytes | memoryview, name: str = "") -> Iterator[RawFrame]:
    """The frames of a log one by one, each checked before it is given out.

    ``name`` is what errors call the file.

    Raises:
        InputError: when the data is empty, or is not a log of ours at all.
        Damaged: of the kind ``"magic"``, ``"length"`` (longer than any writer writes), ``"cut"`` (the
            data ends inside a frame), ``"checksum"`` or ``"chain"`` (a frame that does not follow the
            one before).

    >>> log = MAGIC + pack_frame(START, b"header", b"")
    >>> [frame.payload for frame in read_frames(log)]
    [b'header']
    >>> list(read_frames(log[:-1]))
    Traceback (most recent call last):
    cascade_es.errors.Damaged: damaged (cut) at frame 0, byte 16: the data ends inside this frame; 1 byte \
is missing
    """
    view = memoryview(data)
    _check_magic(bytes(view[: len(MAGIC)]), name)
    number = 0
    offset = len(MAGIC)
    size = len(view)
    previous = START
    while offset < size or number == 0:
        begin = offset + FRAME_HEAD
        if begin > size:
            raise _headless(view[offset:], number, offset)
        payload_length, openings_length, checksum, stored = _HEAD.unpack_from(view, offset)
        if payload_length > MAX_PAYLOAD or openings_length > MAX_OPENINGS:
            raise _too_long(payload_length, openings_length, number, offset)
        middle = begin + payload_length
        end = middle + openings_length
        if end > size:
            raise _cut(end - size, number, offset)
        if zlib.crc32(view[offset + 12 : end], zlib.crc32(view[offset : offset + 8])) != checksum:
            detail = "its bytes are not those that were written"
            raise Damaged("checksum", detail, frame=number, offset=offset)
        if stored != previous:
            raise Damaged("chain", "it does not follow the frame before it", frame=number, offset=offset)
        payload = bytes(view[begin:middle])
        own = chain(previous, payload)
        yield RawFrame(number, offset, payload, bytes(view[middle:end]), previous, own)
        number += 1
        offset = end
        previous = own


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
    raise InputError("not a cascade-es log; name a file that this package recorded", where=name)


def _cut(missing: int, frame: int, offset: int, *, least: bool = False) -> Damaged:
    count = f"{missing} byte is" if missing == 1 else f"{missing} bytes are"
    about = "at least " if least else ""
    detail = f"the data ends inside this frame; {about}{count} missing"
    return Damaged("cut", detail, frame=frame, offset=offset)
