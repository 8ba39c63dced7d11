"""``cards``: the scripts that are known, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import yaml

from cascade_es.cards import Card
from cascade_es.cli.options import common, readable_folder
from cascade_es.cli.output import Output
from cascade_es.scenarios.cardfiles import CardSource


@click.command(short_help="List the known card scripts, or show one.")
@click.argument("name", required=False)
@click.option("--cards", "folders", multiple=True, metavar="DIR", help="A folder with scripts (repeatable).")
@common
def cards(name: str | None, folders: tuple[str, ...], as_json: bool, color: bool | None) -> int:
    """List the names of all known card scripts, or show the script of NAME.

    Scripts are looked for in the folders given, then in the package.  A script is printed as a scenario
    may hold it under "cards:".

    --json: {"cards": [names]}, or {"name", "digest", "definition"}; the digest is what logs pin.
    """
    out = Output(color=color)
    for folder in folders:
        readable_folder(folder, f"--cards {folder}")
    source = CardSource(folders=tuple(Path(folder) for folder in folders))
    if name is None:
        names = source.names()
        if as_json:
            out.document({"cards": list(names)})
        else:
            out.lines([(item, "")] for item in names)
        return 0
    card = source.card(name, "cards")
    if as_json:
        out.document({"name": name, "digest": card.ref.digest.hex(), "definition": json.loads(card.content)})
    else:
        for line in script_text(card).splitlines():
            key, colon, rest = line.partition(":")
            out.line(
                [(key + colon, "label"), (rest, "")] if colon else [(line, "")], len(key) - len(key.lstrip())
            )
    return 0


def script_text(card: Card) -> str:
    """A definition as YAML that reads back as the same definition; a card with one face is flat."""
    raw: dict[str, Any] = json.loads(card.content)
    faces = raw.get("faces", [])
    if len(faces) == 1 and faces[0].get("name") == raw["name"]:
        rest = {key: value for key, value in raw.items() if key not in ("name", "faces")}
        raw = {**faces[0], **rest}
    # One key at a time: the outermost map is never written with braces.
    return "".join(_dump({key: value}) for key, value in _flags(raw).items())


def _dump(entry: dict[str, Any]) -> str:
    nested = any(isinstance(value, dict | list) for value in entry.values())
    style = None if nested else False
    text: str = yaml.safe_dump(
        entry, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=style
    )
    return text


def _flags(value: Any) -> Any:
    """Truth as the words that scripts use; everything else is text already."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return {key: _flags(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_flags(item) for item in value]
    return value
