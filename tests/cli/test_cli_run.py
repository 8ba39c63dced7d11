"""``run``: scenarios are played, and what went wrong is said in one line."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import Result

from cascade_es.verify import verify

from .conftest import GAMES, Run

GOOD = """\
title: {title}
players:
  alice: {{hand: [Forest]}}
  bob:
play:
  - alice: play Forest
"""


def scenario(folder: Path, name: str, text: str = "", *, title: str = "a land is played") -> Path:
    """A scenario in a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or GOOD.format(title=title), encoding="utf-8")
    return path


def wrong(result: Result, *parts: str) -> None:
    """It ended with 2, and said so in one line that has these parts."""
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("cascade-es: ")
    for part in parts:
        assert part in line


def test_a_folder_is_played_in_order(cli: Run) -> None:
    """Every scenario below a folder gets a line, and the last line counts."""
    result = cli("run", GAMES)
    assert result.exit_code == 0
    *lines, last = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("ok  ") for line in lines)
    assert lines[0].endswith("The pile goes to the bottom before Rampant Growth resolves  (97 events)")
    assert last == "3 passed, 0 failed"


def test_cards_beside_scenarios_are_passed_over(cli: Run, tmp_path: Path) -> None:
    """Scripts, hidden folders and foreign files in a folder are no scenarios."""
    scenario(tmp_path, "b/good.yml")
    scenario(tmp_path, "forest.yaml", "name: Thing\ntype_line: Land\n")
    scenario(tmp_path, "other.yaml", "services: {a: b}\n")
    scenario(tmp_path, ".hidden/bad.yaml", "players: [")
    result = cli("run", tmp_path)
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed"
    assert result.exit_code == 0


def test_a_folder_without_scenarios_is_wrong_use(cli: Run, tmp_path: Path) -> None:
    """A mistyped folder never passes as "0 failed"."""
    wrong(cli("run", tmp_path), str(tmp_path), "no scenario")


def test_a_failed_expectation_is_a_finding(cli: Run, tmp_path: Path) -> None:
    """What failed is said with file, line and column, and ends with 1."""
    path = scenario(tmp_path, "bad.yaml", GOOD.format(title="wrong") + "  - expect: {alice.hand: [Forest]}\n")
    result = cli("run", path)
    assert result.exit_code == 1
    first, last = result.stdout.splitlines()
    assert first.startswith(f"FAILED  {path}:7:")
    assert last == "0 passed, 1 failed"


def test_a_broken_file_does_not_stop_the_others(cli: Run, tmp_path: Path) -> None:
    """One unreadable scenario is one line and status 2; the others are still played."""
    scenario(tmp_path, "a.yaml", "title: x\nplayers: [")
    scenario(tmp_path, "b.yaml")
    result = cli("run", tmp_path)
    wrong(result, "a.yaml:")
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 not played"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (GOOD.format(title="x").replace("[Forest]", "[Forrest]"), (":3:18:", "did you mean 'Forest'")),
        (GOOD.format(title="x") + "plaay: []\n", (":7:1:", "'plaay'", "did you mean 'play'")),
        (
            GOOD.format(title="x") + 'cards:\n  - {name: Bolt, type_line: Instant, mana_cost: "{Q}"}\n',
            (":8:", "mana"),
        ),
        (GOOD.format(title="x") + "edition: M22\n", (":7:10:", "unknown edition 'M22'")),
        ("title: [\n", (":",)),
        ("\n", ()),
        ("title: \x00\n", ()),
    ],
    ids=["card", "key", "mana symbol", "edition", "broken", "empty", "control character"],
)
def test_wrong_scenarios_are_one_line_that_names_the_place(
    cli: Run, tmp_path: Path, text: str, parts: tuple[str, ...]
) -> None:
    """Whatever is wrong in a scenario is one line with file, line and column, and status 2."""
    path = scenario(tmp_path, "wrong.yaml", text)
    wrong(cli("run", path), str(path), *parts)


def test_what_is_no_text_is_one_line(cli: Run, tmp_path: Path) -> None:
    """Bytes that are no UTF-8, and a file that is not there, are named."""
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"title: \xe9\n")
    wrong(cli("run", path), str(path))
    log = tmp_path / "a.ces"
    assert cli("run", GAMES / "illegal-cast.yaml", "--log", log).exit_code == 0
    wrong(cli("run", log), "a.ces: this is a log, no scenario; see 'cascade-es show' and 'verify'")
    wrong(cli("run", tmp_path / "none.yaml"), "none.yaml", "no such file")
    wrong(cli("run", GAMES, "--cards", tmp_path / "none"), "--cards", "no such folder")
    wrong(cli("run", GAMES, "--cards", path), "--cards", "this is a file; name the folder in which it is")


