"""Sentences for what moves a procedure: turns, casts, payments, triggers, resolutions, reversals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cascade_es.values import events as ev
from cascade_es.values.facts import Fact
from cascade_es.values.state import ManaData, Part, SpecialData
from cascade_es.views.naming import Names, step_name, symbols
from cascade_es.views.plain import listed, one_line

PROCEDURES: Final[dict[str, Callable[[Names, Any], str]]] = {}
"""What makes a sentence of a procedure event, by kind."""

_Sentence = Callable[[Names, Any], str]


def _says(kind: type[ev.Event]) -> Callable[[_Sentence], _Sentence]:
    def register(sentence: _Sentence) -> _Sentence:
        PROCEDURES[kind.kind] = sentence
        return sentence

    return register


def quoted(fact: Fact) -> str:
    """A text that somebody said, if this copy has it."""
    return f'"{one_line(str(fact.value))}"' if isinstance(fact.value, str) else "words that are sealed"


def components(parts: tuple[Part, ...]) -> list[str]:
    """The components of a cost that are not mana."""
    return [_component(part) for part in parts]


def _component(part: Part) -> str:
    if part.kind == "tap":
        return "{T}"
    if part.kind == "life":
        return f"{part.amount} life"
    if part.kind == "loyalty":
        return _loyalty(part.amount)
    if part.kind == "sacrifice this":
        return "its own sacrifice"
    if part.kind == "tap others":
        return "the tapping of another" if part.amount == 1 else f"the tapping of {part.amount} others"
    kind = one_line(part.kind)
    return f"a {kind}" if part.amount == 1 else f"{part.amount} {kind}s"


def _loyalty(amount: int) -> str:
    return f"{amount:+d} loyalty" if amount else "0 loyalty"


def _price(event: Any) -> str:
    others = components(event.parts)
    price = str(event.price)
    return listed(others) if others and price == "{0}" else listed([price, *others])


# ------------------------------------------------------------------------------- beginning, turn


@_says(ev.GameBegun)
def _game_begun(n: Names, e: ev.GameBegun) -> str:
    totals = ", ".join(f"{n.player(seat)} at {life} life" for seat, life in enumerate(e.life))
    return f"the game begins: {totals}; {n.player(e.starting)} takes the first turn"


@_says(ev.TurnBegun)
def _turn_begun(n: Names, e: ev.TurnBegun) -> str:
    return f"turn {e.number} begins: it is {n.player(e.player)}'s"


@_says(ev.StepBegun)
def _step_begun(n: Names, e: ev.StepBegun) -> str:
    return f"{step_name(e.step)} begins"


@_says(ev.StepEnded)
def _step_ended(n: Names, e: ev.StepEnded) -> str:
    return f"{step_name(n.before.state.game.turn.step)} ends"


@_says(ev.TurnEnded)
def _turn_ended(n: Names, e: ev.TurnEnded) -> str:
    return f"{n.player(n.before.state.game.turn.active)}'s turn ends"


@_says(ev.RoundBegun)
def _round_begun(n: Names, e: ev.RoundBegun) -> str:
    return f"players begin to receive priority, {n.player(e.player)} first"


@_says(ev.RoundEnded)
def _round_ended(n: Names, e: ev.RoundEnded) -> str:
    return "all players have passed, and the stack is empty"


@_says(ev.PriorityGiven)
def _priority_given(n: Names, e: ev.PriorityGiven) -> str:
    return f"{n.player(e.player)} receives priority"


@_says(ev.PriorityPassed)
def _priority_passed(n: Names, e: ev.PriorityPassed) -> str:
    return f"{n.player(e.player)} passes"


@_says(ev.GameEnded)
def _game_ended(n: Names, e: ev.GameEnded) -> str:
    if not e.winners:
        return "the game ends in a draw"
    verb = "wins" if len(e.winners) == 1 else "win"
    return f"the game ends: {listed([n.player(seat) for seat in e.winners])} {verb}"


@_says(ev.LandPlayed)
def _land_played(n: Names, e: ev.LandPlayed) -> str:
    return f"{n.player(e.player)} plays {n.card(e.card, e.part)} {n.from_zone(n.find(e.old), e.player)}"


# --------------------------------------------------------------------------------- the proposal


@_says(ev.Announce)
def _announce(n: Names, e: ev.Announce) -> str:
    free = " without paying its mana cost" if e.free else ""
    by = f" (by {one_line(e.permission)})" if e.permission not in ("", "hand") else ""
    return (
        f"{n.player(e.player)} announces {n.card(e.card, e.part)} "
        f"{n.from_zone(n.find(e.old), e.player)}{free}{by}"
    )


@_says(ev.Activate)
def _activate(n: Names, e: ev.Activate) -> str:
    return f"{n.player(e.player)} announces {n.ability(e.ability, e.source)}"


def _controller(n: Names, handle: int) -> str:
    obj = n.find(handle)
    return n.player(obj.controller) if obj is not None else "somebody"


@_says(ev.ChooseModes)
def _choose_modes(n: Names, e: ev.ChooseModes) -> str:
    modes = [str(mode + 1) for mode in e.modes]
    which = f"mode{'s' if len(modes) != 1 else ''} {listed(modes)}" if modes else "no mode"
    return f"{_controller(n, e.object)} chooses {which} for {n.object(e.object)}"


@_says(ev.CostsDeclared)
def _costs_declared(n: Names, e: ev.CostsDeclared) -> str:
    said = [f"X is {e.x}"] if e.x >= 0 else []
    said += [one_line(name) for name in e.declared]
    said += [f"{{{one_line(way)}}}" for way in e.ways]
    who, name = _controller(n, e.object), n.object(e.object)
    return f"{who} declares {listed(said)} for {name}" if said else f"{who} has no costs to choose for {name}"


@_says(ev.TargetsChosen)
def _targets_chosen(n: Names, e: ev.TargetsChosen) -> str:
    if not e.targets:
        return f"{_controller(n, e.object)} chooses no targets for {n.object(e.object)}"
    return f"{n.object(e.object)} targets {listed([n.target(target) for target in e.targets])}"


@_says(ev.EffectDivided)
def _effect_divided(n: Names, e: ev.EffectDivided) -> str:
    targets = n.after.choices(e.object).targets
    shares = [f"{amount} to {n.target(target)}" for amount, target in zip(e.division, targets, strict=False)]
    return f"{_controller(n, e.object)} divides {n.object(e.object)}: {listed(shares)}"


@_says(ev.ProposalChecked)
def _proposal_checked(n: Names, e: ev.ProposalChecked) -> str:
    return f"{n.object(e.object)} has been proposed legally"


@_says(ev.CostLocked)
def _cost_locked(n: Names, e: ev.CostLocked) -> str:
    return f"the total cost of {n.object(e.object)} is locked in: {_price(e)}"


@_says(ev.SpellCast)
def _spell_cast(n: Names, e: ev.SpellCast) -> str:
    return f"{n.player(e.player)} has cast {n.object(e.object)}"


@_says(ev.AbilityActivated)
def _ability_activated(n: Names, e: ev.AbilityActivated) -> str:
    return f"{n.player(e.player)} has activated {n.object(e.object)}"


# -------------------------------------------------------------------------------------- payment


@_says(ev.PaymentBegun)
def _payment_begun(n: Names, e: ev.PaymentBegun) -> str:
    frame = n.before.state.game.frames[-1]
    # A mana ability is no object: what is paid for is found in its procedure.
    if isinstance(frame.data, SpecialData):
        return f"{n.player(e.player)} begins to pay {_price(e)} to {frame.data.action} {n.object(e.source)}"
    source = frame.data.source if not e.object and isinstance(frame.data, ManaData) else 0
    what = f"{n.object(source)}'s mana ability" if source else n.object(e.object)
    return f"{n.player(e.player)} begins to pay {_price(e)} for {what}"


@_says(ev.ManaAbilityActivated)
def _mana_ability_activated(n: Names, e: ev.ManaAbilityActivated) -> str:
    if e.ability.keyword:
        return f"{n.player(e.player)} activates {n.ability(e.ability, e.source)}"
    return f"{n.player(e.player)} activates {n.object(e.source)}'s mana ability"


@_says(ev.ManaAbilityResolved)
def _mana_ability_resolved(n: Names, e: ev.ManaAbilityResolved) -> str:
    return f"{n.object(e.source)}'s mana ability has resolved"


@_says(ev.SpecialActionBegun)
def _special_action_begun(n: Names, e: ev.SpecialActionBegun) -> str:
    return f"{n.player(e.player)} begins to {one_line(e.action)} half {e.index + 1} of {n.object(e.object)}"


@_says(ev.SpecialActionTaken)
def _special_action_taken(n: Names, e: ev.SpecialActionTaken) -> str:
    return f"{n.player(e.player)} takes a special action: {one_line(e.action)} {n.object(e.object)}"


_PAID: Final = {
    "tap": "tapping",
    "tap others": "tapping",
    "sacrifice": "sacrificing",
    "sacrifice this": "sacrificing",
    "discard": "discarding",
    "reveal": "revealing",
}


@_says(ev.PayCost)
def _pay_cost(n: Names, e: ev.PayCost) -> str:
    who = n.player(e.player)
    if e.sort == "mana":
        return f"{who} pays {symbols(e.units) or '{0}'}"
    if e.sort == "life":
        return f"{who} pays {e.amount} life"
    if e.sort == "loyalty":
        return f"{who} pays {_loyalty(e.amount)}"
    if e.objects and e.sort in _PAID:
        return f"{who} pays by {_PAID[e.sort]} {n.objects(e.objects)}"
    return f"{who} pays: {one_line(e.sort)}" + (f" {e.amount}" if e.amount != 1 else "")


@_says(ev.SecondStageBegun)
def _second_stage_begun(n: Names, e: ev.SecondStageBegun) -> str:
    return f"{n.player(e.player)} comes to the costs that are random or move cards from a library"


@_says(ev.PaymentEnded)
def _payment_ended(n: Names, e: ev.PaymentEnded) -> str:
    return f"everything is paid for {n.object(e.object)}" if e.object else "everything is paid"


# ------------------------------------------------------------------------------------- triggers


@_says(ev.StackingBegun)
def _stacking_begun(n: Names, e: ev.StackingBegun) -> str:
    return "waiting triggered abilities are put on the stack"


@_says(ev.TriggersOrdered)
def _triggers_ordered(n: Names, e: ev.TriggersOrdered) -> str:
    pending = {item.id: item for item in n.before.state.game.pending}
    names = [n.ability(pending[i].ability, pending[i].source) for i in e.order if i in pending]
    return f"{n.player(e.player)} orders their triggers: {listed(names, 'then')}"


@_says(ev.TriggerStacked)
def _trigger_stacked(n: Names, e: ev.TriggerStacked) -> str:
    return f"{n.object(e.new)} goes on the stack"


@_says(ev.TriggerRemoved)
def _trigger_removed(n: Names, e: ev.TriggerRemoved) -> str:
    return f"{n.object(e.object)} has no legal choices and is removed from the stack"


@_says(ev.StackingEnded)
def _stacking_ended(n: Names, e: ev.StackingEnded) -> str:
    return "no triggered ability is left waiting"


# ----------------------------------------------------------------------------------- resolution


@_says(ev.ResolutionBegun)
def _resolution_begun(n: Names, e: ev.ResolutionBegun) -> str:
    return f"{n.object(e.object)} begins to resolve"


@_says(ev.TargetsJudged)
def _targets_judged(n: Names, e: ev.TargetsJudged) -> str:
    if all(e.legal):
        return f"the targets of {n.object(e.object)} are legal"
    targets = n.before.choices(e.object).targets
    bad = [n.target(target) for target, fine in zip(targets, e.legal, strict=False) if not fine]
    verb = "is" if len(bad) == 1 else "are"
    return f"{listed(bad)} {verb} no longer legal for {n.object(e.object)}"


@_says(ev.InstructionReached)
def _instruction_reached(n: Names, e: ev.InstructionReached) -> str:
    place = ".".join(str(step + 1) for step in e.path)
    bound = [f"{one_line(name)}: {_bound(n, values)}" for name, values in e.bound]
    known = f" ({'; '.join(bound)})" if bound else ""
    return f"{n.object(e.object)} goes on at instruction {place}{known}"


def _bound(n: Names, values: tuple[int, ...]) -> str:
    """What a name is bound to: objects if they are some, else numbers."""
    if values and all(n.find(value) is not None for value in values):
        return n.objects(values)
    return ", ".join(str(value) for value in values) or "nothing"


@_says(ev.ResolutionEnded)
def _resolution_ended(n: Names, e: ev.ResolutionEnded) -> str:
    return f"{n.object(e.object)} {'has resolved' if e.outcome == 'resolved' else one_line(e.outcome)}"


# -------------------------------------------------------------------------------------- cascade


@_says(ev.CascadeBegun)
def _cascade_begun(n: Names, e: ev.CascadeBegun) -> str:
    return f"{n.player(e.player)} cascades into a nonland card with mana value less than {e.limit}"


@_says(ev.SearchEnded)
def _search_ended(n: Names, e: ev.SearchEnded) -> str:
    return f"the cascade stops at {n.object(e.hit)}" if e.hit else "the cascade has found nothing"


@_says(ev.CastOffered)
def _cast_offered(n: Names, e: ev.CastOffered) -> str:
    return f"{n.player(e.player)} may cast {n.object(e.object)} without paying its mana cost"


@_says(ev.CastFree)
def _cast_free(n: Names, e: ev.CastFree) -> str:
    obj = n.find(e.object)
    name = n.card(obj.card, e.part) if obj is not None else n.object(e.object)
    return f"{n.player(e.player)} chooses to cast {name} without paying its mana cost"


@_says(ev.OfferBegun)
def _offer_begun(n: Names, e: ev.OfferBegun) -> str:
    return f"{n.player(e.player)} may cast {n.objects(e.cards)}"


@_says(ev.OfferEnded)
def _offer_ended(n: Names, e: ev.OfferEnded) -> str:
    return f"the offer to {n.player(e.player)} is over"


@_says(ev.CastDeclined)
def _cast_declined(n: Names, e: ev.CastDeclined) -> str:
    return f"{n.player(e.player)} does not cast {n.object(e.object)}"


@_says(ev.RandomizeBottom)
def _randomize_bottom(n: Names, e: ev.RandomizeBottom) -> str:
    order = " in a random order" if len(e.old) > 1 else ""
    verb = "goes" if len(e.old) < 2 else "go"
    return f"{n.objects(e.old)} {verb} to the bottom of {n.player(e.player)}'s library{order}"


@_says(ev.CascadeEnded)
def _cascade_ended(n: Names, e: ev.CascadeEnded) -> str:
    return f"{n.player(e.player)} has cascaded"


# ---------------------------------------------------------------------------------- taking back


@_says(ev.IllegalityFound)
def _illegality_found(n: Names, e: ev.IllegalityFound) -> str:
    return f"{n.player(e.player)} cannot do this: {one_line(e.reason)}"


@_says(ev.ActionReversed)
def _action_reversed(n: Names, e: ev.ActionReversed) -> str:
    found = next(n.history.since(e.cause - 1), None) if e.cause > 0 else None
    rule = f" ({n.number(found.event.rule)})" if found is not None else ""
    last = n.after.state.ledger.seq - 1
    kept = f"events {listed([str(seq) for seq in e.kept])} stay" if e.kept else "nothing of it stays"
    span = f"event {last}" if last == e.mark + 1 else f"events {e.mark + 1} to {last}"
    return f"{n.player(e.player)}'s action is undone, {span}: {one_line(e.reason)}{rule}; {kept}"
