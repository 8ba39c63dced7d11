"""``schema``: the JSON Schemas of scenarios and cards."""

from __future__ import annotations

import json

import click

from cascade_es.cli.options import common
from cascade_es.cli.output import Output
from cascade_es.scenarios.schema import SCHEMAS


@click.command(short_help="Print the JSON Schema of scenarios or of cards.")
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
@common
def schema(name: str, as_json: bool, color: bool | None) -> int:
    """Print the JSON Schema of NAME, for an editor or another program.

    --json: {"$schema", "title", …}: the schema itself, on one line.
    """
    made = SCHEMAS[name]()
    if as_json:
        Output(color=color).document(made)
    else:
        click.echo(json.dumps(made, indent=1, sort_keys=True))
    return 0
