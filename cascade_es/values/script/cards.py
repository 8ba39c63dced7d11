"""Cards: faces as printed, and how they belong together."""

from __future__ import annotations

from typing import Literal

from cascade_es.errors import InputError
from cascade_es.values.script.abilities import Ability
from cascade_es.values.script.basics import Condition, Entry, Filter
from cascade_es.values.script.costs import AdditionalCost
from cascade_es.values.script.texts import Text


class Restriction(Entry, frozen=True, kw_only=True):
    """ "Cast this spell only …" (601.3): the condition under which casting is permitted."""

    only: Condition


class Face(Entry, frozen=True, kw_only=True):
    """One face, half or part of a card, as printed: its facts and its script.

    ``granted`` are abilities that it does not have itself: its effects give them to others or create
    them for later, and call them by name.  ``tokens`` are the tokens that it describes, by their names.
    """

    name: str
    mana_cost: str | None = None
    type_line: str
    colors: tuple[str, ...] | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    keywords: tuple[str, ...] = ()
    enchant: Filter | None = None
    additional_costs: tuple[AdditionalCost, ...] = ()
    restriction: Restriction | None = None
    spell: Text | None = None
    abilities: tuple[Ability, ...] = ()
    granted: tuple[Ability, ...] = ()
    tokens: tuple[Face, ...] = ()


Layout = Literal[
    "normal",
    "split",
    "aftermath",
    "adventure",
    "omen",
    "prototype",
    "transform",
    "modal_dfc",
    "flip",
    "meld",
    "room",
]


class Definition(Entry, frozen=True, kw_only=True):
    """A card: its layout and its faces (halves, parts) in printed order."""

    name: str
    layout: Layout = "normal"
    faces: tuple[Face, ...]

    def __post_init__(self) -> None:
        if not self.faces:
            raise ValueError("a card has at least one face")


def face_at(definition: Definition, index: int) -> Face:
    """A face by index, beyond them a token that they describe.

    Raises:
        InputError: when there is none; a log from elsewhere may name one that the card does not have.
    """
    faces = definition.faces
    if 0 <= index < len(faces):
        return faces[index]
    tokens = [token for face in faces for token in face.tokens]
    if not len(faces) <= index < len(faces) + len(tokens):
        raise InputError(f"'{definition.name}' has no part {index}; verify the log")
    return tokens[index - len(faces)]
