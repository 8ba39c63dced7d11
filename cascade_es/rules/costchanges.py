"""What other objects do to a total cost (118.7, 601.2f): increases, then reductions, then limits.

They are asked once, as the total is determined; from then on it is locked in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cascade_es.rules.filters import amount_of, matches, speaks_to
from cascade_es.rules.printed import cost_of
from cascade_es.rules.standing import standing, true_now
from cascade_es.values.mana import Price, price
from cascade_es.values.script import CostChange
from cascade_es.values.state import Obj

if TYPE_CHECKING:
    from cascade_es.rules.board import Board


def changed(board: Board, obj: Obj, total: Price) -> Price:
    """A total of mana as effects change it; "reductions" never go below {0} (118.7c)."""
    found = list(_applying(board, obj))
    for change, times in found:
        for _ in range(times if change.more else 0):
            total = plus(total, price(cost_of(change.more)))
    for change, times in found:
        for _ in range(times if change.less else 0):
            total = less(total, price(cost_of(change.less)))
    for change, _ in found:
        # Effects that change the total directly come when all else is done (601.2f).
        missing = int(change.least or 0) - amount(total)
        if missing > 0:
            total = Price(total.generic + missing, total.typed, total.snow, total.life)
    return total


def _applying(board: Board, obj: Obj) -> Iterator[tuple[CostChange, int]]:
    for item in standing(board, CostChange):
        handle, you, change = item.source, item.controller, item.record
        if not speaks_to(change.who, you, obj.controller):
            continue
        if change.this and handle != obj.id:
            continue
        if change.origin and board.choices(obj.id).origin not in change.origin:
            continue
        if not matches(board, change.what, obj.id, you, handle):
            continue
        if not true_now(board, change, item):
            continue
        yield change, max(amount_of(board, change.times, you, handle), 0)


def amount(total: Price) -> int:
    """How much mana a price is."""
    return total.generic + sum(total.typed) + total.snow


def plus(one: Price, other: Price) -> Price:
    """The sum of two prices."""
    w, u, b, r, g, c = (a + b for a, b in zip(one.typed, other.typed, strict=True))
    return Price(
        one.generic + other.generic, (w, u, b, r, g, c), one.snow + other.snow, one.life + other.life
    )


def less(total: Price, by: Price) -> Price:
    """A price less another: generic takes from generic alone, a colour first from its own kind.

    118.7a: a reduction in generic mana does not touch the rest.  118.7b–d: what a reduction of one type
    finds nothing of comes off the generic part.

    >>> from cascade_es.values.mana import Price
    >>> less(Price(1, (0, 0, 1, 0, 0, 0)), Price(0, (0, 0, 2, 0, 0, 0)))
    Price(generic=0, typed=(0, 0, 0, 0, 0, 0), snow=0, life=0)
    """
    typed = list(total.typed)
    generic = total.generic
    for index in range(len(typed)):
        own = min(typed[index], by.typed[index])
        typed[index] -= own
        generic -= min(generic, by.typed[index] - own)
    w, u, b, r, g, c = typed
    return Price(max(generic - by.generic, 0), (w, u, b, r, g, c), total.snow, total.life)
