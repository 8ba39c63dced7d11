"""The schemas and the pages say what the grammar says."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from cascade_es.scenarios import acting, expectations, grammar
from cascade_es.scenarios.schema import SCHEMAS
from cascade_es.values import script

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SCENARIOS = sorted((FIXTURES / "cases").rglob("*.yaml")) + sorted((FIXTURES / "games").glob("*.yaml"))
CARDS = sorted((FIXTURES / "cards").glob("*.yaml"))


def as_text(path: Path) -> Any:
    """A file as we read it: every scalar is text."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_beside_the_fixtures_is_the_one_that_the_package_makes(name: str) -> None:
    """`fixtures/<name>.schema.json` is up to date, and is a schema."""
    made = json.loads(json.dumps(SCHEMAS[name]()))
    Draft202012Validator.check_schema(made)

    kept = json.loads((FIXTURES / f"{name}.schema.json").read_text(encoding="utf-8"))

    assert made == kept


@pytest.mark.parametrize("name", ["scenario", "card"])
def test_everything_that_we_ship_is_valid(name: str) -> None:
    """Every scenario and every card of the fixtures is valid by the schema, with an independent validator."""
    validator = Draft202012Validator(SCHEMAS[name]())

    for path in SCENARIOS if name == "scenario" else CARDS:
        errors = [error.message for error in validator.iter_errors(as_text(path))]
        assert errors == [], path.name


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("scenario", {"title": "x", "players": {"a": {}, "b": {}}, "play": [], "plays": []}),
        ("scenario", {"title": "x", "players": {"a": {}}, "play": []}),
        ("scenario", {"title": "x", "players": {"a": {"sideboard": []}, "b": {}}, "play": []}),
        ("card", {"name": "x", "type_line": "Instant", "keywords": ["cascades"]}),
        ("card", {"name": "x", "type_line": "Instant", "spell": {"do": [{"do": "explode"}]}}),
    ],
)
def test_the_schemas_refuse_what_is_wrong(name: str, wrong: dict[str, Any]) -> None:
    """An unknown key, keyword or operation and a missing player are found by the schema too."""
    assert not Draft202012Validator(SCHEMAS[name]()).is_valid(wrong)


def test_the_page_names_every_word_of_the_grammar() -> None:
    """SCENARIOS.md has every key, command, verb and expectation."""
    page = (FIXTURES / "SCENARIOS.md").read_text(encoding="utf-8")
    words = [*grammar.KEYS, *grammar.PLAYER_KEYS, *grammar.DETAILS, *grammar.COMMANDS]
    words += [*acting.VERBS, *expectations.WORDS]

    assert [word for word in words if word not in page] == []


def literals(hints: Iterable[Any]) -> Iterator[str]:
    """The words in some annotations that list theirs."""
    for hint in hints:
        if typing.get_origin(hint) is typing.Literal:
            yield from typing.get_args(hint)
        else:
            yield from literals(typing.get_args(hint))


def test_the_page_names_every_word_of_the_script_language() -> None:
    """SCRIPTS.md has every operation, cost and field, and every word that a field may have."""
    page = (FIXTURES / "SCRIPTS.md").read_text(encoding="utf-8")
    kinds = [item for item in vars(script).values() if isinstance(item, type)]
    records = [item for item in kinds if issubclass(item, msgspec.Struct)]
    fields = {field.encode_name for record in records for field in msgspec.structs.fields(record)}
    tags = {str(record.__struct_config__.tag) for record in records if record.__struct_config__.tag}
    choices = {word for record in records for word in literals(typing.get_type_hints(record).values())}

    assert sorted(word for word in fields | tags | choices if word not in page) == []
