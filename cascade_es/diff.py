"""The first difference: between two logs, or between a log and what the rules make of its decisions.

When two records of a game part, what came later is only the consequence; what matters is the first
place, what stands there on either side, what had happened just before, and what it did to the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from cascade_es.log import Header, Unit
from cascade_es.log.jsonform import record_json
from cascade_es.replay import Replay
from cascade_es.values.difference import (
    Absent,
    Difference,
    Same,
    differences,
    same_on_record,
    same_to_all,
    state_diff,
)
from cascade_es.values.events import SealedEnd, StateDigest
from cascade_es.values.facts import Fact
from cascade_es.values.state import State

__all__ = ["BEFORE", "Divergence", "LogDiff", "diff_logs", "diverging"]

BEFORE: Final = 5
"""How many events before the first difference a report tells."""


class Divergence(msgspec.Struct, frozen=True):
    """The first place at which two records of a game part.

    ``what`` differs is the "decision", an "event", or the "time" (metadata).  ``frame`` is the number
    of the frame and so of the unit, ``event`` the sequence number of the event (for a decision, of the
    first event that follows from it).  ``left`` and ``right`` are the records as JSON-like values (None:
    this side has no more).  ``fields`` are the fields in which they differ, ``states`` the fields of
    the game afterwards, each as ``{"path", "left", "right"}``, where a side that has nothing there is
    left out.  ``before`` are the last events that both have, each with its ``seq``.
    """

    what: Literal["decision", "event", "time"]
    frame: int
    event: int
    left: Any
    right: Any
    fields: tuple[dict[str, Any], ...]
    states: tuple[dict[str, Any], ...]
    before: tuple[dict[str, Any], ...]

    @property
    def field(self) -> str:
        """The path of the first field that differs; "" where one side has nothing at all."""
        return str(self.fields[0]["path"]) if self.fields else ""


class LogDiff(msgspec.Struct, frozen=True):
    """What two logs have in common.

    ``word`` is "same" (the same chain), "prefix" (one goes on where the other ends; ``longer`` is "left"
    or "right") or "different".  ``common`` is the number of events that both have at the beginning.
    ``header`` are the differences of the headers, ``first`` is the first one after them: logs of two
    games (another seed, say, or edition) differ in the header and may yet tell the same game.
    """

    word: Literal["same", "prefix", "different"]
    common: int
    longer: Literal["", "left", "right"] = ""
    header: tuple[dict[str, Any], ...] = ()
    first: Divergence | None = None


def diff_logs(left: Replay, right: Replay) -> LogDiff:
    """Compare two logs.

    What is sealed counts as the same when the commitments are; in logs of two games, where no two
    commitments are the same, when what is known of it is.  Openings are not compared: two copies of a
    log are the same log.
    """
    heads = [[frame.hash for frame in side.log.frames] for side in (left, right)]
    parents = left.log.header, right.log.header
    strict = parents[0].log_id == parents[1].log_id
    # Not with openings: the seed and the key of a game are among them.
    header = tuple(_told(differences(*parents, same_on_record if strict else _alike), opened=False))
    same = _sameness(*parents)
    ours, theirs = left.units, right.units
    longer = _longer(len(ours), len(theirs))
    common = 0
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
        if heads[0][number] == heads[1][number]:
            common += len(one.events)
            continue
        if same is not same_on_record:
            one, other = _without_digests(one), _without_digests(other)
        found = diverging(one, other, number, common, (left.states, right.states), left.before(common), same)
        if found is not None:
            return LogDiff("different", found.event - 1, longer, header, found)
        common += len(one.events)
    if header:
        return LogDiff("different", common, longer, header)
    return LogDiff("prefix" if longer else "same", common, longer)


def _without_digests(unit: Unit) -> Unit:
    """A unit without the digests of states: they cover commitments, and no two games share one."""
    events = tuple(
        msgspec.structs.replace(event, digest=b"") if isinstance(event, SealedEnd | StateDigest) else event
        for event in unit.events
    )
    return msgspec.structs.replace(unit, events=events)


def _longer(left: int, right: int) -> Literal["", "left", "right"]:
    return "" if left == right else "left" if left > right else "right"


def diverging(
    left: Unit,
    right: Unit,
    frame: int,
    common: int,
    states: tuple[Sequence[State], Sequence[State]],
    before: Sequence[tuple[int, Any]],
    same: Same = same_on_record,
) -> Divergence | None:
    """The first difference of two units; None when they say the same.

    ``common`` events stand before them, of which ``before`` are the last, with their numbers.
    ``states`` are all states on either side, from before the first event on.
    """
    place = _first(left, right, same)
    if place is None:
        return None
    what, index = place
    one: Any
    other: Any
    if what == "event":
        one, other = _item(left.events, index), _item(right.events, index)
        ends = [common + min(index + 1, len(unit.events)) for unit in (left, right)]
    else:
        one, other = (left.decision, right.decision) if what == "decision" else (left.time, right.time)
        ends = [common + len(unit.events) for unit in (left, right)]
    parted = state_diff(states[0][ends[0]], states[1][ends[1]], _on_board(same))
    shared = [*before, *enumerate(left.events[:index], start=common + 1)][-BEFORE:]
    fields: Iterator[Difference] = iter(())
    if what == "time":
        fields = differences(one, other, same, "time")
    elif type(one) is type(other):
        fields = differences(one, other, same)
    return Divergence(
        what,
        frame,
        common + index + 1,
        record_json(one, opened=True),
        record_json(other, opened=True),
        tuple(_told(fields)),
        tuple(_told(parted)),
        tuple({"seq": seq, **record_json(event, opened=True)} for seq, event in shared),
    )


def _first(left: Unit, right: Unit, same: Same) -> tuple[Literal["decision", "event", "time"], int] | None:
    if any(differences(left.decision, right.decision, same)):
        return "decision", 0
    for index in range(max(len(left.events), len(right.events))):
        one, other = _item(left.events, index), _item(right.events, index)
        if type(one) is not type(other) or any(differences(one, other, same)):
            return "event", index
    return ("time", 0) if left.time != right.time else None


def _item(items: Sequence[Any], index: int) -> Any:
    return items[index] if index < len(items) else None


def _told(found: Iterable[Difference], *, opened: bool = True) -> Iterator[dict[str, Any]]:
    for item in found:
        sides = {"left": item.left, "right": item.right}
        yield {"path": item.path} | {
            side: record_json(value, opened=opened)
            for side, value in sides.items()
            if not isinstance(value, Absent)
        }


# ------------------------------------------------------------------------------- what is the same


def _sameness(left: Header, right: Header) -> Same:
    """How the records of two logs are compared: strictly within one game, by meaning between two."""
    if left.log_id == right.log_id and left.edition == right.edition:
        return same_on_record
    editions = (left.edition, right.edition)

    def alike(one: Any, other: Any) -> bool:
        # That the editions differ is said of the headers; the set-up only repeats it.
        return _alike(one, other, editions)

    return alike


def _alike(one: Any, other: Any, editions: tuple[str, str] = ("", "")) -> bool:
    if isinstance(one, Fact) and isinstance(other, Fact) and one.sealed and other.sealed:
        if one.commitment == other.commitment:
            return same_on_record(one, other)
        if one.audience != other.audience:
            return False
        return not (one.known and other.known) or _level(one.value, editions) == _level(other.value, editions)
    return same_to_all(one, other) or (one, other) == editions


def _level(value: Any, editions: tuple[str, str]) -> Any:
    """A value in which the editions of both sides are the same word."""
    if isinstance(value, tuple):
        return tuple(_level(item, editions) for item in value)
    return editions[0] if value == editions[1] else value


def _on_board(same: Same) -> Same:
    return same_to_all if same is same_on_record else same
