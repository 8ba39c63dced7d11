"""What an event makes of a state: pure, and without any rule of the game.

``evolve`` feeds a procedure event to the machine of the running procedure and applies the facts that
the event carries.  It reads no card and decides nothing; replay is this function alone.  Its only
access to the past is ``recall(seq)``, the state after an earlier event: a mark is a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from immutables import Map
from msgspec.structs import replace

from cascade_es.editions import edition as edition_named
from cascade_es.machines.build import Procedures
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING, CardRef, Fact
from cascade_es.values.mana import Price
from cascade_es.values.state import (
    CascadingData,
    CastingData,
    Choices,
    Deed,
    Frame,
    Game,
    Group,
    LastKnown,
    Ledger,
    ManaData,
    Obj,
    PayingData,
    Pending,
    Player,
    PriorityData,
    ResolvingData,
    ReversingData,
    StackingData,
    State,
    Turn,
)

Recall = Callable[[int], State]

INITIAL: Final = State(game=Game(frames=(Frame("turn", "new", 0, None),)))
"""The state before the first event."""

HIDDEN: Final = ("library", "hand")
"""The zones whose cards are not public (400.2)."""

NO_PRICE: Final = Price(0, (0, 0, 0, 0, 0, 0), 0, 0)


def evolve(state: State, event: ev.Event, recall: Recall) -> State:
    """The state after an event.

    Raises:
        NotAccepted: when the running procedure does not accept the event.
        KeyError, IndexError, ValueError: when the event speaks of what is not there.  An event made
            by the rules never does; a damaged log can.
    """
    if state.ledger.sealed:
        raise ValueError("nothing can happen after the end of the record")
    draft = _Draft(state.game, state.ledger)
    if event.procedure:
        _move_machine(draft, event)
    handler = _HANDLERS.get(event.kind)
    if handler is not None:
        handler(draft, event, recall)
    ledger = draft.ledger
    ledger["seq"] = state.ledger.seq + 1
    return State(
        replace(state.game, **draft.game) if draft.game else state.game,
        replace(state.ledger, **ledger),
    )


class _Draft:
    """What changes: new values by field name, over the old game and ledger."""

    __slots__ = ("game", "ledger", "old", "past")

    def __init__(self, old: Game, past: Ledger) -> None:
        self.old = old
        self.past = past
        self.game: dict[str, Any] = {}
        self.ledger: dict[str, Any] = {}

    def get(self, field: str) -> Any:
        return self.game[field] if field in self.game else getattr(self.old, field)

    @property
    def seq(self) -> int:
        return self.past.seq + 1

    # ------------------------------------------------------------------------------- players

    def player(self, seat: int) -> Player:
        player: Player = self.get("players")[seat]
        return player

    def set_player(self, seat: int, **changes: Any) -> None:
        players = self.get("players")
        self.game["players"] = (
            *players[:seat],
            replace(players[seat], **changes),
            *players[seat + 1 :],
        )

    # -------------------------------------------------------------------------------- frames

    def top(self) -> Frame:
        frame: Frame = self.get("frames")[-1]
        return frame

    def set_data(self, **changes: Any) -> None:
        frames = self.get("frames")
        top = frames[-1]
        self.game["frames"] = (*frames[:-1], replace(top, data=replace(top.data, **changes)))

    # ------------------------------------------------------------------------------- objects

    def object(self, handle: int) -> Obj:
        obj: Obj = self.get("objects")[handle]
        return obj

    def set_object(self, handle: int, **changes: Any) -> None:
        objects = self.get("objects")
        self.game["objects"] = objects.set(handle, replace(objects[handle], **changes))

    def set_choices(self, handle: int, **changes: Any) -> None:
        choices = self.object(handle).choices or Choices()
        self.set_object(handle, choices=replace(choices, **changes))

    def zone(self, name: str, seat: int) -> tuple[int, ...]:
        if name in ("library", "hand", "graveyard"):
            return getattr(self.player(seat), name)  # type: ignore[no-any-return]
        return self.get(name)  # type: ignore[no-any-return]

    def set_zone(self, name: str, seat: int, ids: tuple[int, ...]) -> None:
        if name in ("library", "hand", "graveyard"):
            self.set_player(seat, **{name: ids})
        else:
            self.game[name] = ids

    def take(self, handle: int) -> Obj:
        """Remove an object from its zone and from the game."""
        obj = self.object(handle)
        ids = self.zone(obj.zone, obj.owner)
        place = ids.index(handle)
        self.set_zone(obj.zone, obj.owner, ids[:place] + ids[place + 1 :])
        self.game["objects"] = self.get("objects").delete(handle)
        if obj.zone in HIDDEN:
            knowledge = self.ledger.get("knowledge", self.past.knowledge)
            if handle in knowledge:
                self.ledger["knowledge"] = knowledge.delete(handle)
        return obj

    def add(self, obj: Obj, position: int = -1) -> None:
        """Put an object into its zone: at the end, or at a library's top (position 0)."""
        objects = self.get("objects")
        if obj.id in objects:
            raise ValueError(f"object {obj.id} exists already")
        stamp = self.ledger.get("next_stamp", self.past.next_stamp)
        self.game["objects"] = objects.set(obj.id, replace(obj, stamp=stamp))
        self.ledger["next_stamp"] = stamp + 1
        if obj.id >= self.ledger.get("next_id", self.past.next_id):
            self.ledger["next_id"] = obj.id + 1
        ids = self.zone(obj.zone, obj.owner)
        self.set_zone(obj.zone, obj.owner, (obj.id, *ids) if position == 0 else (*ids, obj.id))
        if obj.zone in HIDDEN:
            self.learn(obj.id, obj.card.audience)

    def learn(self, handle: int, seats: int) -> None:
        """These seats have seen which card a hidden object is."""
        if seats:
            knowledge = self.ledger.get("knowledge", self.past.knowledge)
            self.ledger["knowledge"] = knowledge.set(handle, knowledge.get(handle, 0) | seats)

    def known(self, handle: int) -> int:
        """The seats that have seen which card a hidden object is."""
        seats: int = self.ledger.get("knowledge", self.past.knowledge).get(handle, 0)
        return seats

    def alias(self, new: int, old: int) -> None:
        """The same card had another id before."""
        aliases = self.ledger.get("aliases", self.past.aliases)
        self.ledger["aliases"] = aliases.set(new, old)

    def remember(self, last: LastKnown | None, successor: int) -> None:
        if last is not None:
            known = self.get("last_known")
            self.game["last_known"] = known.set(last.object.id, replace(last, successor=successor))

    def deed(self, kind: str, player: int, obj: int) -> None:
        self.game["history"] = (*self.get("history"), Deed(kind, player, obj, self.seq))


