"""Which event may follow which, one flat table for each procedure.

Read a row as "in one of these states, this event leads to that state".  An event may also begin
another procedure on top (``push``) or end its own (``pop``).  The tables are the only place that
says so; :mod:`cascade_es.machines.build` makes `transitions` machines of them.  An event that the
running procedure does not accept in its state cannot be appended, and a log that holds one is damaged.

The tables are flat on purpose: a hierarchical machine costs four to six times as much per event, and
nesting is what the stack of frames is for.  ``since``/``until`` are switches of the editions: an
edition without the legality check of 601.2e has no ``proposal-checked``.
"""

from __future__ import annotations

from typing import Final

import msgspec

TABLE_VERSION: Final = 1
"""A log names the version of the tables that it was written with."""


class Row(msgspec.Struct, frozen=True):
    """One edge: the states it leaves, the event, the state it leads to, and what it begins or ends."""

    event: str
    sources: tuple[str, ...]
    target: str
    push: str = ""
    pop: bool = False
    switch: str = ""


class Table(msgspec.Struct, frozen=True):
    """One procedure: its name, the rule it implements, its states (it begins in the first), its rows."""

    name: str
    rule: str
    states: tuple[str, ...]
    rows: tuple[Row, ...]


_TURN = Table(
    "turn",
    "turn.begin",
    ("new", "between turns", "turn", "step begun", "acted", "step open", "over"),
    (
        Row("game-begun", ("new",), "between turns"),
        Row("turn-begun", ("between turns",), "turn"),
        Row("step-begun", ("turn",), "step begun"),
        # The turn-based actions of combat that players decide are procedures (508.1, 509.1, 510.1).
        Row("attack-begun", ("step begun",), "acted", push="attacking"),
        Row("blocking-begun", ("step begun",), "acted", push="blocking"),
        Row("combat-damage-begun", ("step begun",), "acted", push="dealing"),
        Row("round-begun", ("step begun", "acted"), "step open", push="priority"),
        Row("step-ended", ("step begun", "acted", "step open"), "turn"),
        Row("turn-ended", ("turn",), "between turns"),
        Row("illegality-found", ("step begun",), "step begun", push="reversing"),
        # 104.1: a game ends at once, whatever is going on; the frames above this one end with it.
        Row("game-ended", ("new", "between turns", "turn", "step begun", "acted", "step open"), "over"),
    ),
)

_PRIORITY = Table(
    "priority",
    "priority.give",
    ("waiting", "holding", "over"),
    (
        Row("priority-given", ("waiting",), "holding"),
        Row("priority-passed", ("holding",), "waiting"),
        Row("announce", ("holding",), "waiting", push="casting"),
        Row("activate", ("holding",), "waiting", push="activating"),
        Row("land-played", ("holding",), "waiting"),
        Row("mana-ability-activated", ("holding",), "waiting", push="mana"),
        Row("special-action-begun", ("holding",), "waiting", push="special"),
        Row("illegality-found", ("holding", "waiting"), "waiting", push="reversing"),
        Row("stacking-begun", ("waiting",), "waiting", push="stacking"),
        Row("resolution-begun", ("waiting",), "waiting", push="resolving"),
        Row("round-ended", ("waiting",), "over", pop=True),
    ),
)

_PROPOSAL = (
    Row("choose-modes", ("announced",), "modes"),
    Row("costs-declared", ("announced", "modes"), "costs declared"),
    Row("targets-chosen", ("costs declared",), "targets"),
    Row("effect-divided", ("targets",), "divided"),
    Row("proposal-checked", ("costs declared", "targets", "divided"), "checked", switch="legality-check"),
    Row("cost-locked", ("checked",), "locked", switch="legality-check"),
    Row("cost-locked", ("costs declared", "targets", "divided"), "locked", switch="-legality-check"),
    Row("payment-begun", ("locked",), "paying", push="paying"),
)
_PROPOSAL_STATES = (
    "announced",
    "modes",
    "costs declared",
    "targets",
    "divided",
    "checked",
    "locked",
    "paying",
)
_STOPPED = Row("illegality-found", _PROPOSAL_STATES, "reversed", push="reversing")

