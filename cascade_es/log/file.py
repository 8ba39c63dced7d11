"""Logs as files: read strictly, written a unit at a time, by one writer.

Reading checks the chain of the stored bytes first and only then asks what they mean, so that damage
is always named as the damage it is.  It repairs nothing: a log whose end is torn is refused, because
a writer that went on from there, or from the beginning, would fork the history in silence.

Writing puts a whole frame at the end or nothing at all: if the write fails half-way, the file is cut
back to the last whole frame.  Everything is checked before the first byte is written, with the same
rules that the reader has, so that what was appended can be read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from cascade_es.errors import CascadeError, Damaged, InputError
from cascade_es.log.frames import MAGIC, START, RawFrame, chain, pack_frame, read_frames
from cascade_es.log.wire import (
    FORMAT,
    NO_OPENINGS,
    Decoder,
    Encoder,
    Flaw,
    Header,
    Openings,
    Places,
    Unit,
    check_definitions,
)
from cascade_es.values.events import SealedEnd

__all__ = ["Conflict", "Head", "Log", "LogWriter", "MemoryLog", "parse_log", "read_log", "strip_openings"]

_BINARY: int = getattr(os, "O_BINARY", 0)


class Conflict(CascadeError):
    """A unit was meant for one frame and would get another: somebody else appended, or it is a retry.

    ``expected`` is the frame that the caller named, ``actual`` the one that comes next.
    """

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"this unit was to be frame {expected}, but frame {actual} comes next")
        self.expected = expected
        self.actual = actual


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
        return bool(self.units) and _ends(self.units[-1][1])


# -------------------------------------------------------------------------------------- reading


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
        raise _unusable(error, name) from None
    return parse_log(data, name)


def parse_log(data: bytes, name: str = "") -> Log:
    """The log in these bytes; ``name`` is what errors call it.

    Raises:
        InputError: when the data is empty, foreign, or of a newer format.
        Damaged: of a kind that :func:`~cascade_es.log.frames.read_frames` or
            :class:`~cascade_es.log.wire.Decoder` names, or ``"extended"``: something follows the seal.
    """
    return _parse(data, name)[0]


def _parse(data: bytes, name: str) -> tuple[Log, Decoder]:
    frames = tuple(read_frames(data, name))
    decoder = Decoder()
    header = decoder.header(frames[0], name)
    units: list[tuple[int, Unit]] = []
    for frame in frames[1:]:
        if units and _ends(units[-1][1]):
            raise Damaged("extended", "it follows the seal", frame=frame.number, offset=frame.offset)
        units.append((frame.number, decoder.unit(frame)))
    return Log(name, header, frames, tuple(units), dict(decoder.definitions)), decoder


def strip_openings(data: bytes) -> bytes:
    """The same log without openings: the same chain and head, and nothing that was sealed.

    Raises as :func:`~cascade_es.log.frames.read_frames` does.
    """
    frames = [pack_frame(frame.previous, frame.payload, b"") for frame in read_frames(data)]
    return b"".join((MAGIC, *frames))


def _ends(unit: Unit) -> bool:
    return bool(unit.events) and type(unit.events[-1]) is SealedEnd


def _check_resumable(log: Log) -> None:
    if log.sealed:
        raise InputError("this log is sealed; fork it to go on", where=log.name)
    if log.header.format != FORMAT:
        what = f"this log is of format {log.header.format}, and we write {FORMAT}; fork it to go on"
        raise InputError(what, where=log.name)


def _unusable(error: OSError | ValueError, name: str) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("no such file; check the name", where=name)
    if isinstance(error, IsADirectoryError):
        return InputError("this is a directory; name a log file in it", where=name)
    if isinstance(error, PermissionError):
        return InputError("permission denied; ask its owner, or use a copy", where=name)
    reason = (error.strerror if isinstance(error, OSError) else None) or "not a usable name"
    return InputError(f"cannot be opened: {reason}; check the name", where=name.replace("\x00", "\\x00"))


# -------------------------------------------------------------------------------------- writing


class _Appender:
    """What the writers share: it makes frames, and knows the chain and the places."""

    def __init__(self, places: Places, head: Head, *, sealed: bool = False, name: str = "") -> None:
        self._encoder = Encoder()
        self._places = places
        self._head = head
        self._sealed = sealed
        self._name = name

    @property
    def head(self) -> Head:
        """The count of the frames so far (with the header), and the hash of the last one."""
        return self._head

    def append(self, unit: Unit, openings: Openings = NO_OPENINGS, *, expected: int | None = None) -> Head:
        """Write a unit as the next frame, whole or not at all; the head afterwards.

        ``expected`` is the number of the frame that it must become.

        Raises:
            Conflict: when it would become another frame.
            InputError: when the log is sealed, or the unit or its openings could not be read back.
            OSError: when the file system refuses; the log is as it was before.
        """
        number = self._head.frames
        if expected is not None and expected != number:
            raise Conflict(expected, number)
        if self._sealed:
            raise InputError("this log is sealed; fork it to go on", where=self._name)
        payload, facts = self._encoder.unit(unit)
        section = b""
        values = {}
        try:
            fresh = self._places.sealed(number, facts) if facts else {}
            if openings is not NO_OPENINGS:
                section = self._encoder.openings(openings)
                values = self._places.opened(openings.facts, fresh)
                check_definitions(openings.definitions)
        except Flaw as flaw:
            raise InputError(f"{flaw.detail}; seal facts in order of appearance", where=self._name) from None
        self._put(pack_frame(self._head.hash, payload, section))
        # Only now is it part of the log.
        self._places.enter(fresh, values)
        self._head = Head(number + 1, chain(self._head.hash, payload))
        self._sealed = _ends(unit)
        return self._head

    def _put(self, frame: bytes) -> None:
        raise NotImplementedError


def _first(header: Header, openings: Openings) -> tuple[bytes, Places, Head]:
    """The beginning of a new log: the magic and the frame of the header."""
    if header.format != FORMAT:
        raise InputError(f"this version writes format {FORMAT}, not {header.format}; leave the choice to it")
    encoder = Encoder()
    payload, facts = encoder.header(header)
    places = Places(header.log_id)
    try:
        fresh = places.sealed(0, facts)
        values = places.opened(openings.facts, fresh)
        check_definitions(openings.definitions)
    except Flaw as flaw:
        raise InputError(f"{flaw.detail}; mend the header") from None
    places.enter(fresh, values)
    begin = MAGIC + pack_frame(START, payload, encoder.openings(openings))
    return begin, places, Head(1, chain(START, payload))


class MemoryLog(_Appender):
    """A log that is written in memory, with the same rules and the same bytes as in a file."""

    def __init__(self, header: Header, openings: Openings = NO_OPENINGS) -> None:
        begin, places, head = _first(header, openings)
        super().__init__(places, head)
        self._data = bytearray(begin)

    @classmethod
    def resume(cls, data: bytes, name: str = "") -> Self:
        """Go on with the log in these bytes; raises as :func:`parse_log` does, and if it is sealed."""
        log, decoder = _parse(data, name)
        _check_resumable(log)
        self = cls.__new__(cls)
        _Appender.__init__(self, decoder.places, log.head, name=name)
        self._data = bytearray(data)
        return self

    @property
    def data(self) -> bytes:
        """The bytes so far: what a file of this log would hold."""
        return bytes(self._data)

    def close(self) -> None:
        """Nothing to do: there for code that takes either writer."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()

    def _put(self, frame: bytes) -> None:
        self._data += frame


