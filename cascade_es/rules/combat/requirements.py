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
from cascade_es.rules.costchanges import plus
from cascade_es.rules.filters import holds, matches
from cascade_es.rules.printed import cost_of
from cascade_es.values.mana import Price, price
from cascade_es.values.script import Combat, Static

BUDGET: Final = 20_000
"""How many declarations a search looks at before it is content with the best one so far."""

CANT: Final = ("attack", "attack alone", "block", "block alone", "be blocked", "be blocked by two")
MUST: Final = ("attack", "block", "be blocked", "be blocked by all")
"""The words that combat asks for."""


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
    found: list[Rule] = []
    if Static not in board.ctx.cards.sorts:
        return ()
    for handle in board.state.game.battlefield:
        you = board.state.object(handle).controller
        for _, ability in board.abilities(handle):
            if isinstance(ability, Static):
                found += _said(board, ability, on, handle, you, ())
    for effect in board.state.game.effects:
        text = board.ability(effect.ability) if effect.ability is not None else None
        if isinstance(text, Static):
            found += _said(board, text, on, effect.source, effect.controller, effect.about)
    return tuple(found)


def _said(
    board: Board, ability: Static, on: str, source: int, you: int, those: tuple[int, ...]
) -> list[Rule]:
    if ability.combat is None or ability.combat.on != on:
        return []
    if ability.condition is not None and not holds(board, ability.condition, you, source):
        return []
    return [Rule(source, you, ability.combat, those)]


def add_costs(texts: list[str]) -> Price:
    """The total of mana costs (508.1h, 509.1d)."""
    total = Price()
    for text in texts:
        total = plus(total, price(cost_of(text)))
    return total
