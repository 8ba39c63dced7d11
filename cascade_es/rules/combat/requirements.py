"""Restrictions, requirements and costs of declaring attackers and blockers (508.1c–d, 509.1b–c).

What single creatures are bound to stands in their characteristics, as words: ``cant`` ("attack", "attack
alone", "block", "block alone", "be blocked", "be blocked by two") and ``must`` ("attack", "block", "be
blocked", "be blocked by all").  What is said about several creatures, or needs a filter or a cost, is a
static ability with a ``combat`` text.

A declaration must break no restriction, and must obey as many requirements as any declaration could
that breaks none.  Nobody has to pay a cost to obey more.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from cascade_es.rules.board import Board
from cascade_es.rules.filters import matches
from cascade_es.rules.printed import cost_of
from cascade_es.rules.standing import standing, true_now
from cascade_es.values.mana import Price, price
from cascade_es.values.script import Combat, Static

BUDGET: Final = 20_000
"""How many declarations a search looks at before it is content with the best one so far."""


class Rule(msgspec.Struct, frozen=True):
    """A combat text in force: the object that says so, its controller, and what it says."""

    source: int
    you: int
    text: Combat
    those: tuple[int, ...] = ()

    def about(self, board: Board, handle: int) -> bool:
        """Whether it speaks of a creature."""
        if self.text.this:
            return handle == self.source
        if self.text.those:
            return handle in self.those
        if self.text.attached:
            host = board.find(self.source)
            return host is not None and host.attached == handle
        return self.text.what is None or matches(board, self.text.what, handle, self.you, self.source)

    def towards(self, seat: int, object_: int) -> bool:
        """Whether it speaks of an attack on this player, planeswalker or battle."""
        if not self.text.against:
            return True
        if self.text.against == "others":
            return seat != self.you and object_ == 0
        return seat == self.you and (object_ == 0 or self.text.against == "you or yours")

    def attack(self, board: Board, handle: int, what: tuple[int, int]) -> bool:
        """Whether it speaks of this creature attacking that."""
        return self.towards(*what) and self.about(board, handle)


def rules(board: Board, on: Literal["attack", "block"]) -> tuple[Rule, ...]:
    """Every combat text in force for attacks, or for blocks."""
    return tuple(
        Rule(item.source, item.controller, item.record.combat, item.about)
        for item in standing(board, Static)
        if item.record.combat is not None
        and item.record.combat.on == on
        and true_now(board, item.record, item)
    )


def add_costs(texts: list[str]) -> Price:
    """The total of mana costs (508.1h, 509.1d)."""
    total = Price()
    for text in texts:
        total = total.plus(price(cost_of(text)))
    return total
