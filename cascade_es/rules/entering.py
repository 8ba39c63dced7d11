"""How an object enters or where it goes instead: choices beforehand, payments, instructions (614.12)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from cascade_es.rules import watching
from cascade_es.rules.copies import copiable
from cascade_es.rules.filters import looks_at_cards, objects
from cascade_es.rules.layers import resolve
from cascade_es.rules.running import ASK, Again, Running, at_once, branch
from cascade_es.rules.watching import Watcher
from cascade_es.rules.work import Work
from cascade_es.rules.would import Would, WouldDeal, WouldFollow, WouldMove
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose, Option, YesNo
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import COLORS
from cascade_es.values.prompts import Prompt
from cascade_es.values.state import AskingData, Base, Obj, Part, ResolvingData

if TYPE_CHECKING:
    from cascade_es.rules.replacement import Replacing

Names = tuple[tuple[str, tuple[int, ...]], ...]


# ----------------------------------------------------------------------------------- a move


def change(work: Replacing, p: WouldMove, r: Watcher) -> tuple[WouldMove, Names]:
    """A move as an effect changes it, and what was counted on the way."""
    instead = r.ability.instead
    names: dict[str, int] = {}
    changes: dict[str, object] = {}
    if instead.sacrifice is not None:
        names["sacrificed"] = _sacrificed(work, p, r, instead.sacrifice)
    if instead.control:
        seats = seats_of(work.w, r, instead.control, p)
        if seats:
            changes["controller"] = seats[0]
    if instead.copy is not None:
        base = _copied(work, p, r, instead.copy)
        if base is None:
            return p, ()  # it enters as itself
        changes["base"] = base
    for choice in instead.choose:
        changes["words"] = (*p.words, _chosen(work, p, r, choice))
    if instead.to is not None:
        changes["zone"] = instead.to
        changes["position"] = 0 if instead.place in ("", "top") else -1
        changes["shuffled"] = instead.place == "shuffled"
        changes["shown"] = p.shown or r.source == p.handle or _by_what_it_is(p, r)
        changes["face_down"] = p.face_down and instead.to == p.zone  # elsewhere it lies as everything does
        if instead.to == "battlefield" and p.zone != "battlefield":
            changes["controller"] = None
    if instead.tapped is not None:
        changes["tapped"] = instead.tapped
    if instead.face:
        changes["face"] = 1 if instead.face == "back" else 0
    counters = dict(p.counters)
    if r.ability.when.event == "counters":
        for kind in counters:
            if r.ability.when.counter in ("", kind):
                times = work.number(p, r, instead.times)
                counters[kind] = counters[kind] * times + work.number(p, r, instead.plus)
    for item in instead.counters:
        counters[item.kind] = counters.get(item.kind, 0) + work.number(p, r, item.amount, names)
    changes["counters"] = tuple((kind, number) for kind, number in counters.items() if number > 0)
    bound = tuple((name, (number,)) for name, number in names.items())
    return msgspec.structs.replace(p, **changes), bound


def _by_what_it_is(p: WouldMove, r: Watcher) -> bool:
    """Whether an effect looked at the card: what would lie face down on the battlefield is none to it."""
    what = r.ability.when.what
    return what is not None and looks_at_cards(what) and not (p.face_down and p.zone == "battlefield")


def chooser(w: Work, p: Would, r: Watcher) -> int:
    """Who chooses as an object enters: who will control it; otherwise whose effect it is."""
    if isinstance(p, WouldMove) and p.zone == "battlefield":
        board, new = watching.look_ahead(w, p)
        return board.state.object(new).controller
    return r.controller


def _copied(work: Replacing, p: WouldMove, r: Watcher, copy: sc.CopyOf) -> Base | None:
    """707.5: what it enters as a copy of; it cannot be itself, nor what enters with it."""
    w = work.w
    seat = chooser(w, p, r)
    board = w.opened or w.board
    found = tuple(h for h in objects(board, copy.what, seat, p.handle) if h != p.handle)
    least = 0 if copy.optional else min(1, len(found))
    if not found:
        return None
    asked = AskingData(seat, "choose", "what it enters as a copy of", found, (), least, 1)
    picks = w.ask(asked, "replace.enters")
    if not picks:
        return None
    base = copiable(w.board, picks[0])
    if copy.changes == sc.Changes():
        return base
    extra = resolve(w.board, r.ref, copy.changes, seat, r.source)
    return msgspec.structs.replace(base, changes=(*base.changes, extra))


def _chosen(work: Replacing, p: WouldMove, r: Watcher, choice: sc.Chosen) -> str:
    """614.12a: what is chosen as it enters."""
    w = work.w
    seat = chooser(w, p, r)
    words = choice.among
    if choice.what == "color":
        words = tuple(COLORS)
    elif choice.what in ("player", "opponent"):
        words = tuple(
            f"player {other + 1}" for other in w.board.seats() if choice.what == "player" or other != seat
        )
    if len(words) == 1:
        return words[0]
    asked = AskingData(seat, "option", f"choose a {choice.what} as it enters", words=words)
    return words[w.ask(asked, "replace.enters")[0]]


def _sacrificed(work: Replacing, p: WouldMove, r: Watcher, what: sc.Filter) -> int:
    """614.13: any number of permanents, none of them twice, and not what is entering at the same time."""
    from cascade_es.rules.zones import move_together  # moves are replaced themselves

    w = work.w
    seat = chooser(w, p, r)
    found = tuple(
        h
        for h in objects(w.board, what, seat, r.source)
        if w.state.object(h).controller == seat and h not in work.taken
    )
    if not found:
        return 0
    asked = AskingData(seat, "choose", "what to sacrifice as it enters", found, (), 0, len(found))
    picks = w.ask(asked, "replace.enters")
    work.taken.update(picks)
    if picks:
        work.later.append(partial(move_together, w, picks, "graveyard", "sacrifice", "sacrificed"))
    return len(picks)


def paid(work: Replacing, p: Would, r: Watcher) -> bool:
    """Whether what an effect asks is paid: its player is asked if it can be (614.12a)."""
    from cascade_es.rules import components, costs  # paying moves things

    w = work.w
    seat = chooser(w, p, r)
    plans = []
    secret = lacking = False
    taken = {*work.taken, getattr(p, "handle", 0)}  # a card being played does not pay for itself
    for index, script in enumerate(r.ability.instead.unless):
        if isinstance(script, sc.PayMana | sc.PayTap):
            return False
        part = costs.component(script, (index,), 0)
        fit = tuple(h for h in costs.fitting(w.board, script, seat, r.source) if h not in taken)
        if part.kind in components.HELD and len(w.state.player(seat).hand) >= part.amount:
            # Whether such a card is in the hand is only its player's business: they are asked all the same.
            secret = True
            lacking = lacking or len(fit) < part.amount
        elif part.kind in components.CHOSEN and len(fit) < part.amount:
            return False
        if part.kind not in components.CHOSEN and components.impossible(w.board, seat, r.source, part):
            return False
        plans.append((part, fit))
    words = ", ".join(f"{part.kind} {part.amount}" for part, _ in plans)
    question = f"pay as it enters: {words}?"
    fits = () if lacking else tuple(h for _, fit in plans for h in fit)
    known = Fact.public((0, 0, fits)) if secret else NOTHING
    if not w.ask(AskingData(seat, "yes-no", question, secret=known), "replace.enters")[0]:
        return False
    for part, fit in plans:
        picks: tuple[int, ...] = ()
        if part.kind in components.CHOSEN:
            asked = AskingData(
                seat, "choose", f"{part.kind} {part.amount}", fit, (), part.amount, part.amount
            )
            picks = w.ask(asked, "replace.enters")
            work.taken.update(picks)
        work.later.append(partial(_pay, components.perform, w, len(w.events), seat, part, r.source, picks))
    return True


def _pay(
    perform: Callable[..., object],
    w: Work,
    chosen: int,
    seat: int,
    part: Part,
    source: int,
    picks: tuple[int, ...],
) -> None:
    fresh = w.renamed(chosen)  # another part may have been paid with a card of the same hand
    perform(w, seat, part, source, tuple(fresh.get(pick, pick) for pick in picks))


# ------------------------------------------------------------------------------ instructions


def running(w: Work, p: WouldFollow) -> Running:
    """The effect at one of its instructions: "this" is its object, "that" what the event is about."""
    obj = Obj(
        p.source,
        "ability",
        "stack",
        p.seat,
        p.seat,
        NOTHING,
        source=p.source,
        ability=p.ref,
        about=p.about,
    )
    return Running(w.board, ResolvingData(p.source, bound=p.bound), obj)


def seats_of(w: Work, r: Watcher, text: str, p: Would) -> tuple[int, ...]:
    """The players that a reference of an effect means."""
    return running(w, _following(r, p)).players(text)


def _following(r: Watcher, p: Would) -> WouldFollow:
    there = getattr(p, "handle", 0) or p.cause
    bound: Names = (("source", (p.cause,) if p.cause else ()), ("those", r.those))
    if r.effect is not None:
        bound += (("to", r.effect.named("to")),)
    return WouldFollow(
        block=(),
        ref=r.ref,
        source=r.source,
        seat=r.controller,
        about=(there, getattr(p, "seat", -1)),
        bound=bound,
    )


def recipient(w: Work, r: Watcher, text: str, p: WouldDeal) -> tuple[int, int] | None:
    """To what or whom damage is redirected; None if that cannot be dealt damage any more (614.9)."""
    found = running(w, _following(r, p))
    for handle in found.objects(text):
        what = w.board.characteristics(handle)
        if w.state.object(handle).zone == "battlefield" and any(
            kind in what.types for kind in ("creature", "planeswalker", "battle")
        ):
            return handle, -1
    seats = found.players(text)
    if text == "to" and r.effect is not None:
        seats = r.effect.named("to player")
    for seat in seats:
        if not w.state.player(seat).lost:
            return 0, seat
    return None


def instructions(w: Work, p: WouldFollow) -> None:
    """Follow instructions that are part of an event, at once (614.6, 615.5)."""
    _block(w, p, p.block)


def _block(w: Work, p: WouldFollow, block: tuple[sc.Operation, ...]) -> WouldFollow:
    for op in block:
        while True:
            r = running(w, p)
            prompt = ASK[type(op)](r, op) if type(op) in ASK else None
            given = None if prompt is None else _answer(w, prompt)
            if isinstance(op, sc.May | sc.If):
                p = _block(w, p, branch(w, r, op, given))
                break
            bound = at_once(w, r, op, given)
            names = bound.bound if isinstance(bound, Again) else bound
            kept = tuple(item for item in p.bound if item[0] not in {name for name, _ in names})
            p = msgspec.structs.replace(p, bound=(*kept, *names))
            if not isinstance(bound, Again):
                break
    return p


def _answer(w: Work, prompt: Prompt) -> Answer:
    """Ask in the midst of a step what an operation asks."""
    candidates = tuple(prompt.candidates)
    if prompt.kind == "yes-no":
        return YesNo(bool(w.ask(AskingData(prompt.seat, "yes-no", prompt.question), prompt.rule)[0]))
    if prompt.kind == "option":
        words = tuple(candidate.text for candidate in candidates)
        return Option(w.ask(AskingData(prompt.seat, "option", prompt.question, words=words), prompt.rule)[0])
    among = tuple(handle for candidate in candidates for handle in candidate.answer.objects())
    # It is asked though nothing can be chosen only where others may not know that (hidden cards).
    known = NOTHING if among else Fact.public((0, 0, ()))
    asked = AskingData(
        prompt.seat, "choose", prompt.question, among, (), prompt.least, prompt.most, secret=known
    )
    return Choose(w.ask(asked, prompt.rule))
