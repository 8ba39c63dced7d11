"""Events of procedures: the turn, proposals, payment, triggers, resolution, cascade."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import Price, Unit
from cascade_es.values.state import AbilityRef, LastKnown, Part, Target

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


# ----------------------------------------------------------------------------------- resolution


@kind("resolution-begun", procedure=True)
class ResolutionBegun(Event, frozen=True):
    """The topmost object of the stack begins to resolve (608.1)."""

    object: int


@kind("targets-judged", procedure=True)
class TargetsJudged(Event, frozen=True):
    """Which of its targets are still legal (608.2b)."""

    object: int
    legal: tuple[bool, ...]


@kind("instruction-reached", procedure=True)
class InstructionReached(Event, frozen=True):
    """The resolution goes on: the place of the next instruction, and what is bound so far.

    A path beyond the last instruction is the end: a procedure that the last one began comes first.
    """

    object: int
    path: tuple[int, ...]
    bound: tuple[tuple[str, tuple[int, ...]], ...]


@kind("resolution-ended", procedure=True)
class ResolutionEnded(Event, frozen=True):
    """The resolution is over; ``outcome`` is "resolved", "did not resolve" or "did nothing"."""

    object: int
    outcome: str


# -------------------------------------------------------------------------------------- cascade


@kind("cascade-begun", procedure=True)
class CascadeBegun(Event, frozen=True):
    """A cascade ability begins to search: nonland, with mana value less than the limit."""

    player: int
    object: int
    limit: int


@kind("exile", procedure=False)
class Exile(Event, frozen=True):
    """A card or permanent is exiled (701.13); ``face_down``: only those who may look at it know the card."""

    old: int
    new: int
    card: Fact
    last: LastKnown | None = None
    face_down: bool = False


@kind("search-ended", procedure=True)
class SearchEnded(Event, frozen=True):
    """The search stops: at a card (its id), or because the library is empty (0)."""

    hit: int


@kind("cast-offered", procedure=True)
class CastOffered(Event, frozen=True):
    """The player may cast the card without paying its mana cost."""

    player: int
    object: int


@kind("cast-free", procedure=True)
class CastFree(Event, frozen=True):
    """The player chooses to cast the offered card without paying its mana cost."""

    player: int
    object: int
    part: int


@kind("cast-declined", procedure=True)
class CastDeclined(Event, frozen=True):
    """The player does not cast the offered card."""

    player: int
    object: int


@kind("randomize-bottom", procedure=True)
class RandomizeBottom(Event, frozen=True):
    """Exiled cards go to the bottom of the library in random order; it is no shuffle.

    ``old`` are the exiled objects; the cards get fresh ids from ``first`` on, in their new order,
    which no player knows.  ``origin`` says which is which; the order was drawn just before.
    """

    player: int
    old: tuple[int, ...]
    first: int
    cards: tuple[Fact, ...]
    origin: Fact


@kind("cascade-ended", procedure=True)
class CascadeEnded(Event, frozen=True):
    """The cascade procedure is over."""

    player: int


# ------------------------------------------------------------------------------ choices within a step


@kind("choice-asked", procedure=True)
class ChoiceAsked(Event, frozen=True):
    """A step of the rules cannot be taken before somebody has chosen (616.1, 614.12).

    See :class:`cascade_es.values.state.AskingData` for the fields.  ``held`` is the decision with which
    the step began, if one did: it is carried out when all is chosen.
    """

    player: int
    sort: str
    question: str
    objects: tuple[int, ...]
    words: tuple[str, ...]
    least: int
    most: int
    held: Fact
    secret: Fact = NOTHING


@kind("choice-made", procedure=True)
class ChoiceMade(Event, frozen=True):
    """What was chosen: objects by id, or the indices of words (yes is 1).

    It is sealed where it names a card in a hidden zone: which of them it was is nobody else's business.
    ``anew``: nothing was, for a player has left the game; whoever is left is asked from the beginning.
    """

    player: int
    picks: Fact
    anew: bool = False


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


# ------------------------------------------------------------------------ casting in a resolution


@kind("offer-begun", procedure=True)
class OfferBegun(Event, frozen=True):
    """A player may cast one of these cards while something resolves (608.2g)."""

    player: int
    object: int
    cards: tuple[int, ...]
    path: tuple[int, ...]
    most: int = 1


@kind("offer-ended", procedure=True)
class OfferEnded(Event, frozen=True):
    """The offer is over: a card has been cast, or none is."""

    player: int
    object: int