_CASTING = Table(
    "casting",
    "cast",
    (*_PROPOSAL_STATES, "cast", "reversed"),
    (*_PROPOSAL, Row("spell-cast", ("locked", "paying"), "cast", pop=True), _STOPPED),
)

_ACTIVATING = Table(
    "activating",
    "activate",
    (*_PROPOSAL_STATES, "activated", "reversed"),
    (*_PROPOSAL, Row("ability-activated", ("locked", "paying"), "activated", pop=True), _STOPPED),
)

_PAYING = Table(
    "paying",
    "cast.pay",
    ("mana", "first stage", "second stage", "paid", "reversed"),
    (
        Row("mana-ability-activated", ("mana",), "mana", push="mana"),
        # Once a first cost is paid, nobody gets another chance to activate mana abilities (601.2g).
        Row("pay-cost", ("mana", "first stage"), "first stage"),
        # The two stages exist since 2021-07-23: what is random or leaves a library comes last, so
        # that it happens only when nothing else can fail any more.
        Row("second-stage-begun", ("mana", "first stage"), "second stage", switch="two-stage-payment"),
        Row("pay-cost", ("second stage",), "second stage", switch="two-stage-payment"),
        Row("payment-ended", ("mana", "first stage", "second stage"), "paid", pop=True),
        Row("illegality-found", ("mana", "first stage", "second stage"), "reversed", push="reversing"),
    ),
)

_MANA = Table(
    "mana",
    "mana-ability",
    ("activated", "paid", "resolved", "reversed"),
    (
        Row("payment-begun", ("activated",), "paid", push="paying"),
        Row("pay-cost", ("activated", "paid"), "paid"),
        Row("mana-ability-resolved", ("paid",), "resolved", pop=True),
        Row("illegality-found", ("activated", "paid"), "reversed", push="reversing"),
    ),
)

_SPECIAL = Table(
    "special",
    "action.special",
    ("begun", "paid", "taken", "reversed"),
    (
        Row("payment-begun", ("begun",), "paid", push="paying"),
        Row("special-action-taken", ("begun", "paid"), "taken", pop=True),
        Row("illegality-found", ("begun", "paid"), "reversed", push="reversing"),
    ),
)

_STACKING = Table(
    "stacking",
    "trigger.stack",
    ("ordering", "placing", "placed", "done"),
    (
        Row("triggers-ordered", ("ordering",), "ordering"),
        Row("trigger-stacked", ("ordering", "placing", "placed"), "placing"),
        Row("choose-modes", ("placing",), "placing"),
        Row("targets-chosen", ("placing",), "placed"),
        Row("effect-divided", ("placed",), "placed"),
        Row("trigger-removed", ("placing",), "placed"),
        Row("stacking-ended", ("ordering", "placing", "placed"), "done", pop=True),
        # An illegal choice that somebody insisted on is undone, and nothing else (733.1).
        Row("illegality-found", ("ordering", "placing", "placed"), "ordering", push="reversing"),
    ),
)

_RESOLVING = Table(
    "resolving",
    "resolve.begin",
    ("judging", "following", "paying", "done"),
    (
        Row("targets-judged", ("judging",), "following"),
        Row("instruction-reached", ("judging", "following"), "following"),
        Row("cascade-begun", ("judging", "following"), "following", push="cascading"),
        Row("offer-begun", ("judging", "following"), "following", push="offering"),
        # 118.12: when the payment is made, the resolution goes on from "paying"; a payment that fails is
        # undone, and the resolution stands before it again.
        Row("payment-begun", ("judging", "following"), "paying", push="paying"),
        Row("instruction-reached", ("paying",), "following"),
        Row("resolution-ended", ("judging", "following", "paying"), "done", pop=True),
        Row("illegality-found", ("judging", "following", "paying"), "following", push="reversing"),
    ),
)

_CASCADING = Table(
    "cascading",
    "cascade",
    ("exiling", "as you cascade", "offered", "casting", "bottoming", "done"),
    (
        Row("search-ended", ("exiling",), "as you cascade"),
        Row("cast-offered", ("as you cascade",), "offered"),
        Row("cast-free", ("offered",), "casting"),
        Row("announce", ("casting",), "casting", push="casting"),
        Row("illegality-found", ("offered", "casting"), "casting", push="reversing"),
        Row("cast-declined", ("offered",), "bottoming"),
        Row("randomize-bottom", ("as you cascade", "casting", "bottoming"), "done"),
        # From any state: a player who leaves the game takes the rest of it along (800.4a).
        Row(
            "cascade-ended",
            ("exiling", "as you cascade", "offered", "casting", "bottoming", "done"),
            "done",
            pop=True,
        ),
    ),
)

