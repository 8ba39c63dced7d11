"""``verify`` and ``replay``: what they conclude, and that no damage makes them fall over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cascade_es import Game, decisions, load_card
from cascade_es.cli.verify import accepted
from cascade_es.errors import InputError
from cascade_es.replay import Replay
from cascade_es.verify import verify_bytes

from .conftest import Run


def small_game(*, sealed: bool = True) -> bytes:
    """The log of a game in which little happens."""
    game = Game.new(
        {"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], step="precombat main"
    )
    game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    if sealed:
        game.decide(decisions.RECORDER, decisions.Seal())
    return game.log_bytes


def test_good_logs_are_exact(cli: Run, logs: dict[str, Path]) -> None:
    """Each log gets a line that begins with its verdict, and all good ends with 0."""
    result = cli("verify", *logs.values())
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["exact"] * 3


def test_an_open_log_needs_open(cli: Run, tmp_path: Path) -> None:
    """A log that may have been cut is a finding, unless one says that it may be open."""
    log = tmp_path / "open.log"
    log.write_bytes(small_game(sealed=False))
    result = cli("verify", log)
    assert result.exit_code == 1
    assert "--open" in result.stdout
    assert cli("verify", "--open", log).exit_code == 0


def test_damage_is_a_finding_with_its_place(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Damage ends with 1 in every command, and is named with file, frame and byte."""
    log = tmp_path / "bad.log"
    content = bytearray(logs["illegal-cast"].read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    result = cli("verify", log)
    assert result.exit_code == 1
    assert result.stdout.startswith("damaged ")
    assert "at frame" in result.stdout
    for command in ("show", "replay", "prompt"):
        result = cli(command, log)
        assert result.exit_code == 1
        (line,) = result.stderr.splitlines()
        assert line.startswith(f"cascade-es: {log}: damaged (")
        assert "at frame" in line


def test_every_flipped_byte_is_found() -> None:
    """No byte of a sealed log can change without the verdict being damage with a place."""
    content = small_game()
    for place in range(len(content)):
        for bits in (0x01, 0xFF):
            changed = bytearray(content)
            changed[place] ^= bits
            verdict = verify_bytes(bytes(changed))
            assert not accepted(verdict, True), place
            assert verdict.word == "damaged"
            assert "at frame" in verdict.detail


def test_every_cut_is_found() -> None:
    """No shortened log passes: it is empty, damaged with a place, or open and said to be."""
    content = small_game()
    for length in range(len(content)):
        try:
            verdict = verify_bytes(content[:length])
        except InputError:
            assert length == 0
            continue
        assert not accepted(verdict, False), length
        assert "at frame" in verdict.detail or "open" in verdict.detail


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.3, 0.5, 0.7, 0.99])
def test_flips_and_cuts_on_the_command_line(
    cli: Run, logs: dict[str, Path], tmp_path: Path, share: float
) -> None:
    """verify ends with 1 and names the file and the place, whatever was flipped or cut."""
    content = logs["krosan-grip"].read_bytes()
    place = int(share * len(content))
    flipped = tmp_path / "flipped.log"
    flipped.write_bytes(content[:place] + bytes([content[place] ^ 0x20]) + content[place + 1 :])
    cut = tmp_path / "cut.log"
    cut.write_bytes(content[: max(place, 1)])
    result = cli("verify", flipped, cut)
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert str(flipped) in first
    assert str(cut) in second
    assert "at frame" in first
    assert "at frame" in second


def test_what_is_no_log_is_wrong_use(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Directories, empty, foreign and missing files are named, and good logs still verified."""
    empty, foreign, missing = tmp_path / "empty", tmp_path / "foreign", tmp_path / "missing"
    empty.write_bytes(b"")
    foreign.write_bytes(b"PK\x03\x04 something else entirely")
    for path in (tmp_path, empty, foreign, missing):
        for command in ("show", "replay", "prompt", "verify"):
            result = cli(command, path)
            assert result.exit_code == 2, command
            (line,) = result.stderr.splitlines()
            assert line.startswith(f"cascade-es: {path}: ")
    result = cli("verify", missing, logs["krosan-grip"])
    assert result.exit_code == 2
    assert result.stdout.startswith("exact")


def test_verify_as_json(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A verdict's fields are all there; a file that is no log is listed too."""
    found = json.loads(cli("verify", "--json", logs["krosan-grip"], tmp_path).stdout)["verdicts"]
    good, bad = found
    assert good["word"] == "exact"
    assert good["good"] is True
    assert {"log", "detail", "sealed", "frames", "events", "head", "hidden", "frame", "offset"} < set(good)
    assert bad["word"] == "unreadable"
    assert bad["good"] is False


def test_replay_prints_the_digest_of_a_point(cli: Run, logs: dict[str, Path]) -> None:
    """The digest is the history's own, with turn and step; one for every event on demand."""
    log = logs["bituminous-blast"]
    history = Replay.open(log)
    result = cli("replay", log, "--at", "40")
    assert history.digest(40) in result.stdout
    assert "turn 1, alice's precombat main phase" in result.stdout
    each = json.loads(cli("replay", log, "--digest-each", "event", "--json").stdout)["digests"]
    assert [item["digest"] for item in each] == [history.digest(seq) for seq in range(len(history) + 1)]
    assert len(cli("replay", log, "--digest-each", "turn").stdout.splitlines()) == 1
    assert cli("replay", log, "--at", "999").exit_code == 2
