"""The same scenario gives the same bytes everywhere: in another process, zone, language, hash order."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import cascade_es
from cascade_es import Replay
from cascade_es.evolve import evolve
from cascade_es.log import parse_log
from cascade_es.scenarios import runner
from cascade_es.verify import again, verify_bytes

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(cascade_es.__file__).parent.parent
GAMES = sorted((ROOT / "fixtures" / "games").glob("*.yaml"))

# What a fresh process does: play all games twice, in two orders, and print what their logs hash to.
PLAY = """
import hashlib, sys
from pathlib import Path
from cascade_es.scenarios import runner
paths = [Path(name) for name in sys.argv[1:]]
for path in (*paths, *reversed(paths)):
    print(hashlib.sha256(runner.run_file(path)[0].log_bytes).hexdigest())
"""

ELSEWHERE = {
    "another hash order": {"PYTHONHASHSEED": "1"},
    "yet another, far away": {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    "Turkish, optimised": {"PYTHONHASHSEED": "0", "LC_ALL": "tr_TR.UTF-8", "PYTHONOPTIMIZE": "1"},
}


def hashes() -> list[str]:
    """What the logs of the games hash to, played here, in order and then in reverse."""
    one = [hashlib.sha256(runner.run_file(path)[0].log_bytes).hexdigest() for path in GAMES]
    return [*one, *reversed(one)]


@pytest.mark.cites("R109", "R110", "191")
@pytest.mark.parametrize("environment", ELSEWHERE.values(), ids=ELSEWHERE)
def test_another_process_writes_the_same_bytes(environment: dict[str, str]) -> None:
    """Hash seed, time zone, language, optimisation and the order of games change no byte of any log."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *map(str, GAMES)],
        env={**os.environ, "PYTHONPATH": str(PACKAGE), **environment},
        cwd=ROOT.anchor,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert hashes() == done.stdout.split()
    assert "" == done.stderr


@pytest.mark.cites("R111")
def test_playing_twice_writes_the_same_bytes() -> None:
    """A second run in the same process gives the same logs, whatever was played between."""
    assert hashes() == hashes()


@pytest.mark.cites("R110", "R111", "191")
def test_digests_are_the_same_after_every_event(corpus: dict[str, bytes]) -> None:
    """Every log replays to the same digests after every event, twice, and after any others between."""
    names = [name for name in corpus if name.startswith("games/")] + list(corpus)[::9]
    first = {name: every_digest(corpus[name]) for name in names}
    for name in reversed(names):
        assert first[name] == every_digest(corpus[name])
        assert len(first[name]) == len(Replay.of(corpus[name])) + 1


@pytest.mark.cites("R110", "R111")
def test_replay_and_rules_go_on_from_the_middle(corpus: dict[str, bytes]) -> None:
    """From any decision on, folding and deciding again give the same events and states as from the start."""
    for name in list(corpus)[::17]:
        replay = Replay.of(corpus[name])
        states = list(replay.states)
        before = 0
        for number, unit in enumerate(replay.units, start=1):
            outcome = again(replay.ctx, states[before], unit, states, number)
            assert (outcome.decision, outcome.events) == (unit.decision, unit.events)
            for event in unit.events:
                made = evolve(states[before], event, states.__getitem__)
                before += 1
                assert made == states[before]


@pytest.mark.cites("R111")
def test_a_replay_given_up_half_way_leaves_nothing(corpus: dict[str, bytes]) -> None:
    """A replay that is broken off at any point changes nothing for the next one in the process."""
    content = corpus["games/bituminous-blast.yaml"]
    log = parse_log(content)
    whole = Replay(log)
    for share in (0.2, 0.5, 0.8):
        last = int(share * len(log.units))
        cut = msgspec.structs.replace(log, units=log.units[:last])
        assert len(Replay(cut)) < len(whole)
        assert Replay(log).states == whole.states
        assert verify_bytes(content).word == "exact"


def every_digest(content: bytes) -> list[str]:
    """The digests of a log: before the first event, and after each."""
    replay = Replay.of(content)
    return [replay.digest(seq) for seq in range(len(replay) + 1)]


def test_a_log_does_not_depend_on_where_it_is_written(tmp_path: Path) -> None:
    """The file of a scenario holds the bytes that it has in memory, under any name, again and again."""
    for path in GAMES:
        in_memory = runner.run_file(path)[0].log_bytes
        for name in ("one.ces", "two.ces"):
            runner.run_file(path, str(tmp_path / name), overwrite=True)
            assert in_memory == (tmp_path / name).read_bytes()
