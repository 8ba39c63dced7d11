"""YAML read strictly: every scalar is a string, and everything knows its place.

Plain YAML loaders turn ``{G}`` into a map and ``no`` into ``False``.  Here nothing is guessed: the
parser's events become a small tree of :class:`Text`, :class:`Seq`, :class:`Map` and :class:`Null`
nodes, and the caller says what it wants through :func:`text`, :func:`integer`, :func:`boolean` and
their like.  Whatever cannot be used is one :class:`~cascade_es.errors.InputError` of one line: where,
what, and what to do.

The parser's events are taken one by one with a stack of our own, so neither depth nor size of a
hostile file reaches Python's recursion limit.  Tags, anchors, aliases and merge keys are refused.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from cascade_es.errors import InputError

__all__ = [
    "MAX_DEPTH",
    "MAX_SIZE",
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
    "read",
    "read_file",
    "seq",
    "suggest",
    "text",
]

MAX_SIZE = 1024 * 1024
"""The most bytes of a file (or characters of a text) that are read."""

MAX_DEPTH = 64
"""The most lists and maps inside one another."""

_MAX_DIGITS = 18
_NULLS = frozenset({"", "~", "null"})
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}

# What may not stand in a file, be it raw or as an escape in a quoted text: controls other than tab and
# line ends, the Unicode line separators (YAML takes them for line ends, editors do not), halves of
# surrogate pairs, and what is no character.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_END = re.compile("\r\n|\r|\n")
_QUOTED = re.compile(r"""(?<![^\s\[{,])(?:"(?:\\.|[^"\\])*"|'[^']*')""")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_BRACED = re.compile(r"""(?:\{[^{}\[\]\s"',:]{1,16}\})+""")


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

        >>> m = mapping(read("title: Storm", "game.yaml"), "the scenario")
        >>> m.get("title")
        Text(value='Storm', place=Place(file='game.yaml', line=1, column=8))
        >>> m.get("seed") is None
        True
        """
        return next((value for name, value in self.entries if name.value == key), None)


Node = Text | Seq | Map | Null


# ---------------------------------------------------------------------------------------------- reading


class _Events(Reader, Scanner, Parser):
    """PyYAML up to its events: no composer, no resolver, no constructor."""

    def __init__(self, source: str) -> None:
        Reader.__init__(self, source)
        Scanner.__init__(self)
        Parser.__init__(self)


class _Mark(Protocol):
    """The part of a parser's mark that is used; PyYAML has two classes of them."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class _Open:
    """A list or map that is not yet closed."""

    __slots__ = ("entries", "flow", "is_map", "items", "key", "known", "place")

    def __init__(self, place: Place, *, is_map: bool, flow: bool) -> None:
        self.place = place
        self.is_map = is_map
        self.flow = flow
        self.items: list[Node] = []
        self.entries: list[tuple[Text, Node]] = []
        self.known: dict[str, Place] = {}
        self.key: Text | None = None

    def add(self, node: Node) -> None:
        if self.key is None:
            self.items.append(node)
        else:
            self.entries.append((self.key, node))
            self.key = None

    def closed(self) -> Node:
        if self.is_map:
            return Map(tuple(self.entries), self.place, self.flow)
        return Seq(tuple(self.items), self.place)


def read(text: str, file: str) -> Node:
    """The one document in ``text``; ``file`` is the name that places carry.

    >>> builtins(read("cost: '{3}{B}'\\nfoil: no\\nset: [LEA, 007]", "card.yaml"))
    {'cost': '{3}{B}', 'foil': 'no', 'set': ['LEA', '007']}
    >>> read("cost: {3}{B}", "card.yaml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cascade_es.errors.InputError: card.yaml:1:10: broken YAML: ...; quote text with braces: "{3}{B}"
    """
    file = _printable(file)
    if len(text) > MAX_SIZE:
        raise InputError(f"longer than {MAX_SIZE} characters; split it into several files", where=file)
    source = text.removeprefix("\ufeff")
    bad = _FORBIDDEN.search(source)
    if bad is not None:
        raise _error(
            f"character {_code(bad.group())} is not allowed; remove it (is this a text file?)",
            _place_of_index(source, bad.start(), file),
        )
    return _Builder(source, file).document()


