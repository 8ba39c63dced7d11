"""Copies: what is copied of an object, and copies of spells and abilities on the stack (707).

Whoever makes a copy takes :func:`copiable` of the original; copiers are never asked what they show, so a
copy of a copy, and of what has left, need nothing of their own.
"""

from __future__ import annotations

from msgspec.structs import replace

from cascade_es.rules.board import Board
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING
from cascade_es.values.state import Alteration, Base, Choices, Effect, Obj, Target

FACE_DOWN = Alteration(set_types=("creature",), set_subtypes=(), base_power=2, base_toughness=2)
"""What a copy of a face-down creature is: a 2/2 creature without a name (707.2, 708.2a)."""


def copiable(board: Board, handle: int) -> Base:
    """The copiable values of an object, as it is or as it last was (707.2, 608.2h).

    They are what is printed, less what a copy effect, being face down or its exceptions changed: counters,
    being tapped, and all other effects are no part of them.

    Raises:
        KeyError: when there has been no such object.
    """
    obj = board.find(handle)
    if obj is None:
        raise KeyError(handle)
    if obj.face_down:
        return Base(NOTHING, 0, (FACE_DOWN,))
    base = board.copying(obj)
    return base if base is not None else Base(obj.card, obj.face)


def excepted(base: Base, change: Alteration | None) -> Base:
    """Copiable values with exceptions, which are copiable as well (707.9b)."""
    return base if change is None else Base(base.card, base.face, (*base.changes, change))


def as_copied(original: Obj, seat: int, colors: tuple[str, ...] | None = None) -> Obj:
    """The copy of a spell or ability as it would be, before it is put on the stack (707.10c).

    Its id is that of the original, negative.  ``colors`` are those that an exception gives it.
    """
    base = original.base
    if colors is not None:
        base = excepted(base or Base(original.card, original.face), Alteration(set_colors=colors))
    return replace(original, id=-original.id, owner=seat, controller=seat, held=-1, base=base)


def put_on_stack(
    w: Work, original: Obj, seat: int, targets: tuple[Target, ...], change: Alteration | None = None
) -> int:
    """Put a copy of a spell or ability on the stack; its id.  Call it within a batch.

    All decisions are copied, and the objects with which costs were paid; mana is no object, and the copy
    was not cast (707.10).
    """
    choices = replace(original.choices or Choices(), targets=targets, spent=(), cast=False)
    base = None
    if original.kind != "ability" and (original.base is not None or original.face_down or change is not None):
        base = excepted(copiable(w.board, original.id), change)
    card = NOTHING if original.face_down else original.card
    new = w.new_id()
    w.emit(ev.Copied, "copy", original.id, new, seat, card, base, choices)
    return new


def become(w: Work, handles: tuple[int, ...], base: Base, source: int, controller: int, until: str) -> None:
    """Permanents become copies from now on (707.2), for a while or for good.  Call it within a batch."""
    lasting = {handle for effect in w.state.game.effects if effect.base for handle in effect.objects}
    plain = () if until else tuple(handle for handle in handles if handle not in lasting)
    for handle in plain:
        w.emit(ev.BecameCopy, "copy.become", handle, base)
    rest = tuple(handle for handle in handles if handle not in plain)
    if rest:
        # The latest of several copy effects counts, so one for good waits above one that ends earlier.
        effect = Effect(w.new_id(), "copy", source, controller, 0, until, rest, base=base)
        w.emit(ev.EffectBegun, "copy.become", effect)


def settled(w: Work, obj: Obj, new: int) -> None:
    """A copy of a permanent spell becomes a token as it resolves; it is not created (707.10f, 608.3f).

    Call it in the batch in which the spell has become the permanent ``new``.
    """
    if obj.kind == "copy" and w.ctx.edition.has("permanent-copies-become-tokens"):
        w.emit(ev.BecameToken, "copy.token", new)
