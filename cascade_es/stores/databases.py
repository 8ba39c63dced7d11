"""Stores in databases, through the aggregate recorders of the eventsourcing package.

A game is an originator (its id is the log id), a frame's number is the version, and a frame's bytes, as
they stand in a file, are the state.  The primary key over id and version lets only one frame have a
position; that it follows the one before is checked here.  A frame that is refused is read back: equal
bytes are the same frame, sent again, as after a connection that broke before it could answer.

The packages for this are not always installed, so they are imported when a store is opened.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from uuid import UUID

from cascade_es.errors import Damaged, InputError
from cascade_es.log import MAGIC, Conflict, Head
from cascade_es.stores.seam import Store, Unavailable, head_at, header_of, placed, settled, unknown

if TYPE_CHECKING:
    from eventsourcing.postgres import PostgresAggregateRecorder, PostgresDatastore
    from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteDatastore

__all__ = ["PostgreSQLStore", "SQLiteStore"]

TABLE: Final = "cascade_es_frames"
"""The table of the frames, unless another is named."""

TOPIC: Final = "cascade-es frame"
"""What is said about each row: the column is the recorders'."""

_PAGE: Final = 256
_EXTRA: Final = "stores in databases need more packages; install cascade-es[databases]"
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,39}")


class _Recorded(Store):
    """What stores over an aggregate recorder have in common."""

    _recorder: SQLiteAggregateRecorder | PostgresAggregateRecorder

    def __init__(self, name: str, table: str) -> None:
        if _NAME.fullmatch(table) is None:
            raise InputError("use small letters, digits and _, at most 40", where=f"table {table!r}")
        self.name = name
        self._table = table
        self._ready = False

    # --------------------------------------------------------------------------------- the seam

    def create(self, header: bytes) -> bytes:
        game, _ = header_of(header)
        if not self._insert(game, 0, header):
            stored = self._frame(game, 0)
            if stored != header:
                raise Conflict(0, self.head(game).frames)
        return game

    def append(self, game: bytes, number: int, frame: bytes) -> Head:
        head = self.head(game)
        there = placed(head, number, frame, lambda: self._frame(game, number))
        if there is not None:
            return there
        if self._insert(game, number, frame):
            return head_at(number, frame)
        # Another writer was faster, or our own frame got there and only the answer was lost.
        return settled(self.head(game), number, frame, self._frame(game, number))

    def read(self, game: bytes, start: int = 0) -> Iterator[bytes]:
        if not self._select(game, limit=1):
            raise unknown(game, self.name)
        return self._pages(game, start)

    def head(self, game: bytes) -> Head:
        last = self._select(game, desc=True, limit=1)
        if not last:
            raise unknown(game, self.name)
        return head_at(*last[0])

    def games(self) -> tuple[bytes, ...]:
        if not self._has_table():
            return ()
        with self._plainly():
            return tuple(sorted(self._ids()))

    # ------------------------------------------------------------------------------- the frames

    def _pages(self, game: bytes, start: int) -> Iterator[bytes]:
        number = start
        offset = len(MAGIC)  # where the frame would begin in a file, if the reading began at the header
        while page := self._select(game, gt=number - 1, limit=_PAGE):
            for version, state in page:
                if version != number:
                    detail = f"it is not stored, but frame {version} is"
                    raise Damaged("missing", detail, frame=number, offset=offset)
                yield state
                number += 1
                offset += len(state)

    def _frame(self, game: bytes, number: int) -> bytes:
        found = self._select(game, gt=number - 1, lte=number)
        if not found:
            raise unknown(game, self.name)
        return found[0][1]

    def _select(self, game: bytes, **which: Any) -> list[tuple[int, bytes]]:
        if not self._has_table():
            return []
        with self._plainly():
            events = self._recorder.select_events(UUID(bytes=game), **which)
        return [(event.originator_version, event.state) for event in events]

    def _insert(self, game: bytes, number: int, frame: bytes) -> bool:
        """Whether the position was free and is now taken by this frame."""
        from eventsourcing.persistence import IntegrityError, StoredEvent

        if not self._has_table():
            self._make_table()
        event = StoredEvent(UUID(bytes=game), number, TOPIC, frame)
        with self._plainly():
            try:
                self._recorder.insert_events([event])
            except IntegrityError:
                return False
        return True

    def _has_table(self) -> bool:
        if not self._ready:
            with self._plainly():
                self._ready = self._table_exists()
        return self._ready

    def _make_table(self) -> None:
        """Make the table; when several do that at once, one of them does, and the others find it."""
        from eventsourcing.persistence import PersistenceError

        with self._plainly():
            for attempt in range(5):
                try:
                    self._recorder.create_table()
                    break
                except (PersistenceError, sqlite3.Error):
                    if attempt == 4:
                        raise
                    time.sleep(0.05)
        self._ready = True

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Errors of the database as one line of ours."""
        from eventsourcing.domain import EventSourcingError

        try:
            yield
        except (EventSourcingError, sqlite3.Error) as error:
            raise Unavailable(f"{_line(error)}; {_advice(error)}", where=self.name) from None

    @abstractmethod
    def _table_exists(self) -> bool: ...

    @abstractmethod
    def _ids(self) -> Iterator[bytes]: ...


class SQLiteStore(_Recorded):
    """Keeps games in a SQLite database.

    The file is made if there is none, unless ``create`` is false; ``wait`` is how many seconds to wait
    for another writer.  With ``readonly`` nothing is ever written, not even to the file's own header, and
    a database in a folder that cannot be written is read as well.

    Raises:
        InputError: when there is no such file, or it is no database.
        Unavailable: when the packages for it are not installed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        readonly: bool = False,
        table: str = TABLE,
        wait: int = 10,
    ) -> None:
        super().__init__(f"sqlite:///{os.fspath(path)}", table)
        try:
            from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteDatastore
        except ImportError:
            raise Unavailable(_EXTRA, where=self.name) from None
        there = Path(path)
        if (readonly or not create) and not os.path.isfile(there):
            raise InputError("no such database; check the name", where=self.name)
        if not os.path.isdir(there.absolute().parent):
            raise InputError("no such folder; check the name", where=self.name)
        file = quote(there.absolute().as_posix())
        mode = _reading(there) if readonly else "rwc" if create else "rw"
        self._datastore: SQLiteDatastore = SQLiteDatastore(f"file:{file}?mode={mode}", lock_timeout=wait)
        if readonly:
            # It would turn the write-ahead log on, which is kept in the file itself.
            self._datastore.pool.is_journal_mode_wal = True
        self._recorder = SQLiteAggregateRecorder(self._datastore, events_table_name=table)
        # Whoever opens a new file turns on the write-ahead log; until that is done, others find it locked.
        until = time.monotonic() + wait
        while True:
            try:
                self._has_table()
                break
            except Unavailable as error:
                if "locked" not in error.what or time.monotonic() > until:
                    self.close()
                    raise
            time.sleep(0.01)

    def close(self) -> None:
        self._datastore.close()

    def _table_exists(self) -> bool:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (self._table,))
            return cursor.fetchone() is not None

    def _ids(self) -> Iterator[bytes]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(f"SELECT originator_id FROM {self._table} WHERE originator_version = 0")
            return iter([bytes.fromhex(row[0]) for row in cursor.fetchall()])


