"""What changes of objects and players: damage, life, counters, destruction (119, 120, 122, 701.8).

Everything that deals damage, changes life, puts counters or destroys goes through here, so that replacement
and prevention effects see it first.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cascade_es.rules import effects
from cascade_es.rules.replacement import follow, replace
from cascade_es.rules.work import Work
from cascade_es.rules.would import (
    Would,
    WouldBegin,
    WouldChangeLife,
    WouldCounter,
    WouldDeal,
    WouldDestroy,
    WouldFollow,
    WouldLose,
    WouldMove,
    WouldPutCounters,
)
from cascade_es.rules.zones import move_all
from cascade_es.values import events as ev
from cascade_es.values.script import Exile
from cascade_es.values.state import AskingData

# ---------------------------------------------------------------------------------- damage


def deal_all(w: Work, hits: Sequence[WouldDeal]) -> None:
    """Damage dealt at the same time (120.4): prevented and replaced, dealt, then its results happen."""
    ready = [_unpreventable(w, hit) for hit in hits if hit.amount > 0]  # 120.8: 0 damage is no damage
    if not ready:
        return
    final = replace(w, ready)
    dealt = [hit for hit in final if isinstance(hit, WouldDeal)]
    results = replace(w, [result for hit in dealt for result in _results(w, hit)])
    for hit in dealt:
        keywords = w.board.characteristics(hit.cause).keywords
        w.emit(
            ev.DamageDealt,
            hit.rule,
            hit.cause,
            hit.handle,
            hit.seat,
            hit.amount,
            "deathtouch" in keywords,
            _marked(w, hit),
        )
    carry_out(w, results)
    follow(w, final)


def _unpreventable(w: Work, hit: WouldDeal) -> WouldDeal:
    """Damage of a source that says that it can't be prevented (615.12)."""
    if "have its damage prevented" in w.board.characteristics(hit.cause).cant:
        return msgspec.structs.replace(hit, preventable=False)
    return hit


def _marked(w: Work, hit: WouldDeal) -> bool:
    """120.3d–e: damage stays marked on a creature unless its source has wither or infect."""
    if not hit.handle:
        return False
    keywords = w.board.characteristics(hit.cause).keywords
    types = w.board.characteristics(hit.handle).types
    return "creature" in types and "wither" not in keywords and "infect" not in keywords


def _results(w: Work, hit: WouldDeal) -> list[Would]:
    """What damage results in besides being marked (120.3)."""
    keywords = w.board.characteristics(hit.cause).keywords
    found: list[Would] = []
    if not hit.handle:
        if "infect" in keywords:  # 702.90b
            found.append(_counters(hit, 0, hit.seat, "poison", hit.amount))
        else:
            found.append(WouldChangeLife(cause=hit.cause, seat=hit.seat, amount=-hit.amount, rule="damage"))
        toxic = sum(int(word.split()[1]) for word in keywords if word.startswith("toxic "))
        if toxic and hit.combat:  # 702.164c
            found.append(_counters(hit, 0, hit.seat, "poison", toxic))
    else:
        types = w.board.characteristics(hit.handle).types
        if "creature" in types and ("wither" in keywords or "infect" in keywords):
            found.append(_counters(hit, hit.handle, -1, "-1/-1", hit.amount))
        for kind, counter in (("planeswalker", "loyalty"), ("battle", "defense")):
            if kind in types:  # 120.3c, 120.3h: counters are removed, which nothing can double
                had = dict(w.state.object(hit.handle).counters).get(counter, 0)
                found.append(_counters(hit, hit.handle, -1, counter, -min(had, hit.amount)))
    if "lifelink" in keywords:  # 702.15b
        source = w.board.find(hit.cause)
        if source is not None and not w.state.player(source.you).lost:
            found.append(WouldChangeLife(cause=hit.cause, seat=source.you, amount=hit.amount, rule="damage"))
    return found


def _counters(hit: WouldDeal, handle: int, seat: int, counter: str, amount: int) -> WouldPutCounters:
    return WouldPutCounters(
        cause=hit.cause, handle=handle, seat=seat, counter=counter, amount=amount, rule="damage"
    )


# ------------------------------------------------------------------------- life and counters


