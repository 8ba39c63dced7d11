"""Which ids of the shared case lists are cited by a scenario or a test.

The lists lie beside the project (``../shared``): the statements of the source documents, the
official cases, the scenarios and the reports.  A scenario cites with ``cites: [S1.27, G13, 137]``
in its YAML, a test with ``@pytest.mark.cites("R084")``.  Neither is imported or run here.

A scenario may also cite a rule by its number, ``510.1c``; that counts for no list.
Some ids are missing from the lists on purpose.  Citing one is no error; ``--json`` names it under
``unlisted``.

Exit: 0 all well; 1 an id of no known form, an unreadable file, or a ``--require`` not met;
2 the lists are not there, or wrong options.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent


class List(NamedTuple):
    """One of the shared lists: where it is, how an entry begins and what its ids look like."""

    file: str
    entry: re.Pattern[str]
    form: re.Pattern[str]


LISTS: dict[str, List] = {
    "seeds": List("rules/SEEDS.md", re.compile(r"^- (S\d\.\d\d)\b", re.M), re.compile(r"S\d\.\d\d")),
    # Mostly one case a line, but the last section runs several together: any bold id is an entry.
    # The sections end at K; more letters would take a mistyped report (R84) or seed (S12) for a case.
    "cases": List("cases/CASES.md", re.compile(r"\*\*([A-K]\d{1,2})\*\*"), re.compile(r"[A-K]\d{1,2}")),
    "scenarios": List("cases/SCENARIOS.md", re.compile(r"^(\d+)\. \*\*", re.M), re.compile(r"\d{1,3}")),
    "reports": List("cases/REPORTS.md", re.compile(r"^#+ (R\d{3})\b", re.M), re.compile(r"R\d{3}")),
}


RULE = re.compile(r"\d{3}\.\d{1,3}[a-z]?")
"""The number of a rule, which a scenario of a kind that is in no list may cite."""


class Cite(NamedTuple):
    """One id as it was cited, with its place (``file:line``)."""

    id: str
    where: str


class Unreadable(Exception):
    """A file that cannot be searched, or a citation that is no plain id."""


class Requirement(NamedTuple):
    """At least ``least`` ids of ``list`` that begin with ``prefix``."""

    list: str
    prefix: str
    least: int

    def __str__(self) -> str:
        dot = "." if self.prefix else ""
        return f"{self.list}{dot}{self.prefix}={self.least}"


def requirement(text: str) -> Requirement:
    """Reads ``LIST=N`` or ``LIST.PREFIX=N``.

    >>> requirement("seeds.S1=20")
    Requirement(list='seeds', prefix='S1', least=20)
    """
    what, equals, least = text.partition("=")
    name, _, prefix = what.partition(".")
    if name not in LISTS or not equals or not least.isdecimal():
        raise argparse.ArgumentTypeError(
            f"{text!r} is not LIST=N or LIST.PREFIX=N with LIST one of {', '.join(LISTS)}"
        )
    return Requirement(name, prefix, int(least))


def read_lists(shared: Path) -> dict[str, list[str]]:
    """The ids of each list in the order of its file; ``OSError`` where a file is not there."""
    known: dict[str, list[str]] = {}
    for name, spec in LISTS.items():
        text = (shared / spec.file).read_text(encoding="utf-8")
        known[name] = list(dict.fromkeys(spec.entry.findall(text)))
    return known


def yaml_cites(text: str, where: str) -> Iterator[Cite]:
    """Every id under a ``cites`` key, at any depth, in all documents of a YAML file.

    Only nodes are composed, so ``137`` and ``S1.10`` stay the text that was written and no tag
    is obeyed.
    """
    try:
        pending: list[yaml.Node | None] = list(yaml.compose_all(text, Loader=yaml.BaseLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}:{mark.line + 1}" if mark else where
        raise Unreadable(f"{place}: not YAML: {getattr(error, 'problem', None) or error}") from error
    seen: set[int] = set()  # an anchor may be met twice, or contain itself
    while pending:
        node = pending.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            pending.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value == "cites":
                    yield from _cited(value, where)
                else:
                    pending.append(value)


def _cited(value: yaml.Node, where: str) -> Iterator[Cite]:
    for item in value.value if isinstance(value, yaml.SequenceNode) else [value]:
        place = f"{where}:{item.start_mark.line + 1}"
        if not isinstance(item, yaml.ScalarNode):
            raise Unreadable(f"{place}: cites holds something that is no id")
        yield Cite(item.value, place)


def python_cites(text: str, where: str) -> Iterator[Cite]:
    """Every argument of a ``pytest.mark.cites(…)``: on a test, a class, a module, a parameter."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise Unreadable(f"{where}{f':{line}' if line else ''}: not Python: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_cites(node.func):
            for argument in node.args:
                place = f"{where}:{argument.lineno}"
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise Unreadable(f"{place}: cites takes ids as plain strings")
                yield Cite(argument.value, place)


