"""Moving between zones: new objects, fresh ids for what is hidden, last-known information (400, 401, 701).

Everything that moves a card goes through here, so that two promises hold everywhere: an object that
leaves a public zone leaves its last-known record (608.2h), and an id never tells which card of a
hidden zone it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.evolve import HIDDEN
from cascade_es.rules import effects, replacement, triggers
from cascade_es.rules.hidden import cards_in, casting, draw_order, leave, leave_together, mix_hand, seat_mask
from cascade_es.rules.work import Work
from cascade_es.rules.would import Would, WouldCreate, WouldDraw, WouldFollow, WouldMove, WouldShuffle
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE, Fact
from cascade_es.values.state import Base, LastKnown, Obj

AS_THEY_ARE = ("game.begin", "table")
"""What happens as it is said, whatever would replace it: a set-up, and the facts of a real table."""


def last_known(w: Work, handle: int) -> LastKnown | None:
    """What an object is as it leaves a public zone; None for a hidden one."""
    obj = w.state.object(handle)
    if obj.zone in HIDDEN:
        return None
    base = w.board.copying(obj)  # what it copied till now may be asked when the effect is over
    return LastKnown(
        obj if base == obj.base else msgspec.structs.replace(obj, base=base), w.board.characteristics(handle)
    )


MOST_SETTLING: Final = 200
"""So often control changes and effects end because of what has just happened."""


class Batch:
    """Facts that happen at the same time: triggers look at the game before and after all of them (603.10).

    A batch within a batch is part of it.
    """

    def __init__(self, w: Work) -> None:
        self.w = w

    def __enter__(self) -> Batch:
        self._inner = self.w.together
        if not self._inner:
            triggers.sweep(self.w)
            self.w.together = True
        self._before = self.w.state
        self._first = len(self.w.events)
        self._outer = self.w.opened
        if self._outer is None:
            self.w.opened = self.w.board  # 614.4: what comes into being now replaces nothing of it
        return self

    def __exit__(self, *failure: object) -> None:
        self.w.opened = self._outer
        if failure[0] is None and not self._inner:
            w, end = self.w, len(self.w.events)
            w.together = False
            w.noticed = end
            triggers.detect(w, self._before, self._first, end)
            triggers.sweep(w)
            for _ in range(MOST_SETTLING):
                if not effects.settle(w):
                    break
                triggers.sweep(w)
            else:
                raise DecisionError("control of something would go to and fro without end")
            came = [
                e.new for e in w.events[self._first : end] if isinstance(e, ev.Moved) and e.zone == "hand"
            ]
            objects = w.state.game.objects
            for seat in sorted({objects[handle].owner for handle in came if handle in objects}):
                mix_hand(w, seat)


def batch(w: Work) -> Batch:
    """Begin a batch: ``with batch(w): …``."""
    return Batch(w)


# ------------------------------------------------------------------------- drawing and shuffling


def shuffle(w: Work, seat: int) -> None:
    """A player shuffles their library (701.24a): nobody knows the order; it counts even if nothing moves."""
    with batch(w):
        final = replacement.replace(w, (WouldShuffle(seat=seat),))
        for p in final:
            if isinstance(p, WouldShuffle):
                _shuffle(w, p.seat)
        replacement.follow(w, final)


def _shuffle(w: Work, seat: int) -> None:
    library = cards_in(w, "library", seat)
    order = draw_order(w, "shuffle", seat, len(library), "shuffle")
    # A library that is being searched lists its cards in an order that means nothing: still uniform.
    origin = tuple(library[index] for index in order)
    cards = tuple(w.seal(w.state.object(handle).card.value, 0) for handle in origin)
    w.emit(ev.Shuffled, "shuffle", seat, w.new_id(), cards, w.seal(origin, 0))


def randomize_bottom(w: Work, seat: int, pile: Sequence[int], rule: str) -> None:
    """Exiled cards go to the bottom of the library in random order, unseen; not a shuffle (702.85a)."""
    order = draw_order(w, "bottom", seat, len(pile), rule)
    origin = tuple(pile[index] for index in order)
    if len(pile) == 1:  # everybody sees where a single card goes
        cards: tuple[Fact, ...] = (w.state.object(pile[0]).card,)
        hidden = Fact.public(origin)
    else:
        cards = tuple(w.seal(w.state.object(handle).card.value, 0) for handle in origin)
        hidden = w.seal(origin, 0)
    with batch(w):
        w.emit(ev.RandomizeBottom, rule, seat, tuple(pile), w.new_id(), cards, hidden)


def draw(w: Work, seat: int, amount: int, rule: str = "draw") -> None:
    """A player draws cards, one after the other (121.2)."""
    drawn = False
    for _ in range(amount):
        if rule in AS_THEY_ARE:
            final: tuple[Would, ...] = (WouldDraw(seat=seat, rule=rule),)
        else:
            final = replacement.replace(w, (WouldDraw(seat=seat, rule=rule, first=rule == "turn.draw"),))
        for p in final:
            if isinstance(p, WouldDraw):
                drawn = _draw(w, p.seat, p.rule) or drawn
        if len(final) != 1 or not isinstance(final[0], WouldDraw):
            with batch(w):
                replacement.follow(w, final)
        if w.state.player(seat).drew_from_empty:
            break
    if drawn:
        mix_hand(w, seat)


def _draw(w: Work, seat: int, rule: str) -> bool:
    library = w.state.player(seat).library
    if not library:
        w.emit(ev.DrewFromEmpty, rule, seat)
        return False
    top = library[0]
    # 121.8: a card drawn while a spell is being cast stays hidden even from its drawer.
    seen = 0 if casting(w) else seat_mask(seat)
    with batch(w):
        w.emit(ev.Drawn, rule, seat, top, w.new_id(), w.state.object(top).card.shown_to(seen))
    return True


# ------------------------------------------------------------------------------ public moves


def audience(obj: Obj, zone: str, *, known: bool) -> Fact:
    """An object's card as a fact in its next zone."""
    if zone in HIDDEN and not known:
        return obj.card.shown_to(seat_mask(obj.owner) if zone == "hand" else 0)
    return obj.card.shown_to(EVERYONE)


