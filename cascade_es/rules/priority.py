"""Timing and priority (117): who may act, and what happens when nobody does."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import mana, permission, proposal, sba
from cascade_es.rules.board import Board
from cascade_es.rules.work import Work
from cascade_es.rules.zones import play_land
from cascade_es.values import events as ev
from cascade_es.values.decisions import ActivateAbility, Answer, Cast, Pass, PlayLand
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.script import Activated
from cascade_es.values.state import Frame, PriorityData


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """The player with priority may cast, activate, play a land, or pass (117.1)."""
    if frame.state != "holding":
        return None
    seat = frame.data.player
    return Prompt(
        seat,
        "act",
        "priority",
        "priority.give",
        answers=(Pass, Cast, PlayLand, ActivateAbility),
        candidates=lambda: _candidates(board, seat),
        check=lambda answer: check(board, seat, answer),
        complete=Pass,
    )


def _candidates(board: Board, seat: int) -> Iterator[Candidate]:
    yield Candidate(Pass(), "pass")
    for handle in board.state.player(seat).hand:
        obj = board.state.object(handle)
        for part in permission.parts(board, obj):
            ref = obj.ref
            assert ref is not None
            what = board.part(ref, part)
            if "land" in what.types:
                refusal = permission.begin_land(board, seat, obj, part)
                yield Candidate(PlayLand(handle, part), f"play {what.name}", refusal)
            else:
                refusal = permission.begin_cast(board, seat, obj, part)
                yield Candidate(Cast(handle, part), f"cast {what.name}", refusal)
    for handle in board.state.game.battlefield:
        obj = board.state.object(handle)
        if obj.controller != seat:
            continue
        for index, (_, ability) in enumerate(board.abilities(handle)):
            if isinstance(ability, Activated):
                refusal = permission.begin_activation(board, seat, obj, ability, mana_only=False)
                yield Candidate(ActivateAbility(handle, index), f"activate {board.name(handle)}", refusal)


def check(board: Board, seat: int, answer: Answer) -> Refusal | None:
    """Judge an action at priority."""
    if isinstance(answer, Pass):
        return None
    assert isinstance(answer, Cast | PlayLand | ActivateAbility)
    obj = board.state.game.objects.get(answer.object)
    if obj is None:
        raise DecisionError(f"there is no object {answer.object}")
    if obj.zone in ("hand", "library") and obj.owner != seat:
        raise DecisionError(f"object {answer.object} is in a hidden zone of another player")
    if isinstance(answer, Cast):
        if answer.permission not in ("", obj.zone):
            raise DecisionError(f"no permission '{answer.permission}' applies to {board.name(obj.id)}")
        return permission.begin_cast(board, seat, obj, answer.part)
    if isinstance(answer, PlayLand):
        return permission.begin_land(board, seat, obj, answer.part)
    _, ability = mana.find(board, answer)
    return permission.begin_activation(board, seat, obj, ability, mana_only=False)


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Begin what the player with priority does."""
    seat = frame.data.player
    if isinstance(given, Pass):
        w.emit(ev.PriorityPassed, "priority.pass", seat, auto=False)
    elif isinstance(given, Cast):
        obj = w.state.object(given.object)
        proposal.announce(w, seat, given.object, given.part, given.permission or obj.zone)
    elif isinstance(given, PlayLand):
        play_land(w, seat, given.object, given.part)
    elif isinstance(given, ActivateAbility):
        ref, ability = mana.find(w.board, given)
        if w.board.is_mana_ability(ability):
            mana.activate(w, seat, given)
        else:
            proposal.activate(w, seat, given.object, ref)


def step(w: Work, frame: Frame) -> None:
    """Before a player receives priority: state-based actions, then triggers, until neither (117.5)."""
    data: PriorityData = frame.data
    if sba.perform(w):
        return
    if w.state.game.pending:
        w.emit(ev.StackingBegun, "trigger.stack")
        return
    board = w.board
    seats = board.seats()
    if data.after == "pass" and data.passes >= len(seats):
        # 117.4: all players passed in succession.
        if w.state.game.stack:
            top = w.state.object(w.state.game.stack[-1])
            w.emit(ev.ResolutionBegun, "resolve.begin", top.id, cause=top.event)
        else:
            w.emit(ev.RoundEnded, "priority.all-passed")
        return
    seat, rule = next_holder(board, data)
    w.emit(ev.PriorityGiven, rule, seat)


def next_holder(board: Board, data: PriorityData) -> tuple[int, str]:
    """Who receives priority, and by which rule."""
    active = board.seats()[0]
    if data.after == "pass":
        return board.next_seat(data.player), "priority.pass"
    if data.after == "action" and not board.state.player(data.player).lost:
        return data.player, "priority.again"  # 117.3c
    if data.after == "resolution":
        return active, "priority.after-resolution"  # 117.3b
    return active, "priority.give"  # 117.3a
