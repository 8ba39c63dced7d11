"""Addresses: one line that says in which store a log is, and which one.

===================================  ==========================================================
``game.ces``                         a log file
``folder#ID``                        a folder with log files
``sqlite:///games.db#ID``            a SQLite database (a fourth slash begins an absolute path)
``postgresql://user@host/db#ID``     a PostgreSQL database, as libpq writes it
``memory:``                          nowhere: the log is gone with the game
===================================  ==========================================================

``#ID`` is the log id in hexadecimal, or so much of its beginning that no other game there begins like
that.  It may be left out where the store has one game only, and where a new game is begun.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from urllib.parse import unquote

import msgspec

from cascade_es.errors import InputError
from cascade_es.log import (
    Disclosure,
    Durability,
    Header,
    Log,
    LogWriter,
    MemoryLog,
    Openings,
    parse_log,
    policy,
    read_frames,
)
from cascade_es.log.disk import read_file, write_new
from cascade_es.log.durability import EVERY_DECISION
from cascade_es.stores.databases import PostgreSQLStore, SQLiteStore, _without_password
from cascade_es.stores.files import SUFFIX, FileStore
from cascade_es.stores.memory import MemoryStore
from cascade_es.stores.recorder import StoreLog
from cascade_es.stores.seam import Store, bytes_of, game_bytes, header_of

__all__ = [
    "Address",
    "begin_log",
    "bytes_at",
    "each_address",
    "keep_log",
    "open_store",
    "read_address",
    "redacted",
    "resume_log",
]

_SCHEME = re.compile(r"([a-z][a-z0-9+]+)://", re.IGNORECASE)
_HALF_SCHEME = re.compile(r"(sqlite3?|postgres|postgresql):", re.IGNORECASE)
_SHOWN = 10


class Address(msgspec.Struct, frozen=True):
    """Where a log is: ``kind`` of store, the store's ``place``, and the (beginning of the) game's id.

    ``text`` is the address as it may be shown: without a password.
    """

    kind: str
    place: str
    game: str
    text: str

    @classmethod
    def of(cls, address: str | os.PathLike[str]) -> Address:
        """What an address says.

        Raises:
            InputError: when there is no such kind of store, or the id is none.

        >>> Address.of("sqlite:///games.db#12ab")
        Address(kind='sqlite', place='games.db', game='12ab', text='sqlite:///games.db#12ab')
        >>> Address.of("game.ces").kind
        'file'
        """
        if not isinstance(address, str | os.PathLike) or not isinstance(path := os.fspath(address), str):
            kind = type(address).__name__
            raise InputError(f"an address is text, not {kind}; of bytes see Replay.of and verify_bytes")
        if not path:
            raise InputError("a name of no letters; name a log, or the address of a store")
        if path == "memory:":
            return cls("memory", "", "", path)
        scheme = _SCHEME.match(path) if isinstance(address, str) else None
        if scheme is None:
            return cls._in_files(path)
        kind = scheme[1].lower()
        text = _without_password(path)
        place, _, game = path.partition("#")
        if kind == "sqlite":
            place = unquote(place[scheme.end() :])
            if not place.startswith("/") or len(place) < 2 or "\x00" in place:
                raise InputError("write sqlite:///FILE, or sqlite:////FILE from the root", where=text)
            return cls(kind, place[1:], _id(game, text), text)
        if kind in ("postgresql", "postgres"):
            return cls("postgresql", kind + place[len(kind) :], _id(game, text), text)
        raise InputError(
            f"unknown kind of store '{kind}'; there are files, sqlite:/// and postgresql://", where=text
        )

    @classmethod
    def _in_files(cls, path: str) -> Address:
        if not os.path.lexists(path):
            folder, mark, game = path.rpartition("#")
            if mark and os.path.isdir(folder):
                return cls("folder", folder, _id(game, path), path)
            if _HALF_SCHEME.match(path):
                raise InputError("write sqlite:///FILE, or postgresql://HOST/DATABASE", where=path)
        return cls("folder" if os.path.isdir(path) else "file", path, "", path)


def _id(game: str, where: str) -> str:
    if re.fullmatch(r"[0-9a-fA-F]{0,32}", game) is None:
        raise InputError(f"'{game}' is no game id; after # stand up to 32 hexadecimal digits", where=where)
    return game.lower()


def redacted(address: str) -> str:
    """An address without its password, to be shown."""
    return _without_password(address)


def open_store(address: str | Address, *, create: bool = False, readonly: bool = False) -> Store:
    """The store that an address names; with ``create`` a new database or folder is made.

    With ``readonly`` it is for reading alone, so a database that may not be written can be read.

    Raises:
        InputError: when it names none.
        Unavailable: when it cannot be used now.
    """
    where = address if isinstance(address, Address) else Address.of(address)
    if where.kind == "memory":
        return MemoryStore()
    if where.kind == "sqlite":
        return SQLiteStore(where.place, create=create, readonly=readonly)
    if where.kind == "postgresql":
        return PostgreSQLStore(where.place)
    return FileStore(where.place)


def find_game(store: Store, prefix: str, where: str) -> bytes:
    """The only game whose id begins so.

    Raises:
        InputError: when there is none, or more than one; the ids are listed then.
    """
    games = store.games()
    found = [game for game in games if game.hex().startswith(prefix)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(game.hex() for game in (found or games)[:_SHOWN])
    more = len(found or games) - _SHOWN
    listed += f" and {more} more" if more > 0 else ""
    if found:
        raise InputError(f"which game? add #ID to the address: {listed}", where=where)
    if not games:
        raise InputError("there is no game in this store", where=where)
    raise InputError(f"no game here has an id that begins with '{prefix}'; there are {listed}", where=where)


# ---------------------------------------------------------------------- what games and readers use


def read_address(
    address: str | os.PathLike[str] = "",
    disclosure: Disclosure | None = None,
    *,
    store: Store | None = None,
) -> Log:
    """The log at an address, or, if a store is given, its game with that (beginning of an) id.

    A ``disclosure`` is read beside it.

    Raises:
        InputError: when there is no such log, or it is foreign, or of a newer format; or when the
            disclosure is of another log.
        FalseDisclosure: when the disclosure opens what the log does not commit to.
        Damaged: when it is not what its writer wrote.
    """
    if store is not None:
        name = os.fspath(address)
        return parse_log(game_bytes(store, find_game(store, _id(name, name), name)), name, disclosure)
    return parse_log(bytes_at(address), Address.of(address).text, disclosure)


def each_address(address: str) -> tuple[str, ...]:
    """An address of every game that one names: all of a store, where no id is said; else itself.

    A folder is all ``.ces`` files in it, whatever is in them, for a damaged one must not be passed over.

    Raises:
        InputError: when the store cannot be used.
    """
    where = Address.of(address)
    if where.game or where.kind in ("file", "memory"):
        return (address,)
    if where.kind == "folder":
        found = tuple(
            os.path.join(where.place, name)
            for name in sorted(os.listdir(where.place))
            if name.endswith(SUFFIX)
        )
    else:
        with open_store(where, readonly=True) as opened:
            found = tuple(f"{address.partition('#')[0]}#{game.hex()}" for game in opened.games())
    return found if len(found) > 1 else (address,)


def bytes_at(address: str | os.PathLike[str]) -> bytes:
    """What a file of the log at an address holds, or would hold; nobody has looked whether it is whole.

    Raises:
        InputError: when there is no such log.
    """
    where = Address.of(address)
    if where.kind == "file" or _is_no_store(where):
        return read_file(address)
    with open_store(where, readonly=True) as opened:
        return game_bytes(opened, find_game(opened, where.game, where.text))


def begin_log(
    address: str | None,
    header: Header,
    openings: Openings,
    *,
    overwrite: bool = False,
    durability: str | Durability = EVERY_DECISION,
    store: Store | None = None,
) -> LogWriter | MemoryLog:
    """The writer of a new game: in a store, at an address, or, with neither, in memory.

    ``overwrite`` lets a file be replaced.  In a store nothing is ever replaced: there the game may be
    present already, and must then go just as it did.  ``durability`` is that of a file; a store makes
    every frame durable before it counts.

    Raises:
        InputError: when that address cannot be used, something is there already, or the durability is
            unknown.
    """
    chosen = policy(durability)
    if store is not None:
        if address is not None:
            raise InputError("give a store or an address, not both", where=redacted(address))
        return StoreLog.begin(store, header, openings, again=overwrite)
    if address is None:
        return MemoryLog(header, openings)
    where = Address.of(address)
    if where.kind == "file":
        return LogWriter.create(address, header, openings, overwrite=overwrite, durability=chosen)
    if not header.log_id.hex().startswith(where.game):
        raise InputError(
            f"this game gets the id {header.log_id.hex()}; leave out the # and what follows", where=where.text
        )
    opened = open_store(where, create=True)
    try:
        return StoreLog.begin(opened, header, openings, again=overwrite, owned=True, name=where.text)
    except BaseException:
        opened.close()
        raise


def keep_log(address: str | None, data: bytes, *, store: Store | None = None) -> str:
    """Put a whole log where none is; where it is now, to be read or resumed there.

    Raises:
        InputError: when something is there already, or that place cannot be used.
        Conflict: when that store has the game, but otherwise.
    """
    frames = [bytes_of(data, frame) for frame in read_frames(data)]
    if store is not None:
        if address is not None:
            raise InputError("give a store or an address, not both", where=redacted(address))
        return _put(store, frames, "").hex()
    if address is None:
        raise InputError("name a file, or the address of a store")
    where = Address.of(address)
    if where.kind == "file":
        write_new(address, data)
        return address
    if where.kind == "memory":
        raise InputError("it would be gone at once; name a file, or another store", where=where.text)
    log_id = header_of(frames[0])[0].hex()
    if not log_id.startswith(where.game):
        raise InputError(
            f"this game gets the id {log_id}; leave out the # and what follows", where=where.text
        )
    with open_store(where, create=True) as opened:
        _put(opened, frames, where.text)
    return f"{where.place if where.kind == 'folder' else address.partition('#')[0]}#{log_id}"


def _put(store: Store, frames: Sequence[bytes], name: str) -> bytes:
    game = store.create(frames[0])
    if store.head(game).frames > len(frames):
        what = f"game {game.hex()} is in this store already, and has gone on; choose another seed"
        raise InputError(what, where=name)
    for number, frame in enumerate(frames[1:], start=1):
        store.append(game, number, frame)
    return game


def resume_log(
    address: str = "", *, store: Store | None = None, durability: str | Durability = EVERY_DECISION
) -> LogWriter | MemoryLog:
    """The writer that goes on with a log; see :func:`read_address` and, of durability, :func:`begin_log`.

    Raises:
        InputError: as :func:`read_address`, and when the log is sealed or being written.
        Damaged: when it is not what its writer wrote.
    """
    chosen = policy(durability)
    if store is not None:
        return StoreLog.go_on(store, find_game(store, _id(address, address), address), name=address)
    where = Address.of(address)
    if where.kind == "file" or _is_no_store(where):
        return LogWriter.resume(address, durability=chosen)
    opened = open_store(where)
    try:
        game = find_game(opened, where.game, where.text)
        return StoreLog.go_on(opened, game, owned=True, name=where.text)
    except BaseException:
        opened.close()
        raise


def _is_no_store(where: Address) -> bool:
    """A folder that holds no game: what is asked for is a file, and the error says so."""
    return where.kind == "folder" and not where.game and not FileStore(where.place).games()
