"""Which part of a card may be cast from where (709.3, 712.11, 715.3, 718.3, 720.3, 702.102, 702.127).

The part is chosen before the card goes to the stack, and only that part is judged (601.3e).
"""

from __future__ import annotations

from typing import Final

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.printed import FUSED, fuses
from cascade_es.values.prompts import Refusal
from cascade_es.values.script import Definition
from cascade_es.values.state import Obj

CHOICE: Final = ("split", "aftermath", "adventure", "omen", "modal_dfc", "room", "prototype")
"""Layouts with a choice of what is cast; every other card is cast as its front or normal part."""


def parts(board: Board, obj: Obj) -> tuple[int, ...]:
    """The parts as which a card may be cast at all: both halves, either face, the Adventure (601.3e)."""
    definition = board.definition(obj)
    if definition is None:
        return ()
    if definition.layout not in CHOICE:
        return (0,)
    found = tuple(range(len(definition.faces)))
    return (*found, FUSED) if fuses(definition) and obj.zone == "hand" else found


def part_allowed(board: Board, seat: int, obj: Obj, part: int) -> Refusal | None:
    """Whether a part may be cast from where the card is; the back of a nonmodal card never may (712.8a).

    Raises:
        DecisionError: when the card has no such part.
    """
    definition = board.definition(obj)
    if definition is None or not (0 <= part < len(definition.faces) or (part == FUSED and fuses(definition))):
        raise DecisionError(f"{board.name(obj.id)} has no part {part} to cast")
    name = part_name(definition, part)
    if part == FUSED and not (obj.zone == "hand" and obj.owner == seat):
        # 702.102a: "as you cast a split card with fuse from your hand", whoever allows the cast.
        return Refusal("fuse", f"{name} can be fused only from its caster's own hand")
    if part != FUSED and part not in parts(board, obj):
        return Refusal("cast.permission", f"{name} cannot be cast as such")
    if definition.layout == "aftermath" and part == 1 and obj.zone != "graveyard":
        return Refusal("aftermath", f"{name} can be cast only from a graveyard")
    return None


def part_name(definition: Definition, part: int) -> str:
    """What a part is called: the whole card where it is fused."""
    return definition.name if part == FUSED else definition.faces[part].name
