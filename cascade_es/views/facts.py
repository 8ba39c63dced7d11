"""Sentences for what changes values: zones, mana, damage, life, what is seen, what is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cascade_es.values import events as ev
from cascade_es.views.naming import Names, symbols
from cascade_es.views.plain import count, listed, one_line
from cascade_es.views.procedures import quoted

FACTS: Final[dict[str, Callable[[Names, Any], str]]] = {}
"""What makes a sentence of a fact event, by kind."""

MOST_NAMED: Final = 12
"""How many cards a sentence names before it only counts them."""

_Sentence = Callable[[Names, Any], str]


def _says(kind: type[ev.Event]) -> Callable[[_Sentence], _Sentence]:
    def register(sentence: _Sentence) -> _Sentence:
        FACTS[kind.kind] = sentence
        return sentence

    return register


def _become(number: int) -> str:
    return "becomes" if number == 1 else "become"


# ---------------------------------------------------------------------------------------- zones


@_says(ev.Placed)
def _placed(n: Names, e: ev.Placed) -> str:
    tapped = e.tapped or (False,) * len(e.cards)
    names = [
        n.card(card) + (" (tapped)" if flag else "") for card, flag in zip(e.cards, tapped, strict=False)
    ]
    where = n.where(e.zone, e.owner).replace(f"{n.player(e.owner)}'s", "their")
    what = listed(names) if len(names) <= MOST_NAMED else count(len(names), "card")
    order = ", top first" if e.zone == "library" and 1 < len(names) <= MOST_NAMED else ""
    return f"{n.player(e.owner)} begins with {what} {where}{order}"


@_says(ev.Exile)
def _exile(n: Names, e: ev.Exile) -> str:
    name = n.card(e.card) if e.card.known else n.object(e.old)
    return f"{name} is exiled {n.from_zone(n.find(e.old))}"


@_says(ev.Rehandled)
def _rehandled(n: Names, e: ev.Rehandled) -> str:
    cards = count(len(e.cards), "card")
    if e.rule == "search":
        return f"{n.player(e.player)} looks through their library ({cards})"
    if e.zone == "hand":
        return f"{n.player(e.player)} mixes their hand face down ({cards})"
    return f"the cards of {n.player(e.player)}'s {one_line(e.zone)} are mixed face down ({cards})"


@_says(ev.Shuffled)
def _shuffled(n: Names, e: ev.Shuffled) -> str:
    return f"{n.player(e.player)} shuffles their library ({count(len(e.cards), 'card')})"


@_says(ev.RandomOrder)
def _random_order(n: Names, e: ev.RandomOrder) -> str:
    what = f"{e.size} cards for {n.player(e.player)} ({e.purpose})"
    return f"draw {e.ordinal + 1}: chance decides the order of {what}"


@_says(ev.SeedContributed)
def _seed_contributed(n: Names, e: ev.SeedContributed) -> str:
    return f"{n.player(e.player)} adds {len(e.value)} bytes to the seed"


@_says(ev.Drawn)
def _drawn(n: Names, e: ev.Drawn) -> str:
    return f"{n.player(e.player)} draws {n.card(e.card)}"


@_says(ev.DrewFromEmpty)
def _drew_from_empty(n: Names, e: ev.DrewFromEmpty) -> str:
    return f"{n.player(e.player)} cannot draw: their library is empty"


_HOW: Final = {
    "destroyed": "is destroyed and ",
    "countered": "is countered and ",
    "sacrificed": "is sacrificed and ",
    "discarded": "is discarded and ",
}


@_says(ev.Moved)
def _moved(n: Names, e: ev.Moved) -> str:
    old = n.find(e.old)
    name = n.object(e.old)
    if name == "a card" or name.startswith("object "):
        name = n.card(e.card)
    if e.new == 0:
        return f"{name} ceases to exist"
    owner = n.player(old.owner if old is not None else e.controller)
    how = _HOW.get(e.why, "")
    if e.zone == "battlefield":
        tapped = " tapped" if e.tapped else ""
        host = f", attached to {n.object(e.attached)}" if e.attached else ""
        return f"{name} {how}enters the battlefield{tapped} under {n.player(e.controller)}'s control{host}"
    if e.zone == "library":
        place = "on top" if e.position == 0 else "on the bottom" if e.position == -1 else "into the middle"
        return f"{name} {how}is put {place} of {owner}'s library"
    if e.zone in ("hand", "graveyard"):
        return f"{name} {how}goes to {owner}'s {e.zone}"
    return f"{name} {how}moves to {n.where(e.zone, e.controller).removeprefix('in ').removeprefix('on ')}"


@_says(ev.Shown)
def _shown(n: Names, e: ev.Shown) -> str:
    known = [n.card(card) for card in e.cards]
    which = [
        f"{name} {n.where(obj.zone, obj.owner)}" if obj else name
        for name, obj in zip(known, map(n.find, e.objects), strict=False)
    ]
    verb = "sees" if n.seats(e.to) == "everyone" or e.to.bit_count() == 1 else "see"
    return f"{n.seats(e.to)} {verb} {listed(which)}"


# --------------------------------------------------------------------------------------- values


@_says(ev.Tapped)
def _tapped(n: Names, e: ev.Tapped) -> str:
    return f"{n.objects(e.objects)} {_become(len(e.objects))} tapped"


@_says(ev.Untapped)
def _untapped(n: Names, e: ev.Untapped) -> str:
    return f"{n.objects(e.objects)} {_become(len(e.objects))} untapped"


@_says(ev.ManaAdded)
def _mana_added(n: Names, e: ev.ManaAdded) -> str:
    sources = dict.fromkeys(n.object(unit.source) for unit in e.units if unit.source)
    origin = f" from {listed(list(sources))}" if sources else ""
    return f"{n.player(e.player)} gets {symbols(e.units)}{origin}"


@_says(ev.ManaEmptied)
def _mana_emptied(n: Names, e: ev.ManaEmptied) -> str:
    pool = n.before.state.game.players[e.player].pool
    return f"{n.player(e.player)} loses unspent mana: {symbols(pool) or 'none'}"


@_says(ev.DamageDealt)
def _damage_dealt(n: Names, e: ev.DamageDealt) -> str:
    to = n.object(e.object) if e.object else n.player(e.seat)
    return f"{n.object(e.source)} deals {e.amount} damage to {to}"


@_says(ev.DamageRemoved)
def _damage_removed(n: Names, e: ev.DamageRemoved) -> str:
    return f"damage is removed from {n.objects(e.objects)}"


@_says(ev.LifeChanged)
def _life_changed(n: Names, e: ev.LifeChanged) -> str:
    verb = "gains" if e.amount >= 0 else "loses"
    return f"{n.player(e.player)} {verb} {abs(e.amount)} life and has {e.total}"


@_says(ev.CountersChanged)
def _counters_changed(n: Names, e: ev.CountersChanged) -> str:
    verb = "gets" if e.amount >= 0 else "loses"
    return f"{n.object(e.object)} {verb} {count(abs(e.amount), f'{one_line(e.counter)} counter')}"


@_says(ev.Countered)
def _countered(n: Names, e: ev.Countered) -> str:
    by = f" by {n.object(e.by)}" if e.by else ""
    return f"{n.object(e.object)} is countered{by}"


@_says(ev.Trigger)
def _trigger(n: Names, e: ev.Trigger) -> str:
    return f"{n.ability(e.ability, e.source)} triggers for {n.player(e.controller)}"


@_says(ev.PlayerLost)
def _player_lost(n: Names, e: ev.PlayerLost) -> str:
    return f"{n.player(e.player)} loses the game: {_LOST.get(e.reason, one_line(e.reason))}"


_LOST: Final = {
    "life": "no life is left",
    "poison": "ten poison counters",
    "empty library": "a card was to be drawn from an empty library",
    "effect": "an effect says so",
}
"""Why a player loses, in more than the word of the log."""


# ----------------------------------------------------------------------------------- around it


@_says(ev.Commented)
def _commented(n: Names, e: ev.Commented) -> str:
    return f"{n.player(e.player)} says {quoted(e.text)}"


@_says(ev.RulingMade)
def _ruling_made(n: Names, e: ev.RulingMade) -> str:
    return f"a ruling is made: {quoted(e.text)}"


@_says(ev.StateDigest)
def _state_digest(n: Names, e: ev.StateDigest) -> str:
    return f"the state's digest is {e.digest.hex()[:16]}"


@_says(ev.SealedEnd)
def _sealed(n: Names, e: ev.SealedEnd) -> str:
    return f"the record is sealed; the state's digest is {e.digest.hex()[:16]}"
