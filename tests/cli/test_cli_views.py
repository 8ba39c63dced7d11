"""``export``, ``disclose`` and ``--with``: views and single cards on the command line."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cascade_es import Game
from cascade_es.log import parse_log
from cascade_es.projection import project

Run = Callable[..., Result]


@pytest.mark.cites("196")
def test_export_writes_a_view_that_verifies_and_says_whose_it_is(
    cli: Run, logs: dict[str, Path], tmp_path: Path
) -> None:
    """A view named by player, seat or the public has the log's head; verify and show name its viewer."""
    log = logs["bituminous-blast"]
    for who, viewer, seat in (("alice", "alice", 0), ("1", "bob", 1), ("public", "the public", None)):
        out = tmp_path / who
        result = cli("export", log, "--as", who, "--out", out)
        assert 0 == result.exit_code
        assert f"{out}: the view of {viewer}; " in result.stdout
        assert out.read_bytes() == project(log.read_bytes(), seat)
        verdict = cli("verify", out)
        assert 0 == verdict.exit_code
        assert verdict.stdout.startswith(
            f"consistent  {out}: the view of {viewer}: all that can be seen agrees; "
        )
        assert f"the view of {viewer}" in cli("show", out).stdout.splitlines()[0]
    assert cli("replay", log).stdout == cli("replay", tmp_path / "1").stdout


