"""New and empty places for stores, one kind at a time; PostgreSQL where a server is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

SERVER = "CASCADE_ES_TEST_POSTGRESQL"
"""The environment variable with the address of a server on which databases may be made and dropped."""

KINDS = ("file", "folder", "sqlite", "postgresql")


@pytest.fixture(scope="session")
def database() -> Iterator[Callable[[], str]]:
    """Makes a new database and gives its address; they are dropped at the end."""
    server = os.environ.get(SERVER)
    if not server:
        pytest.skip(f"no PostgreSQL server: {SERVER} names none (.ci/postgresql starts one)")
    psycopg = pytest.importorskip("psycopg")
    numbers = count(1)
    made: list[str] = []
    base, _, _ = server.rpartition("/")
    with psycopg.connect(server, autocommit=True) as connection:

        def make() -> str:
            name = f"test_{os.getpid()}_{next(numbers)}"
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
            made.append(name)
            return f"{base}/{name}"

        yield make
        for name in made:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new place, of each kind in turn."""
    if request.param == "postgresql":
        make: Callable[[], str] = request.getfixturevalue("database")
        return make()
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    folder = tmp_path / "games"
    folder.mkdir()
    return str(folder / "game.ces") if request.param == "file" else str(folder)
