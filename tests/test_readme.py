"""The README does what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from cascade_es.cli import main
from cascade_es.rules import keywords
from cascade_es.scenarios import scriptwords

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.M | re.S)


def test_the_set_up_is_two_commands() -> None:
    """One line plays the main job, one line passes the tests, each from nothing."""
    first, second = blocks("sh")

    assert [len(block.splitlines()) for block in (first, second)] == [1, 1]
    assert first.startswith("python3 -m venv")
    assert "bituminous-blast.yaml" in first
    assert second.startswith("python3 -m venv")
    assert second.strip().endswith("pytest -n auto")


def commands() -> list[tuple[str, str]]:
    """Every command of the transcript with what it prints."""
    found: list[tuple[str, str]] = []
    for block in blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            else:
                command, printed = found[-1]
                found[-1] = (command, printed + line + "\n")
    return found


def test_the_transcript_is_what_one_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the README print what the README shows; "..." stands for lines left out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    for command, shown in commands():
        program, *arguments = shlex.split(command)
        assert program == "cascade-es"

        result = CliRunner().invoke(main, arguments)

        wanted = "".join(
            r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown.splitlines()
        )
        assert re.fullmatch(wanted, result.output), f"$ {command}\n{result.output}"


def test_the_python_example_runs() -> None:
    """The Python example of the README runs from top to bottom."""
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})


def test_the_way_of_a_keyword_is_in_the_files() -> None:
    """What the README shows of a new keyword is what stands in the repository, to the letter."""
    card, scenario = blocks("yaml")
    assert card == (ROOT / "fixtures" / "cards" / "monastery-swiftspear.yaml").read_text(encoding="utf-8")
    case = ROOT / "fixtures" / "cases" / "triggers" / "prowess.yaml"
    assert scenario == case.read_text(encoding="utf-8")
    declared, numbered = (re.sub(r"^\+", "", block, flags=re.M) for block in blocks("diff"))
    package = ROOT / "cascade_es"
    assert declared in (package / "rules" / "keywords.py").read_text(encoding="utf-8")
    assert numbered in (package / "editions" / "table.py").read_text(encoding="utf-8")


def test_an_unknown_keyword_fails_as_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its declaration the scenario fails with the message of the README; "…" is left out there."""
    monkeypatch.chdir(ROOT)
    known = keywords.KEYWORDS - {"prowess"}
    monkeypatch.setattr(keywords, "KEYWORDS", known)
    monkeypatch.setitem(scriptwords.WORDS, "keywords", tuple(sorted(known)))
    (shown,) = blocks("text")

    result = CliRunner().invoke(
        main, ["run", "fixtures/cases/triggers/prowess.yaml", "--cards", str(ROOT / "fixtures" / "cards")]
    )

    wanted = ".*".join(re.escape(part) for part in shown.rstrip("\n").split("…"))
    assert re.search(wanted, result.output)
    assert result.exit_code == 2
