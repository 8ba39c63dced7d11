"""What a store promises, and the checks that all stores share.

The position of a frame is its number, and nothing else: neither a time nor the order of a table has a
say in it.  Whoever appends names the position that the frame must get, and the frame itself names the
hash of the frame before.  So two writers cannot both go on from the same place: one wins, the other is
told, and a frame that was sent twice is stored once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from cascade_es.errors import InputError
from cascade_es.log import MAGIC, Conflict, Decoder, Head, RawFrame, unpack_frame
from cascade_es.log.frames import FRAME_HEAD

__all__ = ["OtherHistory", "Store", "Unavailable", "game_bytes"]


class OtherHistory(Conflict):
    """A frame that comes next by its number, but follows another frame than the last one here."""

    def __init__(self, number: int) -> None:
        super().__init__(number, number)
        self.args = (f"frame {number} follows another frame {number - 1} than the one that is stored here",)


class Unavailable(InputError):
    """A store that cannot be used now: no server answers, a lock is not given up, a package is missing."""


class Store(ABC):
    """Keeps the frames of many games; each method may be called from several threads at once.

    A game is named by the 16 bytes of its log id.  Wherever there is no such game, the methods raise
    :class:`~cascade_es.errors.InputError`; where the store cannot be used now, :class:`Unavailable`.
    """

    @abstractmethod
    def create(self, header: bytes) -> bytes:
        """Begin a game with the frame of its header; the game's id, which that frame holds.

        The very same header again is no error, and changes nothing.

        Raises:
            Conflict: when the game was begun with another header.
            Damaged: when these bytes are no whole frame of a header.
        """

    @abstractmethod
    def append(self, game: bytes, number: int, frame: bytes) -> Head:
        """Store a frame at a position, whole or not at all; the head of the game at that frame.

        The same bytes again at their position are no error and change nothing: the head is the one that
        they had the first time.

        Raises:
            Conflict: when the position is not the next one and holds no such frame; or, as
                :class:`OtherHistory`, when the frame does not follow the last one.
            Damaged: when these bytes are no whole frame.
        """

    @abstractmethod
    def read(self, game: bytes, start: int = 0) -> Iterator[bytes]:
        """The frames of a game by their numbers, from ``start`` on, exactly as they were stored.

        What is appended meanwhile may follow or not, but nothing is left out.
        """

    @abstractmethod
    def head(self, game: bytes) -> Head:
        """The number of the game's frames and the hash of the last one."""

    @abstractmethod
    def games(self) -> tuple[bytes, ...]:
        """The ids of all games, sorted."""

    def close(self) -> None:
        """Let go of files and connections; closing again does nothing."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def game_bytes(store: Store, game: bytes) -> bytes:
    """A game as a log file would hold it.

    Raises:
        InputError: when there is no such game.
    """
    return b"".join((MAGIC, *store.read(game)))


# ----------------------------------------------------------------------------- for implementations


def header_of(frame: bytes) -> tuple[bytes, RawFrame]:
    """The log id in the frame of a header, and the frame.

    Raises:
        Damaged: when these bytes are no whole frame of a header.
    """
    raw = unpack_frame(frame)
    return Decoder().header(raw).log_id, raw


def bytes_of(data: bytes, frame: RawFrame) -> bytes:
    """The bytes of one frame, as a store keeps it, in those of a whole log."""
    return data[frame.offset : frame.offset + FRAME_HEAD + len(frame.payload) + len(frame.openings)]


def head_at(number: int, frame: bytes) -> Head:
    """The head of a game whose last frame is this one."""
    return Head(number + 1, unpack_frame(frame, number).hash)


def placed(head: Head, number: int, frame: bytes, stored: Callable[[], bytes]) -> Head | None:
    """None when a frame comes next, or the head at it when it is stored already.

    ``head`` is that of the game, ``stored`` gives what is stored at the position, if it is before that.

    Raises:
        Conflict, Damaged: as :meth:`Store.append`.
    """
    raw = unpack_frame(frame, number)
    if 0 <= number < head.frames:
        return settled(head, number, frame, stored())
    if number != head.frames:
        raise Conflict(number, head.frames)
    if raw.previous != head.hash:
        raise OtherHistory(number)
    return None


def settled(head: Head, number: int, frame: bytes, stored: bytes) -> Head:
    """The head at a position that is taken: equal bytes are the same frame, sent again.

    Raises:
        Conflict: when another frame is there.
    """
    if frame != stored:
        raise Conflict(number, head.frames)
    return head_at(number, frame)


def unknown(game: bytes, name: str) -> InputError:
    """The error for a game that is not there."""
    return InputError(f"there is no game {game.hex()} here; check its id", where=name)