def test_export_as_json(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """The result names the files, the viewer, the head and how much stays sealed; verify says the same."""
    log = logs["krosan-grip"]
    found = json.loads(cli("export", log, "--as", "public", "--out", tmp_path / "p", "--json").stdout)
    verdict = json.loads(cli("verify", tmp_path / "p", "--json").stdout)["verdicts"][0]
    assert ("the public", None) == (found["viewer"], found["seat"])
    assert (found["hidden"], found["head"], "the public") == (
        verdict["hidden"],
        verdict["head"],
        verdict["viewer"],
    )
    assert (0, 0) == (verdict["missing"], verdict["unshown"])
    assert found["bytes"] == (tmp_path / "p").stat().st_size


def test_nothing_is_overwritten(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Neither command replaces a file, not even the log itself."""
    log = logs["krosan-grip"]
    before = log.read_bytes()
    for words in (("export", log, "--as", "0"), ("disclose", log, "--fact", "0.1")):
        result = cli(*words, "--out", log)
        assert 2 == result.exit_code
        assert "exists already" in result.stderr
    assert before == log.read_bytes()


def test_who_and_what_must_be_there(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Unknown players, places that are none, and copies that lack the openings end with one line and 2."""
    log, out = logs["krosan-grip"], tmp_path / "out"
    view = tmp_path / "view"
    assert 0 == cli("export", log, "--as", "0", "--out", view).exit_code
    for words, text in (
        (("export", log, "--as", "carol"), "there is no player 'carol'"),
        (("export", log, "--as", "2"), "there is no player '2'"),
        (("export", view, "--as", "1"), "use a full copy"),
        (("disclose", log, "--fact", "three"), "frame.ordinal"),
        (("disclose", log, "--fact", "99.0"), "nothing is sealed at 99.0"),
        (("disclose", view, "--fact", "0.3"), "use a full copy"),
        (("export", tmp_path / "none", "--as", "0"), "no such file"),
    ):
        result = cli(*words, "--out", out)
        assert 2 == result.exit_code
        (line,) = result.stderr.splitlines()
        assert text in line
        assert not out.exists()


def test_a_disclosure_is_used_and_checked(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """With the file, show tells the card and verify counts one sealed fact less; a false one is a finding."""
    log = logs["bituminous-blast"]
    view, card = tmp_path / "view", tmp_path / "card"
    cli("export", log, "--as", "bob", "--out", view)
    events = json.loads(cli("show", log, "--json").stdout)["events"]
    (placed,) = (e for e in events if e["kind"] == "placed" and e["fields"]["zone"] == "library")
    swamp = placed["fields"]["cards"][3]
    assert "Swamp" == swamp["value"]["name"]
    result = cli("disclose", log, "--fact", swamp["place"], "--out", card)
    assert 0 == result.exit_code
    assert f"{card}: opens {swamp['place']}" in result.stdout
    assert "Swamp in their library" not in cli("show", view, "--kind", "placed").stdout
    assert "and Swamp in their library" in cli("show", view, "--kind", "placed", "--with", card).stdout
    hidden = [
        json.loads(cli("verify", view, *extra, "--json").stdout)["verdicts"][0]["hidden"]
        for extra in ((), ("--with", card))
    ]
    assert hidden[0] - 1 == hidden[1]
    other = cli("verify", logs["krosan-grip"], "--with", card)
    assert 2 == other.exit_code
    assert "it is about log" in other.stderr
    assert 2 == cli("show", view, "--with", log).exit_code


def test_disclose_as_json(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """The result names the files, what is opened, and how many definitions come along."""
    log = logs["krosan-grip"]
    found = json.loads(
        cli("disclose", log, "--fact", "0.0", "--fact", "0.1", "--out", tmp_path / "d", "--json").stdout
    )
    assert ["0.0", "0.1"] == found["facts"]
    assert {"log", "out", "facts", "definitions", "bytes"} == set(found)
    assert 1 <= found["definitions"] <= len(parse_log(log.read_bytes()).definitions)


def test_every_seat_can_be_named(cli: Run, tmp_path: Path) -> None:
    """Whatever players are called, seat:N and seat:public name one viewer; what could be two is refused."""
    game = Game.new({"1": {}, "public": {}}, cards=[], seed="x")
    log = tmp_path / "a.ces"
    log.write_bytes(game.log_bytes)
    for who in ("1", "public"):
        result = cli("export", log, "--as", who, "--out", tmp_path / "out")
        assert 2 == result.exit_code
        assert "could mean several; say seat:" in result.stderr
    for who, seat in (("seat:0", 0), ("seat:1", 1), ("0", 0), ("seat:public", None)):
        out = tmp_path / f"{seat}-{len(who)}"
        assert 0 == cli("export", log, "--as", who, "--out", out).exit_code
        assert out.read_bytes() == project(log.read_bytes(), seat)


def test_a_secret_that_opens_others_is_given_with_a_word(
    cli: Run, logs: dict[str, Path], tmp_path: Path
) -> None:
    """Who discloses the seed or the key is told what that gives away; the view stays a view."""
    log, view, out = logs["krosan-grip"], tmp_path / "view", tmp_path / "out"
    cli("export", log, "--as", "public", "--out", view)
    result = cli("disclose", log, "--fact", "0.5", "--out", out)
    assert 0 == result.exit_code
    assert "0.5 is the blinding key" in result.stderr
    assert "a recorder's copy" not in cli("verify", view, "--with", out).stdout
    assert "" == cli("disclose", log, "--fact", "0.1", "--out", tmp_path / "deck").stderr


def test_sealed_facts_are_listed(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """disclose without --fact lists every sealed fact: its place, who knows it, what it says in this copy."""
    log, view = logs["bituminous-blast"], tmp_path / "view"
    rows = [re.split(r"  +", line) for line in cli("disclose", log).stdout.splitlines()]
    assert ["1.4", "2", "placed", "nobody", "Swamp"] in rows
    assert ["2.0", "decision", "alice"] == rows[[row[0] for row in rows].index("2.0")][:3]
    cli("export", log, "--as", "public", "--out", view)
    facts = json.loads(cli("disclose", view, "--json").stdout)["facts"]
    known = {fact["place"]: fact["text"] for fact in facts if fact["known"]}
    assert "Rampant Growth" == known["1.3"]
    assert "1.4" not in known
    hidden = json.loads(cli("verify", view, "--json").stdout)["verdicts"][0]["hidden"]
    assert hidden == len(facts) - len(known)


def test_the_list_tells_neither_seed_nor_key(cli: Run, logs: dict[str, Path]) -> None:
    """What would open everything else is never printed by a list."""
    log = logs["krosan-grip"]
    header = parse_log(log.read_bytes()).header
    for words in (("disclose", log), ("disclose", log, "--json")):
        printed = cli(*words).stdout
        assert "a secret of the recorder" in printed
        assert not any(fact.value.hex() in printed for fact in (header.seed, header.key))


def test_disclose_needs_both_or_neither(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A fact without a file, or a file without a fact, is wrong use, and says what to do."""
    for words in (("--fact", "1.4"), ("--out", tmp_path / "card")):
        result = cli("disclose", logs["bituminous-blast"], *words)
        assert 2 == result.exit_code
        assert "--fact and --out go together" in result.stderr


def test_verify_says_what_a_disclosure_proves(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """Each fact that --with opens gets a line: its place, where it stands, and what it says."""
    log, view, card = logs["bituminous-blast"], tmp_path / "view", tmp_path / "card"
    cli("export", log, "--as", "public", "--out", view)
    cli("disclose", log, "--fact", "1.4", "--out", card)
    printed = cli("verify", view, "--with", card).stdout.splitlines()
    assert f"proved      {card}: 1.4 (event 2, placed) is Swamp" == printed[1]
    cli("disclose", log, "--fact", "0.4", "--out", tmp_path / "seed")
    printed = cli("verify", view, "--with", tmp_path / "seed").stdout.splitlines()
    assert f"proved      {tmp_path / 'seed'}: 0.4 (draw seed) is what the file says" == printed[1]
