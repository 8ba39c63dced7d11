"""What a card does, as data: the script language.

A script is a tree of frozen records.  It is read from YAML (every scalar a string), checked against
the types below, and pinned in a log by its digest.  Nothing here executes: the rules read it.

Three small notations are strings inside it:

* a *number*: ``"4"``, or the name of a value: ``"X"``, or a name bound by an earlier operation;
* a *reference*: ``"this"``, ``"you"``, ``"opponent"``, ``"each player"``, ``"each opponent"``,
  ``"that player"`` (whom a trigger event is about),
  ``"target"`` (the first instance of the word), ``"target 2"``, ``"controller of target"``, or a
  bound name;
* a *type line*, *mana cost* or *keyword* as the Comprehensive Rules write them.

The language grows by additions only: new operations, new optional fields.
"""

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


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The settings common to all records of a script."""


class Filter(_Part, frozen=True, kw_only=True, rename={"is_": "is"}):
    """Which objects or players: every given field must agree; within one field any entry may.

    ``is``: "permanent" (the default), "spell", "ability", "card", "player".
    ``types``, ``supertypes``, ``subtypes``, ``colors``: one of these; ``not_types``, ``not_colors``,
    ``not_supertypes``: none of these; ``all_types``: every one.  ``controller``: "you" or "opponent",
    ``zone``: where a "card" is.  ``mana_value``: "3", "<=3" or ">=3".  ``other``: not this object.
    ``any``: alternatives, one of which must agree as well.
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


class Target(_Part, frozen=True, kw_only=True):
    """One instance of the word "target" (601.2c): how many, and of what.

    ``least`` is the least number where it is neither ``count`` nor none ("one or two").  ``paid``
    names an optional cost: without it the instance asks for no target (601.2c, 702.33g).
    """

    what: Filter = Filter()
    count: str = "1"
    up_to: bool = False
    least: str = ""
    paid: str = ""


# ---------------------------------------------------------------------------------------- costs


class PayMana(_Part, frozen=True, kw_only=True, tag_field="pay", tag="mana"):
    """Mana, written as a mana cost."""

    mana: str


class PayTap(_Part, frozen=True, kw_only=True, tag_field="pay", tag="tap"):
    """{T}: tap this permanent."""


class PayLife(_Part, frozen=True, kw_only=True, tag_field="pay", tag="life"):
    """Pay life."""

    amount: str


class PaySacrifice(_Part, frozen=True, kw_only=True, tag_field="pay", tag="sacrifice"):
    """Sacrifice this permanent, or chosen ones that agree with the filter."""

    this: bool = False
    what: Filter = Filter()
    count: str = "1"


class PayDiscard(_Part, frozen=True, kw_only=True, tag_field="pay", tag="discard"):
    """Discard chosen cards."""

    what: Filter = Filter(is_=("card",))
    count: str = "1"


class PayReveal(_Part, frozen=True, kw_only=True, tag_field="pay", tag="reveal"):
    """Reveal a card from hand that agrees with the filter."""

    what: Filter = Filter(is_=("card",))


CostPart = PayMana | PayTap | PayLife | PaySacrifice | PayDiscard | PayReveal


class AdditionalCost(_Part, frozen=True, kw_only=True):
    """An additional cost (118.8): mandatory unless ``optional``; with ``either``, one of several.

    A declared optional cost is known to the script by its ``name`` ("kicker").
    """

    name: str = ""
    optional: bool = False
    cost: tuple[CostPart, ...] = ()
    either: tuple[tuple[CostPart, ...], ...] = ()


# ----------------------------------------------------------------------------------- conditions


class Condition(_Part, frozen=True, kw_only=True):
    """A yes/no question about the game: every given field must hold.

    ``paid``: that additional cost was declared.  ``controls``/``count``: you control at least that
    many.  ``active``: whose turn it is.  ``steps``: the step is one of these.  ``delirium``: four card
    types among cards in your graveyard.
    """

    paid: str = ""
    controls: Filter | None = None
    count: str = "1"
    active: Literal["", "you", "opponent"] = ""
    steps: tuple[Step, ...] = ()
    delirium: bool = False
    negate: bool = False


# ----------------------------------------------------------------------------------- operations


class Damage(_Part, frozen=True, kw_only=True, tag_field="do", tag="damage"):
    """This deals damage to objects or players."""

    amount: str
    to: str = "target"


class Destroy(_Part, frozen=True, kw_only=True, tag_field="do", tag="destroy"):
    """Destroy permanents (701.8): a reference, or all that agree with ``all``."""

    what: str = "target"
    all: Filter | None = None


class Counter(_Part, frozen=True, kw_only=True, tag_field="do", tag="counter"):
    """Counter spells or abilities on the stack (701.6)."""

    what: str = "target"


class Sacrifice(_Part, frozen=True, kw_only=True, tag_field="do", tag="sacrifice"):
    """You sacrifice permanents that you control (701.21)."""

    what: str = "this"


class Draw(_Part, frozen=True, kw_only=True, tag_field="do", tag="draw"):
    """Players draw cards."""

    who: str = "you"
    amount: str = "1"


class Discard(_Part, frozen=True, kw_only=True, tag_field="do", tag="discard"):
    """Players discard cards of their choice."""

    who: str = "you"
    amount: str = "1"


class GainLife(_Part, frozen=True, kw_only=True, tag_field="do", tag="gain life"):
    """Players gain life."""

    who: str = "you"
    amount: str


