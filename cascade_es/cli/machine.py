"""``machine``: the procedures as state machines, as a list or as diagrams."""

from __future__ import annotations

from typing import Any

import click

from cascade_es.cli.options import common
from cascade_es.cli.output import Output
from cascade_es.editions import Edition
from cascade_es.editions import edition as edition_named
from cascade_es.errors import InputError
from cascade_es.machines.build import rows_for
from cascade_es.machines.tables import TABLES, Table
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.views.diagrams import LANGUAGES, drawing
from cascade_es.views.naming import rule_number


@click.command(short_help="Show the procedures as state machines.")
@click.argument("name", required=False)
@click.option(
    "--format",
    "language",
    type=click.Choice(LANGUAGES),
    default="mermaid",
    show_default=True,
    help="The language of the diagram.",
)
@click.option(
    "--edition", default="newest", show_default=True, help="The rules: a date, a set code, or newest."
)
@common
def machine(name: str | None, language: str, edition: str, as_json: bool, color: bool | None) -> int:
    """Print the diagram of one procedure; without NAME, list all with their rule and their states.

    --json: {"edition", "machines": [{"name", "concept", "rule", "states", "edges": [{"from", "event",
    "to", "begins", "ends"}]}]}: begins is the procedure that the event begins on top (or null), ends
    whether it ends its own; with NAME also "diagram" and "format".
    """
    out = Output(color=color)
    try:
        rules = edition_named(edition)
    except InputError as error:
        raise InputError(error.what, where="--edition") from None
    if name is not None and name not in TABLES:
        hint = suggest(name, tuple(TABLES)) or f"; machines are {', '.join(TABLES)}"
        raise InputError(f"unknown machine '{name}'{hint}", where="machine")
    chosen = [TABLES[name]] if name is not None else list(TABLES.values())
    if as_json:
        document: dict[str, Any] = {
            "edition": rules.date,
            "machines": [_json(item, rules) for item in chosen],
        }
        if name is not None:
            document |= {"diagram": drawing(chosen[0], rules, language), "format": language}
        out.document(document)
    elif name is not None:
        for text in drawing(chosen[0], rules, language).rstrip("\n").split("\n"):
            out.line([(text, "")])
    else:
        for table in chosen:
            out.line(
                [
                    (f"{table.name:<12}", "strong"),
                    (f"{rule_number(rules, table.rule):<10}", "label"),
                    (", ".join(table.states), ""),
                ],
                22,
            )
    return 0


def _json(table: Table, rules: Edition) -> dict[str, Any]:
    return {
        "name": table.name,
        "concept": table.rule,
        "rule": rule_number(rules, table.rule),
        "states": list(table.states),
        "edges": [
            {
                "from": source,
                "event": row.event,
                "to": row.target,
                "begins": row.push or None,
                "ends": row.pop,
            }
            for row in rows_for(table, rules)
            for source in row.sources
        ],
    }
