"""What would happen: proposals of facts, before replacement and prevention effects have seen them (614.1).

A proposal is a small frozen record.  Nothing has happened yet; what becomes of it in the end is a fact.
``applied`` are the effects that it has already been changed by: each has one opportunity (614.5).
"""

from __future__ import annotations

import msgspec

from cascade_es.values.script import Operation
from cascade_es.values.state import AbilityRef, Base


class Would(msgspec.Struct, frozen=True, kw_only=True):
    """The settings common to all proposals; ``cause`` is the object that would cause it (0: a rule)."""

    applied: tuple[str, ...] = ()
    cause: int = 0


class WouldMove(Would, frozen=True, kw_only=True):
    """An object would move; onto the battlefield, a card played as a land or a token as well.

    ``sort`` is "move", "land" or "token".  ``controller`` is None for the owner.  What follows ``event``
    is how it would arrive: shuffled into a library, with counters, as a copy, with words chosen.  What goes
    elsewhere by its own text, or for what it is, is ``shown`` to everybody, or nobody could see that it
    does (701.20a).
    """

    handle: int
    zone: str
    rule: str
    why: str
    sort: str = "move"
    controller: int | None = None
    tapped: bool = False
    attached: int = 0
    position: int = -1
    part: int = 0
    event: int = 0
    shuffled: bool = False
    shown: bool = False
    counters: tuple[tuple[str, int], ...] = ()
    base: Base | None = None
    words: tuple[str, ...] = ()
    face: int = -1
    origin: str = ""
    player: int = -1
    ground: int = 0
    face_down: bool = False
    place: int = 0


class WouldDeal(Would, frozen=True, kw_only=True):
    """Damage would be dealt by ``cause`` to an object or to the player in a seat."""

    handle: int
    seat: int
    amount: int
    rule: str = "damage"
    preventable: bool = True

    @property
    def combat(self) -> bool:
        """Whether it is combat damage (510.2)."""
        return self.rule == "combat.dealt"


class WouldDraw(Would, frozen=True, kw_only=True):
    """A player would draw a card."""

    seat: int
    rule: str = "draw"
    first: bool = False


class WouldChangeLife(Would, frozen=True, kw_only=True):
    """A player would gain or lose life."""

    seat: int
    amount: int
    rule: str


class WouldPutCounters(Would, frozen=True, kw_only=True):
    """Counters would be put on an object, or given to the player in a seat."""

    handle: int
    seat: int
    counter: str
    amount: int
    rule: str


class WouldCreate(Would, frozen=True, kw_only=True):
    """A player would create tokens."""

    seat: int
    base: Base
    amount: int
    tapped: bool = False
    attached: int = 0


class WouldDestroy(Would, frozen=True, kw_only=True):
    """A permanent would be destroyed; ``regenerable`` unless something says that it can't be."""

    handle: int
    rule: str
    how: str = "destroyed"
    regenerable: bool = True


class WouldCounter(Would, frozen=True, kw_only=True):
    """A spell or ability would be countered."""

    handle: int


class WouldShuffle(Would, frozen=True, kw_only=True):
    """A player would shuffle their library."""

    seat: int


class WouldTurnUp(Would, frozen=True, kw_only=True):
    """A face-down permanent would be turned face up."""

    handle: int


class WouldAddMana(Would, frozen=True, kw_only=True):
    """A source would produce mana: one letter for each."""

    seat: int
    types: tuple[str, ...]


class WouldBegin(Would, frozen=True, kw_only=True):
    """A step would begin, or ("") a player's turn."""

    seat: int
    step: str


class WouldLose(Would, frozen=True, kw_only=True):
    """A player would lose the game."""

    seat: int
    rule: str
    why: str


class WouldFollow(Would, frozen=True, kw_only=True):
    """Instructions would be followed as part of the event: an ability's, about an object and a seat."""

    block: tuple[Operation, ...]
    ref: AbilityRef
    source: int
    seat: int
    about: tuple[int, ...] = ()
    bound: tuple[tuple[str, tuple[int, ...]], ...] = ()
    place: int = 0
