"""What happened: frozen records, in the past, never changed and never removed.

*Procedure events* move a machine: the running procedure must accept them.  *Fact events* change
values and are accepted within any procedure.  Every event says by which step of which rule it
happened (``rule``, a concept that editions turn into a number), which earlier event caused it
(``cause``, a sequence number), and whether it came by itself (``auto``) or a player decided it.

Events carry resolved facts, not requests: a reader needs no rules to follow them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeVar

import msgspec

from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import Price, Unit
from cascade_es.values.state import AbilityRef, LastKnown, Part, Target


class Event(msgspec.Struct, frozen=True, array_like=True):
    """The fields that every event has."""

    kind: ClassVar[str]
    procedure: ClassVar[bool] = False

    rule: str
    cause: int
    auto: bool


KINDS: Final[dict[str, type[Event]]] = {}
"""Every kind of event by its name in the log."""


_E = TypeVar("_E", bound=type[Event])


def _kind(name: str, *, procedure: bool = False) -> Callable[[_E], _E]:
    def register(cls: _E) -> _E:
        cls.kind = name
        cls.procedure = procedure
        KINDS[name] = cls
        return cls

    return register


# ------------------------------------------------------------------------------- beginning, turn


@_kind("game-begun", procedure=True)
class GameBegun(Event, frozen=True):
    """The game begins: life totals by seat, who takes the first turn, and the edition of the rules."""

    life: tuple[int, ...]
    starting: int
    edition: str


@_kind("placed")
class Placed(Event, frozen=True):
    """Cards are where the game starts with them; their ids run from ``first``."""

    owner: int
    zone: str
    first: int
    cards: tuple[Fact, ...]
    tapped: tuple[bool, ...] = ()


@_kind("turn-begun", procedure=True)
class TurnBegun(Event, frozen=True):
    """A turn begins."""

    player: int
    number: int


@_kind("step-begun", procedure=True)
class StepBegun(Event, frozen=True):
    """A step (or a main phase, which has no steps) begins."""

    step: str


@_kind("step-ended", procedure=True)
class StepEnded(Event, frozen=True):
    """A step ends: unspent mana empties (500.5), as a fact of its own."""


@_kind("turn-ended", procedure=True)
class TurnEnded(Event, frozen=True):
    """A turn ends: its history becomes the last turn's."""


@_kind("round-begun", procedure=True)
class RoundBegun(Event, frozen=True):
    """Players begin to receive priority in a step; the active player will be first."""

    player: int


@_kind("round-ended", procedure=True)
class RoundEnded(Event, frozen=True):
    """All players passed in succession with an empty stack."""


@_kind("priority-given", procedure=True)
class PriorityGiven(Event, frozen=True):
    """A player receives priority."""

    player: int


@_kind("priority-passed", procedure=True)
class PriorityPassed(Event, frozen=True):
    """A player passes."""

    player: int


@_kind("game-ended", procedure=True)
class GameEnded(Event, frozen=True):
    """The game is over; an empty tuple of winners is a draw."""

    winners: tuple[int, ...]


@_kind("player-lost")
class PlayerLost(Event, frozen=True):
    """A player loses the game: why, in a word."""

    player: int
    reason: str


# --------------------------------------------------------------------------------- the proposal


@_kind("announce", procedure=True)
class Announce(Event, frozen=True):
    """A card (or copy of a card) moves to the stack and is a spell from now on (601.2a).

    ``part`` is the face, half or part being cast, ``permission`` and ``ground`` say what allows it,
    ``free`` that its mana cost is not paid, ``limit`` the mana value that the spell must be below
    (-1: no such limit), and ``mark`` the sequence number to return to if it proves illegal.
    """

    player: int
    old: int
    new: int
    card: Fact
    part: int
    permission: str
    ground: int
    free: bool
    limit: int
    mark: int


@_kind("activate", procedure=True)
class Activate(Event, frozen=True):
    """An activated ability is created on the stack (602.2a)."""

    player: int
    source: int
    ability: AbilityRef
    new: int
    mark: int


