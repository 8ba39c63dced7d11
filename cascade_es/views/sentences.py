"""One clause of plain English for every event.

A clause names players and cards, speaks of players as "they", and uses the game's own terms.  It says
what happened; why (the rule, the cause) stands beside it.  Cards that are sealed to this copy are "a
card".  Every kind has its sentence, in one of the three tables; a test keeps it so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cascade_es.history import History, Step
from cascade_es.values import events as ev
from cascade_es.views.combat import COMBAT
from cascade_es.views.facts import FACTS
from cascade_es.views.naming import Names
from cascade_es.views.objects import OBJECTS
from cascade_es.views.plain import one_line
from cascade_es.views.procedures import PROCEDURES

SENTENCES: Final[Mapping[str, Callable[[Names, Any], str]]] = {**PROCEDURES, **FACTS, **OBJECTS, **COMBAT}
"""What makes a sentence of an event, by kind."""

_REMARKS: Final = ("sealed", "commented", "ruling-made", "action-reversed")


def fallback(event: ev.Event) -> str:
    """What is said of an event that has no sentence."""
    return f"{event.kind.replace('-', ' ')}"


def describe(history: History, step: Step) -> str:
    """What happened, in one clause without a full stop, on one line.

    >>> from cascade_es import Game, load_card
    >>> game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")])
    >>> [describe(game, step) for step in game][1]
    'alice begins with Forest in their hand'
    """
    event = step.event
    sentence = SENTENCES.get(event.kind)
    if sentence is None:
        return fallback(event)
    text = sentence(Names(history, step.seq), event)
    if event.rule == "table" and not event.auto and event.kind not in _REMARKS:
        text += " (it happened so at the table)"
    return one_line(text)
