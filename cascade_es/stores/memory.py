"""A store in memory: for trying things out, and what the others are compared with."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from cascade_es.log import Conflict, Head
from cascade_es.stores.seam import Store, head_at, header_of, placed, unknown

__all__ = ["MemoryStore"]


class MemoryStore(Store):
    """Keeps games as long as the object lives, closed or not.

    >>> from cascade_es import Game, Replay, load_card
    >>> store = MemoryStore()
    >>> game = Game.new({"ann": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], store=store)
    >>> game.seal()
    >>> Replay.open(store=store).digest() == game.digest()
    True
    """

    def __init__(self) -> None:
        self._games: dict[bytes, list[bytes]] = {}
        self._lock = threading.Lock()

    def create(self, header: bytes) -> bytes:
        game, _ = header_of(header)
        with self._lock:
            frames = self._games.setdefault(game, [header])
            if frames[0] != header:
                raise Conflict(0, len(frames))
        return game

    def append(self, game: bytes, number: int, frame: bytes) -> Head:
        with self._lock:
            frames = self._frames(game)
            head = head_at(len(frames) - 1, frames[-1])
            there = placed(head, number, frame, lambda: frames[number])
            if there is not None:
                return there
            frames.append(frame)
        return head_at(number, frame)

    def read(self, game: bytes, start: int = 0) -> Iterator[bytes]:
        with self._lock:
            return iter(self._frames(game)[start:])

    def head(self, game: bytes) -> Head:
        with self._lock:
            frames = self._frames(game)
            return head_at(len(frames) - 1, frames[-1])

    def games(self) -> tuple[bytes, ...]:
        with self._lock:
            return tuple(sorted(self._games))

    def _frames(self, game: bytes) -> list[bytes]:
        if game not in self._games:
            raise unknown(game, "memory:")
        return self._games[game]
