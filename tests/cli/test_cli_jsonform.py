"""``to-json`` and ``from-json``: a log through JSON lines and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cascade_es.cli import main
from cascade_es.log import disk

from .conftest import GAMES, Run


def test_there_and_back(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Every log is the same file again; both commands name the file and the head."""
    for name, log in logs.items():
        lines, again = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.ces"
        first, second = cli("to-json", log, "--out", lines), cli("from-json", lines, "--out", again)
        assert (first.exit_code, second.exit_code) == (0, 0)
        assert again.read_bytes() == log.read_bytes()
        assert first.stdout.split("(")[1] == second.stdout.split("(")[1]


def test_lines_can_be_piped(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Without --out the lines are printed, with or without --json, and are those of the file."""
    log = logs["krosan-grip"]
    cli("to-json", log, "--out", tmp_path / "lines")
    printed = cli("to-json", log)
    assert printed.exit_code == 0
    assert printed.stdout_bytes == (tmp_path / "lines").read_bytes()
    assert cli("to-json", "--json", log).stdout == printed.stdout


def test_json_says_what_was_written(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """--json gives the names of both files, the number of frames, and the head."""
    log, lines, again = logs["illegal-cast"], tmp_path / "lines", tmp_path / "again"
    there = json.loads(cli("to-json", log, "--out", lines, "--json").stdout)
    back = json.loads(cli("from-json", lines, "--out", again, "--json").stdout)
    assert set(there) == {"log", "out", "frames", "head"}
    assert (there["frames"], there["head"]) == (back["frames"], back["head"])
    assert back["out"] == str(again)


def test_nothing_is_replaced(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A file that is there stays as it is, and the status is 2."""
    log = logs["illegal-cast"]
    lines = tmp_path / "lines"
    assert cli("to-json", log, "--out", lines).exit_code == 0
    for words in (("to-json", log, "--out", lines), ("from-json", lines, "--out", log)):
        result = cli(*words)
        assert result.exit_code == 2
        assert "exists already" in result.stderr


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"\xff\n", b"\x89cascade-es", b"[" * 99999])
def test_other_files_are_refused(cli: Run, tmp_path: Path, content: bytes) -> None:
    """A file that is not in the form is refused in one line with its name, and no log is made."""
    lines, log = tmp_path / "lines", tmp_path / "log"
    lines.write_bytes(content)
    result = cli("from-json", lines, "--out", log)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"cascade-es: {lines}:")
    assert not log.exists()


def test_unusable_names_are_named(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Missing files, folders and impossible names give one line and 2; a damaged log gives 1."""
    log = logs["illegal-cast"]
    for words in (
        ("to-json", tmp_path / "missing"),
        ("from-json", tmp_path / "missing", "--out", tmp_path / "x"),
        ("from-json", tmp_path, "--out", tmp_path / "x"),
        ("from-json", "a\0b", "--out", tmp_path / "x"),
        ("to-json", log, "--out", tmp_path),
        ("to-json", log, "--out", tmp_path / "missing" / "x"),
        ("to-json", log, "--out", "a\0b"),
    ):
        result = cli(*words)
        assert result.exit_code == 2, words
        assert len(result.stderr.splitlines()) == 1
    damaged = tmp_path / "damaged"
    damaged.write_bytes(log.read_bytes()[:-1])
    assert cli("to-json", damaged).exit_code == 1


def test_an_older_log_is_kept_as_it_is(cli: Run) -> None:
    """A log of an older format has no form in JSON; the error says what to do instead."""
    result = cli("to-json", GAMES.parent / "logs" / "format-1" / "illegal-cast.ces")
    assert result.exit_code == 2
    assert "keep the log itself, and see 'show --json' for its events" in result.stderr


def test_lines_can_be_piped_back(logs: dict[str, Path], tmp_path: Path) -> None:
    """from-json - reads what to-json prints, and names "-" where the lines are wrong."""
    log, again = logs["illegal-cast"], tmp_path / "again.ces"
    lines = CliRunner().invoke(main, ["to-json", str(log)]).stdout_bytes
    result = CliRunner().invoke(main, ["from-json", "-", "--out", str(again)], input=lines)
    assert result.exit_code == 0
    assert again.read_bytes() == log.read_bytes()
    wrong = CliRunner().invoke(main, ["from-json", "-", "--out", str(tmp_path / "x")], input=b"\xff\n")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("cascade-es: -:1: not JSON lines")


def test_more_lines_than_any_log_has_are_refused(
    logs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is piped is never cut short in silence: it has the limit, and the error, of a file."""
    lines = CliRunner().invoke(main, ["to-json", str(logs["illegal-cast"])]).stdout_bytes
    monkeypatch.setattr(disk, "MAX_FILE", lines.index(b"\n") + 1)  # the first line alone is a log
    result = CliRunner().invoke(main, ["from-json", "-", "--out", str(tmp_path / "a.ces")], input=lines)
    assert result.exit_code == 2
    assert result.stderr.startswith("cascade-es: -: larger than")
    assert not (tmp_path / "a.ces").exists()
