"""The events as lines of a listing: number, rule, sentence, depth, and whether they were undone."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from cascade_es.errors import InputError
from cascade_es.history import History, Step, Undone
from cascade_es.views.naming import rule_number
from cascade_es.views.sentences import describe


class Entry(msgspec.Struct, frozen=True):
    """One line of a listing.

    ``number`` is the rule's number in the game's edition.  ``depth`` is how many procedures were
    running around the event (0: none but the turn).  ``undone`` is the event that undid it (0: it
    stands), ``undoes`` whether it is itself such an event.
    """

    seq: int
    unit: int
    number: str
    kind: str
    text: str
    auto: bool
    depth: int
    undone: int = 0
    undoes: bool = False


_UNDONE: WeakKeyDictionary[History, tuple[int, dict[int, Undone]]] = WeakKeyDictionary()


def undone_by(history: History) -> dict[int, Undone]:
    """The events that do not stand, each with the span that undid it first; what was kept is not in it."""
    known = _UNDONE.get(history)
    if known is None or known[0] != len(history):
        spans: dict[int, Undone] = {}
        for span in history.undone():
            kept = frozenset(span.kept)
            for seq in range(span.first, span.last + 1):
                if seq not in kept:
                    spans.setdefault(seq, span)
        known = _UNDONE[history] = (len(history), spans)
    return known[1]


def step_at(history: History, seq: int) -> Step:
    """Event number ``seq``.

    Raises:
        InputError: when there is no such event.
    """
    if not 1 <= seq <= len(history):
        raise InputError(f"there is no event {seq}; events run from 1 to {len(history)}")
    return next(history.since(seq - 1))


def entry(history: History, step: Step) -> Entry:
    """The line of one event."""
    before, after = history.at(step.seq - 1), step.state
    depth = min(len(before.game.frames), len(after.game.frames)) - 1
    span = undone_by(history).get(step.seq)
    return Entry(
        step.seq,
        step.unit,
        rule_number(history.edition, step.event.rule),
        step.event.kind,
        describe(history, step),
        step.event.auto,
        max(depth, 0),
        span.by if span is not None else 0,
        step.event.kind == "action-reversed",
    )


def timeline(history: History, first: int = 1, last: int = -1) -> Iterator[Entry]:
    """The lines from event ``first`` to event ``last`` (-1: the last)."""
    for step in history.since(max(first - 1, 0)):
        if 0 <= last < step.seq:
            return
        yield entry(history, step)


def causes(history: History, seq: int) -> tuple[Step, ...]:
    """An event, what caused it, what caused that, and so on to the root, which nothing caused.

    Raises:
        InputError: when there is no such event.
    """
    chain = [step_at(history, seq)]
    # A cause is always earlier; what is not was never written by us.
    while 0 < chain[-1].event.cause < chain[-1].seq:
        chain.append(step_at(history, chain[-1].event.cause))
    return tuple(chain)
