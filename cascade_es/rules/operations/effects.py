"""Operations that begin continuous effects (611.2)."""

from __future__ import annotations

from cascade_es.errors import InputError
from cascade_es.rules import effects, layers
from cascade_es.rules.filters import objects
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.state import AbilityRef, Alteration


def alteration(r: Running, changes: sc.Changes) -> Alteration:
    """What changes, with all numbers as they are now (611.2d)."""
    seats = r.players(changes.control) if changes.control else ()
    control = seats[0] if seats else None
    return layers.alteration(r.board, changes, r.this, r.number, lambda name: granted(r, name), control)


def granted(r: Running, name: str) -> AbilityRef:
    """The ability of this name among those that the face of the running text grants or creates."""
    if r.home is None:
        raise InputError("the card of an effect is sealed to this copy; ask for a full copy of the log")
    return r.board.granted_by(*r.home, name)


@runs(sc.Alter)
def _alter(w: Work, r: Running, op: sc.Alter, given: Answer | None) -> Bound:
    if op.all is not None:
        chosen = tuple(objects(r.board, op.all, r.you, r.this))
    else:
        chosen = r.objects(op.what)
    if chosen:
        with batch(w):
            change = alteration(r, op.changes)
            effects.begin(w, r.this, r.you, op.until, objects=chosen, alteration=change)
    return ()


@runs(sc.Effect)
def _effect(w: Work, r: Running, op: sc.Effect, given: Answer | None) -> Bound:
    about = r.objects(op.about) if op.about else ()
    with batch(w):
        effects.begin(w, r.this, r.you, op.until, ability=granted(r, op.ability), about=about)
    return ()


@runs(sc.Let)
def _let(w: Work, r: Running, op: sc.Let, given: Answer | None) -> Bound:
    return ((op.bind, (r.number(op.be),)),)
