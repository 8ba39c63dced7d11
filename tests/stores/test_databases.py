"""What only stores in databases can meet: a lost answer, a faster writer, a foreign file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cascade_es.errors import InputError
from cascade_es.log import Conflict
from cascade_es.stores import PostgreSQLStore, SQLiteStore, Unavailable
from cascade_es.testing.store_conformance import Story

pytest.importorskip("eventsourcing")

DatabaseStore = SQLiteStore | PostgreSQLStore


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Opens a store in a new database; the same one each time."""
    if request.param == "sqlite":
        return lambda: SQLiteStore(tmp_path / "a.db")
    address = request.getfixturevalue("database")()
    return lambda: PostgreSQLStore(address)


@pytest.mark.cites("R133")
def test_a_frame_whose_answer_was_lost_is_stored(
    opened: Callable[[], DatabaseStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the recorder's own retry finds the frame in place, it is read back, and that is success."""
    with opened() as store:
        story = Story()
        story.tell(store, 1)
        insert = store._recorder.insert_events
        monkeypatch.setattr(store._recorder, "insert_events", lambda events: (insert(events), insert(events)))
        assert store.append(story.game, 2, story.add(b"sent twice")) == story.heads[2]
        assert store.create(Story().frames[0]) in store.games()
        assert list(store.read(story.game)) == story.frames


def test_a_faster_writer_between_check_and_insert(
    opened: Callable[[], DatabaseStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was overtaken after looking at the head gets Conflict, and the faster frame stays."""
    with opened() as store, opened() as faster:
        story = Story()
        story.tell(store, 1)
        mine = story.next(b"mine")
        theirs = story.add(b"theirs")
        insert = store._recorder.insert_events

        def overtaken(events: Any) -> None:
            faster.append(story.game, 2, theirs)
            insert(events)

        monkeypatch.setattr(store._recorder, "insert_events", overtaken)
        with pytest.raises(Conflict) as caught:
            store.append(story.game, 2, mine)
        assert (caught.value.expected, caught.value.actual) == (2, 3)
        assert list(store.read(story.game)) == story.frames


def test_looking_makes_no_tables(tmp_path: Path, database: Callable[[], str]) -> None:
    """A database that is only asked for games is left as it is."""
    address = database()
    with PostgreSQLStore(address) as store:
        assert store.games() == ()
        assert not store._has_table()
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    with SQLiteStore(tmp_path / "other.db", create=False) as found:
        assert found.games() == ()
        assert not found._has_table()


def test_a_table_of_ones_own(opened: Callable[[], DatabaseStore], tmp_path: Path) -> None:
    """Two tables in one database are two stores; a name that is none is refused."""
    with opened() as one, SQLiteStore(tmp_path / "a.db", table="other_frames") as two:
        Story().tell(two, 1)
        assert one.games() == ()
        assert len(two.games()) == 1
    for name in ("", "a b", "x; DROP TABLE", "A", "a" * 41):
        with pytest.raises(InputError, match="use small letters"):
            SQLiteStore(tmp_path / "a.db", table=name)


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """A file that is no database is an error in one line, and keeps its bytes."""
    path = tmp_path / "a.db"
    path.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(Unavailable, match="not a database") as caught:
        SQLiteStore(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"this is no database at all" * 100
    with pytest.raises(InputError, match="no such folder"):
        SQLiteStore(tmp_path / "none" / "a.db")


def test_a_closed_store(opened: Callable[[], DatabaseStore]) -> None:
    """A store that was closed says that it cannot be used."""
    with opened() as store:
        story = Story()
        story.tell(store, 1)
    with pytest.raises(Unavailable):
        store.head(story.game)


def test_bad_addresses(database: Callable[[], str]) -> None:
    """An address that libpq cannot read is an error of what was given."""
    with pytest.raises(InputError, match="not a usable address"):
        PostgreSQLStore(database() + "?no_such_parameter=1")


def test_parameters_reach_the_server(database: Callable[[], str]) -> None:
    """All that an address says to libpq counts for every connection, and so does a schema."""
    import psycopg

    address = database() + "?application_name=of-a-test"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA games")
        with PostgreSQLStore(address, schema="games") as store, PostgreSQLStore(address) as public:
            Story().tell(store, 1)
            assert len(store.games()) == 1
            assert public.games() == ()
            found = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'of-a-test'"
            ).fetchone()
            assert found is not None
            assert found[0] >= 3
