"""A state in the making: the fields that one event changes, over the old game and ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

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
        if seat < 0:
            raise IndexError(f"there is no seat {seat}")
        player: Player = self.get("players")[seat]
        return player

    def set_player(self, seat: int, **changes: Any) -> None:
        if seat < 0:
            raise IndexError(f"there is no seat {seat}")
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
        if name not in SHARED:
            raise ValueError(f"there is no zone '{name}'")
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
        return obj

    def claim(self, first: int, count: int = 1) -> None:
        """Take fresh ids: none is ever used twice in a log, not even after a reversal."""
        free = self.ledger.get("next_id", self.past.next_id)
        if first < free:
            raise ValueError(f"id {first} was used before")
        self.ledger["next_id"] = first + count

    def stamp(self) -> int:
        """The next timestamp (613.7)."""
        stamp: int = self.ledger.get("next_stamp", self.past.next_stamp)
        self.ledger["next_stamp"] = stamp + 1
        return stamp

    def add(self, obj: Obj, position: int = -1) -> None:
        """Put an object into its zone: at the end, or at a library's top (position 0)."""
        objects = self.get("objects")
        self.claim(obj.id)
        self.game["objects"] = objects.set(obj.id, replace(obj, stamp=self.stamp(), event=self.seq))
        ids = self.zone(obj.zone, obj.owner)
        self.set_zone(obj.zone, obj.owner, (obj.id, *ids) if position == 0 else (*ids, obj.id))
        if obj.zone in HIDDEN:
            self.learn(obj.id, obj.card.audience)

    def learn(self, handle: int, seats: int) -> None:
        """These seats have seen which card a hidden object is."""
        if seats:
            knowledge = self.ledger.get("knowledge", self.past.knowledge)
            self.ledger["knowledge"] = knowledge.set(handle, knowledge.get(handle, 0) | seats)

    def alias(self, new: int, old: int) -> None:
        """The same card had another id before."""
        aliases = self.ledger.get("aliases", self.past.aliases)
        self.ledger["aliases"] = aliases.set(new, old)

    def mix(self, first: int, size: int, origin: Fact) -> None:
        """The cards of a hidden zone have fresh ids; which is which only some may know."""
        mixes = self.ledger.get("mixes", self.past.mixes)
        self.ledger["mixes"] = (*mixes, Mix(first, size, origin))

    def remember(self, last: LastKnown | None, successor: int) -> None:
        if last is not None:
            known = self.get("last_known")
            self.game["last_known"] = known.set(last.object.id, replace(last, successor=successor))

    def deed(self, kind: str, player: int, obj: int) -> None:
        self.game["history"] = (*self.get("history"), Deed(kind, player, obj, self.seq))

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
        groups = self.ledger.get("groups", self.past.groups)
        fresh = [Group(seats, first, size, tuple(sorted(seen[seats]))) for seats in sorted(seen)]
        for group in groups:
            if group.first in here and here.issuperset(range(group.first, group.first + group.size)):
                fresh.append(Group(group.seats, first, size, group.cards))
        if fresh:
            self.ledger["groups"] = (*groups, *fresh)

    def acted(self, after: str = "action") -> None:
        """Somebody acted: passes no longer are in succession (117.4)."""
        frames = self.get("frames")
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            if frame.machine == "priority":
                changed = replace(frame, data=replace(frame.data, passes=0, after=after))
                self.game["frames"] = (*frames[:depth], changed, *frames[depth + 1 :])
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
