"""Golden logs: what any version ever wrote, every later one reads with the same result."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cascade_es import Replay
from cascade_es.game import BEHAVIOUR
from cascade_es.log import FORMAT, parse_log
from cascade_es.log.jsonform import from_json_lines, to_json_lines
from cascade_es.log.upcast import OLDEST
from cascade_es.verify import verify_bytes

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted((ROOT / "fixtures" / "logs").glob("format-*"))
DOCUMENTS = {folder.name: json.loads((folder / "expected.json").read_text("utf-8")) for folder in FOLDERS}
LOGS = [(folder, name) for folder in FOLDERS for name in DOCUMENTS[folder.name]["logs"]]


@pytest.mark.cites("R120", "R148")
@pytest.mark.parametrize(("folder", "name"), LOGS, ids=[f"{folder.name}/{name}" for folder, name in LOGS])
def test_a_golden_log_is_what_it_was(folder: Path, name: str) -> None:
    """It has the head, events, digests and verdict that it always had, unless the rules' code changed."""
    document = DOCUMENTS[folder.name]
    expected: dict[str, Any] = document["logs"][name]
    content = (folder / name).read_bytes()
    replay = Replay.of(content)
    assert replay.log.header.format == document["format"]
    assert (replay.log.head.hash.hex(), replay.log.head.frames) == (expected["head"], expected["frames"])
    assert len(replay) == expected["events"]
    for seq, digest in expected["digests"].items():
        assert replay.digest(int(seq)) == digest, seq
    word = expected["verdict"] if document["behaviour"] == BEHAVIOUR else "unverified"
    assert verify_bytes(content).word == word
    if document["format"] == FORMAT:
        assert from_json_lines(to_json_lines(parse_log(content))) == content


def test_every_format_has_golden_logs() -> None:
    """Each stable format up to ours has its folder, with every log that it lists and no other."""
    assert [folder.name for folder in FOLDERS] == [f"format-{number}" for number in range(OLDEST, FORMAT + 1)]
    for folder in FOLDERS:
        listed = {*DOCUMENTS[folder.name]["logs"], "expected.json"}
        assert {path.name for path in folder.iterdir()} == listed


def test_golden_logs_are_never_made_anew() -> None:
    """The tool refuses where they are, says so in one line, and touches no file."""
    before = {path: path.read_bytes() for folder in FOLDERS for path in folder.iterdir()}
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "golden.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "never made anew" in done.stderr
    assert before == {path: path.read_bytes() for folder in FOLDERS for path in folder.iterdir()}
