"""Sentences for combat, and for phases and turns that are added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cascade_es.values import events as ev
from cascade_es.values.state import Attack, Block, Share
from cascade_es.views.naming import Names, step_name
from cascade_es.views.plain import listed

COMBAT: Final[dict[str, Callable[[Names, Any], str]]] = {}
"""What makes a sentence of an event of combat, by kind."""

_Sentence = Callable[[Names, Any], str]


def _says(kind: type[ev.Event]) -> Callable[[_Sentence], _Sentence]:
    def register(sentence: _Sentence) -> _Sentence:
        COMBAT[kind.kind] = sentence
        return sentence

    return register


def attacked(n: Names, one: Attack) -> str:
    """What a creature attacks."""
    if one.object > 0:
        return n.object(one.object)
    return n.player(one.seat) if not one.object else "nothing any more"


def attack(n: Names, one: Attack) -> str:
    """Who attacks what, and what blocks it."""
    by = f", blocked by {listed([n.object(b) for b in one.blockers])}" if one.blockers else ""
    if not one.attacker:
        return f"{listed([n.object(b) for b in one.blockers])} still blocking"
    return f"{n.object(one.attacker)} attacks {attacked(n, one)}{by}"


def _block(n: Names, one: Block) -> str:
    return f"{n.object(one.blocker)} blocks {listed([n.object(item) for item in one.attackers])}"


def _share(n: Names, one: Share) -> str:
    to = n.object(one.object) if one.object else n.player(one.seat)
    return f"{one.amount} from {n.object(one.source)} to {to}"


@_says(ev.AttackBegun)
def _attack_begun(n: Names, e: ev.AttackBegun) -> str:
    return f"{n.player(e.player)} declares attackers"


@_says(ev.AttackersChosen)
def _attackers_chosen(n: Names, e: ev.AttackersChosen) -> str:
    chosen = "; ".join(attack(n, item) for item in e.attacks)
    return f"{n.player(e.player)} chooses: {chosen or 'no attackers'}"


@_says(ev.AttackersDeclared)
def _attackers_declared(n: Names, e: ev.AttackersDeclared) -> str:
    return "; ".join(attack(n, item) for item in e.attacks) or f"{n.player(e.player)} does not attack"


@_says(ev.BlockingBegun)
def _blocking_begun(n: Names, e: ev.BlockingBegun) -> str:
    return f"blockers are declared by {listed([n.player(seat) for seat in e.players])}"


@_says(ev.BlockersChosen)
def _blockers_chosen(n: Names, e: ev.BlockersChosen) -> str:
    chosen = "; ".join(_block(n, item) for item in e.blocks)
    return f"{n.player(e.player)} chooses: {chosen or 'no blockers'}"


@_says(ev.BlockersDeclared)
def _blockers_declared(n: Names, e: ev.BlockersDeclared) -> str:
    return "; ".join(_block(n, item) for item in e.blocks) or f"{n.player(e.player)} does not block"


@_says(ev.BlockingEnded)
def _blocking_ended(n: Names, e: ev.BlockingEnded) -> str:
    return "all blockers are declared"


@_says(ev.CombatDamageBegun)
def _damage_begun(n: Names, e: ev.CombatDamageBegun) -> str:
    first = " first" if e.again else ""
    return f"{listed([n.object(item) for item in e.sources])} will deal combat damage{first}"


@_says(ev.DamageAssigned)
def _damage_assigned(n: Names, e: ev.DamageAssigned) -> str:
    shares = "; ".join(_share(n, item) for item in e.shares)
    return f"{n.player(e.player)} assigns {shares or 'no combat damage'}"


@_says(ev.CombatDamageEnded)
def _damage_ended(n: Names, e: ev.CombatDamageEnded) -> str:
    return "all combat damage has been dealt"


@_says(ev.CombatChanged)
def _combat_changed(n: Names, e: ev.CombatChanged) -> str:
    return "; ".join(attack(n, item) for item in e.attacks) or "nobody is in combat any more"


@_says(ev.PhasesAdded)
def _phases_added(n: Names, e: ev.PhasesAdded) -> str:
    return f"additional phases will follow, beginning with {listed([step_name(step) for step in e.phases])}"


@_says(ev.TurnAdded)
def _turn_added(n: Names, e: ev.TurnAdded) -> str:
    return f"{n.player(e.player)} will take an extra turn"
