"""Operations on combat and on the structure of the turn."""

from __future__ import annotations

from cascade_es.rules import turn
from cascade_es.rules.combat import members
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer


@runs(sc.RemoveFromCombat)
def _remove(w: Work, r: Running, op: sc.RemoveFromCombat, given: Answer | None) -> Bound:
    members.remove(w, r.objects(op.what))
    return ()


@runs(sc.ExtraPhases)
def _extra_phases(w: Work, r: Running, op: sc.ExtraPhases, given: Answer | None) -> Bound:
    first = {"combat": "beginning of combat", "main": "postcombat main"}
    then = turn.next_phase(w.state.game.turn.step)
    w.emit(ev.PhasesAdded, "phase.extra", tuple(first[phase] for phase in op.phases), then)
    return ()


@runs(sc.ExtraTurn)
def _extra_turn(w: Work, r: Running, op: sc.ExtraTurn, given: Answer | None) -> Bound:
    for seat in r.players(op.who):
        w.emit(ev.TurnAdded, "turn.extra", seat, w.board.next_seat(w.state.game.turn.active))
    return ()