def read_file(path: Path) -> Node:
    """The one document in the file at ``path``, which must be UTF-8.

    >>> read_file(Path("no/such/game.yaml"))
    Traceback (most recent call last):
    cascade_es.errors.InputError: no/such/game.yaml: no such file; check the path
    """
    name = _printable(str(path))
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_SIZE + 1)
    except FileNotFoundError:
        raise InputError("no such file; check the path", where=name) from None
    except IsADirectoryError:
        raise InputError("this is a directory; name a file in it", where=name) from None
    except (OSError, ValueError) as error:
        if os.path.isdir(path):  # some systems report a directory as a refused permission
            raise InputError("this is a directory; name a file in it", where=name) from None
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"cannot be read: {_line(reason)}; check the path", where=name) from None
    if len(data) > MAX_SIZE:
        raise InputError(f"larger than {MAX_SIZE} bytes; split it into several files", where=name)
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise _error(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8 text",
            _place_of_index(before, len(before), name),
        ) from None
    return read(source, name)


class _Builder:
    """Makes nodes of events, with a stack instead of recursion."""

    def __init__(self, source: str, file: str) -> None:
        self.source = source
        self.file = file
        self.stack: list[_Open] = []

    def document(self) -> Node:
        root: Node | None = None
        for event in self.events():
            place = self.place(event.start_mark)
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    raise _error(
                        "a second document begins here; keep one document in a file, remove '---'", place
                    )
            elif isinstance(event, yaml.NodeEvent):
                done = self.node(event, place)
                if done is not None:
                    root = self.put(done)
            elif isinstance(event, yaml.CollectionEndEvent):
                root = self.put(self.stack.pop().closed())
        if root is None:
            raise _error("the file is empty; write a document of 'key: value' lines", Place(self.file, 1, 1))
        return root

    def events(self) -> Iterator[yaml.Event]:
        parser = _Events(self.source)
        try:
            while parser.check_event():
                yield parser.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as error:
            raise self.broken(error) from None
        except yaml.YAMLError as error:
            raise _error(f"broken YAML: {_line(str(error))}", Place(self.file, 1, 1)) from None
        except (ValueError, OverflowError) as error:
            # an escape beyond Unicode ("\UFFFFFFFF"), or a version number of thousands of digits
            place = self.place(parser.get_mark())
            raise _error(f"broken YAML: {_line(str(error))}; mend or remove it", place) from None

    def broken(self, error: yaml.MarkedYAMLError) -> InputError:
        place = self.place(error.problem_mark or error.context_mark)
        parts = [part for part in (error.context, error.problem) if part]
        return _error(f"broken YAML: {_line(': '.join(parts))}{self.hint(error, place)}", place)

    def hint(self, error: yaml.MarkedYAMLError, place: Place) -> str:
        braces = self.braces(place)
        problem, context = error.problem or "", error.context or ""
        if braces:
            return braces
        if "mapping values are not allowed" in problem:
            return "; quote text that contains ': '"
        if "'\\t'" in problem:
            return "; indent with spaces, not tabs"
        if "cannot start any token" in problem:
            return "; quote text that begins with this character"
        if "scanning an alias" in context:
            return "; quote text that begins with '*'"
        if "scanning an anchor" in context:
            return "; quote text that begins with '&'"
        if "scanning a tag" in context:
            return "; quote text that begins with '!'"
        return "; check indentation, quotes and brackets here"

    def braces(self, place: Place) -> str:
        """The advice to quote ``{3}{B}``, if unquoted braces stand about this place."""
        lines = _LINE_END.split(self.source)
        line = lines[place.line - 1] if place.line <= len(lines) else ""
        begin = max(0, place.column - 200)
        near = _COMMENT.sub("", _QUOTED.sub("", line[begin : place.column + 200]))
        found = _BRACED.search(near)
        return "" if found is None else f"; quote text with braces: {_in_quotes(found.group())}"

    def node(self, event: yaml.NodeEvent, place: Place) -> Node | None:
        """The node of a scalar; of a list or map only the beginning, on the stack."""
        if isinstance(event, yaml.AliasEvent):
            raise _error(
                "aliases ('*name') are not read; write the value out, or quote text that has a '*'", place
            )
        if event.anchor is not None:
            raise _error(
                "anchors ('&name') are not read; remove it, or quote text that begins with '&'", place
            )
        if isinstance(event, yaml.ScalarEvent):
            self.refuse_tag(event.tag, place)
            if event.style in (None, "") and event.value in _NULLS:
                if not self.stack and not event.value:
                    raise _error("the document is empty; write 'key: value' lines", place)
                return self.keyed(Null(place), place, plain=True)
            bad = _FORBIDDEN.search(event.value)
            if bad is not None:
                raise _error(
                    f"an escape stands for {_code(bad.group())}, which is not allowed; remove it", place
                )
            return self.keyed(Text(event.value, place), place, plain=event.style in (None, ""))
        if isinstance(event, yaml.CollectionStartEvent):
            self.refuse_tag(event.tag, place)
            is_map = isinstance(event, yaml.MappingStartEvent)
            if self.wants_key():
                kind = "map" if is_map else "list"
                raise _error(f"a key must be text, not a {kind}{self.braces(place) or '; quote it'}", place)
            if len(self.stack) >= MAX_DEPTH:
                raise _error(f"nested deeper than {MAX_DEPTH} levels; make it flatter", place)
            self.stack.append(_Open(place, is_map=is_map, flow=bool(event.flow_style)))
        return None

    def refuse_tag(self, tag: str | None, place: Place) -> None:
        if tag is not None:
            raise _error(
                f"tags ({_short(tag)}) are not read; remove it, or quote text that begins with '!'", place
            )

    def wants_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].is_map and self.stack[-1].key is None

    def keyed(self, node: Text | Null, place: Place, *, plain: bool) -> Node | None:
        """The scalar back, unless it is a key: then the open map keeps it."""
        if not self.wants_key():
            return node
        top = self.stack[-1]
        if isinstance(node, Null):
            raise _error(
                "a key is missing here; write one before ':' (quote it if it is '~' or 'null')", place
            )
        if plain and node.value == "<<":
            raise _error("merge keys ('<<') are not read; write the entries out", place)
        first = top.known.setdefault(node.value, place)
        if first is not place:
            where = f"line {first.line}, column {first.column}"
            raise _error(f"duplicate key {_short(node.value)}; it first stands at {where}; remove one", place)
        top.key = node
        return None

    def put(self, node: Node) -> Node | None:
        """Into the innermost open node; back as the root if none is open."""
        if not self.stack:
            return node
        self.stack[-1].add(node)
        return None

    def place(self, mark: _Mark | None) -> Place:
        return Place(self.file, 1, 1) if mark is None else Place(self.file, mark.line + 1, mark.column + 1)


