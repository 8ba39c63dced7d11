"""Events of facts: zones, values of objects and players; and of taking back, and around a game."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import Unit
from cascade_es.values.state import LastKnown

# ------------------------------------------------------------------------------- facts of zones


@kind("rehandled")
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


@kind("shuffled")
class Shuffled(Event, frozen=True):
    """A library is shuffled (701.24): fresh ids from the top down, in an order that nobody knows."""

    player: int
    first: int
    cards: tuple[Fact, ...]
    origin: Fact


@kind("random-order")
class RandomOrder(Event, frozen=True):
    """A random order is drawn: for what, for whom, the how-manieth draw of the game, of how many things.

    ``key`` is what it follows from (:func:`cascade_es.values.facts.random_order`): sealed, and
    disclosable by itself.  Fewer than two things need no draw.
    """

    purpose: str
    player: int
    ordinal: int
    size: int
    key: Fact


@kind("seed-contributed")
class SeedContributed(Event, frozen=True):
    """A seat adds to the seed, after the recorder has committed to its own."""

    player: int
    value: bytes


@kind("drawn")
class Drawn(Event, frozen=True):
    """A player draws the top card of the library (121.1)."""

    player: int
    old: int
    new: int
    card: Fact


@kind("drew-from-empty")
class DrewFromEmpty(Event, frozen=True):
    """A player tried to draw from an empty library; the game notices it later (704.5b)."""

    player: int


@kind("moved")
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


@kind("shown")
class Shown(Event, frozen=True):
    """Players learn which cards these are; the openings come along."""

    to: int
    objects: tuple[int, ...]
    cards: tuple[Fact, ...]


# ------------------------------------------------------------------------------ facts of values


@kind("tapped")
class Tapped(Event, frozen=True):
    """Permanents become tapped."""

    objects: tuple[int, ...]


@kind("untapped")
class Untapped(Event, frozen=True):
    """Permanents become untapped."""

    objects: tuple[int, ...]


@kind("land-played", procedure=True)
class LandPlayed(Event, frozen=True):
    """A player plays a land: a special action (116.2a), not a spell."""

    player: int
    old: int
    new: int
    card: Fact
    part: int


@kind("mana-added")
class ManaAdded(Event, frozen=True):
    """Mana is added to a player's pool (106.4)."""

    player: int
    units: tuple[Unit, ...]


@kind("mana-emptied")
class ManaEmptied(Event, frozen=True):
    """Unspent mana leaves a player's pool."""

    player: int


@kind("damage-dealt")
class DamageDealt(Event, frozen=True):
    """A source deals damage to an object, or to a player (object 0)."""

    source: int
    object: int
    seat: int
    amount: int
    deathtouch: bool = False


@kind("damage-removed")
class DamageRemoved(Event, frozen=True):
    """Damage marked on permanents is removed (514.2)."""

    objects: tuple[int, ...]


@kind("life-changed")
class LifeChanged(Event, frozen=True):
    """A player gains or loses life; ``total`` is the new total."""

    player: int
    amount: int
    total: int


@kind("counters-changed")
class CountersChanged(Event, frozen=True):
    """Counters are put on or removed from a permanent."""

    object: int
    counter: str
    amount: int


@kind("countered")
class Countered(Event, frozen=True):
    """A spell or ability is countered (701.6); where it goes follows as a fact of its own."""

    object: int
    by: int


# ---------------------------------------------------------------------------------- taking back


@kind("illegality-found", procedure=True)
class IllegalityFound(Event, frozen=True):
    """An action cannot be completed or must not be taken; it will be reversed (733.1)."""

    player: int
    mark: int
    reason: str


@kind("action-reversed", procedure=True)
class ActionReversed(Event, frozen=True):
    """The game returns to the mark; ``kept`` are the events of the undone span that stay."""

    player: int
    mark: int
    reason: str
    kept: tuple[int, ...] = ()


# ---------------------------------------------------------------------------------- around it


@kind("commented")
class Commented(Event, frozen=True):
    """Somebody says something for the record; it changes nothing."""

    player: int
    text: Fact = NOTHING


@kind("ruling-made")
class RulingMade(Event, frozen=True):
    """A judge or the table rules on something."""

    text: Fact = NOTHING


@kind("sealed")
class SealedEnd(Event, frozen=True):
    """The record ends here; ``digest`` covers the whole game part of the state."""

    digest: bytes