def _is_cites(func: ast.expr) -> bool:
    # pytest.mark.cites or, with ``from pytest import mark``, mark.cites
    if not (isinstance(func, ast.Attribute) and func.attr == "cites"):
        return False
    owner = func.value
    return (isinstance(owner, ast.Attribute) and owner.attr == "mark") or (
        isinstance(owner, ast.Name) and owner.id == "mark"
    )


def find_cites(root: Path) -> tuple[list[Cite], list[str]]:
    """All citations of the project at ``root``, and one line for each thing that could not be read."""
    cites: list[Cite] = []
    errors: list[str] = []
    for folder, endings, reader in (
        ("fixtures", {".yaml", ".yml"}, yaml_cites),
        ("tests", {".py"}, python_cites),
    ):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in endings or not path.is_file():
                continue
            where = path.relative_to(root).as_posix()
            try:
                cites.extend(reader(path.read_text(encoding="utf-8"), where))
            except (Unreadable, UnicodeDecodeError) as error:
                errors.append(str(error) if isinstance(error, Unreadable) else f"{where}: not UTF-8")
    return cites, errors


def list_of(cited: str) -> str | None:
    """The list whose ids look like ``cited``, or None.

    >>> [list_of(i) for i in ("S1.27", "G13", "137", "R084", "CR 601")]
    ['seeds', 'cases', 'scenarios', 'reports', None]
    """
    return next((name for name, spec in LISTS.items() if spec.form.fullmatch(cited)), None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rulecov", description="Which ids of the shared case lists a scenario or a test cites."
    )
    parser.add_argument("--shared", type=Path, metavar="DIR", help="the lists (default: ../shared)")
    parser.add_argument("--root", type=Path, metavar="DIR", default=ROOT, help="the project")
    parser.add_argument("--missing", action="store_true", help="also name the ids nobody cites")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument(
        "--require",
        type=requirement,
        action="append",
        default=[],
        metavar="LIST=N",
        help="fail when fewer are cited; LIST.PREFIX=N counts only ids that begin so (seeds.S1=20)",
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Prints the coverage and gives the exit status."""
    options = _parser().parse_args(argv)
    shared: Path = options.shared or options.root / ".." / "shared"
    try:
        known = read_lists(shared)
    except OSError as error:
        gone = shared if not shared.is_dir() else error.filename
        print(f"rulecov: no case lists: {gone} is not there (use --shared DIR)", file=sys.stderr)
        return 2

    cites, errors = find_cites(options.root)
    cited: dict[str, set[str]] = {name: set() for name in LISTS}
    unlisted: set[str] = set()
    for cite in cites:
        if RULE.fullmatch(cite.id):
            continue  # a rule itself: the lists say nothing of it
        name = list_of(cite.id)
        if name is None:
            errors.append(f"{cite.where}: {cite.id!r} has the form of no list")
        elif cite.id in known[name]:
            cited[name].add(cite.id)
        else:
            unlisted.add(cite.id)

    missing = {name: [i for i in ids if i not in cited[name]] for name, ids in known.items()}
    if options.json:
        report: dict[str, object] = {
            name: {"cited": len(cited[name]), "of": len(ids), "missing": missing[name]}
            for name, ids in known.items()
        }
        report["unlisted"] = sorted(unlisted, key=lambda i: (len(i), i))
        print(json.dumps(report, ensure_ascii=False))
    else:
        for name, ids in known.items():
            tail = f"  missing: {' '.join(missing[name])}" if options.missing and missing[name] else ""
            print(f"{name} {len(cited[name])}/{len(ids)}{tail}")

    wants: list[Requirement] = options.require
    for want in wants:
        count = sum(i.startswith(want.prefix) for i in cited[want.list])
        if count < want.least:
            errors.append(f"{want} is required, {count} cited")
    for line in errors:
        print(f"rulecov: {line}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
