"""The worked games as histories, played and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cascade_es.replay import Replay
from cascade_es.scenarios.runner import run_file

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "games"


def replayed(name: str) -> Replay:
    """One of the worked games, replayed from its log."""
    game, result = run_file(FOLDER / f"{name}.yaml")
    assert result.problem is None
    return Replay.of(game.log_bytes, name)


@pytest.fixture(scope="session")
def blast() -> Replay:
    """Bituminous Blast cascades into Rampant Growth."""
    return replayed("bituminous-blast")


@pytest.fixture(scope="session")
def illegal() -> Replay:
    """A cast that cannot be paid is reversed."""
    return replayed("illegal-cast")
