"""The arrows between the rooms, what the core must never touch, and what lies where."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from immutables import Map

import cascade_es
from cascade_es.scenarios import runner
from cascade_es.values.state import State

PACKAGE = Path(cascade_es.__file__).parent
ROOT = Path(__file__).resolve().parents[1]
SOURCES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
CORE = ("evolve", "rules", "values", "machines")

# What each room may import of the package, besides itself.  "game" stands for the modules at the top of
# the package that play and read games.
BELOW: dict[str, tuple[str, ...]] = {
    "errors": (),
    "diagnostics": ("errors",),
    "values": ("errors",),
    "editions": ("errors",),
    "machines": ("errors", "values", "editions"),
    "cards": ("errors", "values"),
    "log": ("errors", "values"),
    "stores": ("errors", "values", "log"),
    "evolve": ("errors", "values", "editions", "machines"),
    "rules": ("errors", "values", "editions", "machines", "cards", "evolve"),
    "testing": ("errors", "values", "log", "stores"),
}
ABOVE = ("scenarios", "cli", "views", "testing", "__main__")
"""Rooms that may know everything below; nobody below knows them."""

# All that the core may import from outside the package: nothing that has a clock, dice or an environment.
PURE = {
    "__future__",
    "bisect",
    "collections",
    "contextlib",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "hashlib",
}
PURE |= {"hmac", "itertools", "math", "operator", "re", "struct", "types", "typing"}
PURE |= {"immutables", "msgpack", "msgspec", "transitions"}
# Names that reach the world, the next run's addresses, or code that no test sees.
IMPURE = {"open", "input", "print", "eval", "exec", "compile", "__import__", "globals", "vars", "breakpoint"}
ALLOWED_AT_TOP = {"pyproject.toml", "cascade_es", "fixtures", "tests", "tools", "README.md"}


def room(module: str) -> str:
    """The room of a module of the package: "cascade_es.rules.board" is in "rules"."""
    return module.split(".")[1] if "." in module else ""


def trees(*rooms: str) -> Iterator[tuple[str, ast.Module]]:
    """The syntax trees of all modules in some rooms."""
    for name, path in SOURCES.items():
        if name.partition("/")[0].removesuffix(".py") in rooms:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that a tree imports, at the top or within a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            if module == "cascade_es":
                yield from (f"cascade_es.{alias.name}" for alias in node.names)
            else:
                yield module


@pytest.mark.parametrize("name", BELOW)
def test_imports_point_down(name: str) -> None:
    """A room imports only rooms below it, so nothing in the core can know a face."""
    wrong = [
        f"{where} imports {module}"
        for where, tree in trees(name)
        for module in imports(tree)
        if module.startswith("cascade_es") and room(module) not in (name, *BELOW[name])
    ]
    assert [] == wrong


def test_only_the_faces_know_the_faces() -> None:
    """Scenarios and the command line are imported by nobody below them; the package's front may show them."""
    wrong = [
        f"{where} imports {module}"
        for where, path in SOURCES.items()
        if where != "__init__.py" and where.partition("/")[0].removesuffix(".py") not in ABOVE
        for module in imports(ast.parse(path.read_text(encoding="utf-8")))
        if module.startswith("cascade_es.") and room(module) in ABOVE
    ]
    assert [] == wrong


def test_nobody_imports_the_command_line() -> None:
    """The command line knows everything and nobody knows it; only `python -m` starts it."""
    wrong = [
        where
        for where, path in SOURCES.items()
        if not where.startswith("cli/") and where != "__main__.py"
        for module in imports(ast.parse(path.read_text(encoding="utf-8")))
        if module.startswith("cascade_es.cli")
    ]
    assert [] == wrong


def test_every_module_is_in_a_known_room() -> None:
    """A new room must be given its place among the arrows."""
    top = {
        "__init__",
        "game",
        "history",
        "replay",
        "verify",
        "projection",
        "backup",
        "fork",
        "diff",
        "export",
        "sidefile",
    }
    known = {*BELOW, *ABOVE, *top}
    assert set() == {name.partition("/")[0].removesuffix(".py") for name in SOURCES} - known