def _move_machine(draft: _Draft, event: ev.Event) -> None:
    frames = draft.old.frames
    procedures = Procedures.of(edition_named(draft.past.edition or "newest"))
    if event.kind == "game-ended":
        # 104.1: the game ends immediately; whatever was going on is over with it.
        frames = frames[:1]
    top = frames[-1]
    state, push, pop = procedures.step(top.machine, top.state, event.kind)
    below = frames[:-1]
    if pop:
        draft.game["frames"] = below
        return
    stepped = top if state == top.state else replace(top, state=state)
    if push:
        data, mark = _BEGIN[push](draft, event)
        draft.game["frames"] = (*below, stepped, Frame(push, procedures.begin(push), mark, data, draft.seq))
    elif stepped is not top or below is not draft.old.frames[:-1]:
        draft.game["frames"] = (*below, stepped)


# ------------------------------------------------------------------------- how procedures begin


def _begin_casting(draft: _Draft, event: Any) -> tuple[Any, int]:
    held = draft.top().machine == "priority"
    return CastingData(event.player, event.new, held), event.mark


_BEGIN: Final[dict[str, Callable[[_Draft, Any], tuple[Any, int]]]] = {
    "priority": lambda d, e: (PriorityData(e.player), d.past.seq),
    "casting": _begin_casting,
    "activating": _begin_casting,
    "paying": lambda d, e: (PayingData(e.player, e.object, e.price, e.parts), d.past.seq),
    "mana": lambda d, e: (ManaData(e.player, e.source, e.ability), e.mark),
    "stacking": lambda d, e: (StackingData(), d.past.seq),
    "resolving": lambda d, e: (ResolvingData(e.object), d.past.seq),
    "cascading": lambda d, e: (CascadingData(e.player, e.object, e.limit), d.past.seq),
    "reversing": lambda d, e: (ReversingData(e.mark, e.rule, e.reason, e.player), e.mark),
}


