"""The whole command line: help, version, errors, machines and cards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cascade_es
from cascade_es.cli import main
from cascade_es.cli.cards import script_text
from cascade_es.cli.failures import line_of, status_of
from cascade_es.editions import edition
from cascade_es.machines.tables import TABLES
from cascade_es.replay import Replay
from cascade_es.scenarios.cardfiles import CardSource, definition_of
from cascade_es.scenarios.yamlreader import read

from .conftest import Run

COMMANDS = (
    "run",
    "show",
    "prompt",
    "replay",
    "verify",
    "recover",
    "head",
    "keygen",
    "export",
    "disclose",
    "diff",
    "fork",
    "to-json",
    "from-json",
    "machine",
    "cards",
    "schema",
)


def test_the_commands_are_those_documented() -> None:
    """One verb a job, and each of them is listed here."""
    assert set(main.commands) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_documents_its_json(cli: Run, command: str) -> None:
    """Help says what --json prints."""
    result = cli(command, "--help")
    assert result.exit_code == 0
    assert "--json: {" in result.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_page(cli: Run, command: str) -> None:
    """No line of any help is wider than the 80 columns of a plain page."""
    lines = cli(*filter(None, (command, "--help"))).stdout.splitlines()
    assert [line for line in lines if len(line) > 80] == []


def test_help_and_version(cli: Run) -> None:
    """Help states the exit statuses; the version names the program."""
    assert "Exit status: 0  fine" in cli("--help").stdout
    assert cli("--version").stdout.startswith("cascade-es ")


@pytest.mark.parametrize(
    ("words", "part"),
    [((), "missing command"), (("bogus",), "'bogus'"), (("show",), "'LOG'"), (("show", "a", "b"), "b")],
)
def test_wrong_use_is_one_line_and_advice(cli: Run, words: tuple[str, ...], part: str) -> None:
    """What is wrong, and where help is, in one line; status 2."""
    result = cli(*words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("cascade-es: ")
    assert part in line
    assert "--help'" in line


def test_an_interruption_and_a_defect_are_one_line_too(
    cli: Run, monkeypatch: pytest.MonkeyPatch, logs: dict[str, Path]
) -> None:
    """Ctrl-C ends with 130; a defect of ours ends with 3, says so, and shows no traceback."""
    for error, status, text in (
        (KeyboardInterrupt(), 130, "interrupted"),
        (KeyError("x"), 3, "a defect of this program"),
        (OSError(28, "No space left on device", "x.log"), 2, "x.log: No space left on device"),
    ):

        def fail(*_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(Replay, "open", fail)
        result = cli("show", logs["krosan-grip"])
        assert result.exit_code == status
        (line,) = result.stderr.splitlines()
        assert text in line


def test_errors_are_one_line_whatever_they_hold() -> None:
    """A file's name with a line end in it does not make two lines."""
    error = FileNotFoundError(2, "No such file", "a\nb")
    assert line_of(error) == "a\\nb: No such file"
    assert status_of(error) == 2


def test_machines_are_listed_with_their_rules(cli: Run) -> None:
    """Each procedure has a line with the number of its rule in the edition asked for."""
    text = cli("machine").stdout
    assert [line.split()[0] for line in text.splitlines()] == list(TABLES)
    assert "casting     601.2" in text
    assert "casting     409.1" in cli("machine", "--edition", "ARB").stdout


@pytest.mark.parametrize("name", sorted(TABLES))
def test_diagrams_draw_every_edge(cli: Run, name: str) -> None:
    """Mermaid and DOT have as many edges as the table has for the edition."""
    found = json.loads(cli("machine", name, "--json").stdout)["machines"][0]
    mermaid = cli("machine", name).stdout
    dot = cli("machine", name, "--format", "dot").stdout
    assert sum(" --> " in line and ": " in line for line in mermaid.splitlines()) == len(found["edges"])
    assert dot.count(" -> ") == len(found["edges"])
    assert dot.startswith(f'digraph "{name}"')


