"""The words of a script, wherever they stand: of filters, changes, counts, conditions, combat texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from cascade_es.errors import InputError
from cascade_es.rules.combat.requirements import CANT, MUST
from cascade_es.rules.keywords import KEYWORDS, PARAMETERS, QUALIFIED
from cascade_es.rules.keywords import known as keyword_known
from cascade_es.rules.printed import SUPERTYPES, TYPES, cost_of
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.values import script as sc
from cascade_es.values.mana import COLORS

Path = tuple[str | int, ...]

COMPARISON: Final = re.compile(r"(<=|>=)?\d{1,4}")

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "types": TYPES,
    "all_types": TYPES,
    "not_types": TYPES,
    "supertypes": SUPERTYPES,
    "not_supertypes": SUPERTYPES,
    "colors": COLORS,
    "not_colors": COLORS,
    "keywords": tuple(sorted(KEYWORDS - frozenset(PARAMETERS))),
}
"""The words that a field may have."""

STEMS: Final = (*PARAMETERS, "protection", "toxic")
"""Keywords that say more than their name."""

CHANGED: Final[dict[str, tuple[str, ...]]] = {
    "set_types": TYPES,
    "add_types": TYPES,
    "lose_types": TYPES,
    "add_supertypes": SUPERTYPES,
    "lose_supertypes": SUPERTYPES,
    "set_colors": (*COLORS, "chosen"),
    "add_colors": (*COLORS, "chosen"),
    "gain": tuple(sorted(KEYWORDS)),
    "lose": (*sorted(KEYWORDS), *STEMS),
    "cant": (*CANT, "activate", "be countered", "untap", "have its damage prevented"),
    "must": MUST,
}
"""The words that a change may have."""

DEEDS: Final = (
    "spell-cast",
    "ability-activated",
    "land-played",
    "died",
    "attacked",
    "blocked",
    "combat-damage",
)
"""What can be counted of a turn."""


class Wrong(Exception):
    """Something in a definition that means nothing, with the path to it."""

    def __init__(self, what: str, path: Path) -> None:
        super().__init__(what)
        self.what = what
        self.path = path


def mana(text: str | None, path: Path) -> bool:
    """Whether there is an X in a mana cost, which must be one."""
    if text is None:
        return False
    try:
        return bool(cost_of(text).variables)
    except InputError as error:
        raise Wrong(error.what, path) from None


def _condition(c: sc.Condition, path: Path) -> None:
    """The numbers of a condition."""
    for field in ("count", "number"):
        value = getattr(c, field)
        if value and not re.fullmatch(r"\d{1,4}", value):
            raise Wrong(f"'{value}' is no number", (*path, field))
    if c.spent and mana(c.spent, (*path, "spent")):
        raise Wrong("mana that was spent has no X", (*path, "spent"))


def words(record: msgspec.Struct, path: Path) -> None:
    """Every word list of every filter below a record, and every comparison."""
    for inner, here in records(record, path):
        if isinstance(inner, sc.Filter | sc.Face):
            for field, known in WORDS.items():
                for index, word in enumerate(getattr(inner, field, None) or ()):
                    fine = field == "keywords" and (keyword_known(word) or QUALIFIED.fullmatch(word))
                    if word not in known and not fine:
                        hint = "; say from what, or how much" if word in STEMS else ""
                        hint = hint or suggest(word, known) or "; known: " + ", ".join(known)
                        raise Wrong(
                            f"'{word}' is none of the known {field.replace('_', ' ')}{hint}",
                            (*here, field, index),
                        )
        if isinstance(inner, sc.Changes):
            for field, known in CHANGED.items():
                for index, word in enumerate(getattr(inner, field) or ()):
                    fine = field in ("gain", "lose") and (keyword_known(word) or QUALIFIED.fullmatch(word))
                    if word not in known and not fine:
                        hint = suggest(word, known) or "; known: " + ", ".join(known)
                        raise Wrong(f"'{word}' means nothing under '{field}'{hint}", (*here, field, index))
        if isinstance(inner, sc.Condition):
            _condition(inner, here)
        if isinstance(inner, sc.Count) and inner.deeds and inner.deeds not in DEEDS:
            hint = suggest(inner.deeds, DEEDS) or "; known: " + ", ".join(DEEDS)
            raise Wrong(f"'{inner.deeds}' is nothing that can be counted{hint}", (*here, "deeds"))
        if isinstance(inner, sc.CostChange):
            for field in ("more", "less"):
                if mana(getattr(inner, field) or None, (*here, field)):
                    raise Wrong("a change of a cost has no X", (*here, field))
            if inner.least and not re.fullmatch(r"\d{1,2}", inner.least):
                raise Wrong(f"'{inner.least}' is no amount of mana", (*here, "least"))
        if isinstance(inner, sc.Count):
            for field in ("times", "plus"):
                if not re.fullmatch(r"-?\d{1,4}", getattr(inner, field)):
                    raise Wrong(f"'{getattr(inner, field)}' is no number", (*here, field))
        if isinstance(inner, sc.Combat):
            _combat(inner, here)
        if isinstance(inner, sc.Filter):
            for field in ("mana_value", "power", "toughness", "target_count"):
                value = getattr(inner, field)
                if (
                    field == "mana_value"
                    and value.removeprefix("<=").removeprefix(">=") == "X"
                    and "targets" in here
                ):
                    continue
                if value and not COMPARISON.fullmatch(value):
                    raise Wrong(f"'{value}' compares nothing; write 3, <=3 or >=3", (*here, field))


def _combat(text: sc.Combat, path: Path) -> None:
    """A combat text: its numbers, and nothing said of attacks that only blocks have."""
    mana(text.cost or None, (*path, "cost"))
    for field in ("most", "least", "additional"):
        value = getattr(text, field)
        if value and not re.fullmatch(r"\d{1,4}", value) and (field, value) != ("additional", "any"):
            raise Wrong(f"'{value}' is no number", (*path, field))
    others = ("by", "least", "only", "additional") if text.on == "attack" else ("against", "must")
    for field in others:
        if getattr(text, field):
            raise Wrong(f"'{field}' says nothing about those who {text.on}", (*path, field))
    words = (text.cost, text.most, text.by, text.least, text.only, text.additional, text.cant, text.must)
    if not any(words):
        raise Wrong("a combat text says nothing; give a cost or a limit", path)


def records(record: msgspec.Struct, path: Path) -> Iterator[tuple[msgspec.Struct, Path]]:
    yield record, path
    for field in msgspec.structs.fields(type(record)):
        value = getattr(record, field.name)
        here = (*path, field.encode_name)
        if isinstance(value, msgspec.Struct):
            yield from records(value, here)
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, msgspec.Struct):
                    yield from records(item, (*here, index))