def change_life(w: Work, seat: int, amount: int, rule: str, by: int = 0) -> None:
    """A player gains or loses life (119.3)."""
    happen(w, (WouldChangeLife(seat=seat, amount=amount, rule=rule, cause=by),))


def happen(w: Work, proposals: Sequence[Would]) -> None:
    """Changes that happen at the same time, as far as nothing else happens instead."""
    final = replace(w, proposals)
    carry_out(w, final)
    follow(w, final)


def carry_out(w: Work, final: Sequence[Would]) -> None:
    """The facts: life and counters."""
    for p in final:
        if isinstance(p, WouldChangeLife):
            if p.amount or p.rule != "damage":
                total = w.state.player(p.seat).life + p.amount
                w.emit(ev.LifeChanged, p.rule, p.seat, p.amount, total)
        elif isinstance(p, WouldPutCounters) and p.amount:
            if p.handle:
                w.emit(ev.CountersChanged, p.rule, p.handle, p.counter, p.amount)
                if p.amount > 0:
                    effects.keyword_counters(w, p.handle, p.counter)
            else:
                w.emit(ev.PlayerCountersChanged, p.rule, p.seat, p.counter, p.amount)


# ------------------------------------------------------------------------------- destruction


def destroy_all(w: Work, destroyed: Sequence[WouldDestroy], others: Sequence[WouldMove] = ()) -> None:
    """Permanents are destroyed at the same time (701.8), and others move with them."""
    final = replace(w, destroyed)
    dying = [
        WouldMove(handle=p.handle, zone="graveyard", rule=p.rule, why=p.how, cause=p.cause)
        for p in final
        if isinstance(p, WouldDestroy)
    ]
    move_all(w, (*dying, *others))
    follow(w, final)


def counter_all(w: Work, handles: Sequence[int], by: int, to: str = "graveyard") -> None:
    """Spells and abilities are countered (701.6); their cards go to a graveyard, or elsewhere."""
    final = replace(w, [WouldCounter(handle=handle, cause=by) for handle in handles])
    gone = [p.handle for p in final if isinstance(p, WouldCounter)]
    for handle in gone:
        w.emit(ev.Countered, "counter", handle, by)
    move_all(
        w,
        [
            WouldMove(
                handle=handle,
                zone=to,
                rule="counter",
                why="countered",
                position=0 if to == "library" else -1,
                cause=by,
            )
            for handle in gone
        ],
    )
    follow(w, final)


# -------------------------------------------------------------------------------- losing


def lose_and_die(
    w: Work,
    losers: Sequence[tuple[int, str, str]],
    dying: Sequence[tuple[int, str, str]],
) -> tuple[int, ...]:
    """Players lose and permanents go to graveyards at the same time (704.3); who has lost in the end."""
    final = replace(w, [WouldLose(seat=seat, rule=rule, why=why) for seat, rule, why in losers])
    lost = tuple(p for p in final if isinstance(p, WouldLose))
    dying = [item for item in dying if not _elsewhere(w, item[0], final)]
    for p in lost:
        w.emit(ev.PlayerLost, p.rule, p.seat, p.why)
    destroy_all(
        w,
        [WouldDestroy(handle=h, rule=rule, how=how) for h, rule, how in dying if how == "destroyed"],
        [
            WouldMove(handle=h, zone="graveyard", rule=rule, why=how)
            for h, rule, how in dying
            if how != "destroyed"
        ],
    )
    follow(w, final)
    return tuple(p.seat for p in lost)


def _elsewhere(w: Work, handle: int, final: Sequence[Would]) -> bool:
    """400.6: what would go to two zones at once goes where its controller says; whether it is exiled."""
    for p in final:
        if not isinstance(p, WouldFollow) or p.source != handle:
            continue
        if any(isinstance(op, Exile) and op.what == "this" for op in p.block):
            seat = w.state.object(handle).controller
            question = f"where {w.board.name(handle)} goes"
            asked = AskingData(seat, "option", question, words=("graveyard", "exile"))
            return bool(w.ask(asked, "replace.choose")[0])
    return False


def skipped(w: Work, seat: int, step: str) -> bool:
    """Whether a step, or a turn (""), is skipped (614.10)."""
    final = replace(w, (WouldBegin(seat=seat, step=step),))
    follow(w, final)
    return not any(isinstance(p, WouldBegin) for p in final)