def move(
    w: Work,
    handle: int,
    zone: str,
    rule: str,
    why: str,
    *,
    controller: int | None = None,
    tapped: bool = False,
    attached: int = 0,
    position: int = -1,
    cause: int = 0,
    by: int = 0,
    face_down: bool = False,
    face: int = 0,
) -> int:
    """Move one object; its new id (0: it ceased to exist).  Call it within a batch.

    A token or copy that leaves the battlefield or the stack still arrives where it goes, and ceases
    to exist as a state-based action (704.5d–e); an ability just ceases (608.2n).  ``by`` is the object that
    causes it, ``cause`` the event.
    """
    would = WouldMove(
        handle=handle,
        zone=zone,
        rule=rule,
        why=why,
        controller=controller,
        tapped=tapped,
        attached=attached,
        position=position,
        event=cause,
        cause=by,
        face_down=face_down,
        face=face or -1,
    )
    return move_all(w, (would,))[0]


def move_all(w: Work, moves: Sequence[WouldMove]) -> tuple[int, ...]:
    """Move several objects at the same time, unless something else happens; their new ids (0: none)."""
    ready = tuple(
        msgspec.structs.replace(p, place=place, origin=_zone(w, p.handle)) for place, p in enumerate(moves)
    )
    plain = [p for p in ready if _as_it_is(w, p)]
    final: list[Would] = [*plain, *replacement.replace(w, [p for p in ready if p not in plain])]
    new = [0] * len(ready)
    going = [p for p in final if isinstance(p, WouldMove)]
    # 701.24g: what goes to a place in a library that is shuffled at the same time goes there afterwards.
    shuffled = [_owner(w, p.handle) for p in going if p.shuffled]
    late = [p for p in going if p.zone == "library" and not p.shuffled and _owner(w, p.handle) in shuffled]
    for p in going:
        if p not in late:
            new[p.place] = _move(w, p)
    for seat in sorted(set(shuffled)):
        _shuffle(w, seat)
    for p in late:
        new[p.place] = _move(w, p)
    replacement.follow(
        w,
        (
            msgspec.structs.replace(p, source=p.source or new[p.place]) if isinstance(p, WouldFollow) else p
            for p in final
        ),
    )
    return tuple(new)


def _as_it_is(w: Work, p: WouldMove) -> bool:
    """What nothing replaces: an ability ceasing, and the facts of a real table."""
    obj = w.state.game.objects.get(p.handle)
    return p.rule in AS_THEY_ARE or (obj is not None and obj.kind == "ability")


def _zone(w: Work, handle: int) -> str:
    obj = w.state.game.objects.get(handle)
    return "" if obj is None else obj.zone


def _owner(w: Work, handle: int) -> int:
    return w.state.object(handle).owner if handle in w.state.game.objects else -1


def _move(w: Work, p: WouldMove) -> int:
    """The fact: an object is in its new zone, as it was decided to arrive there."""
    new = _token(w, p) if p.sort == "token" else _card(w, p)
    if new and p.zone == "battlefield":
        if p.base is not None and p.sort != "token":
            w.emit(ev.BecameCopy, "replace.enters", new, p.base)
        if p.face >= 0 and p.sort != "move":
            w.emit(ev.FaceChanged, "replace.enters", new, p.face)
        if p.words:
            w.emit(ev.WordChosen, "replace.enters", new, p.words)
        for kind, number in p.counters:
            w.emit(ev.CountersChanged, "replace.enters", new, kind, number)
            effects.keyword_counters(w, new, kind)
    return new