# -------------------------------------------------------------------------------- the handlers

_HANDLERS: Final[dict[str, Callable[[_Draft, Any, Recall], None]]] = {}


def _on(
    kind: type[ev.Event],
) -> Callable[[Callable[[_Draft, Any, Recall], None]], Callable[[_Draft, Any, Recall], None]]:
    def register(
        handler: Callable[[_Draft, Any, Recall], None],
    ) -> Callable[[_Draft, Any, Recall], None]:
        _HANDLERS[kind.kind] = handler
        return handler

    return register


@_on(ev.GameBegun)
def _game_begun(d: _Draft, e: ev.GameBegun, recall: Recall) -> None:
    d.game["players"] = tuple(Player(seat, life) for seat, life in enumerate(e.life))
    d.game["turn"] = Turn(0, e.starting, "")
    d.ledger["edition"] = e.edition


@_on(ev.Placed)
def _placed(d: _Draft, e: ev.Placed, recall: Recall) -> None:
    for index, card in enumerate(e.cards):
        tapped = bool(e.tapped and e.tapped[index])
        d.add(Obj(e.first + index, "card", e.zone, e.owner, e.owner, card, tapped=tapped))


@_on(ev.TurnBegun)
def _turn_begun(d: _Draft, e: ev.TurnBegun, recall: Recall) -> None:
    d.game["turn"] = Turn(e.number, e.player, "")
    d.set_player(e.player, began=e.number)
    d.game["players"] = tuple(
        player if not player.lands else replace(player, lands=0) for player in d.get("players")
    )


@_on(ev.StepBegun)
def _step_begun(d: _Draft, e: ev.StepBegun, recall: Recall) -> None:
    d.game["turn"] = replace(d.get("turn"), step=e.step)


@_on(ev.TurnEnded)
def _turn_ended(d: _Draft, e: ev.TurnEnded, recall: Recall) -> None:
    d.game["last_turn"] = d.get("history")
    d.game["history"] = ()
    d.ledger["aliases"] = Map()


@_on(ev.PriorityGiven)
def _priority_given(d: _Draft, e: ev.PriorityGiven, recall: Recall) -> None:
    d.set_data(player=e.player)


@_on(ev.PriorityPassed)
def _priority_passed(d: _Draft, e: ev.PriorityPassed, recall: Recall) -> None:
    d.set_data(passes=d.top().data.passes + 1, after="pass")


@_on(ev.GameEnded)
def _game_ended(d: _Draft, e: ev.GameEnded, recall: Recall) -> None:
    d.game["winners"] = e.winners


@_on(ev.PlayerLost)
def _player_lost(d: _Draft, e: ev.PlayerLost, recall: Recall) -> None:
    d.set_player(e.player, lost=e.reason)


# ---------------------------------------------------------------------------------- proposals


def _acted(d: _Draft, after: str = "action") -> None:
    """Somebody acted: passes no longer are in succession (117.4)."""
    frames = d.get("frames")
    for depth in range(len(frames) - 1, -1, -1):
        frame = frames[depth]
        if frame.machine == "priority":
            changed = replace(frame, data=replace(frame.data, passes=0, after=after))
            d.game["frames"] = (*frames[:depth], changed, *frames[depth + 1 :])
            return


