"""The conformance suite: every scenario of the fixtures, and what must hold for each of its logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cascade_es import Replay, project
from cascade_es.log import parse_log, strip_openings
from cascade_es.scenarios.runner import run_file
from cascade_es.verify import verify_bytes

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SCENARIOS = sorted((FIXTURES / "cases").rglob("*.yaml")) + sorted((FIXTURES / "games").glob("*.yaml"))


def test_there_are_scenarios() -> None:
    """The suite is found: an empty one would prove nothing."""
    assert len(SCENARIOS) > 300


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_holds_and_so_does_its_log(path: Path) -> None:
    """All that it says is true; its log re-executes exactly, replays blind, and verifies for every viewer."""
    game, result = run_file(path)
    assert result.problem is None

    content = game.log_bytes
    verdict = verify_bytes(content)
    assert (verdict.word, verdict.sealed) == ("exact", True), verdict.detail
    assert Replay.of(strip_openings(content)).digest() == game.digest()

    head = parse_log(content).head
    for viewer in (None, *range(len(game.names))):
        view = project(content, viewer)
        seen = verify_bytes(view)
        assert seen.word == "consistent", seen.detail
        assert parse_log(view).head == head