class LoseLife(_Part, frozen=True, kw_only=True, tag_field="do", tag="lose life"):
    """Players lose life."""

    who: str = "you"
    amount: str


class Search(_Part, frozen=True, kw_only=True, tag_field="do", tag="search"):
    """Search your library for up to ``count`` cards (701.23) and remember them under ``bind``."""

    what: Filter = Filter(is_=("card",))
    count: str = "1"
    bind: str = "found"
    reveal: bool = False


class Put(_Part, frozen=True, kw_only=True, tag_field="do", tag="put"):
    """Put objects into a zone: onto the battlefield, into a hand, on top of a library, …"""

    what: str = "target"
    to: Zone
    tapped: bool = False
    bottom: bool = False


class Exile(_Part, frozen=True, kw_only=True, tag_field="do", tag="exile"):
    """Exile objects."""

    what: str = "target"


class Shuffle(_Part, frozen=True, kw_only=True, tag_field="do", tag="shuffle"):
    """Players shuffle their libraries (701.24)."""

    who: str = "you"


class Tap(_Part, frozen=True, kw_only=True, tag_field="do", tag="tap"):
    """Tap permanents."""

    what: str = "target"


class Untap(_Part, frozen=True, kw_only=True, tag_field="do", tag="untap"):
    """Untap permanents."""

    what: str = "target"


class AddMana(_Part, frozen=True, kw_only=True, tag_field="do", tag="add mana"):
    """Add mana: "{G}{G}"; with ``choose``, one of several such texts."""

    mana: str = ""
    choose: tuple[str, ...] = ()
    who: str = "you"


class PutCounters(_Part, frozen=True, kw_only=True, tag_field="do", tag="put counters"):
    """Put counters on permanents."""

    what: str = "target"
    kind: str
    amount: str = "1"


class May(_Part, frozen=True, kw_only=True, tag_field="do", tag="may"):
    """A player may do something; the answer is given on resolution (603.5)."""

    who: str = "you"
    then: tuple[Operation, ...]
    otherwise: tuple[Operation, ...] = ()


class If(_Part, frozen=True, kw_only=True, tag_field="do", tag="if"):
    """Do something if a condition holds as the instruction is reached."""

    condition: Condition
    then: tuple[Operation, ...]
    otherwise: tuple[Operation, ...] = ()


class Cascade(_Part, frozen=True, kw_only=True, tag_field="do", tag="cascade"):
    """The procedure of 702.85a, compared with the mana value of this ability's source spell."""


Operation = (
    Damage
    | Destroy
    | Counter
    | Sacrifice
    | Draw
    | Discard
    | GainLife
    | LoseLife
    | Search
    | Put
    | Exile
    | Shuffle
    | Tap
    | Untap
    | AddMana
    | PutCounters
    | May
    | If
    | Cascade
)


class Mode(_Part, frozen=True, kw_only=True):
    """One mode of a modal spell or ability (700.2), with targets of its own."""

    targets: tuple[Target, ...] = ()
    do: tuple[Operation, ...]


class Text(_Part, frozen=True, kw_only=True):
    """What a spell or ability does when it resolves: targets and operations, or modes."""

    targets: tuple[Target, ...] = ()
    do: tuple[Operation, ...] = ()
    modes: tuple[Mode, ...] = ()
    choose: str = "1"
    divide: str = ""


# ------------------------------------------------------------------------------------ abilities


class On(_Part, frozen=True, kw_only=True):
    """The event that an ability triggers on (603.1).

    ``this``: it must happen to the ability's own object.  ``what``: to such an object.  ``who``:
    "you", "opponent" or "" for any player.
    """

    event: Literal["cast", "enters", "dies", "leaves", "shuffles", "draws", "step", "becomes target", "taps"]
    this: bool = False
    what: Filter | None = None
    who: Literal["", "you", "opponent"] = ""
    step: Step | None = None


class Triggered(_Part, frozen=True, kw_only=True, tag_field="ability", tag="triggered"):
    """When/Whenever/At … [, if …], … (603.1)."""

    when: On
    condition: Condition | None = None
    text: Text


class Activated(_Part, frozen=True, kw_only=True, tag_field="ability", tag="activated"):
    """Cost: effect (602.1).  Whether it is a mana ability follows from 605.1a."""

    cost: tuple[CostPart, ...]
    text: Text
    sorcery_speed: bool = False


Ability = Triggered | Activated


class Restriction(_Part, frozen=True, kw_only=True):
    """ "Cast this spell only …" (601.3): the condition under which casting is permitted."""

    only: Condition


class Face(_Part, frozen=True, kw_only=True):
    """One face, half or part of a card, as printed: its facts and its script."""

    name: str
    mana_cost: str | None = None
    type_line: str
    colors: tuple[str, ...] | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    keywords: tuple[str, ...] = ()
    enchant: Filter | None = None
    additional_costs: tuple[AdditionalCost, ...] = ()
    restriction: Restriction | None = None
    spell: Text | None = None
    abilities: tuple[Ability, ...] = ()


Layout = Literal[
    "normal",
    "split",
    "aftermath",
    "adventure",
    "omen",
    "prototype",
    "transform",
    "modal_dfc",
    "flip",
    "meld",
    "room",
]


class Definition(_Part, frozen=True, kw_only=True):
    """A card: its layout and its faces (halves, parts) in printed order."""

    name: str
    layout: Layout = "normal"
    faces: tuple[Face, ...]

    def __post_init__(self) -> None:
        if not self.faces:
            raise ValueError("a card has at least one face")
