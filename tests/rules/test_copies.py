"""Copies and changed targets: what scenarios cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from cascade_es import Game
from cascade_es.errors import DecisionError
from cascade_es.rules import copies, keywords, retarget
from cascade_es.rules.board import Board
from cascade_es.scenarios.runner import run_file
from cascade_es.values import decisions as de
from cascade_es.values.facts import NOTHING
from cascade_es.values.state import Alteration, Base, Target

CASES = Path(__file__).resolve().parents[2] / "fixtures" / "cases"


@pytest.fixture(scope="module")
def asked() -> Game:
    """A game in which a player has been asked for the new targets of a copy with two targets."""
    game, result = run_file(CASES / "copies" / "changed-target-must-be-legal.yaml")
    assert result.problem is None
    return game


def question(game: Game) -> Board:
    """The board at which the targets were asked for."""
    step = next(step for step in game if step.event.kind == "choice-asked")
    return Board(game.ctx, step.state)


def test_a_copy_is_judged_as_its_maker_would_control_it(asked: Game) -> None:
    """The question is about the copy to be: not on the stack yet, and of the player who makes it."""
    board = question(asked)
    subject = retarget.subject(board, board.state.frame.data)

    assert (subject.controller, subject.owner) == (1, 1)
    assert subject.id not in board.state.game.objects
    assert retarget.open_to_change(board, subject)


def test_the_least_that_can_be_chosen_is_legal(asked: Game) -> None:
    """Whatever an effect asks, its suggestion is a legal choice; what may stay does."""
    board = question(asked)
    subject = retarget.subject(board, board.state.frame.data)

    for how in (retarget.NEW, retarget.ANY, retarget.ONE, retarget.ALL):
        found = retarget.complete(board, subject, how)
        assert retarget.check(board, subject, how, found) is None
        assert (found == retarget.chosen(subject)) == (how in (retarget.NEW, retarget.ANY))


def test_targets_travel_as_numbers(asked: Game) -> None:
    """Objects and players survive the way through the numbers that an event holds, each in its place."""
    board = question(asked)
    subject = retarget.subject(board, board.state.frame.data)
    new = (Target(0, object=77), Target(0, seat=0))

    assert retarget.encoded(new) == (77, -1)
    assert retarget.decoded(subject, (77, -1)) == new
    with pytest.raises(DecisionError, match="2 target"):
        retarget.decoded(subject, (77,))


def test_an_answer_of_another_shape_is_no_answer(asked: Game) -> None:
    """Neither a third target nor another instance of the word can be added."""
    board = question(asked)
    prompt = retarget.prompt(board, board.state.frame.data)

    for given in ((Target(0, seat=0),) * 3, (Target(0, seat=0), Target(1, seat=1)), ()):
        with pytest.raises(DecisionError):
            prompt.check(de.Targets(given))


def test_a_face_down_object_is_copied_as_what_it_shows(asked: Game) -> None:
    """707.2: a copy of a face-down creature is a 2/2 without a name, and says nothing of the card."""
    state = asked.state
    handle = next(h for h in state.game.battlefield if asked.board.characteristics(h).power is not None)
    hidden = replace(state.object(handle), face_down=True)
    board = Board(
        asked.ctx, replace(state, game=replace(state.game, objects=state.game.objects.set(handle, hidden)))
    )

    base = copies.copiable(board, handle)

    assert base == Base(NOTHING, 0, (copies.FACE_DOWN,))


def test_exceptions_come_after_those_of_what_is_copied() -> None:
    """707.9b: exceptions are copiable, the later ones on top."""
    first, second = Alteration(base_power=1), Alteration(base_power=2)

    assert copies.excepted(Base(NOTHING, 0, (first,)), second).changes == (first, second)
    assert copies.excepted(Base(NOTHING, 0), None).changes == ()


def test_there_is_no_copying_of_what_never_was(asked: Game) -> None:
    """An id that names nothing is an error, never an object without characteristics."""
    with pytest.raises(KeyError):
        copies.copiable(asked.board, 10**6)


def test_each_instance_of_a_keyword_with_a_cost_has_a_cost_of_its_own() -> None:
    """702.78b: two instances of conspire are declared, paid and asked about by names of their own."""
    paid = keywords.costs_of(("conspire", "flying", "conspire", "casualty 1", "casualty 2"))

    assert [cost.name for cost in paid] == ["conspire", "conspire #2", "casualty", "casualty #2"]
    assert keywords.TRIGGERED["conspire #2"].condition is not None
    assert keywords.TRIGGERED["conspire #2"].condition.paid == "conspire #2"
    assert "flying" not in keywords.TRIGGERED
    with pytest.raises(KeyError):
        keywords.TRIGGERED["flying"]
