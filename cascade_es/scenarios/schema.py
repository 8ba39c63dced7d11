"""JSON Schemas of scenarios and cards, for editors and for other programs.

They are made from the grammar and the script language themselves.  In YAML ``4`` and ``"4"`` are the
same to us (every scalar is text), so wherever text is wanted the schemas take any scalar.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from cascade_es.rules.keywords import KEYWORDS, PARAMETERS, QUALIFIED
from cascade_es.rules.turn import STEPS
from cascade_es.scenarios.grammar import COMMANDS, DETAILS, KEYS, PLAYER_KEYS, ZONES
from cascade_es.values import script as sc

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
SCALAR: Final[dict[str, Any]] = {"type": ["string", "number", "boolean"]}


def _loose(schema: Any) -> Any:
    """Take any scalar where text is wanted."""
    if isinstance(schema, dict):
        changed = {key: _loose(value) for key, value in schema.items()}
        if changed.get("type") == "string" and "enum" not in changed and "const" not in changed:
            changed["type"] = SCALAR["type"]
        if changed.get("type") == "boolean":
            changed = {**changed, "type": ["boolean", "string"]}
        return changed
    if isinstance(schema, list):
        return [_loose(item) for item in schema]
    return schema


def card_schema() -> dict[str, Any]:
    """The schema of a card file: one face written flat, or several under ``faces``."""
    made = msgspec.json.schema(sc.Definition)
    definitions = _loose(made["$defs"])
    face = definitions["Face"]
    with_more = [{"pattern": f"^{word} {what}$"} for word, what in sorted(PARAMETERS.items())]
    face["properties"]["keywords"]["items"] = {
        "anyOf": [
            {"enum": sorted(KEYWORDS - frozenset(PARAMETERS))},
            *with_more,
            {"pattern": f"^({QUALIFIED.pattern})$"},
        ]
    }
    whole = definitions.pop("Definition")
    flat = {
        **face,
        "title": "A card with one face",
        "properties": {**face["properties"], "layout": whole["properties"]["layout"]},
    }
    return {
        "$schema": DRAFT,
        "title": "A card definition",
        "anyOf": [flat, {**whole, "title": "A card with several faces"}],
        "$defs": definitions,
    }


def _list_of(item: Any) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item}, {"type": "null"}]}


def scenario_schema() -> dict[str, Any]:
    """The schema of a scenario file.  That names, cards and answers exist is for the runner to say."""
    cards = card_schema()
    zone = _list_of(SCALAR)
    parts: dict[str, Any] = {**dict.fromkeys(ZONES, zone), "life": SCALAR}
    assert sorted(parts) == sorted(PLAYER_KEYS)
    player = {"type": ["object", "null"], "properties": parts, "additionalProperties": False}
    anything: dict[str, Any] = {}
    entry = {
        "type": "object",
        "minProperties": 1,
        "properties": {
            **dict.fromkeys((*COMMANDS, *DETAILS), anything),
            "until": SCALAR,
            "mark": SCALAR,
            "ruling": SCALAR,
            "expect": {"type": "object"},
            "refused": {"type": "object"},
            "table": {"type": "object"},
        },
        # Any other key is a player, and says what that player does.
        "additionalProperties": SCALAR,
    }
    properties: dict[str, Any] = {
        "title": SCALAR,
        "about": SCALAR,
        "cites": _list_of(SCALAR),
        "edition": SCALAR,
        "seed": SCALAR,
        "cards": {"type": "array", "items": {"$ref": "#/$defs/Card"}},
        "players": {"type": "object", "minProperties": 2, "additionalProperties": player},
        "turn": {"type": "string", "pattern": f"^(\\d+, *)?\\w[\\w-]*, *({'|'.join(STEPS)})$"},
        "play": {"type": "array", "items": {"anyOf": [{"const": "pass"}, entry]}},
    }
    assert sorted(properties) == sorted(KEYS)
    return {
        "$schema": DRAFT,
        "title": "A scenario",
        "type": "object",
        "properties": properties,
        "required": ["title", "players", "play"],
        "additionalProperties": False,
        "$defs": {**cards["$defs"], "Card": {"anyOf": cards["anyOf"]}},
    }


SCHEMAS: Final = {"scenario": scenario_schema, "card": card_schema}
"""What there are schemas of."""