@_kind("choose-modes", procedure=True)
class ChooseModes(Event, frozen=True):
    """Modes are announced (601.2b)."""

    object: int
    modes: tuple[int, ...]


@_kind("costs-declared", procedure=True)
class CostsDeclared(Event, frozen=True):
    """Intentions to pay optional costs, the value of X, and the ways of hybrid and Phyrexian symbols."""

    object: int
    x: int
    declared: tuple[str, ...]
    ways: tuple[str, ...]


@_kind("targets-chosen", procedure=True)
class TargetsChosen(Event, frozen=True):
    """Targets are announced (601.2c)."""

    object: int
    targets: tuple[Target, ...]


@_kind("effect-divided", procedure=True)
class EffectDivided(Event, frozen=True):
    """The division of an effect among targets is announced (601.2d)."""

    object: int
    division: tuple[int, ...]


@_kind("proposal-checked", procedure=True)
class ProposalChecked(Event, frozen=True):
    """The proposed spell can legally be cast (601.2e)."""

    object: int


@_kind("cost-locked", procedure=True)
class CostLocked(Event, frozen=True):
    """The total cost is determined and locked in (601.2f)."""

    object: int
    price: Price
    parts: tuple[Part, ...]


@_kind("spell-cast", procedure=True)
class SpellCast(Event, frozen=True):
    """The spell becomes cast (601.2i)."""

    player: int
    object: int


@_kind("ability-activated", procedure=True)
class AbilityActivated(Event, frozen=True):
    """The ability becomes activated (602.2b)."""

    player: int
    object: int


# -------------------------------------------------------------------------------------- payment


@_kind("payment-begun", procedure=True)
class PaymentBegun(Event, frozen=True):
    """The chance to activate mana abilities, then the payment (601.2g–h)."""

    player: int
    object: int
    price: Price
    parts: tuple[Part, ...]


@_kind("mana-ability-activated", procedure=True)
class ManaAbilityActivated(Event, frozen=True):
    """A mana ability is activated; it does not use the stack (605.3b)."""

    player: int
    source: int
    ability: AbilityRef
    mark: int


@_kind("mana-ability-resolved", procedure=True)
class ManaAbilityResolved(Event, frozen=True):
    """A mana ability has resolved."""

    player: int
    source: int


@_kind("pay-cost", procedure=True)
class PayCost(Event, frozen=True):
    """One component of a total cost is paid: the mana units spent, or the objects used.

    ``part`` is its index among the components still unpaid; -1 is the mana.
    """

    player: int
    part: int
    sort: str
    units: tuple[Unit, ...] = ()
    objects: tuple[int, ...] = ()
    amount: int = 0


@_kind("second-stage-begun", procedure=True)
class SecondStageBegun(Event, frozen=True):
    """What is left to pay is random or takes cards from a library (601.2h)."""

    player: int


@_kind("payment-ended", procedure=True)
class PaymentEnded(Event, frozen=True):
    """Every component is paid (601.2h)."""

    player: int
    object: int


# ------------------------------------------------------------------------------------- triggers


@_kind("trigger")
class Trigger(Event, frozen=True):
    """An ability triggers; it waits until a player would receive priority (603.2, 603.3)."""

    id: int
    source: int
    ability: AbilityRef
    controller: int
    about: tuple[int, ...] = ()


@_kind("stacking-begun", procedure=True)
class StackingBegun(Event, frozen=True):
    """Waiting triggered abilities are about to be put on the stack (603.3b)."""


@_kind("triggers-ordered", procedure=True)
class TriggersOrdered(Event, frozen=True):
    """A player's waiting triggers in the order in which they go on the stack."""

    player: int
    order: tuple[int, ...]


@_kind("trigger-stacked", procedure=True)
class TriggerStacked(Event, frozen=True):
    """A triggered ability is put on the stack."""

    pending: int
    new: int


