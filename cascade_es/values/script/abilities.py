"""Abilities: triggered, activated, static, and replacement effects (113.3)."""

from __future__ import annotations

from typing import Literal

from cascade_es.values.script.basics import Amount, Changes, Condition, Entry, Filter, Step, Zone
from cascade_es.values.script.costs import CostPart
from cascade_es.values.script.texts import Operation, Text

Happens = Literal[
    "cast",
    "enters",
    "dies",
    "leaves",
    "shuffles",
    "draws",
    "step",
    "becomes target",
    "taps",
    "copied",
    "created",
    "activated",
    "triggers",
    "countered",
    "sacrificed",
    "put into graveyard",
    "discarded",
    "exiled",
    "land played",
    "searches",
    "untaps",
    "gains life",
    "loses life",
    "deals damage",
    "dealt damage",
    "counters put",
    "counters removed",
    "tapped for mana",
    "mana added",
    "control lost",
    "control gained",
    "attached",
    "unattached",
    "turned face up",
    "transforms",
    "unlocks",
    "turned face down",
    "loses",
    "attacks",
    "blocks",
    "becomes blocked",
    "is not blocked",
    "you attack",
    "attacks alone",
    "chapter",
    "state",
    "done",
]
"""What abilities may trigger on; "state" is the condition becoming true (603.8), "done" is "when you do"."""


