"""Deciding: one decision in, all events that follow from it out, up to the next prompt.

This is where the rules live; :func:`decide` is pure.  A decision that does not fit the prompt is a
:class:`DecisionError`, one that the rules forbid is :class:`Refused`, and neither records anything.
With ``insist`` the forbidden action is recorded as the attempt it was, and reversed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final

import msgspec

from cascade_es.errors import DecisionError, Refused
from cascade_es.evolve import HIDDEN, Recall
from cascade_es.rules import (
    asking,
    cascade,
    hidden,
    knowing,
    leaving,
    mana,
    offering,
    paying,
    priority,
    proposal,
    resolution,
    reversal,
    setup,
    special,
    stacking,
    table,
    triggers,
    turn,
)
from cascade_es.rules.board import Board, Context
from cascade_es.rules.combat import attacking, blocking, damage, members
from cascade_es.rules.work import Work
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE, NOTHING, SCALARS, CardRef, Fact, Opening, sees
from cascade_es.values.prompts import UNKNOWN, Prompt, Refusal
from cascade_es.values.state import Frame, State

PROCEDURES: Final[dict[str, ModuleType]] = {
    "turn": turn,
    "priority": priority,
    "casting": proposal,
    "activating": proposal,
    "paying": paying,
    "mana": mana,
    "special": special,
    "stacking": stacking,
    "resolving": resolution,
    "cascading": cascade,
    "offering": offering,
    "attacking": attacking,
    "blocking": blocking,
    "dealing": damage,
    "asking": asking,
}
"""The room of each machine: what it asks, how it takes an answer, how it goes on by itself."""


CHOOSING: Final = ("stacking", "resolving", "turn", "asking")
"""Procedures that ask for choices which are no action of a player."""

KNOWN: Final = frozenset(de.ANSWERS.values())
MOST_TURNS: Final = 100
"""So many turns may go by in which nobody is asked anything, as where every step is skipped."""

MOST_STEPS: Final = 20_000
MOST_ROUNDS: Final = 1000
"""So many steps are taken, and so often state-based actions and turns go on, until somebody is asked.  Beyond
that a loop of mandatory actions has no end, and the game would be a draw (104.4b)."""

MOST_TEXT: Final = 16384
"""The longest comment or ruling, in characters."""


class Outcome(msgspec.Struct, frozen=True):
    """A decision as it is recorded, its events, the states from before them on, and what was sealed."""

    decision: de.RecordedDecision
    events: tuple[ev.Event, ...]
    states: tuple[State, ...]
    openings: tuple[Opening, ...]


def prompt_of(ctx: Context, state: State) -> Prompt | None:
    """What the game waits for; None before the set-up, and after the end."""
    if state.over or state.ledger.sealed or not state.game.players:
        return None
    return _prompt(Board(ctx, state), state.frame)


def _prompt(board: Board, frame: Frame) -> Prompt | None:
    room = PROCEDURES.get(frame.machine)
    if room is None:
        return None  # between the finding of an illegality and its reversal nobody is asked anything
    prompt: Callable[[Board, Frame], Prompt | None] = room.prompt
    return prompt(board, frame)


def decide(ctx: Context, state: State, decision: de.Decision, recall: Recall, frame: int) -> Outcome:
    """All that follows from a decision.

    ``frame`` is the number that the unit will have in the log; commitments are bound to it.

    Raises:
        DecisionError: when the decision does not fit the prompt.
        Refused: when the rules forbid it and it was not insisted on.
    """
    _well_formed(decision)
    w = Work(ctx, state, recall, frame)
    if state.ledger.sealed:
        raise DecisionError("the record is sealed; nothing can be added to it")
    answer = decision.answer
    seats = setup.MOST_SEATS if isinstance(answer, de.Contribute) else max(1, len(state.game.players))
    if not de.RECORDER <= decision.seat < seats:
        # Before anything else: a seat also becomes a bit of an audience.
        raise DecisionError(f"there is no player in seat {decision.seat}")
    recorded = record(w, decision)
    if isinstance(answer, de.SetUp):
        setup.perform(w, decision)
    elif answer.standing:
        _standing(w, decision)
    else:
        _answer(w, decision)
    if not isinstance(answer, de.Seal):
        settle(w)
    return Outcome(recorded, tuple(w.events), tuple(w.states), tuple(w.openings))


def _well_formed(decision: de.Decision) -> None:
    """Whether a decision is made of what it must be made of: nothing else may reach the rules or a log.

    Raises:
        DecisionError: naming what is wrong.
    """
    answer = decision.answer
    if type(answer) not in KNOWN:
        # None and UNKNOWN are what `Prompt.complete` gives where it has no answer.
        given: object = answer
        said = repr(given) if given is None or given is UNKNOWN else type(given).__name__
        what = f"a decision is one of cascade_es.decisions, not {said}"
        raise DecisionError(f"{what}; the prompt's candidates hold some")
    if type(decision.insist) is not bool:
        raise DecisionError("'insist' is True or False")
    if type(decision.seat) is not int or not de.RECORDER <= decision.seat < setup.MOST_SEATS:
        raise DecisionError(f"there is no player in seat {str(decision.seat)[:20]}")
    try:
        plain = fields(answer)
        same = msgspec.convert(plain, type(answer)) == answer
    except (msgspec.MsgspecError, TypeError, RecursionError) as error:
        raise DecisionError(f"a '{answer.kind}' of another shape: {error}") from None
    _bounded(plain)
    if not same:  # a list for a tuple, or a text for bytes, which msgspec takes
        raise DecisionError(
            f"a '{answer.kind}' of another shape; give tuples, not lists, and bytes, not text"
        )


def _bounded(value: Any) -> None:
    """Numbers of at most 63 bits, text that can be written, and nothing that only passes for one of them."""
    if isinstance(value, CardRef):
        value = (value.name, value.digest)
    if isinstance(value, tuple):
        for item in value:
            _bounded(item)
    elif type(value) not in SCALARS:
        raise DecisionError(f"a decision holds text, numbers and tuples, but no {type(value).__name__}")
    elif type(value) is int and not -(1 << 63) <= value < 1 << 63:
        raise DecisionError("a number in the decision is too large")
    elif isinstance(value, str):
        if len(value) > MOST_TEXT:
            raise DecisionError(f"a text in the decision is longer than {MOST_TEXT} characters")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise DecisionError("a text in the decision has half a character (a surrogate)")
    elif isinstance(value, bytes) and len(value) > MOST_TEXT:
        raise DecisionError(f"a value in the decision is longer than {MOST_TEXT} bytes")


def settle(w: Work) -> None:
    """Go on by the rules until somebody must decide something, or the game is over."""
    began = w.state.game.turn.number
    steps = rounds = 0
    while w.state.game.players and not w.state.over:
        triggers.sweep(w)
        members.tidy(w)
        frame = w.state.frame
        pause = w.state.game.pause
        if frame.machine in knowing.OPEN and pause is None and knowing.show(w):
            continue
        waits = pause is not None and pause.held.known and pause.held != NOTHING
        # A decision that waited for choices is carried out first: it has answered the prompt already.
        if (not waits or frame.machine == "asking") and _prompt(w.board, frame) is not None:
            return
        before = w.state
        if pause is not None and waits:
            _carry_out(w, frame, held_answer(pause.held), pause.held, 0)
        else:
            step: Callable[[Work, Frame], None] = PROCEDURES[frame.machine].step
            w.take(partial(step, w, frame))
        steps += 1
        rounds += frame.machine in ("priority", "turn")
        if steps > MOST_STEPS or rounds > MOST_ROUNDS:
            raise DecisionError(
                "this would go on for ever, and nobody can end it: the game would be a draw (104.4b);"
                " leave it, or let the table say how it ends"
            )
        if w.state.game.turn.number > began + MOST_TURNS:
            raise DecisionError(f"{MOST_TURNS} turns would go by in which nobody can decide anything")
        assert w.state is not before, f"{frame.machine} in state {frame.state} does not go on"


# ------------------------------------------------------------------------------------- answers


def _answer(w: Work, decision: de.Decision) -> None:
    prompt = None if w.state.over or not w.state.game.players else _prompt(w.board, w.state.frame)
    if prompt is None:
        raise DecisionError("the game waits for no decision")
    if decision.seat != prompt.seat:
        raise DecisionError(f"it is seat {prompt.seat} that decides now, not seat {decision.seat}")
    answer = decision.answer
    _see(w.state, decision)
    if not isinstance(answer, prompt.answers):
        wanted = ", ".join(kind.kind for kind in prompt.answers)
        raise DecisionError(
            f"'{answer.kind}' does not answer the prompt ({prompt.question}); it takes: {wanted}"
        )
    refusal = prompt.check(answer)
    if refusal is not None and not decision.insist:
        raise Refused(refusal.rule, w.ctx.number(refusal.rule), refusal.reason)
    frame = w.state.frame
    if refusal is None and frame.machine == "asking":
        asking.answer(w, frame, answer)
    elif refusal is None:
        content = (answer.kind, fields(answer))
        _carry_out(w, frame, answer, content, decision.seat)
    else:
        attempt(w, frame, prompt.seat, answer, refusal)


def _carry_out(w: Work, frame: Frame, answer: de.Answer, held: Fact | tuple[Any, ...], seat: int) -> None:
    """Do what was decided; if a choice must come first, the decision is kept until it is made."""
    take: Callable[[Work, Frame, de.Answer], None] = PROCEDURES[frame.machine].answer
    hidden = any(
        (obj := w.state.game.objects.get(handle)) is not None and obj.zone in HIDDEN
        for handle in answer.objects()
    )
    w.take(
        partial(take, w, frame, answer),
        lambda: held if isinstance(held, Fact) else w.seal(held, 1 << seat if hidden else EVERYONE),
    )


def _see(state: State, decision: de.Decision) -> None:
    """Nobody names what they cannot see: neither the answer nor a refusal may tell what it is.

    The cards of one's own hand can be named though one has not looked at them yet.

    Raises:
        DecisionError: for an object that is not there, or hidden from the decider; which of the two
            is not said.
    """
    for handle in decision.answer.objects():
        obj = state.game.objects.get(handle)
        if obj is None and handle not in state.game.last_known:
            raise DecisionError(f"there is no object {handle} to name")
        if obj is None or obj.zone not in HIDDEN:
            continue
        mine = (obj.zone == "hand" and obj.owner == decision.seat) or sees(obj.card.audience, decision.seat)
        if not mine or isinstance(decision.answer, de.Targets):
            raise DecisionError(f"there is no object {handle} to name")


def attempt(w: Work, frame: Frame, seat: int, answer: de.Answer, refusal: Refusal) -> None:
    """Record a forbidden action as the attempt it was, and reverse it (733.1)."""
    running = reversal.action(w.state)
    if frame.machine in CHOOSING and (running is None or running.data.player != seat):
        # The illegal choice is all that is undone; the question stands as it was.
        reversal.reverse(w, seat, w.mark, refusal)
        return
    mark = w.mark if running is None else running.mark
    if frame.machine not in CHOOSING and isinstance(
        answer, de.Cast | de.Targets | de.Modes | de.Declare | de.Divide | de.Attack | de.Block | de.Assign
    ):
        take: Callable[[Work, Frame, de.Answer], None] = PROCEDURES[frame.machine].answer
        take(w, frame, answer)
    else:
        # Whatever card was shown in trying has been seen: a land laid down, a card to pay with.
        tried = [handle for handle in answer.objects() if w.state.object(handle).zone in HIDDEN]
        hidden.reveal(w, tried, "reveal")
    reversal.reverse(w, seat, mark, refusal)


def _standing(w: Work, decision: de.Decision) -> None:
    answer, seat = decision.answer, decision.seat
    if isinstance(answer, de.Seal | de.Ruling | de.Table) and seat != de.RECORDER:
        raise DecisionError(f"'{answer.kind}' is for the recorder to say (seat {de.RECORDER})")
    if isinstance(answer, de.Contribute):
        setup.contribute(w, seat, answer.value)
        return
    if isinstance(answer, de.Comment):
        w.emit(ev.Commented, "table", seat, w.seal(answer.text, players(w)), auto=False)
    elif isinstance(answer, de.Ruling):
        w.emit(ev.RulingMade, "table", w.seal(answer.text, players(w)), auto=False)
    elif isinstance(answer, de.Seal):
        setup.seal(w)
    elif isinstance(answer, de.Table):
        table.perform(w, answer)
    elif not w.state.game.players or w.state.over:
        raise DecisionError("the game is not being played")
    elif seat < 0 or w.state.player(seat).lost:
        raise DecisionError(f"there is no player in seat {seat}")
    elif isinstance(answer, de.Concede):
        _concede(w, seat)
    elif isinstance(answer, de.GiveUp):
        running = reversal.action(w.state)
        if running is None or running.data.player != seat:
            raise DecisionError("there is no action of this player to give up")
        reversal.reverse(w, seat, running.mark, Refusal("illegal", "given up"), auto=False)


def _concede(w: Work, seat: int) -> None:
    """104.3a: a player may concede at any time; what they were doing is not finished, but reversed first."""
    running = reversal.action(w.state)
    while running is not None and running.data.player == seat:
        reversal.reverse(w, seat, running.mark, Refusal("concede", "conceded"))
        running = reversal.action(w.state)
    leaving.lose(w, seat, "concede", "conceded", auto=False)


# ------------------------------------------------------------------------------------ recording


def record(w: Work, decision: de.Decision) -> de.RecordedDecision:
    """A decision as the log holds it: sealed for the decider where it names a hidden card."""
    answer = decision.answer
    content = (fields(answer), tuple(descriptor(w.board, handle) for handle in answer.objects()))
    hidden = any(
        (obj := w.state.game.objects.get(handle)) is not None and obj.zone in HIDDEN
        for handle in answer.objects()
    )
    seats = EVERYONE
    if isinstance(answer, de.SetUp) or (hidden and decision.seat < 0):
        seats = 0
    elif hidden:
        seats = 1 << decision.seat
    elif isinstance(answer, de.Comment | de.Ruling):
        seats = players(w)  # sealed, though for everybody at the table: so that words can be erased
    return de.RecordedDecision(decision.seat, answer.kind, decision.insist, w.seal(content, seats))


def players(w: Work) -> int:
    """The audience that is everybody at the table."""
    return (1 << max(1, len(w.state.game.players))) - 1


def descriptor(board: Board, handle: int) -> tuple[Any, ...]:
    """Name, zone and ordinal of an object, for a re-execution in which ids have shifted."""
    obj = board.state.game.objects.get(handle)
    if obj is None:
        return ("", "", 0)
    zone = board.state.zone(obj.zone, obj.owner)
    name = board.name(handle)
    twins = [other for other in zone if board.name(other) == name]
    return (name, obj.zone, twins.index(handle))


def fields(answer: de.Answer) -> tuple[Any, ...]:
    """The fields of an answer as plain tuples, cards as they are."""
    return _plain(tuple(getattr(answer, name) for name in answer.__struct_fields__))  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    if (
        isinstance(value, msgspec.Struct)
        and not isinstance(value, Fact)
        and type(value).__name__ != "CardRef"
    ):
        return tuple(_plain(getattr(value, name)) for name in value.__struct_fields__)
    return value


def held_answer(held: Fact) -> de.Answer:
    """The answer that waits for choices, from its kind and fields."""
    kind, given = held.value
    return msgspec.convert(given, de.ANSWERS[kind], from_attributes=False)


def recorded_answer(recorded: de.RecordedDecision) -> de.Answer:
    """The answer in a recorded decision.

    Raises:
        ValueError: when its body is not open, or is no such answer.
    """
    if not recorded.body.known:
        raise ValueError("the decision is sealed")
    kind = de.ANSWERS.get(recorded.kind)
    if kind is None:
        raise ValueError(f"unknown kind of decision '{recorded.kind}'")
    try:
        given = recorded.body.value[0]
        return msgspec.convert(given, kind, from_attributes=False)
    except (msgspec.MsgspecError, TypeError, IndexError) as error:
        raise ValueError(f"a decision '{recorded.kind}' of another shape: {error}") from None
