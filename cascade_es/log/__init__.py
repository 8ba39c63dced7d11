"""The log: frames of bytes in a chain, what they mean, and the files that hold them.

It knows values and nothing of rules: a log can be read, checked and stripped of its secrets without
being able to play.
"""

from __future__ import annotations

from cascade_es.log.disclosures import (
    Disclosure,
    pack_disclosure,
    parse_disclosure,
    read_disclosure,
)
from cascade_es.log.disk import DISK, Disk, read_file, write_new
from cascade_es.log.durability import EVERY_DECISION, NEVER, ON_CLOSE, Durability, policy
from cascade_es.log.file import Conflict, LogWriter, MemoryLog
from cascade_es.log.frames import MAGIC, RawFrame, chain, pack_frame, read_frames, unpack_frame
from cascade_es.log.reading import Head, Log, parse_log, read_log, salvage, strip_openings
from cascade_es.log.recovery import Recovered, recover
from cascade_es.log.wire import (
    FORMAT,
    Decoder,
    Encoder,
    FalseDisclosure,
    Header,
    Openings,
    SeatHeader,
    Unit,
    definition_digest,
)

__all__ = [
    "DISK",
    "EVERY_DECISION",
    "FORMAT",
    "MAGIC",
    "NEVER",
    "ON_CLOSE",
    "Conflict",
    "Decoder",
    "Disclosure",
    "Disk",
    "Durability",
    "Encoder",
    "FalseDisclosure",
    "Head",
    "Header",
    "Log",
    "LogWriter",
    "MemoryLog",
    "Openings",
    "RawFrame",
    "Recovered",
    "SeatHeader",
    "Unit",
    "chain",
    "definition_digest",
    "pack_disclosure",
    "pack_frame",
    "parse_disclosure",
    "parse_log",
    "policy",
    "read_disclosure",
    "read_file",
    "read_frames",
    "read_log",
    "recover",
    "salvage",
    "strip_openings",
    "unpack_frame",
    "write_new",
]
