"""Operations on permanents and on the stack."""

from __future__ import annotations

from cascade_es.rules.attaching import can_attach
from cascade_es.rules.changes import counter_all, deal_all, destroy_all, happen
from cascade_es.rules.filters import objects
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldDeal, WouldDestroy, WouldMove, WouldPutCounters
from cascade_es.rules.zones import batch, move_all
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.state import Target


@runs(sc.Damage)
def _damage(w: Work, r: Running, op: sc.Damage, given: Answer | None) -> Bound:
    division = r.board.choices(r.obj.id).division
    targets = r.board.choices(r.obj.id).targets
    sources = r.sources(op.source)
    if not sources:
        return ()
    hits = [
        WouldDeal(
            cause=sources[0],
            handle=0,
            seat=seat,
            amount=_share(r, op, targets, division, seat=seat),
            preventable=op.prevent,
        )
        for seat in r.players(op.to)
    ]
    hits += [
        WouldDeal(
            cause=sources[0],
            handle=handle,
            seat=-1,
            amount=_share(r, op, targets, division, handle=handle),
            preventable=op.prevent,
        )
        for handle in r.objects(op.to, again=True)
        if w.state.object(handle).zone == "battlefield"
    ]
    if op.all is not None:
        everything = tuple(objects(r.board, op.all, r.you, r.this))
        amount = r.number(op.amount)
        hits = [
            WouldDeal(cause=sources[0], handle=handle, seat=-1, amount=amount, preventable=op.prevent)
            for handle in everything
        ]
    with batch(w):
        deal_all(w, hits)
    return ()


def _share(
    r: Running,
    op: sc.Damage,
    targets: tuple[Target, ...],
    division: tuple[int, ...],
    *,
    handle: int = 0,
    seat: int = -1,
) -> int:
    """How much one recipient gets: its share of a division (601.2d), or the amount."""
    if op.amount == "share" and division:
        for target, amount in zip(targets, division, strict=True):
            if target.object == handle and target.seat == seat:
                return amount
    return r.number(op.amount)


@runs(sc.Destroy)
def _destroy(w: Work, r: Running, op: sc.Destroy, given: Answer | None) -> Bound:
    if op.all is not None:
        chosen = tuple(objects(r.board, op.all, r.you, r.this))
    else:
        chosen = r.objects(op.what)
    mortal = [h for h in chosen if "indestructible" not in r.board.characteristics(h).keywords]
    with batch(w):
        destroy_all(
            w,
            [
                WouldDestroy(handle=handle, rule="destroy", regenerable=op.regenerate, cause=r.this)
                for handle in mortal
                if w.state.object(handle).zone == "battlefield"
            ],
        )
    return ()


@runs(sc.Counter)
def _counter(w: Work, r: Running, op: sc.Counter, given: Answer | None) -> Bound:
    with batch(w):
        # 101.2, 701.6a: what can't be countered stays where it is.
        there = [
            handle
            for handle in r.objects(op.what)
            if w.state.object(handle).zone == "stack"
            and "be countered" not in r.board.characteristics(handle).cant
        ]
        counter_all(w, there, r.this, op.to)
    return ()


@runs(sc.Attach)
def _attach(w: Work, r: Running, op: sc.Attach, given: Answer | None) -> Bound:
    hosts = r.objects(op.to)
    with batch(w):
        for handle in r.objects(op.what):
            # 701.3b: to what it cannot be attached to, or is attached to already, it does not move.
            if (
                hosts
                and w.state.object(handle).attached != hosts[0]
                and can_attach(r.board, handle, hosts[0])
            ):
                w.emit(ev.Attached, "attach", handle, hosts[0])
    return ()


def _these(r: Running, op: sc.Tap | sc.Untap) -> tuple[int, ...]:
    return r.objects(op.what) if op.all is None else tuple(objects(r.board, op.all, r.you, r.this))


@runs(sc.Tap)
def _tap(w: Work, r: Running, op: sc.Tap, given: Answer | None) -> Bound:
    chosen = tuple(h for h in _these(r, op) if not w.state.object(h).tapped)
    if chosen:
        with batch(w):
            w.emit(ev.Tapped, "tap", chosen)
    return ()


@runs(sc.Untap)
def _untap(w: Work, r: Running, op: sc.Untap, given: Answer | None) -> Bound:
    chosen = tuple(h for h in _these(r, op) if w.state.object(h).tapped)
    if chosen:
        with batch(w):
            w.emit(ev.Untapped, "tap", chosen)
    return ()


@runs(sc.PutCounters)
def _put_counters(w: Work, r: Running, op: sc.PutCounters, given: Answer | None) -> Bound:
    with batch(w):
        happen(
            w,
            [
                WouldPutCounters(
                    handle=handle,
                    seat=-1,
                    counter=op.kind,
                    amount=r.number(op.amount),
                    rule="resolve.follow",
                    cause=r.this,
                )
                for handle in r.objects(op.what, again=True)
            ],
        )
    return ()


@runs(sc.Sacrifice)
def _sacrifice(w: Work, r: Running, op: sc.Sacrifice, given: Answer | None) -> Bound:
    seats = r.players(op.who)
    # 701.21a: only a permanent's controller can sacrifice it.
    chosen = tuple(
        handle
        for handle in r.objects(op.what)
        if (obj := w.state.object(handle)).zone == "battlefield" and obj.controller in seats
    )
    with batch(w):
        move_all(
            w,
            [
                WouldMove(handle=handle, zone="graveyard", rule="sacrifice", why="sacrificed", cause=r.this)
                for handle in chosen
            ],
        )
    return ((op.bind, chosen),) if op.bind else ()
