"""Who leaves the game, and what everybody sees of it."""

from __future__ import annotations

import pytest

from cascade_es import Game, decisions, project
from cascade_es.log import parse_log
from cascade_es.scenarios import grammar, runner
from cascade_es.values import events as ev

TEXT = """
title: one card lies face down on the battlefield, another in exile
cards:
  - name: Burial
    mana_cost: "{B}"
    type_line: Sorcery
    spell:
      do:
        - {do: put, what: top of you, to: battlefield, face_down: yes}
        - {do: put, what: top of you, to: exile, face_down: yes}
players:
  alice: {battlefield: [Swamp], hand: [Burial], library: [Forest, Island, Plains]}
  bob: {library: [Swamp]}
  carol: {library: [Swamp]}
turn: alice, precombat main
play: [{alice: cast Burial}, pass]
"""


def played() -> Game:
    scenario = grammar.parse(TEXT)
    game = runner.start(scenario)
    runner.Runner(scenario, game).run()
    return game


def revealed(game: Game) -> list[str]:
    """The cards that were shown to everybody, as the public's copy of the log has them."""
    log = parse_log(project(game.log_bytes, None))
    shown = [event for _, unit in log.units for event in unit.events if isinstance(event, ev.Shown)]
    return [fact.value.name for event in shown if event.rule == "face-down" for fact in event.cards]


@pytest.mark.cites("708.9")
@pytest.mark.parametrize(
    ("seats", "seen"), [((0,), ["Forest"]), ((1,), []), ((1, 2), ["Forest"])], ids=["owner", "other", "end"]
)
def test_what_lay_face_down_is_revealed_when_its_owner_leaves_or_the_game_ends(
    seats: tuple[int, ...], seen: list[str]
) -> None:
    """The permanent is shown to all before it goes; what is face down in exile is shown to nobody."""
    game = played()
    assert revealed(game) == []
    for seat in seats:
        game.decide(seat, decisions.Concede())
    assert revealed(game) == seen


@pytest.mark.cites("708.9", "104.4b")
def test_a_draw_reveals_it_as_well() -> None:
    """However the game ends, it is the end of every secret on the battlefield."""
    game = played()
    game.decide(decisions.RECORDER, decisions.Table("end"))
    assert game.over
    assert revealed(game) == ["Forest"]
