"""Values as plain data, and text that is safe to print.

A log may come from anybody: what it holds is shown, but never obeyed.  Control characters, line ends
and characters that turn the direction of writing are escaped before anything is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cascade_es.values.facts import CardRef, Fact


def one_line(text: str) -> str:
    r"""The text on one line, with everything that cannot be shown escaped.

    >>> one_line("two\nlines, a \x1b[31mcolour and a tab\t")
    'two\\nlines, a \\x1b[31mcolour and a tab\\t'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def plain(value: Any) -> Any:
    """A value as JSON can say it.

    A record is an object with the names of its fields; bytes are hexadecimal.  A fact is
    ``{"known", "sealed", "value"}``, where ``value`` is null in a copy that lacks the opening; a sealed
    one also has its ``place`` in the log, "frame.ordinal", by which it can be disclosed.
    A card is ``{"name", "digest"}``.

    >>> plain(Fact.public((1, b"\\xff")))
    {'known': True, 'sealed': False, 'value': [1, 'ff']}
    """
    if isinstance(value, Fact):
        seen = {"known": value.known, "sealed": value.sealed, "value": plain(value.value)}
        return seen | {"place": f"{value.frame}.{value.ordinal}"} if value.sealed else seen
    if isinstance(value, CardRef):
        return {"name": value.name, "digest": value.digest.hex()}
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence; the same name several times in a row is counted.

    >>> listed(["Mountain", "Mountain", "Swamp", "Forest"])
    'Mountain x2, Swamp and Forest'
    >>> listed(["a card", "a card"]), listed([])
    ('2 cards', 'nothing')
    """
    parts = [_times(name, number) for name, number in _runs(names)]
    if not parts:
        return "nothing"
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _runs(names: Iterable[str]) -> Iterable[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    for name in names:
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + 1)
        else:
            runs.append((name, 1))
    return runs


def _times(name: str, number: int) -> str:
    if number == 1:
        return name
    return f"{number} cards" if name == "a card" else f"{name} x{number}"


def count(number: int, what: str) -> str:
    """A number of things.

    >>> count(1, "card"), count(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
