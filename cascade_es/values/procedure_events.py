"""Events of procedures: the turn, proposals, payment, triggers, special actions."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.facts import Fact
from cascade_es.values.mana import Price, Unit
from cascade_es.values.state import AbilityRef, Part, Target

# ------------------------------------------------------------------------------- beginning, turn


@kind("game-begun", procedure=True)
class GameBegun(Event, frozen=True):
    """The game begins: life totals by seat, who takes the first turn, and the edition of the rules."""

    life: tuple[int, ...]
    starting: int
    edition: str


@kind("placed")
class Placed(Event, frozen=True):
    """Cards are where the game starts with them; their ids run from ``first``."""

    owner: int
    zone: str
    first: int
    cards: tuple[Fact, ...]
    tapped: tuple[bool, ...] = ()


@kind("turn-begun", procedure=True)
class TurnBegun(Event, frozen=True):
    """A turn begins."""

    player: int
    number: int


@kind("step-begun", procedure=True)
class StepBegun(Event, frozen=True):
    """A step (or a main phase, which has no steps) begins."""

    step: str


@kind("step-ended", procedure=True)
class StepEnded(Event, frozen=True):
    """A step ends: unspent mana empties (500.5), as a fact of its own."""


@kind("turn-ended", procedure=True)
class TurnEnded(Event, frozen=True):
    """A turn ends: its history becomes the last turn's."""


@kind("round-begun", procedure=True)
class RoundBegun(Event, frozen=True):
    """Players begin to receive priority in a step; the active player will be first."""

    player: int


@kind("round-ended", procedure=True)
class RoundEnded(Event, frozen=True):
    """All players passed in succession with an empty stack."""


@kind("priority-given", procedure=True)
class PriorityGiven(Event, frozen=True):
    """A player receives priority."""

    player: int


@kind("priority-passed", procedure=True)
class PriorityPassed(Event, frozen=True):
    """A player passes."""

    player: int


@kind("game-ended", procedure=True)
class GameEnded(Event, frozen=True):
    """The game is over; an empty tuple of winners is a draw."""

    winners: tuple[int, ...]


@kind("player-lost")
class PlayerLost(Event, frozen=True):
    """A player loses the game: why, in a word."""

    player: int
    reason: str


# --------------------------------------------------------------------------------- the proposal


@kind("announce", procedure=True)
class Announce(Event, frozen=True):
    """A card (or copy of a card) moves to the stack and is a spell from now on (601.2a).

    ``part`` is the face, half or part being cast, ``permission`` and ``ground`` say what allows it,
    ``free`` that its mana cost is not paid, ``limit`` the mana value that the spell must be below
    (-1: no such limit), and ``mark`` the sequence number to return to if it proves illegal.  ``origin`` is
    the zone it comes from, ``exiled`` that it will be exiled whenever it would leave the stack.
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
    origin: str = ""
    exiled: bool = False


@kind("activate", procedure=True)
class Activate(Event, frozen=True):
    """An activated ability is created on the stack (602.2a)."""

    player: int
    source: int
    ability: AbilityRef
    new: int
    mark: int


@kind("choose-modes", procedure=True)
class ChooseModes(Event, frozen=True):
    """Modes are announced (601.2b)."""

    object: int
    modes: tuple[int, ...]


@kind("costs-declared", procedure=True)
class CostsDeclared(Event, frozen=True):
    """Intentions to pay optional costs, the value of X, and the ways of hybrid and Phyrexian symbols."""

    object: int
    x: int
    declared: tuple[str, ...]
    ways: tuple[str, ...]


@kind("targets-chosen", procedure=True)
class TargetsChosen(Event, frozen=True):
    """Targets are announced (601.2c)."""

    object: int
    targets: tuple[Target, ...]


@kind("effect-divided", procedure=True)
class EffectDivided(Event, frozen=True):
    """The division of an effect among targets is announced (601.2d)."""

    object: int
    division: tuple[int, ...]


@kind("proposal-checked", procedure=True)
class ProposalChecked(Event, frozen=True):
    """The proposed spell can legally be cast (601.2e)."""

    object: int


@kind("cost-locked", procedure=True)
class CostLocked(Event, frozen=True):
    """The total cost is determined and locked in (601.2f)."""

    object: int
    price: Price
    parts: tuple[Part, ...]


@kind("spell-cast", procedure=True)
class SpellCast(Event, frozen=True):
    """The spell becomes cast (601.2i)."""

    player: int
    object: int


@kind("ability-activated", procedure=True)
class AbilityActivated(Event, frozen=True):
    """The ability becomes activated (602.2b)."""

    player: int
    object: int


# -------------------------------------------------------------------------------------- payment


@kind("payment-begun", procedure=True)
class PaymentBegun(Event, frozen=True):
    """The chance to activate mana abilities, then the payment (601.2g–h).

    ``object`` is what is on the stack; 0 for a mana ability, whose ``source`` is then named.
    """

    player: int
    object: int
    price: Price
    parts: tuple[Part, ...]
    source: int = 0


@kind("mana-ability-activated", procedure=True)
class ManaAbilityActivated(Event, frozen=True):
    """A mana ability is activated; it does not use the stack (605.3b)."""

    player: int
    source: int
    ability: AbilityRef
    mark: int


@kind("mana-ability-resolved", procedure=True)
class ManaAbilityResolved(Event, frozen=True):
    """A mana ability has resolved."""

    player: int
    source: int


@kind("pay-cost", procedure=True)
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


@kind("second-stage-begun", procedure=True)
class SecondStageBegun(Event, frozen=True):
    """What is left to pay is random or takes cards from a library (601.2h)."""

    player: int


@kind("payment-ended", procedure=True)
class PaymentEnded(Event, frozen=True):
    """Every component is paid (601.2h)."""

    player: int
    object: int


# ------------------------------------------------------------------------------------- triggers


@kind("trigger")
class Trigger(Event, frozen=True):
    """An ability triggers; it waits until a player would receive priority (603.2, 603.3)."""

    id: int
    source: int
    ability: AbilityRef
    controller: int
    about: tuple[int, ...] = ()


@kind("stacking-begun", procedure=True)
class StackingBegun(Event, frozen=True):
    """Waiting triggered abilities are about to be put on the stack (603.3b)."""


@kind("triggers-ordered", procedure=True)
class TriggersOrdered(Event, frozen=True):
    """A player's waiting triggers in the order in which they go on the stack."""

    player: int
    order: tuple[int, ...]


@kind("trigger-stacked", procedure=True)
class TriggerStacked(Event, frozen=True):
    """A triggered ability is put on the stack."""

    pending: int
    new: int


@kind("trigger-removed", procedure=True)
class TriggerRemoved(Event, frozen=True):
    """A triggered ability without legal choices is removed (603.3c–d)."""

    object: int


@kind("stacking-ended", procedure=True)
class StackingEnded(Event, frozen=True):
    """No trigger is left waiting."""


# ------------------------------------------------------------------------------- special actions


@kind("special-action-begun", procedure=True)
class SpecialActionBegun(Event, frozen=True):
    """A player begins a special action that has a cost (116.2): which, with what, and a number for it."""

    player: int
    object: int
    action: str
    index: int
    mark: int


@kind("special-action-taken", procedure=True)
class SpecialActionTaken(Event, frozen=True):
    """A special action has been taken; it did not use the stack (116.1)."""

    player: int
    object: int
    action: str
