"""Operations that begin replacement and prevention effects, or belong to them (614, 615, 701.19)."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.rules.changes import happen
from cascade_es.rules.combat import members
from cascade_es.rules.filters import as_source, matches, objects
from cascade_es.rules.keywords import REGENERATION
from cascade_es.rules.operations.effects import granted
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldChangeLife, WouldMove, WouldPutCounters
from cascade_es.rules.zones import batch, move_all
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.facts import NOTHING
from cascade_es.values.state import AbilityRef, AskingData, Effect


@runs(sc.Shield)
def _shield(w: Work, r: Running, op: sc.Shield, given: Answer | None) -> Bound:
    handles = tuple(handle for text in op.those for handle in r.objects(text))
    terms = tuple(f"player {seat}" for text in op.those for seat in r.players(text))
    if op.those and not handles and not terms:
        return ()  # it would protect nothing
    sources: tuple[int, ...] = ()
    if op.choose is not None:
        found = tuple(_sources(w, r, op.choose))
        if not found:
            return ()
        # 609.7a: the source is chosen as the effect is created.
        sources = w.ask(AskingData(r.you, "choose", "a source of damage", found), "prevent")
    elif op.source:
        sources = r.sources(op.source)
        if not sources:
            return ()
    terms += tuple(f"source {handle}" for handle in sources)
    if op.to:
        terms += tuple(f"to {handle}" for handle in r.objects(op.to))
        terms += tuple(f"to player {seat}" for seat in r.players(op.to))
    about = (r.number(op.amount),) if op.amount else ()
    if about == (0,):
        return ()
    _begin(w, r, granted(r, op.ability), handles, terms, about, op.until)
    return ()


def _sources(w: Work, r: Running, f: sc.Filter) -> Iterator[int]:
    """What can be chosen as a source of damage (609.7a): permanents, spells, and what abilities refer to."""
    game = w.state.game
    seen: dict[int, None] = dict.fromkeys((*game.battlefield, *game.stack))
    for handle in game.stack:
        obj = game.objects[handle]
        if obj.kind == "ability":
            del seen[handle]
            if obj.source in game.objects:
                seen[obj.source] = None
    for handle in seen:
        if handle != r.obj.id and matches(w.board, as_source(f), handle, r.you, r.this):
            yield handle


def _begin(
    w: Work,
    r: Running,
    ref: AbilityRef,
    handles: tuple[int, ...],
    terms: tuple[str, ...],
    about: tuple[int, ...],
    until: str,
) -> None:
    effect = Effect(w.new_id(), "shield", r.this, r.you, 0, until, handles, terms, ref, None, about)
    with batch(w):
        w.emit(ev.EffectBegun, "effect", effect)


@runs(sc.Regenerate)
def _regenerate(w: Work, r: Running, op: sc.Regenerate, given: Answer | None) -> Bound:
    chosen = r.objects(op.what) if op.all is None else tuple(objects(r.board, op.all, r.you, r.this))
    for handle in chosen:
        if w.state.object(handle).zone == "battlefield":
            ref = AbilityRef(NOTHING, 0, 0, REGENERATION)
            _begin(w, r, ref, (handle,), (), (), "end of turn")
    return ()


@runs(sc.Mend)
def _mend(w: Work, r: Running, op: sc.Mend, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            obj = w.state.object(handle)
            if obj.damage or obj.deathtouched:
                w.emit(ev.DamageRemoved, "regenerate", (handle,))
            if not obj.tapped:
                w.emit(ev.Tapped, "regenerate", (handle,))
            members.remove(w, (handle,))
    return ()


@runs(sc.Mill)
def _mill(w: Work, r: Running, op: sc.Mill, given: Answer | None) -> Bound:
    amount = max(r.number(op.amount), 0)
    tops = [handle for seat in r.players(op.who) for handle in w.state.player(seat).library[:amount]]
    with batch(w):
        new = move_all(
            w,
            [WouldMove(handle=h, zone="graveyard", rule="mill", why="milled", cause=r.this) for h in tops],
        )
    return ((op.bind, tuple(handle for handle in new if handle)),)


@runs(sc.SetLife)
def _set_life(w: Work, r: Running, op: sc.SetLife, given: Answer | None) -> Bound:
    amount = r.number(op.amount)
    with batch(w):
        happen(
            w,
            [
                WouldChangeLife(
                    seat=seat, amount=amount - w.state.player(seat).life, rule="life", cause=r.this
                )
                for seat in r.players(op.who)
                if amount != w.state.player(seat).life
            ],
        )
    return ()


@runs(sc.GivePlayerCounters)
def _player_counters(w: Work, r: Running, op: sc.GivePlayerCounters, given: Answer | None) -> Bound:
    amount = r.number(op.amount)
    with batch(w):
        happen(
            w,
            [
                WouldPutCounters(
                    handle=0,
                    seat=seat,
                    counter=op.kind,
                    amount=amount,
                    rule="resolve.follow",
                    cause=r.this,
                )
                for seat in r.players(op.who)
            ],
        )
    return ()
