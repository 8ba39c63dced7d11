"""All stores of the package keep the promises of a store."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from cascade_es.stores import FileStore, MemoryStore, PostgreSQLStore, SQLiteStore, Store
from cascade_es.testing.store_conformance import Opener, StoreConformance


class TestMemory(StoreConformance):
    """A store in memory."""

    across_processes = False

    def place(self) -> Opener:
        store = MemoryStore()
        return lambda: store


class TestFolder(StoreConformance):
    """A folder of log files."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path

    def place(self) -> Opener:
        return functools.partial(FileStore, self.path / "games", sync=None)


class TestSQLite(StoreConformance):
    """A SQLite database."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path

    def place(self) -> Opener:
        return functools.partial(SQLiteStore, self.path / "games, 100% & more.db")


class TestPostgreSQL(StoreConformance):
    """A PostgreSQL database."""

    @pytest.fixture(autouse=True)
    def server(self, database: Callable[[], str]) -> None:
        self.make = database

    def place(self) -> Opener:
        return functools.partial(PostgreSQLStore, self.make())


def lists(name: str) -> bool:
    return name.startswith("test_")


def test_the_suite_sees_a_store_that_forgets() -> None:
    """The suite fails for a store that loses frames, overwrites them, or does not look at what it gets."""

    class Overwrites(MemoryStore):
        def append(self, game: bytes, number: int, frame: bytes) -> object:  # type: ignore[override]
            self._games[game][number:] = [frame]
            return self.head(game)

    class Forgets(MemoryStore):
        def read(self, game: bytes, start: int = 0) -> object:  # type: ignore[override]
            return iter(list(super().read(game, start))[:3])

    def failures(kind: Callable[[], Store]) -> set[str]:
        class Suite(StoreConformance):
            across_processes = False

            def place(self) -> Opener:
                store = kind()
                return lambda: store

        found = set()
        for name in filter(lists, dir(Suite)):
            # What threads do to a broken store is left to chance.
            if "thread" not in name and "while" not in name:
                try:
                    getattr(Suite(), name)()
                except Exception:
                    found.add(name.removeprefix("test_"))
        return found

    assert failures(MemoryStore) == set()
    assert failures(Overwrites) >= {
        "a_frame_sent_again_is_stored_once",
        "another_frame_at_a_taken_position_is_a_conflict",
        "a_wrong_predecessor_is_refused",
        "a_broken_frame_is_refused",
        "a_gap_is_refused",
    }
    assert failures(Forgets) >= {"long_games_are_read_whole", "frames_come_back_as_they_were"}


def test_each_promise_is_one_sentence() -> None:
    """Every test of the suite says what it promises."""
    for name in filter(lists, dir(StoreConformance)):
        promise = (getattr(StoreConformance, name).__doc__ or "").strip()
        assert promise.endswith("."), name
        assert "\n" not in promise, name
