"""Events of facts: zones, values of objects and players; and of taking back, and around a game."""

from __future__ import annotations

from cascade_es.values.event import Event, kind
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import Unit
from cascade_es.values.state import AbilityRef, Attack, Base, Choices, Delayed, Effect, LastKnown, Target

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
    face_down: bool = False
    face: int = 0


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
    """A player plays a land: a special action (116.2a), not a spell.

    ``ground`` is the object that allows it, where the rules alone do not.  It may enter tapped, under
    somebody else's control, or go to another zone instead.
    """

    player: int
    old: int
    new: int
    card: Fact
    part: int
    ground: int = 0
    tapped: bool = False
    zone: str = "battlefield"
    controller: int = 0


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
    """A source deals damage to an object, or to a player (object 0).

    ``marked``: it stays marked on the object (120.3d–e).
    """

    source: int
    object: int
    seat: int
    amount: int
    deathtouch: bool = False
    marked: bool = True


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


# ----------------------------------------------------------------------------- objects and effects


@kind("effect-begun")
class EffectBegun(Event, frozen=True):
    """An effect that lasts begins (611.2); its timestamp is given by the game."""

    effect: Effect


@kind("effect-changed")
class EffectChanged(Event, frozen=True):
    """Part of an effect has been used up: what is left of it, as its ``about``."""

    id: int
    about: tuple[int, ...]


@kind("effects-ended")
class EffectsEnded(Event, frozen=True):
    """Effects end: their duration is over."""

    ids: tuple[int, ...]


@kind("controller-changed")
class ControllerChanged(Event, frozen=True):
    """A permanent or spell comes under somebody's control."""

    object: int
    controller: int


@kind("token-created")
class TokenCreated(Event, frozen=True):
    """A token enters the battlefield under its owner's control (111); ``base`` is what it is."""

    owner: int
    new: int
    base: Base
    why: str
    tapped: bool = False
    attached: int = 0


@kind("copied")
class Copied(Event, frozen=True):
    """A copy of a spell or ability is put on the stack; it was not cast or activated (707.10).

    ``choices`` are the decisions copied, with new targets if any were chosen (707.10c); ``base`` are its
    copiable values.
    """

    original: int
    new: int
    controller: int
    card: Fact
    base: Base | None
    choices: Choices


@kind("card-copied")
class CardCopied(Event, frozen=True):
    """A copy of a card is created in the card's zone, so that it can be cast (707.12)."""

    original: int
    new: int
    owner: int
    zone: str
    card: Fact


@kind("retargeted")
class Retargeted(Event, frozen=True):
    """The targets of a spell or ability are changed (115.7)."""

    object: int
    targets: tuple[Target, ...]


@kind("became-copy")
class BecameCopy(Event, frozen=True):
    """An object's copiable values are another's from now on (707.2)."""

    object: int
    base: Base | None


@kind("became-token")
class BecameToken(Event, frozen=True):
    """What was a copy of a permanent spell is a token from now on; it was not created (707.10f)."""

    object: int


@kind("face-changed")
class FaceChanged(Event, frozen=True):
    """A permanent is turned over: transformed, flipped, face down, face up (701.27, 710, 708)."""

    object: int
    face: int
    face_down: bool = False


@kind("melded")
class Melded(Event, frozen=True):
    """Exiled cards enter the battlefield as one object (701.42): the card whose back is up, the others."""

    olds: tuple[int, ...]
    new: int
    controller: int
    card: Fact
    others: tuple[Fact, ...]
    last: tuple[LastKnown, ...]


@kind("parted")
class Parted(Event, frozen=True):
    """Another card of a melded permanent arrives where that went (712.21)."""

    old: int
    new: int
    zone: str
    owner: int
    card: Fact
    position: int = -1


@kind("door-unlocked")
class DoorUnlocked(Event, frozen=True):
    """A half of a Room becomes unlocked (709.5)."""

    object: int
    door: int


@kind("attached")
class Attached(Event, frozen=True):
    """An Aura or Equipment becomes attached to a permanent, or to nothing (0)."""

    object: int
    to: int


@kind("word-chosen")
class WordChosen(Event, frozen=True):
    """Something is chosen for an object: a colour, a type, a name (614.12a)."""

    object: int
    words: tuple[str, ...]


@kind("player-counters-changed")
class PlayerCountersChanged(Event, frozen=True):
    """A player gets or loses counters."""

    player: int
    counter: str
    amount: int


@kind("replaced")
class Replaced(Event, frozen=True):
    """An event is about to happen otherwise: by which ability or effect, and instead of what (614.6)."""

    source: int
    effect: int
    instead: str


@kind("delayed-created")
class DelayedCreated(Event, frozen=True):
    """A delayed triggered ability is created (603.7)."""

    delayed: Delayed


@kind("delayed-ended")
class DelayedEnded(Event, frozen=True):
    """Delayed triggered abilities are over: they have triggered, or their time has passed."""

    ids: tuple[int, ...]


@kind("linked")
class Linked(Event, frozen=True):
    """An object remembers others: cards exiled with it, and so on (607)."""

    source: int
    objects: tuple[int, ...]
    role: str


@kind("combat-changed")
class CombatChanged(Event, frozen=True):
    """Who attacks what, and what blocks whom, from now on; nothing after combat (506, 511.3)."""

    attacks: tuple[Attack, ...]
    why: str


@kind("noted")
class Noted(Event, frozen=True):
    """The history of the turn gets a line: that an ability triggered which does so once each turn, say."""

    player: int
    object: int
    word: str


@kind("mana-triggered")
class ManaTriggered(Event, frozen=True):
    """A triggered mana ability triggers and resolves at once, without the stack (605.4a)."""

    source: int
    ability: AbilityRef
    controller: int
    about: tuple[int, ...] = ()


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


@kind("state-digest")
class StateDigest(Event, frozen=True):
    """What the whole game part of the state comes to now: at each turn, and after each taking back.

    Every viewer computes the same (:mod:`cascade_es.values.digest`).
    """

    digest: bytes


@kind("sealed")
class SealedEnd(Event, frozen=True):
    """The record ends here; ``digest`` covers the whole game part of the state."""

    digest: bytes