def test_a_log_is_written_and_verifies(cli: Run, tmp_path: Path) -> None:
    """The log of a scenario is sealed and exact, and writing it again gives the same bytes."""
    log = tmp_path / "game.log"
    path = scenario(tmp_path, "a.yaml")
    assert cli("run", path, "--log", log).exit_code == 0
    first = log.read_bytes()
    assert verify(log).word == "exact"
    assert cli("run", path, "--log", log).exit_code == 0
    assert log.read_bytes() == first


def test_a_foreign_file_is_never_replaced(cli: Run, tmp_path: Path) -> None:
    """Only a log of the same scenario is replaced; anything else is left alone, with advice."""
    log = tmp_path / "game.log"
    path = scenario(tmp_path, "a.yaml")
    log.write_text("precious", encoding="utf-8")
    wrong(cli("run", path, "--log", log), "--log", "left alone")
    assert log.read_text(encoding="utf-8") == "precious"
    log.unlink()
    assert cli("run", scenario(tmp_path, "b.yaml", title="another"), "--log", log).exit_code == 0
    before = log.read_bytes()
    wrong(cli("run", path, "--log", log), "log of another game")
    assert log.read_bytes() == before


def test_a_folder_is_a_store(cli: Run, tmp_path: Path) -> None:
    """A folder given as the log keeps the game under its id; again, it goes just as it did."""
    folder = tmp_path / "games"
    folder.mkdir()
    path = scenario(tmp_path, "a.yaml")
    for _ in range(2):
        assert cli("run", path, "--log", folder).exit_code == 0
        (found,) = folder.iterdir()
        assert verify(found).word == "exact"
    wrong(cli("run", path, "--log", ""), "--log: ", "name a log")


def test_a_log_that_cannot_be_written_is_named(cli: Run, tmp_path: Path) -> None:
    """When a log cannot be made, the line is about the log and not about the scenario."""
    path = scenario(tmp_path, "a.yaml")
    result = cli("run", path, "--log", tmp_path / "none" / "game.ces")
    wrong(result, f"--log {tmp_path / 'none' / 'game.ces'}: no such folder")
    assert "a.yaml" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there the file is emptied in place")
def test_the_old_log_survives_what_goes_wrong(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is replaced at one moment: when the disk is full the old one is there, and nothing beside it."""
    log, path = tmp_path / "game.ces", scenario(tmp_path, "a.yaml")
    assert cli("run", path, "--log", log).exit_code == 0
    before, names = log.read_bytes(), sorted(tmp_path.iterdir())

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = cli("run", path, "--log", log)
    wrong(result, f"--log {log}", "make room there")
    assert "a.yaml" not in result.stderr
    assert log.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == names


def test_a_scenario_that_breaks_half_way_costs_no_old_log(cli: Run, tmp_path: Path) -> None:
    """An entry that cannot be understood is found before the old log is touched."""
    log = tmp_path / "game.log"
    assert cli("run", scenario(tmp_path, "a.yaml"), "--log", log).exit_code == 0
    before = log.read_bytes()
    path = scenario(tmp_path, "a.yaml", GOOD.format(title="a land is played") + "  - alice: dance\n")
    wrong(cli("run", path, "--log", log), ":7:")
    assert log.read_bytes() == before


def test_only_one_scenario_can_be_logged(cli: Run, tmp_path: Path) -> None:
    """--log with a folder of several is wrong use, and writes nothing."""
    wrong(cli("run", GAMES, "--log", tmp_path / "x.log"), "--log", "one scenario")
    assert not (tmp_path / "x.log").exists()


def test_run_as_json(cli: Run, tmp_path: Path) -> None:
    """The document has the documented keys, also for what failed or could not be read."""
    scenario(tmp_path, "a.yaml")
    scenario(tmp_path, "b.yaml", "title: [")
    scenario(tmp_path, "c.yaml", GOOD.format(title="wrong") + "  - expect: {alice.hand: [Forest]}\n")
    result = cli("run", tmp_path, "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert (found["passed"], found["failed"], found["unreadable"]) == (1, 1, 1)
    assert [item["outcome"] for item in found["scenarios"]] == ["ok", "unreadable", "failed"]
    assert all(set(item) == {"file", "title", "outcome", "events", "problem"} for item in found["scenarios"])


def test_run_can_show_the_events(cli: Run) -> None:
    """--show prints the events below the scenario's line."""
    result = cli("run", GAMES / "bituminous-blast.yaml", "--show")
    assert "alice announces Bituminous Blast from their hand" in result.stdout
