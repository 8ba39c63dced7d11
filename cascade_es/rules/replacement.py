"""Replacement and prevention effects: each effect once, the affected player chooses (616).

Whatever makes facts proposes them first (:mod:`cascade_es.rules.would`).  What comes back has been replaced
as far as anything replaces it; only that happens, and only that can trigger anything (614.6).  All that is
to be chosen is chosen before anything happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.rules import entering, watching
from cascade_es.rules.filters import amount_of
from cascade_es.rules.printed import mana_types
from cascade_es.rules.watching import Watcher
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
    WouldFollow,
    WouldLose,
    WouldMove,
    WouldPutCounters,
    WouldShuffle,
)
from cascade_es.values import events as ev
from cascade_es.values.script import Amount
from cascade_es.values.state import AskingData

MOST: Final = 2000
"""One event becomes no more events than this.  Every effect has one opportunity for each, so it always ends;
but a dozen effects that double draws make thousands of one."""


def replace(w: Work, proposals: Sequence[Would]) -> tuple[Would, ...]:
    """What happens instead of these simultaneous events; the same if nothing replaces them."""
    standing = w.opened or w.board
    within = w.within
    ready = tuple(
        msgspec.structs.replace(p, applied=(*p.applied, *within)) if within else p for p in proposals
    )
    if not ready or not watching.about(standing, ready):
        return ready
    return Replacing(w, ready).run()


class Replacing:
    """Several simultaneous events, being replaced."""

    def __init__(self, w: Work, proposals: Sequence[Would]) -> None:
        self.w = w
        # What has been used up in this very batch is used up.
        still = {effect.id: effect.about for effect in w.state.game.effects}
        self.watchers = tuple(
            r for r in watching.watchers(w.opened or w.board) if r.effect is None or r.effect.id in still
        )
        self.proposals = list(proposals)
        self.left = {
            r.effect.id: still[r.effect.id]
            for r in self.watchers
            if r.effect is not None and r.effect.sort == "shield"
        }
        self.used: list[int] = []
        self.notes: list[tuple[Watcher, int, str]] = []
        self.later: list[Callable[[], object]] = []
        self.taken: set[int] = set()

    def run(self) -> tuple[Would, ...]:
        """Replace them all: those that affect the active player first (101.4)."""
        done: dict[int, list[Would]] = {}
        seats = self.w.board.seats()
        order = sorted(range(len(self.proposals)), key=lambda n: self._turn(seats, n))
        for number in self._shared(order):
            done[number] = self._whole(self.proposals[number])
        fresh = self._record()
        final = tuple(p for number in sorted(done) for p in done[number])
        if not fresh:
            return final
        return tuple(
            msgspec.structs.replace(p, handle=fresh.get(p.handle, p.handle))
            if isinstance(p, WouldMove)
            else p
            for p in final
        )

    def _turn(self, seats: tuple[int, ...], number: int) -> tuple[int, int]:
        seat = watching.player_of(self.w, self.proposals[number])
        return (seats.index(seat) if seat in seats else len(seats), number)

    def _shared(self, order: list[int]) -> Iterable[int]:
        """615.7: of several sources at once, the player chooses whose damage a shield prevents first."""
        waiting = list(order)
        while waiting:
            first = waiting[0]
            rivals = self._rivals(first, waiting)
            if len(rivals) > 1:
                sources = tuple(dict.fromkeys(self.proposals[n].cause for n in rivals))
                asked = AskingData(
                    watching.player_of(self.w, self.proposals[first]),
                    "choose",
                    "whose damage is prevented first",
                    sources,
                )
                (chosen,) = self.w.ask(asked, "prevent") if len(sources) > 1 else sources
                first = next(n for n in rivals if self.proposals[n].cause == chosen)
            waiting.remove(first)
            yield first

    def _rivals(self, first: int, waiting: list[int]) -> list[int]:
        mine = self.proposals[first]
        if not isinstance(mine, WouldDeal):
            return []
        seat = watching.player_of(self.w, mine)
        for r in self.watchers:
            left = self.left.get(r.effect.id, ()) if r.effect is not None else ()
            if not left or left[0] <= 0:
                continue
            several = [
                n
                for n in waiting
                if isinstance(p := self.proposals[n], WouldDeal)
                and watching.player_of(self.w, p) == seat
                and watching.applies(self.w, p, r)
            ]
            total = sum(p.amount for n in several if isinstance(p := self.proposals[n], WouldDeal))
            if first in several and len(several) > 1 and total > left[0]:
                return several
        return []

    # ------------------------------------------------------------------------------ one event

    def _whole(self, proposal: Would) -> list[Would]:
        """One event and what it becomes, until no effect is left that applies (616.1f)."""
        waiting: list[Would] = [proposal]
        ready: list[Would] = []
        while waiting:
            if len(waiting) + len(ready) > MOST:
                raise DecisionError(f"{told(self.w, proposal)} would become more than {MOST} such events")
            p = waiting.pop(0)
            found = [] if isinstance(p, WouldFollow) else self._found(p)
            if not found:
                ready.append(p)
                continue
            chosen = self._choose(p, found)
            if len(chosen) == 1 and self._willing(p, chosen[0], found):
                waiting = [*self._apply(p, chosen[0]), *waiting]
            else:  # left alone: each effect has one opportunity (614.5)
                keys = tuple(r.key for r in chosen)
                waiting.insert(0, msgspec.structs.replace(p, applied=(*p.applied, *keys)))
        return ready

    def _found(self, p: Would) -> list[Watcher]:
        """The effects among which must be chosen: those of the first sort of 616.1a–e that there are."""
        there = {r.key: r for r in (*self.watchers, *watching.own(self.w, p))}
        found = [r for r in there.values() if self._usable(r) and watching.applies(self.w, p, r)]
        if not found:
            return []
        first = min(map(rank, found))
        return [r for r in found if rank(r) == first]

    def _usable(self, r: Watcher) -> bool:
        if r.effect is None:
            return True
        if r.effect.id in self.used:
            return False
        left = self.left.get(r.effect.id)
        return left is None or not left or left[0] != 0

    def _choose(self, p: Would, found: list[Watcher]) -> list[Watcher]:
        """The affected player chooses one (616.1); where none must be applied, all may be left."""
        seat = watching.player_of(self.w, p)
        optional = len(found) > 1 and all(r.ability.may and r.controller == seat for r in found)
        if found[0].ability.cant or len(found) == 1 or (alike(found) and not optional):
            return found[:1]
        names: list[str] = []
        for r in found:
            name = self._name(r)
            twins = sum(1 for other in names if other == name or other.startswith(f"{name} #"))
            names.append(f"{name} #{twins + 1}" if twins else name)
        if optional:
            names.append("none")
        asked = AskingData(
            seat,
            "option",
            f"which effect applies first to {told(self.w, p)}",
            words=tuple(names),
        )
        picked = self.w.ask(asked, "replace.choose")[0]
        return found if picked == len(found) else [found[picked]]

    def _willing(self, p: Would, r: Watcher, found: list[Watcher]) -> bool:
        """Whether an effect must be applied, or its controller decides so: not always who chose it."""
        seat = watching.player_of(self.w, p)
        others = [other for other in found if not other.ability.may or other.controller == seat]
        if not r.ability.may or (len(others) > 1 and r.controller == seat):
            return True  # who could have chosen another one, or none, and chose this one, applies it
        asked = AskingData(r.controller, "yes-no", f"{self._name(r)}: apply it to {told(self.w, p)}?")
        return bool(self.w.ask(asked, "replace.choose")[0])

    def _name(self, r: Watcher) -> str:
        board = self.w.board
        if r.source in board.state.game.objects or board.find(r.source) is not None:
            return board.open_name(r.source)
        if r.ref.keyword:
            return r.ref.keyword
        return str(r.ref.card.value.name) if r.ref.card.known else "an ability"

    # ------------------------------------------------------------------------------- applying

    def _apply(self, p: Would, r: Watcher) -> list[Would]:
        """What an effect makes of an event."""
        instead = r.ability.instead
        told_of = told(self.w, p)
        after = msgspec.structs.replace(p, applied=(*p.applied, r.key))
        if instead.unless and entering.paid(self, after, r):
            return [after]
        about: tuple[tuple[str, tuple[int, ...]], ...] = (("amount", (abs(getattr(p, "amount", 0)),)),)
        found: list[Would]
        if isinstance(after, WouldMove):
            moved, extra = entering.change(self, after, r)
            about += extra
            found = [moved]
        elif isinstance(after, WouldDeal):
            found, prevented = self._damage(after, r)
            about += (("prevented", (prevented,)),)
        else:
            found = self._other(after, r)
        if instead.nothing:
            found = []
        there = getattr(p, "handle", 0)
        known = self.w.board.find(r.source) is not None
        self.notes.append((r, r.source if known else there, told_of))
        self._use(r)
        if instead.do:
            seat = watching.player_of(self.w, p)
            found.append(
                WouldFollow(
                    applied=after.applied,
                    cause=r.source,
                    block=instead.do,
                    # What is entering has another id as soon as it has entered.
                    source=r.source if known else 0,
                    place=getattr(p, "place", 0),
                    seat=r.controller,
                    about=(there or getattr(p, "cause", 0), seat),
                    bound=(*about, ("source", (p.cause,) if p.cause else ())),
                    ref=r.ref,
                )
            )
        return found

    def number(self, p: Would, r: Watcher, amount: Amount, names: dict[str, int] | None = None) -> int:
        """A number of an effect's text; "amount" is that of the event."""
        if amount == "amount":
            return abs(int(getattr(p, "amount", 0)))
        if isinstance(amount, str) and names is not None and amount in names:
            return names[amount]
        if amount == "loyalty" and isinstance(p, WouldMove):
            board, new = watching.look_ahead(self.w, p)
            face = board.face(board.state.object(new))
            if face is not None and face.loyalty == "X":
                return max(self.w.board.choices(p.handle).x, 0)
            return board.characteristics(new).loyalty or 0
        board, this = self.w.board, r.source
        if board.find(this) is None and isinstance(p, WouldMove):
            board, this = watching.look_ahead(self.w, p)
            if amount == "X":  # 107.3m: the X of the spell that it was
                return max(self.w.board.choices(p.handle).x, 0)
        return amount_of(board, amount, r.controller, this)

    def _changed(self, p: Would, r: Watcher, amount: int) -> int:
        """An amount as an effect changes it; halves are rounded as it says (107.1a)."""
        instead = r.ability.instead
        if instead.set:
            return max(self.number(p, r, instead.set), 0)
        changed = amount * self.number(p, r, instead.times) + self.number(p, r, instead.plus)
        if instead.halve:
            changed = (changed + 1) // 2 if instead.halve == "up" else changed // 2
        return max(changed, 0)

    def _damage(self, p: WouldDeal, r: Watcher) -> tuple[list[Would], int]:
        """Damage changed, prevented or redirected, and how much of it is prevented."""
        instead = r.ability.instead
        if instead.unpreventable:
            return [msgspec.structs.replace(p, preventable=False)], 0
        p = msgspec.structs.replace(p, amount=self._changed(p, r, p.amount))
        if instead.prevent:
            if not p.preventable:
                return [p], 0  # 615.12: it applies, but prevents nothing
            stopped = self._stopped(p, r)
            self._spend(r, stopped)
            p = msgspec.structs.replace(p, amount=p.amount - stopped)
            return [p] if p.amount > 0 else [], stopped
        if instead.redirect:
            part = min(self._left(p, r), p.amount) if instead.left else p.amount
            to = entering.recipient(self.w, r, instead.redirect, p)
            if to is None:
                return [p], 0  # 614.9: what is not there any more cannot be dealt it
            if instead.left:
                self._spend(r, part)
            other = msgspec.structs.replace(p, handle=to[0], seat=to[1], amount=part)
            rest = msgspec.structs.replace(p, amount=p.amount - part)
            return [d for d in (rest, other) if d.amount > 0], 0
        return [p] if p.amount > 0 else [], 0

    def _stopped(self, p: WouldDeal, r: Watcher) -> int:
        prevent = r.ability.instead.prevent
        if prevent in ("half up", "half down"):
            return (p.amount + (prevent == "half up")) // 2
        return p.amount if prevent == "all" else min(self._left(p, r), p.amount)

    def _left(self, p: Would, r: Watcher) -> int:
        """How much a shield can still take, or the number that the text says."""
        instead = r.ability.instead
        if instead.left or instead.prevent == "left":
            left = self.left.get(r.effect.id, ()) if r.effect is not None else ()
            return left[0] if left else 0
        return self.number(p, r, instead.prevent)

    def _spend(self, r: Watcher, amount: int) -> None:
        left = self.left.get(r.effect.id, ()) if r.effect is not None else ()
        if r.effect is not None and left and left[0] > 0:
            self.left[r.effect.id] = (left[0] - amount, *left[1:])

    def _use(self, r: Watcher) -> None:
        if r.ability.once and r.effect is not None:
            self.used.append(r.effect.id)

    def _other(self, p: Would, r: Watcher) -> list[Would]:
        """Every other event."""
        instead = r.ability.instead
        if isinstance(p, WouldChangeLife):
            sign = 1 if p.amount > 0 else -1
            changed = self._changed(p, r, abs(p.amount))
            return [msgspec.structs.replace(p, amount=sign * changed)] if changed else []
        if isinstance(p, WouldPutCounters | WouldCreate):
            changed = self._changed(p, r, p.amount)
            return [msgspec.structs.replace(p, amount=changed)] if changed else []
        if isinstance(p, WouldDraw):
            # Of several draws instead of one, only the first is the first of the draw step.
            more = msgspec.structs.replace(p, first=False)
            number = self._changed(p, r, 1)
            return [p if n == 0 else more for n in range(number)]
        if isinstance(p, WouldAddMana):
            types = mana_types(instead.mana) if instead.mana else p.types
            times = self.number(p, r, instead.times)
            return [msgspec.structs.replace(p, types=types * times)] if times else []
        return [p]

    # ------------------------------------------------------------------------------ recording

    def _record(self) -> dict[int, int]:
        """The record of what was replaced by what, and of what has been used up.

        What was paid may have come from a hand: the ids that the other cards in it have by now.
        """
        w = self.w
        for r, source, instead in self.notes:
            rule = "prevent" if r.ability.instead.prevent else "replace"
            number = r.effect.id if r.effect is not None else 0
            w.emit(ev.Replaced, rule, source, number, instead)
        over = [*self.used]
        for effect in w.state.game.effects:
            left = self.left.get(effect.id)
            if left is None or left == effect.about or effect.id in over:
                continue
            if left[0] == 0:
                over.append(effect.id)
            else:
                w.emit(ev.EffectChanged, "prevent", effect.id, left)
        if over:
            w.emit(ev.EffectsEnded, "effect.ends", tuple(over))
        begin = len(w.events)
        for act in self.later:
            act()
        return w.renamed(begin)


