"""When a sorcery could be cast (117.1a, 307.1): many other rules ask the same question."""

from __future__ import annotations

from typing import Final

from cascade_es.rules.board import Board

MAIN: Final = ("precombat main", "postcombat main")


def sorcery_time(board: Board, seat: int) -> bool:
    """The main phase of one's own turn, with an empty stack."""
    game = board.state.game
    return game.turn.active == seat and game.turn.step in MAIN and not game.stack
