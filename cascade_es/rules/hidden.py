"""Hidden zones: fresh ids so that nothing tells which card of a hand or a library is which (400.2, 401, 402).

Nothing here is replaced or triggers anything: these are the means by which the rules keep a secret.
"""

from __future__ import annotations

from collections.abc import Sequence

from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE, random_order


def seat_mask(seat: int) -> int:
    """The audience that is one seat."""
    return 1 << seat


def casting(w: Work) -> bool:
    """Whether a spell or ability is being put on the stack."""
    return any(frame.machine in ("casting", "activating") for frame in w.state.game.frames)


def cards_in(w: Work, zone: str, seat: int) -> tuple[int, ...]:
    """The cards of a hidden zone: tokens and copies that came there are none (111.7, 707.10a)."""
    return tuple(handle for handle in w.state.zone(zone, seat) if w.state.object(handle).kind == "card")


def rehandle_hand(w: Work, seat: int, chosen: Sequence[int]) -> tuple[int, ...]:
    """Give a hand fresh ids before cards leave it; the fresh ids of the chosen cards.

    Which card of a hand leaves it is seen; which of the earlier unknown cards it was is not.  The chosen
    cards come first, so that not even their place among the others tells anything.
    """
    hand = cards_in(w, "hand", seat)
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
    library = cards_in(w, "library", seat)
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
    rest = tuple(handle for handle in cards_in(w, "library", seat) if handle not in picks)
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


def leave(w: Work, handle: int) -> int:
    """The id under which an object may publicly leave its zone: a card in a hand gets a fresh one first."""
    return leave_together(w, (handle,))[0]


def leave_together(w: Work, handles: Sequence[int]) -> tuple[int, ...]:
    """The ids under which objects may publicly leave their zones, fresh for cards of a hand; see `leave`."""
    held: dict[int, list[int]] = {}
    for handle in handles:
        obj = w.state.object(handle)
        if obj.zone == "hand" and obj.kind == "card":
            held.setdefault(obj.owner, []).append(handle)
    fresh = {
        old: new
        for seat, olds in held.items()
        for old, new in zip(olds, rehandle_hand(w, seat, olds), strict=True)
    }
    return tuple(fresh.get(handle, handle) for handle in handles)


def reveal(w: Work, handles: Sequence[int], rule: str) -> tuple[int, ...]:
    """Show cards to everybody (701.20); the ids under which cards of a hand are seen."""
    if not handles:
        return ()
    obj = w.state.object(handles[0])
    seen = rehandle_hand(w, obj.owner, handles) if obj.zone == "hand" else tuple(handles)
    cards = tuple(w.state.object(handle).card.shown_to(EVERYONE) for handle in seen)
    w.emit(ev.Shown, rule, EVERYONE, seen, cards)
    return seen
