"""Events, decisions and logs as JSON-like values with stable, documented keys."""

from __future__ import annotations

from typing import Any

from cascade_es.history import History, Step
from cascade_es.log import Log, Unit
from cascade_es.replay import viewer_of
from cascade_es.sidefile import About
from cascade_es.values import decisions as de
from cascade_es.views.naming import Names, rule_number
from cascade_es.views.plain import one_line, plain
from cascade_es.views.sentences import describe
from cascade_es.views.timeline import undone_by


def event_json(history: History, step: Step) -> dict[str, Any]:
    """One event as a JSON object.

    Keys: ``seq`` (its number, from 1), ``unit`` (the number of the decision it belongs to), ``kind``,
    ``concept`` (the rule by its lasting name), ``rule`` (its number in the game's edition), ``cause``
    (the number of the event that caused it, 0: none), ``auto`` (it came by itself), ``undone``
    (a reversal has undone it), ``text`` (one clause of English), ``fields`` (everything else that the
    event holds, by name; see :func:`~cascade_es.views.plain.plain`).
    """
    event = step.event
    own = [name for name in event.__struct_fields__ if name not in ("rule", "cause", "auto")]
    return {
        "seq": step.seq,
        "unit": step.unit,
        "kind": event.kind,
        "concept": event.rule,
        "rule": rule_number(history.edition, event.rule),
        "cause": event.cause,
        "auto": event.auto,
        "undone": step.seq in undone_by(history),
        "text": describe(history, step),
        "fields": {name: plain(getattr(event, name)) for name in own},
    }


def decision_json(history: History, number: int, unit: Unit, first: int) -> dict[str, Any]:
    """One decision as a JSON object.

    Keys: ``unit`` (its number), ``player`` (a name, null for the recorder), ``kind``, ``insist``,
    ``known`` (whether this copy may read it), ``first`` and ``last`` (the events that followed from it).
    """
    decision = unit.decision
    named = decision.seat != de.RECORDER
    return {
        "unit": number,
        "player": Names(history, 0).player(decision.seat) if named else None,
        "kind": decision.kind,
        "insist": decision.insist,
        "known": decision.body.known,
        "first": first,
        "last": first + len(unit.events) - 1,
    }


def decisions_json(history: History) -> list[dict[str, Any]]:
    """All decisions in order; see :func:`decision_json`."""
    found = []
    first = 1
    for number, unit in enumerate(history.units, start=1):
        found.append(decision_json(history, number, unit, first))
        first += len(unit.events)
    return found


def log_json(log: Log | About, history: History) -> dict[str, Any]:
    """What a log says about itself.

    Keys: ``name``, ``log_id``, ``format``, ``table``, ``behaviour``, ``edition`` (a date), ``players``
    (names in turn order), ``units``, ``events``, ``frames``, ``head`` (a hash), ``sealed``, ``viewer``
    (whose view it is: a name, or "the public"; null for a copy that is no view).
    """
    return {
        "name": log.name,
        "log_id": log.header.log_id.hex(),
        "format": log.header.format,
        "table": log.header.table,
        "behaviour": log.header.behaviour,
        "edition": log.header.edition,
        "players": [Names(history, 0).player(seat) for seat in range(len(history.names))],
        "units": log.head.frames - 1,
        "events": len(history),
        "frames": log.head.frames,
        "head": log.head.hash.hex(),
        "sealed": log.sealed,
        "viewer": one_line(viewer_of(log)) or None,
    }
