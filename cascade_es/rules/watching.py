"""Which replacement and prevention effects there are, and which of them apply to a proposal (614.1, 615.1).

Without any nothing is looked at more closely: whether the text of an object has such an ability at all is
known once for each card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from cascade_es.evolve import evolve
from cascade_es.rules.attaching import player_of as player_meant
from cascade_es.rules.board import Board
from cascade_es.rules.filters import (
    agrees,
    as_source,
    compares,
    holds,
    matches,
    matches_player,
    protected_from,
    speaks_to,
)
from cascade_es.rules.keywords import EXILED, REGENERATION, REPLACING, SAGA, SHIELDED, STARTING
from cascade_es.rules.work import Work
from cascade_es.rules.would import (
    Would,
    WouldAddMana,
    WouldBegin,
    WouldChangeLife,
    WouldCounter,
    WouldCreate,
    WouldDeal,
    WouldDestroy,
    WouldDraw,
    WouldLose,
    WouldMove,
    WouldPutCounters,
    WouldShuffle,
    WouldTurnUp,
)
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING, CardRef
from cascade_es.values.script import Replacement
from cascade_es.values.script import Would as When
from cascade_es.values.state import AbilityRef, Characteristics, Effect, Obj

COMBAT = ("beginning of combat", "declare attackers", "declare blockers", "combat damage", "end of combat")


class Watcher(msgspec.Struct, frozen=True):
    """A replacement effect at work: its text, where it comes from, whose it is."""

    key: str
    ref: AbilityRef
    ability: Replacement
    source: int
    controller: int
    effect: Effect | None = None

    @property
    def those(self) -> tuple[int, ...]:
        """The objects that an effect is about."""
        if self.effect is None:
            return ()
        return self.effect.objects or (() if self.effect.sort == "shield" else self.effect.about)

    @property
    def sources(self) -> tuple[int, ...]:
        """The sources of damage that an effect is about."""
        return () if self.effect is None else self.effect.named("source") or self.those


# -------------------------------------------------------------------------------- finding them


def mentions(board: Board, obj: Obj) -> bool:
    """Whether the text of an object has or grants a replacement effect, or starts it with counters."""
    if obj.kind == "ability":
        return False
    base = board.copying(obj)
    if base is not None and any(change.grants for change in base.changes):
        return True
    card = obj.card.value if base is None else base.card.value
    return isinstance(card, CardRef) and board.ctx.cards.replaces(card)


def about(board: Board, proposals: Iterable[Would]) -> bool:
    """Whether any replacement effect may have to do with these proposals."""
    game = board.state.game
    if any(_replacing(board, effect) for effect in game.effects):
        return True
    if Replacement not in board.ctx.cards.sorts:
        return any(_special(board, p) for p in proposals)
    objects = game.objects
    for zone in (game.battlefield, game.stack, game.command, game.exile):
        # What lies face down has no text (708.2): that something is looked at more closely would tell of it.
        if any(mentions(board, objects[handle]) for handle in zone if not objects[handle].face_down):
            return True
    for player in game.players:
        if any(mentions(board, objects[handle]) for handle in player.graveyard):
            return True
    return any(_special(board, p) for p in proposals)


def _replacing(board: Board, effect: Effect) -> bool:
    """Whether an effect is a replacement effect, or gives objects one."""
    refs = effect.alter.grants if effect.alter is not None else ()
    if effect.ability is not None:
        refs = (effect.ability, *refs)
    return any(isinstance(board.ability(ref), Replacement) for ref in refs)


def _special(board: Board, p: Would) -> bool:
    """What has to do with the affected object alone: its own text, protection, how it was cast."""
    if isinstance(p, WouldMove):
        obj = board.state.game.objects.get(p.handle)
        if obj is None:
            return p.base is not None
        return exiled(obj) or mentions(board, obj) or p.base is not None
    if isinstance(p, WouldTurnUp):
        return mentions(board, board.state.object(p.handle))
    return isinstance(p, WouldDeal) and p.handle > 0 and _protected(board, p)


def exiled(obj: Obj) -> bool:
    """Whether a spell is exiled if it would go anywhere else from the stack, because of how it was cast."""
    return obj.zone == "stack" and bool(getattr(obj.choices, "exiled", False))


def _protected(board: Board, p: WouldDeal) -> bool:
    return protected_from(board, p.handle, p.cause)


def watchers(board: Board) -> Iterator[Watcher]:
    """The replacement effects there are, whatever they look for."""
    game = board.state.game
    for effect in game.effects:
        if effect.ability is not None:
            ability = board.ability(effect.ability)
            if isinstance(ability, Replacement):
                yield Watcher(
                    f"effect {effect.id}", effect.ability, ability, effect.source, effect.controller, effect
                )
    zones = [game.battlefield, game.stack, game.command, game.exile, *(p.graveyard for p in game.players)]
    for zone in zones:
        for handle in zone:
            obj = game.objects[handle]
            if obj.kind != "ability":
                yield from _of(board, obj)


def _of(board: Board, obj: Obj) -> Iterator[Watcher]:
    for number, (ref, ability) in enumerate(board.abilities(obj.id)):
        if isinstance(ability, Replacement) and obj.zone in (ability.zones or ("battlefield",)):
            yield Watcher(f"{obj.id} {number}", ref, ability, obj.id, obj.you)


def own(w: Work, p: Would) -> Iterator[Watcher]:
    """Effects of the affected object's own text that function where it is, or would be (113.6, 614.12)."""
    board = w.board
    if isinstance(p, WouldDeal) and p.handle and _protected(board, p):
        seat = board.state.object(p.handle).controller
        yield Watcher(f"protection {p.handle}", _keyword(SHIELDED), REPLACING[SHIELDED], p.handle, seat)
    if isinstance(p, WouldTurnUp):
        # 614.1e: its own text is that of the object as it would be.
        hidden = board.state.object(p.handle)
        fact = ev.FaceChanged("face-down", 0, True, p.handle, hidden.face, False)
        ahead = Board(w.ctx, evolve(w.state, fact, w.recall))
        for number, (ref, ability) in enumerate(ahead.abilities(p.handle)):
            if isinstance(ability, Replacement) and ability.when.this and ability.when.event == "face up":
                yield Watcher(f"own {number}", ref, ability, p.handle, hidden.controller)
    if not isinstance(p, WouldMove):
        return
    obj = board.state.game.objects.get(p.handle)
    if obj is not None and obj.zone != "battlefield":
        if exiled(obj):
            yield Watcher(f"exiled {obj.id}", _keyword(EXILED), REPLACING[EXILED], obj.id, obj.controller)
        if mentions(board, obj):
            yield from _wherever(board, obj)
    if p.zone == "battlefield" and (obj is None or obj.zone != "battlefield"):
        ahead, new = look_ahead(w, p)
        arriving = ahead.state.object(new)
        what = ahead.characteristics(new)
        if what.loyalty is not None and "planeswalker" in what.types:
            yield Watcher(STARTING, _keyword(STARTING), REPLACING[STARTING], new, arriving.controller)
        if "Saga" in what.subtypes:
            yield Watcher(SAGA, _keyword(SAGA), REPLACING[SAGA], new, arriving.controller)
        for number, (ref, ability) in enumerate(ahead.abilities(new)):
            if isinstance(ability, Replacement) and ability.when.this:
                key = f"own {number} {ref.card.value} {ref.face} {ref.index}"
                yield Watcher(key, ref, ability, new, arriving.controller)


