"""Operations that decide which instructions follow, and begin procedures."""

from __future__ import annotations

from cascade_es.rules import cascade, costs
from cascade_es.rules.components import CHOSEN, impossible
from cascade_es.rules.filters import matches, objects
from cascade_es.rules.hidden import open_library, rehandle_hand, reveal, seat_mask
from cascade_es.rules.operations.effects import granted
from cascade_es.rules.printed import cost_of
from cascade_es.rules.running import (
    Again,
    Bound,
    Running,
    asks,
    choosing,
    declined_name,
    done_this_turn,
    once,
    player_word,
    runs,
)
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose, YesNo
from cascade_es.values.facts import EVERYONE, sees
from cascade_es.values.mana import Price, options, price
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import AskingData, Delayed, Part

HIDDEN = ("hand", "library")


def _yes_no(seat: int, question: str, refusal: Refusal | None = None) -> Prompt:
    """A question; ``refusal`` says why it cannot be answered with yes."""
    return Prompt(
        seat,
        "yes-no",
        question,
        "resolve.choose",
        answers=(YesNo,),
        candidates=lambda: iter((Candidate(YesNo(True), "yes", refusal), Candidate(YesNo(False), "no"))),
        check=lambda answer: refusal if isinstance(answer, YesNo) and answer.yes else None,
        complete=lambda: YesNo(False),
    )


# ------------------------------------------------------------------------------------- may and if


@asks(sc.May)
def _ask_may(r: Running, op: sc.May) -> Prompt | None:
    seats = r.players(op.who)
    if not seats or r.board.state.player(seats[0]).lost:
        return None
    refusal = None
    if (word := once(r)) and done_this_turn(r.board, r.this, word):
        refusal = Refusal("trigger.occurs", "it has been done this turn already")
    return _yes_no(seats[0], f"{r.board.open_name(r.this)}: do it?", refusal)


# ----------------------------------------------------------------------------------------- paying


def payers(r: Running, op: sc.Pay) -> tuple[int, ...]:
    """The players who may still pay, the one who is asked first."""
    declined = r.data.values(declined_name(r.data)) or ()
    seats = (seat for seat in r.players(op.who) if not r.board.state.player(seat).lost)
    return tuple(seat for seat in seats if seat not in declined)


def ways_to_pay(w: Work, op: sc.Pay, seat: int) -> tuple[str, ...]:
    """118.13: for symbols that can be paid in several ways, the way is chosen just before paying."""
    chosen: list[str] = []
    for symbol in several_ways(op):
        words = options(symbol)
        asked = AskingData(seat, "option", f"how to pay {{{symbol}}}", (), words)
        chosen.append(words[w.ask(asked, "resolve.pay")[0]])
    return tuple(chosen)


def several_ways(op: sc.Pay) -> tuple[str, ...]:
    """The symbols of a cost that can be paid in several ways, in order."""
    texts = [part.mana for part in op.cost if isinstance(part, sc.PayMana)]
    return tuple(s for text in texts for s in cost_of(text).symbols if len(options(s)) > 1)


def cost_in_resolution(
    r: Running, op: sc.Pay, ways: tuple[str, ...] | None = None
) -> tuple[Price, tuple[Part, ...]]:
    """The mana and the other components of a cost that is paid while something resolves (118.12)."""
    if ways is None:
        ways = tuple(options(symbol)[0] for symbol in several_ways(op))
    left = list(ways)
    x = max(r.board.choices(r.obj.id).x, 0)
    total = Price()
    parts: list[Part] = []
    for index, part in enumerate(op.cost):
        if isinstance(part, sc.PayMana):
            cost = cost_of(part.mana)
            several = sum(1 for symbol in cost.symbols if len(options(symbol)) > 1)
            for _ in range(max(r.number(op.times), 0)):
                total = total.plus(price(cost, x, tuple(left[:several])))
            del left[:several]
        else:
            parts.append(costs.component(part, (index,), x))
    if total.life:
        parts.append(Part("life", total.life, ()))  # Phyrexian symbols that are paid with life (107.4f)
        total = Price(total.generic, total.typed, total.snow, 0)
    return total, tuple(parts)


