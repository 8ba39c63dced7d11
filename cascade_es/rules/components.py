"""The components of a cost besides mana: whether they can be paid, and what paying them does (118.3)."""

from __future__ import annotations

from cascade_es.rules import costs
from cascade_es.rules.board import Board
from cascade_es.rules.changes import change_life
from cascade_es.rules.hidden import rehandle_hand, reveal
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldMove
from cascade_es.rules.zones import batch, move_all
from cascade_es.values import events as ev
from cascade_es.values.prompts import Refusal
from cascade_es.values.state import Part

CHOSEN = ("sacrifice", "discard", "reveal", "tap others")
"""Components for which the player chooses objects."""

HELD = ("discard", "reveal")
"""Those of them for which the objects are cards of the hand."""


def impossible(board: Board, seat: int, source: int, part: Part) -> Refusal | None:
    """Why a component for which nothing is chosen cannot be paid now, if so."""
    if part.kind == costs.UNPAYABLE:
        return Refusal("cast.no-cost", "there is no mana cost to pay")
    if part.kind == "tap" and (
        source not in board.state.game.battlefield or board.state.object(source).tapped
    ):
        return Refusal("cost.resources", f"{board.name(source)} cannot be tapped")
    if part.kind == "life" and board.state.player(seat).life < part.amount:  # 119.4
        return Refusal("cost.resources", f"there is less than {part.amount} life")
    if part.kind == "loyalty" and (
        source not in board.state.game.battlefield
        or dict(board.state.object(source).counters).get("loyalty", 0) + part.amount < 0
    ):
        return Refusal("loyalty", f"{board.name(source)} has less than {-part.amount} loyalty")  # 606.6
    if part.kind == "sacrifice this" and source not in board.state.game.battlefield:
        return Refusal("cost.resources", f"{board.name(source)} cannot be sacrificed")
    return None


def perform(w: Work, seat: int, part: Part, source: int, picks: tuple[int, ...]) -> tuple[int, ...]:
    """What paying a component does; the objects that it used, as they were."""
    if part.kind == "tap":
        with batch(w):
            w.emit(ev.Tapped, "tap", (source,))
        return (source,)
    if part.kind == "tap others":
        with batch(w):
            w.emit(ev.Tapped, "tap", picks)
        return picks
    if part.kind == "life":
        if part.amount:
            with batch(w):
                change_life(w, seat, -part.amount, "life")  # 119.4: paid life is lost
        return ()
    if part.kind == "loyalty":
        if part.amount:
            with batch(w):
                w.emit(ev.CountersChanged, "loyalty", source, "loyalty", part.amount)
        return (source,)
    if part.kind in ("sacrifice", "sacrifice this"):
        chosen = picks or (source,)
        with batch(w):
            move_all(
                w,
                [
                    WouldMove(
                        handle=handle, zone="graveyard", rule="sacrifice", why="sacrificed", cause=source
                    )
                    for handle in chosen
                ],
            )
        return chosen
    if part.kind == "discard":
        fresh = rehandle_hand(w, seat, picks)
        with batch(w):
            # 400.7j: whoever asks later what was discarded finds it where it went.
            return move_all(
                w,
                [
                    WouldMove(handle=handle, zone="graveyard", rule="discard", why="discarded", cause=source)
                    for handle in fresh
                ],
            )
    assert part.kind == "reveal"
    return reveal(w, picks, "reveal")
