"""Abilities: triggered, activated, static, and replacement effects (113.3)."""

from __future__ import annotations

from typing import Literal

from cascade_es.values.script.basics import Amount, Changes, Condition, Entry, Filter, Step, Zone
from cascade_es.values.script.costs import CostPart
from cascade_es.values.script.texts import Text


class On(Entry, frozen=True, kw_only=True):
    """The event that an ability triggers on (603.1).

    ``this``: it must happen to the ability's own object.  ``what``: to such an object.  ``who``:
    "you", "opponent" or "" for any player.
    """

    event: Literal[
        "cast",
        "enters",
        "dies",
        "leaves",
        "shuffles",
        "draws",
        "step",
        "becomes target",
        "taps",
        "unlocks",
        "transforms",
        "turned face up",
        "turned face down",
    ]
    this: bool = False
    what: Filter | None = None
    who: Literal["", "you", "opponent"] = ""
    step: Step | None = None


class Triggered(Entry, frozen=True, kw_only=True, tag_field="ability", tag="triggered"):
    """When/Whenever/At … [, if …], … (603.1)."""

    when: On
    condition: Condition | None = None
    text: Text
    name: str = ""
    zones: tuple[Zone, ...] = ()


class Activated(Entry, frozen=True, kw_only=True, tag_field="ability", tag="activated"):
    """Cost: effect (602.1).  Whether it is a mana ability follows from 605.1a.

    ``only``: the condition under which it may be activated (602.5b, 602.5e).
    """

    cost: tuple[CostPart, ...]
    text: Text
    sorcery_speed: bool = False
    name: str = ""
    zones: tuple[Zone, ...] = ()
    only: Condition | None = None


class Static(Entry, frozen=True, kw_only=True, tag_field="ability", tag="static"):
    """A statement that is simply true (604.1): it creates continuous effects while it functions.

    What it changes: ``this`` object, what this is ``attached`` to, "``those``" that the effect is about,
    or all objects that agree with ``what``.  ``zones`` are where it functions ("battlefield" if none are
    given).  ``defining`` marks a characteristic-defining ability, which functions everywhere (604.3).
    """

    name: str = ""
    this: bool = False
    attached: bool = False
    those: bool = False
    what: Filter | None = None
    changes: Changes = Changes()
    condition: Condition | None = None
    zones: tuple[Zone, ...] = ()
    defining: bool = False


class CostChange(Entry, frozen=True, kw_only=True, tag_field="ability", tag="cost"):
    """A statement that spells or abilities cost more or less, or at least so much (118.7, 601.2f).

    ``what`` looks at the spell or ability as it is on the stack; ``this``: only this very spell.  ``who``
    casts or activates it, ``origin`` names the zones it is cast from.  ``more`` and ``less`` are mana
    costs, each ``times`` a number; ``least`` is the least total mana, judged when all else is done.
    """

    name: str = ""
    what: Filter = Filter(is_=("spell",))
    this: bool = False
    who: Literal["", "you", "opponent"] = ""
    origin: tuple[Zone, ...] = ()
    more: str = ""
    less: str = ""
    times: Amount = "1"
    least: str = ""
    condition: Condition | None = None
    zones: tuple[Zone, ...] = ()


class Permission(
    Entry, frozen=True, kw_only=True, tag_field="ability", tag="permission", rename={"from_": "from"}
):
    """A statement that players may cast spells or play lands which they otherwise could not (601.3, 305).

    ``allow``: what may be done: "cast", "play land", "play" (either), "cast as though it had flash", or
    "additional land" (one more land each turn, where lands may be played anyway).  ``who`` may do it.
    From where: ``this`` card, "``those``" cards that the effect is about, those that this object remembers
    (``linked``: exiled with it, 607), or any card in the zone ``from``
    ("library" is its top card) of the player ``of``.  Two filters: ``card`` looks at the card where it is,
    ``what`` at the spell or land that it would be (601.3e).  ``free``: without paying its mana cost;
    ``once``: once each turn; ``exiled``: if it would leave the stack, it is exiled instead.  ``knowing``:
    the top card of the library is "revealed" to all, or may be "looked at" by whoever has the permission.
    """

    name: str = ""
    allow: Literal["", "cast", "play", "play land", "cast as though it had flash", "additional land"] = ""
    who: Literal["", "you", "opponent"] = "you"
    this: bool = False
    those: bool = False
    from_: Zone | None = None
    of: Literal["", "you", "opponent"] = "you"
    card: Filter | None = None
    what: Filter | None = None
    free: bool = False
    once: bool = False
    exiled: bool = False
    linked: bool = False
    knowing: Literal["", "revealed", "looked at"] = ""
    condition: Condition | None = None
    zones: tuple[Zone, ...] = ()


class Prohibition(
    Entry, frozen=True, kw_only=True, tag_field="ability", tag="prohibition", rename={"from_": "from"}
):
    """A statement that players can't do something, whatever allows it (101.2, 601.3, 305.2b, 602.5).

    ``forbid``: "cast", "play land", "activate".  ``who`` can't.  ``what`` looks at the spell or land that it
    would be, or at the source of the ability; ``card`` at the card where it is.  ``this`` or "``those``"
    objects, objects in the zones ``from``, or spells with the word ``chosen`` for this as their name.
    ``more_than``: only beyond so many spells of this sort in a turn.  ``except_mana``: mana abilities can be
    activated all the same.  ``unless``: not when a sorcery could be cast.
    """

    name: str = ""
    forbid: tuple[Literal["cast", "play land", "activate"], ...] = ("cast",)
    who: Literal["", "you", "opponent"] = ""
    this: bool = False
    those: bool = False
    from_: tuple[Zone, ...] = ()
    card: Filter | None = None
    what: Filter | None = None
    chosen: bool = False
    more_than: str = ""
    except_mana: bool = False
    unless: Literal["", "sorcery time"] = ""
    condition: Condition | None = None
    zones: tuple[Zone, ...] = ()


Ability = Triggered | Activated | Static | CostChange | Permission | Prohibition
