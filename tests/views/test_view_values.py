"""Events, states and prompts for programs, and the text that is made of them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import cascade_es
from cascade_es import Game, decisions, load_card
from cascade_es.errors import InputError
from cascade_es.replay import Replay
from cascade_es.values.state import Part
from cascade_es.views import (
    causes,
    entry,
    event_json,
    prompt_json,
    prompt_lines,
    state_json,
    state_lines,
    step_at,
    timeline,
    undone_by,
)
from cascade_es.views.procedures import components
from cascade_es.views.records import decisions_json

PACKAGE = Path(cascade_es.__file__).parent
FACES = ("views", "cli")


def text_of(lines: list[list[tuple[str, str]]]) -> str:
    """Lines without their roles."""
    return "\n".join("".join(words for words, _ in line) for line in lines)


def test_nothing_below_knows_the_views() -> None:
    """Views know everything below them, and nothing below imports a view or the command line."""
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        if room in FACES or room == "__main__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [item.name for item in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith(("cascade_es.views", "cascade_es.cli")), f"{path} imports {name}"


def test_views_know_no_terminal() -> None:
    """Colours and widths are the command line's: no view imports it, click or rich."""
    for path in (PACKAGE / "views").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in ("import click", "from rich", "cascade_es.cli"))


def test_an_event_as_json_has_the_documented_keys(blast: Replay) -> None:
    """The keys of an event are those that its documentation lists, for every event, and JSON can say them."""
    keys = {"seq", "unit", "kind", "concept", "rule", "cause", "auto", "undone", "text", "fields"}
    for step in blast:
        found = event_json(blast, step)
        assert set(found) == keys
        assert json.loads(json.dumps(found)) == found
    announce = event_json(blast, step_at(blast, 10))
    assert (announce["kind"], announce["rule"], announce["concept"]) == (
        "announce",
        "601.2a",
        "cast.announce",
    )
    assert announce["fields"]["card"]["value"]["name"] == "Bituminous Blast"


def test_undone_events_say_so(illegal: Replay) -> None:
    """The events of a reversed action are marked, and neither those before nor the reversal are."""
    marked = [item.seq for item in timeline(illegal) if item.undone]
    (span,) = illegal.undone()
    assert marked == list(range(span.first, span.last + 1))
    assert {undone_by(illegal)[seq].by for seq in marked} == {span.by}
    assert entry(illegal, step_at(illegal, span.by)).undoes


def test_a_growing_game_is_looked_at_anew() -> None:
    """What was undone is known also for a game that went on after the last look."""
    game = Game.new(
        {"alice": {"hand": ["Shock"]}, "bob": {}}, cards=[load_card("Shock")], step="precombat main"
    )
    assert undone_by(game) == {}
    game.decide(0, decisions.Cast(game.state.player(0).hand[0]))
    game.decide(0, decisions.GiveUp())
    assert undone_by(game)


def test_depth_brackets_a_procedure(blast: Replay) -> None:
    """What begins and what ends a procedure stand at one depth, and what happens in it one deeper."""
    lines = {item.kind: item.depth for item in timeline(blast, 10, 43)}
    assert lines["announce"] == lines["spell-cast"] == 1
    assert lines["targets-chosen"] == lines["cost-locked"] == 2
    assert lines["mana-ability-activated"] == lines["mana-ability-resolved"] == 3


def test_every_event_of_a_cause_is_earlier(blast: Replay) -> None:
    """The way to the root always ends, and no event on it comes after the one before."""
    for step in blast:
        chain = [item.seq for item in causes(blast, step.seq)]
        assert chain[0] == step.seq
        assert chain == sorted(chain, reverse=True)


def test_there_is_no_event_beyond_the_last(blast: Replay) -> None:
    """Asking for an event that is not there says which there are."""
    with pytest.raises(InputError, match=f"events run from 1 to {len(blast)}"):
        step_at(blast, len(blast) + 1)
    with pytest.raises(InputError):
        state_json(blast, len(blast) + 1)


