"""The bench on which the rules make a unit: a state that moves on with every event they emit.

The rules never change a state.  They emit events, and each event is folded at once, so that the next
rule sees what the last one did.
"""

from __future__ import annotations

from typing import Any

from cascade_es.evolve import Recall, evolve
from cascade_es.rules.board import Board, Context
from cascade_es.values.events import Event
from cascade_es.values.facts import EVERYONE, Fact, Opening
from cascade_es.values.state import State


class Work:
    """A unit in the making."""

    def __init__(self, ctx: Context, state: State, recall: Recall, frame: int) -> None:
        self.ctx = ctx
        self.start = state
        self.state = state
        self.events: list[Event] = []
        self.frame = frame
        self._past = recall
        self.states = [state]
        self.openings: list[Opening] = []
        self._board: Board | None = None
        self.cause = 0

    @property
    def board(self) -> Board:
        """The game as it is now."""
        if self._board is None or self._board.state is not self.state:
            self._board = Board(self.ctx, self.state)
        return self._board

    @property
    def mark(self) -> int:
        """The sequence number before this unit: where an action begun by it returns to."""
        return self.start.ledger.seq

    def recall(self, seq: int) -> State:
        """The state after an event, this unit's included."""
        first = self.start.ledger.seq
        return self.states[seq - first] if seq >= first else self._past(seq)

    def seal(self, value: Any, seats: int) -> Fact:
        """A value that only these seats may know (a bit mask; 0 is nobody)."""
        if seats == EVERYONE:
            return Fact.public(value)
        fact, opening = self.ctx.secrets.commit(self.frame, len(self.openings), value, seats)
        self.openings.append(opening)
        return fact

    def emit(self, kind: type[Event], rule: str, *fields: Any, auto: bool = True, cause: int = 0) -> int:
        """Append one event and fold it; its sequence number.

        ``cause`` is by default the event that began the running procedure.
        """
        reason = cause or self.cause or self.state.frame.event
        event = kind(rule, reason, auto, *fields)
        self.state = evolve(self.state, event, self.recall)
        self.events.append(event)
        self.states.append(self.state)
        return self.state.ledger.seq

    def new_id(self) -> int:
        """The next free id."""
        return self.state.ledger.next_id
