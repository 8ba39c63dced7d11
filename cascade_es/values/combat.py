"""What the state says of combat: who attacks and blocks whom, and the procedures under way (506–510)."""

from __future__ import annotations

from cascade_es.values.record import Record


class Attack(Record, frozen=True):
    """An attacking creature: whom or what it attacks, whether it became blocked, and by what.

    ``object`` is the planeswalker or battle attacked (0: the player in ``seat``; -1: what it attacked has
    been removed from combat, 506.4c).  ``blockers`` are in the order in which the attacker deals damage to
    them, where an edition has such an order.  ``attacker`` 0 has been removed from combat; what blocked it
    is still blocking (509.1g).
    """

    attacker: int
    seat: int
    object: int = 0
    blocked: bool = False
    blockers: tuple[int, ...] = ()


class Block(Record, frozen=True):
    """A creature chosen to block, and what it blocks."""

    blocker: int
    attackers: tuple[int, ...]


class Share(Record, frozen=True):
    """Combat damage as it is assigned (510.1): from which creature, how much, to an object or a player."""

    source: int
    amount: int
    object: int = 0
    seat: int = -1


class Fight(Record, frozen=True):
    """A combat in which a creature was declared, or put onto the battlefield, attacking (508.8).

    ``struck`` are the creatures with first strike or double strike as the first of two combat damage
    steps began; ``again`` says that the second one is still to come (510.4).
    """

    struck: tuple[int, ...] = ()
    again: bool = False


class AttackingData(Record, frozen=True):
    """The active player declares attackers: what is chosen, while costs are paid (508.1)."""

    player: int
    attacks: tuple[Attack, ...] = ()


class BlockingData(Record, frozen=True):
    """Defending players declare blockers one after the other: whose turn it is, and who comes next (509.1).

    ``player`` is -1 when all have.
    """

    player: int
    waiting: tuple[int, ...] = ()
    blocks: tuple[Block, ...] = ()


class DealingData(Record, frozen=True):
    """Players assign combat damage one after the other, and then all of it is dealt at once (510.1–2).

    ``sources`` are the creatures that deal damage in this step.
    """

    player: int
    waiting: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    shares: tuple[Share, ...] = ()
