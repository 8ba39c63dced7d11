"""Casting while a spell or ability resolves (608.2g): an offer, and the cast that follows it at once.

Timing by card type does not matter, for nobody has priority; every other permission, restriction and
prohibition does.  A cast that proves illegal is reversed to the offer, which is still open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cascade_es.errors import DecisionError
from cascade_es.evolve import HIDDEN
from cascade_es.rules import permission, proposal
from cascade_es.rules.board import Board
from cascade_es.rules.parts import part_allowed, part_name, parts
from cascade_es.rules.running import Running, block_at, program
from cascade_es.rules.standing import agrees_with
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Cast, Decline
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Characteristics, Frame, OfferingData, ResolvingData


def cards(board: Board, r: Running, op: sc.CastNow) -> tuple[int, ...]:
    """The cards that an instruction speaks of, which its player can see."""
    zone = op.from_ or "hand"
    found: tuple[int, ...] = r.objects(op.what) if op.what else ()
    for owner in r.players(op.of) if not op.what else ():
        found += tuple(h for h in board.state.zone(zone, owner) if board.state.object(h).owner == owner)
    seat = player_of(r, op)
    return tuple(
        handle
        for handle in found
        if (obj := board.state.object(handle)).kind != "ability"
        and (permission.may_see(obj, seat) or (obj.zone == "hand" and obj.owner == seat))
        # Which cards of a hand would do is nobody else's business, and judged when one is cast.
        and (obj.zone in HIDDEN or _fits(board, op, handle))
    )


def _fits(board: Board, op: sc.CastNow, handle: int) -> bool:
    return op.card is None or agrees_with(op.card, board.characteristics(handle))


def player_of(r: Running, op: sc.CastNow) -> int:
    """Who may cast."""
    return (*r.players(op.who), r.you)[0]


def instruction(board: Board, data: OfferingData) -> sc.CastNow:
    """The instruction that made the offer."""
    obj = board.find(data.object)
    assert obj is not None
    op = block_at(program(board, obj), data.path)[data.path[-1]]
    assert isinstance(op, sc.CastNow)
    return op


def left(board: Board, data: OfferingData) -> tuple[int, ...]:
    """The cards that may still be cast: a hand gets fresh ids whenever a card leaves it."""
    op = instruction(board, data)
    if op.what:
        return tuple(handle for handle in data.cards if handle in board.state.game.objects)
    return cards(board, Running(board, ResolvingData(data.object, data.path)), op)


def check(board: Board, data: OfferingData, answer: Cast) -> Refusal | None:
    """Whether one of the offered cards may be cast as one of its parts."""
    obj = board.state.game.objects.get(answer.object)
    if obj is None or board.definition(obj) is None:
        raise DecisionError(f"there is no object {answer.object} to cast")
    op = instruction(board, data)
    if obj.id not in left(board, data) or not _fits(board, op, obj.id):
        return Refusal("cast.permission", f"{board.open_name(obj.id)} is none of the cards that may be cast")
    wrong = part_allowed(board, data.player, obj, answer.part)
    if wrong is not None:
        return wrong
    what = permission.could_be(board, obj, answer.part, free=op.free)
    definition = board.definition(obj)
    assert definition is not None
    name = part_name(definition, answer.part)
    if "land" in what[0].types:
        return Refusal("cast.permission", f"{name} is a land and cannot be cast")
    if not any(agrees_with(op.spell, values) for values in what):
        return Refusal("cast.permission", f"{name} is no spell that may be cast this way")
    return permission.restrained(board, data.player, obj, answer.part, what)


def still_fits(board: Board, data: OfferingData, what: Characteristics) -> bool:
    """601.2e: whether the spell as proposed is one that the instruction allows."""
    return agrees_with(instruction(board, data).spell, what)


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Offer the cards."""
    data: OfferingData = frame.data
    among = left(board, data)
    if data.most == 0 or not among:
        return None
    free = " without paying its mana cost" if instruction(board, data).free else ""
    question = f"cast a card{free}?"
    return offer(board, data.player, among, question, "resolve.cast", lambda cast: check(board, data, cast))


def offer(
    board: Board,
    seat: int,
    among: tuple[int, ...],
    question: str,
    rule: str,
    check: Callable[[Cast], Refusal | None],
) -> Prompt:
    """Offer to cast one of some cards, as any of its parts, or none."""

    def listed() -> Iterator[Candidate]:
        for handle in among:
            obj = board.state.object(handle)
            definition = board.definition(obj)
            for part in parts(board, obj) if definition is not None else ():
                assert definition is not None
                choice = Cast(handle, part)
                yield Candidate(choice, f"cast {part_name(definition, part)}", check(choice))
        yield Candidate(Decline(), "cast nothing")

    return Prompt(
        seat,
        "offer",
        question,
        rule,
        answers=(Cast, Decline),
        candidates=listed,
        check=lambda answer: check(answer) if isinstance(answer, Cast) else None,
        complete=Decline,
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Cast one of the cards, or decline."""
    data: OfferingData = frame.data
    if isinstance(given, Decline):
        w.emit(ev.OfferEnded, "resolve.cast", data.player, data.object, auto=False)
        return
    assert isinstance(given, Cast)
    op = instruction(w.board, data)
    obj = w.state.object(given.object)
    definition = w.board.definition(obj)
    aftermath = definition is not None and definition.layout == "aftermath" and given.part == 1
    proposal.announce(
        w,
        data.player,
        given.object,
        given.part,
        "resolution",
        ground=data.object,
        free=op.free,
        exiled=op.exiled or (aftermath and obj.zone == "graveyard"),
    )


def step(w: Work, frame: Frame) -> None:
    """Nothing more can be cast; the resolution goes on."""
    data: OfferingData = frame.data
    w.emit(ev.OfferEnded, "resolve.cast", data.player, data.object)