def _reading(file: Path) -> str:
    """How a database is opened that must not be written.

    SQLite keeps an index of the write-ahead log beside the database while it is open, and only who may
    write takes it away again.  Where it cannot make one, nobody else can write either, and the file alone
    is all there is, unless a log was left there.
    """
    if os.access(file.absolute().parent, os.W_OK):
        return "rw" if os.access(file, os.W_OK) else "ro"
    log = Path(f"{file}-wal")
    return "ro" if os.path.isfile(log) and os.path.getsize(log) > 0 else "ro&immutable=1"


class PostgreSQLStore(_Recorded):
    """Keeps games in a PostgreSQL database: ``postgresql://user@host:port/database``.

    The address is one of libpq, with all its parameters and its defaults from the environment; and
    ``schema`` names another schema than "public".

    Raises:
        InputError: when the address is none.
        Unavailable: when no server answers there, or the packages for it are not installed.
    """

    def __init__(self, address: str, *, table: str = TABLE, schema: str = "public") -> None:
        super().__init__(_without_password(address), table)
        try:
            import psycopg
            from eventsourcing.postgres import PostgresAggregateRecorder, PostgresDatastore
        except ImportError:
            raise Unavailable(_EXTRA, where=self.name) from None
        try:
            given = psycopg.conninfo.conninfo_to_dict(address)
        except psycopg.Error as error:
            raise InputError(f"not a usable address: {_line(error)}", where=self.name) from None
        try:
            timeout = int(given.get("connect_timeout") or 5)
        except ValueError:
            raise InputError("connect_timeout is a number of seconds", where=self.name) from None
        try:
            psycopg.connect(address, connect_timeout=timeout).close()
        except psycopg.Error as error:
            raise Unavailable(
                f"no connection: {_line(error)}; start the server, or check the address", where=self.name
            ) from None
        self._datastore: PostgresDatastore = PostgresDatastore(
            "", "", "", "", "", connect_timeout=2.0, pool_size=1, max_overflow=9, schema=schema
        )
        # The recorders know five of libpq's parameters; this hands over what was given, and no more.
        row_factory = psycopg.rows.dict_row
        self._datastore.pool.kwargs = {**given, "row_factory": row_factory}
        try:
            with self._plainly():
                self._recorder = PostgresAggregateRecorder(self._datastore, events_table_name=table)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._datastore.close()

    def _table_exists(self) -> bool:
        with self._datastore.transaction() as cursor:
            cursor.execute(
                "SELECT to_regclass(%s) IS NOT NULL AS there", (f'"{self._datastore.schema}".{self._table}',)
            )
            row = cursor.fetchone()
            there = row is not None and bool(row["there"])
        if there:
            self._datastore.register_type_adapters()
        return there

    def _ids(self) -> Iterator[bytes]:
        from psycopg.sql import SQL, Identifier

        query = SQL("SELECT originator_id FROM {}.{} WHERE originator_version = 0")
        with self._datastore.transaction() as cursor:
            cursor.execute(query.format(Identifier(self._datastore.schema), Identifier(self._table)))
            return iter([row["originator_id"].bytes for row in cursor.fetchall()])


def _advice(error: BaseException) -> str:
    text = str(error)
    if "readonly database" in text or "unable to open database" in text:
        return "copy it, with its -wal file if it has one, to a folder that you may write"
    return "check the database"


def _line(error: BaseException) -> str:
    """The first line of what a database says, without its full stop."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].strip().rstrip(".")


def _without_password(address: str) -> str:
    """An address as it may be shown.

    >>> _without_password("postgresql://ann:secret@host/db?password=secret")
    'postgresql://ann:***@host/db?password=***'
    """
    hidden = re.sub(r"(//[^/@?#:]*):[^/@?#]*@", r"\1:***@", address)
    return re.sub(r"([?&](?:ssl)?password=)[^&#]*", r"\1***", hidden)
