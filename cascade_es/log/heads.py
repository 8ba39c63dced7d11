"""Heads kept elsewhere: what a holder remembers of a log to notice any change of it.

A hash chain cannot show that its end was cut off at the border of a frame, nor that all of it was
written anew.  Whoever keeps the number of frames and the last hash somewhere else can see both, and that
a longer log is the same one grown.  A head is a few lines of text, made to be mailed, printed and signed:

::

    cascade-es head 1
    log 6b7c1e…        the log's id, 32 digits
    frames 19          with the header
    hash 62a7af27…     of the last of them, 64 digits
    signature 0f3d…    if there is one: Ed25519 over the four lines above, each with its line feed
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, Literal

import msgspec

from cascade_es.errors import InputError
from cascade_es.log.disk import regular, unusable
from cascade_es.log.reading import Log

__all__ = ["Comparison", "RememberedHead", "compare", "head_of", "parent_of", "parse_head", "read_head"]

_TEXT = re.compile(
    r"cascade-es head (?P<version>[0-9]{1,4})\nlog (?P<log>[0-9a-f]{32})\n"
    r"frames (?P<frames>[1-9][0-9]{0,17})\nhash (?P<hash>[0-9a-f]{64})\n"
    r"(?:signature (?P<signature>[0-9a-f]{128})\n)?",
    re.ASCII,
)
_VERSION: Final = 1
_MOST: Final = 1000  # bytes of a head file


class RememberedHead(msgspec.Struct, frozen=True):
    """The id of a log (16 bytes), how many frames it had, the hash of the last, perhaps a signature.

    >>> print(RememberedHead(bytes(16), 2, bytes(32)).text, end="")
    cascade-es head 1
    log 00000000000000000000000000000000
    frames 2
    hash 0000000000000000000000000000000000000000000000000000000000000000
    """

    log_id: bytes
    frames: int
    hash: bytes
    signature: bytes = b""

    @property
    def signed_part(self) -> bytes:
        """The bytes that a signature covers."""
        lines = f"log {self.log_id.hex()}\nframes {self.frames}\nhash {self.hash.hex()}\n"
        return f"cascade-es head {_VERSION}\n{lines}".encode()

    @property
    def text(self) -> str:
        """What a head file holds."""
        signature = f"signature {self.signature.hex()}\n" if self.signature else ""
        return self.signed_part.decode() + signature


Word = Literal["same", "grown", "shortened", "forked", "other-log", "other-past", "not-reached"]


class Comparison(msgspec.Struct, frozen=True):
    """How a log relates to a remembered head: a word, a sentence, and by how many frames it has grown."""

    word: Word
    detail: str
    grown: int = 0

    @property
    def good(self) -> bool:
        """Whether the log is the remembered one, or that one grown."""
        return self.word in ("same", "grown")


def head_of(log: Log) -> RememberedHead:
    """The head of a log, to be kept elsewhere."""
    return RememberedHead(log.header.log_id, log.head.frames, log.head.hash)


def compare(log: Log, remembered: RememberedHead, *, whole: bool = True) -> Comparison:
    """Whether a log still is what somebody remembers of it.

    ``whole`` is False if these are only the frames before some damage.
    """
    if log.header.log_id != remembered.log_id:
        mine, theirs = log.header.log_id.hex(), remembered.log_id.hex()
        return Comparison("other-log", f"the head is of log {theirs}, this is log {mine}")
    have, want = len(log.frames), remembered.frames
    if have < want:
        if not whole:
            detail = f"the head covers {want} frames, and the damage begins after {have} of them"
            return Comparison("not-reached", detail)
        return Comparison("shortened", f"the head covers {want} frames, and only {have} are left")
    if log.frames[want - 1].hash != remembered.hash:
        detail = f"frames 0 to {want - 1} are not those that the head covers: something in them was changed"
        return Comparison("forked", detail)
    if have == want:
        return Comparison("same", f"it is what the head remembers, {want} frames")
    more = f"{have - want} frames" if have - want > 1 else "1 frame"
    return Comparison("grown", f"it has grown by {more} since the head's {want}", have - want)


def parent_of(log: Log, other: Log) -> Comparison:
    """Whether a log is a fork of another: it names that one's id, and a frame of it with its hash.

    The word is "same" if it is.
    """
    if log.header.parent is None:
        return Comparison("other-log", "this log says that it is no fork")
    log_id, frame, digest = log.header.parent
    if log_id != other.header.log_id:
        detail = f"this is a fork of log {log_id.hex()}, not of {other.header.log_id.hex()}"
        return Comparison("other-log", detail)
    if frame >= len(other.frames):
        return Comparison("shortened", f"this is a fork at frame {frame}, which is not there")
    if other.frames[frame].hash != digest:
        return Comparison("forked", f"this is a fork at frame {frame}, but of another history")
    return Comparison("same", f"this is a fork of it at frame {frame}")


def parse_head(text: str, name: str = "") -> RememberedHead:
    """The head in this text, such as mail delivers it: with line ends of either kind, and space around it.

    Raises:
        InputError: when it is no head, or one of a newer version.

    >>> parse_head(RememberedHead(bytes(16), 2, bytes(32)).text).frames
    2
    """
    found = _TEXT.fullmatch(text.replace("\r\n", "\n").strip() + "\n")
    if found is None:
        raise InputError("not a head; give a file that 'cascade-es head' wrote", where=name)
    if int(found["version"]) != _VERSION:
        raise InputError(f"a head of version {found['version']}; use a newer version of this", where=name)
    signature = bytes.fromhex(found["signature"] or "")
    return RememberedHead(
        bytes.fromhex(found["log"]), int(found["frames"]), bytes.fromhex(found["hash"]), signature
    )


def read_head(path: str | os.PathLike[str]) -> RememberedHead:
    """The head in a file; see :func:`parse_head`."""
    name = os.fspath(path)
    regular(name)
    try:
        with Path(path).open("rb") as file:
            content = file.read(_MOST)
        return parse_head(content.decode("ascii"), name)
    except UnicodeDecodeError:
        raise InputError("not a head; give a file that 'cascade-es head' wrote", where=name) from None
    except OSError as error:
        raise unusable(error, name) from None
