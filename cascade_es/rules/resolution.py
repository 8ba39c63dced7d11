"""Resolving spells and abilities (608): judge targets, follow instructions, leave the stack last.

The position of a running effect is a path: the index of an instruction, then for each block that it
is inside of, which branch and the index there.
"""

from __future__ import annotations

from cascade_es.rules import insets, operations, targets
from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds, is_permanent_card
from cascade_es.rules.operations import ASK, RUN, Again, Bound, Running
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, close_library, move
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.prompts import Prompt
from cascade_es.values.state import Frame, Obj, ResolvingData

Block = tuple[sc.Operation, ...]


def program(board: Board, obj: Obj) -> Block:
    """The instructions of a spell or ability: those of its chosen modes, in printed order."""
    text = board.text(obj)
    if not text.modes:
        return text.do
    return tuple(op for mode in board.choices(obj.id).modes for op in text.modes[mode].do)


def block_at(whole: Block, path: tuple[int, ...]) -> Block:
    """The block in which a path ends."""
    block = whole
    for depth in range(0, len(path) - 1, 2):
        op = block[path[depth]]
        assert isinstance(op, sc.May | sc.If)
        block = op.then if path[depth + 1] == 0 else op.otherwise
    return block


def normal(whole: Block, path: tuple[int, ...]) -> tuple[int, ...]:
    """Leave every block whose end has been reached."""
    while len(path) > 1 and path[-1] >= len(block_at(whole, path)):
        path = (*path[:-3], path[-3] + 1)
    return path


def current(board: Board, frame: Frame) -> sc.Operation | None:
    """The instruction at which a resolution stands; None at its end."""
    data: ResolvingData = frame.data
    obj = board.find(data.object)
    assert obj is not None
    block = block_at(program(board, obj), data.path)
    return block[data.path[-1]] if data.path[-1] < len(block) else None


def judged(board: Board, frame: Frame) -> bool:
    """Whether the intervening "if" and the targets have been judged, or there are none."""
    if frame.state != "judging":
        return True
    return if_holds(board, frame.data) and not board.choices(frame.data.object).targets


def if_holds(board: Board, data: ResolvingData) -> bool:
    """603.4, 608.2a: an intervening "if" must still be true as the ability resolves."""
    obj = board.find(data.object)
    assert obj is not None
    ability = board.ability(obj.ability) if obj.ability is not None else None
    if not isinstance(ability, sc.Triggered) or ability.condition is None:
        return True
    return holds(board, ability.condition, obj.controller, obj.source, board.choices(obj.source).declared)


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """What the present instruction asks."""
    if not judged(board, frame):
        return None
    op = current(board, frame)
    if op is None or type(op) not in ASK:
        return None
    if isinstance(op, sc.Search) and not board.state.player(_controller(board, frame)).order.sealed:
        return None  # the library must be opened first
    return ASK[type(op)](Running(board, frame.data), op)


def _controller(board: Board, frame: Frame) -> int:
    obj = board.find(frame.data.object)
    assert obj is not None
    return obj.controller


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Carry out the present instruction with what was chosen."""
    _follow(w, given)


def step(w: Work, frame: Frame) -> None:
    """Judge targets, follow the next instruction, or end the resolution."""
    board = w.board
    data: ResolvingData = frame.data
    obj = w.state.game.objects.get(data.object)
    if not judged(board, frame):
        assert obj is not None
        if not if_holds(board, data):
            _leave(w, obj, "did nothing", "resolve.if")
            return
        legal = targets.still_legal(board, obj)
        w.emit(ev.TargetsJudged, "resolve.targets", obj.id, legal)
        if not any(legal):
            # 608.2b: with no legal target left the spell or ability does not resolve.
            _leave(w, obj, "did not resolve", "resolve.targets")
        return
    op = current(board, frame)
    if op is None:
        _end(w, data)
    elif operations.prepare(w, Running(board, data), op):
        w.emit(ev.InstructionReached, "resolve.follow", data.object, data.path, data.bound)
    else:
        _follow(w, None)


def _follow(w: Work, given: Answer | None) -> None:
    """Carry out one instruction; what comes next is recorded before anything else can happen."""
    frame = w.state.frame
    data: ResolvingData = frame.data
    board = w.board
    obj = board.find(data.object)
    assert obj is not None
    whole = program(board, obj)
    op = block_at(whole, data.path)[data.path[-1]]
    running = Running(board, data)
    if isinstance(op, sc.May | sc.If):
        chosen = operations.branch(running, op, given)
        path = (*data.path, 0 if chosen is op.then else 1, 0)
        _go_on(w, data, whole, normal(whole, path), ())
        return
    after = normal(whole, (*data.path[:-1], data.path[-1] + 1))
    if isinstance(op, sc.Cascade | sc.CastNow):
        _reach(w, data, after, ())
        RUN[type(op)](w, running, op, given)
        return
    bound = RUN[type(op)](w, running, op, given)
    if isinstance(bound, Again):
        _reach(w, data, data.path, bound.bound)
    else:
        _go_on(w, data, whole, after, bound)


def _go_on(w: Work, data: ResolvingData, whole: Block, path: tuple[int, ...], bound: Bound) -> None:
    """Reach the next instruction, or end with the last one."""
    if path[-1] < len(block_at(whole, path)):
        _reach(w, data, path, bound)
    else:
        _end(w, data)


def _reach(w: Work, data: ResolvingData, path: tuple[int, ...], bound: Bound) -> None:
    names = {name for name, _ in bound}
    kept = tuple(item for item in data.bound if item[0] not in names) + bound
    w.emit(ev.InstructionReached, "resolve.follow", data.object, path, kept)


def _end(w: Work, data: ResolvingData) -> None:
    obj = w.state.game.objects.get(data.object)
    if obj is None:
        w.emit(ev.ResolutionEnded, "resolve.leave", data.object, "resolved")
        return
    close_library(w, obj.controller)
    _leave(w, obj, "resolved", "resolve.leave")


def _leave(w: Work, obj: Obj, outcome: str, rule: str) -> None:
    """608.2n, 608.3: as the last part a permanent enters, or a card goes to the graveyard."""
    handle = obj.id
    what = w.board.characteristics(handle)
    if outcome == "resolved" and insets.leave(w, obj):
        w.emit(ev.ResolutionEnded, rule, handle, outcome)
        return
    with batch(w):
        if obj.kind == "ability" or not (outcome == "resolved" and is_permanent_card(what)):
            move(w, handle, "graveyard", rule, outcome)
        else:
            chosen = w.board.choices(handle).targets
            host = chosen[0].object if chosen and "Aura" in what.subtypes else 0
            how = "resolve.aura" if host else "resolve.permanent"
            new = move(w, handle, "battlefield", how, "resolved", controller=obj.controller, attached=host)
            insets.enter(w, obj, new)
    w.emit(ev.ResolutionEnded, rule, handle, outcome)
