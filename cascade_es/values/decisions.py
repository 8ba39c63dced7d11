"""What a player, the table or the recorder says: each answers one prompt, or stands at any prompt.

A :class:`Decision` is who says what.  It is recorded with all events that follow from it as one
unit.  Its body is a fact like any other: sealed for the decider where it names a card in a hidden
zone.  Beside the ids the body holds a descriptor of every object it names (name, zone, ordinal), so
that a re-execution on a changed game can find them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeVar

import msgspec

from cascade_es.values.facts import CardRef, Fact
from cascade_es.values.state import Share, Target


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """What is said.  ``standing`` answers are valid at any prompt, from anybody."""

    kind: ClassVar[str]
    standing: ClassVar[bool] = False

    def objects(self) -> tuple[int, ...]:
        """The ids of the objects that it names."""
        return ()


ANSWERS: Final[dict[str, type[Answer]]] = {}
"""Every kind of answer by its name in the log."""


_A = TypeVar("_A", bound=type[Answer])


def _kind(name: str, *, standing: bool = False) -> Callable[[_A], _A]:
    def register(cls: _A) -> _A:
        cls.kind = name
        cls.standing = standing
        ANSWERS[name] = cls
        return cls

    return register


@_kind("pass")
class Pass(Answer, frozen=True):
    """Pass priority (117.3d)."""


@_kind("cast")
class Cast(Answer, frozen=True):
    """Cast a card: which object, which part of it, and by which permission ("" where there is one)."""

    object: int
    part: int = 0
    permission: str = ""

    def objects(self) -> tuple[int, ...]:
        return (self.object,)


@_kind("play-land")
class PlayLand(Answer, frozen=True):
    """Play a land (116.2a): which object, which part of it, and by which permission."""

    object: int
    part: int = 0
    permission: str = ""

    def objects(self) -> tuple[int, ...]:
        return (self.object,)


@_kind("activate")
class ActivateAbility(Answer, frozen=True):
    """Activate an ability of an object; ``ability`` is its index among the object's abilities."""

    object: int
    ability: int = 0

    def objects(self) -> tuple[int, ...]:
        return (self.object,)


@_kind("unlock")
class Unlock(Answer, frozen=True):
    """Unlock a locked half of a Room by paying its mana cost: a special action (116.2, 709.5e)."""

    object: int
    door: int = 0

    def objects(self) -> tuple[int, ...]:
        return (self.object,)


@_kind("choose")
class Choose(Answer, frozen=True):
    """Choose objects, by id."""

    picks: tuple[int, ...] = ()

    def objects(self) -> tuple[int, ...]:
        return self.picks


@_kind("choose-modes")
class Modes(Answer, frozen=True):
    """Choose modes, by index."""

    modes: tuple[int, ...] = ()


@_kind("choose-targets")
class Targets(Answer, frozen=True):
    """Choose targets, each with the instance of "target" (slot) that it is for."""

    targets: tuple[Target, ...] = ()

    def objects(self) -> tuple[int, ...]:
        return tuple(target.object for target in self.targets if target.object)


@_kind("declare-costs")
class Declare(Answer, frozen=True):
    """The value of X, the optional costs to be paid, and the ways of symbols that have several."""

    x: int = 0
    declared: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()


@_kind("divide")
class Divide(Answer, frozen=True):
    """How an effect is divided among the targets, in their order."""

    amounts: tuple[int, ...] = ()


@_kind("order")
class Order(Answer, frozen=True):
    """An order of the things asked about, by id: what comes first is done first."""

    items: tuple[int, ...] = ()


@_kind("pay")
class Pay(Answer, frozen=True):
    """Pay one component: ``part`` -1 is the mana (``units``, by id), else its index (``objects``)."""

    part: int = -1
    units: tuple[int, ...] = ()
    picks: tuple[int, ...] = ()

    def objects(self) -> tuple[int, ...]:
        return self.picks


@_kind("answer")
class YesNo(Answer, frozen=True):
    """Yes or no."""

    yes: bool