@_on(ev.Announce)
def _announce(d: _Draft, e: ev.Announce, recall: Recall) -> None:
    old = d.take(e.old)
    choices = Choices(part=e.part, permission=e.permission, ground=e.ground, free=e.free, limit=e.limit)
    d.add(Obj(e.new, old.kind, "stack", old.owner, e.player, e.card, face=e.part, choices=choices))
    d.alias(e.new, e.old)
    frames = d.get("frames")
    below = frames[-2]
    if below.machine == "cascading":
        pile = tuple(item for item in below.data.pile if item != e.old)
        changed = replace(below, data=replace(below.data, pile=pile))
        d.game["frames"] = (*frames[:-2], changed, frames[-1])
    _acted(d)


@_on(ev.Activate)
def _activate(d: _Draft, e: ev.Activate, recall: Recall) -> None:
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
    _acted(d)


@_on(ev.ChooseModes)
def _choose_modes(d: _Draft, e: ev.ChooseModes, recall: Recall) -> None:
    d.set_choices(e.object, modes=e.modes)


@_on(ev.CostsDeclared)
def _costs_declared(d: _Draft, e: ev.CostsDeclared, recall: Recall) -> None:
    d.set_choices(e.object, x=e.x, declared=e.declared, ways=e.ways)


@_on(ev.TargetsChosen)
def _targets_chosen(d: _Draft, e: ev.TargetsChosen, recall: Recall) -> None:
    d.set_choices(e.object, targets=e.targets)


@_on(ev.EffectDivided)
def _effect_divided(d: _Draft, e: ev.EffectDivided, recall: Recall) -> None:
    d.set_choices(e.object, division=e.division)


@_on(ev.CostLocked)
def _cost_locked(d: _Draft, e: ev.CostLocked, recall: Recall) -> None:
    d.set_data(price=e.price, parts=e.parts)


@_on(ev.SpellCast)
def _spell_cast(d: _Draft, e: ev.SpellCast, recall: Recall) -> None:
    d.set_choices(e.object, cast=True)
    d.deed("spell-cast", e.player, e.object)


@_on(ev.AbilityActivated)
def _ability_activated(d: _Draft, e: ev.AbilityActivated, recall: Recall) -> None:
    d.deed("ability-activated", e.player, e.object)


@_on(ev.ManaAbilityActivated)
def _mana_ability(d: _Draft, e: ev.ManaAbilityActivated, recall: Recall) -> None:
    _acted(d)


@_on(ev.PayCost)
def _pay_cost(d: _Draft, e: ev.PayCost, recall: Recall) -> None:
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
    choices = d.object(data.object).choices or Choices()
    d.set_choices(data.object, spent=choices.spent + e.units, used=choices.used + e.objects)
    if e.part < 0:
        d.set_data(price=NO_PRICE)
    else:
        d.set_data(parts=data.parts[: e.part] + data.parts[e.part + 1 :], used=data.used + e.objects)


# ----------------------------------------------------------------------------------- triggers


@_on(ev.Trigger)
def _trigger(d: _Draft, e: ev.Trigger, recall: Recall) -> None:
    waiting = Pending(e.id, e.ability, e.source, e.controller, e.about, d.seq)
    d.game["pending"] = (*d.get("pending"), waiting)
    if e.id >= d.ledger.get("next_id", d.past.next_id):
        d.ledger["next_id"] = e.id + 1


@_on(ev.TriggersOrdered)
def _triggers_ordered(d: _Draft, e: ev.TriggersOrdered, recall: Recall) -> None:
    d.set_data(order=d.top().data.order + e.order)


@_on(ev.TriggerStacked)
def _trigger_stacked(d: _Draft, e: ev.TriggerStacked, recall: Recall) -> None:
    waiting = d.get("pending")
    (item,) = (pending for pending in waiting if pending.id == e.pending)
    d.game["pending"] = tuple(pending for pending in waiting if pending.id != e.pending)
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


@_on(ev.TriggerRemoved)
def _trigger_removed(d: _Draft, e: ev.TriggerRemoved, recall: Recall) -> None:
    d.take(e.object)


# --------------------------------------------------------------------------------- resolution


