"""Events of combat (506–511): attackers, blockers, damage; and phases and turns that are added."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.state import Attack, Block, Share


@kind("attack-begun", procedure=True)
class AttackBegun(Event, frozen=True):
    """The active player begins to declare attackers (508.1)."""

    player: int


@kind("attackers-chosen", procedure=True)
class AttackersChosen(Event, frozen=True):
    """Which creatures will attack, and what each of them; they are not attacking yet (508.1a–b)."""

    player: int
    attacks: tuple[Attack, ...]


@kind("attackers-declared", procedure=True)
class AttackersDeclared(Event, frozen=True):
    """Costs are paid, and the chosen creatures become attacking creatures (508.1k)."""

    player: int
    attacks: tuple[Attack, ...]


@kind("blocking-begun", procedure=True)
class BlockingBegun(Event, frozen=True):
    """Defending players will declare blockers, in this order (509.1, 802.4)."""

    players: tuple[int, ...]


@kind("blockers-chosen", procedure=True)
class BlockersChosen(Event, frozen=True):
    """Which creatures of a defending player will block what; they are not blocking yet (509.1a)."""

    player: int
    blocks: tuple[Block, ...]


@kind("blockers-declared", procedure=True)
class BlockersDeclared(Event, frozen=True):
    """Costs are paid, and the chosen creatures become blocking creatures (509.1g–h).

    ``attacks`` is the combat from now on.
    """

    player: int
    blocks: tuple[Block, ...]
    attacks: tuple[Attack, ...]


@kind("blocking-ended", procedure=True)
class BlockingEnded(Event, frozen=True):
    """All defending players have declared blockers; what nothing blocks is unblocked (509.1h)."""

    attacks: tuple[Attack, ...]


@kind("combat-damage-begun", procedure=True)
class CombatDamageBegun(Event, frozen=True):
    """Players will assign combat damage, in this order, for these creatures (510.1).

    ``struck`` and ``again`` say of the first of two combat damage steps which creatures it is for and that
    another follows (510.4).
    """

    players: tuple[int, ...]
    sources: tuple[int, ...]
    struck: tuple[int, ...]
    again: bool


@kind("damage-assigned", procedure=True)
class DamageAssigned(Event, frozen=True):
    """A player has assigned the combat damage of their creatures (510.1)."""

    player: int
    shares: tuple[Share, ...]


@kind("combat-damage-ended", procedure=True)
class CombatDamageEnded(Event, frozen=True):
    """All combat damage has been dealt at the same time (510.2)."""


@kind("phases-added")
class PhasesAdded(Event, frozen=True):
    """Phases will follow that a turn does not have by itself, by the steps with which they begin (500.8).

    ``then`` is where the turn goes on after them, if no phases had been added before.
    """

    phases: tuple[str, ...]
    then: str


@kind("turn-added")
class TurnAdded(Event, frozen=True):
    """A player will take an extra turn after this one (500.7); ``then`` is whose turn comes as usual."""

    player: int
    then: int