@_kind("choose-option")
class Option(Answer, frozen=True):
    """One of several options, by index."""

    index: int


class Attacker(msgspec.Struct, frozen=True, array_like=True):
    """A creature, and what it attacks: a player, or a planeswalker or battle that this player defends."""

    attacker: int
    seat: int
    object: int = 0


@_kind("attack")
class Attack(Answer, frozen=True):
    """Declare attackers (508.1): none, or several."""

    attackers: tuple[Attacker, ...] = ()

    def objects(self) -> tuple[int, ...]:
        named = (handle for item in self.attackers for handle in (item.attacker, item.object) if handle)
        return tuple(dict.fromkeys(named))


class Blocker(msgspec.Struct, frozen=True, array_like=True):
    """A creature, and an attacking creature that it blocks; one that blocks several stands several times."""

    blocker: int
    attacker: int


@_kind("block")
class Block(Answer, frozen=True):
    """Declare blockers (509.1): none, or several."""

    blockers: tuple[Blocker, ...] = ()

    def objects(self) -> tuple[int, ...]:
        named = (handle for item in self.blockers for handle in (item.blocker, item.attacker))
        return tuple(dict.fromkeys(named))


@_kind("assign")
class Assign(Answer, frozen=True):
    """Assign combat damage (510.1): for all creatures whose damage could be assigned in several ways."""

    shares: tuple[Share, ...] = ()

    def objects(self) -> tuple[int, ...]:
        named = (handle for share in self.shares for handle in (share.source, share.object) if handle)
        return tuple(dict.fromkeys(named))


@_kind("decline")
class Decline(Answer, frozen=True):
    """Do not take what is offered."""


@_kind("give-up", standing=True)
class GiveUp(Answer, frozen=True):
    """Give up the action that one has begun; it is reversed."""


@_kind("concede", standing=True)
class Concede(Answer, frozen=True):
    """Concede the game (104.3a)."""


@_kind("comment", standing=True)
class Comment(Answer, frozen=True):
    """Something said for the record."""

    text: str


@_kind("ruling", standing=True)
class Ruling(Answer, frozen=True):
    """A judge or the table rules on something; the text is its ground."""

    text: str


@_kind("table", standing=True)
class Table(Answer, frozen=True):
    """A fact of a real table that the rules did not bring about; it is taken as input.

    ``verb`` is "move", "tap" or "untap" (an object), or "life", "draw" or "shuffle" (a seat and an
    amount), or "end" (the game is a draw).
    """

    verb: str
    object: int = 0
    seat: int = -1
    amount: int = 0
    zone: str = ""

    def objects(self) -> tuple[int, ...]:
        return (self.object,) if self.object else ()


@_kind("contribute", standing=True)
class Contribute(Answer, frozen=True):
    """Add to the seed, before the game is set up: at most 64 bytes that nobody could foresee."""

    value: bytes


class Pile(msgspec.Struct, frozen=True, array_like=True):
    """Cards that start in one zone of one player, top of a library first."""

    seat: int
    zone: str
    cards: tuple[CardRef, ...]
    tapped: tuple[bool, ...] = ()


@_kind("set-up")
class SetUp(Answer, frozen=True):
    """How the game starts: by the recorder.  ``turn`` and ``step`` place a game that is set up midway."""

    life: tuple[int, ...]
    starting: int
    edition: str
    piles: tuple[Pile, ...]
    shuffle: bool = False
    hands: int = 0
    turn: int = 1
    step: str = ""


@_kind("seal", standing=True)
class Seal(Answer, frozen=True):
    """End the record."""


RECORDER: Final = -1
"""The seat of the recorder, who sets a game up and seals its log."""


class Decision(msgspec.Struct, frozen=True):
    """Who says what; with ``insist``, a forbidden action is recorded as an attempt and reversed."""

    seat: int
    answer: Answer
    insist: bool = False


class RecordedDecision(msgspec.Struct, frozen=True, array_like=True):
    """A decision as a log holds it: the body is (the answer's fields, the descriptors of its objects)."""

    seat: int
    kind: str
    insist: bool
    body: Fact
