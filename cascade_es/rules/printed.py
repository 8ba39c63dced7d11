"""What is printed on a card, and what of it an object has: its copiable values by zone and edition.

A card may have several parts.  Which of them an object is depends on where it is: a half on the stack,
both halves in a graveyard, the face that is up on the battlefield (709–720).  Continuous effects start
from here (613.2); nothing here looks at another object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cascade_es.values import script
from cascade_es.values.facts import CardRef
from cascade_es.values.mana import COLORS, ManaCost, parse_cost, price
from cascade_es.values.mana import TYPES as MANA_TYPES
from cascade_es.values.script import Definition, Face, Filter, Text
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
PERMANENT_TYPES: Final = ("artifact", "battle", "creature", "enchantment", "land", "planeswalker")
COMBINED: Final = ("split", "aftermath", "room")
"""Layouts whose halves are one set of characteristics off the stack (709.4)."""

PLAIN: Final = ("normal", "adventure", "omen", "prototype", "modal_dfc", "flip")
"""Layouts of which nothing but the face and X says what an object is on the stack or the battlefield."""

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


def mana_types(text: str) -> tuple[str, ...]:
    """The types of the mana in a text such as "{G}{G}"; a number is colourless mana.

    >>> mana_types("{2}{G}")
    ('G', 'C', 'C')
    """
    made = price(cost_of(text))
    typed = tuple(name for name, count in zip(MANA_TYPES, made.typed, strict=True) for _ in range(count))
    return (*typed, *("C",) * made.generic)


def face_at(definition: Definition, index: int) -> Face:
    """A face by index, both halves of a fused spell as one, or a token that the faces describe.

    Raises:
        InputError: when there is none; a log from elsewhere may name one that the card does not have.
    """
    if index == FUSED and fuses(definition):
        return fused(definition)
    return script.face_at(definition, index)


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


def combined(definition: Definition, old: bool = False) -> Characteristics:
    """A split card off the stack: both halves as one (709.4).

    ``old``: as before 2017-04-28, when it had two sets of characteristics.  Whatever asks for one gets both
    answers, and a comparison holds if either half makes it hold (708.5–6 then); that is the union of both
    for everything but the mana value, of which each half keeps its own.
    """
    both = joined(definition.name, map(printed, definition.faces))
    if not old:
        return both
    return msgspec.structs.replace(both, mana_values=tuple(_face_value(face, 0) for face in definition.faces))


FACE_DOWN: Final = Characteristics(types=("creature",), power=2, toughness=2)
"""708.2a: a face-down object with no other characteristics listed is a 2/2 creature without a name."""


def part_values(definition: Definition, part: int, x: int = 0) -> Characteristics:
    """What a card is as a spell or permanent that is one of its parts."""
    if part == FUSED:
        # 702.102c: a fused split spell has the combined characteristics of its halves.
        return joined(definition.name, (printed(face, x) for face in definition.faces))
    face = face_at(definition, part)
    own = printed(face, x)
    if not 0 < part < len(definition.faces):
        return own
    front = printed(definition.faces[0], x)
    if definition.layout == "prototype":
        # 718.3b: only mana cost (and so mana value and colour), power and toughness are the prototype's.
        return msgspec.structs.replace(
            front,
            mana_cost=own.mana_cost,
            mana_value=own.mana_value,
            colors=own.colors,
            power=own.power,
            toughness=own.toughness,
        )
    if definition.layout == "flip":
        # 710.1c: colour and mana cost stay those of the normal half.
        return msgspec.structs.replace(
            own, mana_cost=front.mana_cost, mana_value=front.mana_value, colors=front.colors
        )
    return own


def copiable_values(ctx: Context, definition: Definition, face: int, obj: Obj) -> Characteristics:
    """What an object is before any effect applies to it (707.2).

    ``definition`` and ``face`` are where its text stands: on its own card, or on what it copies.
    """
    if obj.face_down:
        return FACE_DOWN if obj.zone in ("stack", "battlefield") else Characteristics()
    if obj.zone not in ("stack", "battlefield"):
        if definition.layout in COMBINED:
            return combined(definition, not ctx.edition.has("split-combined"))
        return printed(definition.faces[0])
    if definition.layout == "room" and obj.zone == "battlefield":
        # 709.5b: only the unlocked halves give it characteristics; the type line is that of both.
        halves = joined("", (printed(definition.faces[door]) for door in obj.doors))
        if len(obj.doors) == 1:
            halves = msgspec.structs.replace(halves, name=halves.names[0])
        elif obj.doors:
            halves = msgspec.structs.replace(halves, name=definition.name)
        supertypes, types, subtypes = type_line(definition.faces[0].type_line)
        return msgspec.structs.replace(halves, supertypes=supertypes, types=types, subtypes=subtypes)
    choices = obj.choices
    x = choices.x if choices is not None and obj.zone == "stack" and choices.x > 0 else 0
    values = part_values(definition, face, x)
    if definition.layout == "meld" and face == 1:
        # 202.3c: the sum of what the cards' fronts have; a copy of a melded permanent has 0.
        cards = (obj.card, *obj.others) if obj.base is None else ()
        fronts = (ctx.cards.definition(c.value).faces[0] for c in cards if isinstance(c.value, CardRef))
        return msgspec.structs.replace(values, mana_value=sum(_face_value(front, 0) for front in fronts))
    if definition.layout == "transform" and face == 1:
        # 202.3b: the back of a nonmodal card has the mana value of the front; a copy of a back has 0.
        copied = obj.base is not None or not ctx.edition.has("back-face-value")
        value = 0 if copied else _face_value(definition.faces[0], x)
        values = msgspec.structs.replace(values, mana_value=value)
    return values


def plain_values(ctx: Context, ref: CardRef, face: int, obj: Obj) -> Characteristics:
    """The same as :func:`copiable_values`, worked out once where nothing but the face and X decides it."""
    definition = ctx.cards.definition(ref)
    held = obj.zone in ("stack", "battlefield")
    if obj.face_down or definition.layout not in PLAIN or not held:
        return copiable_values(ctx, definition, face, obj)
    x = obj.choices.x if obj.choices is not None and obj.zone == "stack" else 0
    key = ("values", ref.digest, face, x)
    found: Characteristics | None = ctx.cards.memo.get(key)
    if found is None:
        found = ctx.cards.memo[key] = copiable_values(ctx, definition, face, obj)
    return found


def text_faces(definition: Definition, face: int, obj: Obj) -> tuple[int, ...]:
    """The faces of which an object has the text: their rules text and abilities."""
    if obj.face_down:
        return ()
    if obj.zone not in ("stack", "battlefield"):
        return tuple(range(len(definition.faces))) if definition.layout in COMBINED else (0,)
    if definition.layout == "room" and obj.zone == "battlefield":
        return obj.doors
    if face == FUSED:
        return tuple(range(len(definition.faces)))
    return (0,) if definition.layout == "prototype" else (face,)


# ------------------------------------------------------------------------------------------ fuse


def fuses(definition: Definition) -> bool:
    """Whether both halves of a split card may be cast together (702.102a)."""
    return definition.layout == "split" and any("fuse" in face.keywords for face in definition.faces)


@lru_cache(maxsize=256)
def fused(definition: Definition) -> Face:
    """Both halves of a split card as one text: first the left, then the right (702.102d)."""
    left, right = definition.faces
    first, second = left.spell or Text(), right.spell or Text()
    return Face(
        name=definition.name,
        mana_cost=(left.mana_cost or "") + (right.mana_cost or ""),
        type_line=left.type_line,
        keywords=tuple(dict.fromkeys((*left.keywords, *right.keywords))),
        additional_costs=left.additional_costs + right.additional_costs,
        spell=Text(
            targets=first.targets + second.targets,
            do=first.do + _shifted(second.do, len(first.targets)),
            divide=first.divide or second.divide,
        ),
    )


_TARGET: Final = re.compile(r"\btarget(?: (\d+))?$")


def _shifted(value: Any, by: int) -> Any:
    """Instructions whose instances of "target" count on behind those of the other half."""
    if isinstance(value, tuple):
        return tuple(_shifted(item, by) for item in value)
    if isinstance(value, str):
        return _TARGET.sub(lambda found: f"target {int(found[1] or 1) + by}", value) if by else value
    if not isinstance(value, msgspec.Struct) or isinstance(value, Filter):
        return value
    return msgspec.structs.replace(
        value, **{name: _shifted(getattr(value, name), by) for name in value.__struct_fields__}
    )
