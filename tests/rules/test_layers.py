"""Layers: properties that hold whatever the effects are (613)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cascade_es import Game
from cascade_es.rules.board import Board
from cascade_es.scenarios.runner import run_file
from cascade_es.values.digest import digest
from cascade_es.values.state import Alteration, Characteristics, Effect, State

CASES = Path(__file__).parents[2] / "fixtures" / "cases" / "layers"
FILES = sorted(CASES.glob("*.yaml"))


@pytest.fixture(scope="module")
def game() -> Game:
    """A game with statics that depend on each other, three creatures and some lands."""
    return run_file(CASES / "effect-goes-on-in-later-layers.yaml")[0]


def everything(game: Game, state: State) -> dict[int, tuple[Characteristics, int]]:
    board = Board(game.ctx, state)
    return {
        handle: (board.characteristics(handle), len(board.abilities(handle))) for handle in state.game.objects
    }


def alterations() -> st.SearchStrategy[Alteration]:
    """Changes in every layer."""
    small = st.integers(-3, 3)
    words = st.sampled_from(["flying", "haste", "trample"])
    return st.builds(
        Alteration,
        set_types=st.sampled_from([None, None, ("artifact",), ("creature",)]),
        add_types=st.sampled_from([(), ("creature",), ("artifact",)]),
        set_colors=st.sampled_from([None, (), ("W",), ("U", "R")]),
        add_colors=st.sampled_from([(), ("B",)]),
        lose_all=st.booleans(),
        gain=st.lists(words, max_size=2).map(tuple),
        lose=st.lists(words, max_size=1).map(tuple),
        base_power=st.none() | small,
        base_toughness=st.none() | small,
        power=small,
        toughness=small,
        switch=st.booleans(),
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_layers_do_not_depend_on_the_order_of_storage(game: Game, data: st.DataObject) -> None:
    """The same effects, stored in another order, make the same objects: only timestamps count."""
    state = game.state
    objects = state.game.battlefield
    found = data.draw(st.lists(alterations(), min_size=2, max_size=6))
    effects = tuple(
        Effect(900 + n, "alter", objects[0], 0, 500 + n, "", objects[: 1 + n % len(objects)], alter=alter)
        for n, alter in enumerate(found)
    )
    shuffled = tuple(data.draw(st.permutations(effects)))
    one, other = (
        everything(game, State(replace(state.game, effects=stored), state.ledger))
        for stored in (effects, shuffled)
    )
    assert one == other


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_the_order_of_objects_makes_no_difference(game: Game, data: st.DataObject) -> None:
    """Permanents listed in another order are the same permanents: what counts is their timestamps."""
    state = game.state
    battlefield = tuple(data.draw(st.permutations(state.game.battlefield)))
    turned = State(replace(state.game, battlefield=battlefield), state.ledger)
    assert everything(game, state) == everything(game, turned)


def asked(game: Game) -> Iterator[Any]:
    for step in game:
        board = Board(game.ctx, step.state)
        for handle in step.state.game.objects:
            yield board.characteristics(handle), board.abilities(handle)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_asking_never_changes_the_state(file: Path) -> None:
    """Whoever asks what objects are, at any step, finds the same again, and every state as it was."""
    game, result = run_file(file)
    assert result.problem is None
    before = [digest(step.state) for step in game]
    assert list(asked(game)) == list(asked(game))
    assert before == [digest(step.state) for step in game]