@asks(sc.Pay)
def _ask_pay(r: Running, op: sc.Pay) -> Prompt | None:
    seats = payers(r, op)
    if not seats:
        return None
    total, parts = cost_in_resolution(r, op)
    words = ([str(total)] if total.has_mana else []) + [
        part.kind if part.amount == 1 else f"{part.kind} {part.amount}" for part in parts
    ]
    return _yes_no(
        seats[0],
        f"{r.board.name(r.this)}: pay {', '.join(words) or '{0}'}?",
        _unpayable(r, op, seats[0], parts),
    )


def _unpayable(r: Running, op: sc.Pay, seat: int, parts: tuple[Part, ...]) -> Refusal | None:
    """608.2d: nobody can choose to do what is impossible.  Mana can still be made, so it is not asked."""
    needed: dict[str, int] = {}
    for part in parts:
        if part.kind in CHOSEN:
            needed[part.kind] = needed.get(part.kind, 0) + part.amount
            fit = costs.fitting(r.board, op.cost[part.path[0]], seat, r.this)
            if len(fit) < needed[part.kind]:
                return Refusal("resolve.choose", f"there is nothing to {part.kind}")
        elif (wrong := impossible(r.board, seat, r.this, part)) is not None:
            return Refusal("resolve.choose", wrong.reason)
    return None


# ------------------------------------------------------------------------------------------ loops


def items(w: Work, r: Running, op: sc.ForEach) -> tuple[int, ...]:
    """What a loop goes through (608.2f): players and what they control in turn order (101.4).

    Where one player or what they control comes several times, the controller of the effect says in which
    order.
    """
    if op.what is not None:
        found = tuple(objects(r.board, op.what, r.you, r.this))
        seats: tuple[int, ...] = ()
    else:
        found, seats = r.objects(op.of), r.players(op.of)
    ordered: list[int] = []
    for seat in r.board.seats():
        group = [player_word(seat)] if seat in seats else []
        group += [handle for handle in found if r.board.state.object(handle).controller == seat]
        if len(group) > 1:
            words = tuple(r.board.open_name(h) if h > 0 else f"player {player_word(h) + 1}" for h in group)
            asked = AskingData(r.you, "order", "in which order?", (), words, len(group), len(group))
            group = [group[index] for index in w.ask(asked, "resolve.each")]
        ordered += group
    return tuple(ordered)


# --------------------------------------------------------------------------------------- choosing


def _among(r: Running, op: sc.Choose, seat: int) -> tuple[int, ...]:
    if op.among:
        found = r.objects(op.among)
        return tuple(h for h in found if op.what is None or matches(r.board, op.what, h, seat, r.this))
    assert op.what is not None
    return tuple(
        handle
        for handle in objects(r.board, op.what, seat, r.this)
        if (obj := r.board.state.object(handle)).zone not in HIDDEN or obj.owner == seat
    )


def _secret(r: Running, op: sc.Choose, seat: int) -> bool:
    """Whether how many could be chosen is nobody else's business: hidden cards of some quality.

    Then the question is asked whatever the answer can be; that nothing is asked would tell as much.
    """
    if op.what is None or op.what == sc.Filter(is_=op.what.is_, zone=op.what.zone, controller="you"):
        return False
    if op.what == sc.Filter(is_=op.what.is_, zone=op.what.zone):
        return False
    if op.among:
        there = [r.board.state.object(handle) for handle in r.objects(op.among)]
    else:
        zones = (op.what.zone, *(item.zone for item in op.what.any))
        held = (r.board.state.zone(zone, seat) for zone in HIDDEN if zone in zones)
        there = [r.board.state.object(handle) for handles in held for handle in handles]
    return any(obj.zone in HIDDEN and obj.card.audience != EVERYONE for obj in there)


def _choices(r: Running, op: sc.Choose) -> dict[int, tuple[int, ...] | None]:
    """What each player has chosen, in turn order; None where it is still to be chosen."""
    found: dict[int, tuple[int, ...] | None] = {}
    for seat in r.players(op.who):
        among = _among(r, op, seat)
        chosen = r.data.values(f"{op.bind} of {seat}")
        if chosen:
            found[seat] = chosen[1:]
        elif r.number(op.count) <= 0:
            found[seat] = ()
        elif _secret(r, op, seat):
            found[seat] = None
        elif not among:
            found[seat] = ()
        elif r.number(op.count) >= len(among) and not op.up_to:
            found[seat] = among  # 608.2d: as many as there are
        else:
            found[seat] = None
    return found


