"""Paying a locked total cost: first the chance to activate mana abilities, then every component (601.2g–h).

All of it or nothing: a component that cannot be paid makes the action illegal, and the payments made
are cancelled with it.  Casts, activations and mana abilities with a price share this procedure.
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import costs, mana
from cascade_es.rules.board import Board
from cascade_es.rules.components import CHOSEN, impossible, perform
from cascade_es.rules.reversal import DECLARING, action, reverse
from cascade_es.rules.running import Running, current
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.decisions import ActivateAbility, Answer, GiveUp, Pay
from cascade_es.values.mana import choose_units, pays
from cascade_es.values.prompts import UNKNOWN, Candidate, Prompt, Refusal, Unknown
from cascade_es.values.script import Activated, CostPart
from cascade_es.values.script import Pay as PayOperation
from cascade_es.values.state import Frame, ManaData, Obj, Part, PayingData, SpecialData


def subject(board: Board, data: PayingData) -> tuple[Obj | None, tuple[CostPart, ...], int]:
    """What is being paid for: the object on the stack, an ability's cost, and the ability's source."""
    resolving = board.state.game.frames[-2]
    if resolving.machine == "resolving":
        # 118.12: a cost that is paid while something resolves is written in its text.
        running = Running(board, resolving.data)
        op = current(board, resolving)
        assert isinstance(op, PayOperation)
        return None, op.cost, running.this
    if data.object:
        obj = board.state.object(data.object)
        if obj.ability is None:
            return obj, (), obj.id
        ability = board.ability(obj.ability)
        assert isinstance(ability, Activated)
        return obj, ability.cost, obj.source
    if board.state.game.frames[-2].machine in DECLARING:
        return None, (), 0  # costs to attack or block are mana (508.1h, 509.1d)
    below: ManaData | SpecialData = board.state.game.frames[-2].data
    if isinstance(below, SpecialData):
        return None, (), below.object
    mana_ability = board.ability(below.ability)
    assert isinstance(mana_ability, Activated)
    return None, mana_ability.cost, below.source


def candidates(board: Board, data: PayingData, part: Part) -> tuple[int, ...]:
    """The objects with which a component could be paid."""
    obj, cost, source = subject(board, data)
    return costs.fitting(board, costs.text_of(board, obj, cost, part), data.player, source)


def check_part(board: Board, data: PayingData, index: int, answer: Pay) -> Refusal | None:
    """Judge the payment of one component."""
    if index < 0:
        return check_mana(board, data, answer.units)
    part = data.parts[index]
    if part.kind == costs.UNPAYABLE:
        return Refusal("cast.no-cost", "there is no mana cost to pay")
    if part.kind in CHOSEN:
        if len(set(answer.picks)) < len(answer.picks) or len(answer.picks) != part.amount:
            return Refusal("cost.partial", f"exactly {part.amount} must be chosen to {part.kind}")
        fit = candidates(board, data, part)
        for pick in answer.picks:
            if pick not in fit:
                return Refusal("cost.resources", f"{board.open_name(pick)} cannot pay for this")
        return None
    if answer.picks:
        raise DecisionError("nothing is chosen for this component")
    return possible(board, data, part)


def check_mana(board: Board, data: PayingData, units: tuple[int, ...]) -> Refusal | None:
    """Judge which units pay the mana."""
    pool = {unit.id: unit for unit in board.state.player(data.player).pool}
    if len(set(units)) < len(units):
        raise DecisionError("a unit of mana was named twice")
    for unit in units:
        if unit not in pool:
            raise DecisionError(f"there is no unit {unit} in the pool")
    if not pays(data.price, tuple(pool[unit] for unit in units)):
        return Refusal("cost.partial", f"that does not pay {data.price} exactly")
    return None


def possible(board: Board, data: PayingData, part: Part) -> Refusal | None:
    """Why a component cannot be paid now, if so (118.3)."""
    _, _, source = subject(board, data)
    if part.kind in CHOSEN and len(candidates(board, data, part)) < part.amount:
        return Refusal("cost.resources", f"there is nothing to {part.kind}")
    return impossible(board, data.player, source, part)


# ------------------------------------------------------------------------------------ prompts


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask for mana abilities and payment, while anything is left that needs a choice."""
    data: PayingData = frame.data
    if frame.state == "mana" and data.price.has_mana:
        return _prompt(board, frame)
    if failing(board, data) is not None or not open_choices(data):
        return None
    return _prompt(board, frame)


def open_choices(data: PayingData) -> bool:
    """Whether a component is left that the player must choose something for."""
    return data.price.has_mana or any(part.kind in CHOSEN for part in data.parts)


def failing(board: Board, data: PayingData) -> Refusal | None:
    """A component that can no longer be paid, once no mana ability can be activated any more."""
    pool = board.state.player(data.player).pool
    if data.price.has_mana and choose_units(data.price, pool) is None:
        return Refusal("cost.partial", f"{data.price} cannot be paid")
    for part in data.parts:
        if (wrong := possible(board, data, part)) is not None:
            return wrong
    return None


