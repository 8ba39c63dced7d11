"""What each operation of a script does when its instruction is reached (608.2c, 701).

Every operation has a ``run``; one that needs a choice also has an ``ask``, which says what to ask or
that there is nothing to ask.  The running effect is data in its frame, so between the question and
the answer the whole game can be stored, compared and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.rules import cascade, mana
from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds, matches, objects
from cascade_es.rules.work import Work
from cascade_es.rules.zones import (
    batch,
    draw,
    leave,
    move,
    move_together,
    open_library,
    pick_out,
    rehandle_hand,
    reveal,
    shuffle,
)
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose, Option, YesNo
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Obj, ResolvingData, Target

Bound = tuple[tuple[str, tuple[int, ...]], ...]


class Running:
    """An effect at one instruction: its object, what it has bound, and how to look at the game."""

    def __init__(self, board: Board, data: ResolvingData) -> None:
        self.board = board
        self.data = data
        found = board.find(data.object)
        assert found is not None
        self.obj: Obj = found

    @property
    def you(self) -> int:
        """The controller of the effect."""
        return self.obj.controller

    @property
    def this(self) -> int:
        """The object that the text calls by its name: a spell itself, or an ability's source."""
        return self.obj.source or self.obj.id

    def number(self, text: str) -> int:
        """A number of the script."""
        if text.lstrip("-").isdigit():
            return int(text)
        choices = self.board.choices(self.obj.id)
        if text == "X":
            return max(choices.x, 0)
        bound = self.data.values(text)
        if bound is None:
            raise DecisionError(f"'{text}' is no number here")
        return bound[0] if len(bound) == 1 else len(bound)

    # ---------------------------------------------------------------------------- references

    def targets(self, text: str) -> tuple[Target, ...]:
        """The targets of one instance of the word that are still legal (608.2b)."""
        slot = self._first_slot() + (int(text.split()[1]) - 1 if " " in text else 0)
        chosen = self.board.choices(self.obj.id).targets
        legal = self.data.legal or (True,) * len(chosen)
        return tuple(t for t, good in zip(chosen, legal, strict=True) if good and t.slot == slot)

    def _first_slot(self) -> int:
        """Each mode has instances of "target" of its own: the first one of the mode being followed."""
        text = self.board.text(self.obj)
        slot = place = 0
        for mode in self.board.choices(self.obj.id).modes if text.modes else ():
            place += len(text.modes[mode].do)
            if self.data.path[0] < place:
                break
            slot += len(text.modes[mode].targets)
        return slot

    def objects(self, text: str) -> tuple[int, ...]:
        """The objects that a reference means, as far as they are still there."""
        if text.startswith("target"):
            found = tuple(target.object for target in self.targets(text) if target.object)
        elif text == "this":
            found = (self.this,)
        else:
            found = self.data.values(text) or ()
        return tuple(handle for handle in found if handle in self.board.state.game.objects)

    def players(self, text: str) -> tuple[int, ...]:
        """The players that a reference means, in turn order from the active player."""
        seats = self.board.seats()
        if text == "you":
            return (self.you,)
        if text in ("opponent", "each opponent"):
            return tuple(seat for seat in seats if seat != self.you)
        if text == "each player":
            return seats
        if text == "that player":
            return tuple(seat for seat in self.obj.about[1:2] if seat in seats)
        if text.startswith("controller of "):
            return tuple(
                dict.fromkeys(
                    obj.controller
                    for handle in self._meant(text.removeprefix("controller of "))
                    if (obj := self.board.find(handle)) is not None
                )
            )
        if text.startswith("target"):
            return tuple(target.seat for target in self.targets(text) if target.seat >= 0)
        return tuple(seat for seat in self.data.values(text) or () if seat in seats)

    def _meant(self, text: str) -> tuple[int, ...]:
        if text.startswith("target"):
            return tuple(target.object for target in self.targets(text) if target.object)
        return (self.this,) if text == "this" else self.data.values(text) or ()


class Again(msgspec.Struct, frozen=True):
    """The instruction is not done: somebody else must choose as well; what has been chosen is bound."""

    bound: Bound


Run = Callable[[Work, Running, Any, Answer | None], Bound | Again]
Ask = Callable[[Running, Any], Prompt | None]

RUN: Final[dict[type, Run]] = {}
ASK: Final[dict[type, Ask]] = {}


def _run(kind: type) -> Callable[[Run], Run]:
    def register(function: Run) -> Run:
        RUN[kind] = function
        return function

    return register


def _ask(kind: type) -> Callable[[Ask], Ask]:
    def register(function: Ask) -> Ask:
        ASK[kind] = function
        return function

    return register


