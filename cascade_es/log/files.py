"""What the system says when a file cannot be used, in our words; and a new file that replaces nothing."""

from __future__ import annotations

import os
from pathlib import Path

from cascade_es.errors import InputError

__all__ = ["read_file", "unusable", "write_new"]


def unusable(error: OSError | ValueError, name: str) -> InputError:
    if isinstance(error, FileNotFoundError):
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
        InputError: when it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise unusable(error, os.fspath(path)) from None


def write_new(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a new file whole; what exists already is never replaced.

    Raises:
        InputError: when the file exists, or cannot be written; then nothing of it is left.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("xb") as file:
            try:
                file.write(content)
            except BaseException:
                Path(path).unlink()
                raise
    except FileExistsError:
        raise InputError("this file exists already; choose another name or remove it", where=name) from None
    except (OSError, ValueError) as error:
        raise unusable(error, name) from None