@_on(ev.ResolutionEnded)
def _resolution_ended(d: _Draft, e: ev.ResolutionEnded, recall: Recall) -> None:
    _acted(d, "resolution")


@_on(ev.TargetsJudged)
def _targets_judged(d: _Draft, e: ev.TargetsJudged, recall: Recall) -> None:
    d.set_data(legal=e.legal)


@_on(ev.InstructionReached)
def _instruction_reached(d: _Draft, e: ev.InstructionReached, recall: Recall) -> None:
    d.set_data(path=e.path, bound=e.bound)


# ------------------------------------------------------------------------------------ cascade


@_on(ev.Exile)
def _exile(d: _Draft, e: ev.Exile, recall: Recall) -> None:
    old = d.take(e.old)
    d.remember(e.last, e.new)
    if old.kind == "card":
        d.add(Obj(e.new, "card", "exile", old.owner, old.owner, e.card))
        d.alias(e.new, e.old)
    if isinstance(d.top().data, CascadingData):
        d.set_data(pile=(*d.top().data.pile, e.new))


@_on(ev.SearchEnded)
def _search_ended(d: _Draft, e: ev.SearchEnded, recall: Recall) -> None:
    d.set_data(hit=e.hit)


@_on(ev.RandomizeBottom)
def _randomize_bottom(d: _Draft, e: ev.RandomizeBottom, recall: Recall) -> None:
    names = tuple(card for card in (d.object(handle).ref for handle in e.old) if card is not None)
    owner = d.object(e.old[0]).owner
    for handle in e.old:
        d.take(handle)
    for index, card in enumerate(e.cards):
        d.add(Obj(e.first + index, "card", "library", owner, owner, card))
    everyone = (1 << len(d.get("players"))) - 1
    _remember_group(d, everyone, e.first, len(e.cards), names)
    if e.draw >= 0:
        d.ledger["draws"] = e.draw + 1


# -------------------------------------------------------------------------------------- zones


def _remember_group(d: _Draft, seats: int, first: int, size: int, cards: tuple[CardRef, ...]) -> None:
    groups = d.ledger.get("groups", d.past.groups)
    d.ledger["groups"] = (*groups, Group(seats, first, size, tuple(sorted(cards))))


def _renew(d: _Draft, seat: int, zone: str, first: int, cards: tuple[Fact, ...]) -> None:
    """Give the cards of a hidden zone fresh ids; who had seen some still knows that they are there."""
    seen: dict[int, list[CardRef]] = {}
    for handle in d.zone(zone, seat):
        seats = d.known(handle)
        ref = d.object(handle).ref
        if seats and ref is not None:
            seen.setdefault(seats, []).append(ref)
    for handle in d.zone(zone, seat):
        d.take(handle)
    for index, card in enumerate(cards):
        d.add(Obj(first + index, "card", zone, seat, seat, card))
    for seats in sorted(seen):
        _remember_group(d, seats, first, len(cards), tuple(seen[seats]))


@_on(ev.Rehandled)
def _rehandled(d: _Draft, e: ev.Rehandled, recall: Recall) -> None:
    _renew(d, e.player, e.zone, e.first, e.cards)
    for offset, old in enumerate(e.origin.value or ()):
        d.alias(e.first + offset, old)
    if e.zone == "library":
        d.set_player(e.player, order=e.order)


@_on(ev.Shuffled)
def _shuffled(d: _Draft, e: ev.Shuffled, recall: Recall) -> None:
    _renew(d, e.player, "library", e.first, e.cards)
    d.set_player(e.player, order=NOTHING)
    if e.draw >= 0:
        d.ledger["draws"] = e.draw + 1


@_on(ev.Drawn)
def _drawn(d: _Draft, e: ev.Drawn, recall: Recall) -> None:
    old = d.take(e.old)
    d.add(Obj(e.new, old.kind, "hand", old.owner, old.owner, e.card))
    d.alias(e.new, e.old)


