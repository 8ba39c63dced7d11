"""Cascade (702.85): search, the moment "as you cascade", the offer, the free cast, the pile to the bottom.

The order is the whole point.  All of it is one resolution: the found card is cast while the cascade
ability is still resolving, the pile goes to the bottom before anything else can resolve, and only
then does anybody receive priority.
"""

from __future__ import annotations

from cascade_es.errors import DecisionError
from cascade_es.rules import permission, proposal
from cascade_es.rules.board import Board
from cascade_es.rules.offering import offer
from cascade_es.rules.parts import part_allowed
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, move, randomize_bottom
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Cast, Decline
from cascade_es.values.prompts import Prompt, Refusal
from cascade_es.values.state import CascadingData, Frame, Obj


def begin(w: Work, ability: Obj) -> None:
    """The limit is the mana value of the spell with cascade: its own, or as last known (608.2h)."""
    limit = w.board.characteristics(ability.source).mana_value
    w.emit(ev.CascadeBegun, "cascade", ability.controller, ability.id, limit)


def check(board: Board, data: CascadingData, answer: Cast) -> Refusal | None:
    """Whether the found card may be cast that way: 608.2g ignores timing and priority, nothing else."""
    if answer.object != data.hit:
        raise DecisionError(f"the offer is object {data.hit}, not {answer.object}")
    obj = board.state.object(data.hit)
    wrong = part_allowed(board, data.player, obj, answer.part)
    if wrong is not None:
        return wrong
    assert obj.ref is not None
    what = board.part(obj.ref, answer.part)
    if "land" in what.types:
        return Refusal("cast.permission", f"{what.name} is a land and cannot be cast")
    if board.ctx.edition.has("resulting-mana-value") and what.mana_value >= data.limit:
        return Refusal(
            "cascade", f"{what.name} would have mana value {what.mana_value}, not less than {data.limit}"
        )
    return permission.restrained(board, data.player, obj, answer.part, (what,))


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Offer the found card."""
    if frame.state != "offered":
        return None
    data: CascadingData = frame.data
    question = f"cast {board.name(data.hit)} without paying its mana cost?"
    return offer(board, data.player, (data.hit,), question, "cascade", lambda cast: check(board, data, cast))


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Cast the found card for free, or decline."""
    data: CascadingData = frame.data
    if isinstance(given, Decline):
        w.emit(ev.CastDeclined, "cascade", data.player, data.hit, auto=False)
        return
    assert isinstance(given, Cast)
    w.emit(ev.CastFree, "cascade", data.player, data.hit, given.part, auto=False)
    proposal.announce(
        w, data.player, data.hit, given.part, "cascade", ground=data.object, free=True, limit=data.limit
    )


def step(w: Work, frame: Frame) -> None:
    """Exile until a hit, then offer it; afterwards put the pile on the bottom."""
    data: CascadingData = frame.data
    if frame.state == "exiling":
        _search(w, data)
    elif frame.state == "as you cascade":
        if data.hit:
            w.emit(ev.CastOffered, "cascade", data.player, data.hit)
        else:
            _bottom(w, data)
    elif frame.state == "done":
        w.emit(ev.CascadeEnded, "cascade", data.player)
    else:
        _bottom(w, data)


def _search(w: Work, data: CascadingData) -> None:
    """Exile cards one at a time, face up, from the top: a land is never a hit, nor is an equal value."""
    library = w.state.player(data.player).library
    if data.pile and _is_hit(w.board, data.pile[-1], data.limit):
        w.emit(ev.SearchEnded, "cascade", data.pile[-1])
    elif library:
        with batch(w):
            move(w, library[0], "exile", "cascade", "cascade")
    else:
        w.emit(ev.SearchEnded, "cascade", 0)


def _is_hit(board: Board, handle: int, limit: int) -> bool:
    what = board.characteristics(handle)
    # Before 2017-04-28 a split card had two mana values, and one that is lower was enough (708.6 then).
    lowest = min(what.mana_values or (what.mana_value,))
    return "land" not in what.types and lowest < limit


def _bottom(w: Work, data: CascadingData) -> None:
    """Everything exiled this way and not cast goes to the bottom, in the same resolution."""
    pile = tuple(handle for handle in data.pile if handle in w.state.game.exile)
    if pile:
        randomize_bottom(w, data.player, pile, "cascade")
    else:
        w.emit(ev.CascadeEnded, "cascade", data.player)
