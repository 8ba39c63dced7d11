"""Operations that move cards between zones, and libraries."""

from __future__ import annotations

from cascade_es.rules.filters import matches
from cascade_es.rules.operations.base import Bound, Running, asks, choosing, runs
from cascade_es.rules.work import Work
from cascade_es.rules.zones import (
    batch,
    leave,
    move,
    move_together,
    pick_out,
    reveal,
    shuffle,
)
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose
from cascade_es.values.prompts import Prompt


@asks(sc.Search)
def _ask_search(r: Running, op: sc.Search) -> Prompt | None:
    library = r.board.state.player(r.you).library
    found = tuple(h for h in library if matches(r.board, op.what, h, r.you, r.this))
    count = min(r.number(op.count), len(found))
    # 701.23b, d: cards with some quality need not be found; simply that many cards must be.
    least = count if op.what == sc.Search().what else 0
    return choosing(r.board, r.you, found, least, count, "search your library", "search")


@runs(sc.Search)
def _search(w: Work, r: Running, op: sc.Search, given: Answer | None) -> Bound:
    picks = pick_out(w, r.you, given.picks) if isinstance(given, Choose) else ()
    if op.reveal:
        reveal(w, picks, "reveal")
    return ((op.bind, picks),)


@runs(sc.Shuffle)
def _shuffle(w: Work, r: Running, op: sc.Shuffle, given: Answer | None) -> Bound:
    for seat in r.players(op.who):
        shuffle(w, seat)
    return ()


@runs(sc.Put)
def _put(w: Work, r: Running, op: sc.Put, given: Answer | None) -> Bound:
    ready = [
        leave(w, handle) for handle in r.objects(op.what) if op.to != "battlefield" or _enters(r, op, handle)
    ]
    with batch(w):
        new = tuple(
            move(
                w,
                handle,
                op.to,
                "resolve.follow",
                "put",
                controller=r.you,
                tapped=op.tapped,
                position=-1 if op.bottom or op.to != "library" else 0,
                face_down=op.face_down,
                face=int(op.transformed),
            )
            for handle in ready
        )
    return ((op.what, new),) if not op.what.startswith(("target", "this")) else ()


def _enters(r: Running, op: sc.Put, handle: int) -> bool:
    """Whether a card can be put onto the battlefield that way; else it stays where it is.

    400.4a: an instant or sorcery card cannot; 712.14a: what has no back to enter with does not enter
    transformed.
    """
    obj = r.board.state.object(handle)
    definition = r.board.definition(obj)
    if definition is None or op.face_down:
        return True
    if op.transformed:
        return definition.layout == "transform"
    return not {"instant", "sorcery"} & set(r.board.characteristics(handle).types)


@runs(sc.Exile)
def _exile(w: Work, r: Running, op: sc.Exile, given: Answer | None) -> Bound:
    move_together(w, r.objects(op.what), "exile", "exile", "exiled")
    return ()
