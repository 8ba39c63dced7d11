"""Whatever is played: what a viewer never came to know could be anything, and their copy is the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_simulation import Bot, decks, pool
from twins import STRANGERS, Twins, agree

from cascade_es import Game, load_card, project
from cascade_es.scenarios import grammar, runner

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
SCENARIOS = sorted((FIXTURES / "cases").rglob("*.yaml")) + sorted((FIXTURES / "games").glob("*.yaml"))


def compared(number: int) -> list[tuple[int | None, str, bool]]:
    """What a scenario gives to compare, with the kind of stranger that is its turn."""
    scenario = grammar.load(SCENARIOS[number])
    game, _ = runner.play(scenario)
    twins = Twins(game, f"{scenario.title}\x00{scenario.seed}")
    return list(twins.compared([number % len(STRANGERS)]))


@pytest.mark.cites("196")
@pytest.mark.parametrize("number", range(len(SCENARIOS)), ids=lambda number: SCENARIOS[number].stem)
def test_what_is_unknown_makes_no_difference_in_the_cases(number: int) -> None:
    """Every scenario with other cards in the places that a viewer does not see gives that viewer the same."""
    for viewer, replaced, same in compared(number):
        assert same, f"the copy of {viewer} tells of {replaced}"


def test_the_cases_have_much_that_is_unknown() -> None:
    """A fifth of the scenarios or more have cards that somebody never sees, so something is compared."""
    sample = range(0, len(SCENARIOS), 15)
    assert sum(1 for number in sample if compared(number)) > len(sample) / 5


@pytest.mark.slow
@pytest.mark.cites("196")
@pytest.mark.parametrize("seed", range(6))
def test_what_is_unknown_makes_no_difference_in_random_games(seed: int) -> None:
    """The same holds for random games with all cards, of two to four players."""
    rng = random.Random(seed)
    cards = pool()
    game = Game.new(decks(rng, cards, 2 + seed % 3), cards=cards, seed="twins", shuffle=True, hands=5)
    bot = Bot(game, rng)
    while len(game.units) < 120 and not game.over:
        bot.act()
    game.seal()
    compared = list(Twins(game, "twins").compared([seed % len(STRANGERS)]))
    assert compared
    for viewer, replaced, same in compared:
        assert same, f"the copy of {viewer} tells of {replaced}"


def test_a_leak_would_be_found() -> None:
    """The comparison is not blind: whoever may see a card has another copy when it is another card."""
    game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], seed="seen")
    twins = Twins(game, "seen")
    assert {viewer: same for viewer, _, same in twins.compared([0])} == {None: True, 1: True}
    (one, _), (other, _) = (twins.played({(0, 0): kind}) for kind in (0, 1))
    assert one is not None
    assert other is not None
    agreed = [agree(project(one, viewer), project(other, viewer)) for viewer in (None, 1, 0)]
    assert agreed == [True, True, False]


def test_a_refusal_that_tells_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it pass over a viewer whose own decision is refused because of cards that they never saw."""
    game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], seed="seen")
    twins = Twins(game, "seen")
    named = twins.played({})
    monkeypatch.setattr(twins, "played", lambda strangers: (None, 1) if strangers else named)
    assert [(viewer, same) for viewer, _, same in twins.compared([0])] == [(1, False), (1, False)]
