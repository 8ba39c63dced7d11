"""Objects: what was chosen for them, what they copy, what they are, and what is known of those gone (109)."""

from __future__ import annotations

from cascade_es.values.facts import CardRef, Fact
from cascade_es.values.mana import Unit
from cascade_es.values.record import Record


class AbilityRef(Record, frozen=True):
    """Which ability: a card's face and index, or a keyword of one of our tables.

    It names the text, not the object: an ability on the stack outlives its source (113.7a).
    """

    card: Fact
    face: int
    index: int
    keyword: str = ""


class Target(Record, frozen=True):
    """One chosen target: an object by id, or a player by seat; ``slot`` is the instance of "target"."""

    slot: int
    object: int = 0
    seat: int = -1


class Choices(Record, frozen=True):
    """What was announced for an object on the stack; copies take it over as it is (707.10).

    ``part`` is the index of the face, half or part being cast.  ``permission`` names what allows
    the cast ("hand", "cascade", …), ``ground`` the object that grants it (0: the rules).
    ``declared`` are the names of optional costs, ``ways`` how symbols with several ways are paid.
    ``origin`` is the zone it was cast from, ``exiled`` that it is exiled whenever it would leave the stack.
    """

    part: int = 0
    permission: str = ""
    ground: int = 0
    free: bool = False
    limit: int = -1
    modes: tuple[int, ...] = ()
    x: int = -1
    declared: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    division: tuple[int, ...] = ()
    spent: tuple[Unit, ...] = ()
    used: tuple[int, ...] = ()
    cast: bool = False
    origin: str = ""
    exiled: bool = False


class Base(Record, frozen=True):
    """Where an object's copiable values come from, if not from its own card (707.2).

    ``card`` and ``face`` name a face: one of the card's own, or beyond them one of the tokens that its
    faces describe.  ``changes`` are exceptions that are copiable as well (707.9): "it's a 1/1", "except
    it has haste".
    """

    card: Fact
    face: int
    changes: tuple[Alteration, ...] = ()


class Alteration(Record, frozen=True):
    """What an effect changes, with its numbers as they were when they were fixed, layer by layer (613.1).

    None and empty tuples change nothing.  ``control`` is a seat.  ``grants`` are abilities.
    """

    control: int | None = None
    name: str | None = None
    set_types: tuple[str, ...] | None = None
    add_types: tuple[str, ...] = ()
    lose_types: tuple[str, ...] = ()
    add_supertypes: tuple[str, ...] = ()
    lose_supertypes: tuple[str, ...] = ()
    set_subtypes: tuple[str, ...] | None = None
    add_subtypes: tuple[str, ...] = ()
    set_colors: tuple[str, ...] | None = None
    add_colors: tuple[str, ...] = ()
    lose_all: bool = False
    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()
    grants: tuple[AbilityRef, ...] = ()
    base_power: int | None = None
    base_toughness: int | None = None
    power: int = 0
    toughness: int = 0
    switch: bool = False
    cant: tuple[str, ...] = ()
    must: tuple[str, ...] = ()


class Obj(Record, frozen=True):
    """An object (109.1): a card, token or copy in a zone, or a spell or ability on the stack.

    ``id`` is a handle: it tells nothing about the card.  ``source`` and ``ability`` belong to
    abilities; ``about`` is what a triggered ability is about (object ids, seats, amounts).
    ``since`` is the number of the turn since which its controller has controlled it continuously,
    ``event`` the sequence number of the event that made it.  ``base`` is where its copiable values come
    from, if not from its own card.  ``held`` is who would control it without control-changing effects
    (-1: its controller).  ``chosen`` are words chosen as it entered, ``doors`` the unlocked halves of a
    Room, ``others`` the cards besides ``card`` that represent it (712.4: melded).
    """

    id: int
    kind: str
    zone: str
    owner: int
    controller: int
    card: Fact
    face: int = 0
    stamp: int = 0
    since: int = 0
    event: int = 0
    tapped: bool = False
    damage: int = 0
    deathtouched: bool = False
    attached: int = 0
    counters: tuple[tuple[str, int], ...] = ()
    source: int = 0
    ability: AbilityRef | None = None
    about: tuple[int, ...] = ()
    choices: Choices | None = None
    base: Base | None = None
    face_down: bool = False
    held: int = -1
    chosen: tuple[str, ...] = ()
    doors: tuple[int, ...] = ()
    others: tuple[Fact, ...] = ()

    @property
    def ref(self) -> CardRef | None:
        """The card, if we know it."""
        value: CardRef | None = self.card.value if isinstance(self.card.value, CardRef) else None
        return value

    @property
    def you(self) -> int:
        """Who "you" is in its text: its controller, or its owner where nothing has one (108.4a, 109.5)."""
        return self.controller if self.zone in ("battlefield", "stack") else self.owner


class Characteristics(Record, frozen=True):
    """What an object is at one moment (109.3), after everything that applies to it.

    ``names`` are all its names where it has several (709.4a).  ``cant`` and ``must`` are the
    restrictions and requirements that effects put on it.  ``mana_values`` are those of the halves of a
    split card, where an edition compares them one by one.
    """

    name: str = ""
    mana_cost: str | None = None
    mana_value: int = 0
    colors: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    keywords: tuple[str, ...] = ()
    loyalty: int | None = None
    names: tuple[str, ...] = ()
    cant: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    mana_values: tuple[int, ...] = ()


class LastKnown(Record, frozen=True):
    """An object as it last existed in a public zone (608.2h)."""

    object: Obj
    was: Characteristics
    successor: int = 0
