"""Operations on players: cards, life, mana."""

from __future__ import annotations

from cascade_es.errors import DecisionError
from cascade_es.rules import leaving, mana, watching
from cascade_es.rules.changes import happen
from cascade_es.rules.hidden import rehandle_hand
from cascade_es.rules.running import Again, Bound, Running, asks, choosing, runs
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldChangeLife, WouldDraw, WouldMove
from cascade_es.rules.zones import batch, draw, move_all
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose, Option
from cascade_es.values.prompts import Candidate, Prompt, Refusal


@runs(sc.Draw)
def _draw(w: Work, r: Running, op: sc.Draw, given: Answer | None) -> Bound | Again:
    waiting = list(r.data.values("draws") or ())
    if not waiting:
        amount = r.number(op.amount)
        waiting = [seat for seat in r.players(op.who) for _ in range(amount)]
        if not any(watching.about(w.board, (WouldDraw(seat=seat),)) for seat in waiting):
            for seat in dict.fromkeys(waiting):
                draw(w, seat, amount)
            return ()
    # 121.2: one at a time, and what may happen instead is judged each time anew.
    if waiting:
        draw(w, waiting.pop(0), 1)
    return Again((("draws", tuple(waiting)),)) if waiting else (("draws", ()),)


@runs(sc.GainLife)
def _gain_life(w: Work, r: Running, op: sc.GainLife, given: Answer | None) -> Bound:
    with batch(w):
        happen(w, _lives(r, op.who, r.number(op.amount)))
    return ()


@runs(sc.LoseLife)
def _lose_life(w: Work, r: Running, op: sc.LoseLife, given: Answer | None) -> Bound:
    with batch(w):
        happen(w, _lives(r, op.who, -r.number(op.amount)))
    return ()


def _lives(r: Running, who: str, amount: int) -> list[WouldChangeLife]:
    return [
        WouldChangeLife(seat=seat, amount=amount, rule="life", cause=r.this)
        for seat in r.players(who)
        if amount  # 119.8: no life gained or lost is no event
    ]


@runs(sc.AddMana)
def _add_mana(w: Work, r: Running, op: sc.AddMana, given: Answer | None) -> Bound:
    text = op.choose[given.index] if isinstance(given, Option) else op.mana or op.choose[0]
    for seat in r.players(op.who):
        mana.add_units(w, seat, r.this, text, "resolve.follow")
    return ()


@asks(sc.AddMana)
def _ask_mana(r: Running, op: sc.AddMana) -> Prompt | None:
    if len(op.choose) < 2:
        return None

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Option)
        if not 0 <= answer.index < len(op.choose):
            raise DecisionError(f"there are {len(op.choose)} kinds of mana to choose from")
        return None

    return Prompt(
        r.you,
        "option",
        f"which mana from {r.board.name(r.this)}",
        "resolve.choose",
        answers=(Option,),
        candidates=lambda: (Candidate(Option(index), text) for index, text in enumerate(op.choose)),
        check=judge,
        complete=lambda: Option(0),
    )


def _discards(r: Running, op: sc.Discard) -> dict[int, tuple[int, ...] | None]:
    """What each player discards, in turn order; None where it is still to be chosen."""
    found: dict[int, tuple[int, ...] | None] = {}
    for seat in r.players(op.who):
        hand = r.board.state.player(seat).hand
        amount = r.number(op.amount)
        if amount >= len(hand) or amount <= 0:
            found[seat] = hand if amount > 0 else ()
        else:
            found[seat] = r.data.values(f"discard {seat}") or None
    return found


@asks(sc.Discard)
def _ask_discard(r: Running, op: sc.Discard) -> Prompt | None:
    for seat, picks in _discards(r, op).items():
        if picks is None:
            amount = r.number(op.amount)
            hand = r.board.state.player(seat).hand
            return choosing(r.board, seat, hand, amount, amount, f"discard {amount} card(s)", "discard")
    return None


@runs(sc.Discard)
def _discard(w: Work, r: Running, op: sc.Discard, given: Answer | None) -> Bound | Again:
    chosen = _discards(r, op)
    if isinstance(given, Choose):
        seat = next(seat for seat, picks in chosen.items() if picks is None)
        # What is noted of the choice are fresh ids, which nobody can tell from the others.
        chosen[seat] = rehandle_hand(w, seat, given.picks)
        if None in chosen.values():
            return Again(((f"discard {seat}", chosen[seat] or ()),))
    for seat, picks in chosen.items():
        if picks and picks == w.state.player(seat).hand:
            rehandle_hand(w, seat, ())  # a whole hand: the order in which it was drawn is not seen
            chosen[seat] = w.state.player(seat).hand
    # 101.4: they choose in turn order, then all discard at the same time.
    with batch(w):
        move_all(
            w,
            [
                WouldMove(handle=handle, zone="graveyard", rule="discard", why="discarded", cause=r.this)
                for fresh in chosen.values()
                for handle in fresh or ()
            ],
        )
    return tuple((f"discard {seat}", ()) for seat in chosen if r.data.values(f"discard {seat}"))


@runs(sc.Win)
def _win(w: Work, r: Running, op: sc.Win, given: Answer | None) -> Bound:
    if seats := r.players(op.who):
        leaving.end(w, "win", seats)
    return ()


@runs(sc.Lose)
def _lose(w: Work, r: Running, op: sc.Lose, given: Answer | None) -> Bound:
    seats = r.players(op.who)
    with batch(w):
        for seat in seats:
            w.emit(ev.PlayerLost, "lose", seat, "effect")
    if seats:
        leaving.leave(w, seats)
    return ()
