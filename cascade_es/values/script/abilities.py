"""Abilities: triggered, activated, static, and replacement effects (113.3)."""

from __future__ import annotations

from typing import Literal

from cascade_es.values.script.basics import Amount, Changes, Condition, Entry, Filter, Step, Zone
from cascade_es.values.script.costs import CostPart
from cascade_es.values.script.texts import Text


class On(Entry, frozen=True, kw_only=True):
    """The event that an ability triggers on (603.1).

    ``this``: it must happen to the ability's own object.  ``what``: to such an object.  ``who``:
    "you", "opponent" or "" for any player.  ``to``: whom damage is dealt to, ``combat``: whether it is
    combat damage.
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
        "attacks",
        "blocks",
        "becomes blocked",
        "is not blocked",
        "you attack",
        "attacks alone",
        "deals damage",
    ]
    this: bool = False
    what: Filter | None = None
    who: Literal["", "you", "opponent"] = ""
    step: Step | None = None
    to: Filter | None = None
    combat: bool | None = None


class Triggered(Entry, frozen=True, kw_only=True, tag_field="ability", tag="triggered"):
    """When/Whenever/At … [, if …], … (603.1)."""

    when: On
    condition: Condition | None = None
    text: Text
    name: str = ""
    zones: tuple[Zone, ...] = ()


class Activated(Entry, frozen=True, kw_only=True, tag_field="ability", tag="activated"):
    """Cost: effect (602.1).  Whether it is a mana ability follows from 605.1a."""

    cost: tuple[CostPart, ...]
    text: Text
    sorcery_speed: bool = False
    name: str = ""
    zones: tuple[Zone, ...] = ()


class Combat(Entry, frozen=True, kw_only=True):
    """What a static ability says about declaring attackers or blockers (508.1, 509.1).

    Whom it speaks of: ``this`` creature, the one this is ``attached`` to, ``those`` that an effect is
    about, creatures that agree with ``what``, or all.  ``against``: only of attacks on "you", on "you or
    yours" (your planeswalkers too), or on "others" (players that are not you).
    ``cost``: mana that must be paid for each of them.  ``most``: no more of them than this.  ``cant``: none.
    ``must``: they attack so if able.
    Of blocks: ``by``: they cannot be blocked by such creatures; ``least``: nor by fewer than this;
    ``only``: they can block only such creatures; ``additional``: they can block so many more ("any").
    """

    on: Literal["attack", "block"]
    this: bool = False
    attached: bool = False
    what: Filter | None = None
    against: Literal["", "you", "you or yours", "others"] = ""
    cost: str = ""
    most: str = ""
    by: Filter | None = None
    least: str = ""
    only: Filter | None = None
    additional: str = ""
    those: bool = False
    cant: bool = False
    must: bool = False


class Static(Entry, frozen=True, kw_only=True, tag_field="ability", tag="static"):
    """A statement that is simply true (604.1): it creates continuous effects while it functions.

    What it changes: ``this`` object, what this is ``attached`` to, "``those``" that the effect is about,
    or all objects that agree with ``what``.  ``zones`` are where it functions ("battlefield" if none are
    given).  ``defining`` marks a characteristic-defining ability, which functions everywhere (604.3).
    ``combat`` is what it says about declaring attackers or blockers.
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
    combat: Combat | None = None


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


Ability = Triggered | Activated | Static | CostChange
