"""The words of scripts: lists of them, mana, references and numbers; each must mean something.

What is built of them is checked by :mod:`cascade_es.scenarios.scriptcheck`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from cascade_es.errors import InputError
from cascade_es.rules.keywords import KEYWORDS, PARAMETERS, QUALIFIED
from cascade_es.rules.keywords import known as keyword_known
from cascade_es.rules.printed import SUPERTYPES, TYPES, cost_of
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.values import script as sc
from cascade_es.values.mana import COLORS

Path = tuple[str | int, ...]

PLAYERS: Final = ("you", "opponent", "each player", "each opponent", "each other player", "that player")
OBJECTS: Final = ("target", "this", "that", "used", "attached", "those", "exiled with this")
PROPERTIES: Final = ("power", "toughness", "mana value")
OF_PLAYERS: Final = ("life", "cards in hand", "cards in library", "cards in graveyard")
ANY_TARGET: Final = 99
"""A number in a list of instructions may look at any target: how many there are is checked elsewhere."""
PRINTED: Final = re.compile(r"[+-]?\d{1,3}|(\d{1,2}[+-])?\*([+-]\d{1,2})?|X")
"""Power, toughness or loyalty as it stands on a card."""

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


def reference(text: str, path: Path, targets: int, bound: list[str]) -> None:
    """A reference must mean an object or a player: a known word, a target that there is, a bound name."""
    if text == "targets" and targets:
        return
    if top := re.fullmatch(r"top (?:\d{1,3} )?of (.+)", text):
        text = top[1]
    word = text.removeprefix("controller of ").removeprefix("owner of ")
    slot = re.fullmatch(r"target(?: (\d+))?", word)
    if slot is not None:
        number = int(slot[1] or 1)
        if not 1 <= number <= targets:
            raise Wrong(
                f"'{text}': there {'is' if targets == 1 else 'are'} only {targets} under 'targets'", path
            )
        return
    known = (*OBJECTS, *PLAYERS, *bound)
    if word not in known:
        raise Wrong(f"'{text}' means nothing{suggest(word, known) or '; known: ' + ', '.join(known)}", path)


def number(text: str, path: Path, has_x: bool, bound: tuple[str, ...]) -> None:
    """A number must be one: written, X where there is one, a property of something, or a bound name."""
    plain = text
    if plain == "that much" or re.fullmatch(r"\d{1,4}", plain) or (plain == "X" and has_x) or plain in bound:
        return
    name, of, whose = plain.partition(" of ")
    if of and (name in (*PROPERTIES, *OF_PLAYERS) or name.endswith(" counters")):
        reference(whose, path, ANY_TARGET, list(bound))
        return
    if text == "X":
        raise Wrong("there is no X in the cost", path)
    if text in OF_PLAYERS:
        raise Wrong(f"'{text}' of whom? write '{text} of you', or of another player", path)
    raise Wrong(f"'{text}' is no number here; write one such as 3{', or X' if has_x else ''}", path)


def words(record: msgspec.Struct, path: Path) -> None:
    """Every word list of every filter below a record, and every comparison."""
    named = tuple(name for inner, _ in records(record, path) if (name := getattr(inner, "bind", "")))
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
            for field in ("base_power", "base_toughness", "power", "toughness"):
                if isinstance(value := getattr(inner, field), str):
                    number(value.lstrip("+-"), (*here, field), True, named)
            _changes(inner, here)
        if isinstance(inner, sc.CostChange):
            if isinstance(inner.times, str):
                number(inner.times, (*here, "times"), True, ())
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


def _changes(changes: sc.Changes, path: Path) -> None:
    """The words of a continuous effect; of what may be lost, the beginning is enough."""
    keywords = WORDS["keywords"]
    for field, known in (
        *((name, TYPES) for name in ("set_types", "add_types", "lose_types")),
        *((name, SUPERTYPES) for name in ("add_supertypes", "lose_supertypes")),
        *((name, (*COLORS, "chosen")) for name in ("set_colors", "add_colors")),
        ("gain", keywords),
        ("lose", (*keywords, *STEMS)),
    ):
        for index, word in enumerate(getattr(changes, field) or ()):
            if word in known or (
                known[0] == keywords[0] and (keyword_known(word) or QUALIFIED.fullmatch(word))
            ):
                continue
            hint = suggest(word, known) or "; known: " + ", ".join(known)
            raise Wrong(f"'{word}' means nothing under '{field}'{hint}", (*path, field, index))


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
    """A record and all that are in it, each with the path to it."""
    yield record, path
    for name, encoded in zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True):
        value = getattr(record, name)
        here = (*path, encoded)
        if isinstance(value, msgspec.Struct):
            yield from records(value, here)
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, msgspec.Struct):
                    yield from records(item, (*here, index))
