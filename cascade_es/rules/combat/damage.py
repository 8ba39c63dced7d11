"""Combat damage (510): each player assigns it for their creatures, then all of it is dealt at once."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.changes import deal_all
from cascade_es.rules.combat.blocking import ordered
from cascade_es.rules.combat.members import any_blockers, attack_on, blocked_by
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldDeal
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Assign
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Attack, DealingData, Frame, Share

What = tuple[int, int]
"""Who is dealt damage: an object (0: a player), and the player's seat (-1: an object)."""

FAST = ("first strike", "double strike")


def fighters(board: Board) -> tuple[int, ...]:
    """All attacking and blocking creatures, attackers first."""
    attackers = tuple(attack.attacker for attack in board.state.game.combat if attack.attacker)
    return (*attackers, *(handle for handle in any_blockers(board) if handle not in attackers))


def begin(w: Work) -> None:
    """A combat damage step begins: one of two, if a creature has first strike or double strike (510.4)."""
    board = w.board
    fight = w.state.game.fight
    assert fight is not None
    everybody = fighters(board)
    quick = tuple(h for h in everybody if set(FAST) & set(board.characteristics(h).keywords))

    def start(rule: str, sources: tuple[int, ...], struck: tuple[int, ...], again: bool) -> None:
        holders = [board.state.object(handle).controller for handle in sources]
        seats = tuple(seat for seat in board.seats() if seat in holders)
        w.emit(ev.CombatDamageBegun, rule, seats, sources, struck, again)

    if fight.again:
        double = [h for h in everybody if "double strike" in board.characteristics(h).keywords]
        sources = tuple(h for h in everybody if h not in fight.struck or h in double)
        start("combat.again", sources, fight.struck, False)
    elif quick:
        start("combat.again", quick, quick, True)
    else:
        start("combat.damage", everybody, (), False)


# -------------------------------------------------------------------------------------- assigning


def power(board: Board, handle: int) -> int:
    """How much damage a creature assigns: its power, or none (510.1a)."""
    return max(board.characteristics(handle).power or 0, 0)


def target(board: Board, attack: Attack) -> tuple[What, ...]:
    """The player, planeswalker or battle that is attacked, if it is still there."""
    if attack.object > 0:
        return ((attack.object, -1),)
    if attack.object < 0 or board.state.player(attack.seat).lost:
        return ()  # 506.4c, 800.4e
    return ((0, attack.seat),)


def recipients(board: Board, handle: int) -> tuple[What, ...]:
    """What a creature may assign its damage to: in the order of assignment, the one attacked last."""
    attack = attack_on(board, handle)
    if attack is None:
        return tuple((attacker, -1) for attacker in blocked_by(board, handle))
    if not attack.blocked:
        return target(board, attack)
    blockers: tuple[What, ...] = tuple((blocker, -1) for blocker in attack.blockers)
    if "trample" in board.characteristics(handle).keywords:
        return (*blockers, *target(board, attack))  # 702.19b, 702.19e
    return blockers


def lethal(board: Board, handle: int, *, deathtouch: bool = False) -> int:
    """How much more damage is lethal for a creature (120.6, 702.2c)."""
    obj = board.state.object(handle)
    rest = max((board.characteristics(handle).toughness or 0) - obj.damage, 0)
    return min(rest, 1) if deathtouch else rest


def choosers(board: Board, data: DealingData) -> tuple[int, ...]:
    """The creatures of the player who assigns for which there is something to choose."""
    return tuple(
        handle
        for handle in _mine(board, data)
        if power(board, handle) and len(recipients(board, handle)) > 1 and not _forced(board, handle)
    )


def _mine(board: Board, data: DealingData) -> tuple[int, ...]:
    """510.1: attackers are assigned for by the active player, blockers by theirs."""
    return tuple(
        handle
        for handle in data.sources
        if handle in board.state.game.objects
        and board.state.object(handle).controller == data.player
        and (attack_on(board, handle) is not None or blocked_by(board, handle))
    )


def _forced(board: Board, handle: int) -> bool:
    """Whether a creature that could damage several has not enough to get beyond the first one."""
    attack = attack_on(board, handle)
    if attack is None or not attack.blockers:
        return False
    first = attack.blockers[0]
    only = len(attack.blockers) == 1 or ordered(board)
    deathtouch = "deathtouch" in board.characteristics(handle).keywords
    alone = len(blocked_by(board, first)) == 1  # nobody else's damage to it counts
    return only and alone and power(board, handle) <= lethal(board, first, deathtouch=deathtouch)


def plain(board: Board, handle: int) -> tuple[Share, ...]:
    """All of a creature's damage to the first that it may be assigned to: where nothing is chosen."""
    amount, to = power(board, handle), recipients(board, handle)
    return (Share(handle, amount, *to[0]),) if amount and to else ()


def usual(board: Board, handle: int) -> tuple[Share, ...]:
    """Lethal damage to each in order, and the rest to the last one."""
    amount, to = power(board, handle), recipients(board, handle)
    deathtouch = "deathtouch" in board.characteristics(handle).keywords
    shares: list[Share] = []
    for place, what in enumerate(to):
        last = place == len(to) - 1
        part = amount if last else min(amount, lethal(board, what[0], deathtouch=deathtouch))
        if part:
            shares.append(Share(handle, part, *what))
        amount -= part
    return tuple(shares)