@asks(sc.Choose)
def _ask_choose(r: Running, op: sc.Choose) -> Prompt | None:
    for seat, picks in _choices(r, op).items():
        if picks is None:
            among = _among(r, op, seat)
            most = min(r.number(op.count), len(among))
            least = 0 if op.up_to else most
            question, secret = f"choose {op.bind}", _secret(r, op, seat)
            return choosing(r.board, seat, among, least, most, question, "resolve.choose", secret=secret)
    return None


@runs(sc.Choose)
def _choose(w: Work, r: Running, op: sc.Choose, given: Answer | None) -> Bound | Again:
    chosen = _choices(r, op)
    if isinstance(given, Choose):
        seat = next(seat for seat, picks in chosen.items() if picks is None)
        picks = given.picks
        held = tuple(handle for handle in picks if w.state.object(handle).zone == "hand")
        if held:  # what is noted tells nothing of when it was drawn
            fresh = dict(zip(held, rehandle_hand(w, seat, held), strict=True))
            picks = tuple(fresh.get(handle, handle) for handle in picks)
        chosen[seat] = picks
        if None in chosen.values():
            return Again(((f"{op.bind} of {seat}", (0, *picks)),))
    together = tuple(handle for picks in chosen.values() for handle in picks or ())
    return ((op.bind, together), *((f"{op.bind} of {seat}", ()) for seat in chosen))


@runs(sc.ChoosePlayer)
def _choose_player(w: Work, r: Running, op: sc.ChoosePlayer, given: Answer | None) -> Bound:
    seats = r.players(op.among)
    if not seats:
        return ((op.bind, ()),)
    words = tuple(f"player {seat + 1}" for seat in seats)
    chooser = (*r.players(op.who), r.you)[0]
    index = 0
    if len(seats) > 1:
        (index,) = w.ask(AskingData(chooser, "option", "choose a player", (), words), "resolve.choose")
    return ((op.bind, (player_word(seats[index]),)),)


@runs(sc.Gather)
def _gather(w: Work, r: Running, op: sc.Gather, given: Answer | None) -> Bound:
    return ((op.bind, tuple(objects(r.board, op.what, r.you, r.this))),)


# ----------------------------------------------------------------------------------- for later


@runs(sc.Later)
def _later(w: Work, r: Running, op: sc.Later, given: Answer | None) -> Bound:
    """603.7: a delayed triggered ability, controlled by whoever controls what creates it (603.7d)."""
    about = r.objects(op.about) if op.about else ()
    amount = r.number(op.amount) if op.amount is not None else 0
    if op.about and not about:
        return ()  # nothing is left that it could be about
    delayed = Delayed(w.new_id(), granted(r, op.ability), r.this, r.you, about, not op.each, op.until, amount)
    w.emit(ev.DelayedCreated, "trigger.delayed", delayed)
    return ()


@runs(sc.Reflexive)
def _when_done(w: Work, r: Running, op: sc.Reflexive, given: Answer | None) -> Bound:
    """603.12: it triggers on what was just done in this resolution, and on nothing else."""
    about = r.objects(op.about) if op.about else ()
    amount = r.number(op.amount) if op.amount is not None else 0
    what = (about[0] if about else 0, r.you, amount, *about)
    w.emit(ev.Trigger, "trigger.reflexive", w.new_id(), r.this, granted(r, op.ability), r.you, what)
    return ()


# ------------------------------------------------------------------------------------ procedures


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
        most = -1 if op.most == "any" else r.number(op.most)
        w.emit(ev.OfferBegun, "resolve.cast", seat, r.obj.id, found, r.data.path, most)
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
    if isinstance(op, sc.Choose) and (unseen := unseen_among(r, op)) is not None:
        seat, handles = unseen
        cards = tuple(w.state.object(handle).card.shown_to(seat_mask(seat)) for handle in handles)
        w.emit(ev.Shown, "reveal", seat_mask(seat), handles, cards)
        return True
    return False


def unseen_among(r: Running, op: sc.Choose) -> tuple[int, tuple[int, ...]] | None:
    """Who chooses next, and what of a library they choose among and must look at first."""
    if not op.among:
        return None
    seat = next((seat for seat, picks in _choices(r, op).items() if picks is None), None)
    if seat is None:
        return None
    there = (r.board.state.object(handle) for handle in r.objects(op.among))
    unseen = tuple(obj.id for obj in there if obj.zone == "library" and not sees(obj.card.audience, seat))
    return (seat, unseen) if unseen else None


__all__ = ["cost_in_resolution", "items", "payers", "prepare", "unseen_among"]