@_kind("trigger-removed", procedure=True)
class TriggerRemoved(Event, frozen=True):
    """A triggered ability without legal choices is removed (603.3c–d)."""

    object: int


@_kind("stacking-ended", procedure=True)
class StackingEnded(Event, frozen=True):
    """No trigger is left waiting."""


# ----------------------------------------------------------------------------------- resolution


@_kind("resolution-begun", procedure=True)
class ResolutionBegun(Event, frozen=True):
    """The topmost object of the stack begins to resolve (608.1)."""

    object: int


@_kind("targets-judged", procedure=True)
class TargetsJudged(Event, frozen=True):
    """Which of its targets are still legal (608.2b)."""

    object: int
    legal: tuple[bool, ...]


@_kind("instruction-reached", procedure=True)
class InstructionReached(Event, frozen=True):
    """The resolution stands at an instruction that waits: its place, and what is bound so far."""

    object: int
    path: tuple[int, ...]
    bound: tuple[tuple[str, tuple[int, ...]], ...]


@_kind("resolution-ended", procedure=True)
class ResolutionEnded(Event, frozen=True):
    """The resolution is over; ``outcome`` is "resolved", "did not resolve" or "did nothing"."""

    object: int
    outcome: str


# -------------------------------------------------------------------------------------- cascade


@_kind("cascade-begun", procedure=True)
class CascadeBegun(Event, frozen=True):
    """A cascade ability begins to search: nonland, with mana value less than the limit."""

    player: int
    object: int
    limit: int


@_kind("exile", procedure=False)
class Exile(Event, frozen=True):
    """A card or permanent is exiled (701.13)."""

    old: int
    new: int
    card: Fact
    last: LastKnown | None = None


@_kind("search-ended", procedure=True)
class SearchEnded(Event, frozen=True):
    """The search stops: at a card (its id), or because the library is empty (0)."""

    hit: int


@_kind("cast-offered", procedure=True)
class CastOffered(Event, frozen=True):
    """The player may cast the card without paying its mana cost."""

    player: int
    object: int


@_kind("cast-free", procedure=True)
class CastFree(Event, frozen=True):
    """The player chooses to cast the offered card without paying its mana cost."""

    player: int
    object: int
    part: int


@_kind("cast-declined", procedure=True)
class CastDeclined(Event, frozen=True):
    """The player does not cast the offered card."""

    player: int
    object: int


@_kind("randomize-bottom", procedure=True)
class RandomizeBottom(Event, frozen=True):
    """Exiled cards go to the bottom of the library in random order; it is no shuffle.

    ``old`` are the exiled objects; the cards get fresh ids from ``first`` on, in their new order,
    which no player knows.  ``origin`` says which is which; ``draw`` is the ordinal of the random
    draw, -1 where fewer than two cards needed none.
    """

    player: int
    old: tuple[int, ...]
    first: int
    cards: tuple[Fact, ...]
    origin: Fact
    draw: int


@_kind("cascade-ended", procedure=True)
class CascadeEnded(Event, frozen=True):
    """The cascade procedure is over."""

    player: int


# ------------------------------------------------------------------------------- facts of zones


@_kind("rehandled")
class Rehandled(Event, frozen=True):
    """The cards of a hidden zone get fresh ids, so that the old ones tell nothing.

    ``cards`` are listed by fresh id from ``first`` on.  ``origin`` are the old ids in that order.
    ``order``, for a library that is being searched, are the fresh ids from the top down: until the
    library is put in order again, the list itself says nothing about positions.
    """

    player: int
    zone: str
    first: int
    cards: tuple[Fact, ...]
    origin: Fact
    order: Fact = NOTHING


@_kind("shuffled")
class Shuffled(Event, frozen=True):
    """A library is shuffled (701.24): fresh ids from the top down, in an order that nobody knows."""

    player: int
    first: int
    cards: tuple[Fact, ...]
    origin: Fact
    draw: int


