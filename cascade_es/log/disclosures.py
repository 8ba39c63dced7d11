"""Disclosures: openings of single facts as a small file of their own, given out after the game.

A view lacks openings, and its bytes need not change for its reader to learn one more card: the chain
holds the commitment already.  So a disclosure is a file beside the log, bound to it by the log's id.

::

    file = magic (16 bytes), CRC-32 (u32 BE) of the rest, rest
    rest = msgpack [format, log id, [[frame, ordinal, salt, content], …], [[digest, definition], …]]
"""

from __future__ import annotations

import os
import zlib
from typing import Final

import msgpack
import msgspec
from msgspec.structs import astuple

from cascade_es.errors import InputError
from cascade_es.log.codec import CODEC_ERRORS, Flaw, unpack
from cascade_es.log.disk import read_file
from cascade_es.log.places import Place, check_definitions
from cascade_es.log.wire import Openings
from cascade_es.values.facts import Opening

__all__ = ["DISCLOSURE_MAGIC", "Disclosure", "pack_disclosure", "parse_disclosure", "read_disclosure"]

DISCLOSURE_MAGIC: Final = b"\x89ces-opening\r\n\x1a\n"
"""The first 16 bytes of every disclosure; like a log's, but not nearly the same."""

DISCLOSURE_FORMAT: Final = 0


class Disclosure(msgspec.Struct, frozen=True):
    """Openings of facts of one log, with the card definitions that these need.

    ``name`` is what errors call the file.
    """

    log_id: bytes
    openings: Openings
    name: str = "disclosure"

    @property
    def places(self) -> tuple[Place, ...]:
        """Which facts it opens."""
        return tuple((opening.frame, opening.ordinal) for opening in self.openings.facts)


class _Rest(msgspec.Struct, frozen=True, array_like=True):
    format: int
    log_id: bytes
    facts: tuple[Opening, ...]
    definitions: tuple[tuple[bytes, bytes], ...]


def pack_disclosure(disclosure: Disclosure) -> bytes:
    """The bytes of a disclosure file."""
    openings = disclosure.openings
    rest: bytes = msgpack.packb(
        (DISCLOSURE_FORMAT, disclosure.log_id, tuple(map(astuple, openings.facts)), openings.definitions),
        use_bin_type=True,
    )
    return DISCLOSURE_MAGIC + zlib.crc32(rest).to_bytes(4, "big") + rest


def parse_disclosure(content: bytes, name: str = "disclosure") -> Disclosure:
    """The disclosure in these bytes; whether it is true, only the log can tell.

    Raises:
        InputError: when it is none, is damaged, or is of a newer format.
    """
    begin = len(DISCLOSURE_MAGIC) + 4
    if not content.startswith(DISCLOSURE_MAGIC):
        raise InputError("no disclosure; name a file that 'cascade-es disclose' wrote", where=name)
    rest = content[begin:]
    if zlib.crc32(rest).to_bytes(4, "big") != content[len(DISCLOSURE_MAGIC) : begin]:
        raise InputError("this disclosure is damaged; ask for it again", where=name)
    try:
        raw = unpack(rest)
        if type(raw) is tuple and raw and type(raw[0]) is int and raw[0] > DISCLOSURE_FORMAT:
            raise InputError(f"written in format {raw[0]}; use a newer version", where=name)
        found = msgspec.convert(raw, _Rest)
        disclosure = Disclosure(found.log_id, Openings(found.facts, found.definitions), name)
        check_definitions(found.definitions)
        if pack_disclosure(disclosure) != content or len(set(disclosure.places)) < len(disclosure.places):
            raise Flaw("encoding", "it is not written the one way in which this would be written")
    except InputError:
        raise
    except (*CODEC_ERRORS, Flaw):
        raise InputError("this disclosure holds something else; ask for it again", where=name) from None
    return disclosure


def read_disclosure(path: str | os.PathLike[str]) -> Disclosure:
    """The disclosure in a file; raises as :func:`parse_disclosure` does, and when there is no such file."""
    return parse_disclosure(read_file(path), os.fspath(path))
