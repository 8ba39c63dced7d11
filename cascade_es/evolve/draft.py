"""A state in the making: the game and the ledger that one event leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import force_setattr, replace

from cascade_es.values import events as ev
from cascade_es.values.facts import CardRef, Fact
from cascade_es.values.state import (
    Choices,
    Deed,
    Frame,
    Game,
    Group,
    LastKnown,
    Ledger,
    Mix,
    Obj,
    Player,
    State,
)

Recall = Callable[[int], State]
"""The state after an earlier event, by its sequence number: the only access to the past."""

SHARED: Final = ("battlefield", "stack", "exile", "command")
"""The zones that all players share."""

HIDDEN: Final = ("library", "hand")
"""The zones whose cards are not public (400.2)."""


class Draft:
    """What an event makes of a game and a ledger: read them as they are by now, change them by field.

    Nobody else has the drafted records yet, so their fields are set in place: one copy an event, however
    many of its fields change.  A game that no field of changes stays the old one, and is shared.
    """

    __slots__ = ("game", "ledger", "old", "seq")

    def __init__(self, old: Game, past: Ledger) -> None:
        self.old = old
        self.game = old
        self.seq = past.seq + 1
        self.ledger = replace(past, seq=self.seq)

    def put(self, field: str, value: Any) -> None:
        """Change a field of the game."""
        game = self.game
        if game is self.old:
            game = self.game = replace(game)
        force_setattr(game, field, value)

    def note(self, field: str, value: Any) -> None:
        """Change a field of the ledger."""
        force_setattr(self.ledger, field, value)

    # ------------------------------------------------------------------------------- players

    def player(self, seat: int) -> Player:
        if seat < 0:
            raise IndexError(f"there is no seat {seat}")
        return self.game.players[seat]

    def set_player(self, seat: int, **changes: Any) -> None:
        if seat < 0:
            raise IndexError(f"there is no seat {seat}")
        players = list(self.game.players)
        players[seat] = replace(players[seat], **changes)
        self.put("players", tuple(players))

    # -------------------------------------------------------------------------------- frames

    def top(self) -> Frame:
        return self.game.frames[-1]

    def set_data(self, **changes: Any) -> None:
        frames = self.game.frames
        top = frames[-1]
        self.put("frames", (*frames[:-1], replace(top, data=replace(top.data, **changes))))

    # ------------------------------------------------------------------------------- objects

    def object(self, handle: int) -> Obj:
        return self.game.objects[handle]

    def set_object(self, handle: int, **changes: Any) -> None:
        objects = self.game.objects
        self.put("objects", objects.set(handle, replace(objects[handle], **changes)))

    def set_choices(self, handle: int, **changes: Any) -> None:
        choices = self.object(handle).choices or Choices()
        self.set_object(handle, choices=replace(choices, **changes))

    def zone(self, name: str, seat: int) -> tuple[int, ...]:
        if name in ("library", "hand", "graveyard"):
            return getattr(self.player(seat), name)  # type: ignore[no-any-return]
        if name not in SHARED:
            raise ValueError(f"there is no zone '{name}'")
        return getattr(self.game, name)  # type: ignore[no-any-return]

    def set_zone(self, name: str, seat: int, ids: tuple[int, ...]) -> None:
        if name in ("library", "hand", "graveyard"):
            self.set_player(seat, **{name: ids})
        else:
            self.put(name, ids)

    def take(self, handle: int) -> Obj:
        """Remove an object from its zone and from the game."""
        obj = self.object(handle)
        ids = self.zone(obj.zone, obj.owner)
        place = ids.index(handle)
        self.set_zone(obj.zone, obj.owner, ids[:place] + ids[place + 1 :])
        self.put("objects", self.game.objects.delete(handle))
        return obj

    def claim(self, first: int, count: int = 1) -> None:
        """Take fresh ids: none is ever used twice in a log, not even after a reversal."""
        free = self.ledger.next_id
        if first < free:
            raise ValueError(f"id {first} was used before")
        self.note("next_id", first + count)

    def cards(self, zone: str, seat: int) -> tuple[int, ...]:
        """The cards of a zone; a token or copy stays there as it is until it ceases to exist."""
        objects = self.game.objects
        return tuple(handle for handle in self.zone(zone, seat) if objects[handle].kind == "card")

    def clear(self, zone: str, seat: int) -> None:
        """Remove all cards of a zone from it and from the game."""
        ids = self.cards(zone, seat)
        if ids:
            known = self.game.objects
            left = tuple(handle for handle in self.zone(zone, seat) if known[handle].kind != "card")
            self.set_zone(zone, seat, left)
            with self.game.objects.mutate() as objects:
                for handle in ids:
                    del objects[handle]
                self.put("objects", objects.finish())

    def stamp(self) -> int:
        """The next timestamp (613.7)."""
        stamp = self.ledger.next_stamp
        self.note("next_stamp", stamp + 1)
        return stamp

    def add(self, obj: Obj, position: int = -1) -> None:
        """Put an object into its zone: at the end, or at a library's top (position 0)."""
        stamp = self.stamp()
        self.claim(obj.id)
        self.put("objects", self.game.objects.set(obj.id, replace(obj, stamp=stamp, event=self.seq)))
        ids = self.zone(obj.zone, obj.owner)
        self.set_zone(obj.zone, obj.owner, (obj.id, *ids) if position == 0 else (*ids, obj.id))
        if obj.zone in HIDDEN:
            self.learn(obj.id, obj.card.audience)

    def add_cards(
        self, zone: str, seat: int, first: int, cards: Sequence[Fact], tapped: Sequence[bool] = ()
    ) -> None:
        """Put cards at the end of a zone of their owner, with the ids from ``first`` on: as :meth:`add`."""
        if not cards:
            return
        ids = range(first, first + len(cards))
        stamp = self.ledger.next_stamp
        self.claim(first, len(cards))
        self.note("next_stamp", stamp + len(cards))
        with self.game.objects.mutate() as objects:
            for index, (handle, card) in enumerate(zip(ids, cards, strict=True)):
                objects[handle] = Obj(
                    handle,
                    "card",
                    zone,
                    seat,
                    seat,
                    card,
                    stamp=stamp + index,
                    event=self.seq,
                    tapped=bool(tapped and tapped[index]),
                )
            self.put("objects", objects.finish())
        self.set_zone(zone, seat, (*self.zone(zone, seat), *ids))
        if zone in HIDDEN:
            for handle, card in zip(ids, cards, strict=True):
                self.learn(handle, card.audience)

    def learn(self, handle: int, seats: int) -> None:
        """These seats have seen which card a hidden object is."""
        if seats:
            knowledge = self.ledger.knowledge
            self.note("knowledge", knowledge.set(handle, knowledge.get(handle, 0) | seats))

    def alias(self, new: int, old: int) -> None:
        """The same card had another id before."""
        aliases = self.ledger.aliases
        self.note("aliases", aliases.set(new, old))

    def mix(self, first: int, size: int, origin: Fact) -> None:
        """The cards of a hidden zone have fresh ids; which is which only some may know."""
        mixes = self.ledger.mixes
        self.note("mixes", (*mixes, Mix(first, size, origin)))

    def remember(self, last: LastKnown | None, successor: int) -> None:
        if last is not None:
            known = self.game.last_known
            self.put("last_known", known.set(last.object.id, replace(last, successor=successor)))

    def deed(self, kind: str, player: int, obj: int) -> None:
        self.put("history", (*self.game.history, Deed(kind, player, obj, self.seq)))

    def remember_groups(self, handles: Sequence[int], first: int, size: int) -> None:
        """Whoever knew some of these cards knows that they are among the fresh ids, but not which is which.

        Audiences decide, and not what this copy happens to know: a copy has the groups of its viewer.  What
        was known of a run of cards is still known if none of them has left.
        """
        seen: dict[int, list[CardRef]] = {}
        here = frozenset(handles)
        for handle in handles:
            obj = self.object(handle)
            if obj.card.audience and obj.ref is not None:
                seen.setdefault(obj.card.audience, []).append(obj.ref)
        groups = self.ledger.groups
        fresh = [Group(seats, first, size, tuple(sorted(seen[seats]))) for seats in sorted(seen)]
        for group in groups:
            if group.first in here and here.issuperset(range(group.first, group.first + group.size)):
                fresh.append(Group(group.seats, first, size, group.cards))
        if fresh:
            self.note("groups", (*groups, *fresh))

    def acted(self, after: str = "action") -> None:
        """Somebody acted: passes no longer are in succession (117.4)."""
        frames = self.game.frames
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            if frame.machine == "priority":
                changed = replace(frame, data=replace(frame.data, passes=0, after=after))
                self.put("frames", (*frames[:depth], changed, *frames[depth + 1 :]))
                return


Handler = Callable[[Draft, Any, Recall], None]

HANDLERS: Final[dict[str, Handler]] = {}
"""What each kind of event changes, besides moving its machine."""


def on(kind: type[ev.Event]) -> Callable[[Handler], Handler]:
    """Register what a kind of event changes."""

    def register(handler: Handler) -> Handler:
        HANDLERS[kind.kind] = handler
        return handler

    return register