def _prompt(board: Board, frame: Frame) -> Prompt:
    data: PayingData = frame.data
    in_window = frame.state == "mana" and data.price.has_mana

    def listed() -> Iterator[Candidate]:
        pool = board.state.player(data.player).pool
        if data.price.has_mana:
            found = choose_units(data.price, pool)
            if found is not None:
                yield Candidate(Pay(-1, tuple(unit.id for unit in found)), f"pay {data.price}")
            else:
                yield Candidate(
                    Pay(-1),
                    f"pay {data.price}",
                    Refusal("cost.partial", f"the pool does not pay {data.price}"),
                )
        for index, part in enumerate(data.parts):
            if part.kind in CHOSEN and part.amount == 1:
                for handle in candidates(board, data, part):
                    yield Candidate(Pay(index, picks=(handle,)), f"{part.kind} {board.name(handle)}")
            else:
                # Each candidate is a whole answer: of several ways to choose, the first stands for all.
                fit = candidates(board, data, part) if part.kind in CHOSEN else ()
                picks = fit[: part.amount] if len(fit) >= part.amount else ()
                text = f"{part.kind} {part.amount}"
                if picks:
                    text += f": {', '.join(board.name(pick) for pick in picks)}"
                yield Candidate(Pay(index, picks=picks), text, possible(board, data, part))
        if in_window:
            yield from mana.candidates(board, data.player)
        yield Candidate(GiveUp(), "give up")

    def judge(answer: Answer) -> Refusal | None:
        if isinstance(answer, GiveUp):
            return None
        if isinstance(answer, ActivateAbility):
            if not in_window:
                return Refusal("cast.mana", "payment has begun; no mana ability can be activated any more")
            return mana.check(board, data.player, answer)
        assert isinstance(answer, Pay)
        if not -1 <= answer.part < len(data.parts):
            raise DecisionError(f"there are {len(data.parts)} components besides mana to pay")
        if answer.part < 0 and not data.price.has_mana:
            raise DecisionError("the mana is paid already")
        return check_part(board, data, answer.part, answer)

    def finish() -> Answer | Unknown | None:
        if data.price.has_mana:
            found = choose_units(data.price, board.state.player(data.player).pool)
            if found is not None:
                return Pay(-1, tuple(unit.id for unit in found))
            return UNKNOWN if in_window else None  # a mana ability may still help
        for index, part in enumerate(data.parts):
            fit = candidates(board, data, part)
            if part.kind in CHOSEN:
                return Pay(index, picks=fit[: part.amount]) if len(fit) >= part.amount else None
        return Pay(0)

    name = board.name(data.object) if data.object else "a mana ability"
    mana_rule, pay_rule = "cast.mana", "cast.pay"
    below = board.state.game.frames[-2]
    if below.machine in DECLARING:
        name = "the attack" if below.machine == "attacking" else "the blocks"
        mana_rule, pay_rule = _RULES[below.machine]
    elif isinstance(below.data, SpecialData):
        name = f"{below.data.action} {board.name(below.data.object)}"
    return Prompt(
        data.player,
        "pay",
        f"pay for {name}: {price_text(data)}",
        mana_rule if in_window else pay_rule,
        answers=(Pay, ActivateAbility, GiveUp),
        candidates=listed,
        check=judge,
        complete=finish,
    )


_RULES = {
    "attacking": ("combat.attack.mana", "combat.attack.pay"),
    "blocking": ("combat.block.mana", "combat.block.pay"),
}
"""Who asks for payment of what a declaration costs."""


def price_text(data: PayingData) -> str:
    """What is left to pay, in words."""
    words = [str(data.price)] if data.price.has_mana else []
    words += [part.kind if part.amount == 1 else f"{part.kind} {part.amount}" for part in data.parts]
    return ", ".join(words) or "{0}"


# ------------------------------------------------------------------------------------ answers


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Activate a mana ability, or pay one component."""
    data: PayingData = frame.data
    if isinstance(given, ActivateAbility):
        mana.activate(w, data.player, given)
        return
    assert isinstance(given, Pay)
    pay(w, data, given.part, given, auto=False)


def pay(w: Work, data: PayingData, index: int, given: Pay, *, auto: bool) -> None:
    """Pay one component: the facts of it, and the note that it is paid."""
    seat = data.player
    if index < 0:
        pool = {unit.id: unit for unit in w.state.player(seat).pool}
        units = tuple(pool[unit] for unit in given.units)
        w.emit(ev.PayCost, "cast.pay", seat, -1, "mana", units, (), len(units), auto=auto)
        return
    part = data.parts[index]
    _, _, source = subject(w.board, data)
    used = perform(w, seat, part, source, given.picks)
    w.emit(ev.PayCost, "cast.pay", seat, index, part.kind, (), used, part.amount, auto=auto)


# -------------------------------------------------------------------------------------- steps


def step(w: Work, frame: Frame) -> None:
    """Find what cannot be paid, and pay what needs no choice."""
    data: PayingData = frame.data
    if not data.price.has_mana and not data.parts:
        w.emit(ev.PaymentEnded, "cast.pay", data.player, data.object)
        return
    wrong = failing(w.board, data)
    if wrong is not None:
        under_way = action(w.state)
        assert under_way is not None
        reverse(w, data.player, under_way.mark, wrong)
        return
    pay(w, data, 0, Pay(0), auto=True)
