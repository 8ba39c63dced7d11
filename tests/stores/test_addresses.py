"""Addresses name one game in one store, or say in one line why they do not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cascade_es import Damaged, Game, InputError, Replay, load_card, verify
from cascade_es.log import pack_frame
from cascade_es.stores import Address, FileStore, SQLiteStore, Unavailable, open_store

CARDS = [load_card("Forest")]


def begin(address: str, seed: str = "one") -> str:
    """Begin a game at an address; its id."""
    with Game.new({"ann": {"hand": ["Forest"]}, "bob": {}}, cards=CARDS, seed=seed, log=address) as game:
        return game.ctx.secrets.log_id.hex()


@pytest.mark.parametrize(
    ("text", "kind", "place", "game"),
    [
        ("game.ces", "file", "game.ces", ""),
        ("a#12.ces", "file", "a#12.ces", ""),
        ("sqlite:///games.db", "sqlite", "games.db", ""),
        ("sqlite:////var/games.db#AB", "sqlite", "/var/games.db", "ab"),
        ("sqlite:///a%20b%23.db#0f", "sqlite", "a b#.db", "0f"),
        ("postgresql://ann@host:1/db?x=y#12", "postgresql", "postgresql://ann@host:1/db?x=y", "12"),
        ("postgres://host/db", "postgresql", "postgres://host/db", ""),
        ("PostgreSQL://host/db", "postgresql", "postgresql://host/db", ""),
        ("memory:", "memory", "", ""),
    ],
)
def test_what_addresses_say(text: str, kind: str, place: str, game: str) -> None:
    """An address has a kind of store, the store's place, and perhaps a game."""
    found = Address.of(text)
    assert (found.kind, found.place, found.game) == (kind, place, game)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mysql://host/db", "unknown kind of store 'mysql'"),
        ("sqlite://games.db", "write sqlite:///FILE"),
        ("sqlite:///", "write sqlite:///FILE"),
        ("sqlite:///a%00b.db", "write sqlite:///FILE"),
        ("sqlite:///a.db#xyz", "'xyz' is no game id"),
        ("sqlite:games.db", "write sqlite:///FILE"),
        ("postgresql:", "postgresql://HOST/DATABASE"),
        ("postgresql:///db?connect_timeout=x", "connect_timeout is a number of seconds"),
        ("postgresql://h/d#" + "0" * 33, "is no game id"),
        ("sqlite:///missing.db", "no such database"),
        ("sqlite:///no/folder/a.db", "no such database"),
        ("missing.ces", "no such file"),
        ("memory:", "no game in this store"),
    ],
)
def test_addresses_that_lead_nowhere(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that cannot be used is an error that names it, and makes no file."""
    monkeypatch.chdir(tmp_path)
    for ask in (Replay.open, Game.resume, verify):
        with pytest.raises(InputError) as caught:
            ask(text)
        assert says in str(caught.value)
        assert str(caught.value).startswith(f"{text}: ")
        assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_reading_a_database_changes_nothing(tmp_path: Path) -> None:
    """Whoever only reads writes nothing: an empty file stays empty, and a database the bytes that it was."""
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(InputError, match="no game in this store"):
        verify(f"sqlite:///{empty}")
    assert empty.read_bytes() == b""
    address = f"sqlite:///{tmp_path / 'games.db'}"
    begin(address)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert verify(address).word == "exact"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="folders there have no such permissions")
def test_a_database_on_a_medium_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database is read where nothing can be written beside it; writing says what can be done."""
    place = tmp_path / "medium"
    place.mkdir()
    begin(f"sqlite:///{place / 'games.db'}")
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and real(path, mode))
    with SQLiteStore(place / "games.db", readonly=True) as store:
        assert len(store.games()) == 1
        assert [path.name for path in place.iterdir()] == ["games.db"]
        with pytest.raises(Unavailable, match="to a folder that you may write"):
            store.append(store.games()[0], 2, pack_frame(store.head(store.games()[0]).hash, b"x", b""))


@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_one_game_needs_no_id_and_several_do(address: str) -> None:
    """The id may be left out for the only game, and shortened while it names one; else all are listed."""
    first = begin(address)
    assert Replay.open(address).log.header.log_id.hex() == first
    ids = [first, *(begin(address, f"seed {number}") for number in range(20))]
    with pytest.raises(InputError, match=r"which game\? add #ID") as caught:
        Replay.open(address)
    assert all(name in str(caught.value) for name in sorted(ids)[:10])
    assert str(caught.value).endswith("and 11 more")
    for name in ids:
        assert Replay.open(f"{address}#{name}").log.header.log_id.hex() == name
        short = next(name[:size] for size in range(33) if sum(o.startswith(name[:size]) for o in ids) == 1)
        assert Replay.open(f"{address}#{short.upper()}").log.header.log_id.hex() == name
    twice = next(digit for digit in "0123456789abcdef" if sum(name[0] == digit for name in ids) > 1)
    with pytest.raises(InputError, match="which game"):
        verify(f"{address}#{twice}")
    with pytest.raises(InputError, match="no game here has an id that begins with"):
        verify(f"{address}#{'0' * 32}")


