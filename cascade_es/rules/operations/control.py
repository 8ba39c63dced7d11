"""Operations that decide which instructions follow, and begin procedures."""

from __future__ import annotations

from cascade_es.rules import cascade
from cascade_es.rules.filters import holds
from cascade_es.rules.operations.base import Bound, Running, asks, runs
from cascade_es.rules.work import Work
from cascade_es.rules.zones import open_library, reveal
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, YesNo
from cascade_es.values.prompts import Candidate, Prompt, Refusal


@asks(sc.May)
def _ask_may(r: Running, op: sc.May) -> Prompt | None:
    seat = (*r.players(op.who), r.you)[0]

    def judge(answer: Answer) -> Refusal | None:
        return None

    return Prompt(
        seat,
        "yes-no",
        f"{r.board.name(r.this)}: do it?",
        "resolve.choose",
        answers=(YesNo,),
        candidates=lambda: iter((Candidate(YesNo(True), "yes"), Candidate(YesNo(False), "no"))),
        check=judge,
        complete=lambda: YesNo(False),
    )


def branch(r: Running, op: sc.May | sc.If, given: Answer | None) -> tuple[sc.Operation, ...]:
    """The instructions that a "may" or an "if" leads to."""
    if isinstance(op, sc.May):
        return op.then if isinstance(given, YesNo) and given.yes else op.otherwise
    declared = r.board.choices(r.obj.id).declared
    return op.then if holds(r.board, op.condition, r.you, r.this, declared) else op.otherwise


@runs(sc.Cascade)
def _cascade(w: Work, r: Running, op: sc.Cascade, given: Answer | None) -> Bound:
    cascade.begin(w, r.obj)
    return ()


@runs(sc.CastNow)
def _cast_now(w: Work, r: Running, op: sc.CastNow, given: Answer | None) -> Bound:
    from cascade_es.rules import offering  # casting uses operations itself

    found = offering.cards(w.board, r, op)
    if found:
        seat = offering.player_of(r, op)
        w.emit(ev.OfferBegun, "resolve.cast", seat, r.obj.id, found, r.data.path)
    return ()


@runs(sc.RevealHand)
def _reveal_hand(w: Work, r: Running, op: sc.RevealHand, given: Answer | None) -> Bound:
    for seat in r.players(op.who):
        reveal(w, w.state.player(seat).hand, "reveal")
    return ()


def prepare(w: Work, r: Running, op: sc.Operation) -> bool:
    """What must happen before an operation can ask; whether anything did."""
    if isinstance(op, sc.Search) and not w.state.player(r.you).order.sealed:
        open_library(w, r.you)
        return True
    return False