class On(Entry, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The event that an ability triggers on (603.1).

    ``this``: it must happen to the ability's own object.  ``what``: to such an object.  ``who``:
    "you", "opponent" or "" for any player.  ``also``: or one of these events.  ``those``: to an object that
    a delayed ability is bound to; ``attached``: to what this is attached to.  ``from``: the zones it comes
    from.  ``to``: whom damage is dealt to, ``combat``: whether it is combat damage.  ``counter``: of which
    kind.  ``by``: what does it (the spell that targets, the
    source of damage).  ``together``: "one or more", which happens once however many they are (603.2c).
    ``chapters``: which chapters of a Saga an ability is for (714.2).
    """

    event: Happens
    this: bool = False
    what: Filter | None = None
    who: Literal["", "you", "opponent"] = ""
    step: Step | None = None
    also: tuple[Happens, ...] = ()
    those: bool = False
    attached: bool = False
    from_: tuple[Zone, ...] = ()
    to: Filter | None = None
    combat: bool | None = None
    counter: str = ""
    together: bool = False
    by: Filter | None = None
    chapters: tuple[str, ...] = ()


class Triggered(Entry, frozen=True, kw_only=True, tag_field="ability", tag="triggered"):
    """When/Whenever/At … [, if …], … (603.1).

    ``zones`` are where it functions, if that is not where such an ability does (113.6).  ``limit``: it
    triggers once each turn, or only until its controller has done what it lets them do (603.2h).
    """

    when: On
    condition: Condition | None = None
    text: Text
    name: str = ""
    zones: tuple[Zone, ...] = ()
    limit: Literal["", "once each turn", "do once each turn"] = ""


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


How = Literal[
    "created",
    "countered",
    "destroyed",
    "discarded",
    "exiled",
    "milled",
    "played",
    "put",
    "resolved",
    "sacrificed",
]
"""The word for what moves an object."""


class Would(Entry, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The event that a replacement or prevention effect looks for (614.1, 615.1); given fields must agree.

    ``this``, ``attached``, ``those``: it would happen to the ability's own object, to what that is attached
    to, to what the effect is about; ``what``: to such an object; ``who``: to whom, or to whose object;
    ``owner``: who owns it.
    ``source`` is what would cause it, ``source_this`` and so on likewise; ``by`` who controls that.
    ``from`` and ``to`` are zones, ``how`` the word for the move, ``amount`` a comparison, ``counter`` a kind,
    ``step`` a step or "combat".  ``effect``: only if an effect would do it, and neither a cost nor damage
    (609.1).  ``combat``: combat damage, or not.  ``first``: whether it is the draw of the turn's draw step.
    """

    event: Literal[
        "moves",
        "enters",
        "leaves",
        "dies",
        "discard",
        "damage",
        "draw",
        "gain life",
        "lose life",
        "counters",
        "player counters",
        "create",
        "countered",
        "destroy",
        "shuffle",
        "face up",
        "mana",
        "step",
        "turn",
        "lose game",
    ]
    this: bool = False
    attached: bool = False
    those: bool = False
    what: Filter | None = None
    who: Literal["", "you", "opponent"] = ""
    owner: Literal["", "you", "opponent"] = ""
    source: Filter | None = None
    source_this: bool = False
    source_attached: bool = False
    source_those: bool = False
    by: Literal["", "you", "opponent"] = ""
    from_: tuple[Zone, ...] = ()
    to: tuple[Zone, ...] = ()
    how: tuple[How, ...] = ()
    amount: str = ""
    counter: str = ""
    step: Step | Literal["", "combat"] = ""
    combat: bool | None = None
    first: bool | None = None
    effect: bool = False


class CountersWith(Entry, frozen=True, kw_only=True):
    """Counters with which a permanent enters."""

    kind: str
    amount: Amount = "1"


class CopyOf(Entry, frozen=True, kw_only=True):
    """A permanent enters as a copy of a chosen object (707.5): which ones, with which exceptions (707.9)."""

    what: Filter = Filter()
    changes: Changes = Changes()
    optional: bool = True


class Chosen(Entry, frozen=True, kw_only=True):
    """Something chosen as a permanent enters (614.12a): one of these words, or of a known kind of them."""

    what: Literal["color", "player", "opponent", "words"] = "words"
    among: tuple[str, ...] = ()


class Instead(Entry, frozen=True, kw_only=True):
    """What happens instead: every given field changes that part of the event, and the rest stays.

    Of a move: ``to`` a zone, in a library at ``place``; ``tapped``; ``counters``; ``control``, a reference to
    a player; ``copy``; ``choose``; ``sacrifice``: any number of these, counted under that name.
    Of an amount: ``times``, ``halve`` (rounded), ``plus``, ``set``.  Of damage: ``prevent`` ("all", "left" of
    a shield, a number), ``redirect``, a reference, all of it or what is ``left``.  ``mana``: this instead.
    ``nothing``: it does not happen at all.  ``do``: instructions that are followed, as part of the event.
    ``unless``: if its controller pays this, the event stays as it is.
    """

    to: Zone | None = None
    place: Literal["", "top", "bottom", "shuffled"] = ""
    tapped: bool | None = None
    counters: tuple[CountersWith, ...] = ()
    control: str = ""
    copy: CopyOf | None = None
    face: str = ""
    choose: tuple[Chosen, ...] = ()
    sacrifice: Filter | None = None
    times: Amount = "1"
    halve: Literal["", "up", "down"] = ""
    plus: Amount = "0"
    set: Amount = ""
    prevent: Amount = ""
    redirect: str = ""
    left: bool = False
    mana: str = ""
    nothing: bool = False
    unpreventable: bool = False
    do: tuple[Operation, ...] = ()
    unless: tuple[CostPart, ...] = ()


class Replacement(Entry, frozen=True, kw_only=True, tag_field="ability", tag="replacement"):
    """If something would happen, something else happens instead (614), or less damage is dealt (615).

    ``cant``: it says that the event can't happen (``nothing``), or that the damage can't be prevented
    (``unpreventable``): that comes before everything else (614.17).
    ``may``: its controller decides.  ``once``: an effect from a resolution that is used up ("the next
    time").  ``own``: a self-replacement effect (614.15), which comes first.  ``zones`` are where it
    functions: the battlefield if none are given; one that speaks of its own object functions wherever that
    is, or would be.
    """

    name: str = ""
    when: Would
    instead: Instead = Instead()
    condition: Condition | None = None
    may: bool = False
    once: bool = False
    own: bool = False
    cant: bool = False
    zones: tuple[Zone, ...] = ()


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


Ability = Replacement | Triggered | Activated | Static | CostChange | Permission | Prohibition