def rank(r: Watcher) -> int:
    """Which come first: self-replacement, who controls it, as a copy of what, its face, the rest."""
    instead = r.ability.instead
    if r.ability.cant:
        return -1  # 614.17: it is no replacement, and nothing replaces what can't happen
    if r.ability.own:
        return 0
    if r.ability.when.event in ("enters", "moves"):
        if instead.control:
            return 1
        if instead.copy is not None:
            return 2
        if instead.face:
            return 3
    return 4


def alike(found: list[Watcher]) -> bool:
    """Whether it makes no difference which of several effects of the same text comes first."""
    first = found[0]
    instead = first.ability.instead
    if first.effect is not None and all(
        r.effect is not None
        and msgspec.structs.replace(r.effect, id=first.effect.id, stamp=first.effect.stamp) == first.effect
        for r in found
    ):
        return True  # several shields of one kind
    if instead.control or instead.copy or instead.redirect or instead.do or instead.choose:
        return False
    texts = {(r.ref.keyword, r.ref.card.value, r.ref.face, r.ref.index) for r in found}
    return len(texts) == 1 and len({r.controller for r in found}) == 1


def told(w: Work, p: Would) -> str:
    """What would happen, in words."""
    if isinstance(p, WouldMove):
        obj = w.state.game.objects.get(p.handle)
        name = w.board.open_name(p.handle) if obj is not None else "a token"
        return f"{name} going to the {p.zone}" if p.zone != "battlefield" else f"{name} entering"
    if isinstance(p, WouldDeal):
        return f"{p.amount} damage from {w.board.open_name(p.cause)}"
    if isinstance(p, WouldChangeLife):
        return f"{'gaining' if p.amount > 0 else 'losing'} {abs(p.amount)} life"
    if isinstance(p, WouldPutCounters):
        return f"{p.amount} {p.counter} counters"
    if isinstance(p, WouldCreate):
        return f"{p.amount} tokens"
    if isinstance(p, WouldDestroy | WouldCounter):
        word = "destroyed" if isinstance(p, WouldDestroy) else "countered"
        return f"{w.board.name(p.handle)} being {word}"
    if isinstance(p, WouldBegin):
        return f"the {p.step or 'next turn'}{' step' if p.step and 'main' not in p.step else ''}"
    if isinstance(p, WouldAddMana):
        return "mana " + "".join(f"{{{letter}}}" for letter in p.types)
    return _TOLD.get(type(p), "what would happen")


_TOLD: Final[dict[type, str]] = {
    WouldDraw: "a draw",
    WouldShuffle: "a shuffle",
    WouldLose: "losing the game",
}


# --------------------------------------------------------------------------- instructions


def follow(w: Work, final: Iterable[Would]) -> None:
    """Follow the instructions that have become part of events, after the rest of them has happened."""
    for p in final:
        if isinstance(p, WouldFollow):
            before = w.within
            w.within = (*before, *p.applied)
            try:
                entering.instructions(w, p)
            finally:
                w.within = before
