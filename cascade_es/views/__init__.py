"""Views: a history as people and programs read it.

Everything here only looks.  Views know all rooms below them; nothing below imports a view (a test
keeps that arrow), and nothing here knows about a terminal: colours and widths are the command line's.

* :func:`describe`: one clause of plain English for an event;
* :func:`event_json`, :func:`state_json`, :func:`prompt_json`: the same things for programs, with
  documented and stable keys;
* :func:`timeline`: the events as the lines of a listing, with undone spans marked;
* :func:`state_lines`: the whole board as text;
* :func:`causes`: the way from an event to its root.
"""

from __future__ import annotations

from cascade_es.views.board import state_json
from cascade_es.views.boardtext import state_lines
from cascade_es.views.plain import one_line, plain
from cascade_es.views.prompts import prompt_at, prompt_json, prompt_lines
from cascade_es.views.records import decision_json, event_json, log_json
from cascade_es.views.sentences import describe
from cascade_es.views.timeline import Entry, causes, entry, step_at, timeline, undone_by

__all__ = [
    "Entry",
    "causes",
    "decision_json",
    "describe",
    "entry",
    "event_json",
    "log_json",
    "one_line",
    "plain",
    "prompt_at",
    "prompt_json",
    "prompt_lines",
    "state_json",
    "state_lines",
    "step_at",
    "timeline",
    "undone_by",
]
