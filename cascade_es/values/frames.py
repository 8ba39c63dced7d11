"""Running procedures: what each of them has to remember while it waits."""

from __future__ import annotations

from typing import Any

from cascade_es.values.mana import Price
from cascade_es.values.objects import AbilityRef
from cascade_es.values.record import Record


class PriorityData(Record, frozen=True):
    """Who has or last had priority, how many players have passed in succession, and what came last.

    ``after`` is "begun", "pass", "action" or "resolution": who receives priority next depends on it
    (117.3).
    """

    player: int
    passes: int = 0
    after: str = "begun"


class Part(Record, frozen=True):
    """One non-mana component of a locked total cost: what must be done, how often, and with what.

    ``path`` finds its text: where the cost is written (the card's additional costs, an activated
    ability's cost) and its index there.
    """

    kind: str
    amount: int
    path: tuple[int, ...]
    random: bool = False


class CastingData(Record, frozen=True):
    """A spell or ability being put on the stack; what is chosen for it stands on the object."""

    player: int
    object: int
    had_priority: bool
    price: Price | None = None
    parts: tuple[Part, ...] = ()
    drawn: tuple[int, ...] = ()


class PayingData(Record, frozen=True):
    """What is left to pay of a locked total cost, and what has been paid."""

    player: int
    object: int
    price: Price
    parts: tuple[Part, ...]
    used: tuple[int, ...] = ()


class ManaData(Record, frozen=True):
    """A mana ability being activated: it does not use the stack (605.3b)."""

    player: int
    source: int
    ability: AbilityRef


class SpecialData(Record, frozen=True):
    """A special action being taken: it does not use the stack (116.1)."""

    player: int
    object: int
    action: str
    index: int


class StackingData(Record, frozen=True):
    """Waiting triggers being put on the stack; ``order`` is what is left, by pending id."""

    order: tuple[int, ...] = ()
    object: int = 0


class ResolvingData(Record, frozen=True):
    """A running effect: where in its script it is, and what it has bound so far."""

    object: int
    path: tuple[int, ...] = (0,)
    bound: tuple[tuple[str, tuple[int, ...]], ...] = ()
    legal: tuple[bool, ...] = ()

    def values(self, name: str) -> tuple[int, ...] | None:
        """What a name is bound to."""
        for key, value in self.bound:
            if key == name:
                return value
        return None


class CascadingData(Record, frozen=True):
    """One resolving cascade: the limit, the pile exiled so far, and the card it stopped at."""

    player: int
    object: int
    limit: int
    pile: tuple[int, ...] = ()
    hit: int = 0


class OfferingData(Record, frozen=True):
    """Cards that a player may cast while something resolves, and where in its script that stands."""

    player: int
    object: int
    cards: tuple[int, ...]
    path: tuple[int, ...]
    most: int = 1


class ReversingData(Record, frozen=True):
    """An action found illegal: where to return to, and why."""

    mark: int
    rule: str
    reason: str
    player: int


class Frame(Record, frozen=True):
    """One running procedure: its machine's name, that machine's state, its data.

    ``mark`` is the sequence number just before it began, ``event`` that of the event that began it.
    """

    machine: str
    state: str
    mark: int
    data: Any
    event: int = 0
