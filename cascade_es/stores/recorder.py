"""Writing a game into a store, with the same checks and the same bytes as into a file."""

from __future__ import annotations

from typing import Self

from cascade_es.errors import InputError
from cascade_es.log import MAGIC, Header, MemoryLog, Openings
from cascade_es.log.wire import NO_OPENINGS
from cascade_es.stores.seam import Store, game_bytes

__all__ = ["StoreLog"]


class StoreLog(MemoryLog):
    """The writer of one game in a store: made by :meth:`begin` or :meth:`go_on`.

    A unit counts as written once the store has it.  Another writer of the same game is noticed when
    both write: the later one gets :class:`~cascade_es.log.Conflict`, has written nothing, and begins
    anew with :meth:`go_on`.  ``owned`` says that closing the log closes the store.
    """

    _store: Store
    _game: bytes
    _owned: bool

    @classmethod
    def begin(
        cls,
        store: Store,
        header: Header,
        openings: Openings = NO_OPENINGS,
        *,
        again: bool = False,
        owned: bool = False,
        name: str = "",
    ) -> Self:
        """Begin a game; with ``again`` it may be there already, and must then go on just as it did.

        Raises:
            InputError: when the game is there already, or the header could not be read back.
            Conflict: when it was begun with another header.
        """
        self = cls(header, openings)
        self._store, self._game, self._owned, self._name = store, header.log_id, owned, name
        store.create(self.data[len(MAGIC) :])
        if not again and store.head(self._game).frames > 1:
            raise InputError(
                f"game {self._game.hex()} is in this store already; resume it, or choose another seed",
                where=name,
            )
        return self

    @classmethod
    def go_on(cls, store: Store, game: bytes, *, owned: bool = False, name: str = "") -> Self:
        """Go on with a game from its last frame; it is read strictly first.

        Raises:
            InputError: when there is no such game, or it is sealed.
            Damaged: when what is stored is not what its writer wrote.
        """
        self = cls.resume(game_bytes(store, game), name)
        self._store, self._game, self._owned = store, game, owned
        return self

    def close(self) -> None:
        """Write no more, and close the store, if it is this log's own; closing again does nothing."""
        super().close()
        if self._owned:
            self._store.close()

    def _put(self, frame: bytes) -> None:
        if self._closed:
            raise InputError("this log is closed; resume it to go on", where=self._name)
        self._store.append(self._game, self.head.frames, frame)
        super()._put(frame)
