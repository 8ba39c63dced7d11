"""Looking back: the units of a game and the state after each of their events.

A history is what a game being played and a log being replayed have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cascade_es.editions import Edition
from cascade_es.errors import InputError
from cascade_es.evolve import INITIAL
from cascade_es.log import Unit
from cascade_es.rules.board import Board, Context
from cascade_es.values import events as ev
from cascade_es.values.digest import digest
from cascade_es.values.state import State

if TYPE_CHECKING:
    from cascade_es.game import Game
    from cascade_es.stores import Store


class Step(msgspec.Struct, frozen=True):
    """One event: its sequence number, the number of its unit, and the state after it."""

    seq: int
    unit: int
    event: ev.Event
    state: State


class Undone(msgspec.Struct, frozen=True):
    """A span of events that a reversal has undone: both ends inclusive, and the event that did it."""

    first: int
    last: int
    by: int
    reason: str
    kept: tuple[int, ...] = ()


class History:
    """The units of one game, and every state on the way."""

    def __init__(self, ctx: Context, names: Sequence[str]) -> None:
        self.ctx: Final = ctx
        self.names: Final = tuple(names)
        self._states: list[State] = [INITIAL]
        self._units: list[Unit] = []
        self._board: Board | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} events, {'sealed' if self.sealed else 'open'}>"

    @property
    def state(self) -> State:
        """The last state."""
        return self._states[-1]

    @property
    def board(self) -> Board:
        """The last state, with the cards' definitions: names, characteristics, abilities."""
        if self._board is None or self._board.state is not self.state:
            self._board = Board(self.ctx, self.state)
        return self._board

    def board_at(self, seq: int) -> Board:
        """The state after an event, with the cards' definitions."""
        return Board(self.ctx, self.at(seq))

    @property
    def edition(self) -> Edition:
        """The edition of the rules in force."""
        return self.ctx.edition

    @property
    def units(self) -> tuple[Unit, ...]:
        """All accepted decisions with their events."""
        return tuple(self._units)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def sealed(self) -> bool:
        """Whether the record has ended, with the game or before it."""
        return self.state.ledger.sealed

    def at(self, seq: int) -> State:
        """The state after event number ``seq`` (0: before the first).

        Raises:
            InputError: when there is no such event.
        """
        if not 0 <= seq < len(self._states):
            raise InputError(f"there is no step {seq}; steps run from 0 to {len(self._states) - 1}")
        return self._states[seq]

    def __iter__(self) -> Iterator[Step]:
        """All events in order, each with the state after it."""
        return self.since(0)

    def since(self, seq: int) -> Iterator[Step]:
        """The events after number ``seq``."""
        number = 0
        for unit, content in enumerate(self._units, start=1):
            if number + len(content.events) <= seq:
                number += len(content.events)
                continue
            for event in content.events:
                number += 1
                if number > seq:
                    yield Step(number, unit, event, self._states[number])

    def __len__(self) -> int:
        """The number of events."""
        return len(self._states) - 1

    def before(self, seq: int, count: int = 5) -> tuple[tuple[int, ev.Event], ...]:
        """The last ``count`` events up to number ``seq``, each with its number."""
        return tuple((step.seq, step.event) for step in self.since(max(seq - count, 0)) if step.seq <= seq)

    def digest(self, seq: int = -1) -> str:
        """The digest of the state after an event (by default the last), in hexadecimal."""
        return digest(self.state if seq < 0 else self.at(seq)).hex()

    def undone(self) -> tuple[Undone, ...]:
        """The spans that reversals have undone, in the order of the reversals."""
        return tuple(
            Undone(step.event.mark + 1, step.seq - 1, step.seq, step.event.reason, step.event.kept)
            for step in self
            if isinstance(step.event, ev.ActionReversed)
        )

    def fork(
        self,
        seq: int,
        *,
        seed: bytes | str | None = None,
        log: str | None = None,
        store: Store | None = None,
        durability: str = "every-decision",
        logger: Any = None,
    ) -> Game:
        """A new game that goes on after event ``seq`` of this one, which stays as it is.

        Its log is whole by itself, names this one as its parent, and has its own id and blinding key; what
        follows from chance follows from the parent's seed, so that "what if" differs in nothing else.

        Args:
            seq: the last event that both have; a decision is whole or not at all.
            seed: what the new id and key follow from; None takes 32 unpredictable bytes.
            log, store, durability: where the new log goes, as in :meth:`Game.new`; nothing is overwritten.
            logger: a structlog logger for diagnostics.

        Raises:
            InputError: when this is no full copy, nothing can go on there, or the place cannot be used.

        >>> from cascade_es import Game, decisions, load_card
        >>> game = Game.new(
        ...     {"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], step="precombat main"
        ... )
        >>> game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))[0].kind
        'land-played'
        >>> other = game.fork(len(game) - 2)
        >>> len(other.state.player(0).hand), len(game.state.player(0).hand)
        (1, 0)
        """
        from cascade_es.fork import fork

        return fork(self, seq, seed=seed, log=log, store=store, durability=durability, logger=logger)

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames of the log, the header's first."""
        raise NotImplementedError

    def _recall(self, seq: int) -> State:
        return self._states[seq]
