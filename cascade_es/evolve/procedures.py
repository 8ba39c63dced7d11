"""What procedure events change: the turn, proposals, payment, triggers, resolution, cascade, reversal."""

from __future__ import annotations

from typing import Any

from immutables import Map
from msgspec.structs import replace

from cascade_es.evolve.draft import HIDDEN, Draft, Recall, on
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING
from cascade_es.values.mana import Price
from cascade_es.values.state import (
    CascadingData,
    Choices,
    Obj,
    Pause,
    PayingData,
    Pending,
    Player,
    Turn,
)

NO_PRICE = Price()


@on(ev.GameBegun)
def _game_begun(d: Draft, e: ev.GameBegun, recall: Recall) -> None:
    d.put("players", tuple(Player(seat, life) for seat, life in enumerate(e.life)))
    d.put("turn", Turn(0, e.starting, ""))
    d.note("edition", e.edition)


@on(ev.Placed)
def _placed(d: Draft, e: ev.Placed, recall: Recall) -> None:
    d.add_cards(e.zone, e.owner, e.first, e.cards, e.tapped)


@on(ev.TurnBegun)
def _turn_begun(d: Draft, e: ev.TurnBegun, recall: Recall) -> None:
    d.put("turn", Turn(e.number, e.player, ""))
    d.set_player(e.player, began=e.number)
    players = [player if not player.lands else replace(player, lands=0) for player in d.game.players]
    d.put("players", tuple(players))
    turns = d.game.turns
    if turns:
        # Whoever is skipped has left the game; behind the last entry turns go round as usual.
        d.put("turns", turns[turns.index(e.player) + 1 :] if e.player in turns else ())


@on(ev.StepBegun)
def _step_begun(d: Draft, e: ev.StepBegun, recall: Recall) -> None:
    d.put("turn", replace(d.game.turn, step=e.step))
    if d.game.ahead[:1] == (e.step,):
        d.put("ahead", d.game.ahead[1:])


@on(ev.TurnEnded)
def _turn_ended(d: Draft, e: ev.TurnEnded, recall: Recall) -> None:
    if d.game.ahead:
        d.put("ahead", ())  # phases added to a turn do not outlast it
    d.put("last_turn", d.game.history)
    d.put("history", ())
    d.note("aliases", Map())
    d.note("mixes", ())


@on(ev.PriorityGiven)
def _priority_given(d: Draft, e: ev.PriorityGiven, recall: Recall) -> None:
    d.set_data(player=e.player)


@on(ev.PriorityPassed)
def _priority_passed(d: Draft, e: ev.PriorityPassed, recall: Recall) -> None:
    d.set_data(passes=d.top().data.passes + 1, after="pass")


@on(ev.GameEnded)
def _game_ended(d: Draft, e: ev.GameEnded, recall: Recall) -> None:
    d.put("winners", e.winners)


@on(ev.PlayerLost)
def _player_lost(d: Draft, e: ev.PlayerLost, recall: Recall) -> None:
    d.set_player(e.player, lost=e.reason)
    d.put("pending", tuple(item for item in d.game.pending if item.controller != e.player))


# ---------------------------------------------------------------------------------- proposals


@on(ev.Announce)
def _announce(d: Draft, e: ev.Announce, recall: Recall) -> None:
    old = d.take(e.old)
    choices = Choices(
        part=e.part,
        permission=e.permission,
        ground=e.ground,
        free=e.free,
        limit=e.limit,
        origin=e.origin,
        exiled=e.exiled,
    )
    d.add(Obj(e.new, old.kind, "stack", old.owner, e.player, e.card, face=e.part, choices=choices))
    d.alias(e.new, e.old)
    frames = d.game.frames
    below = frames[-2]
    if below.machine == "cascading":
        pile = tuple(item for item in below.data.pile if item != e.old)
        changed = replace(below, data=replace(below.data, pile=pile))
        d.put("frames", (*frames[:-2], changed, frames[-1]))
    elif below.machine == "offering":
        cards = tuple(item for item in below.data.cards if item != e.old)
        most = below.data.most - (below.data.most > 0)
        changed = replace(below, data=replace(below.data, cards=cards, most=most))
        d.put("frames", (*frames[:-2], changed, frames[-1]))
    d.acted()


