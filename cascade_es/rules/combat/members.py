"""Who is in combat (506): what may be attacked, what joins and what is removed from it."""

from __future__ import annotations

from msgspec.structs import replace

from cascade_es.rules.board import Board
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.state import AskingData, Attack

NOTHING = -1
"""What a creature attacks whose planeswalker or battle has been removed from combat (506.4c)."""


def fighter(board: Board, handle: int) -> bool:
    """Whether an object can be in combat at all: a creature on the battlefield that is no battle."""
    if handle not in board.state.game.objects or board.state.object(handle).zone != "battlefield":
        return False
    types = board.characteristics(handle).types
    return "creature" in types and "battle" not in types


def defender_of(board: Board, handle: int) -> int:
    """Who defends a planeswalker or battle that is attacked; -1 for anything else.

    A battle is defended by its protector: an opponent of its controller (310.8, 310.11a).  With several
    opponents it is the next one in turn order here.
    """
    obj = board.state.object(handle)
    types = board.characteristics(handle).types
    if "planeswalker" in types:
        return obj.controller
    return board.next_seat(obj.controller) if "battle" in types else -1


def attackable(board: Board) -> tuple[tuple[int, int], ...]:
    """Everything that the active player's creatures could attack: seat and object (0: the player) (506.3)."""
    active = board.state.game.turn.active
    found: list[tuple[int, int]] = [(seat, 0) for seat in board.seats() if seat != active]
    for handle in board.state.game.battlefield:
        seat = defender_of(board, handle)
        if seat >= 0 and seat != active:
            found.append((seat, handle))
    return tuple(found)


def attack_on(board: Board, handle: int) -> Attack | None:
    """The attack of a creature."""
    return next((attack for attack in board.state.game.combat if attack.attacker == handle), None)


def blocked_by(board: Board, handle: int) -> tuple[int, ...]:
    """The attackers that a creature blocks."""
    return tuple(a.attacker for a in board.state.game.combat if a.attacker and handle in a.blockers)


def any_blockers(board: Board) -> tuple[int, ...]:
    """All blocking creatures, in the order of the battlefield."""
    blocking = {handle for attack in board.state.game.combat for handle in attack.blockers}
    return tuple(handle for handle in board.state.game.battlefield if handle in blocking)


# ------------------------------------------------------------------------------------- leaving


def tidy(w: Work) -> None:
    """506.4: what left, came under another's control or is no creature any more is removed from combat."""
    if not w.state.game.combat or w.state.game.pause is not None or w.state.frame.machine == "reversing":
        return
    board = w.board
    active = w.state.game.turn.active
    kept: list[Attack] = []
    for attack in w.state.game.combat:
        blockers = tuple(handle for handle in attack.blockers if _stays(board, handle, attack.seat))
        if not _stays(board, attack.attacker, active):
            kept += _left(attack, blockers)
            continue
        target = attack.object
        if target > 0 and not (
            target in board.state.game.battlefield and defender_of(board, target) == attack.seat
        ):
            target = NOTHING
        kept.append(replace(attack, blockers=blockers, object=target))
    _change(w, tuple(kept), "removed")


def remove(w: Work, handles: tuple[int, ...]) -> None:
    """Remove creatures from combat: an effect says so, or they regenerate (506.4)."""
    kept: list[Attack] = []
    for attack in w.state.game.combat:
        blockers = tuple(handle for handle in attack.blockers if handle not in handles)
        if attack.attacker in handles:
            kept += _left(attack, blockers)
        else:
            kept.append(replace(attack, blockers=blockers))
    _change(w, tuple(kept), "removed")


def _left(attack: Attack, blockers: tuple[int, ...]) -> list[Attack]:
    """What blocked a creature that was removed is still a blocking creature (509.1g)."""
    return [Attack(0, attack.seat, NOTHING, True, blockers)] if blockers else []


def end(w: Work) -> None:
    """511.3: as the end of combat step ends, everything is removed from combat."""
    if w.state.game.fight is not None:
        w.emit(ev.CombatChanged, "combat.end", (), "ended")


def _stays(board: Board, handle: int, seat: int) -> bool:
    return fighter(board, handle) and board.state.object(handle).controller == seat


def _change(w: Work, attacks: tuple[Attack, ...], why: str) -> None:
    busy = [handle for attack in attacks if attack.attacker for handle in attack.blockers]
    idle = [replace(a, blockers=tuple(h for h in a.blockers if h not in busy)) for a in attacks]
    attacks = tuple(
        one if one.attacker else rest
        for one, rest in zip(attacks, idle, strict=True)
        if one.attacker or rest.blockers
    )
    if attacks != w.state.game.combat:
        w.emit(ev.CombatChanged, "combat.removed", attacks, why)


# ------------------------------------------------------------------------------------- joining


def choose_what(w: Work, seat: int, name: str) -> tuple[int, int] | None:
    """What a creature attacks that is put onto the battlefield attacking: its controller chooses (508.4).

    None when it cannot be attacking: nobody is there to be attacked, or it is not its controller's combat
    (508.4b).  Ask this before anything is done in the step.
    """
    turn = w.state.game.turn
    if turn.active != seat or turn.step not in FIGHTING:
        return None
    choices = attackable(w.board)
    if len(choices) < 2:
        return choices[0] if choices else None
    names = tuple(f"player {seat + 1}" if not handle else w.board.name(handle) for seat, handle in choices)
    (pick,) = w.ask(AskingData(seat, "option", f"what {name} attacks", (), names), "combat.put")
    return choices[pick]


FIGHTING = ("beginning of combat", "declare attackers", "declare blockers", "combat damage", "end of combat")


def join(w: Work, handle: int, what: tuple[int, int]) -> None:
    """A creature that was put onto the battlefield is attacking, though it was never declared (508.4)."""
    if not fighter(w.board, handle):
        return  # 508.4a: something that is no creature enters, but does not attack
    attacks = (*w.state.game.combat, Attack(handle, *what))
    w.emit(ev.CombatChanged, "combat.put", attacks, "put attacking")
