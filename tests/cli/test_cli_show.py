"""``show`` and ``prompt``: a log as lines, one moment of it, and why something happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cascade_es.cli.output import Output, fitting
from cascade_es.log import strip_openings
from cascade_es.replay import Replay
from cascade_es.views import event_json

from .conftest import Run


def kinds_of(text: str) -> list[str]:
    """The kinds of the lines of a listing."""
    return [line[2:].split()[3] for line in text.splitlines() if not line.startswith("#")]


def test_the_owners_seven_stand_in_their_order(cli: Run, logs: dict[str, Path]) -> None:
    """The worked game is announced, triggers, exiles, is cast for free and bottoms, before it resolves."""
    result = cli("show", logs["bituminous-blast"])
    assert result.exit_code == 0
    kinds = kinds_of(result.stdout)
    places = [kinds.index(kind) for kind in ("announce", "trigger", "exile", "cast-free", "randomize-bottom")]
    assert places == sorted(places)
    assert result.stdout.index("randomize-bottom") < result.stdout.index("Rampant Growth begins to resolve")


def test_one_line_an_event_in_a_pipe(cli: Run, logs: dict[str, Path]) -> None:
    """In a pipe an event is exactly one line without colours, however narrow COLUMNS says it is."""
    result = cli("show", logs["bituminous-blast"], env={"COLUMNS": "20"})
    lines = [line for line in result.stdout.splitlines() if not line.startswith("#")]
    total = len(Replay.open(logs["bituminous-blast"]))
    assert [int(line[2:].split()[0]) for line in lines] == list(range(1, total + 1))
    assert "\x1b" not in result.stdout
    assert cli("show", logs["bituminous-blast"], env={"COLUMNS": "200"}).stdout == result.stdout


def test_undone_events_have_a_mark_and_a_legend(cli: Run, logs: dict[str, Path]) -> None:
    """An undone span stands behind a mark, its reversal says why, and a legend explains the mark."""
    lines = cli("show", logs["illegal-cast"]).stdout.splitlines()
    assert [int(line[2:].split()[0]) for line in lines if line.startswith("╎")] == list(range(10, 33))
    (reversal,) = (line for line in lines if line.startswith("╰"))
    assert "733.1" in reversal
    assert reversal.endswith("that does not pay {3}{B}{R} exactly (601.2h); nothing of it stays")
    assert lines[-1].startswith("# ╎ was undone")


def test_colour_can_be_asked_for_and_refused(cli: Run, logs: dict[str, Path]) -> None:
    """--color colours a pipe too, in long unbroken lines; --no-color and a pipe do not."""
    plain = cli("show", logs["illegal-cast"]).stdout
    coloured = cli("show", logs["illegal-cast"], "--color").stdout
    assert "\x1b[" in coloured
    assert len(coloured.splitlines()) == len(plain.splitlines())
    assert cli("show", logs["illegal-cast"], "--no-color").stdout == plain


def test_filters(cli: Run, logs: dict[str, Path]) -> None:
    """--from, --to, --kind and --grep leave only the lines that all of them want."""
    log = logs["bituminous-blast"]
    assert kinds_of(cli("show", log, "--kind", "exile", "--kind", "trigger").stdout) == ["trigger"] + 3 * [
        "exile"
    ]
    assert len(kinds_of(cli("show", log, "--from", "10", "--to", "12").stdout)) == 3
    (shuffled,) = (step.seq for step in Replay.open(log) if step.event.kind == "shuffled")
    found = cli("show", log, "--grep", "RAMPANT", "--from", str(shuffled)).stdout
    assert all("Rampant" in line for line in found.splitlines()[1:])
    assert kinds_of(found) == ["moved", "resolution-ended"]


def test_a_moment_is_the_whole_board(cli: Run, logs: dict[str, Path]) -> None:
    """--at shows the game after that event; --state alone shows the last."""
    log = logs["bituminous-blast"]
    text = cli("show", log, "--at", "62").stdout
    assert text.startswith("after event 62: turn 1, alice's precombat main phase")
    assert "cascading: casting (702.85a" in text
    assert cli("show", log, "--state").stdout == cli("show", log, "--at", str(len(Replay.open(log)))).stdout
    assert "before the first turn" in cli("show", log, "--at", "0").stdout


def test_why_walks_to_the_root(cli: Run, logs: dict[str, Path]) -> None:
    """--why tells the edition, an event, its cause, and the cause of that, one line each."""
    first, *lines = cli("show", logs["bituminous-blast"], "--why", "67").stdout.splitlines()
    assert "rules of 2026-08-07" in first
    told = [line.split()[2] for line in lines]
    assert told[:4] == ["randomize-bottom", "cascade-begun", "resolution-begun", "trigger-stacked"]
    assert told[4:] == ["trigger", "spell-cast", "announce", "round-begun"]
    assert "because alice cascades" in lines[1]


def test_show_as_json(cli: Run, logs: dict[str, Path]) -> None:
    """The documents have the documented keys, and the events are those of the views."""
    log = logs["illegal-cast"]
    history = Replay.open(log)
    found = json.loads(cli("show", log, "--json").stdout)
    assert set(found) == {"log", "decisions", "events"}
    assert found["events"] == [event_json(history, step) for step in history]
    assert set(json.loads(cli("show", log, "--json", "--at", "5").stdout)) == {"log", "state"}
    assert set(json.loads(cli("show", log, "--json", "--prompt").stdout)) == {"log", "prompt"}
    assert [item["seq"] for item in json.loads(cli("show", log, "--json", "--why", "33").stdout)["why"]][
        :2
    ] == [33, 32]


def test_prompt_shows_what_is_refused(cli: Run, logs: dict[str, Path]) -> None:
    """Every candidate is listed, the forbidden ones with rule and reason; show --prompt says the same."""
    log = logs["krosan-grip"]
    result = cli("prompt", log)
    assert "alice is asked after event 120" in result.stdout
    assert "118.3: Mountain is tapped already" in result.stdout
    assert cli("show", log, "--prompt").stdout == result.stdout
    assert "nobody is asked: its decision goes on to event" in cli("prompt", log, "--at", "30").stdout
    assert "nobody is asked: the game has not begun" in cli("prompt", log, "--at", "0").stdout
    assert "nobody is asked: the record is sealed" in cli("prompt", log, "--at", "121").stdout


def test_a_copy_without_openings_can_be_shown(cli: Run, logs: dict[str, Path], tmp_path: Path) -> None:
    """A copy that may see nothing is still listed; what it cannot answer is one clear line."""
    bare = tmp_path / "bare.log"
    bare.write_bytes(strip_openings(logs["bituminous-blast"].read_bytes()))
    result = cli("show", bare)
    assert result.exit_code == 0
    assert "player 1 announces a card from their hand" in result.stdout
    assert cli("show", bare, "--at", "62").exit_code == 0
    asked = cli("prompt", bare)
    assert asked.exit_code == 2
    assert (
        asked.stderr
        == f"cascade-es: {bare}: this copy lacks what the prompt depends on; ask for a full copy\n"
    )


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--at", "999"), ("--at 999", "run from 0 to ")),
        (("--at", "-1"), ("--at -1", "run from 0 to ")),
        (("--why", "0"), ("--why 0", "run from 1 to ")),
        (("--from", "999"), ("--from 999",)),
        (("--kind", "anounce"), ("--kind anounce", "did you mean 'announce'")),
        (("--kind", "zzz"), ("kinds are",)),
        (("--why", "3", "--state"), ("exclude one another",)),
        (("--at", "x"), ("'x' is not a valid integer",)),
        (("--bogus",), ("--bogus",)),
    ],
)
def test_wrong_use_is_one_line(
    cli: Run, logs: dict[str, Path], words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    """A wrong option is one line that names it, and status 2."""
    result = cli("show", logs["bituminous-blast"], *words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("cascade-es: ")
    assert all(part in line for part in parts)


class Latin:
    """A stream that cannot say everything."""

    encoding = "iso8859-1"


def test_streams_that_are_not_unicode_get_signs_they_can_say() -> None:
    """Marks become ASCII, and what has no sign is escaped rather than lost or fatal."""
    assert fitting("╎ – ’ \u2603", Latin()) == "| - ' \\u2603"


def test_a_narrow_terminal_gets_hanging_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal a long line goes on below its sentence, and nothing of it is lost."""
    out = Output(color=False)
    monkeypatch.setattr(out, "width", 40)
    out.line([("12  ", "dim"), ("one two three four five six seven eight nine", "")], 4)
    assert capsys.readouterr().out == "12  one two three four five six seven\n    eight nine\n"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--grep", "no such words"), "no event from 1 to 97 is what was asked for; the log has 97"),
        (("--kind", "exile", "--to", "5"), "no event from 1 to 5 is what was asked for"),
        (("--from", "90", "--to", "3"), "no event from 90 to 3; the log has 97"),
    ],
)
def test_nothing_found_is_said(cli: Run, logs: dict[str, Path], words: tuple[str, ...], text: str) -> None:
    """A listing without a line says that nothing was found, and where it was looked for."""
    result = cli("show", logs["bituminous-blast"], *words)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1] == f"# {text}" or text in result.stdout.splitlines()[1]
    assert json.loads(cli("show", logs["bituminous-blast"], *words, "--json").stdout)["events"] == []