@_on(ev.DrewFromEmpty)
def _drew_from_empty(d: _Draft, e: ev.DrewFromEmpty, recall: Recall) -> None:
    d.set_player(e.player, drew_from_empty=True)


@_on(ev.Moved)
def _moved(d: _Draft, e: ev.Moved, recall: Recall) -> None:
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
        face=old.face if held else 0,
        since=d.get("turn").number if held else 0,
        tapped=e.tapped,
        attached=e.attached,
        choices=old.choices if e.zone == "battlefield" and old.zone == "stack" else None,
    )
    d.add(obj, e.position)
    d.alias(e.new, e.old)
    if e.zone == "graveyard" and old.zone == "battlefield":
        d.deed("died", old.controller, e.old)


@_on(ev.Shown)
def _shown(d: _Draft, e: ev.Shown, recall: Recall) -> None:
    for handle, card in zip(e.objects, e.cards, strict=True):
        obj = d.object(handle)
        if obj.card != card:
            raise ValueError(f"what was shown of object {handle} is not its card")
        if card.known and not obj.card.known:
            d.set_object(handle, card=card)
        d.learn(handle, e.to)


@_on(ev.LandPlayed)
def _land_played(d: _Draft, e: ev.LandPlayed, recall: Recall) -> None:
    old = d.take(e.old)
    turn = d.get("turn").number
    d.add(Obj(e.new, old.kind, "battlefield", old.owner, e.player, e.card, face=e.part, since=turn))
    d.alias(e.new, e.old)
    d.set_player(e.player, lands=d.player(e.player).lands + 1)
    d.deed("land-played", e.player, e.new)
    _acted(d)


# ------------------------------------------------------------------------------------- values


@_on(ev.Tapped)
def _tapped(d: _Draft, e: ev.Tapped, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, tapped=True)


@_on(ev.Untapped)
def _untapped(d: _Draft, e: ev.Untapped, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, tapped=False)


@_on(ev.ManaAdded)
def _mana_added(d: _Draft, e: ev.ManaAdded, recall: Recall) -> None:
    d.set_player(e.player, pool=d.player(e.player).pool + e.units)
    d.ledger["next_id"] = max(d.past.next_id, *(unit.id + 1 for unit in e.units))


@_on(ev.ManaEmptied)
def _mana_emptied(d: _Draft, e: ev.ManaEmptied, recall: Recall) -> None:
    d.set_player(e.player, pool=())


@_on(ev.DamageDealt)
def _damage_dealt(d: _Draft, e: ev.DamageDealt, recall: Recall) -> None:
    if e.object:
        obj = d.object(e.object)
        d.set_object(e.object, damage=obj.damage + e.amount, deathtouched=obj.deathtouched or e.deathtouch)


@_on(ev.DamageRemoved)
def _damage_removed(d: _Draft, e: ev.DamageRemoved, recall: Recall) -> None:
    for handle in e.objects:
        d.set_object(handle, damage=0, deathtouched=False)


@_on(ev.LifeChanged)
def _life_changed(d: _Draft, e: ev.LifeChanged, recall: Recall) -> None:
    d.set_player(e.player, life=e.total)


@_on(ev.CountersChanged)
def _counters_changed(d: _Draft, e: ev.CountersChanged, recall: Recall) -> None:
    counters = dict(d.object(e.object).counters)
    counters[e.counter] = counters.get(e.counter, 0) + e.amount
    kept = tuple(sorted((name, number) for name, number in counters.items() if number > 0))
    d.set_object(e.object, counters=kept)


# -------------------------------------------------------------------------------- taking back


@_on(ev.ActionReversed)
def _action_reversed(d: _Draft, e: ev.ActionReversed, recall: Recall) -> None:
    """733.1: the game part of the mark, exactly; the ledger stays, for ids are never used twice."""
    marked = recall(e.mark).game
    for field in Game.__struct_fields__:
        d.game[field] = getattr(marked, field)


@_on(ev.SealedEnd)
def _sealed(d: _Draft, e: ev.SealedEnd, recall: Recall) -> None:
    d.ledger["sealed"] = True