def completed(board: Board, data: DealingData, given: tuple[Share, ...]) -> tuple[Share, ...]:
    """A player's whole assignment: what was said, and what needs no saying."""
    said = tuple(dict.fromkeys(share.source for share in given))
    rest = tuple(share for h in _mine(board, data) if h not in said for share in plain(board, h))
    return (*given, *rest)


def check(board: Board, data: DealingData, given: Answer) -> Refusal | None:
    """Judge an assignment as a whole: what single creatures may do, and all of them together (510.1e)."""
    assert isinstance(given, Assign)
    _shaped(board, data, given.shares)
    said = tuple(dict.fromkeys(share.source for share in given.shares))
    for handle in choosers(board, data):
        if handle not in said:
            return Refusal("combat.assign", f"the damage of {board.name(handle)} is not assigned")
    shares = completed(board, data, given.shares)
    for handle in said:
        own = [share for share in shares if share.source == handle]
        rule = "combat.assign" if attack_on(board, handle) is not None else "combat.assign.blocker"
        if sum(share.amount for share in own) != power(board, handle):
            return Refusal(rule, f"{board.name(handle)} assigns damage equal to its power")
        if any((share.object, share.seat) not in recipients(board, handle) for share in own):
            return Refusal(rule, f"{board.name(handle)} cannot damage that")
    for handle in said:
        wrong = _in_order(board, handle, shares)
        if wrong is not None:
            return wrong
    return None


def _shaped(board: Board, data: DealingData, shares: tuple[Share, ...]) -> None:
    mine = _mine(board, data)
    seen: set[tuple[int, int, int]] = set()
    for share in shares:
        if share.source not in mine:
            raise DecisionError(f"object {share.source} deals no damage that this player assigns")
        if share.amount < 1:
            raise DecisionError("an amount of damage is at least 1")
        if (share.object > 0) == (share.seat >= 0):
            raise DecisionError("damage is assigned to an object or to a player")
        key = (share.source, share.object, share.seat)
        if key in seen:
            raise DecisionError("damage to the same one was assigned twice")
        seen.add(key)


def _in_order(board: Board, handle: int, shares: tuple[Share, ...]) -> Refusal | None:
    """Trample: lethal damage to all blockers first; with an order, to each before the next (510.1c)."""
    attack = attack_on(board, handle)
    if attack is None:
        return None
    reached = [(share.object, share.seat) for share in shares if share.source == handle]
    to = recipients(board, handle)
    for place, what in enumerate(to):
        beyond = what not in ((blocker, -1) for blocker in attack.blockers)
        if what not in reached or not (beyond or ordered(board)):
            continue
        for before in to[:place]:
            if not _deadly(board, before[0], shares):
                name = board.name(before[0])
                return Refusal("combat.assign", f"{name} has not been assigned lethal damage yet")
    return None


def _deadly(board: Board, handle: int, shares: tuple[Share, ...]) -> bool:
    """Whether a creature is assigned lethal damage by all creatures together (702.2c, 702.19b)."""
    mine = [share for share in shares if share.object == handle]
    touched = any("deathtouch" in board.characteristics(share.source).keywords for share in mine)
    return sum(share.amount for share in mine) >= lethal(board, handle, deathtouch=touched)


# --------------------------------------------------------------------------------------- procedure


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask how damage is assigned, where there is a choice."""
    data: DealingData = frame.data
    if data.player < 0 or board.state.player(data.player).lost:
        return None
    asked = choosers(board, data)
    if not asked:
        return None

    def listed() -> Iterator[Candidate]:
        for handle in asked:
            for obj, seat in recipients(board, handle):
                name = board.name(obj) if obj else f"player {seat + 1}"
                yield Candidate(
                    Assign((Share(handle, 1, obj, seat),)), f"{board.name(handle)} damages {name}"
                )

    return Prompt(
        data.player,
        "assign",
        f"assign the damage of {', '.join(board.name(handle) for handle in asked)}",
        "combat.damage",
        answers=(Assign,),
        candidates=listed,
        check=lambda answer: check(board, data, answer),
        complete=lambda: Assign(tuple(share for handle in asked for share in usual(board, handle))),
        least=len(asked),
        most=sum(power(board, handle) for handle in asked),
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """A player's assignment is complete."""
    assert isinstance(given, Assign)
    shares = completed(w.board, frame.data, given.shares)
    w.emit(ev.DamageAssigned, "combat.damage", frame.data.player, shares, auto=False)


def step(w: Work, frame: Frame) -> None:
    """Assign what needs no choice; then deal all damage at the same time (510.2)."""
    data: DealingData = frame.data
    if data.player >= 0:
        w.emit(ev.DamageAssigned, "combat.damage", data.player, completed(w.board, data, ()))
        return
    with batch(w):
        deal_all(
            w,
            [
                WouldDeal(
                    cause=share.source,
                    handle=share.object,
                    seat=share.seat,
                    amount=share.amount,
                    rule="combat.dealt",
                )
                for share in data.shares
                if not share.object or share.object in w.state.game.objects
            ],
        )
        w.emit(ev.CombatDamageEnded, "combat.dealt")
