"""What comes in through `decide`: what is no decision changes nothing and tells nothing."""

from __future__ import annotations

import enum
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cascade_es import DecisionError, Game, InputError, Refused, decisions, load_card
from cascade_es.values.state import Target

CARDS = (
    "Forest",
    "Mountain",
    "Lightning Bolt",
    "Counterspell",
    "Murder",
    "Bituminous Blast",
    "Runeclaw Bear",
)
ODD: tuple[Any, ...] = (
    -(1 << 70),
    -2,
    -1,
    0,
    1,
    2,
    5,
    7,
    11,
    40,
    1 << 62,
    1 << 64,
    10**40,
    True,
    None,
    "x",
    1.5,
    (),
    b"",
)


class Handle(enum.IntEnum):
    """A whole number that is more."""

    ONE = 1


class Word(str):
    """A text that is more."""


def begin() -> Game:
    """A small game in which both players hide something."""
    return Game.new(
        {
            "alice": {
                "hand": ["Lightning Bolt", "Bituminous Blast"],
                "battlefield": ["Mountain"] * 3,
                "library": ["Murder", "Forest"],
            },
            "bob": {"hand": ["Counterspell"], "battlefield": ["Runeclaw Bear"], "library": ["Forest"]},
        },
        cards=[load_card(name) for name in CARDS],
        seed="door",
        step="precombat main",
    )


def odd_answer(rng: random.Random, handles: list[int]) -> decisions.Answer:
    """Some answer with anything in it."""
    kind = rng.choice(sorted(decisions.ANSWERS.values(), key=lambda answer: answer.kind))
    values: list[Any] = []
    for field in msgspec.structs.fields(kind):
        pick = rng.choice((*ODD, *handles))
        name = str(field.type)
        if "tuple" in name and rng.random() < 0.8:
            pick = tuple(rng.choice((*ODD, *handles)) for _ in range(rng.randint(0, 3)))
            if "Target" in name and rng.random() < 0.8:
                pick = tuple(
                    Target(rng.randint(-1, 2), rng.choice(handles), rng.choice((-1, 0, 5))) for _ in pick
                )
        values.append(pick)
    return kind(*values)


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_said_only_known_errors_come_back(seed: int) -> None:
    """A decision is taken, or refused with a known error, and then nothing at all has changed."""
    rng = random.Random(seed)
    game = begin()
    for _ in range(150):
        if game.prompt is None:
            break
        handles = list(game.state.game.objects)
        before, content = game.state, game.log_bytes
        answer = odd_answer(rng, handles)
        if isinstance(answer, decisions.Seal):
            continue
        try:
            game.decide(rng.choice((-1, 0, 0, 0, 1, 2, 10**30)), answer, insist=rng.random() < 0.3)
        except (DecisionError, Refused):
            assert game.state is before
            assert content == game.log_bytes


def test_nobody_learns_what_is_hidden_by_asking() -> None:
    """Naming any hidden card of somebody else, or of one's own library, says only that it cannot be named."""
    game = begin()
    bolt = next(h for h in game.state.player(0).hand if game.board.name(h) == "Lightning Bolt")
    hidden = (*game.state.player(1).hand, *game.state.player(1).library, *game.state.player(0).library)
    for insist in (False, True):
        for handle in hidden:
            for answer in (
                decisions.Cast(handle),
                decisions.PlayLand(handle),
                decisions.ActivateAbility(handle),
            ):
                with pytest.raises(DecisionError, match=f"no object {handle} to name"):
                    game.decide(0, answer, insist=insist)
    game.decide(0, decisions.Cast(bolt))
    for handle in (*hidden, *game.state.player(0).hand):
        with pytest.raises(DecisionError, match=f"no object {handle} to name"):
            game.decide(0, decisions.Targets((Target(0, object=handle),)), insist=True)


@pytest.mark.parametrize(
    ("seat", "answer", "insist"),
    [
        (0.0, decisions.Pass(), False),
        (False, decisions.Pass(), False),
        (0, decisions.Pass(), 1),
        (0, "pass", False),
        (0, decisions.Answer(), False),
        (0, decisions.Comment(("a", "b")), False),  # type: ignore[arg-type]
        (0, decisions.Comment("\ud800"), False),
        (0, decisions.Comment("x" * 100_000), False),
        (0, decisions.Cast(True), False),
        (0, decisions.Choose((1 << 64,)), False),
        (0, decisions.Choose([1]), False),  # type: ignore[arg-type]
        (0, decisions.Cast(Handle.ONE), False),
        (0, decisions.Comment(Word("x")), False),
        (0, decisions.Contribute("YWJj"), False),  # type: ignore[arg-type]
        (-1, decisions.Table("tap", 1, seat=10**30), False),
    ],
)
def test_what_is_no_decision_is_not_recorded(seat: Any, answer: Any, insist: Any) -> None:
    """A value of another type, out of range, or text that cannot be written is no decision."""
    game = begin()
    content = game.log_bytes

    with pytest.raises(DecisionError):
        game.decide(seat, answer, insist=insist)

    assert content == game.log_bytes


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn": "a"},
        {"turn": -1},
        {"turn": 2**70},
        {"hands": -1},
        {"shuffle": "x"},
        {"life": None},
        {"life": 2**70},
        {"seed": 5},
        {"seed": "\ud800"},
        {"cards": None},
        {"contributions": ["a"]},
        {"contributions": {"a": "YWJj"}},
        {"tapped": ["a"]},
        {"tapped": {"a": None}},
        {"edition": None},
    ],
)
def test_a_game_is_not_begun_with_nonsense(wrong: dict[str, Any]) -> None:
    """Arguments of another type or size are input errors, one line each."""
    settings: dict[str, Any] = {"cards": [], **wrong}
    with pytest.raises(InputError):
        Game.new({"a": {}, "b": {}}, **settings)


@pytest.mark.parametrize(
    "players",
    [
        None,
        ["a", "b"],
        {"a": None, "b": {}},
        {"a": {"hand": [["Forest"]]}, "b": {}},
        {f"p{i}": {} for i in range(99)},
    ],
)
def test_players_are_names_with_cards(players: Any) -> None:
    """So are players of another shape, or too many."""
    with pytest.raises(InputError):
        Game.new(players, cards=[load_card("Forest")])


def test_a_game_that_cannot_begin_replaces_no_log(tmp_path: Path) -> None:
    """A set-up that is refused leaves the log that was to be replaced, and begins no file or store."""
    old, fresh = tmp_path / "old.ces", tmp_path / "fresh.ces"
    players: dict[str, Any] = {"a": {}, "b": {}}
    with Game.new(players, cards=[], log=str(old)) as game:
        game.decide(0, decisions.Comment("precious"))
    content = old.read_bytes()
    for wrong in ({"step": "no such"}, {"life": [20, "x"]}, {"contributions": {"a": b""}}):
        settings: dict[str, Any] = {"cards": [], **wrong}
        for address in (str(old), str(fresh), f"sqlite:///{tmp_path}/fresh.db"):
            with pytest.raises(InputError):
                Game.new(players, log=address, overwrite=True, **settings)

    assert old.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["old.ces"]


@pytest.mark.parametrize("name", ["", "a\n", 5])
def test_a_player_has_a_name(name: Any) -> None:
    """A player's name is text that can be printed."""
    with pytest.raises(InputError):
        Game.new({name: {}, "b": {}}, cards=[])
