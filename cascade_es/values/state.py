"""The game at one point: immutable, a fold of events.

A state has two parts.  The *game* is all that a reversal restores; the *ledger* (next id, next
timestamp, draw counters, who has seen what) only grows, so that no id is ever used twice in a log.
States share whatever did not change; a step costs a few hundred bytes.
"""

from __future__ import annotations

from typing import Any

import msgspec
from immutables import Map

from cascade_es.values.combat import Attack as Attack
from cascade_es.values.combat import AttackingData as AttackingData
from cascade_es.values.combat import Block as Block
from cascade_es.values.combat import BlockingData as BlockingData
from cascade_es.values.combat import DealingData as DealingData
from cascade_es.values.combat import Fight as Fight
from cascade_es.values.combat import Share as Share
from cascade_es.values.facts import NOTHING, CardRef, Contributions, Fact
from cascade_es.values.mana import Price, Unit


class _Record(msgspec.Struct, frozen=True, array_like=True):
    """The settings common to all values that states and events are made of."""


# ---------------------------------------------------------------------------------------- objects


class AbilityRef(_Record, frozen=True):
    """Which ability: a card's face and index, or a keyword of one of our tables.

    It names the text, not the object: an ability on the stack outlives its source (113.7a).
    """

    card: Fact
    face: int
    index: int
    keyword: str = ""


class Target(_Record, frozen=True):
    """One chosen target: an object by id, or a player by seat; ``slot`` is the instance of "target"."""

    slot: int
    object: int = 0
    seat: int = -1


class Choices(_Record, frozen=True):
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


class Base(_Record, frozen=True):
    """Where an object's copiable values come from, if not from its own card (707.2).

    ``card`` and ``face`` name a face: one of the card's own, or beyond them one of the tokens that its
    faces describe.  ``changes`` are exceptions that are copiable as well (707.9): "it's a 1/1", "except
    it has haste".
    """

    card: Fact
    face: int
    changes: tuple[Alteration, ...] = ()


class Alteration(_Record, frozen=True):
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


class Obj(_Record, frozen=True):
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


class Characteristics(_Record, frozen=True):
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


class LastKnown(_Record, frozen=True):
    """An object as it last existed in a public zone (608.2h)."""

    object: Obj
    was: Characteristics
    successor: int = 0


# ---------------------------------------------------------------------------------------- players


class Player(_Record, frozen=True):
    """A player's part of the game.  Zones list object ids; a library begins at its top.

    While a library is being searched, ``library`` lists it in an order that says nothing, and
    ``order`` holds the ids from the top down, sealed.  ``began`` is the number of the turn that the
    player began last, which decides about summoning sickness (302.6).
    """

    seat: int
    life: int
    library: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    graveyard: tuple[int, ...] = ()
    pool: tuple[Unit, ...] = ()
    lands: int = 0
    poison: int = 0
    lost: str = ""
    began: int = 0
    drew_from_empty: bool = False
    order: Fact = NOTHING
    counters: tuple[tuple[str, int], ...] = ()


class Turn(_Record, frozen=True):
    """Where in the turn structure the game is (500.1)."""

    number: int = 0
    active: int = 0
    step: str = ""


# ------------------------------------------------------------------------- triggers and effects


class Pending(_Record, frozen=True):
    """A triggered ability that waits to be put on the stack (603.3)."""

    id: int
    ability: AbilityRef
    source: int
    controller: int
    about: tuple[int, ...] = ()
    event: int = 0


class Effect(_Record, frozen=True):
    """An effect that a resolution (or the rules) began (611.2, 614): its objects, until when.

    ``alter`` is what it changes of ``objects``, both fixed when it began; ``ability`` is the text of an
    effect that goes on looking at the game.  ``about`` are the objects that such a text calls "those",
    or what it has left (the damage that a shield still prevents).  ``terms`` are what else a shield speaks
    of, in words (:meth:`named`).  ``base`` is what a copy effect makes of its objects.
    """

    id: int
    sort: str
    source: int
    controller: int
    stamp: int
    duration: str
    objects: tuple[int, ...] = ()
    terms: tuple[str, ...] = ()
    ability: AbilityRef | None = None
    alter: Alteration | None = None
    about: tuple[int, ...] = ()
    base: Base | None = None

    def named(self, word: str) -> tuple[int, ...]:
        """The ids or seats behind a word among its ``terms``: "source 12", "to 7", "to player 0"."""
        found = (term.rpartition(" ") for term in self.terms)
        return tuple(int(number) for name, _, number in found if name == word and number.isdigit())