def _wherever(board: Board, obj: Obj) -> Iterator[Watcher]:
    """One that speaks of its own object functions wherever that is, unless it says where (113.6)."""
    for number, (ref, ability) in enumerate(board.abilities(obj.id)):
        if not isinstance(ability, Replacement) or not ability.when.this or ability.zones:
            continue
        if ability.when.event != "enters":  # that is looked for where it would be
            yield Watcher(f"{obj.id} {number}", ref, ability, obj.id, obj.controller)


def _keyword(word: str) -> AbilityRef:
    return AbilityRef(NOTHING, 0, 0, word)


# -------------------------------------------------------------------------------- looking ahead


def look_ahead(w: Work, p: WouldMove) -> tuple[Board, int]:
    """The board as it would be with the object on the battlefield, and its id there (614.12).

    It is what it would be with everything that has been replaced so far, with its own static abilities and
    all effects there are; nothing else that enters at the same time is there.
    """
    state = w.state
    new = state.ledger.next_id
    obj = state.game.objects.get(p.handle)
    facts: list[ev.Event] = []
    if obj is None:
        assert p.base is not None
        seat = p.controller or 0
        facts.append(ev.TokenCreated(p.rule, 0, True, seat, new, p.base, p.why, p.tapped, p.attached))
    else:
        holder = obj.owner if p.controller is None else p.controller
        facts.append(
            ev.Moved(
                p.rule,
                0,
                True,
                p.handle,
                new,
                "battlefield",
                holder,
                obj.card,
                p.why,
                None,
                p.tapped,
                p.attached,
                0,
                p.face_down,
                max(p.face, p.part, 0),
            )
        )
        if p.base is not None:
            facts.append(ev.BecameCopy(p.rule, 0, True, new, p.base))
    if p.words:
        facts.append(ev.WordChosen(p.rule, 0, True, new, p.words))
    for kind, number in p.counters:
        facts.append(ev.CountersChanged(p.rule, 0, True, new, kind, number))
    for fact in facts:
        state = evolve(state, fact, w.recall)
    return Board(w.ctx, state), new


