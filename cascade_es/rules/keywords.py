"""Keywords: declarations on top of the common procedures (702), and what a basic land type gives (305.6)."""

from __future__ import annotations

import re
from typing import Final

from cascade_es.values.script import (
    Activated,
    AddMana,
    Cascade,
    CountersWith,
    Instead,
    Mend,
    On,
    PayTap,
    Replacement,
    Text,
    Triggered,
    Would,
)

CASCADE: Final = "cascade"
SPLIT_SECOND: Final = "split second"

TRIGGERED: Final[dict[str, Triggered]] = {
    # 702.85a: "When you cast this spell, …"; it functions only while the spell is on the stack.
    CASCADE: Triggered(when=On(event="cast", this=True), text=Text(do=(Cascade(),))),
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

BASIC_LAND_TYPES: Final[dict[str, Activated]] = {
    name: Activated(cost=(PayTap(),), text=Text(do=(AddMana(mana=f"{{{letter}}}"),)))
    for name, letter in (("Plains", "W"), ("Island", "U"), ("Swamp", "B"), ("Mountain", "R"), ("Forest", "G"))
}
"""305.6: a land with a basic land type has the ability to tap for that colour, whatever its text."""

SHIELDED: Final = "protection"
EXILED: Final = "exiled"
STARTING: Final = "starting counters"
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
    # 701.19a: instead of being destroyed it is healed, tapped and taken out of combat; once for each shield.
    REGENERATION: Replacement(
        when=Would(event="destroy", those=True), instead=Instead(nothing=True, do=(Mend(),)), once=True
    ),
}
"""Rules that stand for a replacement or prevention effect."""

QUALIFIED: Final = re.compile(r"protection from [A-Za-z ]{1,40}|toxic [0-9]{1,2}")
"""Keywords that say of what, or how much."""

KEYWORDS: Final = frozenset(TRIGGERED) | STATIC
"""All keywords that scripts may use."""
