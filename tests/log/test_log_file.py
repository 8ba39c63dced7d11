"""Logs as files: any damage is found, and the one writer writes whole units or nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cascade_es.errors import Damaged, InputError
from cascade_es.log import (
    FORMAT,
    NEVER,
    Conflict,
    Disk,
    Head,
    Header,
    LogWriter,
    MemoryLog,
    Openings,
    SeatHeader,
    Unit,
    chain,
    definition_digest,
    pack_frame,
    parse_log,
    read_frames,
    read_log,
    strip_openings,
)
from cascade_es.log.wire import Encoder
from cascade_es.values import events as ev
from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.facts import NOTHING, CardRef, Fact, Secrets

SECRETS = Secrets(b"0123456789abcdef", b"seed", b"key")
SWAMP = b"what a Swamp does"
CARD = CardRef("Swamp", definition_digest(SWAMP))


def opened(*facts: Fact, definitions: tuple[tuple[bytes, bytes], ...] = ()) -> Openings:
    return Openings(tuple(SECRETS.opening(fact) for fact in facts), definitions)


def a_header(format: int = FORMAT) -> Header:
    said = ("Ann", (CARD,), "Bob", (), b"seed", b"key")
    ann, anns, bob, bobs, seed, key = (SECRETS.seal(0, i, value, 1) for i, value in enumerate(said))
    seats = (SeatHeader(ann, 1, anns), SeatHeader(bob, 0, bobs))
    return Header(format, 1, 1, "2026-08-07", SECRETS.log_id, None, seats, seed, key)


HEADER = a_header()
OPENED = opened(*HEADER.facts)


def said(kind: str, seat: int = 0) -> RecordedDecision:
    return RecordedDecision(seat, kind, False, NOTHING)


DRAWN = SECRETS.seal(2, 0, CARD, 1)
UNITS = (
    (Unit(said("pass"), (ev.PriorityPassed("priority", 0, False, 0),)), Openings()),
    (
        Unit(said("pass", 1), (ev.Drawn("draw", 1, True, 0, 1, 2, DRAWN),), 1_700_000_000_000),
        opened(DRAWN, definitions=((CARD.digest, SWAMP),)),
    ),
    (Unit(said("pass"), (ev.Shown("show", 2, True, 3, (2,), (DRAWN,)),)), Openings()),
    (Unit(said("seal", -1), (ev.SealedEnd("seal", 3, False, bytes(32)),)), Openings()),
)
NOTE = Unit(said("comment"), (ev.Commented("comment", 3, False, 0),))


def recorded(units: int = len(UNITS)) -> MemoryLog:
    log = MemoryLog(HEADER, OPENED)
    for unit, openings in UNITS[:units]:
        log.append(unit, openings)
    return log


SEALED = recorded().data
OPEN = recorded(3).data


def kept(path: Path, units: int = 3) -> Path:
    path.write_bytes(recorded(units).data)
    return path


# -------------------------------------------------------------------------------------- reading


def test_a_log_returns(tmp_path: Path) -> None:
    """What was written is read: header, units with their frames, definitions, head and seal."""
    with LogWriter.create(tmp_path / "a.log", HEADER, OPENED) as writer:
        heads = [writer.head, *(writer.append(unit, openings) for unit, openings in UNITS)]
    log = read_log(tmp_path / "a.log")
    assert log.header == HEADER
    assert [fact.value for fact in log.header.facts[:2]] == ["Ann", (CARD,)]
    assert log.units == tuple(enumerate((unit for unit, _ in UNITS), 1))
    assert log.definitions == {CARD.digest: SWAMP}
    assert log.sealed
    assert log.head == writer.head == heads[-1]
    assert heads == [Head(frame.number + 1, frame.hash) for frame in log.frames]
    assert (tmp_path / "a.log").read_bytes() == SEALED


def test_every_flipped_bit_and_byte_is_damage() -> None:
    """A change of any byte of a log is found as damage, never as another error and never not at all."""
    for place in range(len(SEALED)):
        for change in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            with pytest.raises(Damaged):
                parse_log(SEALED[:place] + bytes([SEALED[place] ^ change]) + SEALED[place + 1 :])


def test_every_cut_is_damage_or_shows() -> None:
    """A cut is damage; at the border of a frame, where it cannot be, the log is no longer sealed."""
    borders = {frame.offset for frame in read_frames(SEALED)} - {16}
    for size in range(1, len(SEALED)):
        if size in borders:
            shortened = parse_log(SEALED[:size])
            assert not shortened.sealed
            assert shortened.head != parse_log(SEALED).head
        else:
            with pytest.raises(Damaged) as caught:
                parse_log(SEALED[:size])
            assert caught.value.kind == "cut"
    with pytest.raises(InputError, match="empty file"):
        parse_log(b"")


def test_damage_has_its_place() -> None:
    """Damage is reported with its kind, the number of its frame, and the byte where that frame begins."""
    third = list(read_frames(SEALED))[3]
    changed = bytearray(SEALED)
    changed[third.offset + 50] ^= 1
    with pytest.raises(Damaged) as caught:
        parse_log(bytes(changed))
    assert (caught.value.kind, caught.value.frame, caught.value.offset) == ("checksum", 3, third.offset)


def test_nothing_follows_a_seal() -> None:
    """A frame behind the seal is damage, though it continues the chain."""
    head = parse_log(SEALED).head
    more = pack_frame(head.hash, Encoder().unit(NOTE)[0], b"")
    with pytest.raises(Damaged, match=r"^damaged \(extended\) at frame 5"):
        parse_log(SEALED + more)


def test_what_the_bytes_mean_is_checked_on_reading() -> None:
    """A frame that is whole but holds no unit is damage when the log is read, not when it is used."""
    head = parse_log(OPEN).head
    with pytest.raises(Damaged, match=r"^damaged \(payload\) at frame 4"):
        parse_log(OPEN + pack_frame(head.hash, b"\xc0", b""))


def test_stripping_keeps_the_head_and_no_secret() -> None:
    """A log without openings has the same head, and holds no name, card or definition."""
    bare = strip_openings(SEALED)
    log = parse_log(bare)
    assert log.head == parse_log(SEALED).head
    assert log.units == parse_log(SEALED).units
    assert not any(fact.known for fact in log.header.facts)
    assert log.definitions == {}
    for secret in (b"Ann", b"Bob", b"Swamp"):
        assert secret in SEALED
        assert secret not in bare
    assert strip_openings(bare) == bare


def test_unusable_files(tmp_path: Path) -> None:
    """A missing, empty or foreign file, a directory or an impossible name is an input error that says so."""
    (tmp_path / "empty").touch()
    (tmp_path / "foreign").write_text("cards: [Swamp]\n" * 9)
    for name, what in {
        "missing": "no such file",
        "empty": "empty file",
        "foreign": "not a cascade-es log",
        ".": "this is a directory",
        "a\0b": "cannot be opened",
        "foreign/a": "cannot be opened",
    }.items():
        with pytest.raises(InputError, match=what) as caught:
            read_log(f"{tmp_path}/{name}")
        assert caught.value.where.startswith(str(tmp_path))
        with pytest.raises(InputError, match=what):
            LogWriter.resume(f"{tmp_path}/{name}")


def test_forbidden_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be opened is an input error that says so, for readers and writers."""

    def forbidden(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(InputError, match="permission denied"):
        read_log(tmp_path / "a.log")
    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(InputError, match="permission denied"):
        LogWriter.create(tmp_path / "a.log", HEADER)


def test_newer_formats() -> None:
    """A log of a newer format is refused as input, not as damage; this version does not write one."""
    newer = a_header(FORMAT + 1)
    payload = Encoder().header(newer)[0]
    data = SEALED[:16] + pack_frame(bytes(32), payload, b"")
    refusal = rf"^new\.log: written in format {FORMAT + 1}, this version reads up to {FORMAT};"
    with pytest.raises(InputError, match=refusal):
        parse_log(data, "new.log")
    with pytest.raises(InputError, match=f"writes format {FORMAT}"):
        MemoryLog(newer)


# -------------------------------------------------------------------------------------- writing


@pytest.mark.cites("R125")
def test_resuming_continues_the_chain(tmp_path: Path) -> None:
    """A resumed log goes on from its last frame, and its bytes are those of one that never paused."""
    path = kept(tmp_path / "a.log", 1)
    for unit, openings in UNITS[1:]:
        with LogWriter.resume(path) as writer:
            writer.append(unit, openings)
    assert path.read_bytes() == SEALED
    log = MemoryLog.resume(OPEN)
    log.append(*UNITS[3])
    assert log.data == SEALED


@pytest.mark.cites("R125")
def test_a_torn_log_is_not_resumed(tmp_path: Path) -> None:
    """A log that ends inside a frame is refused and left as it is: nothing forks the chain in silence."""
    path = tmp_path / "a.log"
    path.write_bytes(OPEN[:-20])
    with pytest.raises(Damaged, match="20 bytes are missing"):
        LogWriter.resume(path)
    assert path.read_bytes() == OPEN[:-20]


def test_a_sealed_log_is_not_continued(tmp_path: Path) -> None:
    """After the seal nothing is appended, neither by the same writer nor by another."""
    path = kept(tmp_path / "a.log")
    with LogWriter.resume(path) as writer:
        writer.append(*UNITS[3])
        with pytest.raises(InputError, match="sealed"):
            writer.append(NOTE)
    with pytest.raises(InputError, match="sealed"):
        LogWriter.resume(path)
    with pytest.raises(InputError, match="sealed"):
        MemoryLog.resume(SEALED)
    assert path.read_bytes() == SEALED


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    """A file with content is only replaced when asked to; an empty one is used."""
    path = tmp_path / "a.log"
    path.touch()
    LogWriter.create(path, HEADER, OPENED).close()
    path.write_bytes(b"a letter" * 500)
    with pytest.raises(InputError, match="choose another name or remove it"):
        LogWriter.create(path, HEADER)
    assert path.read_bytes() == b"a letter" * 500
    LogWriter.create(path, HEADER, OPENED, overwrite=True).close()
    assert path.read_bytes() == recorded(0).data


@pytest.mark.skipif(sys.platform == "win32", reason="there the file is emptied in place")
@pytest.mark.parametrize("call", ["beside", "write", "sync", "replace", "sync_folder"])
def test_an_old_log_is_replaced_at_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Whichever call fails while a log is begun in place of another, one of the two is there, whole."""
    path = tmp_path / "a.ces"
    path.write_bytes(OPEN)
    path.chmod(0o640)
    disk = Disk()

    def fail(*_: object) -> None:
        seen.append(path.read_bytes())
        raise OSError(28, "injected")

    seen: list[bytes] = []
    monkeypatch.setattr(disk, call, fail)
    with pytest.raises(OSError, match="injected"):
        LogWriter.create(path, HEADER, OPENED, overwrite=True, disk=disk)
    new = recorded(0).data
    assert seen == [new if call == "sync_folder" else OPEN]
    assert path.read_bytes() == seen[0]
    assert [each.name for each in tmp_path.iterdir()] == ["a.ces"]
    with LogWriter.create(path, HEADER, OPENED, overwrite=True) as writer:
        writer.append(UNITS[0][0])
        assert path.stat().st_mode & 0o777 == 0o640
        with pytest.raises(InputError, match="is being written already"):
            LogWriter.resume(path)
    assert path.read_bytes()[: len(new)] == new


def test_there_is_one_writer(tmp_path: Path) -> None:
    """While a log is being written nobody else can write it, and afterwards anybody can."""
    path = tmp_path / "a.log"
    with LogWriter.create(path, HEADER) as writer:
        with pytest.raises(InputError, match="is being written already"):
            LogWriter.resume(path)
        with pytest.raises(InputError, match="is being written already"):
            LogWriter.create(path, HEADER, overwrite=True)
        writer.append(UNITS[0][0])
    LogWriter.resume(path).close()


@pytest.mark.parametrize("expected", [0, 1, 2, 3, 5])
def test_expected_positions(expected: int) -> None:
    """A unit that would not become the frame it was meant for is a conflict, and changes nothing."""
    log = recorded(3)
    with pytest.raises(Conflict) as caught:
        log.append(NOTE, expected=expected)
    assert (caught.value.expected, caught.value.actual) == (expected, 4)
    assert log.data == OPEN
    assert log.append(NOTE, expected=4).frames == 5


@pytest.mark.cites("R133")
@pytest.mark.parametrize("resumed", [False, True], ids=["going on", "resumed"])
def test_a_unit_tried_again_is_written_once(tmp_path: Path, resumed: bool) -> None:
    """A retry at its old position gets its first result; another unit for that position is a conflict."""
    path = tmp_path / "a.ces"
    with LogWriter.create(path, HEADER, OPENED) as writer:
        heads = [writer.append(unit, openings) for unit, openings in UNITS[:3]]
        again = [writer.append(*UNITS[place], expected=place + 1) for place in range(3)]
    assert heads == again
    with LogWriter.resume(path) if resumed else MemoryLog.resume(path.read_bytes()) as later:
        assert heads == [later.append(*UNITS[place], expected=place + 1) for place in range(3)]
        with pytest.raises(Conflict):
            later.append(*UNITS[1], expected=1)
        sealed = later.append(*UNITS[3], expected=4)
        assert later.append(*UNITS[3], expected=4) == later.head == sealed, "the seal may be tried again too"
    assert read_log(path).head == (sealed if resumed else heads[-1])


def shown(fact: Fact) -> Unit:
    return Unit(said("pass"), (ev.Shown("show", 2, True, 3, (2,), (fact,)),))


@pytest.mark.parametrize(
    ("unit", "openings"),
    [
        (shown(SECRETS.seal(4, 1, CARD, 1)), Openings()),
        (shown(SECRETS.seal(5, 0, CARD, 1)), Openings()),
        (shown(SECRETS.seal(2, 0, "other", 1)), Openings()),
        (shown(Fact(4, 0, 1, b"short")), Openings()),
        (shown(Fact(4, 0, -2, bytes(32))), Openings()),
        (shown(SECRETS.seal(4, 0, CARD, 1)), opened(SECRETS.seal(4, 1, CARD, 1))),
        (shown(SECRETS.seal(4, 0, CARD, 1)), opened(SECRETS.seal(4, 0, "other", 1))),
        (NOTE, Openings((), ((bytes(16), SWAMP),))),
        (shown(Fact.public(2**64)), Openings()),
        (shown(Fact.public("x" * (1 << 20))), Openings()),
    ],
)
def test_nothing_is_written_that_could_not_be_read(unit: Unit, openings: Openings) -> None:
    """A unit or opening that a reader would refuse is refused by the writer, and the log goes on."""
    log = recorded(3)
    with pytest.raises(InputError):
        log.append(unit, openings)
    assert log.data == OPEN
    log.append(shown(SECRETS.seal(4, 0, CARD, 1)))
    log.append(*UNITS[3])
    assert len(parse_log(log.data).units) == 5


class _Disk:
    """Stands in for ``os.write``: accepts at most ``most`` bytes at once, ``room`` in all."""

    def __init__(self, most: int, room: int) -> None:
        self.most = most
        self.room = room
        self.write = os.write

    def __call__(self, file: int, data: Any) -> int:
        if not self.room:
            raise OSError(28, "No space left on device")
        done = self.write(file, data[: min(self.most, self.room)])
        self.room -= done
        return done


def test_short_writes_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that takes a few bytes at a time still gets every frame whole."""
    monkeypatch.setattr(os, "write", _Disk(7, 10**6))
    with LogWriter.create(tmp_path / "a.log", HEADER, OPENED) as writer:
        for unit, openings in UNITS:
            writer.append(unit, openings)
    assert (tmp_path / "a.log").read_bytes() == SEALED


def test_failed_writes_leave_the_log_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever in a frame the disk is full, the log ends with its last whole frame and can go on."""
    frame = len(SEALED) - len(OPEN)
    for room in range(frame):
        path = kept(tmp_path / "a.log")
        with LogWriter.resume(path) as writer, monkeypatch.context() as patch:
            patch.setattr(os, "write", _Disk(40, room))
            with pytest.raises(OSError, match="No space"):
                writer.append(*UNITS[3])
            assert path.read_bytes() == OPEN
            patch.undo()
            writer.append(*UNITS[3])
        assert path.read_bytes() == SEALED


def test_a_torn_end_stops_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a failed write cannot be taken back, nothing is written behind it, and a reader names it."""
    path = kept(tmp_path / "a.log")

    def broken(file: int, size: int) -> None:
        raise OSError(5, "Input/output error")

    with LogWriter.resume(path) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", _Disk(10, 30))
            patch.setattr(os, "ftruncate", broken)
            with pytest.raises(OSError, match="No space"):
                writer.append(*UNITS[3])
        with pytest.raises(InputError, match="torn end; recover"):
            writer.append(*UNITS[3])
    with pytest.raises(Damaged, match="cut"):
        read_log(path)


class _Syncs(Disk):
    """A disk that counts its syncs, and fails after ``good`` ones."""

    def __init__(self, good: int = 10**6) -> None:
        self.good = good
        self.files = 0
        self.folders = 0

    def sync(self, file: int) -> None:
        self.files += 1
        if self.files > self.good:
            raise OSError(5, "Input/output error")

    def sync_folder(self, name: str) -> None:
        self.folders += 1


def test_durability_is_a_policy(tmp_path: Path) -> None:
    """A log is made durable on closing, after every n frames where that is asked for, or never."""
    for name, times in (("on-close", 1), ("every-decision", 6), ("every-2", 3), ("every-3", 2), (NEVER, 0)):
        disk = _Syncs()
        path = tmp_path / f"{times}-{name}.log"
        with LogWriter.create(path, HEADER, OPENED, durability=name, disk=disk) as writer:
            for unit, openings in UNITS:
                writer.append(unit, openings)
        assert disk.files == times
        assert disk.folders == (times > 0)
    with pytest.raises(InputError, match="unknown durability 'sometimes'"):
        LogWriter.create(tmp_path / "a.log", HEADER, durability="sometimes")


def test_a_failed_sync_is_final(tmp_path: Path) -> None:
    """A unit that cannot be made durable is not in the log, and that writer acknowledges nothing more."""
    path = kept(tmp_path / "a.log")
    disk = _Syncs(good=1)
    writer = LogWriter.resume(path, disk=disk)
    assert writer.durable == 4
    with pytest.raises(OSError, match="Input/output"):
        writer.append(*UNITS[3])
    assert path.read_bytes() == OPEN
    # The system would say that all is well now, but what it could not write may be gone.
    disk.good = 10**6
    with pytest.raises(InputError, match="could not be made durable"):
        writer.append(*UNITS[3])
    with pytest.raises(OSError, match="Input/output"):
        writer.close()
    assert writer.durable == 4
    LogWriter.resume(path).close()
    with pytest.raises(OSError, match=r"a\.log"), LogWriter.resume(path, disk=_Syncs(good=1)) as writer:
        writer.append(*UNITS[3])


def test_a_closed_writer_is_closed(tmp_path: Path) -> None:
    """Closing twice does no harm, and appending afterwards is an error that says what to do."""
    writer = LogWriter.create(tmp_path / "a.log", HEADER)
    writer.close()
    writer.close()
    with pytest.raises(InputError, match="closed; resume it"):
        writer.append(NOTE)


def test_a_header_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    """A header with wrong openings is refused before a file is made."""
    with pytest.raises(InputError):
        LogWriter.create(tmp_path / "a.log", HEADER, opened(SECRETS.seal(0, 0, "Eve", 1)))
    assert not (tmp_path / "a.log").exists()


def test_memory_and_file_write_alike(tmp_path: Path) -> None:
    """Code that takes a writer takes either, and gets the same bytes and the same head."""
    path = tmp_path / "a.log"
    makers: tuple[Callable[[], MemoryLog | LogWriter], ...] = (
        lambda: MemoryLog(HEADER, OPENED),
        lambda: LogWriter.create(path, HEADER, OPENED),
    )
    heads = []
    for make in makers:
        with make() as writer:
            for unit, openings in UNITS:
                writer.append(unit, openings)
            heads.append(writer.head)
    assert heads[0] == heads[1] == Head(5, chain(parse_log(OPEN).head.hash, Encoder().unit(UNITS[3][0])[0]))
    assert path.read_bytes() == SEALED