def _token(w: Work, p: WouldMove) -> int:
    if p.zone != "battlefield" or p.base is None:
        return 0  # it would have been created elsewhere: it never is
    new = w.new_id()
    w.emit(ev.TokenCreated, p.rule, p.controller or 0, new, p.base, p.why, p.tapped, p.attached)
    return new


def _card(w: Work, p: WouldMove) -> int:
    obj = w.state.object(p.handle)
    if obj.kind == "token" and obj.zone != "battlefield":
        return p.handle  # 111.8: a token that has left the battlefield stays where it is
    gone = obj.kind == "ability"
    new = 0 if gone else w.new_id()
    if obj.face_down and obj.zone in ("battlefield", "stack") and obj.card.audience != EVERYONE:
        # 708.9: a face-down permanent or spell that leaves is revealed to all players.
        w.emit(ev.Shown, "face-down", EVERYONE, (obj.id,), (obj.card.shown_to(EVERYONE),))
        obj = w.state.object(obj.id)
    secret = obj.face_down and obj.zone == "exile"  # 406.3: it may go back where nobody else knows it
    card = audience(obj, p.zone, known=p.shown or (obj.zone not in HIDDEN and not secret))
    holder = obj.owner if p.controller is None else p.controller
    if p.face_down and obj.card.audience != EVERYONE:
        # 708.5: only its controller may look at it; in exile nobody who did not know it may (406.3).
        card = obj.card.shown_to(seat_mask(holder)) if p.zone == "battlefield" else obj.card
    if p.sort == "land":
        assert p.controller is not None
        w.emit(
            ev.LandPlayed,
            p.rule,
            p.player,
            p.handle,
            new,
            obj.card.shown_to(EVERYONE),
            p.part,
            p.ground,
            p.tapped,
            p.zone,
            p.controller,
            auto=False,
        )
        return new
    last = last_known(w, p.handle)
    if p.zone == "exile":
        w.emit(ev.Exile, p.rule, p.handle, new, card, last, p.face_down, cause=p.event)
    else:
        w.emit(
            ev.Moved,
            p.rule,
            p.handle,
            new,
            p.zone,
            holder,
            card,
            p.why,
            last,
            p.tapped,
            p.attached,
            p.position,
            p.face_down,
            max(p.face, 0),
            cause=p.event,
        )
    for other in obj.others if new else ():
        # 712.21: one permanent leaves, and each card that represented it is put where that goes.
        known = other.shown_to(EVERYONE) if p.zone not in HIDDEN else other
        w.emit(ev.Parted, p.rule, p.handle, w.new_id(), p.zone, obj.owner, known, p.position)
    return new


def move_together(
    w: Work, handles: Iterable[int], zone: str, rule: str, why: str, *, by: int = 0
) -> tuple[int, ...]:
    """Move several objects at the same time."""
    ready = leave_together(w, tuple(handles))
    with batch(w):
        return move_all(
            w,
            [WouldMove(handle=handle, zone=zone, rule=rule, why=why, cause=by) for handle in ready],
        )


def play_land(w: Work, seat: int, handle: int, part: int, ground: int = 0) -> int:
    """Play a land (116.2a): how it enters may be replaced as for any other object."""
    old = leave(w, handle)
    would = WouldMove(
        handle=old,
        zone="battlefield",
        rule="land.play",
        why="played",
        sort="land",
        controller=seat,
        player=seat,
        part=part,
        ground=ground,
    )
    with batch(w):
        return move_all(w, (would,))[0]


def create(
    w: Work,
    seat: int,
    base: Base,
    amount: int = 1,
    *,
    tapped: bool = False,
    attached: int = 0,
    by: int = 0,
) -> tuple[int, ...]:
    """A player creates tokens (111.2): first how many and whose, then how they enter; their ids."""
    with batch(w):
        would = WouldCreate(seat=seat, base=base, amount=amount, tapped=tapped, attached=attached, cause=by)
        final = replacement.replace(w, (would,))
        entering = [
            WouldMove(
                handle=0,
                zone="battlefield",
                rule="create",
                why="created",
                sort="token",
                controller=p.seat,
                tapped=p.tapped,
                attached=p.attached,
                base=p.base,
                cause=by,
            )
            for p in final
            if isinstance(p, WouldCreate)
            for _ in range(p.amount)
        ]
        made = move_all(w, entering)
        replacement.follow(w, final)
    return tuple(handle for handle in made if handle)
