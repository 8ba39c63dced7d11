"""How the command line prints: colours on terminals only, plain bytes in pipes, one JSON document.

Nothing here depends on the locale, the time zone or the width of a pipe.  Text for a stream that
cannot say it (not UTF-8) is put into ASCII signs; JSON is always UTF-8, as its standard says.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from cascade_es.views.plain import one_line

Line = Sequence[tuple[str, str]]
"""A line: pieces of text, each with the role that it plays."""

STYLES: Final = {
    "": "",
    "dim": "dim",
    "strong": "bold",
    "player": "bold cyan",
    "label": "cyan",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "key": "magenta",
}
"""What each role looks like: the eight standard colours, so that every theme of a terminal fits."""

_SIGNS: Final = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "×": "x", "╎": "|"}
    | {"╰": "`", "·": "-", "→": "->", "•": "*"}
)


def speaks_unicode(stream: Any) -> bool:
    """Whether a stream takes any character."""
    try:
        return codecs.lookup(getattr(stream, "encoding", None) or "ascii").name.startswith("utf")
    except LookupError:
        return False


def fitting(text: str, stream: Any) -> str:
    """The text as a stream can take it, on one line: as it is in UTF-8, else with signs of ASCII."""
    text = one_line(text)
    if speaks_unicode(stream):
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.translate(_SIGNS).encode("ascii", "backslashreplace").decode("ascii")


class Output:
    """Where a command prints.

    ``color`` None means: on a terminal, unless NO_COLOR is set or it is a dumb one.
    """

    def __init__(self, *, color: bool | None = None) -> None:
        stream = sys.stdout
        self.terminal = bool(stream.isatty())
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.color = self.terminal and wanted if color is None else color
        self.width = shutil.get_terminal_size((80, 24)).columns if self.terminal else 0
        self._console: Console | None = None

    def lines(self, lines: Iterable[Line], indent: int = 0) -> None:
        """Print lines; on a terminal long ones go on below, ``indent`` columns in."""
        for line in lines:
            self.line(line, indent)

    def line(self, line: Line, indent: int = 0) -> None:
        """Print one line; in a pipe it is never broken and never shortened."""
        stream = sys.stdout
        text = Text()
        for words, role in line:
            text.append(fitting(words, stream), STYLES[role])
        text.rstrip()
        rows = [text]
        if self.width and len(text) > self.width:
            rows = _hanging(text, self.width, max(min(indent, self.width - 24), 0))
        for row in rows:
            self._put(row)

    def _put(self, text: Text) -> None:
        if not self.color:
            click.echo(text.plain, color=False)
            return
        if self._console is None:
            self._console = Console(
                file=sys.stdout,
                force_terminal=True,
                color_system="standard",
                highlight=False,
                markup=False,
                emoji=False,
                legacy_windows=False,
                width=self.width or 10_000,
            )
        self._console.print(text, soft_wrap=True)

    def document(self, value: Any) -> None:
        """Print one JSON document, keys sorted, in UTF-8."""
        text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
        click.echo(text.encode("utf-8", "backslashreplace"))

    def progress(self, total: int) -> AbstractContextManager[Progress | None]:
        """A bar on stderr for long work; nothing unless stderr is a terminal."""
        if total < 2 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            return nullcontext(None)
        console = Console(file=sys.stderr, no_color=not self.color)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        return Progress(*columns, console=console, transient=True)


def _hanging(text: Text, width: int, indent: int) -> list[Text]:
    """A long text in rows of at most ``width`` columns; all but the first begin ``indent`` columns in."""
    console = Console(file=sys.stderr, width=width, color_system=None)
    first = text.wrap(console, width)[0]
    rest = text[len(first.plain) :]
    rest = Text().join([rest])
    leading = len(rest.plain) - len(rest.plain.lstrip())
    rest = rest[leading:]
    first.rstrip()
    rows = [first]
    for row in rest.wrap(console, max(width - indent, 20)):
        row.rstrip()
        rows.append(Text(" " * indent) + row)
    return rows


def counted(number: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "frame"), counted(2, "frame")
    ('1 frame', '2 frames')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def warn(text: str) -> None:
    """One line on stderr: what is wrong, where, what to do."""
    click.echo(fitting(f"cascade-es: {text}", sys.stderr), err=True)
