"""The tool that says which ids of the shared case lists are cited."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "rulecov.py"
SHARED = ROOT / ".." / "shared"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rulecov", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rulecov = _load()

LISTS = {
    "rules/SEEDS.md": "# Seeds\nS1.77 is no entry\n- S1.01 one\n- S1.02 era<2017 two\n- S2.01 x\n",
    "cases/CASES.md": "- **A1** see A2 | CR\n- **A2** b\n## K\n- **K1** c. **K2** d. **bold** e.\n",
    "cases/SCENARIOS.md": "1. **One** x\n2. **Two** y\n17. **Three** z\n  3. **indented** no\n4. plain no\n",
    "cases/REPORTS.md": "## A1. Group\n### R001 one (like R002)\n### R084 two\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with small lists beside it and nothing cited."""
    for name, text in LISTS.items():
        _write(tmp_path / "shared" / name, text)
    _write(tmp_path / "main" / "pyproject.toml", "")
    return tmp_path / "main"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _run(project: Path, *options: str) -> int:
    status = rulecov.main(["--root", str(project), *options])
    assert isinstance(status, int)
    return status


def test_nothing_cited(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without citations every list has its entries and none of them is cited."""
    assert _run(project) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["seeds 0/3", "cases 0/4", "scenarios 0/3", "reports 0/2"]
    assert err == ""


def test_yaml_citations(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flow lists, block lists, a lone id, nested keys and several documents are all read as text."""
    _write(
        project / "fixtures/cases/a.yaml",
        "cites: [S1.01, K2, 17]\n---\ncases:\n  - cites:\n    - R084\n    - A1\n",
    )
    _write(project / "fixtures/b.yml", "x: &x {cites: 1}\ny: *x\nz: !what {cites: S2.01, text: cites R001}\n")
    assert _run(project, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report == {
        "seeds": {"cited": 2, "of": 3, "missing": ["S1.02"]},
        "cases": {"cited": 2, "of": 4, "missing": ["A2", "K1"]},
        "scenarios": {"cited": 2, "of": 3, "missing": ["2"]},
        "reports": {"cited": 1, "of": 2, "missing": ["R001"]},
        "unlisted": [],
    }


def test_python_citations(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Marks on tests, classes, parameters and modules count; comments and other calls do not."""
    _write(
        project / "tests/deep/test_x.py",
        "import pytest\n"
        "from pytest import mark\n"
        "pytestmark = [pytest.mark.slow, pytest.mark.cites('R084', 'A1')]\n"
        "# pytest.mark.cites('A2')\n"
        "def cites(x): return x\n"
        "@mark.cites('S1.02')\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.cites('2'))])\n"
        "def test_x(x): cites('S1.01')\n"
        "@pytest.mark.cites('K1')\n"
        "class TestY: raise RuntimeError('never imported')\n",
    )
    assert _run(project, "--missing") == 0
    assert capsys.readouterr().out.splitlines() == [
        "seeds 1/3  missing: S1.01 S2.01",
        "cases 2/4  missing: A2 K2",
        "scenarios 1/3  missing: 1 17",
        "reports 1/2  missing: R001",
    ]


def test_ids_kept_back_are_no_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id of a known form that no list has is only named under unlisted, and never counted."""
    _write(project / "fixtures/a.yaml", "cites: [A3, 5, R002, S4.19, A1, A3]\n")
    assert _run(project, "--json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["unlisted"] == ["5", "A3", "R002", "S4.19"]
    assert report["cases"]["cited"] == 1
    assert err == ""


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("fixtures/a.yaml", "x: 1\ncites: [A1, 702.85.a]\n", "fixtures/a.yaml:2: '702.85.a'"),
        ("fixtures/a.yaml", "cites: [a1]\n", "fixtures/a.yaml:1: 'a1'"),
        ("fixtures/a.yaml", "cites: [[A1]]\n", "fixtures/a.yaml:1: cites holds"),
        ("fixtures/a.yaml", "cites: [A1\n", "fixtures/a.yaml:2: not YAML"),
        (
            "tests/test_a.py",
            "import pytest\n@pytest.mark.cites('R84')\ndef f(): ...\n",
            "tests/test_a.py:2: 'R84'",
        ),
        (
            "tests/test_a.py",
            "import pytest\npytestmark = pytest.mark.cites(137)\n",
            "tests/test_a.py:2: cites takes",
        ),
        ("tests/test_a.py", "def f(:\n", "tests/test_a.py:1: not Python"),
    ],
)
def test_bad_citations(
    project: Path, capsys: pytest.CaptureFixture[str], file: str, text: str, line: str
) -> None:
    """An id of no known form, or a file that cannot be read, fails with one line naming file and line."""
    _write(project / file, text)
    assert _run(project) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"rulecov: {line}")
    assert len(err.splitlines()) == 1
    assert out.startswith("seeds ")


def test_a_file_that_is_no_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not UTF-8 fails with its name instead of a traceback."""
    (project / "tests").mkdir()
    (project / "tests/test_a.py").write_bytes(b"# \xff\xfe\n")
    assert _run(project) == 1
    assert capsys.readouterr().err == "rulecov: tests/test_a.py: not UTF-8\n"


@pytest.mark.parametrize(
    ("want", "status"),
    [
        ("seeds=2", 0),
        ("seeds=3", 1),
        ("seeds.S1=1", 0),
        ("seeds.S1=2", 1),
        ("cases.K=0", 0),
        ("reports=1", 1),
    ],
)
def test_requirements(project: Path, capsys: pytest.CaptureFixture[str], want: str, status: int) -> None:
    """A required number fails only when fewer ids of the list, or with the prefix, are cited."""
    _write(project / "fixtures/a.yaml", "cites: [S1.01, S2.01, S1.99]\n")
    assert _run(project, "--require", want, "--require", "seeds=1") == status
    assert (want in capsys.readouterr().err) == bool(status)


@pytest.mark.parametrize("want", ["seeds", "seeds=", "seeds=x", "rules=1", "=1", "seeds=-1"])
def test_bad_requirements(project: Path, capsys: pytest.CaptureFixture[str], want: str) -> None:
    """A requirement that cannot be read is an error of usage that names it."""
    with pytest.raises(SystemExit) as caught:
        _run(project, "--require", want)
    assert caught.value.code == 2
    assert repr(want) in capsys.readouterr().err


def test_no_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the shared lists the tool says so in one line and exits with 2."""
    (tmp_path / "main").mkdir()
    assert _run(tmp_path / "main") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "shared is not there" in err


def test_one_list_gone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list missing from the shared directory is named, and nothing is counted."""
    (project / "../shared/cases/REPORTS.md").unlink()
    assert _run(project) == 2
    assert "REPORTS.md is not there" in capsys.readouterr().err


def test_runs_from_anywhere(project: Path) -> None:
    """The tool runs as a script from any directory and looks at the project it lies in."""
    _write(project / "tools/rulecov.py", TOOL.read_text(encoding="utf-8"))
    _write(project / "fixtures/a.yaml", "cites: [A1]\n")
    done = subprocess.run(
        [sys.executable, str(project / "tools/rulecov.py")],
        cwd=project.parent / "shared",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert "cases 1/4" in done.stdout


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared case lists are not beside the project")
def test_the_real_lists() -> None:
    """The real lists have as many entries as they say, with the several ids of a line counted each."""
    known = rulecov.read_lists(SHARED)
    assert {name: len(ids) for name, ids in known.items()} == {
        "seeds": 101,
        "cases": 134,  # 127 lines; the last one holds K1 to K8
        "scenarios": 118,
        "reports": 92,
    }
    seeds = known["seeds"]
    assert [sum(i.startswith(f"S{n}.") for i in seeds) for n in (1, 2, 3, 4)] == [29, 22, 31, 19]
    assert {f"K{n}" for n in range(1, 9)} <= set(known["cases"])
    assert all(rulecov.list_of(i) == name for name, ids in known.items() for i in ids)