# -------------------------------------------------------------------------------- on the board


@_run(sc.Damage)
def _damage(w: Work, r: Running, op: sc.Damage, given: Answer | None) -> Bound:
    division = r.board.choices(r.obj.id).division
    targets = r.board.choices(r.obj.id).targets
    with batch(w):
        for seat in r.players(op.to):
            amount = _share(r, op, targets, division, seat=seat)
            deal(w, r, 0, seat, amount)
        for handle in r.objects(op.to):
            deal(w, r, handle, -1, _share(r, op, targets, division, handle=handle))
    return ()


def _share(
    r: Running,
    op: sc.Damage,
    targets: tuple[Target, ...],
    division: tuple[int, ...],
    *,
    handle: int = 0,
    seat: int = -1,
) -> int:
    """How much one recipient gets: its share of a division (601.2d), or the amount."""
    if op.amount == "share" and division:
        for target, amount in zip(targets, division, strict=True):
            if target.object == handle and target.seat == seat:
                return amount
    return r.number(op.amount)


def deal(w: Work, r: Running, handle: int, seat: int, amount: int) -> None:
    """A source deals damage (120.3): to a player it is loss of life, on a creature it is marked."""
    if amount <= 0:
        return  # 120.8: no damage at all is dealt
    keywords = r.board.characteristics(r.this).keywords
    w.emit(ev.DamageDealt, "damage", r.this, handle, seat, amount, "deathtouch" in keywords)
    if seat >= 0:
        change_life(w, seat, -amount, "damage")
    if "lifelink" in keywords:
        change_life(w, r.you, amount, "damage")


def change_life(w: Work, seat: int, amount: int, rule: str) -> None:
    """A player gains or loses life (119.3)."""
    w.emit(ev.LifeChanged, rule, seat, amount, w.state.player(seat).life + amount)


@_run(sc.Destroy)
def _destroy(w: Work, r: Running, op: sc.Destroy, given: Answer | None) -> Bound:
    if op.all is not None:
        chosen = tuple(objects(r.board, op.all, r.you, r.this))
    else:
        chosen = r.objects(op.what)
    mortal = [h for h in chosen if "indestructible" not in r.board.characteristics(h).keywords]
    with batch(w):
        for handle in mortal:
            if w.state.object(handle).zone == "battlefield":
                move(w, handle, "graveyard", "destroy", "destroyed")
    return ()


