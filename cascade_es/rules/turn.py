"""The turn: its steps and turn-based actions (500–514, 703)."""

from __future__ import annotations

from typing import Final

from cascade_es.errors import DecisionError
from cascade_es.rules import effects, sba
from cascade_es.rules.board import Board
from cascade_es.rules.changes import skipped
from cascade_es.rules.combat import attacking, blocking, damage, members
from cascade_es.rules.hidden import rehandle_hand
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, draw, move
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Choose
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Frame

STEPS: Final = (
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
)
"""The steps of a turn (500.1); 508.8 skips declaring blockers and combat damage where nobody attacks."""

PHASES: Final = ("precombat main", "beginning of combat", "postcombat main", "end")
"""The steps with which those phases begin that others can be added to (500.8)."""

HAND_SIZE: Final = 7

MOST_SKIPPED: Final = 1000
"""So many turns in a row may be skipped; where all are skipped for good, no turn would ever begin."""


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """514.1: the active player discards down to the maximum hand size."""
    turn = board.state.game.turn
    if frame.state != "step begun" or turn.step != "cleanup":
        return None
    hand = board.state.player(turn.active).hand
    excess = len(hand) - HAND_SIZE
    if excess <= 0:
        return None

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Choose)
        if len(set(answer.picks)) < len(answer.picks):
            raise DecisionError("the same card was chosen twice")
        if len(answer.picks) != excess or any(pick not in hand for pick in answer.picks):
            return Refusal("turn.discard", f"{excess} card(s) of the hand must be discarded")
        return None

    return Prompt(
        turn.active,
        "choose",
        f"discard {excess} card(s)",
        "turn.discard",
        answers=(Choose,),
        candidates=lambda: (Candidate(Choose((handle,)), board.name(handle)) for handle in hand),
        check=judge,
        complete=lambda: Choose(hand[:excess]),
        least=excess,
        most=excess,
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Discard at cleanup."""
    assert isinstance(given, Choose)
    fresh = rehandle_hand(w, w.state.game.turn.active, given.picks)
    with batch(w):
        for handle in fresh:
            move(w, handle, "graveyard", "turn.discard", "discarded")


def step(w: Work, frame: Frame) -> None:
    """Go on to the next step or turn."""
    turn = w.state.game.turn
    if frame.state == "between turns":
        seat = next_player(w.board)
        for _ in range(MOST_SKIPPED):
            if not skipped(w, seat, ""):
                break
            seat = w.board.next_seat(seat)
        else:
            raise DecisionError("every turn would be skipped: this game has no end that could be played")
        with batch(w):
            w.emit(ev.TurnBegun, "turn.begin", seat, turn.number + 1)
            effects.end(w, lambda e: e.duration == "your next turn" and e.controller == seat)
            over = (
                d.id for d in w.state.game.delayed if d.until == "your next turn" and d.controller == seat
            )
            if ended := tuple(over):
                w.emit(ev.DelayedEnded, "trigger.delayed", ended)
        w.note_digest("turn.begin")
    elif frame.state == "turn":
        if turn.step == STEPS[-1]:
            w.emit(ev.TurnEnded, "turn.cleanup")
        else:
            coming = next_step(w.board)
            # 614.10: what is skipped is proceeded past as though it did not exist.
            while coming and skipped(w, turn.active, coming):
                coming = "" if coming == STEPS[-1] else STEPS[STEPS.index(coming) + 1]
            if coming:
                begin(w, coming)
            else:
                w.emit(ev.TurnEnded, "turn.cleanup")
    elif frame.state == "step begun":
        if not _action(w, turn.step):
            _in_step(w, turn.step)
    elif frame.state == "acted":
        _in_step(w, turn.step)
    else:
        _end_step(w)
        if turn.step == STEPS[-1]:
            begin(w, turn.step)  # 514.3a: if players received priority, another cleanup step follows


def next_player(board: Board) -> int:
    """Whose turn comes next: the first turn is the starting player's, extra turns come first (500.7)."""
    game = board.state.game
    if game.turn.number == 0:
        return game.turn.active
    for seat in game.turns:
        if not board.state.player(seat).lost:
            return seat
    return board.next_seat(game.turns[-1] if game.turns else game.turn.active)


def next_step(board: Board) -> str:
    """The step that follows: of a combat, of phases that were added, or as always."""
    game = board.state.game
    step = game.turn.step
    if not step:
        return STEPS[0]
    if step == "declare attackers" and game.fight is None:
        return "end of combat"  # 508.8
    if step == "combat damage" and game.fight is not None and game.fight.again:
        return step  # 510.4
    if game.ahead and step in ("precombat main", "end of combat", "postcombat main"):
        return game.ahead[0]
    return STEPS[STEPS.index(step) + 1]


def next_phase(step: str) -> str:
    """The step with which the phase after this step's begins."""
    rest = STEPS[STEPS.index(step) + 1 :] if step else STEPS
    return next((other for other in rest if other in PHASES), "end")


def _action(w: Work, step: str) -> bool:
    """The turn-based action of combat with which a step begins (703.4h–k); whether there was one."""
    if step == "declare attackers":
        if attacking.possible(w.board):
            w.emit(ev.AttackBegun, "combat.attack", w.state.game.turn.active)
            return True
    elif w.state.game.fight is not None:
        if step == "declare blockers":
            w.emit(ev.BlockingBegun, "combat.block", blocking.defenders(w.board))
            return True
        if step == "combat damage":
            damage.begin(w)
            return True
    return False


def begin(w: Work, step: str) -> None:
    """A step begins, and its turn-based action happens (703)."""
    with batch(w):
        w.emit(ev.StepBegun, "step.begin", step)
    active = w.state.game.turn.active
    if step == "untap":
        tapped = tuple(
            handle
            for handle in w.state.game.battlefield
            if (obj := w.state.object(handle)).tapped
            and obj.controller == active
            and "untap" not in w.board.characteristics(handle).cant
        )
        if tapped:
            with batch(w):
                w.emit(ev.Untapped, "turn.untap", tapped)
    elif step == "precombat main":
        with batch(w):  # 714.3b
            for handle in w.state.game.battlefield:
                obj = w.state.object(handle)
                if obj.controller == active and "Saga" in w.board.characteristics(handle).subtypes:
                    w.emit(ev.CountersChanged, "saga", handle, "lore", 1)
    elif step == "draw" and not (w.state.game.turn.number == 1 and len(w.state.game.players) == 2):
        draw(w, active, 1, "turn.draw")  # 103.8a: in a two-player game the first player skips the first draw


def _in_step(w: Work, step: str) -> None:
    if step == "cleanup":
        damaged = tuple(
            handle
            for handle in w.state.game.battlefield
            if (obj := w.state.object(handle)).damage or obj.deathtouched
        )
        over = tuple(effect.id for effect in w.state.game.effects if effect.duration in effects.END_OF_TURN)
        late = tuple(d.id for d in w.state.game.delayed if d.until in effects.END_OF_TURN)
        if damaged or over or late:
            # 514.2: damage is removed and effects "until end of turn" end at the same time.
            with batch(w):
                if damaged:
                    w.emit(ev.DamageRemoved, "turn.cleanup", damaged)
                effects.end(w, lambda effect: effect.duration in effects.END_OF_TURN, "turn.cleanup")
                if late:
                    w.emit(ev.DelayedEnded, "turn.cleanup", late)
            return
    quiet = step == "cleanup" and not w.state.game.pending and not sba.applies(w.board)
    if step == "untap" or quiet:
        # 502.4, 514.3: no priority in the untap step (what triggered waits for the upkeep), and in the
        # cleanup step only if a state-based action applies or something triggered.
        _end_step(w)
        return
    w.emit(ev.RoundBegun, "priority.give", w.state.game.turn.active)


def _end_step(w: Work) -> None:
    for player in w.state.game.players:
        if player.pool:
            w.emit(ev.ManaEmptied, "mana.empty", player.seat)
    if w.state.game.turn.step == "end of combat":
        members.end(w)
        effects.end(w, lambda effect: effect.duration == "end of combat", "combat.end")
    w.emit(ev.StepEnded, "step.begin")
