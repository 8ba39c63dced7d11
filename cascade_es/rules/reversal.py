"""Handling illegal actions (733): the whole action is undone, and the attempt stays on record.

The game part of the state returns exactly to the mark: same ids, timestamps, counters, tapped
states, order of zones, history of the turn, waiting triggers.  Nothing of the undone part triggers.
The player who had priority has it still (733.2); within a resolution the game is back at the offer.
"""

from __future__ import annotations

from cascade_es.evolve import HIDDEN
from cascade_es.rules import leaving
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE
from cascade_es.values.prompts import Refusal
from cascade_es.values.state import Frame, State

ACTIONS = ("casting", "activating", "mana", "special")
"""The procedures that are a player's action and can be reversed as a whole."""

DECLARING = ("attacking", "blocking")
"""The declarations of combat: they can be reversed once something has been chosen (508.1, 509.1)."""


def action(state: State) -> Frame | None:
    """The innermost action that is under way."""
    above = None
    for frame in reversed(state.game.frames):
        if frame.machine in ACTIONS:
            return frame
        if frame.machine == "resolving" and above is not None and above.machine == "paying":
            return above  # a payment within a resolution: undone, it can be made again or declined
        if frame.machine in DECLARING:
            return None if frame.state == "choosing" else frame
        if frame.machine in ("resolving", "priority"):
            return None
        above = frame
    return None


def reverse(w: Work, seat: int, mark: int, refusal: Refusal, *, auto: bool = True) -> None:
    """Find an action illegal and undo it."""
    shown = revealed(w, mark)
    there = {player.seat: player.lost for player in w.recall(mark).game.players}
    gone = [player for player in w.state.game.players if player.lost and not there[player.seat]]
    w.emit(ev.IllegalityFound, refusal.rule, seat, mark, refusal.reason, auto=auto)
    # Which mana abilities a player keeps, and what can never be undone (library moves, shuffles,
    # reveals), is listed as kept; nothing that can happen within an action here is of that sort yet.
    w.emit(ev.ActionReversed, "illegal", seat, mark, refusal.reason, ())
    w.note_digest("illegal")
    for handle in shown:
        # Everybody saw the card on the stack or in payment, and sees it go back where it was.
        card = w.state.object(handle).card.shown_to(EVERYONE)
        w.emit(ev.Shown, "illegal", EVERYONE, (handle,), (card,))
    for player in gone:
        # 104.3a: who left the game in the meantime has left it; that was no part of the action.
        leaving.lose(w, player.seat, "concede", player.lost)


def revealed(w: Work, mark: int) -> tuple[int, ...]:
    """The cards of hidden zones, by their ids at the mark, that the attempt has shown to everybody."""
    before = w.recall(mark)
    marked = before.game.objects
    ledger, objects = w.state.ledger, w.state.game.objects
    # What lies face down, in whatever zone, has been seen by nobody.
    public = [h for h, obj in objects.items() if obj.zone not in HIDDEN and obj.card.audience == EVERYONE]
    # What was revealed in a hand counts, though the hand may have got fresh ids since.
    seen = [h for h in ledger.knowledge if ledger.knowledge[h] == EVERYONE and h >= before.ledger.next_id]
    shown: list[int] = []
    for handle in sorted((*public, *seen)):
        if handle in marked:
            continue
        origin = handle
        while origin not in marked and ledger.former(origin):
            origin = ledger.former(origin)
        if origin != handle and origin in marked and marked[origin].zone in HIDDEN:
            shown.append(origin)
    return tuple(dict.fromkeys(shown))