@on(ev.Activate)
def _activate(d: Draft, e: ev.Activate, recall: Recall) -> None:
    d.add(
        Obj(
            e.new,
            "ability",
            "stack",
            e.player,
            e.player,
            NOTHING,
            source=e.source,
            ability=e.ability,
            choices=Choices(),
        )
    )
    d.acted()


@on(ev.ChooseModes)
def _choose_modes(d: Draft, e: ev.ChooseModes, recall: Recall) -> None:
    d.set_choices(e.object, modes=e.modes)


@on(ev.CostsDeclared)
def _costs_declared(d: Draft, e: ev.CostsDeclared, recall: Recall) -> None:
    d.set_choices(e.object, x=e.x, declared=e.declared, ways=e.ways)


@on(ev.TargetsChosen)
def _targets_chosen(d: Draft, e: ev.TargetsChosen, recall: Recall) -> None:
    d.set_choices(e.object, targets=e.targets)


@on(ev.EffectDivided)
def _effect_divided(d: Draft, e: ev.EffectDivided, recall: Recall) -> None:
    d.set_choices(e.object, division=e.division)


@on(ev.CostLocked)
def _cost_locked(d: Draft, e: ev.CostLocked, recall: Recall) -> None:
    d.set_data(price=e.price, parts=e.parts)


@on(ev.SpellCast)
def _spell_cast(d: Draft, e: ev.SpellCast, recall: Recall) -> None:
    d.set_choices(e.object, cast=True)
    d.deed("spell-cast", e.player, e.object)
    choices = d.object(e.object).choices
    if choices is not None and choices.ground and choices.origin:
        d.deed("permission-used", e.player, choices.ground)


@on(ev.AbilityActivated)
def _ability_activated(d: Draft, e: ev.AbilityActivated, recall: Recall) -> None:
    d.deed("ability-activated", e.player, e.object)


@on(ev.ManaAbilityActivated)
def _mana_ability(d: Draft, e: ev.ManaAbilityActivated, recall: Recall) -> None:
    d.acted()


@on(ev.SpecialActionBegun)
def _special_action(d: Draft, e: ev.SpecialActionBegun, recall: Recall) -> None:
    d.acted()


@on(ev.PayCost)
def _pay_cost(d: Draft, e: ev.PayCost, recall: Recall) -> None:
    if e.units:
        spent = {unit.id for unit in e.units}
        pool = d.player(e.player).pool
        left = tuple(unit for unit in pool if unit.id not in spent)
        if len(left) + len(e.units) != len(pool):
            raise ValueError("mana that is not in the pool was spent")
        d.set_player(e.player, pool=left)
    data = d.top().data
    if not isinstance(data, PayingData):
        return
    if data.object:  # a mana ability has no object on the stack that could remember it
        choices = d.object(data.object).choices or Choices()
        # What is paid while it resolves is no mana that was spent to cast it.
        resolving = d.game.frames[-2].machine == "resolving"
        units = choices.spent if resolving else choices.spent + e.units
        d.set_choices(data.object, spent=units, used=choices.used + e.objects)
    if e.part < 0:
        d.set_data(price=NO_PRICE)
    else:
        d.set_data(parts=data.parts[: e.part] + data.parts[e.part + 1 :], used=data.used + e.objects)


# ----------------------------------------------------------------------------------- triggers


@on(ev.Trigger)
def _trigger(d: Draft, e: ev.Trigger, recall: Recall) -> None:
    waiting = Pending(e.id, e.ability, e.source, e.controller, e.about, d.seq)
    d.put("pending", (*d.game.pending, waiting))
    d.claim(e.id)


@on(ev.TriggersOrdered)
def _triggers_ordered(d: Draft, e: ev.TriggersOrdered, recall: Recall) -> None:
    d.set_data(order=d.top().data.order + e.order)


