"""Moving between zones: new objects, fresh ids for what is hidden, last-known information (400, 401, 701).

Everything that moves a card goes through here, so that two promises hold everywhere: an object that
leaves a public zone leaves its last-known record (608.2h), and an id never tells which card of a
hidden zone it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cascade_es.evolve import HIDDEN
from cascade_es.rules import effects, triggers
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE, Fact, random_order
from cascade_es.values.state import LastKnown, Obj


def seat_mask(seat: int) -> int:
    """The audience that is one seat."""
    return 1 << seat


def last_known(w: Work, handle: int) -> LastKnown | None:
    """What an object is as it leaves a public zone; None for a hidden one."""
    obj = w.state.object(handle)
    return None if obj.zone in HIDDEN else LastKnown(obj, w.board.characteristics(handle))


class Batch:
    """Facts that happen at the same time: triggers look at the game before and after all of them (603.10)."""

    def __init__(self, w: Work) -> None:
        self.w = w

    def __enter__(self) -> Batch:
        self._before = self.w.state
        self._first = len(self.w.events)
        return self

    def __exit__(self, *failure: object) -> None:
        if failure[0] is None:
            events = tuple(self.w.events[self._first :])
            triggers.detect(self.w, self._before, events)
            while True:
                with_effects = self.w.state
                first = len(self.w.events)
                if not effects.settle(self.w):
                    break
                triggers.detect(self.w, with_effects, tuple(self.w.events[first:]))
            came = [e.new for e in events if isinstance(e, ev.Moved) and e.zone == "hand"]
            objects = self.w.state.game.objects
            for seat in sorted({objects[handle].owner for handle in came if handle in objects}):
                mix_hand(self.w, seat)


def batch(w: Work) -> Batch:
    """Begin a batch: ``with batch(w): …``."""
    return Batch(w)


# ------------------------------------------------------------------------------ hidden zones


def rehandle_hand(w: Work, seat: int, chosen: Sequence[int]) -> tuple[int, ...]:
    """Give a hand fresh ids before cards leave it; the fresh ids of the chosen cards.

    Which card of a hand leaves it is seen; which of the earlier unknown cards it was is not.  The chosen
    cards come first, so that not even their place among the others tells anything.
    """
    hand = w.state.player(seat).hand
    if len(hand) < 2:
        return tuple(chosen)
    first = w.new_id()
    rest = tuple(handle for handle in hand if handle not in chosen)
    order = w.ctx.secrets.mix(first, len(rest))
    origin = (*chosen, *(rest[index] for index in order))
    me = seat_mask(seat)
    # 121.8: what was drawn in the middle of a cast stays unknown to the player as well.
    cards = tuple(
        w.seal(card.value, card.audience & me) for card in (w.state.object(handle).card for handle in origin)
    )
    w.emit(ev.Rehandled, "zone.order", seat, "hand", first, cards, w.seal(origin, me))
    return tuple(range(first, first + len(chosen)))


def mix_hand(w: Work, seat: int) -> None:
    """Give a hand fresh ids after cards came into it: no id tells how long its card has been there.

    Without it a reversal, which puts a card that all have seen back under its old id, would tell when it
    was drawn.  In the middle of a cast it waits for the end of the cast.
    """
    if not casting(w):
        rehandle_hand(w, seat, ())


def open_library(w: Work, seat: int) -> None:
    """Begin to search a library: fresh ids in a list without order, every card seen by the searcher."""
    library = w.state.player(seat).library
    first = w.new_id()
    mix = w.ctx.secrets.mix(first, len(library))
    origin = tuple(library[index] for index in mix)
    me = seat_mask(seat)
    cards = tuple(w.seal(w.state.object(handle).card.value, me) for handle in origin)
    order = tuple(first + origin.index(handle) for handle in library)
    w.emit(
        ev.Rehandled,
        "search",
        seat,
        "library",
        first,
        cards,
        w.seal(origin, me),
        w.seal(order, me),
    )


def pick_out(w: Work, seat: int, picks: Sequence[int]) -> tuple[int, ...]:
    """Fresh ids for a library that is being searched, what was chosen first; the ids of the chosen cards.

    So the ids under which cards are seen to leave a library do not even depend on where they were in it.
    """
    player = w.state.player(seat)
    if not picks or not player.order.sealed or not set(picks) <= set(player.library):
        return tuple(picks)
    first = w.new_id()
    rest = tuple(handle for handle in player.library if handle not in picks)
    mix = w.ctx.secrets.mix(first, len(rest))
    origin = (*picks, *(rest[index] for index in mix))
    fresh = {handle: first + index for index, handle in enumerate(origin)}
    me = seat_mask(seat)
    cards = tuple(w.seal(w.state.object(handle).card.value, me) for handle in origin)
    order = tuple(fresh[handle] for handle in player.order.value if handle in fresh)
    w.emit(ev.Rehandled, "search", seat, "library", first, cards, w.seal(origin, me), w.seal(order, me))
    return tuple(fresh[handle] for handle in picks)


def close_library(w: Work, seat: int) -> None:
    """Put a searched library, less what was taken, back in its order under fresh ids."""
    player = w.state.player(seat)
    if not player.order.sealed:
        return
    there = tuple(handle for handle in player.order.value if handle in player.library)
    first = w.new_id()
    me = seat_mask(seat)
    cards = tuple(w.seal(w.state.object(handle).card.value, me) for handle in there)
    w.emit(ev.Rehandled, "search", seat, "library", first, cards, w.seal(there, me))


def draw_order(w: Work, purpose: str, seat: int, size: int, rule: str) -> tuple[int, ...]:
    """Draw a random order; fewer than two things use up no randomness."""
    if size < 2:
        return tuple(range(size))
    ledger = w.state.ledger
    key = w.ctx.secrets.draw_key(purpose, seat, ledger.draws, ledger.contributions)
    w.emit(ev.RandomOrder, rule, purpose, seat, ledger.draws, size, w.seal(key, 0))
    return random_order(key, size)


def shuffle(w: Work, seat: int) -> None:
    """A player shuffles their library (701.24a): nobody knows the order; it counts even if nothing moves."""
    library = w.state.player(seat).library
    order = draw_order(w, "shuffle", seat, len(library), "shuffle")
    # A library that is being searched lists its cards in an order that means nothing: still uniform.
    origin = tuple(library[index] for index in order)
    cards = tuple(w.seal(w.state.object(handle).card.value, 0) for handle in origin)
    with batch(w):
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
    for number in range(amount):
        library = w.state.player(seat).library
        if not library:
            w.emit(ev.DrewFromEmpty, rule, seat)
            amount = number
            break
        top = library[0]
        # 121.8: a card drawn while a spell is being cast stays hidden even from its drawer.
        seen = 0 if casting(w) else seat_mask(seat)
        with batch(w):
            w.emit(ev.Drawn, rule, seat, top, w.new_id(), w.state.object(top).card.shown_to(seen))
    if amount > 0:
        mix_hand(w, seat)


def casting(w: Work) -> bool:
    """Whether a spell or ability is being put on the stack."""
    return any(frame.machine in ("casting", "activating") for frame in w.state.game.frames)


# ------------------------------------------------------------------------------ public moves


def leave(w: Work, handle: int) -> int:
    """The id under which an object may publicly leave its zone: a card in a hand gets a fresh one first."""
    obj = w.state.object(handle)
    if obj.zone == "hand":
        return rehandle_hand(w, obj.owner, (handle,))[0]
    return handle


def reveal(w: Work, handles: Sequence[int], rule: str) -> tuple[int, ...]:
    """Show cards to everybody (701.20); the ids under which cards of a hand are seen."""
    if not handles:
        return ()
    obj = w.state.object(handles[0])
    seen = rehandle_hand(w, obj.owner, handles) if obj.zone == "hand" else tuple(handles)
    cards = tuple(w.state.object(handle).card.shown_to(EVERYONE) for handle in seen)
    w.emit(ev.Shown, rule, EVERYONE, seen, cards)
    return seen


def audience(w: Work, obj: Obj, zone: str, *, known: bool) -> Fact:
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
    face_down: bool = False,
    face: int = 0,
) -> int:
    """Move one object; its new id (0: it ceased to exist).  Call it within a batch.

    A token or copy that leaves the battlefield or the stack still arrives where it goes, and ceases
    to exist as a state-based action (704.5d–e); an ability just ceases (608.2n).
    """
    obj = w.state.object(handle)
    choices = obj.choices
    if obj.zone == "stack" and choices is not None and choices.exiled and zone != "battlefield":
        zone = "exile"  # 702.127a: exiled instead of put anywhere else any time it would leave the stack
    gone = obj.kind == "ability"
    new = 0 if gone else w.new_id()
    if obj.face_down and obj.zone in ("battlefield", "stack") and obj.card.audience != EVERYONE:
        # 708.9: a face-down permanent or spell that leaves is revealed to all players.
        w.emit(ev.Shown, "face-down", EVERYONE, (handle,), (obj.card.shown_to(EVERYONE),))
        obj = w.state.object(handle)
    secret = obj.face_down and obj.zone == "exile"  # 406.3: it may go back where nobody else knows it
    card = audience(w, obj, zone, known=obj.zone not in HIDDEN and not secret)
    holder = obj.owner if controller is None else controller
    if face_down and obj.card.audience != EVERYONE:
        card = obj.card.shown_to(seat_mask(holder))  # 708.5: only its controller may look at it
    last = last_known(w, handle)
    if zone == "exile":
        w.emit(ev.Exile, rule, handle, new, card, last, face_down, cause=cause)
    else:
        w.emit(
            ev.Moved,
            rule,
            handle,
            new,
            zone,
            holder,
            card,
            why,
            last,
            tapped,
            attached,
            position,
            face_down,
            face,
            cause=cause,
        )
    for other in obj.others if new else ():
        # 712.21: one permanent leaves, and each card that represented it is put where that goes.
        known = other.shown_to(EVERYONE) if zone not in HIDDEN else other
        w.emit(ev.Parted, rule, handle, w.new_id(), zone, obj.owner, known, position)
    return new


def move_together(w: Work, handles: Iterable[int], zone: str, rule: str, why: str) -> tuple[int, ...]:
    """Move several objects at the same time."""
    ready = [leave(w, handle) for handle in handles]
    with batch(w):
        return tuple(move(w, handle, zone, rule, why) for handle in ready)
