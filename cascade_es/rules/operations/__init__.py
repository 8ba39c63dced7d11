"""What each operation of a script does when its instruction is reached (608.2c, 701).

Every operation has a function that carries it out; one that needs a choice whose circumstances are known
before it begins also has one that says what to ask.  A choice in the midst of it is asked for with
:meth:`cascade_es.rules.work.Work.ask`.  The running effect is data in its frame, so between the question
and the answer the whole game can be stored, compared and resumed.

A new operation is a record in :mod:`cascade_es.values.script.operations` and a function in one of the
rooms here.
"""

from __future__ import annotations

from cascade_es.rules.operations import board as _board
from cascade_es.rules.operations import combat as _combat
from cascade_es.rules.operations import copies as _copies
from cascade_es.rules.operations import effects as _effects
from cascade_es.rules.operations import faces as _faces
from cascade_es.rules.operations import players as _players
from cascade_es.rules.operations import prevention as _prevention
from cascade_es.rules.operations import tokens as _tokens
from cascade_es.rules.operations import zones as _zones
from cascade_es.rules.operations.control import (
    cost_in_resolution,
    items,
    payers,
    prepare,
    unseen_among,
    ways_to_pay,
)

__all__ = [
    "cost_in_resolution",
    "items",
    "payers",
    "prepare",
    "unseen_among",
    "ways_to_pay",
]

_ROOMS = (
    _board,
    _combat,
    _effects,
    _faces,
    _players,
    _prevention,
    _zones,
    _copies,
    _tokens,
)  # imported so that their operations are registered
