"""What events of combat change: the procedures of declaring and dealing, who attacks and blocks whom."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cascade_es.evolve.draft import Draft, Recall, on
from cascade_es.values import events as ev
from cascade_es.values.state import Fight


def _next_player(d: Draft, **changes: Any) -> None:
    """The next player decides; what one has done is beyond the reversal of what the next one does."""
    frames = d.game.frames
    top = frames[-1]
    first, *rest = top.data.waiting or (-1,)
    data = replace(top.data, player=first, waiting=tuple(rest), **changes)
    d.put("frames", (*frames[:-1], replace(top, data=data, mark=d.seq)))


def _chosen(d: Draft, **changes: Any) -> None:
    """What a reversal returns to is the moment before the declaration (508.1, 509.1)."""
    frames = d.game.frames
    top = frames[-1]
    d.put("frames", (*frames[:-1], replace(top, data=replace(top.data, **changes), mark=d.seq - 1)))


@on(ev.AttackersChosen)
def _attackers_chosen(d: Draft, e: ev.AttackersChosen, recall: Recall) -> None:
    _chosen(d, attacks=e.attacks)


@on(ev.AttackersDeclared)
def _attackers_declared(d: Draft, e: ev.AttackersDeclared, recall: Recall) -> None:
    if e.attacks:
        d.put("combat", e.attacks)
        d.put("fight", d.game.fight or Fight())
    for attack in e.attacks:
        d.deed("attacked", e.player, attack.attacker)


@on(ev.BlockersChosen)
def _blockers_chosen(d: Draft, e: ev.BlockersChosen, recall: Recall) -> None:
    _chosen(d, blocks=e.blocks)


@on(ev.BlockersDeclared)
def _blockers_declared(d: Draft, e: ev.BlockersDeclared, recall: Recall) -> None:
    d.put("combat", e.attacks)
    for block in e.blocks:
        d.deed("blocked", e.player, block.blocker)
    _next_player(d, blocks=())


@on(ev.BlockingEnded)
def _blocking_ended(d: Draft, e: ev.BlockingEnded, recall: Recall) -> None:
    d.put("combat", e.attacks)


@on(ev.CombatDamageBegun)
def _damage_begun(d: Draft, e: ev.CombatDamageBegun, recall: Recall) -> None:
    d.put("fight", Fight(e.struck, e.again))


@on(ev.DamageAssigned)
def _damage_assigned(d: Draft, e: ev.DamageAssigned, recall: Recall) -> None:
    _next_player(d, shares=d.top().data.shares + e.shares)


@on(ev.CombatChanged)
def _combat_changed(d: Draft, e: ev.CombatChanged, recall: Recall) -> None:
    d.put("combat", e.attacks)
    if e.why == "ended":
        d.put("fight", None)
    elif e.attacks and d.game.fight is None:
        d.put("fight", Fight())


# ------------------------------------------------------------------------- extra phases and turns


@on(ev.PhasesAdded)
def _phases_added(d: Draft, e: ev.PhasesAdded, recall: Recall) -> None:
    d.put("ahead", (*e.phases, *(d.game.ahead or (e.then,))))


@on(ev.TurnAdded)
def _turn_added(d: Draft, e: ev.TurnAdded, recall: Recall) -> None:
    d.put("turns", (e.player, *(d.game.turns or (e.then,))))
