"""What a machine that lost its power finds: never less than was acknowledged, and never a lie.

As SQLite tests its own: the writer runs on a disk in memory that records every call.  Whatever was
written since the last sync may then be there whole, torn, as garbage, or not at all, in any mixture;
from each such disk the log is read and recovered.
"""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cascade_es.errors import Damaged, InputError
from cascade_es.log import (
    FORMAT,
    Disk,
    Header,
    LogWriter,
    MemoryLog,
    Openings,
    Unit,
    parse_log,
    read_log,
    salvage,
)
from cascade_es.values import events as ev
from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.facts import NOTHING, Secrets

SECRETS = Secrets(b"0123456789abcdef", b"seed", b"key")
_FACTS = tuple(SECRETS.seal(0, ordinal, value, 1) for ordinal, value in enumerate((b"seed", b"key")))
HEADER = Header(FORMAT, 0, 0, "2026-08-07", SECRETS.log_id, None, (), _FACTS[0], _FACTS[1])
OPENED = Openings(tuple(SECRETS.opening(fact) for fact in _FACTS))
UNITS = tuple(
    Unit(
        RecordedDecision(number % 2, "pass", False, NOTHING),
        (ev.PriorityPassed("priority", number, False, number % 2),) * (1 + number % 3),
    )
    for number in range(6)
)


def whole() -> bytes:
    """The log as it is when nothing goes wrong."""
    log = MemoryLog(HEADER, OPENED)
    for unit in UNITS:
        log.append(unit)
    return log.data


WHOLE = whole()
BORDERS = [frame.offset for frame in parse_log(WHOLE).frames] + [len(WHOLE)]


class Call(msgspec.Struct, frozen=True):
    """One call of the writer: "write" at a place, "truncate" to a size, or "sync"."""

    kind: str
    place: int = 0
    data: bytes = b""
    durable: int = 0
    """How many frames the writer had acknowledged as durable before."""


