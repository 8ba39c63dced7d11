"""Frames: a chain of bytes in which every change is found and named."""

from __future__ import annotations

import hashlib
import zlib
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es.errors import Damaged, InputError
from cascade_es.log.frames import (
    FRAME_HEAD,
    MAGIC,
    MAX_OPENINGS,
    MAX_PAYLOAD,
    START,
    chain,
    chain_holds,
    pack_frame,
    read_frames,
)

# The same examples in every run, however slow the machine.
repeatable = settings(derandomize=True, deadline=None, database=None)

PARTS = ((b"header", b"names"), (b"one", b""), (b"two", b"an opening"))


def built(*parts: tuple[bytes, bytes]) -> bytes:
    data, previous = MAGIC, START
    for payload, openings in parts:
        data += pack_frame(previous, payload, openings)
        previous = chain(previous, payload)
    return data


def damage(data: bytes) -> Damaged:
    with pytest.raises(Damaged) as caught:
        list(read_frames(data))
    return caught.value


def test_the_layout_is_as_promised() -> None:
    """Magic, lengths, checksum, hash before, payload, openings: anyone can read it with this sentence."""
    assert len(MAGIC) == 16
    rest = START + b"header" + b"names"
    lengths = (6).to_bytes(4, "big") + (5).to_bytes(4, "big")
    frame = lengths + zlib.crc32(lengths + rest).to_bytes(4, "big") + rest
    assert built(PARTS[0]) == MAGIC + frame
    assert chain(START, b"header") == hashlib.sha256(b"cascade-es frame\0" + START + b"header").digest()


@repeatable
@given(st.lists(st.tuples(st.binary(max_size=50), st.binary(max_size=50)), min_size=1, max_size=5))
def test_frames_return(parts: list[tuple[bytes, bytes]]) -> None:
    """Any payloads and openings are read back in order, each with its number, place and hashes."""
    frames = list(read_frames(memoryview(built(*parts))))
    assert [(frame.payload, frame.openings) for frame in frames] == parts
    assert [frame.number for frame in frames] == list(range(len(parts)))
    previous, offset = START, len(MAGIC)
    for frame in frames:
        assert (frame.previous, frame.offset) == (previous, offset)
        assert frame.hash == chain(previous, frame.payload)
        previous = frame.hash
        offset += FRAME_HEAD + len(frame.payload) + len(frame.openings)


def test_every_changed_byte_is_found() -> None:
    """A change of any one byte to any other value is damage."""
    data = built(*PARTS)
    for place in range(len(data)):
        for change in range(1, 256):
            damage(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])


def test_every_cut_is_counted() -> None:
    """A cut inside a frame is damage, and the bytes that are missing are counted exactly."""
    data = built(*PARTS)
    ends = [*(frame.offset for frame in read_frames(data)), len(data)][1:]
    for size in range(1, len(data)):
        if size in ends:
            assert len(list(read_frames(data[:size]))) == ends.index(size) + 1
            continue
        found = damage(data[:size])
        assert found.kind == "cut"
        end = next(end for end in ends if end > size)
        if size >= len(MAGIC) and size - found.offset >= 8:  # the lengths are there
            assert f"; {end - size} byte" in found.detail
        else:
            assert "at least" in found.detail


def test_moved_frames_break_the_chain() -> None:
    """A frame that was left out, doubled or exchanged is damage to the chain, though each is whole."""
    data = built(*PARTS)
    at = [*(frame.offset for frame in read_frames(data)), len(data)]
    head, one, two = (data[start:end] for start, end in pairwise(at))
    for other in (head + two, head + one + one, head + two + one, one + two, head + head):
        assert damage(MAGIC + other).kind in ("replaced", "header", "duplicated", "reordered", "parent")


def test_a_misplaced_frame_is_told_where_it_belongs() -> None:
    """What is wrong names the frame or the byte that shows it, of several the first."""
    parts = [(bytes([number]), b"") for number in range(5)]
    data = built(*parts)
    size = FRAME_HEAD + 1
    zero, one, two, three, four = (data[at : at + size] for at in range(len(MAGIC), len(data), size))
    fork = pack_frame(chain(START, b"\x00"), b"other", b"")
    late = len(MAGIC) + 2 * size
    for frames, kind, detail in (
        (
            (zero, two, one, three, one, four),
            "reordered",
            f"the frame that belongs here stands at byte {late}",
        ),
        ((zero, one, one), "duplicated", f"the same frame stands at byte {late - size}"),
        ((zero, one, fork), "parent", "it follows frame 0, and not the frame before it"),
        ((zero, one, pack_frame(START, b"new", b"")), "parent", "it follows nothing, as a header does"),
        ((zero, two), "header", "it follows another header"),
        ((zero, one, three), "replaced", "what it follows is not here"),
    ):
        found = damage(MAGIC + b"".join(frames))
        assert (found.kind, found.detail[: len(detail)]) == (kind, detail)