def test_decisions_cover_all_events(blast: Replay) -> None:
    """The decisions name the events that followed from them, without a gap."""
    found = decisions_json(blast)
    assert [item["first"] for item in found[1:]] == [item["last"] + 1 for item in found[:-1]]
    assert found[-1]["last"] == len(blast)
    assert found[0]["player"] is None
    assert found[2]["player"] == "alice"


def test_a_state_as_json_shows_the_whole_board(blast: Replay) -> None:
    """In the middle of a cascade everything that is somewhere is there, and JSON can say it."""
    seen: dict[str, Any] = state_json(blast, 62)
    assert json.loads(json.dumps(seen)) == seen
    assert [item["name"] for item in seen["stack"]] == [
        "Rampant Growth",
        "Bituminous Blast's cascade ability",
        "Bituminous Blast",
    ]
    assert seen["stack"][2]["targets"] == ["Runeclaw Bear"]
    assert [item["name"] for item in seen["exile"]] == ["Forest", "Mountain"]
    assert [frame["machine"] for frame in seen["frames"]] == [
        "turn",
        "priority",
        "resolving",
        "cascading",
        "casting",
    ]
    assert seen["priority"] is None
    assert state_json(blast, 9)["priority"] == "alice"
    assert all(item["tapped"] for item in seen["battlefield"] if item.get("land"))


def test_the_board_as_text_is_made_of_the_same_value(blast: Replay) -> None:
    """The text of a moment names the turn, the stack from the top, the damage and the procedures."""
    (damaged,) = (step.seq for step in blast if step.event.kind == "damage-dealt")
    text = text_of(state_lines(blast, damaged))
    assert "turn 1, alice's precombat main phase" in text
    assert "Runeclaw Bear 2/2 (4 damage)" in text
    assert "Bituminous Blast (alice) -> Runeclaw Bear" in text
    assert "Mountain x2 (tapped)" in text
    assert "resolving: following (608.1" in text


def test_every_moment_can_be_shown(blast: Replay, illegal: Replay) -> None:
    """No moment of a game is too odd to be shown, before the first event and inside a reversal too."""
    for history in (blast, illegal):
        for seq in range(len(history) + 1):
            assert state_lines(history, seq)
            prompt_json(history, seq)


def test_a_prompt_lists_what_is_refused_and_why(blast: Replay) -> None:
    """Every candidate is allowed, or stands with the number of the rule and the reason."""
    seen = prompt_json(blast, len(blast) - 1)
    assert seen["player"] == "alice"
    assert [item["text"] for item in seen["candidates"] if item["allowed"]] == ["pass"]
    refused = [item for item in seen["candidates"] if not item["allowed"]]
    assert refused
    assert all(item["rule"] and item["reason"] for item in refused)
    assert "Mountain is tapped already" in text_of(prompt_lines(blast, seen))


def test_between_two_events_of_a_decision_nobody_is_asked(illegal: Replay) -> None:
    """In the middle of what follows from a decision the game goes on by itself."""
    seen = prompt_json(illegal, 32)
    assert seen["player"] is None
    assert seen["candidates"] == []
    assert "after event 32 nobody is asked: its decision goes on to event 35" in text_of(
        prompt_lines(illegal, seen)
    )


def test_components_of_a_cost_are_said_as_people_say_them() -> None:
    """Loyalty has a sign, and no component is made plural by a letter that does not fit it."""
    parts = [Part("loyalty", -2, ()), Part("loyalty", 1, ()), Part("sacrifice this", 1, ())]
    parts += [Part("tap others", 2, ()), Part("sacrifice", 2, ())]
    assert components(tuple(parts)) == [
        "-2 loyalty",
        "+1 loyalty",
        "its own sacrifice",
        "the tapping of 2 others",
        "2 sacrifices",
    ]
