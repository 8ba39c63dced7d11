"""Logs as files: written a unit at a time, by one writer.

Writing puts a whole frame at the end or nothing at all: if the write fails half-way, the file is cut
back to the last whole frame.  Everything is checked before the first byte is written, with the same
rules that the reader has, so that what was appended can be read.  A sync that failed is final: the
system may have thrown away what it could not write, and a second try would succeed without it, so the
writer acknowledges nothing more.  So it is when a file turns out to have been removed, replaced or cut by
somebody who did not ask for the lock: what was written then is nowhere.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

from msgspec.structs import astuple

from cascade_es.errors import CascadeError, Damaged, InputError
from cascade_es.log.disk import DISK, Disk, Lock, regular, unusable
from cascade_es.log.durability import EVERY_DECISION, Durability, policy
from cascade_es.log.frames import MAGIC, START, chain, pack_frame
from cascade_es.log.places import check_definitions
from cascade_es.log.reading import Head, Log, is_end, parse_log, parse_with_decoder
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
)

__all__ = ["Conflict", "LogWriter", "MemoryLog"]


class Conflict(CascadeError):
    """A unit was meant for one frame and would get another: somebody else appended, or it is a retry.

    ``expected`` is the frame that the caller named, ``actual`` the one that comes next.
    """

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"this unit was to be frame {expected}, but frame {actual} comes next")
        self.expected = expected
        self.actual = actual


class _Gone(InputError):
    """The file is no longer what this writer wrote."""


class _Appender:
    """What the writers share: it makes frames, and knows the chain and the places."""

    def __init__(self, places: Places, hashes: list[bytes], *, name: str = "") -> None:
        self._encoder = Encoder()
        self._places = places
        self._hashes = hashes
        self._head = Head(len(hashes), hashes[-1])
        self._sealed = False
        self._name = name

    @property
    def head(self) -> Head:
        """The count of the frames so far (with the header), and the hash of the last one."""
        return self._head

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames so far, the header's first."""
        return tuple(self._hashes)

    def append(
        self,
        unit: Unit,
        openings: Openings = NO_OPENINGS,
        *,
        expected: int | None = None,
        decided: bool = False,
    ) -> Head:
        """Write a unit as the next frame, whole or not at all; the head afterwards.

        ``expected`` is the number of the frame that it must become.  If that frame is there already and
        holds this very unit, this is a retry: nothing is written, and the answer is the one that the
        first try got.

        ``decided`` says that the rules made this unit and its openings of a decision that they checked, so
        that every value in it is of its type; of any other unit that is seen to by reading it.

        Raises:
            Conflict: when it would become another frame.
            InputError: when the log is sealed, or the unit or its openings could not be read back; or when
                the file is no longer what was written to it.
            OSError: when the file system refuses; the log is as it was before.
        """
        number, previous = self._head.frames, self._head.hash
        if expected is not None and expected != number:
            return self._again(unit, expected)
        if self._sealed:
            raise InputError("this log is sealed; what it holds is final", where=self._name)
        payload, facts = self._encoder.unit(unit)
        section = b""
        fresh = {}
        if openings is not NO_OPENINGS and not openings.empty:
            section = self._encoder.openings(openings)
        try:
            if not decided:
                openings = Decoder().check(number, unit, payload, section)
            if facts:
                fresh = self._places.sealed(number, facts)
            if section:
                self._places.opened(map(astuple, openings.facts), fresh, decode=not decided)
                if openings.definitions:
                    check_definitions(openings.definitions)
        except Flaw as flaw:
            what = (
                "seal facts in order of appearance" if flaw.kind == "ordinal" else "mend it before recording"
            )
            raise InputError(f"{flaw.detail}; {what}", where=self._name) from None
        own = chain(previous, payload)
        self._put(pack_frame(previous, payload, section))
        # Only now is it part of the log.
        if fresh:
            self._places.enter(fresh)
        self._hashes.append(own)
        self._head = head = Head(number + 1, own)
        self._sealed = is_end(unit)
        return head

    def _again(self, unit: Unit, expected: int) -> Head:
        """The head that this very unit had when it became the frame that it is meant for."""
        if not 0 < expected < len(self._hashes):
            raise Conflict(expected, self._head.frames)
        payload, _ = self._encoder.unit(unit)
        if chain(self._hashes[expected - 1], payload) != self._hashes[expected]:
            raise Conflict(expected, self._head.frames)
        return Head(expected + 1, self._hashes[expected])

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
        places.opened(map(astuple, openings.facts), fresh)
        check_definitions(openings.definitions)
    except Flaw as flaw:
        raise InputError(f"{flaw.detail}; mend the header") from None
    places.enter(fresh)
    begin = MAGIC + pack_frame(START, payload, encoder.openings(openings))
    try:
        parse_log(begin)
    except Damaged as damage:
        raise InputError(f"{damage.detail}; mend the header") from None
    return begin, places, Head(1, chain(START, payload))


