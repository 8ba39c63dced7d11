"""The game at one point: immutable, a fold of events.

A state has two parts.  The *game* is all that a reversal restores; the *ledger* (next id, next
timestamp, draw counters, who has seen what) only grows, so that no id is ever used twice in a log.
States share whatever did not change; a step costs a few hundred bytes.
"""

from __future__ import annotations

from immutables import Map

from cascade_es.values.asking import AskingData as AskingData
from cascade_es.values.combat import Attack as Attack
from cascade_es.values.combat import AttackingData as AttackingData
from cascade_es.values.combat import Block as Block
from cascade_es.values.combat import BlockingData as BlockingData
from cascade_es.values.combat import DealingData as DealingData
from cascade_es.values.combat import Fight as Fight
from cascade_es.values.combat import Share as Share
from cascade_es.values.facts import NOTHING, CardRef, Contributions, Fact
from cascade_es.values.frames import CascadingData as CascadingData
from cascade_es.values.frames import CastingData as CastingData
from cascade_es.values.frames import Frame as Frame
from cascade_es.values.frames import ManaData as ManaData
from cascade_es.values.frames import OfferingData as OfferingData
from cascade_es.values.frames import Part as Part
from cascade_es.values.frames import PayingData as PayingData
from cascade_es.values.frames import PriorityData as PriorityData
from cascade_es.values.frames import ResolvingData as ResolvingData
from cascade_es.values.frames import ReversingData as ReversingData
from cascade_es.values.frames import SpecialData as SpecialData
from cascade_es.values.frames import StackingData as StackingData
from cascade_es.values.mana import Unit
from cascade_es.values.objects import AbilityRef as AbilityRef
from cascade_es.values.objects import Alteration as Alteration
from cascade_es.values.objects import Base as Base
from cascade_es.values.objects import Characteristics as Characteristics
from cascade_es.values.objects import Choices as Choices
from cascade_es.values.objects import LastKnown as LastKnown
from cascade_es.values.objects import Obj as Obj
from cascade_es.values.objects import Target as Target
from cascade_es.values.record import Record

# ---------------------------------------------------------------------------------------- players


class Player(Record, frozen=True):
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


class Turn(Record, frozen=True):
    """Where in the turn structure the game is (500.1)."""

    number: int = 0
    active: int = 0
    step: str = ""


# ------------------------------------------------------------------------- triggers and effects


class Pending(Record, frozen=True):
    """A triggered ability that waits to be put on the stack (603.3)."""

    id: int
    ability: AbilityRef
    source: int
    controller: int
    about: tuple[int, ...] = ()
    event: int = 0


class Effect(Record, frozen=True):
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


class Delayed(Record, frozen=True):
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


class Link(Record, frozen=True):
    """One object refers to others: cards exiled with it, and so on (607)."""

    source: int
    objects: tuple[int, ...]
    role: str


class Pause(Record, frozen=True):
    """A step of the rules that waits for choices: the answers so far, and the decision it began with.

    The step has not happened yet.  When all has been chosen it is taken as a whole (616.1).
    """

    answers: tuple[Fact, ...] = ()
    held: Fact = NOTHING


class Deed(Record, frozen=True):
    """One line of the turn's history, which rules query: who did what with which object."""

    kind: str
    player: int
    object: int
    event: int


# ----------------------------------------------------------------------------------- the whole


class Seat(Record, frozen=True):
    """A seat of the game: the player's name, and the sizes of what was brought."""

    name: Fact
    deck: int = 0


class Game(Record, frozen=True):
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


class Group(Record, frozen=True):
    """Cards that seats know to be among ``size`` ids from ``first`` on.

    Each group is true by itself: two groups of the same ids may mean the same card.
    """

    seats: int
    first: int
    size: int
    cards: tuple[CardRef, ...]


class Mix(Record, frozen=True):
    """The cards of a hidden zone got the ids from ``first`` on; ``origin`` are their ids before, sealed."""

    first: int
    size: int
    origin: Fact


class Ledger(Record, frozen=True):
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
        return self.mixed(handle) or self.aliases.get(handle, 0)

    def mixed(self, handle: int) -> int:
        """The id that a card had before its zone got fresh ids, in which it stayed; 0 if we do not know."""
        for mix in self.mixes:
            if mix.first <= handle < mix.first + mix.size:
                return mix.origin.value[handle - mix.first] if mix.origin.known else 0
        return 0


class State(Record, frozen=True):
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
