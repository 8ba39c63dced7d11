"""YAML read strictly: every scalar is a string, and everything knows its place.

Plain YAML loaders turn ``{G}`` into a map and ``no`` into ``False``.  Here nothing is guessed: the
parser's events become a small tree of :class:`Text`, :class:`Seq`, :class:`Map` and :class:`Null`
nodes, and the caller says what it wants through :func:`text`, :func:`integer`, :func:`boolean` and
their like.  Whatever cannot be used is one :class:`~cascade_es.errors.InputError` of one line: where,
what, and what to do.

Files are read by :mod:`cascade_es.scenarios.yamlreader`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import msgspec

from cascade_es.errors import InputError

__all__ = [
    "Map",
    "Node",
    "Null",
    "Place",
    "Seq",
    "Text",
    "boolean",
    "builtins",
    "expect_keys",
    "integer",
    "locate",
    "mapping",
    "one_or_many",
    "seq",
    "suggest",
    "text",
]

_MAX_DIGITS = 18
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


class Place(msgspec.Struct, frozen=True):
    """A place in a file; line and column count from 1.

    >>> str(Place("game.yaml", 7, 14))
    'game.yaml:7:14'
    """

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Text(msgspec.Struct, frozen=True):
    """A scalar, exactly as written: ``no``, ``007`` and ``1.0`` are texts like any other."""

    value: str
    place: Place


class Null(msgspec.Struct, frozen=True):
    """Nothing: an unquoted ``~`` or ``null``, or no value at all."""

    place: Place


class Seq(msgspec.Struct, frozen=True):
    """A list."""

    items: tuple[Node, ...]
    place: Place


class Map(msgspec.Struct, frozen=True):
    """A map; its keys are distinct texts, in the order of the file.

    ``flow`` says that it was written with braces.
    """

    entries: tuple[tuple[Text, Node], ...]
    place: Place
    flow: bool = False

    def get(self, key: str) -> Node | None:
        """The value under ``key``, or ``None`` if the map has no such key.

        >>> from cascade_es.scenarios.yamlreader import read

        >>> m = mapping(read("title: Storm", "game.yaml"), "the scenario")
        >>> m.get("title")
        Text(value='Storm', place=Place(file='game.yaml', line=1, column=8))
        >>> m.get("seed") is None
        True
        """
        return next((value for name, value in self.entries if name.value == key), None)


Node = Text | Seq | Map | Null


# ---------------------------------------------------------------------------------------- what is wanted


def text(node: Node, what: str) -> str:
    """The string of a scalar; ``what`` names the value in the error.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> text(read("no", "a.yaml"), "the answer")
    'no'
    >>> text(read("{G}", "a.yaml"), "cost")
    Traceback (most recent call last):
    cascade_es.errors.InputError: a.yaml:1:1: cost must be text, not a map; quote text with braces: "{G}"
    """
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Null):
        raise refuse(
            f'{what} must be text, but nothing is given; write it, quoted if need be ("", "null")', node.place
        )
    advice = _brace_advice(node) or "; write a single value"
    raise refuse(f"{what} must be text, not {_kind(node)}{advice}", node.place)


def seq(node: Node, what: str) -> tuple[Node, ...]:
    """The items of a list; nothing else is taken for a list of one.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> [text(item, "a card") for item in seq(read("[Forest, Island]", "a.yaml"), "cards")]
    ['Forest', 'Island']
    """
    if isinstance(node, Seq):
        return node.items
    raise refuse(
        f"{what} must be a list, not {_kind(node)}; write '- item' lines, or [item, item]", node.place
    )


def one_or_many(node: Node, what: str) -> tuple[Node, ...]:
    """The items of a list; a single text or map is a list of one.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> [text(item, "a card") for item in one_or_many(read("Forest", "a.yaml"), "cards")]
    ['Forest']
    """
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Null):
        raise refuse(f"{what} must be a value or a list, not nothing; write [] for an empty list", node.place)
    return (node,)


def mapping(node: Node, what: str) -> Map:
    """The map itself.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> [key.value for key, _ in mapping(read("{life: 20, hand: []}", "a.yaml"), "player").entries]
    ['life', 'hand']
    """
    if isinstance(node, Map):
        return node
    raise refuse(f"{what} must be a map, not {_kind(node)}; write 'key: value' lines", node.place)


def integer(node: Node, what: str, least: int | None = None) -> int:
    """The whole number that a scalar spells in decimal, at least ``least``.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> integer(read("-3", "a.yaml"), "life")
    -3
    >>> integer(read("-3", "a.yaml"), "seed", least=0)
    Traceback (most recent call last):
    cascade_es.errors.InputError: a.yaml:1:1: seed must be at least 0, not -3
    """
    if not isinstance(node, Text):
        raise refuse(f"{what} must be a whole number, not {_kind(node)}; write one such as 3", node.place)
    if not re.fullmatch(r"[+-]?[0-9]+", node.value):
        raise refuse(f"{what} must be a whole number such as 3, not {shortened(node.value)}", node.place)
    if len(node.value.lstrip("+-")) > _MAX_DIGITS:
        raise refuse(f"{what} must have at most {_MAX_DIGITS} digits; write a smaller number", node.place)
    number = int(node.value)
    if least is not None and number < least:
        raise refuse(f"{what} must be at least {least}, not {number}", node.place)
    return number


def boolean(node: Node, what: str) -> bool:
    """``yes`` or ``true``, ``no`` or ``false``, in any case.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> boolean(read("No", "a.yaml"), "tapped")
    False
    """
    if isinstance(node, Text):
        answer = _BOOLEANS.get(node.value.lower())
        if answer is not None:
            return answer
        raise refuse(f"{what} must be yes or no, not {shortened(node.value)}", node.place)
    raise refuse(f"{what} must be yes or no, not {_kind(node)}", node.place)


def expect_keys(node: Map, allowed: Sequence[str], required: Sequence[str] = (), *, what: str) -> None:
    """Refuse a map with a key that is not ``allowed``, or without one that is ``required``.

    What is required is also allowed.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> expect_keys(mapping(read("titel: Storm", "a.yaml"), "it"), ["title", "seed"], what="the scenario")
    Traceback (most recent call last):
    cascade_es.errors.InputError: a.yaml:1:1: unknown key 'titel' in the scenario; did you mean 'title'? \