class MemoryLog(_Appender):
    """A log that is written in memory, with the same rules and the same bytes as in a file."""

    _closed = False

    def __init__(self, header: Header, openings: Openings = NO_OPENINGS) -> None:
        begin, places, head = _first(header, openings)
        super().__init__(places, [head.hash])
        self._data = bytearray(begin)

    @classmethod
    def resume(cls, data: bytes, name: str = "") -> Self:
        """Go on with the log in these bytes; as :meth:`LogWriter.resume` does."""
        log, decoder = parse_with_decoder(data, name)
        _check_resumable(log)
        self = cls.__new__(cls)
        _Appender.__init__(self, decoder.places, [frame.hash for frame in log.frames], name=name)
        self._data = bytearray(data)
        return self

    @property
    def data(self) -> bytes:
        """The bytes so far: what a file of this log would hold."""
        return bytes(self._data)

    def close(self) -> None:
        """Write no more; what was written stays to be read.  Closing again does nothing."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()

    def _put(self, frame: bytes) -> None:
        if self._closed:
            raise InputError("this log is closed; fork what it holds to go on", where=self._name)
        self._data += frame


class LogWriter(_Appender):
    """The one writer of a log file: made by :meth:`create` or :meth:`resume`, used in a ``with``.

    ``durability`` says when what was written is made durable; see :func:`~cascade_es.log.durability.policy`.
    """

    def __init__(
        self,
        file: int,
        lock: Lock,
        places: Places,
        hashes: list[bytes],
        *,
        size: int,
        name: str,
        policy: Durability,
        disk: Disk,
    ) -> None:
        super().__init__(places, hashes, name=name)
        self._file = file
        self._lock = lock
        self._size = size
        self._policy = policy
        self._disk = disk
        self._durable = 0
        self._unsynced = 0
        self._torn = False
        self._failure: BaseException | None = None

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        header: Header,
        openings: Openings = NO_OPENINGS,
        *,
        overwrite: bool = False,
        durability: str | Durability = EVERY_DECISION,
        disk: Disk = DISK,
    ) -> Self:
        """Begin a log in a new or empty file; with ``overwrite`` also in place of what is there.

        Raises:
            InputError: when the file has content, cannot be opened, or is being written by another
                process; when the header could not be read back; or for an unknown durability.
            OSError: when the file system refuses.
        """
        chosen = policy(durability)
        begin, places, head = _first(header, openings)
        name = os.fspath(path)
        file, lock = _open(disk, name, create=True)
        try:
            if disk.size(file):
                if not overwrite:
                    raise InputError("this file exists already; choose another name or remove it", where=name)
                return cls._instead(file, lock, begin, places, head, name, chosen, disk)
            disk.truncate(file, 0)
            self = cls(file, lock, places, [head.hash], size=0, name=name, policy=chosen, disk=disk)
            self._put(begin)
            if chosen.syncs:
                disk.sync_folder(name)
        except BaseException:
            _release(disk, file, lock)
            raise
        return self

    @classmethod
    def _instead(
        cls,
        old: int,
        held: Lock,
        begin: bytes,
        places: Places,
        head: Head,
        name: str,
        chosen: Durability,
        disk: Disk,
    ) -> Self:
        """Begin a log beside an old one, and let it take its place once it has begun."""
        file, fresh = disk.beside(name)
        lock = held
        try:
            if fresh:
                lock = disk.lock(file, fresh)
            self = cls(file, lock, places, [head.hash], size=0, name=name, policy=chosen, disk=disk)
            self._put(begin)
            if chosen.syncs:
                disk.sync(file)
            if fresh:
                disk.replace(fresh, name)
            fresh = ""
            if chosen.syncs:
                disk.sync_folder(name)
        except BaseException:
            disk.close(file)
            if fresh:
                disk.remove(fresh)
            raise
        disk.close(old)
        return self

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        durability: str | Durability = EVERY_DECISION,
        disk: Disk = DISK,
    ) -> Self:
        """Go on with an open log, from its last frame; it is read strictly first, and made durable.

        Raises:
            InputError: as :func:`~cascade_es.log.reading.read_log`; and when the log is sealed, or is being
                written already.
            Damaged: when it is damaged, and be it only at the end; the file is left as it is.
            OSError: when the file system refuses.
        """
        chosen = policy(durability)
        name = os.fspath(path)
        file, lock = _open(disk, name)
        try:
            data = disk.read(file)
            log, decoder = parse_with_decoder(data, name)
            _check_resumable(log)
            hashes = [frame.hash for frame in log.frames]
            self = cls(
                file, lock, decoder.places, hashes, size=len(data), name=name, policy=chosen, disk=disk
            )
            if chosen.syncs:
                # Whoever wrote it may have ended before it was synced; what is acknowledged from here
                # on must not stand on anything less.
                disk.sync(file)
                self._durable = len(hashes)
        except BaseException:
            _release(disk, file, lock)
            raise
        return self

    @property
    def durable(self) -> int:
        """How many frames (with the header) are on the disk: the loss of power cannot take them."""
        return self._durable

    def close(self) -> None:
        """Make the log durable, unless that is never done, and let others write; again does nothing.

        Raises:
            InputError: when somebody else has removed, replaced or cut the file.
            OSError: when it could not be made durable, now or by an earlier sync.
        """
        if self._file < 0:
            return
        file, self._file = self._file, -1
        try:
            if self._failure is not None:
                raise self._failure
            if self._policy.syncs:
                self._sync(file, self._size)
                self._durable = self._head.frames
        finally:
            _release(self._disk, file, self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and error is self._failure and self._file >= 0:
            # The caller is being told already.
            file, self._file = self._file, -1
            _release(self._disk, file, self._lock)
        self.close()

    def _put(self, frame: bytes) -> None:
        file = self._file
        if file < 0 or self._torn or self._failure is not None:
            raise InputError(self._why_not(), where=self._name)
        size = len(frame)
        try:
            syncs = self._policy.due(self._unsynced + 1)
            if syncs:
                self._check_held(file, self._size)
            written = self._disk.write(file, frame)
            while written < size:
                written += self._disk.write(file, frame[written:])
            self._unsynced += 1
            if syncs:
                self._sync(file, self._size + size)
                self._unsynced = 0
                # The hash of a first frame is known before it is written, that of others afterwards.
                self._durable = len(self._hashes) + bool(self._size)
        except BaseException as error:
            if not isinstance(error, _Gone):
                self._cut_back()
            if isinstance(error, OSError) and error.filename is None:
                error.filename = self._name
            raise
        self._size += size

    def _why_not(self) -> str:
        """Why nothing can be written any more."""
        if self._file < 0:
            return "this log is closed; resume it to go on"
        if self._torn:
            return "an earlier write failed and left a torn end; recover the log"
        if isinstance(self._failure, _Gone):
            return self._failure.what
        return "it could not be made durable before; close it, see to the disk, and resume it"

    def _check_held(self, file: int, size: int) -> None:
        if not self._disk.holds(file, size):
            self._failure = self._gone()
            raise self._failure

    def _gone(self) -> _Gone:
        what = "this log was removed, replaced or cut by somebody else while it was being written"
        return _Gone(f"{what}; see what is there, and go on from a copy", where=self._name)

    def _sync(self, file: int, size: int) -> None:
        try:
            self._disk.sync(file)
            if not self._torn:
                self._check_held(file, size)
        except BaseException as error:
            if isinstance(error, OSError) and error.filename is None:
                error.filename = self._name
            self._failure = error
            raise

    def _cut_back(self) -> None:
        """After a failed write: the file ends with its last whole frame again, or the writer gives up."""
        try:
            if self._disk.size(self._file) < self._size:
                self._failure = self._gone()  # to lengthen it would hide that behind zeros
            else:
                self._disk.truncate(self._file, self._size)
        except OSError:
            # The torn end stays, and a reader will name it; nothing may be written behind it.
            self._torn = True


def _check_resumable(log: Log) -> None:
    if log.sealed:
        raise InputError("this log is sealed; what it holds is final", where=log.name)
    if log.header.format != FORMAT:
        what = f"this log is of format {log.header.format}, and we write {FORMAT}; what it holds is final"
        raise InputError(what, where=log.name)


def _open(disk: Disk, name: str, *, create: bool = False) -> tuple[int, Lock]:
    """An open file that nobody else is writing, and the lock that says so."""
    regular(name)
    try:
        file = disk.open(name, create=create)
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None
    try:
        return file, disk.lock(file, name)
    except BaseException:
        disk.close(file)
        raise


def _release(disk: Disk, file: int, lock: Lock) -> None:
    try:
        disk.close(file)
    finally:
        disk.unlock(lock)
