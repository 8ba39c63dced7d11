"""Operations that create tokens and make permanents copies (111, 701.7, 707.2)."""

from __future__ import annotations

from cascade_es.errors import InputError
from cascade_es.rules import copies
from cascade_es.rules.board import Board
from cascade_es.rules.combat import members
from cascade_es.rules.filters import objects
from cascade_es.rules.operations.effects import alteration
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, create
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.facts import Fact
from cascade_es.values.state import Base


def _described(board: Board, card: Fact, face: int, name: str) -> Base:
    """The token of this name that a card describes; its index counts on beyond the faces.

    ``face`` is where the text stands that speaks of it: the nearest one of that name is meant.

    Raises:
        InputError: when there is none.
    """
    definition = board.ctx.cards.definition(card.value)
    index, found = len(definition.faces), -1
    for number, part in enumerate(definition.faces):
        for token in part.tokens:
            if token.name == name and (found < 0 or number == face):
                found = index
            index += 1
    if found < 0:
        raise InputError(f"'{definition.name}' describes no token '{name}'; mend its script")
    return Base(card, found)


def _bases(r: Running, op: sc.Create) -> tuple[Base, ...]:
    if op.copy:
        meant = r.objects(op.copy) if op.copy.startswith("target") else r.meant(op.copy)
        found = tuple(copies.copiable(r.board, handle) for handle in meant if r.board.find(handle))
    else:
        home = r.home
        found = () if home is None else (_described(r.board, *home, op.token),)
    if op.changes is None:
        return found
    change = alteration(r, op.changes)
    return tuple(copies.excepted(base, change) for base in found)


@runs(sc.Create)
def _create(w: Work, r: Running, op: sc.Create, given: Answer | None) -> Bound:
    bases = _bases(r, op)
    host = r.objects(op.to)[:1] if op.to else ()
    made: tuple[int, ...] = ()
    if op.to and not host:
        return ((op.bind, ()),)  # 303.4i: an Aura token with nothing to be attached to is not created
    joining = [
        (seat, members.choose_what(w, seat, "a token"))
        for seat in (r.players(op.who) if op.attacking else ())
        for _ in range(r.number(op.count) * len(bases))
    ]
    with batch(w):
        for seat in r.players(op.who):
            for base in bases:
                made += create(
                    w,
                    seat,
                    base,
                    r.number(op.count),
                    tapped=op.tapped,
                    attached=host[0] if host else 0,
                    by=r.this,
                )
        _attack(w, made, joining)
    return ((op.bind, made),)


def _attack(w: Work, made: tuple[int, ...], joining: list[tuple[int, tuple[int, int] | None]]) -> None:
    """Tokens that enter attacking attack what was chosen; more than were expected attack like the last."""
    for handle in made:
        own = [at for at, (seat, _) in enumerate(joining) if seat == w.state.object(handle).controller]
        what = joining[own[0]][1] if own else None
        if len(own) > 1:
            del joining[own[0]]
        if what is not None:
            members.join(w, handle, what)


@runs(sc.BecomeCopy)
def _become_copy(w: Work, r: Running, op: sc.BecomeCopy, given: Answer | None) -> Bound:
    meant = r.objects(op.of) if op.of.startswith("target") else r.meant(op.of)
    if not meant or r.board.find(meant[0]) is None:
        return ()
    base = copies.copiable(r.board, meant[0])
    if op.changes is not None:
        base = copies.excepted(base, alteration(r, op.changes))
    chosen = tuple(objects(r.board, op.all, r.you, r.this)) if op.all is not None else r.objects(op.what)
    there = tuple(handle for handle in chosen if w.state.object(handle).zone == "battlefield")
    with batch(w):
        copies.become(w, there, base, r.this, r.you, op.until)
    return ()
