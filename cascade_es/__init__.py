"""Event-sourced state machines for casting spells and resolving the stack in Magic: The Gathering.

A game is a log of events; the rules make events of decisions, and folding the events gives every
state.  An illegal action is reversed as the rules say, and the attempt stays on record.
"""

from __future__ import annotations

from cascade_es.cards import Card, Cards
from cascade_es.editions import NEWEST, Edition, edition
from cascade_es.errors import CascadeError, Damaged, DecisionError, InputError, Refused
from cascade_es.game import Game
from cascade_es.history import History, Step, Undone
from cascade_es.log import Conflict
from cascade_es.projection import disclose, project, project_state
from cascade_es.replay import Replay
from cascade_es.rules.board import Board
from cascade_es.scenarios.cardfiles import load_card
from cascade_es.values import decisions, events
from cascade_es.values.prompts import UNKNOWN, Candidate, Prompt, Refusal
from cascade_es.values.state import State
from cascade_es.verify import Verdict, verify, verify_bytes

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Board",
    "Candidate",
    "Card",
    "Cards",
    "CascadeError",
    "Conflict",
    "Damaged",
    "DecisionError",
    "Edition",
    "Game",
    "History",
    "InputError",
    "Prompt",
    "Refusal",
    "Refused",
    "Replay",
    "State",
    "Step",
    "Undone",
    "Verdict",
    "decisions",
    "disclose",
    "edition",
    "events",
    "load_card",
    "project",
    "project_state",
    "verify",
    "verify_bytes",
]
