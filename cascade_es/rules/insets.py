"""What becomes of a spell that was one part of its card as it resolves: Adventures, Omens, Rooms."""

from __future__ import annotations

from cascade_es.rules.board import Board
from cascade_es.rules.permission import ADVENTURE
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, move, shuffle
from cascade_es.values import events as ev
from cascade_es.values.facts import CardRef
from cascade_es.values.state import Effect, Obj


def layout(board: Board, obj: Obj) -> tuple[str, int]:
    """The layout of the card that an object's text is on, and which part of it the object is."""
    home = board.home(obj)
    if home is None or not isinstance(home[0].value, CardRef):
        return "normal", 0
    return board.ctx.cards.definition(home[0].value).layout, home[1]


def leave(w: Work, obj: Obj) -> bool:
    """As the last part of its resolution, an Adventure goes on, and an Omen goes back; whether it was one.

    715.3d, 720.3d: instead of being put into a graveyard.  Countered or without a legal target it does not
    resolve, and goes where every other spell goes.
    """
    kind, part = layout(w.board, obj)
    if obj.kind == "ability" or part != 1 or kind not in ("adventure", "omen"):
        return False
    if kind == "adventure":
        with batch(w):
            new = move(w, obj.id, "exile", "adventure", "resolved")
        if obj.kind == "card":
            # For as long as it stays in exile, the spell's controller may cast it, but not as an Adventure.
            effect = Effect(w.new_id(), ADVENTURE, new, obj.controller, 0, "", (new,))
            w.emit(ev.EffectBegun, "adventure", effect)
        return True
    with batch(w):
        move(w, obj.id, "library", "omen", "resolved", position=-1)
    if not w.board.choices(obj.id).exiled:
        shuffle(w, obj.owner)
    return True


def enter(w: Work, obj: Obj, new: int) -> None:
    """709.5d: a Room enters with the half unlocked that was cast."""
    kind, part = layout(w.board, obj)
    if kind == "room" and new:
        w.emit(ev.DoorUnlocked, "room", new, part)
