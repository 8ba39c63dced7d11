"""Casting while something resolves (608.2g): an effect lets a player cast cards, now and by this effect.

Timing and priority do not matter; whatever forbids the cast still does.  The spells go on the stack above
what is resolving, and nobody receives priority before its resolution is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import permission, proposal
from cascade_es.rules.board import Board
from cascade_es.rules.filters import agrees
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Cast, Decline
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Frame, OfferData


def operation(board: Board) -> sc.Cast:
    """The instruction that lets the player cast."""
    from cascade_es.rules import resolution  # it runs the operations, one of which begins this

    for frame in reversed(board.state.game.frames):
        if frame.machine == "resolving":
            op = resolution.current(board, frame)
            assert isinstance(op, sc.Cast)
            return op
    raise AssertionError("nothing resolves that lets anybody cast")


def cards(board: Board, data: OfferData, op: sc.Cast) -> tuple[int, ...]:
    """The cards that may be cast, as far as they are still there."""
    if op.what == "hand":
        return board.state.player(data.player).hand
    return tuple(handle for handle in data.cards if handle in board.state.game.objects)


def check(board: Board, data: OfferData, answer: Cast) -> Refusal | None:
    """Whether a card may be cast that way: 608.2g ignores timing and priority, nothing else."""
    op = operation(board)
    if answer.object not in cards(board, data, op):
        raise DecisionError(f"object {answer.object} is not among the cards that may be cast")
    obj = board.state.object(answer.object)
    wrong = permission.part_allowed(board, obj, answer.part)
    if wrong is not None:
        return wrong
    assert obj.ref is not None
    what = board.part(obj.ref, answer.part)
    if "land" in what.types:
        return Refusal("cast.permission", f"{what.name} is a land and cannot be cast")
    if op.only is not None and not agrees(op.only, what):
        return Refusal("cast.permission", f"this effect does not let {what.name} be cast")
    return permission.prohibition(board, data.player, obj, answer.part, what)


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Offer the cards that are left."""
    data: OfferData = frame.data
    op = operation(board)
    among = cards(board, data, op)
    if not among or data.most == 0:
        return None

    def listed() -> Iterator[Candidate]:
        for handle in among:
            obj = board.state.object(handle)
            for part in permission.parts(board, obj):
                assert obj.ref is not None
                choice = Cast(handle, part)
                yield Candidate(choice, f"cast {board.part(obj.ref, part).name}", check(board, data, choice))
        yield Candidate(Decline(), "cast nothing")

    def judge(answer: Answer) -> Refusal | None:
        return check(board, data, answer) if isinstance(answer, Cast) else None

    how = " without paying its mana cost" if op.free else ""
    return Prompt(
        data.player,
        "offer",
        f"cast a spell{how}?",
        "resolve.cast",
        answers=(Cast, Decline),
        candidates=listed,
        check=judge,
        complete=Decline,
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Cast one of the cards, or nothing more."""
    data: OfferData = frame.data
    if isinstance(given, Decline):
        w.emit(ev.OfferEnded, "resolve.cast", data.player, auto=False)
        return
    assert isinstance(given, Cast)
    op = operation(w.board)
    proposal.announce(w, data.player, given.object, given.part, "effect", ground=data.object, free=op.free)


def step(w: Work, frame: Frame) -> None:
    """Nothing is left to cast."""
    w.emit(ev.OfferEnded, "resolve.cast", frame.data.player)
