"""``fork``, and what ``verify --parent`` says of it."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run


def test_fork_and_verify(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A fork is written, says what it goes on from, and verifies against that log and no other."""
    log, new = logs["bituminous-blast"], tmp_path / "new.ces"
    result = cli("fork", log, "--at", 59, "--out", new, "--seed", "x")
    assert result.exit_code == 0
    assert "goes on after event 59" in result.stdout
    result = cli("verify", new, "--open", "--parent", log)
    assert result.exit_code == 0
    assert "same " in result.stdout
    result = cli("verify", new, "--open", "--parent", logs["illegal-cast"])
    assert result.exit_code == 1
    assert "other-log" in result.stdout
    assert cli("verify", log, "--parent", new).exit_code == 1


def test_fork_as_json(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """--json names the parent and the new log; the same seed gives the same log."""
    documents = []
    for name in ("a.ces", "b.ces"):
        result = cli(
            "fork", logs["illegal-cast"], "--at", 9, "--out", tmp_path / name, "--seed", "x", "--json"
        )
        documents.append(json.loads(result.stdout))
    first = documents[0]
    assert first["at"] == first["events"] == 9
    assert first["frames"] == first["parent"]["frame"] + 1
    assert first["log_id"] != first["parent"]["log_id"]
    assert first["head"] == documents[1]["head"]


def test_fork_says_what_is_wrong(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A place where nothing goes on, a file that is there, a view: one line, status 2, nothing written."""
    log, new = logs["bituminous-blast"], tmp_path / "new.ces"
    view = tmp_path / "view.ces"
    cli("export", log, "--as", "bob", "--out", view)
    for words, text in (
        ((log, "--at", 60, "--out", new), "say 71 or 59"),
        ((log, "--at", 500, "--out", new), "there is no event 500"),
        ((log, "--at", 59, "--out", view), "exists already"),
        ((view, "--at", 59, "--out", new), "only a full copy"),
        ((log, "--at", 59, "--out", tmp_path / "none" / "new.ces"), "no such folder"),
    ):
        result = cli("fork", *words)
        assert result.exit_code == 2
        assert text in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert not new.exists()