@_kind("drawn")
class Drawn(Event, frozen=True):
    """A player draws the top card of the library (121.1)."""

    player: int
    old: int
    new: int
    card: Fact


@_kind("drew-from-empty")
class DrewFromEmpty(Event, frozen=True):
    """A player tried to draw from an empty library; the game notices it later (704.5b)."""

    player: int


@_kind("moved")
class Moved(Event, frozen=True):
    """An object changes zones and is a new object there (400.7).

    ``controller`` matters for the battlefield and the stack.  ``position`` is 0 for the top of a
    library and -1 for its bottom.  ``why`` is a word: "resolved", "destroyed", "put", ….
    ``last`` is the object as it last existed, when it leaves a public zone.  ``new`` 0: it ceases
    to exist.
    """

    old: int
    new: int
    zone: str
    controller: int
    card: Fact
    why: str
    last: LastKnown | None = None
    tapped: bool = False
    attached: int = 0
    position: int = 0


@_kind("shown")
class Shown(Event, frozen=True):
    """Players learn which cards these are; the openings come along."""

    to: int
    objects: tuple[int, ...]
    cards: tuple[Fact, ...]


# ------------------------------------------------------------------------------ facts of values


@_kind("tapped")
class Tapped(Event, frozen=True):
    """Permanents become tapped."""

    objects: tuple[int, ...]


@_kind("untapped")
class Untapped(Event, frozen=True):
    """Permanents become untapped."""

    objects: tuple[int, ...]


@_kind("land-played", procedure=True)
class LandPlayed(Event, frozen=True):
    """A player plays a land: a special action (116.2a), not a spell."""

    player: int
    old: int
    new: int
    card: Fact
    part: int


@_kind("mana-added")
class ManaAdded(Event, frozen=True):
    """Mana is added to a player's pool (106.4)."""

    player: int
    units: tuple[Unit, ...]


@_kind("mana-emptied")
class ManaEmptied(Event, frozen=True):
    """Unspent mana leaves a player's pool."""

    player: int


@_kind("damage-dealt")
class DamageDealt(Event, frozen=True):
    """A source deals damage to an object, or to a player (object 0)."""

    source: int
    object: int
    seat: int
    amount: int
    deathtouch: bool = False


@_kind("damage-removed")
class DamageRemoved(Event, frozen=True):
    """Damage marked on permanents is removed (514.2)."""

    objects: tuple[int, ...]


@_kind("life-changed")
class LifeChanged(Event, frozen=True):
    """A player gains or loses life; ``total`` is the new total."""

    player: int
    amount: int
    total: int


@_kind("counters-changed")
class CountersChanged(Event, frozen=True):
    """Counters are put on or removed from a permanent."""

    object: int
    counter: str
    amount: int


@_kind("countered")
class Countered(Event, frozen=True):
    """A spell or ability is countered (701.6); where it goes follows as a fact of its own."""

    object: int
    by: int


# ---------------------------------------------------------------------------------- taking back


@_kind("illegality-found", procedure=True)
class IllegalityFound(Event, frozen=True):
    """An action cannot be completed or must not be taken; it will be reversed (733.1)."""

    player: int
    mark: int
    reason: str


@_kind("action-reversed", procedure=True)
class ActionReversed(Event, frozen=True):
    """The game returns to the mark; ``kept`` are the events of the undone span that stay."""

    player: int
    mark: int
    reason: str
    kept: tuple[int, ...] = ()


# ---------------------------------------------------------------------------------- around it


@_kind("commented")
class Commented(Event, frozen=True):
    """Somebody says something for the record; it changes nothing."""

    player: int
    text: Fact = NOTHING


@_kind("ruling-made")
class RulingMade(Event, frozen=True):
    """A judge or the table rules on something."""

    text: Fact = NOTHING


@_kind("sealed")
class SealedEnd(Event, frozen=True):
    """The record ends here; ``digest`` covers the whole game part of the state."""

    digest: bytes
