"""Reading YAML into nodes that know their place.

The parser's events are taken one by one with a stack of our own, so neither depth nor size of a
hostile file reaches Python's recursion limit.  Tags, anchors, aliases and merge keys are refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from cascade_es.errors import InputError
from cascade_es.scenarios.yamlnodes import (
    Map,
    Node,
    Null,
    Place,
    Seq,
    Text,
    in_quotes,
    printable,
    refuse,
    shortened,
)

__all__ = ["MAX_DEPTH", "MAX_SIZE", "read", "read_file"]

MAX_SIZE = 1024 * 1024
"""The most bytes of a file (or characters of a text) that are read."""

MAX_DEPTH = 64
"""The most lists and maps inside one another."""

_NULLS = frozenset({"", "~", "null"})

# What may not stand in a file, be it raw or as an escape in a quoted text: controls other than tab and
# line ends, the Unicode line separators (YAML takes them for line ends, editors do not), halves of
# surrogate pairs, and what is no character.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")

_QUOTED = re.compile(r"""(?<![^\s\[{,])(?:"(?:\\.|[^"\\])*"|'[^']*')""")

_COMMENT = re.compile(r"(?:^|\s)#.*")

_BRACED = re.compile(r"""(?:\{[^{}\[\]\s"',:]{1,16}\})+""")

_NUMBERED = re.compile(r"[ \t]+(#[0-9]{1,3})(?=[\s,:\]}]|$)")
"""What stands behind a name and looks like its number, but is a comment to YAML."""

_LINE_END = re.compile("\r\n|\r|\n")


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

    >>> from cascade_es.scenarios.yamlnodes import builtins
    >>> builtins(read("cost: '{3}{B}'\\nfoil: no\\nset: [LEA, 007]", "card.yaml"))
    {'cost': '{3}{B}', 'foil': 'no', 'set': ['LEA', '007']}
    >>> read("cost: {3}{B}", "card.yaml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cascade_es.errors.InputError: card.yaml:1:10: broken YAML: ...; quote text with braces: "{3}{B}"
    """
    file = printable(file)
    if len(text) > MAX_SIZE:
        raise InputError(f"longer than {MAX_SIZE} characters; split it into several files", where=file)
    source = text.removeprefix("\ufeff")
    bad = _FORBIDDEN.search(source)
    if bad is not None:
        raise refuse(
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
    name = printable(str(path))
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        # A pipe or a device would be waited for without end.
        raise InputError("this is no regular file; copy its content into one", where=name)
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
        raise refuse(
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
                    raise refuse(
                        "a second document begins here; keep one document in a file, remove '---'", place
                    )
            elif isinstance(event, yaml.NodeEvent):
                done = self.node(event, place)
                if done is not None:
                    root = self.put(done)
            elif isinstance(event, yaml.CollectionEndEvent):
                root = self.put(self.stack.pop().closed())
        if root is None:
            raise refuse("the file is empty; write a document of 'key: value' lines", Place(self.file, 1, 1))
        return root

    def events(self) -> Iterator[yaml.Event]:
        parser = _Events(self.source)
        try:
            while parser.check_event():
                yield parser.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as error:
            raise self.broken(error) from None
        except yaml.YAMLError as error:
            raise refuse(f"broken YAML: {_line(str(error))}", Place(self.file, 1, 1)) from None
        except (ValueError, OverflowError) as error:
            # an escape beyond Unicode ("\UFFFFFFFF"), or a version number of thousands of digits
            place = self.place(parser.get_mark())
            raise refuse(f"broken YAML: {_line(str(error))}; mend or remove it", place) from None

    def broken(self, error: yaml.MarkedYAMLError) -> InputError:
        place = self.place(error.problem_mark or error.context_mark)
        parts = [part for part in (error.context, error.problem) if part]
        return refuse(f"broken YAML: {_line(': '.join(parts))}{self.hint(error, place)}", place)

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
        return "" if found is None else f"; quote text with braces: {in_quotes(found.group())}"

    def node(self, event: yaml.NodeEvent, place: Place) -> Node | None:
        """The node of a scalar; of a list or map only the beginning, on the stack."""
        if isinstance(event, yaml.AliasEvent):
            raise refuse(
                "aliases ('*name') are not read; write the value out, or quote text that has a '*'", place
            )
        if event.anchor is not None:
            raise refuse(
                "anchors ('&name') are not read; remove it, or quote text that begins with '&'", place
            )
        if isinstance(event, yaml.ScalarEvent):
            self.refuse_tag(event.tag, place)
            end = event.end_mark if event.style in (None, "") and event.value else None
            lost = _NUMBERED.match(self.source, end.index) if end is not None else None
            if lost is not None:
                advice = f"quote it: {in_quotes(f'{event.value} {lost[1]}')}"
                raise refuse(f"'{lost[1]}' is a comment to YAML here; {advice}", place)
            if event.style in (None, "") and event.value in _NULLS:
                if not self.stack and not event.value:
                    raise refuse("the document is empty; write 'key: value' lines", place)
                return self.keyed(Null(place), place, plain=True)
            bad = _FORBIDDEN.search(event.value)
            if bad is not None:
                raise refuse(
                    f"an escape stands for {_code(bad.group())}, which is not allowed; remove it", place
                )
            return self.keyed(Text(event.value, place), place, plain=event.style in (None, ""))
        if isinstance(event, yaml.CollectionStartEvent):
            self.refuse_tag(event.tag, place)
            is_map = isinstance(event, yaml.MappingStartEvent)
            if self.wants_key():
                kind = "map" if is_map else "list"
                raise refuse(f"a key must be text, not a {kind}{self.braces(place) or '; quote it'}", place)
            if len(self.stack) >= MAX_DEPTH:
                raise refuse(f"nested deeper than {MAX_DEPTH} levels; make it flatter", place)
            self.stack.append(_Open(place, is_map=is_map, flow=bool(event.flow_style)))
        return None

    def refuse_tag(self, tag: str | None, place: Place) -> None:
        if tag is not None:
            raise refuse(
                f"tags ({shortened(tag)}) are not read; remove it, or quote text that begins with '!'", place
            )

    def wants_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].is_map and self.stack[-1].key is None

    def keyed(self, node: Text | Null, place: Place, *, plain: bool) -> Node | None:
        """The scalar back, unless it is a key: then the open map keeps it."""
        if not self.wants_key():
            return node
        top = self.stack[-1]
        if isinstance(node, Null):
            raise refuse(
                "a key is missing here; write one before ':' (quote it if it is '~' or 'null')", place
            )
        if plain and node.value == "<<":
            raise refuse("merge keys ('<<') are not read; write the entries out", place)
        first = top.known.setdefault(node.value, place)
        if first is not place:
            where = f"line {first.line}, column {first.column}"
            raise refuse(
                f"duplicate key {shortened(node.value)}; it first stands at {where}; remove one", place
            )
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


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _line(value: str) -> str:
    """All on one line: blanks and line ends collapsed, what cannot be shown escaped."""
    return printable(" ".join(value.split()))


def _place_of_index(source: str, index: int, file: str) -> Place:
    ends = list(_LINE_END.finditer(source, 0, index))
    begin = ends[-1].end() if ends else 0
    return Place(file, len(ends) + 1, index - begin + 1)
