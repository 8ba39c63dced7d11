"""What instructions may say: one record for each operation."""

from __future__ import annotations

from cascade_es.values.script.basics import Amount, Changes, Entry, Filter, Until, Zone


class Damage(Entry, frozen=True, kw_only=True, tag_field="do", tag="damage"):
    """This deals damage to objects or players."""

    amount: Amount
    to: str = "target"


class Destroy(Entry, frozen=True, kw_only=True, tag_field="do", tag="destroy"):
    """Destroy permanents (701.8): a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None


class Counter(Entry, frozen=True, kw_only=True, tag_field="do", tag="counter"):
    """Counter spells or abilities on the stack (701.6)."""

    what: str = "target"


class Sacrifice(Entry, frozen=True, kw_only=True, tag_field="do", tag="sacrifice"):
    """You sacrifice permanents that you control (701.21)."""

    what: str = "this"


class Draw(Entry, frozen=True, kw_only=True, tag_field="do", tag="draw"):
    """Players draw cards."""

    who: str = "you"
    amount: Amount = "1"


class Discard(Entry, frozen=True, kw_only=True, tag_field="do", tag="discard"):
    """Players discard cards of their choice."""

    who: str = "you"
    amount: Amount = "1"


class GainLife(Entry, frozen=True, kw_only=True, tag_field="do", tag="gain life"):
    """Players gain life."""

    who: str = "you"
    amount: Amount


class LoseLife(Entry, frozen=True, kw_only=True, tag_field="do", tag="lose life"):
    """Players lose life."""

    who: str = "you"
    amount: Amount


class Search(Entry, frozen=True, kw_only=True, tag_field="do", tag="search"):
    """Search your library for up to ``count`` cards (701.23) and remember them under ``bind``."""

    what: Filter = Filter(is_=("card",))
    count: str = "1"
    bind: str = "found"
    reveal: bool = False


class Put(Entry, frozen=True, kw_only=True, tag_field="do", tag="put"):
    """Put objects into a zone: onto the battlefield, into a hand, on top of a library, …"""

    what: str = "target"
    to: Zone
    tapped: bool = False
    bottom: bool = False
    face_down: bool = False
    transformed: bool = False


class Exile(Entry, frozen=True, kw_only=True, tag_field="do", tag="exile"):
    """Exile objects."""

    what: str = "target"


class Shuffle(Entry, frozen=True, kw_only=True, tag_field="do", tag="shuffle"):
    """Players shuffle their libraries (701.24)."""

    who: str = "you"


class Tap(Entry, frozen=True, kw_only=True, tag_field="do", tag="tap"):
    """Tap permanents."""

    what: str = "target"


class Untap(Entry, frozen=True, kw_only=True, tag_field="do", tag="untap"):
    """Untap permanents."""

    what: str = "target"


class AddMana(Entry, frozen=True, kw_only=True, tag_field="do", tag="add mana"):
    """Add mana: "{G}{G}"; with ``choose``, one of several such texts."""

    mana: str = ""
    choose: tuple[str, ...] = ()
    who: str = "you"


class PutCounters(Entry, frozen=True, kw_only=True, tag_field="do", tag="put counters"):
    """Put counters on permanents."""

    what: str = "target"
    kind: str
    amount: Amount = "1"


class Cascade(Entry, frozen=True, kw_only=True, tag_field="do", tag="cascade"):
    """The procedure of 702.85a, compared with the mana value of this ability's source spell."""


class Let(Entry, frozen=True, kw_only=True, tag_field="do", tag="let"):
    """Remember a number under a name, as it is when the instruction is reached (608.2h)."""

    bind: str
    be: Amount


class Alter(Entry, frozen=True, kw_only=True, tag_field="do", tag="alter"):
    """A continuous effect begins: objects change until something (611.2).

    Which objects it affects, and its numbers, are fixed now (611.2c, 611.2d).
    """

    what: str = "target"
    all: Filter | None = None
    changes: Changes
    until: Until = "end of turn"


class Effect(Entry, frozen=True, kw_only=True, tag_field="do", tag="effect"):
    """An effect begins whose text is one of this face's ``granted`` abilities, by its name.

    It goes on looking at the game, as a static ability does (611.2c): a prohibition, a permission, a
    replacement effect.  ``about`` are the objects that it calls "those".
    """

    ability: str
    about: str = ""
    until: Until = "end of turn"


class Transform(Entry, frozen=True, kw_only=True, tag_field="do", tag="transform"):
    """Transform permanents: their other faces are up (701.27)."""

    what: str = "this"
    all: Filter | None = None


class Flip(Entry, frozen=True, kw_only=True, tag_field="do", tag="flip"):
    """Flip permanents: their alternative halves are what they are from now on (710.4)."""

    what: str = "this"


class TurnFaceDown(Entry, frozen=True, kw_only=True, tag_field="do", tag="turn face down"):
    """Turn permanents face down (708.2)."""

    what: str = "target"


class TurnFaceUp(Entry, frozen=True, kw_only=True, tag_field="do", tag="turn face up"):
    """Turn permanents face up (708.7)."""

    what: str = "target"


class UnlockDoor(Entry, frozen=True, kw_only=True, tag_field="do", tag="unlock"):
    """Unlock a locked half of Rooms, of the controller's choice (709.5f)."""

    what: str = "target"


class Meld(Entry, frozen=True, kw_only=True, tag_field="do", tag="meld"):
    """Exile this permanent and the other one of its pair, if you own and control both; meld them (701.42)."""

    partner: str


class RevealHand(Entry, frozen=True, kw_only=True, tag_field="do", tag="reveal hand"):
    """Players reveal their hands (701.20)."""

    who: str = "you"


class CastNow(Entry, frozen=True, kw_only=True, tag_field="do", tag="cast", rename={"from_": "from"}):
    """A player may cast one of some cards now, while this resolves (608.2g).

    Which cards: a reference, or those in the zone ``from`` of the players ``of``; ``card`` looks at the card
    where it is, ``spell`` at the spell that its part would be (601.3e).  ``exiled``: if the spell would leave
    the stack, it is exiled instead.
    """

    who: str = "you"
    what: str = ""
    from_: Zone | None = None
    of: str = "you"
    card: Filter | None = None
    spell: Filter | None = None
    free: bool = False
    exiled: bool = False