class Delayed(_Record, frozen=True):
    """A delayed triggered ability (603.7): ``once`` unless it lasts until something (``until``).

    ``about`` are the objects that it calls "those", ``amount`` what it calls "that much".
    """

    id: int
    ability: AbilityRef
    source: int
    controller: int
    about: tuple[int, ...] = ()
    once: bool = True
    until: str = ""
    amount: int = 0


class Link(_Record, frozen=True):
    """One object refers to others: cards exiled with it, and so on (607)."""

    source: int
    objects: tuple[int, ...]
    role: str


class Pause(_Record, frozen=True):
    """A step of the rules that waits for choices: the answers so far, and the decision it began with.

    The step has not happened yet.  When all has been chosen it is taken as a whole (616.1).
    """

    answers: tuple[Fact, ...] = ()
    held: Fact = NOTHING


class Deed(_Record, frozen=True):
    """One line of the turn's history, which rules query: who did what with which object."""

    kind: str
    player: int
    object: int
    event: int


# --------------------------------------------------------------------------------------- frames


class PriorityData(_Record, frozen=True):
    """Who has or last had priority, how many players have passed in succession, and what came last.

    ``after`` is "begun", "pass", "action" or "resolution": who receives priority next depends on it
    (117.3).
    """

    player: int
    passes: int = 0
    after: str = "begun"


class Part(_Record, frozen=True):
    """One non-mana component of a locked total cost: what must be done, how often, and with what.

    ``path`` finds its text: where the cost is written (the card's additional costs, an activated
    ability's cost) and its index there.
    """

    kind: str
    amount: int
    path: tuple[int, ...]
    random: bool = False


class CastingData(_Record, frozen=True):
    """A spell or ability being put on the stack; what is chosen for it stands on the object."""

    player: int
    object: int
    had_priority: bool
    price: Price | None = None
    parts: tuple[Part, ...] = ()
    drawn: tuple[int, ...] = ()


class PayingData(_Record, frozen=True):
    """What is left to pay of a locked total cost, and what has been paid."""

    player: int
    object: int
    price: Price
    parts: tuple[Part, ...]
    used: tuple[int, ...] = ()


class ManaData(_Record, frozen=True):
    """A mana ability being activated: it does not use the stack (605.3b)."""

    player: int
    source: int
    ability: AbilityRef


class SpecialData(_Record, frozen=True):
    """A special action being taken: it does not use the stack (116.1)."""

    player: int
    object: int
    action: str
    index: int


class StackingData(_Record, frozen=True):
    """Waiting triggers being put on the stack; ``order`` is what is left, by pending id."""

    order: tuple[int, ...] = ()
    object: int = 0


class ResolvingData(_Record, frozen=True):
    """A running effect: where in its script it is, and what it has bound so far."""

    object: int
    path: tuple[int, ...] = (0,)
    bound: tuple[tuple[str, tuple[int, ...]], ...] = ()
    legal: tuple[bool, ...] = ()

    def values(self, name: str) -> tuple[int, ...] | None:
        """What a name is bound to."""
        for key, value in self.bound:
            if key == name:
                return value
        return None


class CascadingData(_Record, frozen=True):
    """One resolving cascade: the limit, the pile exiled so far, and the card it stopped at."""

    player: int
    object: int
    limit: int
    pile: tuple[int, ...] = ()
    hit: int = 0


class OfferingData(_Record, frozen=True):
    """Cards that a player may cast while something resolves, and where in its script that stands."""

    player: int
    object: int
    cards: tuple[int, ...]
    path: tuple[int, ...]
    most: int = 1


class AskingData(_Record, frozen=True):
    """A choice in the middle of a step: who makes it, among what, and how many.

    ``sort`` is the kind of prompt ("choose", "option", "order", "yes-no"); what is chosen from are
    ``objects``, or else ``words``.
    """

    player: int
    sort: str
    question: str
    objects: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    least: int = 1
    most: int = 1


class ReversingData(_Record, frozen=True):
    """An action found illegal: where to return to, and why."""

    mark: int
    rule: str
    reason: str
    player: int


