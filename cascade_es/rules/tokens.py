"""Tokens (111): creating them.  Everything that creates tokens goes through here."""

from __future__ import annotations

from cascade_es.rules.board import Board
from cascade_es.rules.work import Work
from cascade_es.rules.zones import create as enter
from cascade_es.values.facts import Fact
from cascade_es.values.state import Base


def described(board: Board, card: Fact, face: int, name: str) -> Base:
    """The token of this name that a card describes; its index counts on beyond the faces.

    ``face`` is where the text stands that speaks of it: the nearest one of that name is meant.
    """
    definition = board.ctx.cards.definition(card.value)
    index, found = len(definition.faces), -1
    for number, part in enumerate(definition.faces):
        for token in part.tokens:
            if token.name == name and (found < 0 or number == face):
                found = index
            index += 1
    assert found >= 0, f"'{definition.name}' describes no token '{name}'"
    return Base(card, found)


def create(
    w: Work, seat: int, base: Base, count: int, *, tapped: bool = False, attached: int = 0, by: int = 0
) -> tuple[int, ...]:
    """A player creates tokens (111.2, 701.7a): they enter at the same time."""
    return enter(w, seat, base, count, tapped=tapped, attached=attached, by=by)
