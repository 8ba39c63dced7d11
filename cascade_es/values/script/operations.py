"""What instructions may say: one record for each operation."""

from __future__ import annotations

from typing import Literal

from cascade_es.values.script.basics import Amount, Changes, Entry, Filter, Until, Zone


class Damage(Entry, frozen=True, kw_only=True, tag_field="do", tag="damage"):
    """This deals damage to objects or players, or ``source`` does; ``prevent: no``: it can't be prevented.

    ``all``: to every permanent that agrees instead.
    """

    amount: Amount
    to: str = "target"
    source: str = "this"
    prevent: bool = True
    all: Filter | None = None


class Destroy(Entry, frozen=True, kw_only=True, tag_field="do", tag="destroy"):
    """Destroy permanents (701.8): a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None
    regenerate: bool = True


class Counter(Entry, frozen=True, kw_only=True, tag_field="do", tag="counter"):
    """Counter spells or abilities on the stack (701.6); a countered card goes to a graveyard or elsewhere."""

    what: str = "target"
    to: Zone = "graveyard"


class Sacrifice(Entry, frozen=True, kw_only=True, tag_field="do", tag="sacrifice"):
    """Players sacrifice permanents that they control (701.21); what was is remembered under ``bind``."""

    what: str = "this"
    who: str = "you"
    bind: str = ""


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
    """Put objects into a zone: onto the battlefield, into a hand, on top of a library, …

    ``under``: under whose control they enter, a player or "owner" (each under its owner's).  ``counter``:
    they enter with such a counter.  ``attacking``: what enters is attacking; its controller chooses what
    (508.4).
    """

    what: str = "target"
    to: Zone
    tapped: bool = False
    bottom: bool = False
    under: str = "you"
    counter: str = ""
    attacking: bool = False
    face_down: bool = False
    transformed: bool = False


class Exile(Entry, frozen=True, kw_only=True, tag_field="do", tag="exile"):
    """Exile objects: a reference, or all that agree with ``all``; they are remembered under ``bind``.

    ``link``: what exiles them remembers them as well, for another ability of it ("exiled with this", 607).
    """

    what: str = "target"
    all: Filter | None = None
    bind: str = ""
    link: bool = False


class Shuffle(Entry, frozen=True, kw_only=True, tag_field="do", tag="shuffle"):
    """Players shuffle their libraries (701.24)."""

    who: str = "you"


class Tap(Entry, frozen=True, kw_only=True, tag_field="do", tag="tap"):
    """Tap permanents: a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None


class Untap(Entry, frozen=True, kw_only=True, tag_field="do", tag="untap"):
    """Untap permanents: a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None


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


class Shield(Entry, frozen=True, kw_only=True, tag_field="do", tag="shield"):
    """A replacement or prevention effect begins, about objects and players, which may be used up (615.7).

    ``ability`` is the name of one of this face's ``granted`` abilities.  ``those`` are references to what it
    protects, ``amount`` how much damage it still prevents or redirects, ``to``
    where it redirects it.  ``source`` is a reference to the
    source it looks at, or a filter with which one is chosen now (609.7).
    """

    ability: str
    those: tuple[str, ...] = ()
    amount: Amount = ""
    to: str = ""
    source: str = ""
    choose: Filter | None = None
    until: Until = "end of turn"


class Regenerate(Entry, frozen=True, kw_only=True, tag_field="do", tag="regenerate"):
    """Regenerate permanents (701.19): each gets a shield until end of turn."""

    what: str = "target"
    all: Filter | None = None


class Mend(Entry, frozen=True, kw_only=True, tag_field="do", tag="mend"):
    """Remove all damage from permanents, tap them, and remove them from combat (701.19a)."""

    what: str = "that"


class Mill(Entry, frozen=True, kw_only=True, tag_field="do", tag="mill"):
    """Players put cards from the top of their libraries into their graveyards (701.17)."""

    who: str = "you"
    amount: Amount = "1"
    bind: str = "milled"


class SetLife(Entry, frozen=True, kw_only=True, tag_field="do", tag="set life"):
    """The life total of players becomes a number: they gain or lose what it takes (119.5)."""

    who: str = "you"
    amount: Amount


class GivePlayerCounters(Entry, frozen=True, kw_only=True, tag_field="do", tag="player counters"):
    """Players get counters."""

    who: str = "you"
    kind: str = "poison"
    amount: Amount = "1"


class Copy(Entry, frozen=True, kw_only=True, tag_field="do", tag="copy"):
    """Copies of spells or abilities are put on the stack (707.10).

    ``what`` are the originals, as they are or last were; ``all`` instead: everything on the stack that
    agrees.  Each player of ``who`` puts ``count`` copies of each there and may choose ``new_targets`` for
    them (707.10c).  ``to`` is what each copy targets (707.10e).  ``each``: one copy for each such object or
    player that the original does not target but could (707.10d).  ``changes`` are exceptions (707.9).
    """

    what: str = "target"
    all: Filter | None = None
    count: Amount = "1"
    who: str = "you"
    new_targets: bool = False
    to: str = ""
    each: Filter | None = None
    changes: Changes | None = None
    bind: str = ""


class ChangeTargets(Entry, frozen=True, kw_only=True, tag_field="do", tag="change targets"):
    """The targets of spells or abilities on the stack are changed (115.7).

    ``how``: "new" (choose new targets: any of them, or none), "all" (each to another legal one, or none),
    "one" (one of them to another legal one), "any" (any of them to other legal ones).  ``to``: what they
    are changed to.  ``who`` chooses.
    """

    what: str = "target"
    how: Literal["new", "all", "one", "any"] = "new"
    to: str = ""
    who: str = "you"


class CopyCard(Entry, frozen=True, kw_only=True, tag_field="do", tag="copy card"):
    """Copies of cards are created in the zones where the cards are, so that they can be cast (707.12)."""

    what: str = "that"
    bind: str = "copies"


class Create(Entry, frozen=True, kw_only=True, tag_field="do", tag="create"):
    """Players create tokens (111.2, 701.7): ``token``, one of those that this face describes, or a ``copy``.

    ``copy`` is a reference to what they are copies of, as it is or last was; ``changes`` are exceptions
    (707.9).  ``to`` is what they enter attached to.  ``who`` creates and owns them.  ``attacking``: they
    enter attacking; their controller chooses what each attacks (508.4).
    """

    token: str = ""
    copy: str = ""
    count: Amount = "1"
    who: str = "you"
    tapped: bool = False
    to: str = ""
    changes: Changes | None = None
    bind: str = "created"
    attacking: bool = False


class BecomeCopy(Entry, frozen=True, kw_only=True, tag_field="do", tag="become copy"):
    """Permanents become copies of another object (707.2), except for ``changes`` (707.9)."""

    what: str = "this"
    all: Filter | None = None
    of: str = "target"
    changes: Changes | None = None
    until: Until = ""


class Choose(Entry, frozen=True, kw_only=True, tag_field="do", tag="choose"):
    """Players choose objects, each in turn order (101.4, 608.2d); they are remembered under ``bind``.

    They choose among the objects that agree with ``what`` ("you" is then who chooses), or among those that
    ``among`` means.  It is no targeting.  ``up_to``: fewer, or none, will do.
    """

    bind: str
    who: str = "you"
    what: Filter | None = None
    among: str = ""
    count: str = "1"
    up_to: bool = False


class ChoosePlayer(Entry, frozen=True, kw_only=True, tag_field="do", tag="choose player"):
    """A player chooses one of several players, who is remembered under ``bind``."""

    bind: str
    who: str = "you"
    among: str = "each opponent"


class Gather(Entry, frozen=True, kw_only=True, tag_field="do", tag="gather"):
    """Remember all objects that agree with a filter now."""

    what: Filter
    bind: str


class Attach(Entry, frozen=True, kw_only=True, tag_field="do", tag="attach"):
    """Attach an Aura, Equipment or Fortification to a permanent, if it can be (701.3)."""

    what: str = "this"
    to: str = "target"


class Win(Entry, frozen=True, kw_only=True, tag_field="do", tag="win"):
    """A player wins the game (104.2b)."""

    who: str = "you"


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


class Lose(Entry, frozen=True, kw_only=True, tag_field="do", tag="lose"):
    """Players lose the game (104.3e)."""

    who: str = "you"


class Later(Entry, frozen=True, kw_only=True, tag_field="do", tag="later"):
    """Create a delayed triggered ability (603.7): one of this face's ``granted`` abilities, by its name.

    ``about`` are the objects that it calls "those", ``amount`` what it calls "that much".  It triggers once,
    or ``each`` time until the duration is over.
    """

    ability: str
    about: str = ""
    amount: Amount | None = None
    each: bool = False
    until: Until = ""


class Reflexive(Entry, frozen=True, kw_only=True, tag_field="do", tag="when done"):
    """ "When you do, …" (603.12): that ability of this face's ``granted`` ones triggers now."""

    ability: str
    about: str = ""
    amount: Amount | None = None


class CastNow(Entry, frozen=True, kw_only=True, tag_field="do", tag="cast", rename={"from_": "from"}):
    """A player may cast one of some cards now, while this resolves (608.2g).

    Which cards: a reference, or those in the zone ``from`` of the players ``of``; ``card`` looks at the card
    where it is, ``spell`` at the spell that its part would be (601.3e).  ``exiled``: if the spell would leave
    the stack, it is exiled instead.  ``most``: how many at most, one after the other, or "any".
    """

    who: str = "you"
    what: str = ""
    from_: Zone | None = None
    of: str = "you"
    card: Filter | None = None
    spell: Filter | None = None
    free: bool = False
    exiled: bool = False
    most: str = "1"


class RemoveFromCombat(Entry, frozen=True, kw_only=True, tag_field="do", tag="remove from combat"):
    """Remove creatures from combat (506.4)."""

    what: str = "target"


class ExtraPhases(Entry, frozen=True, kw_only=True, tag_field="do", tag="extra phases"):
    """After this phase come additional ones (500.8)."""

    phases: tuple[Literal["combat", "main"], ...] = ("combat",)


class ExtraTurn(Entry, frozen=True, kw_only=True, tag_field="do", tag="extra turn"):
    """Players take an extra turn after this one (500.7)."""

    who: str = "you"
