"""Old formats: a ladder of pure functions, each from one record to one record of the next format.

A log is never rewritten.  Its chain is checked over the bytes that were stored, and only then its
records climb, rung by rung, to the format that this version reads; a reader of format 3 knows nothing
of format 1 but two small functions that are kept for ever.

A record is a raw row, as msgpack gives it: ``[format, table, …]`` for a header, ``[seat, kind, insist,
body]`` for a decision, ``[kind, rule, cause, auto, …]`` for an event.  A rung may rename a kind, add,
drop, move and change fields.  It must keep the order of the sealed facts in the record, because a fact's
ordinal is its place in the stored bytes; the reader finds it out if it does not.  The values of facts
do not climb: answers only grow at their end, with defaults.

The rungs are data, found complete when the ladder is made: a format without a rung, or two rungs for
one record, is a mistake of ours and stops the import, not somebody's replay a year later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

__all__ = ["DECISION", "HEADER", "LADDER", "NEWEST", "OLDEST", "Ladder", "Row", "Rung"]

Row = tuple[Any, ...]
"""A record as raw values."""

NEWEST: Final = 2
"""The format that the top of the ladder has reached: the one that is written."""

OLDEST: Final = 1
"""The format at the foot of the ladder: what was written before it was no promise and is refused."""

HEADER: Final = "#header"
DECISION: Final = "#decision"
"""What stands for these two records among the kinds of a rung; no kind of event begins with "#"."""


class Rung(msgspec.Struct, frozen=True):
    """The step from format ``start`` to the next one.

    ``casts`` has a function for every record that changed, by kind (of event, as it was called in
    ``start``, or :data:`HEADER` or :data:`DECISION`); a format that changed nothing else has none.
    """

    start: int
    casts: Mapping[str, Callable[[Row], Row]]


class Ladder:
    """All rungs from a format up to another.

    >>> def renamed(row):
    ...     return ("moved", *row[1:])
    >>> ladder = Ladder(2, [Rung(0, {"put": renamed}), Rung(1, {})])
    >>> ladder.event(0, ("put", "rule", 0, True)), ladder.event(1, ("put",))
    (('moved', 'rule', 0, True), ('put',))
    >>> Ladder(2, [Rung(1, {})])
    Traceback (most recent call last):
    ValueError: no rung leads from format 0 to 1
    """

    def __init__(self, newest: int, rungs: Iterable[Rung] = (), *, oldest: int = 0) -> None:
        """Put the ladder together.

        Raises:
            ValueError: when a rung is missing, double, or leads beyond the newest format.
        """
        self.newest: Final = newest
        self.oldest: Final = oldest
        self._rungs: dict[int, Rung] = {}
        for rung in rungs:
            if rung.start in self._rungs:
                raise ValueError(f"two rungs lead from format {rung.start} to {rung.start + 1}")
            if not oldest <= rung.start < newest:
                raise ValueError(f"a rung leads from format {rung.start}, but the newest is {newest}")
            self._rungs[rung.start] = rung
        for start in range(oldest, newest):
            if start not in self._rungs:
                raise ValueError(f"no rung leads from format {start} to {start + 1}")

    def header(self, row: Row) -> Row:
        """The header of a log, as the newest format has it; it still tells the format of the log."""
        return (row[0], *self._climb(row[0], row, HEADER)[1:])

    def decision(self, start: int, row: Row) -> Row:
        """A decision of a log of format ``start``, as the newest format has it."""
        return self._climb(start, row, DECISION)

    def event(self, start: int, row: Row) -> Row:
        """An event of a log of format ``start``, as the newest format has it."""
        for step in range(start, self.newest):
            # What a rung renames is known by its new kind from there on.
            cast = self._rungs[step].casts.get(row[0]) if row and type(row[0]) is str else None
            if cast is not None:
                row = cast(row)
        return row

    def _climb(self, start: int, row: Row, kind: str) -> Row:
        for step in range(start, self.newest):
            cast = self._rungs[step].casts.get(kind)
            if cast is not None:
                row = cast(row)
        return row


# ------------------------------------------------------------------------------------ format 1 to 2
# Objects and characteristics got fields (copiable values, being face down, several names, …).  They stand
# in an event only as what was last known of an object that leaves a zone.


def _last_known(last: Row | None) -> Row | None:
    if last is None:
        return None
    obj, was, successor = last
    if len(obj) != 19 or len(was) != 10:
        raise ValueError("an object or its characteristics have another number of fields")
    *rest, choices = obj
    grown = choices if choices is None else (*choices, "", False)
    return ((*rest, grown, None, False, -1, (), (), ()), (*was, None, (), (), (), ()), successor)


def _announce(row: Row) -> Row:
    return (*row, "", False)


def _land_played(row: Row) -> Row:
    return (*row, 0, False, "battlefield", row[4])


def _with_last_known(place: int, *more: Any) -> Callable[[Row], Row]:
    def cast(row: Row) -> Row:
        return (*row[:place], _last_known(row[place]), *row[place + 1 :], *more)

    return cast


LADDER: Final = Ladder(
    NEWEST,
    [
        Rung(
            1,
            {
                "announce": _announce,
                "moved": _with_last_known(10, False, 0),
                "exile": _with_last_known(7, False),
                "land-played": _land_played,
                "damage-dealt": lambda row: (*row, True),
            },
        )
    ],
    oldest=OLDEST,
)
"""The ladder of this version."""