# -------------------------------------------------------------------------------- which apply


def applies(w: Work, p: Would, r: Watcher) -> bool:
    """Whether an effect applies to what would happen now (614.5: it has not had its opportunity yet)."""
    if r.key in p.applied or not _event(w, p, r.ability.when):
        return False
    if isinstance(p, WouldDestroy) and not p.regenerable and r.ref.keyword == REGENERATION:
        return False  # 701.19c: the shields are not used up either
    if not _recipient(w, p, r) or not _source(w.board, p, r) or not _details(p, r.ability.when):
        return False
    condition = r.ability.condition
    if condition is None:
        return True
    board, this = w.board, r.source
    if isinstance(p, WouldMove) and this not in board.state.game.objects and p.zone == "battlefield":
        board, this = look_ahead(w, p)
        if not isinstance(board.find(r.source), Obj):
            this = r.source
    declared = board.choices(this).declared
    return holds(board, condition, r.controller, this, declared)


def _event(w: Work, p: Would, when: When) -> bool:
    event = when.event
    if isinstance(p, WouldMove):
        if event == "counters":
            return bool(p.counters) and p.zone == "battlefield"
        obj = w.board.find(p.handle)
        here = obj.zone if obj is not None else ""
        if event == "enters":
            return p.zone == "battlefield" != here
        if event == "leaves":
            return here == "battlefield" != p.zone
        if event == "dies":
            return here == "battlefield" and p.zone == "graveyard"
        if event == "discard":
            return p.why == "discarded"
        return event == "moves" and here != ""
    if isinstance(p, WouldDeal):
        return event == "damage"
    if isinstance(p, WouldChangeLife):
        return event == ("gain life" if p.amount > 0 else "lose life")
    if isinstance(p, WouldPutCounters):
        return p.amount > 0 and event == ("counters" if p.handle else "player counters")
    if isinstance(p, WouldBegin):
        return event == ("step" if p.step else "turn")
    return event == _NAMES.get(type(p))


_NAMES = {
    WouldDraw: "draw",
    WouldCreate: "create",
    WouldCounter: "countered",
    WouldDestroy: "destroy",
    WouldShuffle: "shuffle",
    WouldTurnUp: "face up",
    WouldAddMana: "mana",
    WouldLose: "lose game",
}


def subject(w: Work, p: Would) -> tuple[Board, int]:
    """The object that something would happen to, on the board where it is what counts; 0 for a player."""
    if isinstance(p, WouldMove) and p.zone == "battlefield":
        obj = w.state.game.objects.get(p.handle)
        if obj is None or obj.zone != "battlefield":
            return look_ahead(w, p)
    if isinstance(p, WouldAddMana):
        return w.board, p.cause
    return w.board, getattr(p, "handle", 0)


