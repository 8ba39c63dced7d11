"""Every command takes the address of a game in a store where it takes a log file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cascade_es.stores import bytes_at

from .conftest import GAMES, Run

pytest.importorskip("eventsourcing")

BLAST = GAMES / "bituminous-blast.yaml"
ILLEGAL = GAMES / "illegal-cast.yaml"


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.db"


def test_a_store_in_place_of_a_file(cli: Run, address: str, tmp_path: Path) -> None:
    """run writes a game into a store, and every command shows of it what it shows of the file."""
    file = tmp_path / "a.ces"
    assert cli("run", BLAST, "--log", file).exit_code == 0
    assert cli("run", BLAST, "--log", address).exit_code == 0
    for words in (("show",), ("show", "--at", "60"), ("replay", "--digest-each", "turn"), ("prompt",)):
        expected, found = (cli(*words, log) for log in (file, address))
        assert found.exit_code == 0
        assert found.stdout == expected.stdout
    result = cli("verify", address, file)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["exact", "exact"]
    heads = [item["head"] for item in json.loads(cli("verify", "--json", address, file).stdout)["verdicts"]]
    assert heads[0] == heads[1]


def test_several_games_in_a_store(cli: Run, address: str) -> None:
    """With several games the error lists their ids, and an id's beginning is enough."""
    for scenario in (BLAST, ILLEGAL):
        assert cli("run", scenario, "--log", address).exit_code == 0
    result = cli("show", address)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "which game?" in line
    ids = line.rpartition(": ")[2].split(", ")
    assert len(ids) == 2
    for name in ids:
        assert cli("verify", f"{address}#{name[:6]}").exit_code == 0
    every = json.loads(cli("verify", address, "--json").stdout)["verdicts"]
    assert [(item["log"], item["word"]) for item in every] == [(f"{address}#{name}", "exact") for name in ids]
    assert cli("verify", f"{address}#{'0' * 32}").exit_code == 2


def test_the_same_scenario_again(cli: Run, address: str, tmp_path: Path) -> None:
    """A scenario may be run into its store again; changed under the same title, it is refused."""
    scenario = tmp_path / "a.yaml"
    scenario.write_text(ILLEGAL.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):
        assert cli("run", scenario, "--log", address).exit_code == 0
    head = cli("verify", address).stdout
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text.replace("\nplay:", "\nplay:\n  - ruling: we begin", 1), encoding="utf-8")
    result = cli("run", scenario, "--log", address)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "went otherwise" in line
    assert cli("verify", address).stdout == head


@pytest.mark.parametrize("command", ["show", "replay", "prompt", "verify", "run"])
def test_stores_that_cannot_be_used(
    cli: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that does not answer, a missing package or a wrong name: one line, no password, status 2."""

    def words(log: str) -> tuple[str | Path, ...]:
        return ("run", BLAST, "--log", log) if command == "run" else (command, log)

    def line(log: str) -> str:
        result = cli(*words(log))
        assert result.exit_code == 2
        (found,) = result.stderr.splitlines()[:1]
        assert "geheim" not in result.output
        return found

    server = "postgresql://ann:geheim@127.0.0.1:1/db"
    assert "start the server, or check the address" in line(server)
    assert "unknown kind of store" in line("mysql://127.0.0.1/db")
    assert "no such" in line(f"sqlite:///{tmp_path}/none/a.db")
    for name in ("eventsourcing.sqlite", "eventsourcing.postgres", "psycopg"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "install cascade-es[databases]" in line(server)
    (tmp_path / "a.db").touch()
    assert "install cascade-es[databases]" in line(f"sqlite:///{tmp_path}/a.db")


def test_a_log_moves_into_a_store_by_its_lines(cli: Run, address: str, tmp_path: Path) -> None:
    """from-json puts a log into a store, byte for byte; again is no error; another copy is refused."""
    file, lines, other = tmp_path / "a.ces", tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert cli("run", BLAST, "--log", file).exit_code == 0
    assert cli("to-json", file, "--out", lines).exit_code == 0
    for _ in range(2):
        result = cli("from-json", lines, "--out", address)
        assert result.exit_code == 0
        assert f"{address}#" in result.stdout
    assert bytes_at(address) == file.read_bytes()
    assert cli("export", file, "--as", "bob", "--out", tmp_path / "bob.ces").exit_code == 0
    assert cli("to-json", tmp_path / "bob.ces", "--out", other).exit_code == 0
    refused = cli("from-json", other, "--out", address)
    assert refused.exit_code == 2
    assert "another copy of this game is there already" in refused.stderr
    assert bytes_at(address) == file.read_bytes()


def test_a_view_can_be_kept_in_a_store(cli: Run, tmp_path: Path) -> None:
    """export writes a view into a store of its own, but never over the full copy."""
    full, views = f"sqlite:///{tmp_path}/full.db", f"sqlite:///{tmp_path}/views.db"
    assert cli("run", BLAST, "--log", full).exit_code == 0
    assert cli("export", full, "--as", "bob", "--out", views).exit_code == 0
    assert "the view of bob" in cli("verify", views).stdout
    before = bytes_at(full)
    assert cli("export", full, "--as", "bob", "--out", full).exit_code == 2
    assert bytes_at(full) == before
