"""Resolving spells and abilities (608): judge targets, follow instructions, leave the stack last.

The position of a running effect is a path: the index of an instruction, then for each block that it
is inside of, which branch and the index there.
"""

from __future__ import annotations

from cascade_es.rules import copies, insets, operations, targets, watching
from cascade_es.rules.board import Board
from cascade_es.rules.filters import is_permanent_card
from cascade_es.rules.hidden import close_library
from cascade_es.rules.running import (
    ASK,
    RUN,
    Again,
    Block,
    Bound,
    Running,
    block_at,
    branch,
    current,
    declined_name,
    lacks_information,
    loop_name,
    player_word,
    program,
)
from cascade_es.rules.triggers import if_true
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, move
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, YesNo
from cascade_es.values.prompts import Prompt
from cascade_es.values.state import Frame, Obj, ResolvingData


def normal(whole: Block, path: tuple[int, ...], bound: Bound) -> tuple[tuple[int, ...], Bound]:
    """Leave every block whose end has been reached; a loop goes on with what comes next in it."""
    while len(path) > 1 and path[-1] >= len(block_at(whole, path)):
        op = block_at(whole, path[:-2])[path[-3]]
        rest = dict(bound).get(loop_name(op), ()) if isinstance(op, sc.ForEach) else ()
        if isinstance(op, sc.ForEach) and rest:
            bound = bind(bound, ((op.bind, rest[:1]), (loop_name(op), rest[1:])))
            path = (*path[:-1], 0)
        else:
            path = (*path[:-3], path[-3] + 1)
    return path, bound


def after(path: tuple[int, ...]) -> tuple[int, ...]:
    """The place behind an instruction."""
    return (*path[:-1], path[-1] + 1)


def bind(old: Bound, new: Bound) -> Bound:
    """Names with what they are bound to: the new ones replace old ones."""
    names = {name for name, _ in new}
    return tuple(item for item in old if item[0] not in names) + new


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
    if not isinstance(ability, sc.Triggered) or ability.condition is None or ability.when.event == "state":
        return True  # 603.8: the state that makes an ability trigger is no intervening "if"
    return if_true(board, ability.condition, obj.controller, obj.source, obj.about)


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """What the present instruction asks."""
    if not judged(board, frame) or frame.state == "paying":
        return None
    op = current(board, frame)
    if op is None or type(op) not in ASK:
        return None
    if isinstance(op, sc.Search) and not board.state.player(_controller(board, frame)).order.sealed:
        return None  # the library must be opened first
    running = Running(board, frame.data)
    if isinstance(op, sc.Choose) and operations.unseen_among(running, op) is not None:
        return None  # they must be looked at first
    return None if lacks_information(running, op) else ASK[type(op)](running, op)


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
            if not w.ctx.edition.has("does-not-resolve-wording"):
                with batch(w):  # then it was countered by the rules of the game
                    w.emit(ev.Countered, "resolve.targets", obj.id, 0)
            _leave(w, obj, "did not resolve", "resolve.targets")
        return
    op = current(board, frame)
    if frame.state == "paying":
        assert isinstance(op, sc.Pay)
        _paid(w, frame, op)
    elif op is None:
        _end(w, data)
    elif operations.prepare(w, Running(board, data), op):
        w.emit(ev.InstructionReached, "resolve.follow", data.object, data.path, data.bound)
    else:
        _follow(w, None)