def test_candidates_name_players(cli: Run, tmp_path: Path) -> None:
    """What may be chosen names the players by their names, not by their seats."""
    path = tmp_path / "a.yaml"
    path.write_text(
        "title: a bolt\n"
        "players: {ann: {hand: [Lightning Bolt], battlefield: [Mountain]}, ben: {}}\n"
        "turn: ann, precombat main\n"
        "play:\n"
        "  - ann: cast Lightning Bolt\n"
        "    targets: [ben]\n",
        encoding="utf-8",
    )
    log = tmp_path / "a.ces"
    cli("run", path, "--log", log)
    seen = [cli("prompt", log, "--at", number).stdout for number in range(12)]
    (asked,) = {text for text in seen if "target" in text.partition("\n")[0]}
    assert "  yes ann\n" in asked
    assert "  yes ben\n" in asked
    assert "player " not in asked


def test_three_players_and_why_one_lost(cli: Run, tmp_path: Path) -> None:
    """Players stand in a list as in a sentence, and why one has lost is told in more than a word."""
    game = tmp_path / "lost.yaml"
    game.write_text(
        "title: a player has no life left\n"
        "players: {ann: {}, ben: {}, cat: {life: 2}}\n"
        "play:\n  - table: {life: cat, change: -2}\n  - ann: pass\n  - expect: {cat.lost: life}\n",
        encoding="utf-8",
    )
    assert cli("run", game, "--log", tmp_path / "lost.ces").exit_code == 0
    shown = cli("show", tmp_path / "lost.ces").stdout
    assert shown.startswith("# ann, ben and cat, rules of ")
    assert "cat loses the game: no life is left" in shown
