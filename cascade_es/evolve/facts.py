"""What fact events change: zones, fresh ids, knowledge, and values of objects and players."""

from __future__ import annotations

from cascade_es.evolve.draft import Draft, Recall, on
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.state import Obj

# -------------------------------------------------------------------------------------- zones


def _renew(d: Draft, seat: int, zone: str, first: int, cards: tuple[Fact, ...]) -> None:
    """Give the cards of a hidden zone fresh ids; who had seen some still knows that they are there."""
    d.remember_groups(d.cards(zone, seat), first, len(cards))
    d.clear(zone, seat)
    d.add_cards(zone, seat, first, cards)


@on(ev.Rehandled)
def _rehandled(d: Draft, e: ev.Rehandled, recall: Recall) -> None:
    _renew(d, e.player, e.zone, e.first, e.cards)
    d.mix(e.first, len(e.cards), e.origin)
    if e.zone == "library":
        d.set_player(e.player, order=e.order)


@on(ev.Shuffled)
def _shuffled(d: Draft, e: ev.Shuffled, recall: Recall) -> None:
    _renew(d, e.player, "library", e.first, e.cards)
    d.set_player(e.player, order=NOTHING)


@on(ev.RandomOrder)
def _random_order(d: Draft, e: ev.RandomOrder, recall: Recall) -> None:
    if e.ordinal != d.ledger.draws:
        raise ValueError(f"draw {e.ordinal} cannot follow {d.ledger.draws} draws")
    d.note("draws", e.ordinal + 1)


@on(ev.SeedContributed)
def _seed_contributed(d: Draft, e: ev.SeedContributed, recall: Recall) -> None:
    d.note("contributions", (*d.ledger.contributions, (e.player, e.value)))


@on(ev.Drawn)
def _drawn(d: Draft, e: ev.Drawn, recall: Recall) -> None:
    old = d.take(e.old)
    d.add(Obj(e.new, old.kind, "hand", old.owner, old.owner, e.card))
    d.alias(e.new, e.old)


@on(ev.DrewFromEmpty)
def _drew_from_empty(d: Draft, e: ev.DrewFromEmpty, recall: Recall) -> None:
    d.set_player(e.player, drew_from_empty=True)


@on(ev.Moved)
def _moved(d: Draft, e: ev.Moved, recall: Recall) -> None:
    old = d.take(e.old)
    d.remember(e.last, e.new)
    if not e.new:
        return
    held = e.zone in ("battlefield", "stack")
    obj = Obj(
        e.new,
        old.kind,
        e.zone,
        old.owner,
        e.controller if held else old.owner,
        e.card,
        face=(e.face or old.face) if held else 0,
        since=d.game.turn.number if held else 0,
        tapped=e.tapped,
        attached=e.attached,
        face_down=e.face_down,
        choices=old.choices if e.zone == "battlefield" and old.zone == "stack" else None,
        base=old.base if old.kind != "card" else None,  # without a card that is all a token is
    )
    d.add(obj, e.position)
    d.alias(e.new, e.old)
    if e.zone == "graveyard" and old.zone == "battlefield":
        d.deed("died", old.controller, e.old)


@on(ev.Shown)
def _shown(d: Draft, e: ev.Shown, recall: Recall) -> None:
    for handle, card in zip(e.objects, e.cards, strict=True):
        obj = d.object(handle)
        if obj.card != card:
            raise ValueError(f"what was shown of object {handle} is not its card")
        if card.audience != obj.card.audience:
            d.set_object(handle, card=card)  # the same fact, known to more
        d.learn(handle, e.to)


@on(ev.LandPlayed)
def _land_played(d: Draft, e: ev.LandPlayed, recall: Recall) -> None:
    old = d.take(e.old)
    turn = d.game.turn.number
    held = e.zone == "battlefield"
    d.add(
        Obj(
            e.new,
            old.kind,
            e.zone,
            old.owner,
            e.controller if held else old.owner,
            e.card,
            face=e.part if held else 0,
            since=turn if held else 0,
            tapped=e.tapped and held,
        )
    )
    d.alias(e.new, e.old)
    d.set_player(e.player, lands=d.player(e.player).lands + 1)
    d.deed("land-played", e.player, e.new)
    if e.ground:
        d.deed("permission-used", e.player, e.ground)
    d.acted()


# ------------------------------------------------------------------------------------- values


@on(ev.Tapped)
def _tapped(d: Draft, e: ev.Tapped, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, tapped=True)


@on(ev.Untapped)
def _untapped(d: Draft, e: ev.Untapped, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, tapped=False)


@on(ev.ManaAdded)
def _mana_added(d: Draft, e: ev.ManaAdded, recall: Recall) -> None:
    d.set_player(e.player, pool=d.player(e.player).pool + e.units)
    for unit in e.units:
        d.claim(unit.id)


@on(ev.ManaEmptied)
def _mana_emptied(d: Draft, e: ev.ManaEmptied, recall: Recall) -> None:
    d.set_player(e.player, pool=())


@on(ev.DamageDealt)
def _damage_dealt(d: Draft, e: ev.DamageDealt, recall: Recall) -> None:
    if e.rule == "combat.dealt" and e.source in d.game.objects:
        d.deed("combat-damage", d.object(e.source).controller, e.source)
    if e.object:
        obj = d.object(e.object)
        marked = e.amount if e.marked else 0
        d.set_object(e.object, damage=obj.damage + marked, deathtouched=obj.deathtouched or e.deathtouch)


@on(ev.DamageRemoved)
def _damage_removed(d: Draft, e: ev.DamageRemoved, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, damage=0, deathtouched=False)


@on(ev.LifeChanged)
def _life_changed(d: Draft, e: ev.LifeChanged, recall: Recall) -> None:
    d.set_player(e.player, life=e.total)


@on(ev.CountersChanged)
def _counters_changed(d: Draft, e: ev.CountersChanged, recall: Recall) -> None:
    counters = dict(d.object(e.object).counters)
    counters[e.counter] = counters.get(e.counter, 0) + e.amount
    kept = tuple(sorted((name, number) for name, number in counters.items() if number > 0))
    d.set_object(e.object, counters=kept)
