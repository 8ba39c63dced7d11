"""``diff``, and how ``verify`` tells a divergence: in words and values, with what was before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cascade_es import Game, decisions, load_card
from cascade_es.log import strip_openings
from cascade_es.rules import cascade

from .conftest import Run


def written(path: Path, *, seed: str = "one", passes: int = 1, land: bool = True) -> Path:
    """The log of a small game in a file."""
    game = Game.new(
        {"alice": {"hand": ["Forest"], "library": ["Forest", "Mountain"] * 3}, "bob": {}},
        cards=[load_card("Forest"), load_card("Mountain")],
        step="precombat main",
        seed=seed,
    )
    if land:
        game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    for seat in range(passes):
        game.decide(seat, decisions.Pass())
    path.write_bytes(game.log_bytes)
    return path


def test_copies_are_the_same(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A log and a copy of it without openings are the same, with status 0."""
    log = logs["krosan-grip"]
    copy = tmp_path / "copy.ces"
    copy.write_bytes(strip_openings(log.read_bytes()))
    result = cli("diff", log, copy)
    assert result.exit_code == 0
    assert result.stdout.startswith("same ")


def test_the_first_difference_is_told(cli: Run, tmp_path: Path) -> None:
    """Where two logs part: number, what was before, both sides in words, fields and values, the game."""
    left = written(tmp_path / "left.ces", passes=0)
    right = written(tmp_path / "right.ces", land=False)
    result = cli("diff", left, right)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("different  at event ")
    assert "priority-given" in lines[lines.index(next(line for line in lines if line[0] == "<")) - 1]
    assert f"< {left}: alice decides 'play-land' " in result.stdout
    assert f"> {right}: alice decides 'pass' " in result.stdout
    assert '    differs in kind: "play-land" in the first; "pass" in the second' in lines
    assert "    and so the game in players[0].lands: 1 in the first; 0 in the second" in lines
    told = json.loads(cli("diff", left, right, "--json").stdout)
    assert (told["word"], told["first"]["what"], told["first"]["frame"]) == ("different", "decision", 2)
    assert told["first"]["event"] == told["common"] + 1
    assert told["first"]["fields"][0] == {"path": "kind", "left": "play-land", "right": "pass"}
    assert len(told["first"]["texts"]) == len(told["logs"]) == 2


def test_a_longer_log_is_said_to_be_longer(cli: Run, tmp_path: Path) -> None:
    """Where one log is the beginning of the other it is said, with the event, and the status is 1."""
    short, long = written(tmp_path / "short.ces", passes=0), written(tmp_path / "long.ces")
    for one, other, longer in ((short, long, "right"), (long, short, "left")):
        result = cli("diff", one, other)
        assert result.exit_code == 1
        assert f"{long} goes on after event " in result.stdout
        assert f"where {short} ends" in result.stdout
        assert json.loads(cli("diff", one, other, "--json").stdout)["longer"] == longer


def test_two_games_are_compared_by_what_is_known(cli: Run, tmp_path: Path) -> None:
    """Two games with the same decisions differ in their headers only, and no secret of either is printed."""
    left, right = written(tmp_path / "left.ces"), written(tmp_path / "right.ces", seed="two")
    result = cli("diff", left, right)
    assert result.exit_code == 1
    assert "header: log_id: " in result.stdout
    assert "only the headers differ" in result.stdout
    assert "header: seed: sealed 0." in result.stdout


def test_what_is_no_log_is_wrong_use(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A missing, foreign or damaged file on either side ends with 2 and one line that names it."""
    log = logs["krosan-grip"]
    foreign, damaged = tmp_path / "foreign", tmp_path / "damaged"
    foreign.write_bytes(b"something else entirely")
    damaged.write_bytes(log.read_bytes()[:-1])
    for wrong in (tmp_path / "missing", foreign, damaged):
        for pair in ((log, wrong), (wrong, log)):
            result = cli("diff", *pair)
            assert result.exit_code == 2
            (line,) = result.stderr.splitlines()
            assert str(wrong) in line
    assert cli("diff", log).exit_code == 2


def test_verify_tells_a_divergence(cli: Run, logs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that today's rules would not make is told with both kinds, the events before, and the game."""
    monkeypatch.setattr(cascade, "_is_hit", lambda board, handle, limit: False)
    result = cli("verify", logs["bituminous-blast"])
    assert result.exit_code == 1
    first, after, *rest = result.stdout.splitlines()
    assert first.startswith("diverged ")
    assert "recorded 'search-ended', the rules make 'exile'" in first
    assert after.startswith("    after 53 ")
    assert after.endswith("57 exile")
    assert any("players[0].library" in line and "by the rules" in line for line in rest)
    (verdict,) = json.loads(cli("verify", "--json", logs["bituminous-blast"]).stdout)["verdicts"]
    assert (verdict["expected"]["kind"], verdict["found"]["kind"]) == ("search-ended", "exile")
    assert verdict["states"]
    assert [event["seq"] for event in verdict["before"]] == [53, 54, 55, 56, 57]