def test_a_new_game_chooses_its_own_id(tmp_path: Path) -> None:
    """A new game may be given an id only if it is the one that follows from its seed."""
    name = begin(f"sqlite:///{tmp_path}/a.db")
    assert begin(f"sqlite:///{tmp_path}/b.db#{name[:5]}") == name
    with pytest.raises(InputError, match=f"this game gets the id {name}"):
        begin(f"sqlite:///{tmp_path}/c.db#{'0' * 32}")


def test_passwords_are_not_shown() -> None:
    """No error and no name shows the password in an address."""
    pytest.importorskip("psycopg")
    for address in (
        "postgresql://ann:geheim@127.0.0.1:1/db",
        "postgresql://ann@127.0.0.1:1/db?password=geheim&connect_timeout=1",
    ):
        with pytest.raises(Unavailable) as caught:
            open_store(address)
        assert "geheim" not in str(caught.value)
        assert "127.0.0.1" in str(caught.value)
        assert "geheim" not in Address.of(address).text


@pytest.mark.parametrize("address", ["sqlite:///{}/a.db", "postgresql://ann@127.0.0.1:1/db"])
def test_what_to_install(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the packages for databases the error says which extra to install."""
    for name in ("eventsourcing.sqlite", "eventsourcing.postgres", "psycopg"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Unavailable, match=r"install cascade-es\[databases\]"):
        begin(address.format(tmp_path))


def test_a_server_that_is_gone(database: Callable[[], str]) -> None:
    """A database that does not exist is said in one line, with what the server says."""
    address = database() + "_not_here"
    with pytest.raises(Unavailable, match="does not exist") as caught:
        verify(address)
    assert "\n" not in str(caught.value)


# --------------------------------------------------------------------------------------- files


def test_files_of_any_name_in_a_folder(tmp_path: Path) -> None:
    """Logs are found by the ids in them, whatever they are called; what is no log is passed over."""
    name = begin(str(tmp_path / "my game.ces"))
    (tmp_path / "empty.ces").touch()
    (tmp_path / "foreign.ces").write_bytes(b"not a log at all, but long enough to be one of something")
    (tmp_path / "notes.txt").write_text("hello")
    store = FileStore(tmp_path)
    assert [game.hex() for game in store.games()] == [name]
    assert Replay.open(str(tmp_path)).log.header.log_id.hex() == name
    other = begin(str(tmp_path), "two")
    assert (tmp_path / f"{other}.ces").is_file()
    assert sorted(game.hex() for game in store.games()) == sorted([name, other])


def test_a_file_is_a_store_for_one_game(tmp_path: Path) -> None:
    """A single log file holds one game, and refuses a second."""
    source = FileStore(tmp_path / "folder")
    ids = [bytes.fromhex(begin(str(tmp_path / f"{seed}.ces"), seed)) for seed in ("one", "two")]
    headers = [
        next(FileStore(tmp_path / f"{seed}.ces").read(game))
        for game, seed in zip(ids, ("one", "two"), strict=True)
    ]
    single = FileStore(tmp_path / "single.ces")
    assert single.games() == source.games() == ()
    assert single.create(headers[0]) == ids[0]
    with pytest.raises(InputError, match="the log of another game"):
        single.create(headers[1])
    assert single.games() == (ids[0],)


@pytest.mark.cites("R125")
def test_nothing_is_added_to_a_torn_file(tmp_path: Path) -> None:
    """A file that ends inside a frame is damaged: nothing is appended, and no byte changes."""
    game = bytes.fromhex(begin(str(tmp_path)))
    path = tmp_path / f"{game.hex()}.ces"
    store = FileStore(tmp_path)
    header, frame = store.read(game)
    path.write_bytes(path.read_bytes()[:-3])
    torn = path.read_bytes()
    for number in (1, 2):
        with pytest.raises(Damaged, match="cut"):
            store.append(game, number, frame)
    with pytest.raises(Damaged, match="cut"):
        FileStore(tmp_path).create(header)
    assert path.read_bytes() == torn


def test_a_file_that_is_being_played_into(tmp_path: Path) -> None:
    """While a game holds a file, the store waits for it, and then says so; it can still read."""
    path = tmp_path / "a.ces"
    with Game.new({"ann": {"hand": ["Forest"]}, "bob": {}}, cards=CARDS, log=str(path)):
        store = FileStore(path, wait=0.05)
        (game,) = store.games()
        _, frame = store.read(game)
        with pytest.raises(Unavailable, match="being written"):
            store.append(game, 1, frame)
    assert store.append(game, 1, frame).frames == 2


def test_a_write_that_fails_leaves_the_file(tmp_path: Path) -> None:
    """When a frame cannot be made durable, it is not stored, and the next try stores it."""
    game = bytes.fromhex(begin(str(tmp_path)))
    path = tmp_path / f"{game.hex()}.ces"
    _, frame = FileStore(tmp_path).read(game)
    path.write_bytes(path.read_bytes()[: -len(frame)])
    before = path.read_bytes()

    def fail(file: int) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        FileStore(tmp_path, sync=fail).append(game, 1, frame)
    assert path.read_bytes() == before
    assert FileStore(tmp_path).append(game, 1, frame).frames == 2


@pytest.mark.parametrize("wrong", [b"game.ces", 7, None])
def test_an_address_is_text(wrong: object) -> None:
    """Bytes where a name belongs, such as those of a log, are told where they belong."""
    with pytest.raises(
        InputError, match=r"an address is text, not .*; of bytes see Replay.of and verify_bytes"
    ):
        verify(wrong)  # type: ignore[arg-type]
