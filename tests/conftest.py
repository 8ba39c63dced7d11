"""What several test rooms share: the worked games, a workshop of awkward cards, unopened events."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cascade_es.evolve import INITIAL, evolve
from cascade_es.game import Game
from cascade_es.scenarios import grammar, runner
from cascade_es.values.events import Event
from cascade_es.values.facts import Fact
from cascade_es.values.state import State

FIXTURES = Path(__file__).parent.parent / "fixtures"
GAMES = sorted((FIXTURES / "games").glob("*.yaml"))

# Cards that exist only to make a cast ask everything that a cast can ask, and to notice all that happens.
WORKSHOP = """
title: the workshop
cards:
  - name: Watcher
    type_line: Enchantment
    abilities:
      - ability: triggered
        when: {event: becomes target}
        text: {do: [{do: gain life, amount: "1"}]}
      - ability: triggered
        when: {event: taps}
        text: {do: [{do: gain life, amount: "1"}]}
      - ability: triggered
        when: {event: dies}
        text: {do: [{do: gain life, amount: "1"}]}
      - ability: triggered
        when: {event: leaves}
        text: {do: [{do: gain life, amount: "1"}]}
      - ability: triggered
        when: {event: enters}
        text: {do: [{do: gain life, amount: "1"}]}
      - ability: triggered
        when: {event: cast}
        text: {do: [{do: gain life, amount: "1"}]}
  - name: Delta
    type_line: Land
    abilities:
      - ability: activated
        cost: [{pay: tap}]
        text: {do: [{do: add mana, choose: ["{R}", "{G}"]}]}
  - name: Pinger
    type_line: Artifact
    abilities:
      - ability: activated
        cost: [{pay: tap}, {pay: mana, mana: "{1}"}]
        text:
          targets: [{what: {is: [permanent, player], types: [creature]}}]
          do: [{do: damage, amount: "1", to: target}]
  - name: Everything
    mana_cost: "{X}{R/P}{1}"
    type_line: Instant
    additional_costs:
      - {name: kicker, optional: yes, cost: [{pay: mana, mana: "{1}"}]}
      - {cost: [{pay: sacrifice, what: {types: [creature]}}]}
      - {cost: [{pay: discard}]}
      - {cost: [{pay: life, amount: "2"}]}
    spell:
      choose: "1"
      modes:
        - targets: [{what: {types: [creature]}, count: "2"}]
          do: [{do: damage, amount: share, to: target}]
        - do: [{do: gain life, amount: "3"}]
      divide: "3"
  - name: Chatter
    mana_cost: "{1}{R}"
    type_line: Sorcery
    keywords: [cascade]
    spell: {do: [{do: draw}]}
  - name: Spark
    mana_cost: "{R}"
    type_line: Instant
    spell:
      targets: [{what: {is: [permanent, player], types: [creature]}}]
      do: [{do: damage, amount: "2", to: target}]
players:
  alice:
    battlefield: [Delta x3, Mountain x3, Pinger, Watcher, Runeclaw Bear x2]
    hand: [Everything, Chatter, Spark, Forest, Rampant Growth]
    library: [Forest, Spark, Mountain x2, Forest, Swamp]
  bob:
    battlefield: [Runeclaw Bear x2, Mountain x2]
    hand: [Spark, Mountain]
    library: [Forest x4, Spark, Mountain]
turn: alice, precombat main
play: []
"""


def strip(value: Any) -> Any:
    """The same record without a single opening: every sealed fact is only its commitment."""
    if isinstance(value, Fact):
        if not value.sealed:
            return value
        return Fact(value.frame, value.ordinal, value.audience, value.commitment)
    if isinstance(value, tuple):
        return tuple(strip(item) for item in value)
    if hasattr(value, "__struct_fields__"):
        return type(value)(*(strip(getattr(value, name)) for name in value.__struct_fields__))
    return value


@pytest.fixture(scope="session", params=GAMES, ids=lambda path: path.stem)
def recorded(request: pytest.FixtureRequest) -> Game:
    """Each worked game, played to its end and sealed; look, do not decide."""
    game, result = runner.run_file(request.param)
    assert result.problem is None
    return game


@pytest.fixture(scope="session")
def corpus() -> dict[str, bytes]:
    """The logs of all scenarios of the fixtures, by the name of the file, sealed or not as they are."""
    found = {}
    for path in [*GAMES, *sorted((FIXTURES / "cases").rglob("*.yaml"))]:
        game, _ = runner.run_file(path)
        found[path.relative_to(FIXTURES).as_posix()] = game.log_bytes
    return found


@pytest.fixture(scope="session")
def simulated() -> list[bytes]:
    """The logs of some games between random players, sealed."""
    from test_simulation import Bot, decks, pool

    found = []
    for seed in range(3):
        rng = random.Random(f"corpus {seed}")
        cards = pool()
        seats = 2 + seed % 2
        game = Game.new(decks(rng, cards, seats), cards=cards, seed=f"corpus {seed}", shuffle=True, hands=5)
        bot = Bot(game, rng)
        for _ in range(120):
            if game.over:
                break
            bot.act()
        game.seal()
        found.append(game.log_bytes)
    return found


@pytest.fixture(scope="session")
def begin() -> Callable[..., Game]:
    """Set up the game of a scenario text, without playing it."""

    def start(text: str = WORKSHOP) -> Game:
        return runner.start(grammar.parse(text))

    return start


@pytest.fixture(scope="session")
def unopened() -> Callable[[Event], Event]:
    """An event as somebody has it who knows nothing hidden."""
    return strip


@pytest.fixture(scope="session")
def fold() -> Callable[..., list[State]]:
    """Replay events from nothing: the state before the first, and after each."""

    def replay(events: Iterator[Event]) -> list[State]:
        states = [INITIAL]
        for event in events:
            states.append(evolve(states[-1], event, states.__getitem__))
        return states

    return replay
