"""What a payment offers to choose."""

from __future__ import annotations

import pytest

from cascade_es.rules.decide import prompt_of
from cascade_es.scenarios import grammar, runner
from cascade_es.values.decisions import Pay

TEXT = """
title: a cost of two creatures that are tapped
cards:
  - name: Plot
    mana_cost: "{R}"
    type_line: Instant
    keywords: [conspire]
    spell: {do: [{do: draw}]}
players:
  alice:
    battlefield: [Mountain, Raging Goblin x3]
    hand: [Plot]
    library: [Forest x3]
  bob: {}
play:
  - alice: cast Plot
    declare: [conspire]
    pay: [Mountain]
    tap others: [Raging Goblin, "Raging Goblin #2"]
"""


@pytest.mark.cites("601.2h")
def test_each_allowed_candidate_of_a_payment_is_a_whole_answer() -> None:
    """A component for which several objects are chosen is offered with as many as it takes, and named."""
    scenario = grammar.parse(TEXT)
    game = runner.start(scenario)
    runner.Runner(scenario, game).run()
    paying = (state for seq in range(len(game)) if (state := game.at(seq)).frame.machine == "paying")
    prompts = [prompt for state in paying if (prompt := prompt_of(game.ctx, state)) is not None]
    assert prompts
    for prompt in prompts:
        offered = [one for one in prompt.allowed if isinstance(one.answer, Pay) and one.answer.part >= 0]
        assert [one.text for one in offered] == ["tap others 2: Raging Goblin, Raging Goblin"]
        assert prompt.check(offered[0].answer) is None
