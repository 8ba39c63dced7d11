"""Keywords: declarations on top of the common procedures (702), and what a basic land type gives (305.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from cascade_es.values.script import (
    Activated,
    AdditionalCost,
    AddMana,
    Alter,
    Cascade,
    Changes,
    ChoosePlayer,
    Condition,
    Copy,
    CostPart,
    Count,
    CountersWith,
    Filter,
    Instead,
    May,
    Mend,
    On,
    PayMana,
    PaySacrifice,
    PayTap,
    PayTapOthers,
    Put,
    Replacement,
    Text,
    Triggered,
    Would,
)

CASCADE: Final = "cascade"
SPLIT_SECOND: Final = "split second"

_CAST: Final = On(event="cast", this=True)
"""When you cast this spell: it functions only while the spell is on the stack."""


def _copied(count: str | Count = "1", condition: Condition | None = None) -> Triggered:
    """When you cast this spell, copy it; if it has any targets, you may choose new ones for the copies."""
    return Triggered(
        when=_CAST, condition=condition, text=Text(do=(Copy(what="this", count=count, new_targets=True),))
    )


_ALWAYS: Final[dict[str, Triggered]] = {
    # 702.85a: compared with the mana value of the spell.
    CASCADE: Triggered(when=_CAST, text=Text(do=(Cascade(),))),
    # 702.40a: each spell cast before it this turn, by any player; what was only copied was not cast.
    "storm": _copied(Count(deeds="spell-cast", before="this")),
    # 702.69a: each permanent put into a graveyard this turn, until the ability resolves.
    "gravestorm": _copied(Count(deeds="died")),
    # 702.144a: you may copy it; if you do, an opponent of your choice copies it as well.
    "demonstrate": Triggered(
        when=_CAST,
        text=Text(
            do=(
                May(
                    then=(
                        Copy(what="this", new_targets=True),
                        ChoosePlayer(bind="who demonstrates"),
                        Copy(what="this", who="who demonstrates", new_targets=True),
                    )
                ),
            )
        ),
    ),
    # 702.79a, 702.93a: if it had no such counter on it as it died, it returns with one.
    **{
        name: Triggered(
            when=On(event="dies", this=True),
            condition=Condition(exists="that", matches=Filter(counter=counter), negate=True),
            text=Text(do=(Put(what="this", to="battlefield", under="owner", counter=counter),)),
        )
        for name, counter in (("persist", "-1/-1"), ("undying", "+1/+1"))
    },
    # 702.108a: it grows until end of turn as its controller casts what is no creature spell.
    "prowess": Triggered(
        when=On(event="cast", what=Filter(is_=("spell",), not_types=("creature",)), who="you"),
        text=Text(do=(Alter(what="this", changes=Changes(power="1", toughness="1")),)),
    ),
}

_OPTIONAL: Final[dict[str, Callable[[str, str], tuple[tuple[CostPart, ...], bool, Triggered]]]] = {
    # 702.56a: its cost, any number of times, and a copy for each.
    "replicate": lambda given, name: (
        (PayMana(mana=given),),
        True,
        _copied(Count(paid=name), Condition(paid=name)),
    ),
    # 702.78a: two creatures that each share a colour with the spell, not with each other.
    "conspire": lambda given, name: (
        (PayTapOthers(what=Filter(types=("creature",), shares_color=True), count="2"),),
        False,
        _copied(condition=Condition(paid=name)),
    ),
    # 702.153a: a creature with power N or greater.
    "casualty": lambda given, name: (
        (PaySacrifice(what=Filter(types=("creature",), power=f">={given}")),),
        False,
        _copied(condition=Condition(paid=name)),
    ),
}
"""Keywords that are an additional cost and an ability that asks whether it was paid.

