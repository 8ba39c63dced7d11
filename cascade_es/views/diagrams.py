"""Procedures as drawings: Mermaid or DOT text from the tables that the machines are made of.

An edge carries its event; ``+ casting`` says that the event begins another procedure on top, and an
edge that ends its procedure leads to its last states, which are drawn with a double line.
"""

from __future__ import annotations

from typing import Final

from cascade_es.editions import Edition
from cascade_es.machines.build import rows_for
from cascade_es.machines.tables import Row, Table
from cascade_es.views.naming import rule_number

LANGUAGES: Final = ("mermaid", "dot")
"""What :func:`drawing` can speak."""


def drawing(table: Table, edition: Edition, language: str = "mermaid") -> str:
    """The text of a drawing of one procedure as an edition has it.

    >>> from cascade_es.editions import NEWEST
    >>> from cascade_es.machines.tables import TABLES
    >>> print(drawing(TABLES["reversing"], NEWEST))
    ---
    title: reversing (733.1)
    ---
    stateDiagram-v2
        state "found" as s0
        state "reversed" as s1
        [*] --> s0
        s0 --> s1: action-reversed
        s1 --> [*]
    """
    rows = rows_for(table, edition)
    title = f"{table.name} ({rule_number(edition, table.rule)})"
    return _mermaid(table, rows, title) if language == "mermaid" else _dot(table, rows, title)


def _label(row: Row) -> str:
    return row.event + (f" + {row.push}" if row.push else "")


def _ends(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The states in which the procedure is over: an edge ends it there, or nothing leads away."""
    left = {source for row in rows for source in row.sources}
    return tuple(dict.fromkeys(row.target for row in rows if row.pop or row.target not in left))


def _mermaid(table: Table, rows: tuple[Row, ...], title: str) -> str:
    name = {state: f"s{number}" for number, state in enumerate(table.states)}
    lines = ["---", f"title: {title}", "---", "stateDiagram-v2"]
    lines += [f'    state "{state}" as {name[state]}' for state in _used(table, rows)]
    lines.append(f"    [*] --> {name[table.states[0]]}")
    lines += [
        f"    {name[source]} --> {name[row.target]}: {_label(row)}" for row in rows for source in row.sources
    ]
    lines += [f"    {name[state]} --> [*]" for state in _ends(rows)]
    return "\n".join(lines)


def _dot(table: Table, rows: tuple[Row, ...], title: str) -> str:
    ends = _ends(rows)
    lines = [f'digraph "{table.name}" {{', f'    label="{title}";', "    node [shape=box, style=rounded];"]
    lines += [f'    "{state}"{" [peripheries=2]" if state in ends else ""};' for state in _used(table, rows)]
    lines += [
        f'    "{source}" -> "{row.target}" [label="{_label(row)}"];' for row in rows for source in row.sources
    ]
    return "\n".join([*lines, "}"])


def _used(table: Table, rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The states that an edition's edges touch, and the first; an edition may lack some."""
    touched = {table.states[0], *(row.target for row in rows), *(s for row in rows for s in row.sources)}
    return tuple(state for state in table.states if state in touched)
