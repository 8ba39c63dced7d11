"""What is printed on a card, and what of it an object has: its copiable values by zone and edition.

A card may have several parts.  Which of them an object is depends on where it is: a half on the stack,
both halves in a graveyard, the face that is up on the battlefield (709–720).  Continuous effects start
from here (613.2); nothing here looks at another object.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cascade_es.values.mana import COLORS, ManaCost, parse_cost
from cascade_es.values.script import Definition, Face, face_at
from cascade_es.values.state import Characteristics, Obj

if TYPE_CHECKING:
    from cascade_es.rules.board import Context

SUPERTYPES: Final = ("basic", "legendary", "ongoing", "snow", "world")
TYPES: Final = (
    "artifact",
    "battle",
    "creature",
    "enchantment",
    "instant",
    "kindred",
    "land",
    "planeswalker",
    "sorcery",
)
COMBINED: Final = ("split", "aftermath", "room")
"""Layouts whose halves are one set of characteristics off the stack (709.4)."""

DOUBLE_FACED: Final = ("transform", "modal_dfc", "meld")
"""Layouts with a face on each side (712.1)."""

FUSED: Final = -1
"""The part that is both halves of a split card, left then right (702.102)."""


@lru_cache(maxsize=4096)
def type_line(line: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Supertypes, types and subtypes of a type line; the first two in lower case.

    >>> type_line("Basic Land — Forest")
    (('basic',), ('land',), ('Forest',))
    """
    left, _, right = line.partition("—")
    words = tuple(word.lower() for word in left.split())
    return (
        tuple(word for word in words if word in SUPERTYPES),
        tuple(word for word in words if word in TYPES),
        tuple(right.split()),
    )


@lru_cache(maxsize=4096)
def cost_of(text: str) -> ManaCost:
    """A mana cost, parsed once."""
    return parse_cost(text)


def _face_value(face: Face, x: int) -> int:
    return 0 if face.mana_cost is None else cost_of(face.mana_cost).mana_value(x)


def _face_colors(face: Face) -> tuple[str, ...]:
    if face.colors is not None:
        return face.colors
    return () if face.mana_cost is None else cost_of(face.mana_cost).colors


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if text.lstrip("-").isdigit() else 0


def printed(face: Face, x: int = 0) -> Characteristics:
    """The characteristics that a face has as printed; X is 0 except on the stack (107.3g)."""
    supertypes, types, subtypes = type_line(face.type_line)
    return Characteristics(
        face.name,
        face.mana_cost,
        _face_value(face, x),
        _face_colors(face),
        supertypes,
        types,
        subtypes,
        _number(face.power),
        _number(face.toughness),
        face.keywords,
        _number(face.loyalty),
    )


def joined(name: str, halves: Iterable[Characteristics]) -> Characteristics:
    """Several halves as one set of characteristics (709.4a–c): each name, symbols, colours, types of all."""
    parts = tuple(halves)
    costs = [half.mana_cost for half in parts if half.mana_cost is not None]

    def union(field: str) -> tuple[str, ...]:
        seen: dict[str, None] = {}
        for half in parts:
            seen.update(dict.fromkeys(getattr(half, field)))
        return tuple(seen)

    return Characteristics(
        name,
        "".join(costs) if costs else None,
        sum(half.mana_value for half in parts),
        tuple(color for color in COLORS if any(color in half.colors for half in parts)),
        union("supertypes"),
        union("types"),
        union("subtypes"),
        None,
        None,
        union("keywords"),
        names=tuple(half.name for half in parts),
    )


def combined(definition: Definition) -> Characteristics:
    """A split card off the stack: both halves as one (709.4)."""
    return joined(definition.name, map(printed, definition.faces))


def copiable_values(ctx: Context, definition: Definition, face: int, obj: Obj) -> Characteristics:
    """What an object is before any effect applies to it (707.2).

    ``definition`` and ``face`` are where its text stands: on its own card, or on what it copies.
    """
    if definition.layout in COMBINED and obj.zone not in ("stack", "battlefield"):
        return combined(definition)
    choices = obj.choices
    x = choices.x if choices is not None and obj.zone == "stack" and choices.x > 0 else 0
    return printed(face_at(definition, face), x)
