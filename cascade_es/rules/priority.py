"""Timing and priority (117): who may act, and what happens when nobody does."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import mana, permission, proposal, sba, special
from cascade_es.rules.board import Board
from cascade_es.rules.parts import part_allowed, parts
from cascade_es.rules.work import Work
from cascade_es.rules.zones import play_land
from cascade_es.values import events as ev
from cascade_es.values.decisions import ActivateAbility, Answer, Cast, Pass, PlayLand, Unlock
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.script import Activated
from cascade_es.values.state import Frame, Obj, PriorityData


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
        answers=(Pass, Cast, PlayLand, ActivateAbility, Unlock),
        candidates=lambda: _candidates(board, seat),
        check=lambda answer: check(board, seat, answer),
        complete=Pass,
    )


def _candidates(board: Board, seat: int) -> Iterator[Candidate]:
    yield Candidate(Pass(), "pass")
    for handle in _castable_from(board, seat):
        yield from _ways(board, seat, board.state.object(handle))
    yield from special.candidates(board, seat)
    game = board.state.game
    for handle in (*game.battlefield, *board.state.player(seat).graveyard, *game.exile, *game.command):
        obj = board.state.object(handle)
        if obj.you != seat:
            continue
        for index, (_, ability) in enumerate(board.abilities(handle)):
            if isinstance(ability, Activated) and (obj.zone == "battlefield" or obj.zone in ability.zones):
                refusal = permission.begin_activation(board, seat, obj, ability, mana_only=False)
                yield Candidate(ActivateAbility(handle, index), f"activate {board.name(handle)}", refusal)


def _castable_from(board: Board, seat: int) -> Iterator[int]:
    """The cards of which a permission may speak: the own hand, and whatever else the player can see."""
    game = board.state.game
    yield from board.state.player(seat).hand
    for player in game.players:
        yield from player.graveyard
        yield from player.library[:1]
        if player.seat != seat:
            yield from player.hand
    yield from game.exile
    yield from game.command


def _ways(board: Board, seat: int, obj: Obj) -> Iterator[Candidate]:
    """Every way to cast or play a card: by part and by permission; none for a card that nothing allows."""
    if not permission.may_see(obj, seat) and not (obj.zone == "hand" and obj.owner == seat):
        return
    for part in parts(board, obj):
        what = permission.could_be(board, obj, part)
        land = "land" in what[0].types
        seen: list[str] = []
        for grant in permission.grants(board, seat, obj, part, what, land=land):
            if grant.word in seen:
                continue
            seen.append(grant.word)
            word = "" if grant.word == "hand" else grant.word
            by = "" if grant.word == "hand" else f" ({grant.word})"
            if land:
                refusal = permission.begin_land(board, seat, obj, part, word)
                yield Candidate(PlayLand(obj.id, part, word), f"play {what[0].name}{by}", refusal)
            else:
                refusal = permission.begin_cast(board, seat, obj, part, word)
                yield Candidate(Cast(obj.id, part, word), f"cast {what[0].name}{by}", refusal)


def check(board: Board, seat: int, answer: Answer) -> Refusal | None:
    """Judge an action at priority."""
    if isinstance(answer, Pass):
        return None
    if isinstance(answer, Unlock):
        return special.check(board, seat, answer)
    assert isinstance(answer, Cast | PlayLand | ActivateAbility)
    obj = board.state.game.objects.get(answer.object)
    if obj is None:
        raise DecisionError(f"there is no object {answer.object}")
    mine = obj.zone == "hand" and obj.owner == seat
    if not isinstance(answer, ActivateAbility) and not mine and not permission.may_see(obj, seat):
        raise DecisionError(f"object {answer.object} is in a hidden zone")
    if isinstance(answer, Cast):
        return permission.begin_cast(board, seat, obj, answer.part, answer.permission)
    if isinstance(answer, PlayLand):
        return permission.begin_land(board, seat, obj, answer.part, answer.permission)
    _, ability = mana.find(board, answer)
    return permission.begin_activation(board, seat, obj, ability, mana_only=False)


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Begin what the player with priority does."""
    seat = frame.data.player
    if isinstance(given, Pass):
        w.emit(ev.PriorityPassed, "priority.pass", seat, auto=False)
    elif isinstance(given, Cast):
        obj = w.state.object(given.object)
        grant = None
        if not part_allowed(w.board, seat, obj, given.part):
            grant = permission.granted(w.board, seat, obj, given.part, given.permission)
        if grant is None:
            grant = permission.Grant(given.permission or obj.zone)  # an attempt that is insisted on
        proposal.announce(
            w,
            seat,
            given.object,
            given.part,
            grant.word,
            ground=grant.ground,
            free=grant.free,
            exiled=grant.exiled,
        )
    elif isinstance(given, PlayLand):
        obj = w.state.object(given.object)
        allowed = permission.granted(w.board, seat, obj, given.part, given.permission, land=True)
        assert allowed is not None
        play_land(w, seat, given.object, given.part, allowed.ground)
    elif isinstance(given, Unlock):
        special.begin(w, seat, given)
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