_OFFERING = Table(
    "offering",
    "resolve.cast",
    ("offered", "casting", "done"),
    (
        Row("announce", ("offered", "casting"), "casting", push="casting"),
        Row("illegality-found", ("offered", "casting"), "casting", push="reversing"),
        Row("offer-ended", ("offered", "casting"), "done", pop=True),
    ),
)

_ASKING = Table(
    "asking",
    "replace.choose",
    ("asked", "made"),
    (
        Row("choice-made", ("asked",), "made", pop=True),
        Row("illegality-found", ("asked",), "asked", push="reversing"),
    ),
)

_ATTACKING = Table(
    "attacking",
    "combat.attack",
    ("choosing", "chosen", "paid", "declared"),
    (
        Row("attackers-chosen", ("choosing",), "chosen"),
        Row("payment-begun", ("chosen",), "paid", push="paying"),
        # A player who leaves declares none (800.4a).
        Row("attackers-declared", ("choosing", "chosen", "paid"), "declared", pop=True),
        Row("illegality-found", ("choosing", "chosen", "paid"), "choosing", push="reversing"),
    ),
)

_BLOCKING = Table(
    "blocking",
    "combat.block",
    ("choosing", "chosen", "paid", "declared"),
    (
        Row("blockers-chosen", ("choosing",), "chosen"),
        Row("payment-begun", ("chosen",), "paid", push="paying"),
        # Each defending player declares after the one before has (509.1, 802.4).
        Row("blockers-declared", ("choosing", "chosen", "paid"), "choosing"),
        Row("blocking-ended", ("choosing",), "declared", pop=True),
        Row("illegality-found", ("choosing", "chosen", "paid"), "choosing", push="reversing"),
    ),
)

_DEALING = Table(
    "dealing",
    "combat.damage",
    ("assigning", "dealt"),
    (
        Row("damage-assigned", ("assigning",), "assigning"),
        Row("combat-damage-ended", ("assigning",), "dealt", pop=True),
        Row("illegality-found", ("assigning",), "assigning", push="reversing"),
    ),
)

_REVERSING = Table(
    "reversing",
    "illegal",
    ("found", "reversed"),
    (Row("action-reversed", ("found",), "reversed", pop=True),),
)

_MAY_ASK: Final[dict[str, tuple[str, ...]]] = {
    "turn": ("between turns", "turn", "step begun", "acted", "step open"),
    "attacking": ("choosing", "chosen", "paid"),
    "blocking": ("choosing", "chosen", "paid"),
    "dealing": ("assigning",),
    "priority": ("waiting", "holding"),
    "casting": _PROPOSAL_STATES,
    "activating": _PROPOSAL_STATES,
    "paying": ("mana", "first stage", "second stage"),
    "mana": ("activated", "paid"),
    "special": ("begun", "paid"),
    "stacking": ("ordering", "placing", "placed"),
    "resolving": ("judging", "following", "paying"),
    "offering": ("offered", "casting"),
    "cascading": ("exiling", "as you cascade", "offered", "casting", "bottoming"),
}
"""Where a step may need a choice before it can be taken: two replacement effects for one event, say."""


def _asking(table: Table) -> Table:
    rows = tuple(
        Row("choice-asked", (state,), state, push="asking") for state in _MAY_ASK.get(table.name, ())
    )
    return msgspec.structs.replace(table, rows=table.rows + rows)


TABLES: Final[dict[str, Table]] = {
    table.name: _asking(table)
    for table in (
        _TURN,
        _PRIORITY,
        _CASTING,
        _ACTIVATING,
        _PAYING,
        _MANA,
        _SPECIAL,
        _STACKING,
        _RESOLVING,
        _CASCADING,
        _OFFERING,
        _ATTACKING,
        _BLOCKING,
        _DEALING,
        _ASKING,
        _REVERSING,
    )
}
"""All procedures by name."""
