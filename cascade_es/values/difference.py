"""What differs between two values: by path, with both sides.

Records of a game are deep, and "these two are not equal" helps nobody.  A path leads to the smallest
part that differs, in the names of the fields: ``players[0].life``, ``objects[12].card``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from immutables import Map

from cascade_es.values.facts import Fact
from cascade_es.values.state import State


class Absent:
    """What stands for a value where one side has none."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = Absent()
"""The one :class:`Absent`."""


class Difference(msgspec.Struct, frozen=True):
    """One part in which two values differ: where, and what stands there on either side."""

    path: str
    left: Any
    right: Any


Same = Callable[[Any, Any], bool]
"""Whether two parts that hold no others (a fact, a number, a text) count as the same."""


def same_to_all(left: Any, right: Any) -> bool:
    """Sameness for states: facts are the same when every viewer sees the same of them.

    >>> same_to_all(1, True), same_to_all(Fact(1, 0, 1, b"c"), Fact(1, 0, 3, b"c"))
    (False, True)
    """
    if isinstance(left, Fact) and isinstance(right, Fact):
        left, right = left.key, right.key
    return type(left) is type(right) and bool(left == right)


def same_on_record(left: Any, right: Any) -> bool:
    """Sameness for records: facts are the same when the log holds the same for them."""
    if isinstance(left, Fact) and isinstance(right, Fact) and (left.sealed or right.sealed):
        return _place(left) == _place(right)
    return same_to_all(left, right)


def _place(fact: Fact) -> tuple[int, int, int, bytes]:
    return (fact.frame, fact.ordinal, fact.audience, fact.commitment)


def differences(left: Any, right: Any, same: Same = same_on_record, path: str = "") -> Iterator[Difference]:
    """The parts in which two values differ, in the order of the fields; none when they are the same.

    Tuples of numbers and texts are compared as a whole, others item by item.

    >>> from cascade_es.values.state import Target, Turn
    >>> list(differences(Turn(1, 0, "upkeep"), Turn(1, 1, "upkeep")))
    [Difference(path='active', left=0, right=1)]
    >>> list(differences((Target(0, 5),), (Target(0, 6), Target(1, 7))))[0]
    Difference(path='[0].object', left=5, right=6)
    """
    if left is right:
        return
    if isinstance(left, msgspec.Struct) and type(left) is type(right):
        for name in left.__struct_fields__:
            inside = f"{path}.{name}" if path else name
            yield from differences(getattr(left, name), getattr(right, name), same, inside)
    elif isinstance(left, Map) and isinstance(right, Map):
        for key in sorted({*left, *right}):
            yield from differences(left.get(key, ABSENT), right.get(key, ABSENT), same, f"{path}[{key}]")
    elif isinstance(left, tuple) and isinstance(right, tuple):
        yield from _items(left, right, same, path)
    elif not same(left, right):
        yield Difference(path, left, right)


def _items(left: tuple[Any, ...], right: tuple[Any, ...], same: Same, path: str) -> Iterator[Difference]:
    if not any(isinstance(item, tuple | Fact | msgspec.Struct) for item in (*left, *right)):
        if len(left) != len(right) or not all(map(same, left, right)):
            yield Difference(path, left, right)
        return
    for index in range(max(len(left), len(right))):
        one = left[index] if index < len(left) else ABSENT
        other = right[index] if index < len(right) else ABSENT
        yield from differences(one, other, same, f"{path}[{index}]")


def state_diff(left: State, right: State, same: Same = same_to_all) -> tuple[Difference, ...]:
    """The fields in which the game parts of two states differ: what their digests cover.

    >>> from cascade_es.values.state import Game, Player
    >>> state_diff(State(Game((Player(0, 20),))), State(Game((Player(0, 17),))))
    (Difference(path='players[0].life', left=20, right=17),)
    """
    return tuple(differences(left.game, right.game, same))