@_run(sc.Counter)
def _counter(w: Work, r: Running, op: sc.Counter, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            if w.state.object(handle).zone == "stack":
                w.emit(ev.Countered, "counter", handle, r.this)
                move(w, handle, "graveyard", "counter", "countered")
    return ()


@_run(sc.Tap)
def _tap(w: Work, r: Running, op: sc.Tap, given: Answer | None) -> Bound:
    chosen = tuple(h for h in r.objects(op.what) if not w.state.object(h).tapped)
    if chosen:
        with batch(w):
            w.emit(ev.Tapped, "tap", chosen)
    return ()


@_run(sc.Untap)
def _untap(w: Work, r: Running, op: sc.Untap, given: Answer | None) -> Bound:
    chosen = tuple(h for h in r.objects(op.what) if w.state.object(h).tapped)
    if chosen:
        with batch(w):
            w.emit(ev.Untapped, "tap", chosen)
    return ()


@_run(sc.PutCounters)
def _put_counters(w: Work, r: Running, op: sc.PutCounters, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            w.emit(ev.CountersChanged, "resolve.follow", handle, op.kind, r.number(op.amount))
    return ()


# ------------------------------------------------------------------------------------- players


@_run(sc.Draw)
def _draw(w: Work, r: Running, op: sc.Draw, given: Answer | None) -> Bound:
    for seat in r.players(op.who):
        draw(w, seat, r.number(op.amount))
    return ()


@_run(sc.GainLife)
def _gain_life(w: Work, r: Running, op: sc.GainLife, given: Answer | None) -> Bound:
    with batch(w):
        for seat in r.players(op.who):
            change_life(w, seat, r.number(op.amount), "life")
    return ()


@_run(sc.LoseLife)
def _lose_life(w: Work, r: Running, op: sc.LoseLife, given: Answer | None) -> Bound:
    with batch(w):
        for seat in r.players(op.who):
            change_life(w, seat, -r.number(op.amount), "life")
    return ()


@_run(sc.AddMana)
def _add_mana(w: Work, r: Running, op: sc.AddMana, given: Answer | None) -> Bound:
    text = op.choose[given.index] if isinstance(given, Option) else op.mana or op.choose[0]
    for seat in r.players(op.who):
        mana.add_units(w, seat, r.this, text, "resolve.follow")
    return ()


@_ask(sc.AddMana)
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


@_ask(sc.Discard)
def _ask_discard(r: Running, op: sc.Discard) -> Prompt | None:
    for seat, picks in _discards(r, op).items():
        if picks is None:
            amount = r.number(op.amount)
            hand = r.board.state.player(seat).hand
            return choosing(r.board, seat, hand, amount, amount, f"discard {amount} card(s)", "discard")
    return None


@_run(sc.Discard)
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
        for fresh in chosen.values():
            for handle in fresh or ():
                move(w, handle, "graveyard", "discard", "discarded")
    return tuple((f"discard {seat}", ()) for seat in chosen if r.data.values(f"discard {seat}"))


@_run(sc.Sacrifice)
def _sacrifice(w: Work, r: Running, op: sc.Sacrifice, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            obj = w.state.object(handle)
            # 701.21a: only a permanent's controller can sacrifice it.
            if obj.zone == "battlefield" and obj.controller == r.you:
                move(w, handle, "graveyard", "sacrifice", "sacrificed")
    return ()


# ----------------------------------------------------------------------------- libraries, zones


@_ask(sc.Search)
def _ask_search(r: Running, op: sc.Search) -> Prompt | None:
    library = r.board.state.player(r.you).library
    found = tuple(h for h in library if matches(r.board, op.what, h, r.you, r.this))
    count = min(r.number(op.count), len(found))
    # 701.23b, d: cards with some quality need not be found; simply that many cards must be.
    least = count if op.what == sc.Search().what else 0
    return choosing(r.board, r.you, found, least, count, "search your library", "search")


@_run(sc.Search)
def _search(w: Work, r: Running, op: sc.Search, given: Answer | None) -> Bound:
    picks = pick_out(w, r.you, given.picks) if isinstance(given, Choose) else ()
    if op.reveal:
        reveal(w, picks, "reveal")
    return ((op.bind, picks),)


@_run(sc.Shuffle)
def _shuffle(w: Work, r: Running, op: sc.Shuffle, given: Answer | None) -> Bound:
    for seat in r.players(op.who):
        shuffle(w, seat)
    return ()


@_run(sc.Put)
def _put(w: Work, r: Running, op: sc.Put, given: Answer | None) -> Bound:
    ready = [leave(w, handle) for handle in r.objects(op.what)]
    with batch(w):
        new = tuple(
            move(
                w,
                handle,
                op.to,
                "resolve.follow",
                "put",
                controller=r.you,
                tapped=op.tapped,
                position=-1 if op.bottom or op.to != "library" else 0,
            )
            for handle in ready
        )
    return ((op.what, new),) if not op.what.startswith(("target", "this")) else ()


@_run(sc.Exile)
def _exile(w: Work, r: Running, op: sc.Exile, given: Answer | None) -> Bound:
    move_together(w, r.objects(op.what), "exile", "exile", "exiled")
    return ()


# ------------------------------------------------------------------------------------- control


@_ask(sc.May)
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


@_run(sc.Cascade)
def _cascade(w: Work, r: Running, op: sc.Cascade, given: Answer | None) -> Bound:
    cascade.begin(w, r.obj)
    return ()


def choosing(
    board: Board, seat: int, among: tuple[int, ...], least: int, most: int, question: str, rule: str
) -> Prompt:
    """A choice of objects."""

    def listed() -> Iterator[Candidate]:
        for handle in among:
            yield Candidate(Choose((handle,)), board.name(handle))

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Choose)
        if len(set(answer.picks)) < len(answer.picks):
            raise DecisionError("the same object was chosen twice")
        for pick in answer.picks:
            if board.find(pick) is None:
                raise DecisionError(f"there is no object {pick}")
            if pick not in among:
                return Refusal(rule, f"{board.name(pick)} cannot be chosen")
        if not least <= len(answer.picks) <= most:
            wanted = str(most) if least == most else f"{least} to {most}"
            return Refusal(rule, f"{wanted} must be chosen, not {len(answer.picks)}")
        return None

    return Prompt(
        seat,
        "choose",
        question,
        rule,
        answers=(Choose,),
        candidates=listed,
        check=judge,
        complete=lambda: Choose(among[: max(least, min(most, 1))]),
        least=least,
        most=most,
    )


def prepare(w: Work, r: Running, op: sc.Operation) -> bool:
    """What must happen before an operation can ask; whether anything did."""
    if isinstance(op, sc.Search) and not w.state.player(r.you).order.sealed:
        open_library(w, r.you)
        return True
    return False