class Frame(_Record, frozen=True):
    """One running procedure: its machine's name, that machine's state, its data.

    ``mark`` is the sequence number just before it began, ``event`` that of the event that began it.
    """

    machine: str
    state: str
    mark: int
    data: Any
    event: int = 0


# ----------------------------------------------------------------------------------- the whole


class Seat(_Record, frozen=True):
    """A seat of the game: the player's name, and the sizes of what was brought."""

    name: Fact
    deck: int = 0


class Game(_Record, frozen=True):
    """All that a reversal restores.

    ``ahead`` are the steps with which the next phases begin, and ``turns`` who takes the next turns, where
    effects have added some (500.7, 500.8); the last entry is where the game goes on as usual.
    """

    players: tuple[Player, ...] = ()
    battlefield: tuple[int, ...] = ()
    stack: tuple[int, ...] = ()
    exile: tuple[int, ...] = ()
    command: tuple[int, ...] = ()
    objects: Map[int, Obj] = Map()
    turn: Turn = Turn()
    frames: tuple[Frame, ...] = ()
    pending: tuple[Pending, ...] = ()
    delayed: tuple[Delayed, ...] = ()
    effects: tuple[Effect, ...] = ()
    links: tuple[Link, ...] = ()
    last_known: Map[int, LastKnown] = Map()
    history: tuple[Deed, ...] = ()
    last_turn: tuple[Deed, ...] = ()
    winners: tuple[int, ...] | None = None
    combat: tuple[Attack, ...] = ()
    pause: Pause | None = None
    fight: Fight | None = None
    ahead: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


class Group(_Record, frozen=True):
    """Cards that seats know to be among ``size`` ids from ``first`` on.

    Each group is true by itself: two groups of the same ids may mean the same card.
    """

    seats: int
    first: int
    size: int
    cards: tuple[CardRef, ...]


class Mix(_Record, frozen=True):
    """The cards of a hidden zone got the ids from ``first`` on; ``origin`` are their ids before, sealed."""

    first: int
    size: int
    origin: Fact


class Ledger(_Record, frozen=True):
    """What only grows: never restored by a reversal.

    ``edition`` is the date of the rules in force; ``seq`` the number of events so far; ``draws``
    counts the random draws, and ``contributions`` is what seats added to the seed.  ``knowledge``
    maps the id of a card in a hidden zone to the seats (a bit mask) that have seen what it is, and
    ``groups`` holds runs of ids (first and length) of which seats know some of the cards, but not
    which is which.  ``aliases`` leads from an id of this turn to the id that the same card publicly
    had before, and ``mixes`` are the times that a hidden zone got fresh ids this turn: which is which
    is sealed there.
    """

    edition: str = ""
    seq: int = 0
    next_id: int = 1
    next_stamp: int = 1
    draws: int = 0
    contributions: Contributions = ()
    knowledge: Map[int, int] = Map()
    groups: tuple[Group, ...] = ()
    aliases: Map[int, int] = Map()
    mixes: tuple[Mix, ...] = ()
    sealed: bool = False

    def former(self, handle: int) -> int:
        """The id that the same card had just before this one, as far as we know it; 0 if we do not."""
        for mix in self.mixes:
            if mix.first <= handle < mix.first + mix.size:
                return mix.origin.value[handle - mix.first] if mix.origin.known else 0
        return self.aliases.get(handle, 0)


class State(_Record, frozen=True):
    """The game at one point."""

    game: Game = Game()
    ledger: Ledger = Ledger()

    @property
    def frame(self) -> Frame:
        """The procedure that is running: the top frame."""
        return self.game.frames[-1]

    def object(self, handle: int) -> Obj:
        """The object with this handle.

        Raises:
            KeyError: when no object has it now.
        """
        return self.game.objects[handle]

    def player(self, seat: int) -> Player:
        """The player in this seat."""
        return self.game.players[seat]

    def zone(self, name: str, seat: int = 0) -> tuple[int, ...]:
        """The ids in a zone; ``seat`` matters for libraries, hands and graveyards."""
        if name in ("library", "hand", "graveyard"):
            return getattr(self.game.players[seat], name)  # type: ignore[no-any-return]
        return getattr(self.game, name)  # type: ignore[no-any-return]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.winners is not None
