"""Facts of a real table that the rules did not bring about: human errors must be writable.

They are flagged (their rule is "table"), and a re-execution takes them as input.
"""

from __future__ import annotations

from cascade_es.errors import DecisionError
from cascade_es.rules import leaving
from cascade_es.rules.hidden import leave
from cascade_es.rules.reversal import action
from cascade_es.rules.setup import ZONES
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, draw, move, shuffle
from cascade_es.values import events as ev
from cascade_es.values.decisions import Table

RULE = "table"


def perform(w: Work, fact: Table) -> None:
    """Record what happened.

    Raises:
        DecisionError: when it speaks of what is not there.
    """
    if not w.state.game.players or w.state.over:
        raise DecisionError("the game is not being played")
    if action(w.state) is not None:
        # A reversal of that action would take the fact back with it, though it is no part of it.
        raise DecisionError("an action is under way; finish it or give it up, then record the fact")
    if fact.verb == "end":
        # 104.4: all agree that the game is a draw; a loop that nobody can or will end is one (104.4b).
        leaving.end(w, RULE, (), auto=False)
        return
    if fact.verb in ("life", "draw", "shuffle"):
        if not 0 <= fact.seat < len(w.state.game.players):
            raise DecisionError(f"there is no player in seat {fact.seat}")
        _player(w, fact)
        return
    if fact.object not in w.state.game.objects:
        raise DecisionError(f"there is no object {fact.object}")
    busy = {getattr(frame.data, "object", 0) for frame in w.state.game.frames}
    if fact.object in busy:
        raise DecisionError("it is being cast, activated or resolved; give that up or finish it first")
    if fact.verb == "move":
        if fact.zone not in ZONES:
            raise DecisionError(f"nothing can be moved to '{fact.zone}'; zones: {', '.join(ZONES)}")
        handle = leave(w, fact.object)
        top = 0 if fact.zone == "library" else -1
        with batch(w):
            move(w, handle, fact.zone, RULE, "table", position=top)
    elif fact.verb in ("tap", "untap"):
        if w.state.object(fact.object).zone != "battlefield":
            raise DecisionError("only permanents can be tapped or untapped")
        kind = ev.Tapped if fact.verb == "tap" else ev.Untapped
        with batch(w):
            w.emit(kind, RULE, (fact.object,), auto=False)
    else:
        raise DecisionError(f"unknown table fact '{fact.verb}'")


def _player(w: Work, fact: Table) -> None:
    if fact.verb == "life":
        total = w.state.player(fact.seat).life + fact.amount
        w.emit(ev.LifeChanged, RULE, fact.seat, fact.amount, total, auto=False)
    elif fact.verb == "draw":
        draw(w, fact.seat, fact.amount, RULE)
    else:
        shuffle(w, fact.seat)