known keys: title, seed
    """
    known = list(dict.fromkeys([*allowed, *required]))
    present = {key.value for key, _ in node.entries}
    for key, _ in node.entries:
        if key.value not in known:
            guess = suggest(key.value, known) or ";"
            listed = ", ".join(known) or "none"
            raise refuse(
                f"unknown key {shortened(key.value)} in {what}{guess} known keys: {listed}", key.place
            )
    missing = [key for key in required if key not in present]
    if missing:
        listed = ", ".join(repr(key) for key in missing)
        plural = "s" if len(missing) > 1 else ""
        raise refuse(f"{what} lacks the key{plural} {listed}; add {'them' if plural else 'it'}", node.place)


def suggest(word: str, known: Sequence[str]) -> str:
    """The end of an error message that names the known word most like ``word``, or nothing.

    >>> suggest("forrest", ["Island", "Forest"])
    "; did you mean 'Forest'?"
    >>> suggest("xyzzy", ["Island", "Forest"])
    ''
    """
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    # A word far longer than all that is known is like none of it; do not let it take quadratic time.
    near = difflib.get_close_matches(word.casefold()[:200], list(folded), n=1, cutoff=0.6)
    return f"; did you mean {folded[near[0]]!r}?" if near else ""


def builtins(node: Node) -> object:
    """The node as ``str``, ``list``, ``dict`` and ``None``, for converters that know no places.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> builtins(read("a: [1, ~, {b: yes}]", "a.yaml"))
    {'a': ['1', None, {'b': 'yes'}]}
    """
    match node:
        case Text():
            return node.value
        case Null():
            return None
        case Seq():
            return [builtins(item) for item in node.items]
        case Map():
            return {key.value: builtins(value) for key, value in node.entries}


def locate(node: Node, path: Sequence[str | int]) -> Place:
    """The place of what lies at a path of keys and indexes; where it leads nowhere, the last that exists.

    >>> from cascade_es.scenarios.yamlreader import read

    >>> tree = read("players:\\n  - life: 20", "a.yaml")
    >>> str(locate(tree, ["players", 0, "life"]))
    'a.yaml:2:11'
    >>> str(locate(tree, ["players", 0, "hand", 3]))
    'a.yaml:2:5'
    """
    here = node
    for step in path:
        found: Node | None = None
        if isinstance(here, Map):
            found = here.get(str(step))
        elif isinstance(here, Seq) and isinstance(step, int) and 0 <= step < len(here.items):
            found = here.items[step]
        if found is None:
            break
        here = found
    return here.place


# ---------------------------------------------------------------------------------------------- messages


def refuse(what: str, place: Place) -> InputError:
    return InputError(what, where=str(place))


def _kind(node: Node) -> str:
    match node:
        case Text():
            return f"the text {shortened(node.value)}"
        case Null():
            return "nothing"
        case Seq():
            return "a list"
        case Map():
            return "a map"


def _brace_advice(node: Node) -> str:
    """The advice to quote, for a map such as YAML makes of an unquoted ``{G}``."""
    if not isinstance(node, Map) or not node.flow or len(node.entries) != 1:
        return ""
    key, value = node.entries[0]
    return f"; quote text with braces: {in_quotes('{' + key.value + '}')}" if isinstance(value, Null) else ""


def shortened(value: str) -> str:
    """The value in quotes on one line, not longer than an error message should be."""
    return repr(value if len(value) <= 60 else value[:57] + "...")


def in_quotes(value: str) -> str:
    return '"' + shortened(value)[1:-1] + '"'


def printable(value: str) -> str:
    """The same, with what cannot be shown escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in value)