@on(ev.TriggerStacked)
def _trigger_stacked(d: Draft, e: ev.TriggerStacked, recall: Recall) -> None:
    waiting = d.game.pending
    (item,) = (pending for pending in waiting if pending.id == e.pending)
    d.put("pending", tuple(pending for pending in waiting if pending.id != e.pending))
    d.add(
        Obj(
            e.new,
            "ability",
            "stack",
            item.controller,
            item.controller,
            NOTHING,
            source=item.source,
            ability=item.ability,
            about=item.about,
            choices=Choices(),
        )
    )
    d.set_data(object=e.new)


@on(ev.TriggerRemoved)
def _trigger_removed(d: Draft, e: ev.TriggerRemoved, recall: Recall) -> None:
    d.take(e.object)


# --------------------------------------------------------------------------------- resolution


@on(ev.ResolutionEnded)
def _resolution_ended(d: Draft, e: ev.ResolutionEnded, recall: Recall) -> None:
    d.acted("resolution")


@on(ev.TargetsJudged)
def _targets_judged(d: Draft, e: ev.TargetsJudged, recall: Recall) -> None:
    d.set_data(legal=e.legal)


@on(ev.InstructionReached)
def _instruction_reached(d: Draft, e: ev.InstructionReached, recall: Recall) -> None:
    d.set_data(path=e.path, bound=e.bound)


# ------------------------------------------------------------------------------------ cascade


@on(ev.Exile)
def _exile(d: Draft, e: ev.Exile, recall: Recall) -> None:
    old = d.take(e.old)
    d.remember(e.last, e.new)
    if old.kind != "ability":
        base = old.base if old.kind != "card" else None
        down = old.kind == "card" and e.face_down
        d.add(Obj(e.new, old.kind, "exile", old.owner, old.owner, e.card, base=base, face_down=down))
        d.alias(e.new, e.old)
    if isinstance(d.top().data, CascadingData):
        d.set_data(pile=(*d.top().data.pile, e.new))


@on(ev.SearchEnded)
def _search_ended(d: Draft, e: ev.SearchEnded, recall: Recall) -> None:
    d.set_data(hit=e.hit)


@on(ev.RandomizeBottom)
def _randomize_bottom(d: Draft, e: ev.RandomizeBottom, recall: Recall) -> None:
    owner = d.object(e.old[0]).owner
    d.remember_groups(e.old, e.first, len(e.cards))
    for handle in e.old:
        d.take(handle)
    d.add_cards("library", owner, e.first, e.cards)


# -------------------------------------------------------------------------------- taking back


@on(ev.ActionReversed)
def _action_reversed(d: Draft, e: ev.ActionReversed, recall: Recall) -> None:
    """733.1: the game part of the mark, exactly; the ledger stays, for ids are never used twice."""
    marked = recall(e.mark).game
    now = d.game.objects
    d.game = replace(marked)
    for zone in HIDDEN:
        for player in marked.players:
            for handle in d.zone(zone, player.seat):
                # The fact is the same, but who has come to know it does not forget.
                if handle in now and now[handle].card.audience != marked.objects[handle].card.audience:
                    d.set_object(handle, card=now[handle].card)


@on(ev.SealedEnd)
def _sealed(d: Draft, e: ev.SealedEnd, recall: Recall) -> None:
    d.note("sealed", True)


# -------------------------------------------------------------------------- choices within a step


@on(ev.ChoiceAsked)
def _choice_asked(d: Draft, e: ev.ChoiceAsked, recall: Recall) -> None:
    if e.secret.known and e.secret != NOTHING and not _bounds_and_objects(e.secret.value):
        raise ValueError("the secret of a question has another shape")
    pause = d.game.pause or Pause()
    d.put("pause", Pause(pause.answers, e.held))


def _bounds_and_objects(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) != 3 or not isinstance(value[2], tuple):
        return False
    return all(type(number) is int for number in (*value[:2], *value[2]))


@on(ev.ChoiceMade)
def _choice_made(d: Draft, e: ev.ChoiceMade, recall: Recall) -> None:
    pause = d.game.pause or Pause()
    d.put("pause", Pause(() if e.anew else (*pause.answers, e.picks), pause.held))
