"""Putting triggered abilities on the stack (603.3): order, then modes and targets, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import proposal, targets
from cascade_es.rules.board import Board
from cascade_es.rules.triggers import alike, stacking_order, waiting
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Divide, Modes, Order, Targets
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Frame, Obj, StackingData


def undecided(board: Board, frame: Frame) -> tuple[int, bool] | None:
    """The next player who must order several triggers of their own, and of which pass (603.3b)."""
    data: StackingData = frame.data
    for late in (False, True):
        for seat in board.seats():
            mine = waiting(board, seat, late)
            if len(mine) > 1 and not alike(mine) and not any(item.id in data.order for item in mine):
                return seat, late
    return None


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask for an order, or for the modes and targets of the ability just put on the stack."""
    if frame.state == "ordering":
        found = undecided(board, frame)
        return None if found is None else _ordering(board, *found)
    if frame.state == "placing":
        obj = board.state.object(frame.data.object)
        choices = board.choices(obj.id)
        if proposal.modes_wanted(board, obj) and not choices.modes:
            asked = proposal.modes_prompt(board, obj)
            return asked if asked.complete() is not None else None
        if proposal.targets_wanted(board, obj) and targets.complete(board, obj) is not None:
            return targets.prompt(board, obj)
    if frame.state == "placed" and (divided := _to_divide(board, frame)) is not None:
        return proposal.division_prompt(board, divided)
    return None


def _to_divide(board: Board, frame: Frame) -> Obj | None:
    """The ability just put on the stack whose effect must still be divided (603.3d)."""
    obj = board.state.game.objects.get(frame.data.object)
    if obj is None or not proposal.division_wanted(board, obj) or board.choices(obj.id).division:
        return None
    return obj


def _ordering(board: Board, seat: int, late: bool) -> Prompt:
    mine = waiting(board, seat, late)
    ids = tuple(item.id for item in mine)

    def listed() -> Iterator[Candidate]:
        for item in mine:
            name = item.ability.keyword or board.name(item.source)
            yield Candidate(Order((item.id,)), name)

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Order)
        if sorted(answer.items) != sorted(ids):
            raise DecisionError("every waiting trigger must be named exactly once")
        return None

    return Prompt(
        seat,
        "order",
        "order of triggered abilities; the first is put on the stack first and resolves last",
        "trigger.order",
        answers=(Order,),
        candidates=listed,
        check=judge,
        complete=lambda: Order(ids),
        least=len(ids),
        most=len(ids),
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Record an order, modes or targets."""
    if isinstance(given, Order):
        found = undecided(w.board, frame)
        assert found is not None
        w.emit(ev.TriggersOrdered, "trigger.order", found[0], given.items, auto=False)
    elif isinstance(given, Modes):
        w.emit(ev.ChooseModes, "trigger.targets", frame.data.object, tuple(sorted(given.modes)), auto=False)
    elif isinstance(given, Divide):
        w.emit(ev.EffectDivided, "trigger.targets", frame.data.object, given.amounts, auto=False)
    elif isinstance(given, Targets):
        chosen = tuple(sorted(given.targets, key=lambda target: target.slot))
        with batch(w):
            w.emit(ev.TargetsChosen, "trigger.targets", frame.data.object, chosen, auto=False)


def step(w: Work, frame: Frame) -> None:
    """Put the next ability on the stack, or remove one that has no legal choice (603.3c–d)."""
    board = w.board
    if frame.state == "placing":
        obj = board.state.object(frame.data.object)
        modeless = proposal.modes_wanted(board, obj) and not board.choices(obj.id).modes
        if modeless or proposal.targets_wanted(board, obj):
            w.emit(ev.TriggerRemoved, "trigger.targets", obj.id)
            return
    order = stacking_order(board, frame.data.order)
    if not order:
        w.emit(ev.StackingEnded, "trigger.stack")
        return
    pending = next(item for item in w.state.game.pending if item.id == order[0])
    w.emit(ev.TriggerStacked, "trigger.stack", pending.id, w.new_id(), cause=pending.event)
