"""The components of costs (118), and additional costs."""

from __future__ import annotations

from cascade_es.values.script.basics import Entry, Filter


class PayMana(Entry, frozen=True, kw_only=True, tag_field="pay", tag="mana"):
    """Mana, written as a mana cost."""

    mana: str


class PayTap(Entry, frozen=True, kw_only=True, tag_field="pay", tag="tap"):
    """{T}: tap this permanent."""


class PayLife(Entry, frozen=True, kw_only=True, tag_field="pay", tag="life"):
    """Pay life."""

    amount: str


class PaySacrifice(Entry, frozen=True, kw_only=True, tag_field="pay", tag="sacrifice"):
    """Sacrifice this permanent, or chosen ones that agree with the filter."""

    this: bool = False
    what: Filter = Filter()
    count: str = "1"


class PayDiscard(Entry, frozen=True, kw_only=True, tag_field="pay", tag="discard"):
    """Discard chosen cards."""

    what: Filter = Filter(is_=("card",))
    count: str = "1"


class PayReveal(Entry, frozen=True, kw_only=True, tag_field="pay", tag="reveal"):
    """Reveal a card from hand that agrees with the filter."""

    what: Filter = Filter(is_=("card",))


class PayTapOthers(Entry, frozen=True, kw_only=True, tag_field="pay", tag="tap others"):
    """Tap chosen untapped permanents that you control; it is not {T}, so summoning sickness is no matter."""

    what: Filter = Filter()
    count: str = "1"


class PayLoyalty(Entry, frozen=True, kw_only=True, tag_field="pay", tag="loyalty"):
    """Put loyalty counters on this ("+1") or remove them ("-2", "-X"); "0" is neither (606.4)."""

    amount: str


CostPart = PayMana | PayTap | PayLife | PaySacrifice | PayDiscard | PayReveal | PayLoyalty | PayTapOthers


class AdditionalCost(Entry, frozen=True, kw_only=True):
    """An additional cost (118.8): mandatory unless ``optional``; with ``either``, one of several.

    A declared optional cost is known to the script by its ``name`` ("kicker").  One that may be paid any
    number of times (``repeat``) is declared that often.
    """

    name: str = ""
    optional: bool = False
    cost: tuple[CostPart, ...] = ()
    either: tuple[tuple[CostPart, ...], ...] = ()
    repeat: bool = False