def test_diagrams_follow_the_edition(cli: Run) -> None:
    """Before 2015 there was no check of the proposal, and the drawing has none."""
    assert edition("FRF").has("legality-check") is False
    assert "proposal-checked" in cli("machine", "casting").stdout
    assert "proposal-checked" not in cli("machine", "casting", "--edition", "FRF").stdout


def test_unknown_machine_edition_and_format(cli: Run) -> None:
    """A name that is not known is one line with what there is, and status 2."""
    for words, part in (
        (("machine", "castin"), "did you mean 'casting'"),
        (("machine", "--edition", "M22"), "unknown edition 'M22'"),
        (("machine", "casting", "--format", "png"), "'png'"),
        (("cards", "Forrest"), "did you mean 'Forest'"),
    ):
        result = cli(*words)
        assert result.exit_code == 2
        (line,) = result.stderr.splitlines()
        assert part in line


def test_cards_are_listed_and_shown(cli: Run, tmp_path: Path) -> None:
    """The names are sorted; a folder's cards come along; a script is shown as it is written."""
    (tmp_path / "my-card.yaml").write_text("name: My Card\ntype_line: Instant\n", encoding="utf-8")
    names = cli("cards", "--cards", tmp_path).stdout.splitlines()
    assert names == sorted(names)
    assert {"My Card", "Bituminous Blast"} <= set(names)
    assert cli("cards", "My Card", "--cards", tmp_path).stdout == "name: My Card\ntype_line: Instant\n"
    found = json.loads(cli("cards", "Bituminous Blast", "--json").stdout)
    assert found["definition"]["name"] == "Bituminous Blast"
    assert cli("cards", "--cards", tmp_path / "none").exit_code == 2


def test_a_script_that_is_shown_reads_back_the_same() -> None:
    """Whatever script the package has: its text as printed is the same definition."""
    source = CardSource()
    for name in source.names():
        card = source.card(name)
        assert definition_of(read(script_text(card), name)) == card.definition


def test_the_program_is_the_same_everywhere(logs: dict[str, Path]) -> None:
    """Locale, time zone and hash seed change no byte of the output; stdout without UTF-8 gets ASCII."""
    words = [sys.executable, "-m", "cascade_es", "show", str(logs["illegal-cast"]), "--json"]
    base = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    outputs = set()
    for extra in (
        {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1", "PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "2"},
    ):
        env = {**base, **extra, "PYTHONPATH": str(Path(cascade_es.__file__).parents[1])}
        outputs.add(subprocess.run(words, env=env, capture_output=True, check=True).stdout)
    assert len(outputs) == 1


def test_a_reader_that_goes_away_is_no_error(logs: dict[str, Path]) -> None:
    """A broken pipe ends quietly, with the status that a shell gives for it."""
    code = (
        "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1)\n"
        "from cascade_es.cli import main; main()"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(cascade_es.__file__).parents[1])}
    words = [sys.executable, "-c", code, "show", str(logs["krosan-grip"])]
    result = subprocess.run(words, env=env, stderr=subprocess.PIPE, check=False)
    assert (result.returncode, result.stderr) == (141, b"")


def test_the_schemas_are_printed(cli: Run) -> None:
    """`schema` prints the schema that validates what we ship."""
    for name in ("card", "scenario"):
        printed = json.loads(cli("schema", name).stdout)
        assert "https://json-schema.org/draft/2020-12/schema" == printed["$schema"]  # noqa: SIM300


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (("diff", "one.ces"), "diff: argument"),
        (
            ("run", "a.yaml", "--durablity", "x"),
            "run: no such option '--durablity'; did you mean '--durability'?",
        ),
        (("schema",), "schema: missing argument"),
        (("verify",), "verify: "),
    ],
)
def test_wrong_use_names_the_command(cli: Run, words: tuple[str, ...], start: str) -> None:
    """Wrong use is one line that names the command and its help, without line ends in other clothes."""
    result = cli(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"cascade-es: {start}")
    assert f"see 'cascade-es {words[0]} --help'" in result.stderr
    assert "\\n" not in result.stderr
