"""What instructions may say: one record for each operation."""

from __future__ import annotations

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


class Exile(Entry, frozen=True, kw_only=True, tag_field="do", tag="exile"):
    """Exile objects: a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None


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
