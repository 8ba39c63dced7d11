"""What happens at once is chosen beforehand: what cannot be is refused in one line, and nothing is lost."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import pytest
from test_indifference import cast, passes
from test_indifference_choices import begin, finish

from cascade_es import Game, InputError
from cascade_es.values import decisions as de
from cascade_es.verify import verify_bytes

ODD = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [%s]}
  - name: Oracle
    type_line: Enchantment
    abilities:
      - {ability: replacement, when: {event: %s, who: you}, instead: {nothing: yes, do: [%s]}}
      - {ability: replacement, may: yes, when: {event: draw, who: you}, instead: {nothing: yes}}
"""


def pending(do: str, event: str, instead: str) -> Game:
    """Test is on the stack, and Oracle stands by."""
    game = begin(ODD % (do, event, instead), "Test, Forest, Island", "Swamp, Forest, Island", ", Oracle")
    cast(game, 0, "Test")
    return game


def resolve(game: Game) -> None:
    """Everybody passes, and whatever is asked is answered somehow."""
    passes(game)
    finish(game, yes=False)


@pytest.mark.parametrize(
    ("do", "event", "instead", "says"),
    [
        (
            "{do: lose life, amount: 1}",
            "lose life",
            "{do: draw, amount: 2}",
            "comes too late, when cards have been seen",
        ),
        (
            "{do: lose life, amount: 1}",
            "lose life",
            "{do: mill, amount: 3, bind: them}, {do: choose, among: them, bind: it}",
            "is about what has only just come to be",
        ),
        (
            "{do: lose life, amount: 1}",
            "lose life",
            "{do: put, what: top 3 of you, to: hand}, {do: discard}",
            "is about what has only just come to be",
        ),
        (
            "{do: lose life, amount: 1}",
            "lose life",
            "{do: choose, among: top 2 of you, bind: it}, {do: put, what: it, to: hand}",
            "is about cards of a library not looked at",
        ),
    ],
)
def test_what_cannot_be_chosen_beforehand_is_refused(do: str, event: str, instead: str, says: str) -> None:
    """Two effects that together would ask too late are named, and the game is as it was."""
    game = pending(do, event, instead)
    with pytest.raises(InputError, match=says):
        resolve(game)
    assert game.prompt is not None
    game.decide(game.prompt.seat, de.Concede())  # it goes on
    game.seal()
    assert "exact" == verify_bytes(game.log_bytes).word


WATCHED = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [{do: put, what: top of you, to: battlefield, face_down: yes}, %s]}
  - name: Oracle
    type_line: Enchantment
    abilities:
      - {ability: replacement, when: {event: leaves}, instead: {do: [{do: discard}]}}
"""


@pytest.mark.cites("708.9")
def test_a_choice_as_a_face_down_creature_leaves_is_no_obstacle() -> None:
    """That it is shown as it leaves comes too late for no choice: it is shown whatever is chosen."""
    leaving = "{do: destroy, all: {types: [creature]}}"
    game = begin(WATCHED % leaving, "Test, Forest, Island", "Swamp, Forest", ", Oracle")
    cast(game, 0, "Test")
    passes(game)
    finish(game, "Island")
    names = [game.board.name(handle) for handle in game.state.player(0).graveyard]
    assert ["Swamp", "Island", "Test"] == sorted(names, key=["Swamp", "Island", "Test"].index)
    assert "exact" == verify_bytes(game.log_bytes).word
