"""How a first difference is printed: what came before, both sides, the fields, and the game afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cascade_es.cli.output import Line, Output
from cascade_es.cli.show import Shape, row
from cascade_es.history import History
from cascade_es.values.facts import EVERYONE
from cascade_es.views import entry, one_line, step_at

LONG: Final = 160
"""How many characters of a value are printed."""

MOST: Final = 12
"""How many differences of fields are printed; --json has them all."""


def compact(value: Any) -> str:
    """A JSON-like value on one line, long ones cut; cards are named, and facts are what is known of them.

    >>> compact({"public": {"card": "Forest", "digest": "00"}}), compact([1, "a"])
    ('Forest', '[1, "a"]')
    """
    shown = _shown(value)
    text = one_line(
        shown if isinstance(shown, str) and shown != value else json.dumps(shown, ensure_ascii=False)
    )
    return text if len(text) <= LONG else f"{text[:LONG]} …"


def _shown(value: Any) -> Any:
    if isinstance(value, list):
        return [_shown(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"card", "digest"}:
        return value["card"]
    if set(value) == {"public"}:
        return _shown(value["public"])
    if "commitment" in value:
        return _shown(value["value"]) if "value" in value else sealed(value)
    return {key: _shown(item) for key, item in value.items()}


def sealed(fact: dict[str, Any]) -> str:
    """A sealed fact by its place and commitment."""
    mask = fact["audience"]
    seats = [str(seat) for seat in range(mask.bit_length()) if mask >> seat & 1]
    seen = "everyone" if mask == EVERYONE else f"seat {' and '.join(seats)}" if seats else "nobody"
    return f"sealed {fact['frame']}.{fact['ordinal']} for {seen} ({fact['commitment'][:8]}…)"


def both(item: dict[str, Any]) -> tuple[str, str]:
    """Both sides of a difference, told so that they are not the same words."""
    values = [compact(item[side]) if side in item else "nothing" for side in ("left", "right")]
    if values[0] == values[1]:
        for index, side in enumerate(("left", "right")):
            value = item.get(side)
            if isinstance(value, dict) and "commitment" in value:
                values[index] += f", {sealed(value)}"
    return values[0], values[1]


def events_lines(history: History, seqs: Sequence[int]) -> list[Line]:
    """Events as in a listing, without their procedures' indentation."""
    shape = Shape(len(str(len(history))), len(str(len(history.units))), 0)
    return [row(entry(history, step_at(history, seq)), shape) for seq in seqs]


def fields_lines(title: str, fields: Iterable[dict[str, Any]], sides: tuple[str, str]) -> list[Line]:
    """The fields in which two records or states differ, one line each."""
    found = list(fields)
    lines: list[Line] = []
    for item in found[:MOST]:
        values = both(item)
        lines.append(
            [
                (f"    {title} ", "dim"),
                (item["path"], "label"),
                (f": {values[0]}", ""),
                (f" {sides[0]}; ", "dim"),
                (values[1], ""),
                (f" {sides[1]}", "dim"),
            ]
        )
    if len(found) > MOST:
        lines.append([(f"    {title} … and {len(found) - MOST} more; --json has all", "dim")])
    return lines


def say_fields(
    out: Output, fields: Iterable[dict[str, Any]], states: Iterable[dict[str, Any]], sides: tuple[str, str]
) -> None:
    """Print in which fields two records differ, and two games afterwards."""
    out.lines(fields_lines("differs in", fields, sides), 8)
    out.lines(fields_lines("and so the game in", states, sides), 8)
