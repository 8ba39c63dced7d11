"""Procedure events of resolutions: instructions, cascade, choices within a step, casting meanwhile."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.state import LastKnown

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
