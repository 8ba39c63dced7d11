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
from cascade_es.log.file import (
    Conflict,
    Head,
    Log,
    LogWriter,
    MemoryLog,
    parse_log,
    read_log,
    strip_openings,
)
from cascade_es.log.files import read_file, write_new
from cascade_es.log.frames import MAGIC, RawFrame, chain, pack_frame, read_frames
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
    "FORMAT",
    "MAGIC",
    "Conflict",
    "Decoder",
    "Disclosure",
    "Encoder",
    "FalseDisclosure",
    "Head",
    "Header",
    "Log",
    "LogWriter",
    "MemoryLog",
    "Openings",
    "RawFrame",
    "SeatHeader",
    "Unit",
    "chain",
    "definition_digest",
    "pack_disclosure",
    "pack_frame",
    "parse_disclosure",
    "parse_log",
    "read_disclosure",
    "read_file",
    "read_frames",
    "read_log",
    "strip_openings",
    "write_new",
]