def test_the_top_of_the_repository_is_tidy() -> None:
    """Beside dotfiles there is nothing at the top but what belongs there."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    # Whoever tries its examples has what they write.
    written = re.findall(r"^\$ cascade-es .*--(?:out|log) (\S+)", page, re.MULTILINE)
    assert {"blast.head", "swamp.card"} <= {*written}
    made = {".ces", ".side", ".egg-info"}  # what playing and building leave there
    found = {
        path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.suffix not in made
    }.difference(written)
    found -= {"build", "dist"}
    assert set() == found - ALLOWED_AT_TOP
    assert ALLOWED_AT_TOP - {"README.md"} <= found


@pytest.mark.parametrize(
    "name",
    [*SOURCES],
)
def test_modules_are_small(name: str) -> None:
    """No module is longer than 520 lines; one over 500 asks to be two."""
    assert len(SOURCES[name].read_text(encoding="utf-8").splitlines()) <= 520


def test_the_public_names_are_those_exported() -> None:
    """`__all__` is what the front imports, each name once, in the order that the linter keeps."""
    front = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    shown = [
        alias.asname or alias.name
        for node in front.body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    ]
    assert sorted(shown) == sorted(cascade_es.__all__)

    def kind(name: str) -> int:
        return 0 if name.isupper() else 1 if name[0].isupper() else 2

    assert sorted(cascade_es.__all__, key=lambda name: (kind(name), name)) == cascade_es.__all__
    assert [] == [name for name in cascade_es.__all__ if not hasattr(cascade_es, name)]


# ---------------------------------------------------------------------------------- determinism


@pytest.mark.cites("R109", "R110")
@pytest.mark.parametrize("name", [*CORE, "editions", "cards"])
def test_the_core_has_no_clock_and_no_dice(name: str) -> None:
    """Neither time, chance, the environment nor another thread can get into a state or an event."""
    wrong = [
        f"{where} imports {module}"
        for where, tree in trees(name)
        for module in imports(tree)
        if module.split(".")[0] not in PURE and not module.startswith("cascade_es")
    ]
    assert [] == wrong


def within(tree: ast.AST, inside: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Every node, with the name of the function it is in."""
    for node in ast.iter_child_nodes(tree):
        name = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else inside
        yield node, name
        yield from within(node, name)


def addresses(tree: ast.AST) -> Iterator[int]:
    """The lines that ask for an address or a hash, also without a call; only a `__hash__` may."""
    for node, inside in within(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and inside != "__hash__":
            if node.id in ("id", "hash"):
                yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in ("__hash__", "__reduce_ex__"):
            yield node.lineno


@pytest.mark.cites("R109")
@pytest.mark.parametrize("name", CORE)
def test_the_core_asks_no_address_and_no_hash(name: str) -> None:
    """`id` and `hash` differ from run to run, called or handed on as a key."""
    assert [] == [f"{where}:{line}" for where, tree in trees(name) for line in addresses(tree)]


def test_the_check_of_addresses_sees_them() -> None:
    """The check above finds calls, keys of sorting and the method, and lets fields of that name be."""
    bad = "id(x)\nsorted(x, key=hash)\nx.__hash__()\nmap(id, x)\n"
    assert [1, 2, 3, 4] == list(addresses(ast.parse(bad)))
    good = "x.id\nclass A:\n    id: int\n    def __hash__(self): return hash(self.id)\nf(id=1)"
    assert [] == list(addresses(ast.parse(good)))


@pytest.mark.cites("R110")
@pytest.mark.parametrize("name", CORE)
def test_the_core_touches_nothing_outside(name: str) -> None:
    """The core opens no file, prints nothing, and runs no code that is not written in it."""
    wrong = [
        f"{where}:{node.lineno} {node.id}"
        for where, tree in trees(name)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in IMPURE
    ]
    assert [] == wrong


SETS = ("set", "frozenset", "Set", "AbstractSet", "MutableSet", "KeysView")


def says_set(annotation: ast.expr | None) -> bool:
    """Whether an annotation is that of a set."""
    node = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(node, ast.Name) and node.id in SETS


def is_set(node: ast.expr, makers: frozenset[str] = frozenset()) -> bool:
    """Whether an expression plainly makes a set; ``makers`` are the functions that say that they do."""
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub | ast.BitXor):
        return is_set(node.left, makers) or is_set(node.right, makers)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in ("union", "intersection", "difference", "symmetric_difference") or (
            node.func.attr in makers
        )
    return isinstance(node.func, ast.Name) and (node.func.id in SETS or node.func.id in makers)


@functools.cache
def set_makers() -> frozenset[str]:
    """The functions and attributes of the package that are annotated as sets."""
    return frozenset(
        node.name
        for path in SOURCES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and says_set(node.returns)
    )


