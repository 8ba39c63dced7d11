"""The disk: the few calls of the operating system that a writer needs, in one place.

They are a seam.  A test gives the writer another :class:`Disk` that remembers every call, fails where
it is told to, and shows what a machine that lost its power in between would find.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from secrets import token_hex
from typing import IO, Final

from cascade_es.errors import InputError

__all__ = [
    "DISK",
    "Disk",
    "Lock",
    "read_all",
    "read_file",
    "regular",
    "unusable",
    "write_instead",
    "write_new",
]

MAX_FILE: Final = 1 << 30
"""The most bytes of a file that are read: a gigabyte, some hundred thousand times a long game."""

_BINARY: int = getattr(os, "O_BINARY", 0)

Lock = str | None
"""The name of a lock file, where the system cannot lock the log itself."""


class Disk:
    """Files by descriptor.  Every method raises OSError when the system refuses."""

    def open(self, name: str, *, create: bool = False) -> int:
        """Open a file for reading, and writing at its end; with ``create`` also one that is not there yet."""
        return os.open(name, os.O_RDWR | os.O_APPEND | _BINARY | (os.O_CREAT if create else 0), 0o666)

    def lock(self, file: int, name: str) -> Lock:
        """Become the one writer of a file; the operating system ends that when the process ends.

        Raises:
            InputError: when somebody else is.
        """
        return _take_lock(file, name)

    def unlock(self, lock: Lock) -> None:
        """Stop being it, once the file is closed."""
        _drop_lock(lock)

    def size(self, file: int) -> int:
        """How many bytes are in the file."""
        return os.fstat(file).st_size

    def read(self, file: int) -> bytes:
        """Everything from the position on, which is then the end."""
        parts = []
        while part := os.read(file, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def write(self, file: int, data: bytes) -> int:
        """Write at the end; how many bytes were taken, which may be fewer than were given."""
        return os.write(file, data)

    def truncate(self, file: int, size: int) -> None:
        """Cut the file to this size."""
        os.ftruncate(file, size)

    def sync(self, file: int) -> None:
        """Return when all that was written to the file is on the disk."""
        os.fsync(file)

    def holds(self, file: int, size: int) -> bool:
        """Whether the file still has so many bytes, and a name: not that it was removed, replaced or cut."""
        found = os.fstat(file)
        return found.st_size == size and found.st_nlink > 0

    def sync_folder(self, name: str) -> None:
        """Return when the entry of a new file in its folder is on the disk, where that can be asked for."""
        if sys.platform == "win32":
            return
        folder = os.open(os.path.dirname(os.path.abspath(name)), os.O_RDONLY)
        try:
            os.fsync(folder)
        except OSError as error:
            # Some file systems cannot sync a folder and say so; that is no failure of ours.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
                raise
        finally:
            os.close(folder)

    def beside(self, name: str) -> tuple[int, str]:
        """A new empty file beside another, with the same mode, that can take its place; and its name.

        Where an open file cannot be renamed, it is that file itself, emptied, and the name is "".
        """
        if sys.platform == "win32":
            file = os.open(name, os.O_RDWR | os.O_APPEND | os.O_TRUNC | _BINARY)
            return file, ""
        real = os.path.realpath(name)
        fresh = f"{real}.{token_hex(4)}.new"
        file = os.open(fresh, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        os.fchmod(file, stat.S_IMODE(os.stat(real).st_mode))
        return file, fresh

    def replace(self, fresh: str, name: str) -> None:
        """Let a file that :meth:`beside` gave take the place of the other, at one moment."""
        os.replace(fresh, os.path.realpath(name))

    def remove(self, fresh: str) -> None:
        """Let a file that :meth:`beside` gave be gone."""
        os.unlink(fresh)

    def close(self, file: int) -> None:
        """Let go of the file."""
        os.close(file)


DISK: Final = Disk()
"""The real one."""


def unusable(error: OSError | ValueError, name: str) -> InputError:
    """Why a file cannot be opened, in a line that says what to do."""
    if not name:
        return InputError("a name of no letters; name a file")
    if isinstance(error, FileNotFoundError):
        folder = os.path.dirname(name)
        if folder and not os.path.isdir(folder):
            return InputError("no such folder; check the name", where=name)
        return InputError("no such file; check the name", where=name)
    if isinstance(error, IsADirectoryError):
        return InputError("this is a directory; name a log file in it", where=name)
    if isinstance(error, PermissionError):
        return InputError("permission denied; ask its owner, or use a copy", where=name)
    reason = (error.strerror if isinstance(error, OSError) else None) or "not a usable name"
    return InputError(f"cannot be opened: {reason}; check the name", where=name.replace("\x00", "\\x00"))


def read_file(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file.

    Raises:
        InputError: when it cannot be read, is no regular file, or is larger than a log may be.
    """
    name = os.fspath(path)
    regular(name)
    try:
        with Path(path).open("rb") as file:
            return read_all(file, name)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None


