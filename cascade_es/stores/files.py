"""A store in files: a folder with one log file a game, or a single log file.

Each append opens the file, locks it, checks its end, and puts one whole frame there or nothing.  The
lock is the one that :class:`~cascade_es.log.LogWriter` holds while a game is played into a file, so the
two never write at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from cascade_es.errors import CascadeError, Damaged, InputError
from cascade_es.log import MAGIC, Conflict, Decoder, Head, read_frames
from cascade_es.log.disk import DISK, read_file, regular, unusable
from cascade_es.stores.seam import Store, Unavailable, bytes_of, head_at, header_of, placed, unknown

__all__ = ["FileStore"]

SUFFIX: Final = ".ces"
_PAUSE: Final = 0.002
_ENOUGH: Final = 1 << 14
"""The bytes of a file that mostly hold its header."""
_GROWING: Final = 1.0
"""For so many seconds a cut frame at the end may be one that is just being written."""


class _Known(msgspec.Struct, frozen=True):
    """What was seen of a file when it had this size."""

    size: int
    head: Head


class FileStore(Store):
    """Keeps each game in a file ``<log id>.ces`` of a folder, which is made when it is needed.

    Files with other names in that folder are found as well, by the id in their header; what has no
    readable header is no game.  A path that ends in ``.ces``, or is a file, is a store for one game.

    ``sync`` makes a frame durable, given the file's descriptor, before it counts as stored; None leaves
    that to the operating system.  ``wait`` is how many seconds to wait for another writer.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        sync: Callable[[int], None] | None = os.fsync,
        wait: float = 10.0,
    ) -> None:
        self.name = os.fspath(path)
        self._path = Path(path)
        self._single = self._path.is_file() or (self._path.suffix == SUFFIX and not self._path.is_dir())
        self._sync = sync
        self._wait = wait
        self._lock = threading.RLock()
        self._places: dict[bytes, Path] = {}
        self._known: dict[Path, _Known] = {}

    # --------------------------------------------------------------------------------- the seam

    def create(self, header: bytes) -> bytes:
        game, _ = header_of(header)
        with self._lock:
            path = self._find(game) or self._fresh(game)
            with self._writing(path, create=True) as file:
                size = os.lseek(file, 0, os.SEEK_END)
                if not size:
                    self._write(file, path, 0, MAGIC + header)
                    if self._sync is not None:
                        DISK.sync_folder(str(path))
                    self._known[path] = _Known(len(MAGIC) + len(header), head_at(0, header))
                else:
                    frames = self._frames(path)
                    if frames[0] != header:
                        raise Conflict(0, len(frames))
            self._places[game] = path
        return game

    def append(self, game: bytes, number: int, frame: bytes) -> Head:
        with self._lock:
            path = self._place(game)
            with self._writing(path) as file:
                size = os.lseek(file, 0, os.SEEK_END)
                known = self._known.get(path)
                if known is None or known.size != size:
                    frames = self._frames(path)
                    known = _Known(size, head_at(len(frames) - 1, frames[-1]))
                    self._known[path] = known
                there = placed(known.head, number, frame, lambda: self._frames(path)[number])
                if there is not None:
                    return there
                self._write(file, path, size, frame)
                head = head_at(number, frame)
                self._known[path] = _Known(size + len(frame), head)
                return head

    def read(self, game: bytes, start: int = 0) -> Iterator[bytes]:
        return iter(self._frames(self._place(game), growing=True)[start:])

    def head(self, game: bytes) -> Head:
        frames = self._frames(self._place(game), growing=True)
        return head_at(len(frames) - 1, frames[-1])

    def games(self) -> tuple[bytes, ...]:
        with self._lock:
            self._look()
            return tuple(sorted(self._places))

    # ------------------------------------------------------------------------------ which files

    def _place(self, game: bytes) -> Path:
        with self._lock:
            path = self._find(game)
        if path is None:
            raise unknown(game, self.name)
        return path

    def _find(self, game: bytes) -> Path | None:
        """The file of a game."""
        path = self._places.get(game)
        if path is None or not path.exists():
            self._look()
            path = self._places.get(game)
        return path

    def _fresh(self, game: bytes) -> Path:
        """The file that a new game gets."""
        if not self._single:
            self._path.mkdir(parents=True, exist_ok=True)
            return self._path / f"{game.hex()}{SUFFIX}"
        if self._places:
            raise InputError(
                "this file is the log of another game; name another file, or a folder", where=self.name
            )
        return self._path

    def _look(self) -> None:
        """Find all games by the ids in their headers."""
        self._places.clear()
        if self._single:
            if self._path.exists() and self._path.stat().st_size:
                self._places[_id_in(self._path)] = self._path
        elif self._path.is_dir():
            # Names that we gave come last: they count where a game is there twice.
            paths = sorted(self._path.glob(f"*{SUFFIX}"), key=lambda path: (_given(path), path.name))
            for path in paths:
                try:
                    self._places[_id_in(path)] = path
                except CascadeError:
                    continue  # no game, or one whose file must be looked at by its name

    # ------------------------------------------------------------------------ reading, writing

    def _frames(self, path: Path, *, growing: bool = False) -> list[bytes]:
        """The checked frames of a file; ``growing``: somebody may be writing it just now."""
        until = time.monotonic() + _GROWING
        while True:
            data = read_file(path)
            try:
                return [bytes_of(data, frame) for frame in read_frames(data, str(path))]
            except Damaged as damage:
                if not growing or damage.kind != "cut" or time.monotonic() > until:
                    raise
            time.sleep(_PAUSE)

    @contextmanager
    def _writing(self, path: Path, *, create: bool = False) -> Iterator[int]:
        """The file, open and locked."""
        regular(str(path))
        until = time.monotonic() + self._wait
        while True:
            # Opened anew each time: whoever held the lock may have put another file in its place.
            try:
                file = DISK.open(str(path), create=create)
            except OSError as error:
                raise unusable(error, str(path)) from None
            try:
                lock = DISK.lock(file, str(path))
                break
            except InputError as error:
                os.close(file)
                if time.monotonic() > until:
                    raise Unavailable(error.what, where=error.where) from None
            except BaseException:
                os.close(file)
                raise
            time.sleep(_PAUSE)
        try:
            yield file
        finally:
            try:
                os.close(file)
            finally:
                DISK.unlock(lock)

    def _write(self, file: int, path: Path, size: int, data: bytes) -> None:
        """Put bytes at the end, or leave the file as it was."""
        try:
            written = 0
            while written < len(data):
                written += os.write(file, data[written:])
            if self._sync is not None:
                self._sync(file)
        except BaseException:
            self._known.pop(path, None)
            os.ftruncate(file, size)
            raise


def _id_in(path: Path) -> bytes:
    """The log id in the header of a file; InputError or Damaged when it has none."""
    try:
        with path.open("rb") as file:
            data = file.read(_ENOUGH)
            try:
                return _id_of(data, path)
            except Damaged:
                return _id_of(data + file.read(), path)
    except OSError as error:
        raise unusable(error, str(path)) from None


def _id_of(data: bytes, path: Path) -> bytes:
    return Decoder().header(next(read_frames(data, str(path))), str(path)).log_id


def _given(path: Path) -> bool:
    stem = path.stem
    return len(stem) == 32 and all(digit in "0123456789abcdef" for digit in stem)