def sets_of(scope: ast.AST, makers: frozenset[str]) -> set[str]:
    """The names that are sets within a scope: by what is assigned, or as they are annotated."""
    found = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and is_set(node.value, makers):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if says_set(node.annotation) or (node.value is not None and is_set(node.value, makers)):
                found.add(node.target.id)
        elif isinstance(node, ast.arg) and says_set(node.annotation):
            found.add(node.arg)
    return found


def set_iterations(tree: ast.AST, makers: frozenset[str] = frozenset()) -> Iterator[int]:
    """The lines on which something goes through a set in its own order."""
    whole = {name for name in sets_of(tree, makers) if name.isupper()}
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef | ast.Module):
            continue
        sets = sets_of(scope, makers) | whole

        def unordered(node: ast.expr, sets: set[str] = sets) -> bool:
            return is_set(node, makers) or (isinstance(node, ast.Name) and node.id in sets)

        for node in ast.walk(scope):
            through: list[ast.expr] = []
            if isinstance(node, ast.For | ast.comprehension):
                through = [node.iter]
            elif isinstance(node, ast.Starred):
                through = [node.value]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in ("tuple", "list", "iter", "enumerate", "zip", "map", "filter", "next"):
                    through = list(node.args)
                elif node.func.id in ("min", "max", "sorted") and any(
                    key.arg == "key" for key in node.keywords
                ):
                    through = list(node.args)  # what the key takes for equal stays in the order of the set
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                through = list(node.args) if node.func.attr in ("join", "fromkeys", "extend") else []
                through += [node.func.value] if node.func.attr == "pop" else []
            yield from (item.lineno for item in through if unordered(item))


@pytest.mark.cites("R109")
@pytest.mark.parametrize("name", [*CORE, "log", "stores", "editions", "cards", "game", "scenarios"])
def test_nothing_goes_through_a_set(name: str) -> None:
    """The order of a set depends on the run; sets are asked, sorted, counted, but never gone through."""
    assert [] == [
        f"{where}:{line}" for where, tree in trees(name) for line in set_iterations(tree, set_makers())
    ]


def test_the_check_of_sets_sees_them() -> None:
    """The check above finds loops, comprehensions, unpacking and conversions, and lets sorting be."""
    bad = "for a in {1, 2}: pass\n[b for b in set(x)]\nc = {1}\ntuple(c)\n(*c, 1)\n','.join(c)\n"
    assert {1, 2, 4, 5, 6} == set(set_iterations(ast.parse(bad)))
    assert [] == list(set_iterations(ast.parse("c = {1}\nsorted(c)\nlen(c)\n1 in c\nsorted({1} | c)")))
    told = "def f(a: set[int], b):\n    c: frozenset[int] = b\n    list(a)\n    c.pop()\n    max(a, key=b)\n"
    told += "    list(b.g())"
    assert {3, 4, 5, 6} == set(set_iterations(ast.parse(told), frozenset({"g"})))
    assert [] == list(
        set_iterations(ast.parse("A = {1}\ndef f(x: list[int]): return [a for a in x if a in A]"))
    )


@pytest.mark.cites("R109")
def test_maps_of_the_state_are_keyed_by_numbers() -> None:
    """A persistent map goes by the hashes of its keys; only those of numbers are the same in every run."""
    from specimens import reachable

    keys = [typing.get_args(kind)[0] for kind in reachable(State) if typing.get_origin(kind) is Map]
    assert {int} == set(keys)


def modules() -> Iterator[ModuleType]:
    """Every module of the package."""
    for found in pkgutil.walk_packages(cascade_es.__path__, "cascade_es."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def contents(module: ModuleType) -> dict[str, Any]:
    """What a module's own lists, dicts and sets hold."""
    return {
        f"{module.__name__}.{name}": list(value)
        for name, value in vars(module).items()
        # Machines are built once an edition and never change; that store may fill.
        if isinstance(value, dict | list | set) and not name.startswith("__") and name != "_BUILT"
    }


@pytest.mark.cites("R111")
def test_playing_leaves_nothing_behind_in_modules() -> None:
    """No module remembers a game: their containers hold the same before and after one is played."""
    before = {name: value for module in modules() for name, value in contents(module).items()}
    for path in sorted((ROOT / "fixtures" / "games").glob("*.yaml")):
        runner.run_file(path)
    assert before == {name: value for module in modules() for name, value in contents(module).items()}


@pytest.mark.cites("R111")
def test_nothing_rebinds_a_module_name() -> None:
    """The package has no `global` statement: nothing can be changed for the next game."""
    wrong = [
        f"{where}:{node.lineno}"
        for where, path in SOURCES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Global)
    ]
    assert [] == wrong