def test_the_fast_check_of_the_chain_is_the_chain() -> None:
    """What is checked without the checksums is every hash and length, to the very end."""
    log = MAGIC + pack_frame(START, b"header", b"o") + pack_frame(chain(START, b"header"), b"unit", b"")
    last = chain(chain(START, b"header"), b"unit")
    assert chain_holds(log, 16, START, len(log), last)
    for place in range(16, len(log)):
        changed = log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :]
        in_checksum = any(begin + 8 <= place < begin + 12 for begin in (16, 16 + 44 + 7))
        in_openings = place == 16 + 44 + 6
        assert chain_holds(changed, 16, START, len(log), last) == (in_checksum or in_openings)
    for size in range(16, len(log)):
        assert not chain_holds(log[:size], 16, START, size, last)


def test_openings_are_outside_the_chain() -> None:
    """Other openings give the same hashes."""
    bare = built(*((payload, b"") for payload, _ in PARTS))
    assert [frame.hash for frame in read_frames(bare)] == [frame.hash for frame in read_frames(built(*PARTS))]


@pytest.mark.cites("R137")
def test_lengths_are_limited() -> None:
    """A frame that announces more than the limits is damage at once, and is never written."""
    begin = MAGIC + b"%b" + bytes(FRAME_HEAD)
    for payload, openings in ((MAX_PAYLOAD + 1, 0), (0, MAX_OPENINGS + 1), (2**32 - 1, 2**32 - 1)):
        lengths = payload.to_bytes(4, "big") + openings.to_bytes(4, "big")
        assert damage(begin % lengths).kind == "length"
        assert damage(MAGIC + lengths).kind == "length"
    with pytest.raises(InputError, match="record less at once"):
        pack_frame(START, bytes(MAX_PAYLOAD + 1), b"")
    with pytest.raises(InputError, match="disclose less at once"):
        pack_frame(START, b"", bytes(MAX_OPENINGS + 1))
    data = built((bytes(MAX_PAYLOAD), bytes(MAX_OPENINGS)))
    assert len(next(read_frames(data)).payload) == MAX_PAYLOAD


def test_what_is_not_a_log() -> None:
    """An empty or foreign file is no damage but the wrong file, and the message names it."""
    with pytest.raises(InputError, match=r"^a\.log: empty file"):
        list(read_frames(b"", "a.log"))
    for foreign in (b"x", b"PK\x03\x04" + bytes(40), b"\x89PNG\r\n\x1a\n" + bytes(40), b"cards: []\n" * 9):
        with pytest.raises(InputError, match=r"^a\.log: not a cascade-es log"):
            list(read_frames(foreign, "a.log"))


def test_a_log_that_was_taken_for_a_text_is_damaged() -> None:
    """Other line ends or characters are called what they are; a text about logs is no log."""
    data = built(*PARTS)
    for mangled in (
        data.replace(b"\r\n", b"\n"),
        data.replace(b"\r\n", b"\r"),
        data.replace(b"\n", b"\r\n"),
        data.decode("latin-1").encode(),
        b"\xef\xbb\xbf" + data,
        data.decode("ascii", "replace").encode(),
        data.decode("latin-1").encode("ascii", "replace").replace(b"\n", b"\r\n"),
    ):
        assert "as if it were a text" in damage(mangled).detail
    for foreign in (b"# cascade-es\n", b"cascade-es head 1\nlog 00", b"\n\ncascade-es\n123456"):
        with pytest.raises(InputError, match="not a cascade-es log"):
            list(read_frames(foreign))


def test_a_log_without_a_header_is_cut() -> None:
    """The magic, or a beginning of it, is a log that was cut, not a foreign file."""
    for size in range(1, 17):
        found = damage(MAGIC[:size])
        assert found.kind == "cut"
        assert f"at least {16 - size + FRAME_HEAD} bytes" in found.detail
    assert damage(b"\x88" + MAGIC[1:-1] + b"\x01").kind == "magic"