# ---------------------------------------------------------------------------------------- what is wanted


def text(node: Node, what: str) -> str:
    """The string of a scalar; ``what`` names the value in the error.

    >>> text(read("no", "a.yaml"), "the answer")
    'no'
    >>> text(read("{G}", "a.yaml"), "cost")
    Traceback (most recent call last):
    cascade_es.errors.InputError: a.yaml:1:1: cost must be text, not a map; quote text with braces: "{G}"
    """
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Null):
        raise _error(
            f'{what} must be text, but nothing is given; write it, quoted if need be ("", "null")', node.place
        )
    advice = _brace_advice(node) or "; write a single value"
    raise _error(f"{what} must be text, not {_kind(node)}{advice}", node.place)


def seq(node: Node, what: str) -> tuple[Node, ...]:
    """The items of a list; nothing else is taken for a list of one.

    >>> [text(item, "a card") for item in seq(read("[Forest, Island]", "a.yaml"), "cards")]
    ['Forest', 'Island']
    """
    if isinstance(node, Seq):
        return node.items
    raise _error(
        f"{what} must be a list, not {_kind(node)}; write '- item' lines, or [item, item]", node.place
    )


def one_or_many(node: Node, what: str) -> tuple[Node, ...]:
    """The items of a list; a single text or map is a list of one.

    >>> [text(item, "a card") for item in one_or_many(read("Forest", "a.yaml"), "cards")]
    ['Forest']
    """
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Null):
        raise _error(f"{what} must be a value or a list, not nothing; write [] for an empty list", node.place)
    return (node,)


