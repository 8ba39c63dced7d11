"""Special actions that have a cost (116.2): unlocking a half of a Room (709.5e).

They do not use the stack and cannot be responded to; whoever has taken one has priority again (117.3c).
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import costs
from cascade_es.rules.board import Board
from cascade_es.rules.printed import cost_of
from cascade_es.rules.reversal import reverse
from cascade_es.rules.timing import sorcery_time
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Unlock
from cascade_es.values.facts import CardRef
from cascade_es.values.mana import Price, price
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.script import Definition
from cascade_es.values.state import Frame, Obj, Part, SpecialData

UNLOCK = "unlock"


def room(board: Board, obj: Obj) -> Definition | None:
    """The Room that a permanent is: its card, or the one it is a copy of."""
    if obj.zone != "battlefield" or obj.face_down:
        return None
    home = board.home(obj)
    if home is None or not isinstance(home[0].value, CardRef):
        return None
    definition = board.ctx.cards.definition(home[0].value)
    return definition if definition.layout == "room" else None


def locked(board: Board, obj: Obj) -> tuple[int, ...]:
    """The halves of a Room that are locked (709.5a)."""
    definition = room(board, obj)
    if definition is None:
        return ()
    return tuple(door for door in range(len(definition.faces)) if door not in obj.doors)


def candidates(board: Board, seat: int) -> Iterator[Candidate]:
    """The doors that a player could unlock."""
    for handle in board.state.game.battlefield:
        obj = board.state.object(handle)
        if obj.controller != seat:
            continue
        for door in locked(board, obj):
            definition = room(board, obj)
            assert definition is not None
            answer = Unlock(handle, door)
            name = definition.faces[door].name
            yield Candidate(answer, f"unlock {name}", check(board, seat, answer))


def check(board: Board, seat: int, answer: Unlock) -> Refusal | None:
    """Whether a door may be unlocked now: by the Room's controller, when a sorcery could be cast."""
    obj = board.state.game.objects.get(answer.object)
    definition = room(board, obj) if obj is not None else None
    if obj is None or definition is None or not 0 <= answer.door < len(definition.faces):
        raise DecisionError(f"{board.open_name(answer.object)} has no such door")
    name = definition.faces[answer.door].name
    if obj.controller != seat:
        return Refusal("room.unlock", f"{name} is controlled by somebody else")
    if answer.door in obj.doors:
        return Refusal("room.unlock", f"{name} is unlocked already")
    if not sorcery_time(board, seat):
        return Refusal("room.unlock", f"{name} can be unlocked only when a sorcery could be cast")
    return None


def begin(w: Work, seat: int, given: Unlock) -> None:
    """Begin to unlock a door: its cost is paid next."""
    w.emit(ev.SpecialActionBegun, "room.unlock", seat, given.object, UNLOCK, given.door, w.mark, auto=False)


def cost(board: Board, data: SpecialData) -> tuple[Price, tuple[Part, ...]]:
    """709.5e: the mana cost of the half that is to be unlocked."""
    definition = room(board, board.state.object(data.object))
    assert definition is not None
    text = definition.faces[data.index].mana_cost
    if text is None:
        return costs.FREE, (Part(costs.UNPAYABLE, 1, ()),)  # 118.6
    return price(cost_of(text)), ()


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Nothing is asked besides the payment, which has a procedure of its own."""
    return None


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Nothing is asked, so nothing is answered."""
    raise AssertionError("a special action asks nothing")


def step(w: Work, frame: Frame) -> None:
    """Pay, then do it."""
    data: SpecialData = frame.data
    amount, parts = cost(w.board, data)
    if frame.state == "begun":
        if parts:
            reverse(w, data.player, frame.mark, Refusal("cast.no-cost", "there is no mana cost to pay"))
            return
        if amount.has_mana:
            w.emit(ev.PaymentBegun, "cast.mana", data.player, 0, amount, parts, data.object)
            return
    unlock(w, data.object, data.index, "room.unlock")
    w.emit(ev.SpecialActionTaken, "room.unlock", data.player, data.object, data.action)


def unlock(w: Work, handle: int, door: int, rule: str) -> None:
    """A half becomes unlocked; what triggers on that triggers (709.5g)."""
    with batch(w):
        w.emit(ev.DoorUnlocked, rule, handle, door)
