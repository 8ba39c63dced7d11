"""Where logs are kept: one seam, and what is behind it: memory, files, SQLite, PostgreSQL.

A store keeps the frames of many games, each frame exactly as it stands in a log file, and knows their
chain; what a frame means it need not know, but for the id in a header.  Whatever keeps the promises of
:mod:`cascade_es.testing.store_conformance` can be one.
"""

from __future__ import annotations

from cascade_es.stores.address import (
    Address,
    begin_log,
    bytes_at,
    each_address,
    keep_log,
    open_store,
    read_address,
    redacted,
    resume_log,
)
from cascade_es.stores.databases import PostgreSQLStore, SQLiteStore
from cascade_es.stores.files import FileStore
from cascade_es.stores.memory import MemoryStore
from cascade_es.stores.recorder import StoreLog
from cascade_es.stores.seam import OtherHistory, Store, Unavailable, game_bytes

__all__ = [
    "Address",
    "FileStore",
    "MemoryStore",
    "OtherHistory",
    "PostgreSQLStore",
    "SQLiteStore",
    "Store",
    "StoreLog",
    "Unavailable",
    "begin_log",
    "bytes_at",
    "each_address",
    "game_bytes",
    "keep_log",
    "open_store",
    "read_address",
    "redacted",
    "resume_log",
]