class Recorder(Disk):
    """A disk with one file in memory, which records what is done to it and fails when it is told to.

    ``most`` is how many bytes it takes at once.  ``fail`` is asked before each call with its kind and how
    often that kind has been called; it gives an error number, or 0.
    """

    def __init__(self, most: int = 10**6, fail: Callable[[str, int], int] = lambda kind, number: 0) -> None:
        self.data = bytearray()
        self.calls: list[Call] = []
        self.most = most
        self.fail = fail
        self.place = 0
        self.counts: dict[str, int] = {}
        self.writer: LogWriter | None = None
        self.failed = ""
        self.cuts: list[int] = []

    def _asked(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if number := self.fail(kind, self.counts[kind]):
            self.failed = self.failed or kind
            raise OSError(number, "injected")

    def _note(self, kind: str, place: int = 0, data: bytes = b"") -> None:
        self.calls.append(Call(kind, place, data, self.writer.durable if self.writer else 0))

    def open(self, name: str, *, create: bool = False) -> int:
        self.place = 0
        return 7

    def lock(self, file: int, name: str) -> None:
        return None

    def size(self, file: int) -> int:
        return len(self.data)

    def read(self, file: int) -> bytes:
        self.place = len(self.data)
        return bytes(self.data)

    def write(self, file: int, data: bytes) -> int:
        self._asked("write")
        part = data[: self.most]
        self._note("write", self.place, part)
        self.data[self.place : self.place + len(part)] = part
        self.place += len(part)
        return len(part)

    def truncate(self, file: int, size: int) -> None:
        self._asked("truncate")
        self._note("truncate", size)
        self.cuts.append(size)
        del self.data[size:]
        self.place = size

    def sync(self, file: int) -> None:
        self._asked("sync")
        self._note("sync")

    def holds(self, file: int, size: int) -> bool:
        return len(self.data) == size

    def sync_folder(self, name: str) -> None:
        self._asked("folder")

    def close(self, file: int) -> None:
        self._asked("close")


def written(disk: Recorder, durability: str) -> Recorder:
    """The disk after the whole log was written to it."""
    with LogWriter.create("a.ces", HEADER, OPENED, durability=durability, disk=disk) as writer:
        disk.writer = writer
        for unit in UNITS:
            writer.append(unit)
    return disk


def applied(data: bytes, call: Call, how: int | None, rng: random.Random) -> bytes:
    """A disk's content after a call that was done whole (None), torn after so many bytes, or as garbage (-1).

    A write behind the end leaves zeros before it, as file systems do.
    """
    if call.kind == "truncate":
        return data if how is not None else data[: call.place].ljust(call.place, b"\0")
    content = call.data
    if how == -1:
        content = rng.randbytes(len(content))
    elif how is not None:
        content = content[:how]
    return data.ljust(call.place, b"\0")[: call.place] + content + data[call.place + len(content) :]


def crashes(disk: Recorder, rng: random.Random, step: int = 1) -> Iterator[tuple[bytes, int]]:
    """Every disk that may be found after a crash at any call, and how many frames were acknowledged then.

    Where a single write is not synced, each of its bytes is where it may have been torn.  Where several
    are, all mixtures of whole and absent are tried if they are few, and a sample of all else.  ``step``
    tries fewer.
    """
    synced = b""
    pending: list[Call] = []
    at_last = disk.writer.durable if disk.writer is not None else 0
    for call in [*disk.calls, None]:
        durable = call.durable if call is not None else at_last
        if call is not None and call.kind != "sync":
            pending.append(call)
        base = synced
        for done in pending[:-1]:
            base = applied(base, done, None, rng)
        if pending and pending[-1].kind == "write":
            for size in range(0, len(pending[-1].data) + 1, step):
                yield applied(base, pending[-1], size, rng), durable
            yield applied(base, pending[-1], -1, rng), durable
        elif pending:
            yield applied(base, pending[-1], None, rng), durable
        mixtures = list(product((None, 0), repeat=len(pending))) if len(pending) <= 6 // step + 2 else []
        for _ in range(min(12, 36 // step) if len(pending) > 1 else 0):
            mixtures.append(tuple(rng.choice((None, None, 0, -1, rng.randrange(60))) for _ in pending))
        for mixture in mixtures:
            found = synced
            for part, how in zip(pending, mixture, strict=True):
                found = applied(found, part, how, rng)
            yield found, durable
        if call is not None and call.kind == "sync":
            for done in pending:
                synced = applied(synced, done, None, rng)
            pending.clear()


def check(found: bytes, durable: int) -> None:
    """Nothing that was acknowledged is lost, nothing is made up, and damage is named where it is."""
    try:
        log, size, damage = salvage(found)
    except (InputError, Damaged):
        assert durable == 0
        return
    assert found[:size] == WHOLE[:size]
    assert size in BORDERS
    assert len(log.frames) >= durable
    if damage is None:
        assert parse_log(found).head == log.head
        return
    with pytest.raises(Damaged) as caught:
        parse_log(found)
    # Lengths and predecessors can look wrong where a block of the disk holds something else.
    assert caught.value.kind in ("cut", "checksum", "length", "replaced", "parent", "duplicated")
    assert caught.value.frame == len(log.frames)
    assert caught.value.offset == size
    assert parse_log(found[:size]).head == log.head


@pytest.mark.parametrize("most", [10**6, 50])
@pytest.mark.parametrize("durability", ["every-decision", "every-3", "on-close", "unsafe-never"])
def test_no_crash_costs_what_was_acknowledged(durability: str, most: int) -> None:
    """Whatever of the unsynced writes a crash leaves, torn, garbled or lost, each durable frame is read."""
    disk = written(Recorder(most), durability)
    assert bytes(disk.data) == WHOLE
    tried = 0
    for found, durable in crashes(disk, random.Random(7)):
        assert durable == 0 or durability != "unsafe-never"
        check(found, durable)
        tried += 1
    assert tried > 900


def test_each_decision_is_durable_before_it_is_acknowledged() -> None:
    """With every-decision nothing is ever returned from an append that a crash could still take."""
    disk = Recorder()
    with LogWriter.create("a.ces", HEADER, OPENED, durability="every-decision", disk=disk) as writer:
        for unit in UNITS:
            head = writer.append(unit)
            assert disk.calls[-1].kind == "sync"
            assert writer.durable == head.frames


@pytest.mark.parametrize("durability", ["every-decision", "every-3", "on-close"])
@pytest.mark.parametrize(("kind", "error"), [("write", 28), ("write", 5), ("sync", 5), ("folder", 5)])
def test_failures_of_the_disk(durability: str, kind: str, error: int) -> None:
    """Whichever write or sync fails, alone or with the cut that follows it, no acknowledged unit is lost."""
    for number in range(1, {"write": 14, "sync": 9, "folder": 2}[kind]):
        for cut_fails in (False, True):

            def fail(what: str, count: int, number: int = number, cut_fails: bool = cut_fails) -> int:
                if what == "truncate" and cut_fails and count > 1:
                    return 5
                return error if (what, count) == (kind, number) else 0

            disk = Recorder(50, fail)
            accepted = run_into_failures(disk, durability)
            # The machine goes on running: what was accepted is what a reader finds, but for a torn end.
            if accepted:
                log, size, damage = salvage(bytes(disk.data))
                assert bytes(disk.data)[:size] == WHOLE[:size]
                assert len(log.frames) >= accepted
                assert damage is None or (cut_fails and damage.kind == "cut")
            for found, durable in crashes(disk, random.Random(number), step=17):
                check(found, min(durable, accepted))


def run_into_failures(disk: Recorder, durability: str) -> int:
    """Write as much as can be written; how many frames were accepted, the header among them."""
    accepted = 0
    try:
        with LogWriter.create("a.ces", HEADER, OPENED, durability=durability, disk=disk) as writer:
            disk.writer = writer
            accepted = 1
            refused = False
            for _ in range(len(UNITS) + 2):
                unit = UNITS[min(accepted, len(UNITS)) - 1]  # what was refused is tried again
                if refused:
                    # After a failed sync, or behind a torn end, it never goes on.
                    with pytest.raises(InputError, match=r"torn end|could not be made durable"):
                        writer.append(unit)
                    continue
                if accepted > len(UNITS):
                    break
                try:
                    writer.append(unit, expected=accepted)
                    accepted += 1
                except OSError:
                    refused = disk.failed == "sync" or disk.counts.get("truncate", 0) != len(disk.cuts)
    except OSError:
        assert disk.failed
    return accepted


@pytest.mark.cites("R125")
def test_a_failed_write_is_taken_back_and_the_log_goes_on() -> None:
    """A full disk costs the one unit; when there is room again, the same unit goes to the same place."""

    def full(what: str, count: int) -> int:
        return 28 if (what, count) == ("write", 6) else 0

    disk = Recorder(50, full)
    with LogWriter.create("a.ces", HEADER, OPENED, disk=disk) as writer:
        for unit in UNITS:
            try:
                writer.append(unit)
            except OSError:
                writer.append(unit)
    assert bytes(disk.data) == WHOLE


@pytest.mark.cites("R133")
def test_a_retry_is_answered_as_the_first_try_was() -> None:
    """The same unit for the same frame is not stored twice, however late; another unit is a conflict."""
    log = MemoryLog(HEADER, OPENED)
    heads = [log.append(unit, expected=number) for number, unit in enumerate(UNITS, 1)]
    again = [log.append(unit, expected=number) for number, unit in enumerate(UNITS, 1)]
    assert again == heads
    assert log.data == WHOLE
    resumed = MemoryLog.resume(WHOLE)
    assert resumed.append(UNITS[2], expected=3) == heads[2]
    with pytest.raises(Exception, match="was to be frame 3, but frame 7"):
        resumed.append(UNITS[3], expected=3)
    assert resumed.data == WHOLE


HOLDER = """
import sys
from cascade_es import Game, load_card
game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], log=sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_killed_writer_holds_no_lock(tmp_path: Path) -> None:
    """While a writer lives nobody else may write; killed outright, it leaves a log that is whole and free."""
    path = tmp_path / "a.ces"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        with pytest.raises(InputError, match="is being written already"):
            LogWriter.resume(path)
        writer.kill()
        assert writer.wait() != 0
    assert len(read_log(path).units) == 1
    LogWriter.resume(path).close()


def _replaced(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_bytes(b"another file")
    other.replace(path)


HARMS = pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        _replaced,
        lambda path: os.truncate(path, 100),
        lambda path: path.write_bytes(path.read_bytes() + bytes(10_000)),
    ],
    ids=["removed", "replaced", "cut", "extended"],
)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
@HARMS
@pytest.mark.parametrize("appends", [0, 2])
def test_what_went_to_no_log_is_not_acknowledged(
    tmp_path: Path, harm: Callable[[Path], Any], appends: int
) -> None:
    """A log that somebody else removes, replaces or cuts while it is written is noticed at the next append.

    The writer says so, acknowledges nothing more, and leaves what is there as it is.
    """
    path = tmp_path / "a.ces"
    writer = LogWriter.create(path, HEADER, OPENED)
    writer.append(UNITS[0])
    harm(path)
    left = path.read_bytes() if path.exists() else None
    for _ in range(appends):
        with pytest.raises(InputError, match=r"a\.ces: this log was removed, replaced or cut"):
            writer.append(UNITS[1])
    with pytest.raises(InputError, match=r"a\.ces: this log was removed, replaced or cut"):
        writer.close()
    writer.close()
    assert writer.durable <= 2
    assert (path.read_bytes() if path.exists() else None) == left


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
@HARMS
def test_a_log_that_is_synced_on_closing_is_looked_at_then(
    tmp_path: Path, harm: Callable[[Path], Any]
) -> None:
    """With on-close no append waits for the disk, so what was taken away is noticed at the end."""
    path = tmp_path / "a.ces"
    writer = LogWriter.create(path, HEADER, OPENED, durability="on-close")
    writer.append(UNITS[0])
    harm(path)
    writer.append(UNITS[1])
    with pytest.raises(InputError, match=r"a\.ces: this log was removed, replaced or cut"):
        writer.close()
    assert writer.durable == 0


def test_a_failed_write_does_not_hide_that_the_log_was_cut(tmp_path: Path) -> None:
    """A file that somebody else has cut is not lengthened again, with zeros, when a write to it fails."""

    class Full(Disk):
        def write(self, file: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "injected")

    path = tmp_path / "a.ces"
    with LogWriter.create(path, HEADER, OPENED, durability="on-close") as writer:
        writer.append(UNITS[0])
    size = path.stat().st_size
    writer = LogWriter.resume(path, durability="on-close", disk=Full())
    os.truncate(path, size - 10)
    with pytest.raises(OSError, match="injected"):
        writer.append(UNITS[1])
    assert path.stat().st_size == size - 10
    for act in (lambda: writer.append(UNITS[1]), writer.close):
        with pytest.raises(InputError, match=r"a\.ces: this log was removed, replaced or cut"):
            act()