class LogWriter(_Appender):
    """The one writer of a log file: made by :meth:`create` or :meth:`resume`, used in a ``with``.

    ``sync`` makes what was written durable, given the file's descriptor; None leaves that to the
    operating system.  It is called when the log is closed, and, if ``every`` is not 0, whenever so many
    frames have been written since: 1 is after every decision.
    """

    def __init__(
        self,
        file: int,
        lock: _Lock,
        places: Places,
        head: Head,
        *,
        size: int,
        name: str,
        sync: Callable[[int], None] | None,
        every: int,
    ) -> None:
        super().__init__(places, head, name=name)
        self._file = file
        self._lock = lock
        self._size = size
        self._sync = sync
        self._every = every
        self._unsynced = 0
        self._torn = False

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        header: Header,
        openings: Openings = NO_OPENINGS,
        *,
        overwrite: bool = False,
        sync: Callable[[int], None] | None = os.fsync,
        every: int = 0,
    ) -> Self:
        """Begin a log in a new or empty file; with ``overwrite`` also in place of what is there.

        Raises:
            InputError: when the file has content, cannot be opened, or is being written by another
                process; or when the header could not be read back.
        """
        begin, places, head = _first(header, openings)
        name = os.fspath(path)
        file, lock = _open(name, os.O_CREAT)
        try:
            if os.fstat(file).st_size and not overwrite:
                raise InputError("this file exists already; choose another name or remove it", where=name)
            os.ftruncate(file, 0)
            self = cls(file, lock, places, head, size=0, name=name, sync=sync, every=every)
            self._put(begin)
        except BaseException:
            _release(file, lock)
            raise
        return self

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        sync: Callable[[int], None] | None = os.fsync,
        every: int = 0,
    ) -> Self:
        """Go on with an open log, from its last frame; it is read strictly first.

        Raises:
            InputError: as :func:`read_log`; and when the log is sealed, or is being written by another
                process.
            Damaged: when it is damaged, and be it only at the end; the file is left as it is.
        """
        name = os.fspath(path)
        file, lock = _open(name, 0)
        try:
            data = _read_all(file)
            log, decoder = _parse(data, name)
            _check_resumable(log)
            size = os.lseek(file, 0, os.SEEK_END)
            return cls(file, lock, decoder.places, log.head, size=size, name=name, sync=sync, every=every)
        except BaseException:
            _release(file, lock)
            raise

    def close(self) -> None:
        """Make the log durable, and let others write; closing again does nothing."""
        if self._file < 0:
            return
        file, self._file = self._file, -1
        try:
            if self._sync is not None:
                self._sync(file)
        finally:
            _release(file, self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _put(self, frame: bytes) -> None:
        file = self._file
        if file < 0:
            raise InputError("this log is closed; resume it to go on", where=self._name)
        if self._torn:
            raise InputError("an earlier write failed and left a torn end; repair the log", where=self._name)
        try:
            written = os.write(file, frame)
            while written < len(frame):
                written += os.write(file, frame[written:])
            self._unsynced += 1
            if self._every and self._sync is not None and self._unsynced >= self._every:
                self._sync(file)
                self._unsynced = 0
        except BaseException:
            self._cut_back()
            raise
        self._size += len(frame)

    def _cut_back(self) -> None:
        """After a failed write: the file ends with its last whole frame again, or the writer gives up."""
        try:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
        except OSError:
            # The torn end stays, and a reader will name it; nothing may be written behind it.
            self._torn = True


# ----------------------------------------------------------------------------- files and locks


def _open(name: str, flags: int) -> tuple[int, _Lock]:
    """An open file that nobody else is writing, and the lock that says so."""
    try:
        file = os.open(name, os.O_RDWR | _BINARY | flags, 0o666)
    except (OSError, ValueError) as error:
        raise _unusable(error, name) from None
    try:
        return file, _take_lock(file, name)
    except BaseException:
        os.close(file)
        raise


def _read_all(file: int) -> bytes:
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _release(file: int, lock: _Lock) -> None:
    try:
        os.close(file)
    finally:
        _drop_lock(lock)


_Lock = str | None
"""The name of a lock file, where the system cannot lock the log itself."""

if sys.platform == "win32":
    # There a locked region cannot be read by others, so a file beside the log is the lock.

    def _take_lock(file: int, name: str) -> _Lock:
        lock = f"{name}.lock"
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            what = f"this log is being written by another process; if none is, remove {lock!r}"
            raise InputError(what, where=name) from None
        except OSError as error:
            raise _unusable(error, name) from None
        return lock

    def _drop_lock(lock: _Lock) -> None:
        if lock is not None:
            os.unlink(lock)

else:
    import fcntl

    def _take_lock(file: int, name: str) -> _Lock:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            what = "this log is being written by another process; wait for it, or choose another name"
            raise InputError(what, where=name) from None
        except OSError as error:
            raise _unusable(error, name) from None
        return None

    def _drop_lock(lock: _Lock) -> None:
        """Closing the file has released it."""
