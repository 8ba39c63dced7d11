"""Loops that nobody can end are refused with one line; large numbers are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from cascade_es import CascadeError
from cascade_es.scenarios.runner import run_file

SCENARIO = """
title: A loop
cards:
  - name: Loop
    type_line: {line}
    abilities: [{ability}]
players:
  alice: {{battlefield: [Loop, Island], library: [Forest x3]{zones}}}
  bob: {{library: [Forest x3]}}
play: [{play}]
"""
LONGER = 'until: "bob, end"'


def outcome(file: Path) -> str:
    """The one line that is said of a scenario which does not go well."""
    try:
        problem = run_file(file)[1].problem
    except CascadeError as error:
        problem = str(error)
    assert problem is not None
    assert "\n" not in problem
    return problem


@pytest.mark.parametrize(
    ("ability", "play", "says"),
    [
        ("{ability: replacement, when: {event: step}, instead: {nothing: yes}}", LONGER, "nobody can"),
        ("{ability: replacement, when: {event: turn}, instead: {nothing: yes}}", LONGER, "every turn"),
        ("{ability: replacement, when: {event: draw}, instead: {times: 9999}}", LONGER, "become more than"),
        (
            '{ability: triggered, when: {event: mana added}, text: {do: [{do: add mana, mana: "{U}"}]}}',
            "alice: tap Island",
            "mana would be added for ever",
        ),
    ],
)
def test_what_would_go_on_for_ever_is_refused(tmp_path: Path, ability: str, play: str, says: str) -> None:
    """The decision that would lead into an endless loop is refused, and the line says why (104.4b)."""
    file = tmp_path / "loop.yaml"
    file.write_text(SCENARIO.format(line="Enchantment", ability=ability, zones="", play=f"{{{play}}}"))
    assert says in outcome(file)


def test_state_based_actions_without_end_are_refused(tmp_path: Path) -> None:
    """A player who would lose again and again, and never does, holds nothing up but that decision."""
    ability = "{ability: replacement, when: {event: lose game, who: you}, instead: {nothing: yes}}"
    file = tmp_path / "loop.yaml"
    file.write_text(
        SCENARIO.format(line="Enchantment", ability=ability, zones=", life: 0", play=f"{{{LONGER}}}")
    )
    assert "the game would be a draw" in outcome(file)


def test_many_creatures_that_look_at_each_other(tmp_path: Path) -> None:
    """Sixty creatures that give each other power need no longer than sixty anthems."""
    file = tmp_path / "lords.yaml"
    lord = "{ability: static, what: {types: [creature], other: yes}, changes: {power: 1, gain: [haste]}}"
    text = SCENARIO.format(
        line="Creature — Elf", ability=lord, zones="", play="{expect: {objects: {Loop: {power: 60}}}}"
    )
    text = text.replace("    abilities", "    power: 1\n    toughness: 1\n    abilities").replace(
        "[Loop,", "[Loop x60,"
    )
    file.write_text(text)
    assert run_file(file)[1].problem is None