def read_all(file: IO[bytes], name: str) -> bytes:
    """All bytes of an open file, or a pipe.

    Raises:
        InputError: when there are more than a log may have.
        OSError: when the system refuses.
    """
    content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise InputError(f"larger than {MAX_FILE} bytes; no log of ours is", where=name)
    return content


def regular(name: str) -> None:
    """Refuse a pipe, a device or a socket, which would be waited for without end.

    Raises:
        InputError: when there is something of that name that is neither a file nor a folder.
    """
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return  # what is not there is said by whoever opens it
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InputError("this is no regular file; name a file on a disk", where=name)


def write_new(name: str, content: bytes, *, private: bool = False) -> None:
    """Write a file that must not exist yet, durably and whole, or not at all.

    ``private`` lets only its owner read it.

    Raises:
        InputError: when it exists, or cannot be made there.
        OSError: when the system refuses to write; the file is gone again then.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
    try:
        file = os.open(name, flags, 0o600 if private else 0o666)
    except FileExistsError:
        what = "this file exists already and was left alone; choose another name or remove it"
        raise InputError(what, where=name) from None
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None
    try:
        try:
            _write_all(file, content)
        finally:
            os.close(file)
        DISK.sync_folder(name)
    except BaseException as error:
        os.unlink(name)
        _name(error, name)
        raise


def write_instead(name: str, content: bytes) -> None:
    """Put a file in the place of one that nobody is writing, durably, at one moment: the old one or this.

    Raises:
        InputError: when the old one cannot be opened, or is being written.
        OSError: when the system refuses to write; the old one is as it was then.
    """
    try:
        old = DISK.open(name)
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None
    try:
        lock = DISK.lock(old, name)
        try:
            file, fresh = DISK.beside(name)
            try:
                try:
                    _write_all(file, content)
                finally:
                    os.close(file)
                if fresh:
                    DISK.replace(fresh, name)
                fresh = ""
            except BaseException:
                if fresh:
                    DISK.remove(fresh)
                raise
            DISK.sync_folder(name)
        except OSError as error:
            _name(error, name)
            raise
        finally:
            DISK.unlock(lock)
    finally:
        os.close(old)


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.fsync(file)


def _name(error: BaseException, name: str) -> None:
    """Let an error of the system say which file it is about."""
    if isinstance(error, OSError) and error.filename is None:
        error.filename = name


if sys.platform == "win32":
    # There a locked region cannot be read by others, so a file beside the log is the lock.

    def _take_lock(file: int, name: str) -> Lock:
        lock = f"{name}.lock"
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            what = f"this log is being written already; close that game, or, if none is, remove {lock!r}"
            raise InputError(what, where=name) from None
        except OSError as error:
            raise unusable(error, name) from None
        return lock

    def _drop_lock(lock: Lock) -> None:
        if lock is not None:
            os.unlink(lock)

else:
    import fcntl

    def _take_lock(file: int, name: str) -> Lock:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            what = "this log is being written already; close that game, or choose another name"
            raise InputError(what, where=name) from None
        except OSError as error:
            raise unusable(error, name) from None
        try:
            replaced = not os.path.samestat(os.fstat(file), os.stat(name))
        except OSError:
            replaced = True
        if replaced:
            # Whoever writes now would write into a file that has no name any more.
            raise InputError("this log was replaced just now; try again", where=name)
        return None

    def _drop_lock(lock: Lock) -> None:
        """Closing the file has released it."""
