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
            total = total.plus(price(cost_of(change.more)))
    for change, times in found:
        for _ in range(times if change.less else 0):
            total = total.less(price(cost_of(change.less)))
    for change, _ in found:
        # Effects that change the total directly come when all else is done (601.2f).
        total = total.at_least(int(change.least or 0))
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