From what stands behind the keyword and the name of the cost: what is paid, whether any number of times,
and the ability.
"""

PARAMETERS: Final[dict[str, str]] = {"replicate": r"(\{[^{}]+\})+", "casualty": r"\d{1,2}"}
"""What stands behind a keyword."""

_WRITTEN: Final = re.compile(
    r"^(?P<stem>[a-z]+(?: [a-z]+)*)(?: (?P<given>[^a-z#]+?))?(?: #(?P<number>\d+))?$"
)


@lru_cache(maxsize=4096)
def _parts(keyword: str) -> tuple[str, str, str]:
    """A keyword, what stands behind it, and the name of its cost: the second instance is another one.

    >>> _parts("replicate {1}{U}"), _parts("conspire #2")
    (('replicate', '{1}{U}', 'replicate'), ('conspire', '', 'conspire #2'))
    """
    found = _WRITTEN.match(keyword)
    if found is None:
        return keyword, "", keyword
    name = found["stem"] + (f" #{found['number']}" if found["number"] else "")
    return found["stem"], found["given"] or "", name


def stem(keyword: str) -> str:
    """A keyword without what stands behind it."""
    return _parts(keyword)[0]


def known(keyword: str) -> bool:
    """Whether a script may use a keyword.

    >>> known("storm"), known("casualty 1"), known("casualty")
    (True, True, False)
    """
    word, given, name = _parts(keyword)
    if word not in KEYWORDS or name != word:
        return False
    pattern = PARAMETERS.get(word)
    return not given if pattern is None else re.fullmatch(pattern, given) is not None


def instances(keywords: Iterable[str]) -> Iterator[str]:
    """Keywords, those with a cost numbered: each instance is paid for by itself (702.78b).

    >>> list(instances(["storm", "storm", "conspire", "conspire"]))
    ['storm', 'storm', 'conspire', 'conspire #2']
    """
    met: dict[str, int] = {}
    for keyword in keywords:
        word = stem(keyword)
        if word in _OPTIONAL:
            met[word] = met.get(word, 0) + 1
        yield keyword if met.get(word, 1) == 1 else f"{keyword} #{met[word]}"


@lru_cache(maxsize=4096)
def _optional(keyword: str) -> tuple[AdditionalCost, Triggered] | None:
    word, given, name = _parts(keyword)
    if word not in _OPTIONAL or not re.fullmatch(PARAMETERS.get(word, ""), given):
        return None
    paid, repeat, ability = _OPTIONAL[word](given, name)
    return AdditionalCost(name=name, optional=True, cost=paid, repeat=repeat), ability


def costs_of(keywords: Iterable[str]) -> tuple[AdditionalCost, ...]:
    """The additional costs that keywords stand for."""
    found = (_optional(keyword) for keyword in instances(keywords))
    return tuple(item[0] for item in found if item is not None)


class _Triggered(dict[str, Triggered]):
    """Keywords that stand for a triggered ability, with whatever is written behind them."""

    def __contains__(self, keyword: object) -> bool:
        return super().__contains__(keyword) or (isinstance(keyword, str) and _optional(keyword) is not None)

    def __missing__(self, keyword: str) -> Triggered:
        found = _optional(keyword)
        if found is None:
            raise KeyError(keyword)
        return found[1]


TRIGGERED: Final[dict[str, Triggered]] = _Triggered(_ALWAYS)
"""Keywords that stand for a triggered ability."""

RULES: Final[dict[str, str]] = {word: word for word in (*_ALWAYS, *_OPTIONAL)}
"""The rule by which the ability of a keyword triggers."""

STATIC: Final = frozenset(
    {
        "deathtouch",
        "defender",
        "double strike",
        "first strike",
        "flash",
        "flying",
        "fuse",
        "haste",
        "hexproof",
        "indestructible",
        "infect",
        "lifelink",
        "menace",
        "reach",
        "shroud",
        SPLIT_SECOND,
        "trample",
        "vigilance",
        "wither",
    }
)
"""Keywords that rules ask about."""

KEYWORD_COUNTERS: Final = frozenset(
    {
        "deathtouch",
        "double strike",
        "first strike",
        "flying",
        "haste",
        "hexproof",
        "indestructible",
        "lifelink",
        "menace",
        "reach",
        "shadow",
        "trample",
        "vigilance",
    }
)
"""Counters that give the keyword whose name they have (122.1b)."""

EVASION: Final = frozenset(
    {
        "fear",
        "forestwalk",
        "horsemanship",
        "intimidate",
        "islandwalk",
        "mountainwalk",
        "plainswalk",
        "shadow",
        "skulk",
        "swampwalk",
    }
)
"""Keywords that only declaring blockers asks about (509.1b)."""

BASIC_LAND_TYPES: Final[dict[str, Activated]] = {
    name: Activated(cost=(PayTap(),), text=Text(do=(AddMana(mana=f"{{{letter}}}"),)))
    for name, letter in (("Plains", "W"), ("Island", "U"), ("Swamp", "B"), ("Mountain", "R"), ("Forest", "G"))
}
"""305.6: a land with a basic land type has the ability to tap for that colour, whatever its text."""

SHIELDED: Final = "protection"
EXILED: Final = "exiled"
STARTING: Final = "starting counters"
SAGA: Final = "saga"
REGENERATION: Final = "regeneration"

REPLACING: Final[dict[str, Replacement]] = {
    # 702.16e: damage from a source of that quality is prevented.
    SHIELDED: Replacement(when=Would(event="damage", this=True), instead=Instead(prevent="all")),
    # 702.34a, 702.127a: cast in such a way, it is exiled instead of going anywhere else from the stack.
    EXILED: Replacement(when=Would(event="moves", this=True, from_=("stack",)), instead=Instead(to="exile")),
    # 306.5b: a planeswalker enters with its loyalty in counters.
    STARTING: Replacement(
        when=Would(event="enters", this=True),
        instead=Instead(counters=(CountersWith(kind="loyalty", amount="loyalty"),)),
    ),
    # 714.3a: a Saga enters with a lore counter.
    SAGA: Replacement(
        when=Would(event="enters", this=True), instead=Instead(counters=(CountersWith(kind="lore"),))
    ),
    # 701.19a: instead of being destroyed it is healed, tapped and taken out of combat; once for each shield.
    REGENERATION: Replacement(
        when=Would(event="destroy", those=True), instead=Instead(nothing=True, do=(Mend(),)), once=True
    ),
}
"""Rules that stand for a replacement or prevention effect."""

QUALIFIED: Final = re.compile(r"protection from [A-Za-z ]{1,40}|toxic [0-9]{1,2}")
"""Keywords that say of what, or how much."""

KEYWORDS: Final = frozenset(_ALWAYS) | frozenset(_OPTIONAL) | STATIC | EVASION
"""All keywords that scripts may use."""
