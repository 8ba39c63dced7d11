"""A command line to try things on: in this process, with a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cascade_es.cli import main
from cascade_es.scenarios.runner import run_file

GAMES = Path(__file__).parent.parent.parent / "fixtures" / "games"

Run = Callable[..., Result]


@pytest.fixture
def cli() -> Run:
    """Run the command line with these words; output, errors and exit status."""

    def run(*words: str | Path, env: dict[str, str] | None = None) -> Result:
        result = CliRunner(env=env).invoke(main, [str(word) for word in words])
        assert isinstance(result.exception, SystemExit | None), result.exception
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The logs of the worked games, by name."""
    folder = tmp_path_factory.mktemp("logs")
    found = {}
    for path in sorted(GAMES.glob("*.yaml")):
        game, _ = run_file(path)
        found[path.stem] = folder / f"{path.stem}.log"
        found[path.stem].write_bytes(game.log_bytes)
    return found
