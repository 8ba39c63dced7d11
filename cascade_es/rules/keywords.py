"""Keywords: declarations on top of the common procedures (702), and what a basic land type gives (305.6)."""

from __future__ import annotations

from typing import Final

from cascade_es.values.script import (
    Activated,
    AddMana,
    Cascade,
    Condition,
    Filter,
    On,
    PayTap,
    Put,
    Text,
    Triggered,
)

CASCADE: Final = "cascade"
SPLIT_SECOND: Final = "split second"

TRIGGERED: Final[dict[str, Triggered]] = {
    # 702.85a: "When you cast this spell, …"; it functions only while the spell is on the stack.
    CASCADE: Triggered(when=On(event="cast", this=True), text=Text(do=(Cascade(),))),
    # 702.79a, 702.93a: if it had no such counter on it as it died, it returns with one.
    **{
        name: Triggered(
            when=On(event="dies", this=True),
            condition=Condition(exists="that", matches=Filter(counter=counter), negate=True),
            text=Text(do=(Put(what="this", to="battlefield", under="owner", counter=counter),)),
        )
        for name, counter in (("persist", "-1/-1"), ("undying", "+1/+1"))
    },
}
"""Keywords that stand for a triggered ability."""

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
        "lifelink",
        "menace",
        "reach",
        "shroud",
        SPLIT_SECOND,
        "trample",
        "vigilance",
    }
)
"""Keywords that rules ask about."""

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

PROTECTION: Final = frozenset(
    f"protection from {quality}"
    for quality in (
        *("white", "blue", "black", "red", "green", "monocolored", "multicolored", "everything"),
        *("artifacts", "creatures", "enchantments", "planeswalkers"),
    )
)
"""702.16: protection from a quality."""

BASIC_LAND_TYPES: Final[dict[str, Activated]] = {
    name: Activated(cost=(PayTap(),), text=Text(do=(AddMana(mana=f"{{{letter}}}"),)))
    for name, letter in (("Plains", "W"), ("Island", "U"), ("Swamp", "B"), ("Mountain", "R"), ("Forest", "G"))
}
"""305.6: a land with a basic land type has the ability to tap for that colour, whatever its text."""

KEYWORDS: Final = frozenset(TRIGGERED) | STATIC | EVASION | PROTECTION
"""All keywords that scripts may use."""