def player_of(w: Work, p: Would) -> int:
    """The affected player, or the controller of the affected object, or its owner (616.1)."""
    if isinstance(p, WouldMove):
        obj = w.board.find(p.handle)
        if obj is None:
            return p.controller or 0
        if obj.zone in ("battlefield", "stack"):
            return obj.controller
        return obj.owner if p.controller is None or p.sort != "land" else p.controller
    handle = getattr(p, "handle", 0)
    if handle:
        found = w.board.find(handle)
        assert found is not None
        return found.you
    seat: int = getattr(p, "seat", 0)
    return seat


def _recipient(w: Work, p: Would, r: Watcher) -> bool:
    when = r.ability.when
    handle: int = getattr(p, "handle", 0) if not isinstance(p, WouldAddMana) else p.cause
    board, there = (w.board, handle)
    if when.what is not None or when.who or when.this or r.ability.when.attached:
        board, there = subject(w, p)
    if when.this and r.source not in (handle, there):
        return False
    if when.attached:
        host = w.board.find(r.source)
        happens = (handle or player_meant(getattr(p, "seat", -1)), there)
        if host is None or not host.attached or host.attached not in happens:
            return False
    if when.those and not _among(p, r, handle):
        return False
    seat = _affected(board, p, there)
    if when.who:
        if isinstance(p, WouldDeal) and p.handle and when.what is None:
            return False  # "damage that would be dealt to you"
        if not speaks_to(when.who, r.controller, seat):
            return False
    if when.owner:
        obj = board.find(there)
        if obj is None or not speaks_to(when.owner, r.controller, obj.owner):
            return False
    if when.what is None:
        return True
    if there:
        return matches(board, when.what, there, r.controller, r.source)
    if isinstance(p, WouldCreate):
        return agrees(when.what, look_at(w, p))
    return matches_player(when.what, seat, r.controller)


def look_at(w: Work, p: WouldCreate) -> Characteristics:
    """What the tokens would be."""
    would = WouldMove(
        handle=0, zone="battlefield", rule="create", why="created", controller=p.seat, base=p.base
    )
    board, new = look_ahead(w, would)
    return board.characteristics(new)


def _among(p: Would, r: Watcher, handle: int) -> bool:
    if handle:
        return handle in r.those
    return r.effect is not None and getattr(p, "seat", -1) in r.effect.named("player")


def _affected(board: Board, p: Would, there: int) -> int:
    obj = board.find(there) if there else None
    if obj is None or isinstance(p, WouldAddMana):
        seat: int = getattr(p, "seat", -1)
        return seat
    return obj.you


def _source(board: Board, p: Would, r: Watcher) -> bool:
    when = r.ability.when
    if when.source_this and p.cause != r.source:
        return False
    if when.source_attached:
        host = board.find(r.source)
        if host is None or not host.attached or host.attached != p.cause:
            return False
    if when.source_those and p.cause not in r.sources:
        return False
    if when.by or when.source is not None:
        obj = board.find(p.cause) if p.cause else None
        if obj is None:
            return False
        if not speaks_to(when.by, r.controller, obj.you):
            return False
        if when.source is not None:
            return matches(board, as_source(when.source), obj.id, r.controller, r.source)
    return True


def _details(p: Would, when: When) -> bool:
    if when.from_ or when.to or when.how:
        if not isinstance(p, WouldMove):
            return False
        if (when.to and p.zone not in when.to) or (when.how and p.why not in when.how):
            return False
        if when.from_ and p.origin not in when.from_:
            return False
    if when.amount and not compares(when.amount, abs(getattr(p, "amount", 0))):
        return False
    if when.counter:
        kinds = dict(p.counters) if isinstance(p, WouldMove) else (getattr(p, "counter", ""),)
        if when.counter not in kinds:
            return False
    if when.step:
        step = getattr(p, "step", "")
        if step != when.step and not (when.step == "combat" and step in COMBAT):
            return False
    if when.effect and getattr(p, "rule", "") in ("damage", "combat.dealt", "cast.pay", "loyalty"):
        return False
    if when.combat is not None and getattr(p, "combat", False) != when.combat:
        return False
    return when.first is None or getattr(p, "first", False) == when.first
