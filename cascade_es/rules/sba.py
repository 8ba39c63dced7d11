"""State-based actions (704): checked before each priority, all at the same time, until none applies."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.rules import leaving
from cascade_es.rules.board import Board
from cascade_es.rules.filters import matches
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, move
from cascade_es.values import events as ev
from cascade_es.values.state import Obj


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
        if "Aura" in what.subtypes and not attachable(board, obj):
            yield handle, "sba.aura", "put"


def attachable(board: Board, aura: Obj) -> bool:
    """Whether an Aura is attached to something that it can enchant (303.4c)."""
    face = board.face(aura)
    if not aura.attached or face is None or face.enchant is None:
        return False
    return aura.attached in board.state.game.battlefield and matches(
        board, face.enchant, aura.attached, aura.controller, aura.id
    )


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
    return any(True for found in (losers(board), dying(board), stray(board)) for _ in found)


def perform(w: Work) -> bool:
    """Perform all state-based actions that apply now, as one event; whether there were any (704.3)."""
    board = w.board
    if not applies(board):
        return False
    lost, dead, gone = tuple(losers(board)), tuple(dying(board)), tuple(stray(board))
    with batch(w):
        for seat, rule, why in lost:
            w.emit(ev.PlayerLost, rule, seat, why)
        for handle, rule, how in dead:
            move(w, handle, "graveyard", rule, how)
        for handle, rule in gone:
            w.emit(
                ev.Moved, rule, handle, 0, "", 0, w.state.object(handle).card, "ceased", None, False, 0, -1
            )
    if lost:
        leaving.leave(w, tuple(seat for seat, _, _ in lost))
    return True
