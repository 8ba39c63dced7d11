"""Choices in the middle of a step: what is asked stands in the frame, and the answer goes to the step.

See :meth:`cascade_es.rules.work.Work.take`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import retarget
from cascade_es.rules.board import Board
from cascade_es.rules.running import wrong_number
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Choose, Decline, Option, Order, YesNo
from cascade_es.values.facts import EVERYONE, NOTHING
from cascade_es.values.prompts import Candidate, Kind, Prompt, Refusal
from cascade_es.values.state import AskingData, Frame


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask what the frame says."""
    a: AskingData = frame.data
    if frame.state != "asked":
        return None
    if a.sort == "targets":
        return retarget.prompt(board, a)
    answers, kind = _SORTS[a.sort]
    among, (least, most) = a.among, a.bounds
    many = len(among) or len(a.words)

    def judge(answer: Answer) -> Refusal | None:
        picks = picked(answer)
        if len(set(picks)) < len(picks):
            raise DecisionError("the same was chosen twice")
        if a.sort == "yes-no":
            if picks[0] and a.secret != NOTHING and not among:
                return Refusal(a.rule, "there is nothing to do it with")
        elif among or a.sort == "choose":
            for pick in picks:
                if board.find(pick) is None:
                    raise DecisionError(f"there is no object {pick}")
                if pick not in among:
                    return Refusal(a.rule, f"{board.open_name(pick)} cannot be chosen")
        elif any(not 0 <= pick < many for pick in picks):
            raise DecisionError(f"there are {many} things to choose from")
        if a.sort == "yes-no":
            return None
        return wrong_number(len(picks), least, most, a.rule, secret=a.secret != NOTHING)

    return Prompt(
        a.player,
        kind,
        a.question,
        a.rule,
        answers=(answers,),
        candidates=lambda: _listed(board, a),
        check=judge,
        complete=lambda: _least(a),
        least=least,
        most=most,
    )


_SORTS: dict[str, tuple[type[Answer], Kind]] = {
    "choose": (Choose, "choose"),
    "option": (Option, "option"),
    "order": (Order, "order"),
    "yes-no": (YesNo, "yes-no"),
}


def numbers(board: Board, a: AskingData, answer: Answer) -> tuple[int, ...]:
    """An answer to a question as numbers."""
    return retarget.picked(answer, retarget.subject(board, a)) if a.sort == "targets" else picked(answer)


def picked(answer: Answer) -> tuple[int, ...]:
    """An answer as numbers."""
    if isinstance(answer, Choose):
        return answer.picks
    if isinstance(answer, Option):
        return (answer.index,)
    if isinstance(answer, Order):
        return answer.items
    assert isinstance(answer, YesNo)
    return (int(answer.yes),)


def _listed(board: Board, a: AskingData) -> Iterator[Candidate]:
    if a.sort == "yes-no":
        nothing = a.secret != NOTHING and not a.among
        why = Refusal(a.rule, "there is nothing to do it with") if nothing else None
        yield Candidate(YesNo(True), "yes", why)
        yield Candidate(YesNo(False), "no")
    elif a.sort == "option":
        for index, word in enumerate(a.words):
            yield Candidate(Option(index), word)
    elif a.sort == "order":
        for item, word in zip(a.among or range(len(a.words)), _words(board, a), strict=True):
            yield Candidate(Order((item,)), word)
    else:
        for handle in a.among:
            yield Candidate(Choose((handle,)), board.name(handle))


def _words(board: Board, a: AskingData) -> tuple[str, ...]:
    return a.words or tuple(board.name(handle) for handle in a.among)


def _least(a: AskingData) -> Answer:
    if a.sort == "yes-no":
        return YesNo(False)
    if a.sort == "option":
        return Option(0)
    if a.sort == "order":
        return Order(a.among or tuple(range(len(a.words))))
    return Choose(a.among[: a.bounds[0]])


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Note what was chosen; the step that asked is taken next."""
    asked: AskingData = frame.data
    picks = numbers(w.board, asked, given)
    hidden = asked.secret != NOTHING and asked.sort != "yes-no"
    seats = 1 << asked.player if hidden else EVERYONE
    w.emit(ev.ChoiceMade, asked.rule, asked.player, w.seal(picks, seats), auto=False)


def least(board: Board, a: AskingData) -> tuple[int, ...]:
    """The least that can be chosen, as numbers: for a player who has left the game."""
    return numbers(board, a, Decline() if a.sort == "targets" else _least(a))


def skip(w: Work, frame: Frame) -> None:
    """A player has left the game in the midst of choices: whoever is left is asked anew (800.4a)."""
    w.emit(ev.ChoiceMade, "lose", frame.data.player, NOTHING, True)
