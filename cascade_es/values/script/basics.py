"""What every part of a script is made of: words, filters, targets, numbers, conditions."""

from __future__ import annotations

from typing import Literal

import msgspec

Zone = Literal["library", "hand", "battlefield", "graveyard", "stack", "exile", "command"]
Step = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The settings common to all records of a script."""


class Filter(Entry, frozen=True, kw_only=True, rename={"is_": "is"}):
    """Which objects or players: every given field must agree; within one field any entry may.

    ``is``: "permanent" (the default), "spell", "ability", "card", "player".
    ``types``, ``supertypes``, ``subtypes``, ``colors``: one of these; ``not_types``, ``not_colors``,
    ``not_supertypes``: none of these; ``all_types``: every one.  ``controller``: "you" or "opponent",
    ``zone``: where a "card" is.  ``mana_value``: "3", "<=3" or ">=3".  ``other``: not this object.
    ``any``: alternatives, one of which must agree as well.  ``counter``: it has such a counter.
    ``cast``: it is, or came from, a spell that was cast.  ``this``: it is this object itself.
    ``shares_color``: it has a colour in common with this object.  Of spells and abilities: ``targets``: one
    of their targets is such; ``targets_only``: they target just one object or player, which is such;
    ``target_count``: how many targets they have.  ``same_name``: it has a name in common with such an object.
    ``did``: it "attacked", "blocked" or dealt "combat-damage" this turn.
    """

    is_: tuple[Literal["permanent", "spell", "ability", "card", "player"], ...] = ("permanent",)
    types: tuple[str, ...] = ()
    all_types: tuple[str, ...] = ()
    not_types: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    not_supertypes: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    not_colors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    name: str = ""
    controller: Literal["", "you", "opponent"] = ""
    zone: Zone | None = None
    mana_value: str = ""
    power: str = ""
    tapped: bool | None = None
    other: bool = False
    any: tuple[Filter, ...] = ()
    toughness: str = ""
    token: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    not_subtypes: tuple[str, ...] = ()
    not_keywords: tuple[str, ...] = ()
    counter: str = ""
    cast: bool | None = None
    this: bool = False
    shares_color: bool = False
    targets: Filter | None = None
    targets_only: Filter | None = None
    target_count: str = ""
    same_name: Filter | None = None
    did: Literal["", "attacked", "blocked", "combat-damage"] = ""


Deeds = Literal[
    "", "spell-cast", "ability-activated", "land-played", "died", "attacked", "blocked", "combat-damage"
]
"""What the history of a turn knows to have happened."""


class Count(Entry, frozen=True, kw_only=True):
    """A number that the game decides: ``times`` the number of objects that agree with ``of``, ``plus`` more.

    ``deeds`` counts what has happened this turn instead, done by the player that ``by`` names ("" for any),
    with objects that agree with ``matching``, ``before`` a spell.  "attacked", "blocked" and "combat-damage"
    count the creatures that did so.  ``paid``: how often that optional cost was paid.
    """

    of: Filter | None = None
    deeds: Deeds = ""
    by: Literal["", "you", "opponent"] = ""
    times: str = "1"
    plus: str = "0"
    matching: Filter | None = None
    before: str = ""
    paid: str = ""


Amount = str | Count
"""A number: written, named, or counted."""


class Target(Entry, frozen=True, kw_only=True):
    """One instance of the word "target" (601.2c): how many, and of what.

    ``least`` is the least number where it is neither ``count`` nor none ("one or two").  ``paid``
    names an optional cost: without it the instance asks for no target (601.2c, 702.33g).  ``another``:
    nothing that is a target of an earlier instance ("any other target").
    """

    what: Filter = Filter()
    count: str = "1"
    up_to: bool = False
    least: str = ""
    paid: str = ""
    another: bool = False


# ----------------------------------------------------------------------------------- conditions


class Condition(Entry, frozen=True, kw_only=True):
    """A yes/no question about the game: every given field must hold.

    ``paid``: that additional cost was declared.  ``controls``/``count``: you control at least that
    many.  ``active``: whose turn it is.  ``steps``: the step is one of these.  ``delirium``: four card
    types among cards in your graveyard.  ``at_least``: that number is at least ``number``.  ``exists``:
    what this reference means is still there, and agrees with ``matches``.  ``cast``: this was cast.
    ``spent``: such mana was spent to cast this ("{R}{R}").
    """

    paid: str = ""
    controls: Filter | None = None
    count: str = "1"
    active: Literal["", "you", "opponent"] = ""
    steps: tuple[Step, ...] = ()
    delirium: bool = False
    negate: bool = False
    at_least: Amount | None = None
    number: str = "1"
    exists: str = ""
    matches: Filter | None = None
    cast: bool | None = None
    spent: str = ""


Until = Literal[
    "",
    "end of turn",
    "end of combat",
    "your next turn",
    "this leaves",
    "you lose control of this",
]
"""How long an effect lasts; "" is for the rest of the game (611.2a)."""


Cant = Literal[
    "attack",
    "attack alone",
    "block",
    "block alone",
    "be blocked",
    "be blocked by two",
    "be countered",
    "activate",
    "untap",
    "have its damage prevented",
]
"""What an object can't do, or can't have done to it; of "untap": in the untap step."""

Must = Literal["attack", "block", "be blocked", "be blocked by all"]
"""What a creature must do, or must have done to it, if able (508.1d, 509.1c)."""


class Changes(Entry, frozen=True, kw_only=True):
    """What a continuous effect changes, written by layer (613.1).

    ``control``: who controls it, a reference to a player.  ``set_*`` replaces, ``add_*`` adds,
    ``lose_*`` takes away.  ``gain`` and ``lose`` are keywords, ``grant`` names of this face's ``granted``
    abilities, ``lose_all``: all abilities.  ``base_power`` and ``base_toughness`` set (613.4b), ``power``
    and ``toughness`` are added (613.4c): "+2", "-1", "X", or a number that the game decides.
    ``cant`` and ``must`` are restrictions and requirements.
    """

    control: str = ""
    name: str = ""
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
    grant: tuple[str, ...] = ()
    base_power: Amount | None = None
    base_toughness: Amount | None = None
    power: Amount = "0"
    toughness: Amount = "0"
    switch: bool = False
    cant: tuple[Cant, ...] = ()
    must: tuple[Must, ...] = ()
