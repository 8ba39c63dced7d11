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

from cascade_es.values.script.abilities import (
    Ability,
    Activated,
    CostChange,
    On,
    Permission,
    Prohibition,
    Static,
    Triggered,
)
from cascade_es.values.script.basics import (
    Amount,
    Changes,
    Condition,
    Count,
    Entry,
    Filter,
    Step,
    Target,
    Until,
    Zone,
)
from cascade_es.values.script.cards import (
    Definition,
    Face,
    Layout,
    Restriction,
    face_at,
)
from cascade_es.values.script.costs import (
    AdditionalCost,
    CostPart,
    PayDiscard,
    PayLife,
    PayMana,
    PayReveal,
    PaySacrifice,
    PayTap,
)
from cascade_es.values.script.operations import (
    AddMana,
    Alter,
    Cascade,
    CastNow,
    Counter,
    Damage,
    Destroy,
    Discard,
    Draw,
    Effect,
    Exile,
    Flip,
    GainLife,
    Let,
    LoseLife,
    Meld,
    Put,
    PutCounters,
    RevealHand,
    Sacrifice,
    Search,
    Shuffle,
    Tap,
    Transform,
    TurnFaceDown,
    TurnFaceUp,
    UnlockDoor,
    Untap,
)
from cascade_es.values.script.texts import (
    If,
    May,
    Mode,
    Operation,
    Text,
)

__all__ = [
    "Ability",
    "Activated",
    "AddMana",
    "AdditionalCost",
    "Alter",
    "Amount",
    "Cascade",
    "CastNow",
    "Changes",
    "Condition",
    "CostChange",
    "CostPart",
    "Count",
    "Counter",
    "Damage",
    "Definition",
    "Destroy",
    "Discard",
    "Draw",
    "Effect",
    "Entry",
    "Exile",
    "Face",
    "Filter",
    "Flip",
    "GainLife",
    "If",
    "Layout",
    "Let",
    "LoseLife",
    "May",
    "Meld",
    "Mode",
    "On",
    "Operation",
    "PayDiscard",
    "PayLife",
    "PayMana",
    "PayReveal",
    "PaySacrifice",
    "PayTap",
    "Permission",
    "Prohibition",
    "Put",
    "PutCounters",
    "Restriction",
    "RevealHand",
    "Sacrifice",
    "Search",
    "Shuffle",
    "Static",
    "Step",
    "Tap",
    "Target",
    "Text",
    "Transform",
    "Triggered",
    "TurnFaceDown",
    "TurnFaceUp",
    "UnlockDoor",
    "Untap",
    "Until",
    "Zone",
    "face_at",
]