def mapping(node: Node, what: str) -> Map:
    """The map itself.

    >>> [key.value for key, _ in mapping(read("{life: 20, hand: []}", "a.yaml"), "player").entries]
    ['life', 'hand']
    """
    if isinstance(node, Map):
        return node
    raise _error(f"{what} must be a map, not {_kind(node)}; write 'key: value' lines", node.place)


def integer(node: Node, what: str, least: int | None = None) -> int:
    """The whole number that a scalar spells in decimal, at least ``least``.

    >>> integer(read("-3", "a.yaml"), "life")
    -3
    >>> integer(read("-3", "a.yaml"), "seed", least=0)
    Traceback (most recent call last):
    cascade_es.errors.InputError: a.yaml:1:1: seed must be at least 0, not -3
    """
    if not isinstance(node, Text):
        raise _error(f"{what} must be a whole number, not {_kind(node)}; write one such as 3", node.place)
    if not re.fullmatch(r"[+-]?[0-9]+", node.value):
        raise _error(f"{what} must be a whole number such as 3, not {_short(node.value)}", node.place)
    if len(node.value.lstrip("+-")) > _MAX_DIGITS:
        raise _error(f"{what} must have at most {_MAX_DIGITS} digits; write a smaller number", node.place)
    number = int(node.value)
    if least is not None and number < least:
        raise _error(f"{what} must be at least {least}, not {number}", node.place)
    return number


def boolean(node: Node, what: str) -> bool:
    """``yes`` or ``true``, ``no`` or ``false``, in any case.

    >>> boolean(read("No", "a.yaml"), "tapped")
    False
    """
    if isinstance(node, Text):
        answer = _BOOLEANS.get(node.value.lower())
        if answer is not None:
            return answer
        raise _error(f"{what} must be yes or no, not {_short(node.value)}", node.place)
    raise _error(f"{what} must be yes or no, not {_kind(node)}", node.place)


def expect_keys(node: Map, allowed: Sequence[str], required: Sequence[str] = (), *, what: str) -> None:
    """Refuse a map with a key that is not ``allowed``, or without one that is ``required``.

    What is required is also allowed.

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
            raise _error(f"unknown key {_short(key.value)} in {what}{guess} known keys: {listed}", key.place)
    missing = [key for key in required if key not in present]
    if missing:
        listed = ", ".join(repr(key) for key in missing)
        plural = "s" if len(missing) > 1 else ""
        raise _error(f"{what} lacks the key{plural} {listed}; add {'them' if plural else 'it'}", node.place)


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


def _error(what: str, place: Place) -> InputError:
    return InputError(what, where=str(place))


def _kind(node: Node) -> str:
    match node:
        case Text():
            return f"the text {_short(node.value)}"
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
    return f"; quote text with braces: {_in_quotes('{' + key.value + '}')}" if isinstance(value, Null) else ""


def _short(value: str) -> str:
    """The value in quotes on one line, not longer than an error message should be."""
    return repr(value if len(value) <= 60 else value[:57] + "...")


def _in_quotes(value: str) -> str:
    return '"' + _short(value)[1:-1] + '"'


def _printable(value: str) -> str:
    """The same, with what cannot be shown escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in value)


def _line(value: str) -> str:
    """All on one line: blanks and line ends collapsed, what cannot be shown escaped."""
    return _printable(" ".join(value.split()))


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _place_of_index(source: str, index: int, file: str) -> Place:
    ends = list(_LINE_END.finditer(source, 0, index))
    begin = ends[-1].end() if ends else 0
    return Place(file, len(ends) + 1, index - begin + 1)