def _follow(w: Work, given: Answer | None) -> None:
    frame = w.state.frame
    data: ResolvingData = frame.data
    board = w.board
    obj = board.find(data.object)
    assert obj is not None
    whole = program(board, obj)
    op = block_at(whole, data.path)[data.path[-1]]
    running = Running(board, data)
    next_path = after(data.path)
    if lacks_information(running, op):
        missing = ((op.bind, ()),) if isinstance(op, sc.Let) else ()
        _go_on(w, data, whole, next_path, missing)
    elif isinstance(op, sc.May | sc.If):
        chosen = branch(w, running, op, given)
        _go_on(w, data, whole, (*data.path, 0 if chosen is op.then else 1, 0), ())
    elif isinstance(op, sc.Pay):
        _pay(w, running, op, whole, given)
    elif isinstance(op, sc.ForEach):
        items = operations.items(w, running, op)
        # An empty round first: leaving it begins the first real one.
        _go_on(w, data, whole, (*data.path, 0, len(op.then)), ((loop_name(op), items),))
    elif isinstance(op, sc.Cascade | sc.CastNow):
        path, bound = normal(whole, next_path, data.bound)
        _reach(w, data, path, bound)
        RUN[type(op)](w, running, op, given)
    else:
        done = RUN[type(op)](w, running, op, given)
        if w.state.over or w.state.frame.event != frame.event:
            return  # the game is over, or its controller has left it
        if isinstance(done, Again):
            _reach(w, data, data.path, bind(data.bound, done.bound))
        else:
            _go_on(w, data, whole, next_path, done)


def _pay(w: Work, r: Running, op: sc.Pay, whole: Block, given: Answer | None) -> None:
    """118.12: the payment begins, the next player is asked, or nobody pays."""
    data = r.data
    if isinstance(given, YesNo) and given.yes:
        seat = operations.payers(r, op)[0]
        price, parts = operations.cost_in_resolution(r, op, operations.ways_to_pay(w, op, seat))
        there = data.object if data.object in w.state.game.objects else 0
        w.emit(ev.PaymentBegun, "resolve.pay", seat, there, price, parts, r.this)
        return
    declined = data.values(declined_name(data)) or ()
    left = operations.payers(r, op)
    if len(left) > 1:
        _reach(w, data, data.path, bind(data.bound, ((declined_name(data), (*declined, left[0])),)))
    else:
        _go_on(w, data, whole, (*data.path, 1, 0), ((declined_name(data), ()),))


def _paid(w: Work, frame: Frame, op: sc.Pay) -> None:
    """The payment is made."""
    data: ResolvingData = frame.data
    running = Running(w.board, data)
    bound: Bound = ((declined_name(data), ()),)
    if op.bind:
        bound += ((op.bind, (player_word(operations.payers(running, op)[0]),)),)
    _go_on(w, data, program(w.board, running.obj), (*data.path, 0, 0), bound)


def _go_on(w: Work, data: ResolvingData, whole: Block, path: tuple[int, ...], bound: Bound) -> None:
    """Reach the next instruction, or end with the last one."""
    path, bound = normal(whole, path, bind(data.bound, bound))
    if path[-1] < len(block_at(whole, path)) or (w.told and watching.about(w.board, ())):
        _reach(w, data, path, bound)  # where it goes afterwards may be somebody's choice
    else:
        _end(w, data)


def _reach(w: Work, data: ResolvingData, path: tuple[int, ...], bound: Bound) -> None:
    w.emit(ev.InstructionReached, "resolve.follow", data.object, path, bound)


def _end(w: Work, data: ResolvingData) -> None:
    obj = w.state.game.objects.get(data.object)
    for seat in w.board.seats():
        close_library(w, seat)
    if obj is None:  # 608.2m: it left the stack while it resolved
        w.emit(ev.ResolutionEnded, "resolve.leave", data.object, "resolved")
        return
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
            host = 0
            if chosen and "Aura" in what.subtypes:
                host = chosen[0].object or player_word(chosen[0].seat)
            how = "resolve.aura" if host else "resolve.permanent"
            new = move(w, handle, "battlefield", how, "resolved", controller=obj.controller, attached=host)
            if not new and handle in w.state.game.stack:
                move(w, handle, "graveyard", how, "resolved")  # 608.3e: it can't enter
            insets.enter(w, obj, new)
            copies.settled(w, obj, new)
    w.emit(ev.ResolutionEnded, rule, handle, outcome)
