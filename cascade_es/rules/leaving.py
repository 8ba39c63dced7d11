"""Losing and leaving the game (104, 800.4)."""

from __future__ import annotations

from collections.abc import Collection

from cascade_es.rules import asking
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch, last_known, move
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE
from cascade_es.values.prompts import Refusal
from cascade_es.values.state import Obj


def lose(w: Work, seat: int, rule: str, reason: str, *, auto: bool = True) -> None:
    """A player loses the game and leaves it."""
    w.emit(ev.PlayerLost, rule, seat, reason, auto=auto)
    leave(w, (seat,))


def leave(w: Work, seats: tuple[int, ...]) -> None:
    """Players who lost leave: the game ends with one player left (104.2a), else what is theirs leaves too."""
    left = tuple(player.seat for player in w.state.game.players if not player.lost)
    if len(left) <= 1:
        end(w, "win", left)
        return
    for seat in seats:
        _stop(w, seat)
        _take_along(w, seat)
        frame = w.state.frame
        if frame.machine == "priority" and frame.state == "holding" and frame.data.player == seat:
            # 800.4j: a player who has priority and leaves passes it on.
            w.emit(ev.PriorityPassed, "lose", seat)
    _abandon(w)


def end(w: Work, rule: str, winners: tuple[int, ...], *, auto: bool = True) -> None:
    """The game ends (104.1), and everybody sees what lay face down."""
    _reveal(w, range(len(w.state.game.players)))
    w.emit(ev.GameEnded, rule, winners, auto=auto)


def _reveal(w: Work, seats: Collection[int]) -> None:
    """708.9: the face-down permanents and spells of players who leave, or of all at the end, are revealed."""
    game = w.state.game
    lying = (game.objects[handle] for handle in (*game.battlefield, *game.stack))
    seen = [obj for obj in lying if obj.face_down and obj.owner in seats and obj.card.audience != EVERYONE]
    if seen:
        cards = tuple(obj.card.shown_to(EVERYONE) for obj in seen)
        w.emit(ev.Shown, "face-down", EVERYONE, tuple(obj.id for obj in seen), cards)


def _abandon(w: Work) -> None:
    """An action whose spell or permanent has left with its owner cannot be completed (733.1)."""
    from cascade_es.rules import reversal  # which makes players leave again who left in the meantime

    running = reversal.action(w.state)
    if running is None or running.machine not in ("casting", "activating", "special"):
        return
    if running.data.object not in w.state.game.objects:
        refusal = Refusal("lose", "what it is about has left the game with its owner")
        reversal.reverse(w, running.data.player, running.mark, refusal)


def _take_along(w: Work, seat: int) -> None:
    """800.4a: all objects that the player owns leave, and what else they control on the stack ceases.

    It happens at once, and whatever watches permanents leave sees it (603.6c).
    """
    _reveal(w, (seat,))
    with batch(w):
        # Effects that give the player control of anything end first, so that it goes back.
        gifts = tuple(e.id for e in w.state.game.effects if e.alter is not None and e.alter.control == seat)
        if gifts:
            w.emit(ev.EffectsEnded, "lose", gifts)
        for handle in sorted(w.state.game.objects):
            obj = w.state.game.objects[handle]
            if obj.owner == seat or (obj.zone == "stack" and obj.controller == seat and _ceases(obj)):
                last = last_known(w, handle)
                w.emit(ev.Moved, "lose", handle, 0, "", 0, obj.card, "left", last, False, 0, -1)
        for handle in sorted(w.state.game.objects):
            obj = w.state.game.objects[handle]
            if obj.zone not in ("battlefield", "stack") or obj.controller != seat:
                continue
            if obj.held not in (-1, seat) and not w.state.player(obj.held).lost:
                w.emit(ev.ControllerChanged, "lose", handle, obj.held)
            else:
                move(w, handle, "exile", "lose", "left")
        ended = tuple(item.id for item in w.state.game.delayed if item.controller == seat)
        if ended:
            w.emit(ev.DelayedEnded, "lose", ended)


def _ceases(obj: Obj) -> bool:
    """What is on the stack and no card ceases to exist; a card goes into exile if nobody else has it."""
    return obj.kind != "card"


def _stop(w: Work, seat: int) -> None:
    """What a player who leaves was doing in a resolution ends with them (800.4a)."""
    while True:
        frame = w.state.frame
        if frame.machine == "asking":
            asking.skip(w, frame)  # whoever is asked: the answers so far may be those of a player who is gone
        elif frame.machine == "cascading" and frame.data.player == seat:
            w.emit(ev.CascadeEnded, "lose", seat)
        elif frame.machine == "offering" and (frame.data.player == seat or _resolving_for(w, seat)):
            w.emit(ev.OfferEnded, "lose", frame.data.player, frame.data.object)
        elif frame.machine == "paying" and _resolving_for(w, seat):
            w.emit(ev.PaymentEnded, "lose", frame.data.player, frame.data.object)
        elif frame.machine == "resolving" and _resolving_for(w, seat):
            w.emit(ev.ResolutionEnded, "lose", frame.data.object, "left")
        elif frame.machine == "attacking" and frame.data.player == seat:
            w.emit(ev.AttackersDeclared, "lose", seat, ())
        elif frame.machine == "blocking" and frame.data.player == seat:
            w.emit(ev.BlockersDeclared, "lose", seat, (), w.state.game.combat)
        elif frame.machine == "dealing" and frame.data.player == seat:
            w.emit(ev.DamageAssigned, "lose", seat, ())
        elif frame.machine == "stacking" and frame.state == "placing" and _placed_by(w, seat):
            w.emit(ev.TriggerRemoved, "lose", frame.data.object)
        else:
            return


def _resolving_for(w: Work, seat: int) -> bool:
    """Whether something that this player controls is resolving, with nothing in between but a question."""
    for frame in reversed(w.state.game.frames[-2:]):
        if frame.machine == "resolving":
            obj = w.board.find(frame.data.object)
            return obj is not None and obj.controller == seat
    return False


def _placed_by(w: Work, seat: int) -> bool:
    handle = w.state.frame.data.object
    return handle in w.state.game.objects and w.state.object(handle).controller == seat
