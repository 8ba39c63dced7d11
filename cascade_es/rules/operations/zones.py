"""Operations that move cards between zones, and libraries."""

from __future__ import annotations

from cascade_es.rules.attaching import host_for
from cascade_es.rules.combat import members
from cascade_es.rules.filters import matches, objects
from cascade_es.rules.hidden import leave_together, pick_out, reveal
from cascade_es.rules.running import Bound, Running, asks, choosing, runs
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldMove
from cascade_es.rules.zones import batch, move_all, move_together, shuffle
from cascade_es.values import events as ev
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


def _holder(w: Work, r: Running, op: sc.Put, handle: int) -> int:
    """Under whose control something enters the battlefield."""
    if op.under == "owner":
        return w.state.object(handle).owner
    return (*(r.players(op.under) if op.to == "battlefield" else ()), r.you)[0]


@runs(sc.Put)
def _put(w: Work, r: Running, op: sc.Put, given: Answer | None) -> Bound:
    found = r.objects(op.what)
    hosts: dict[int, int] = {}
    if op.to == "battlefield":
        for handle in (handle for handle in found if _enters(r, op, handle)):
            # 708.2a: what enters face down is a creature, and no Aura whatever card it is.
            host = 0 if op.face_down else host_for(w, handle, _holder(w, r, op, handle))
            if host is not None:  # 303.4g: an Aura with nothing to enchant stays where it is
                hosts[handle] = host
        found = tuple(hosts)
    # What an attacker attacks is chosen before anything moves.
    joining = [
        members.choose_what(w, r.you, r.board.open_name(handle)) if op.attacking else None for handle in found
    ]
    ready = [(new, hosts.get(old, 0)) for old, new in zip(found, leave_together(w, found), strict=True)]
    with batch(w):
        new = move_all(
            w,
            [
                WouldMove(
                    handle=handle,
                    zone=op.to,
                    rule="resolve.follow",
                    why="put",
                    controller=_holder(w, r, op, handle),
                    tapped=op.tapped,
                    position=-1 if op.bottom or op.to != "library" else 0,
                    attached=host,
                    cause=r.this,
                    face_down=op.face_down,
                    face=1 if op.transformed else -1,
                    counters=((op.counter, 1),) if op.counter and op.to == "battlefield" else (),
                )
                for handle, host in ready
            ],
        )
        for handle, what in zip(new, joining, strict=True):
            if handle and what is not None:
                members.join(w, handle, what)
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
    chosen = r.objects(op.what) if op.all is None else tuple(objects(r.board, op.all, r.you, r.this))
    new = move_together(w, chosen, "exile", "exile", "exiled", by=r.this)
    if op.link and new:
        w.emit(ev.Linked, "exile", r.this, new, "exiled")
    return ((op.bind, new),) if op.bind else ()
