"""State-based actions (704): checked before each priority, all at the same time, until none applies.

What a player must choose is asked first; then everything happens as one event (704.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.rules import leaving
from cascade_es.rules.attaching import legally_attached
from cascade_es.rules.board import Board
from cascade_es.rules.changes import lose_and_die
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.state import AskingData, Obj

Group = tuple[int, tuple[int, ...], str]
"""Permanents of which only one may stay: who chooses (-1: none stays), which they are, and the rule."""

ATTACHING = ("Aura", "Equipment", "Fortification")


def losers(board: Board) -> Iterator[tuple[int, str, str]]:
    """Players who lose now: seat, rule, and why."""
    for player in board.state.game.players:
        if player.lost:
            continue
        if player.life <= 0:
            yield player.seat, "sba.life", "life"
        elif player.drew_from_empty:
            yield player.seat, "sba.draw", "empty library"
        elif player.poison >= 10:
            yield player.seat, "sba.poison", "poison"


def dying(board: Board) -> Iterator[tuple[int, str, str]]:
    """Permanents put into graveyards now: id, rule, and how."""
    for handle in board.state.game.battlefield:
        obj = board.state.object(handle)
        what = board.characteristics(handle)
        counters = dict(obj.counters)
        if "creature" in what.types and what.toughness is not None:
            if what.toughness <= 0:
                yield handle, "sba.toughness", "put"
                continue
            if "indestructible" not in what.keywords:  # 702.12b
                if obj.damage >= what.toughness:
                    yield handle, "sba.damage", "destroyed"
                    continue
                if obj.deathtouched:
                    yield handle, "sba.deathtouch", "destroyed"
                    continue
        if "planeswalker" in what.types and not counters.get("loyalty"):
            yield handle, "sba.loyalty", "put"
        elif "battle" in what.types and not counters.get("defense") and not _speaks(board, handle):
            yield handle, "sba.battle", "put"
        elif "Aura" in what.subtypes and not legally_attached(board, handle):
            yield handle, "sba.aura", "put"


def _speaks(board: Board, source: int) -> bool:
    """Whether an ability of a permanent has triggered but not left the stack yet (704.5v)."""
    game = board.state.game
    return any(item.source == source for item in game.pending) or any(
        game.objects[handle].source == source for handle in game.stack
    )


def loose(board: Board) -> Iterator[tuple[int, str]]:
    """Permanents that become unattached and stay on the battlefield."""
    for handle in board.state.game.battlefield:
        obj = board.state.object(handle)
        if not obj.attached:
            continue
        what = board.characteristics(handle)
        kinds = [kind for kind in ATTACHING if kind in what.subtypes]
        if "creature" in what.types or "battle" in what.types or not kinds:
            yield handle, "sba.attached"
        elif "Aura" not in kinds and not legally_attached(board, handle):
            yield handle, "sba.equipment"


def finished(board: Board) -> Iterator[int]:
    """704.5s: Sagas at their last chapter, none of whose abilities waits or is on the stack."""
    for handle in board.state.game.battlefield:
        lore = dict(board.state.object(handle).counters).get("lore", 0)
        if not lore or "Saga" not in board.characteristics(handle).subtypes:
            continue
        last = max((int(n) for _, item in board.triggered(handle) for n in item.when.chapters), default=0)
        if 0 < last <= lore and not _speaks(board, handle):
            yield handle


def annihilating(board: Board) -> Iterator[tuple[int, int]]:
    """704.5q: permanents with +1/+1 and -1/-1 counters, and how many of each are removed."""
    for handle in board.state.game.battlefield:
        counters = dict(board.state.object(handle).counters)
        both = min(counters.get("+1/+1", 0), counters.get("-1/-1", 0))
        if both > 0:
            yield handle, both


def crowded(board: Board) -> Iterator[Group]:
    """Permanents of which there may be one only: legendary ones of a name, and worlds."""
    edition = board.ctx.edition
    each = edition.has("legend-for-each-player")
    legends: dict[tuple[int, str], list[int]] = {}
    walkers: dict[tuple[int, str], list[int]] = {}
    worlds: list[int] = []
    for handle in board.state.game.battlefield:
        what = board.characteristics(handle)
        seat = board.state.object(handle).controller if each else -1
        if "legendary" in what.supertypes:
            for name in what.names or (what.name,):
                if name:  # an object without a name is like no other (704.5j)
                    legends.setdefault((seat, name), []).append(handle)
        if "planeswalker" in what.types and not edition.has("legendary-planeswalkers"):
            for subtype in what.subtypes:
                walkers.setdefault((seat, subtype), []).append(handle)
        if "world" in what.supertypes:
            worlds.append(handle)
    order = (-1, *board.seats())
    for found, rule in ((legends, "sba.legend"), (walkers, "sba.uniqueness")):
        for (seat, _), group in sorted(found.items(), key=lambda item: order.index(item[0][0])):
            if len(group) > 1:
                yield seat, tuple(group), rule
    if len(worlds) > 1:
        yield -1, tuple(worlds), "sba.world"


def stray(board: Board) -> Iterator[tuple[int, str]]:
    """Tokens off the battlefield, and copies of spells off the stack: they cease to exist."""
    for obj in (board.state.object(handle) for handle in _everywhere(board)):
        if obj.kind == "token" and obj.zone != "battlefield":
            yield obj.id, "sba.token"
        elif obj.kind == "copy" and obj.zone != "stack" and not _copied_card(obj):
            yield obj.id, "sba.copy"


def _copied_card(obj: Obj) -> bool:
    """Whether a permanent is the copy of a card, which was cast, and not the copy of a spell (704.5e)."""
    return obj.zone == "battlefield" and obj.choices is not None and obj.choices.cast


def _everywhere(board: Board) -> Iterator[int]:
    game = board.state.game
    yield from game.battlefield
    yield from game.exile
    yield from game.command
    for player in game.players:
        yield from player.graveyard
        yield from player.hand
        yield from player.library


def applies(board: Board) -> bool:
    """Whether any state-based action applies now."""
    found = (losers, dying, crowded, finished, loose, annihilating, stray)
    return any(True for which in found for _ in which(board))


def perform(w: Work) -> bool:
    """Perform all state-based actions that apply now, as one event; whether there were any (704.3)."""
    board = w.board
    if not applies(board):
        return False
    lost, gone = tuple(losers(board)), tuple(stray(board))
    dead = {handle: (rule, how) for handle, rule, how in dying(board)}
    for seat, group, rule in crowded(board):
        stays = _keep(w, seat, group, rule)
        for handle in group:
            if handle != stays:
                dead.setdefault(handle, (rule, "put"))
    for handle in finished(board):
        dead.setdefault(handle, ("sba.saga", "sacrificed"))
    free, fewer = tuple(loose(board)), tuple(annihilating(board))
    with batch(w):
        really = lose_and_die(w, lost, tuple((handle, *how) for handle, how in dead.items()))
        for handle, rule in free:
            if handle not in dead:
                w.emit(ev.Attached, rule, handle, 0)
        for handle, number in fewer:
            if handle not in dead:
                w.emit(ev.CountersChanged, "sba.counters", handle, "+1/+1", -number)
                w.emit(ev.CountersChanged, "sba.counters", handle, "-1/-1", -number)
        for handle, rule in gone:
            w.emit(
                ev.Moved, rule, handle, 0, "", 0, w.state.object(handle).card, "ceased", None, False, 0, -1
            )
    if really:
        leaving.leave(w, really)
    return True


def _keep(w: Work, seat: int, group: tuple[int, ...], rule: str) -> int:
    """The one of several permanents that stays: its controller chooses it."""
    if rule == "sba.world":
        return _newest(w, group)
    if seat < 0:
        return 0
    question = f"which {w.board.name(group[0])} stays?"
    return w.ask(AskingData(seat, "choose", question, group), rule)[0]


def _newest(w: Work, worlds: tuple[int, ...]) -> int:
    """704.5k: only the newest world stays, and none if several came at the same time."""
    *_, second, last = sorted(w.state.object(handle).event for handle in worlds)
    (newest,) = (handle for handle in worlds if w.state.object(handle).event == last)
    # What happens at the same time happens while every procedure stands at one and the same place.
    together = w.recall(second).game.frames == w.recall(last).game.frames
    return 0 if together else newest
