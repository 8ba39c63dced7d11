"""Mana abilities: activated at any time mana may be needed, resolved at once, without the stack (605)."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules import costs, permission, replacement
from cascade_es.rules.board import Board
from cascade_es.rules.components import CHOSEN, impossible, perform
from cascade_es.rules.filters import holds
from cascade_es.rules.printed import cost_of, mana_types
from cascade_es.rules.reversal import reverse
from cascade_es.rules.running import Running, at_once, branch
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldAddMana
from cascade_es.values import events as ev
from cascade_es.values.decisions import ActivateAbility, Answer, Option
from cascade_es.values.mana import Price, Unit, price
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.script import Activated, AddMana, If, Operation, PayMana
from cascade_es.values.state import AbilityRef, Frame, ManaData, Part, ResolvingData


def find(board: Board, answer: ActivateAbility) -> tuple[AbilityRef, Activated]:
    """The ability that an answer names."""
    abilities = board.abilities(answer.object)
    if board.find(answer.object) is None or not 0 <= answer.ability < len(abilities):
        raise DecisionError(f"{board.name(answer.object)} has no ability {answer.ability}")
    ref, ability = abilities[answer.ability]
    if not isinstance(ability, Activated):
        raise DecisionError(f"ability {answer.ability} of {board.name(answer.object)} is not activated")
    return ref, ability


def check(board: Board, seat: int, answer: ActivateAbility) -> Refusal | None:
    """Whether a mana ability may be activated now."""
    _, ability = find(board, answer)
    obj = board.state.game.objects.get(answer.object)
    if obj is None:
        raise DecisionError(f"there is no object {answer.object}")
    return permission.begin_activation(board, seat, obj, ability, mana_only=True)


def candidates(board: Board, seat: int) -> Iterator[Candidate]:
    """The mana abilities of a player's permanents, allowed or refused."""
    game = board.state.game
    for handle in (*game.battlefield, *board.state.player(seat).graveyard, *game.exile, *game.command):
        obj = board.state.object(handle)
        if obj.controller != seat or (obj.face_down and obj.zone != "battlefield"):
            continue
        for index, (_, ability) in enumerate(board.abilities(handle)):
            if obj.zone != "battlefield" and obj.zone not in getattr(ability, "zones", ()):
                continue
            if isinstance(ability, Activated) and board.is_mana_ability(ability):
                refusal = permission.begin_activation(board, seat, obj, ability, mana_only=True)
                yield Candidate(
                    ActivateAbility(handle, index), f"{board.name(handle)}: {mana_text(ability)}", refusal
                )


def mana_text(ability: Activated) -> str:
    """What mana an ability adds, in words."""
    for operation in ability.text.do:
        if isinstance(operation, AddMana):
            return operation.mana or " or ".join(operation.choose)
    return "mana"


def activate(w: Work, seat: int, answer: ActivateAbility) -> None:
    """Activate a mana ability; its payment and its mana follow at once."""
    ref, _ = find(w.board, answer)
    w.emit(ev.ManaAbilityActivated, "mana-ability", seat, answer.object, ref, w.mark, auto=False)


# --------------------------------------------------------------------------------- procedure


def _running(board: Board, frame: Frame) -> Activated:
    data: ManaData = frame.data
    ability = board.ability(data.ability)
    assert isinstance(ability, Activated)
    return ability


def unpaid(board: Board, frame: Frame) -> tuple[Price, tuple[Part, ...]]:
    """The cost of the mana ability under way."""
    ability = _running(board, frame)
    amount = costs.FREE
    parts: list[Part] = []
    for index, part in enumerate(ability.cost):
        if isinstance(part, PayMana):
            amount = amount.plus(price(cost_of(part.mana)))
        else:
            parts.append(costs.component(part, (index,), 0))
    return amount, tuple(parts)


def outcome(board: Board, frame: Frame) -> AddMana | None:
    """The mana that the ability adds, as far as the game decides it."""
    data: ManaData = frame.data
    operations: tuple[Operation, ...] = _running(board, frame).text.do
    for operation in operations:
        if isinstance(operation, AddMana):
            return operation
        if isinstance(operation, If):
            chosen = (
                operation.then
                if holds(board, operation.condition, data.player, data.source)
                else operation.otherwise
            )
            for inner in chosen:
                if isinstance(inner, AddMana):
                    return inner
    return None


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask which mana, where the ability gives a choice, once its cost is paid."""
    adding = outcome(board, frame)
    if frame.state != "paid" or adding is None or len(adding.choose) < 2:
        return None
    options = adding.choose

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Option)
        if not 0 <= answer.index < len(options):
            raise DecisionError(f"there are {len(options)} kinds of mana to choose from")
        return None

    return Prompt(
        frame.data.player,
        "option",
        f"which mana from {board.name(frame.data.source)}",
        "mana-ability.resolve",
        answers=(Option,),
        candidates=lambda: (Candidate(Option(index), text) for index, text in enumerate(options)),
        check=judge,
        complete=lambda: Option(0),
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Add the mana that was chosen."""
    assert isinstance(given, Option)
    adding = outcome(w.board, frame)
    assert adding is not None
    _add(w, frame, adding.choose[given.index], auto=False)


def step(w: Work, frame: Frame) -> None:
    """Pay, then add the mana."""
    data: ManaData = frame.data
    board = w.board
    if frame.state == "activated":
        _pay(w, frame)
        return
    adding = outcome(board, frame)
    if adding is None:
        w.emit(ev.ManaAbilityResolved, "mana-ability.resolve", data.player, data.source)
        return
    _add(w, frame, adding.mana or adding.choose[0])


def _pay(w: Work, frame: Frame) -> None:
    data: ManaData = frame.data
    amount, parts = unpaid(w.board, frame)
    if amount.has_mana or any(part.kind in CHOSEN for part in parts):
        w.emit(ev.PaymentBegun, "cast.mana", data.player, 0, amount, parts, data.source)
        return
    if not parts:
        w.emit(ev.PayCost, "cast.pay", data.player, -1, "mana")  # 118.5: even a cost of {0} is paid
    for part in parts:
        wrong = impossible(w.board, data.player, data.source, part)
        if wrong is not None:
            reverse(w, data.player, frame.mark, wrong)
            return
        used = perform(w, data.player, part, data.source, ())
        w.emit(ev.PayCost, "cast.pay", data.player, 0, part.kind, (), used, part.amount)


def _add(w: Work, frame: Frame, text: str, *, auto: bool = True) -> None:
    data: ManaData = frame.data
    add_units(w, data.player, data.source, text, "mana-ability.resolve", auto=auto)
    _follow(w, frame)
    w.emit(ev.ManaAbilityResolved, "mana-ability.resolve", data.player, data.source)


def _follow(w: Work, frame: Frame) -> None:
    """What else the ability does: a painful land deals its damage, an old Sphere draws its card."""
    _others(w, Running(w.board, ResolvingData(frame.data.source)), _running(w.board, frame).text.do)


def _others(w: Work, r: Running, block: tuple[Operation, ...]) -> None:
    for operation in block:
        if isinstance(operation, If):
            _others(w, r, branch(w, r, operation, None))
        elif not isinstance(operation, AddMana):
            at_once(w, r, operation, None)


def produced(w: Work, seat: int, source: int, types: tuple[str, ...]) -> list[str]:
    """What a source tapped for mana produces, after what replaces it (106.12a, 614.1)."""
    final = replacement.replace(w, (WouldAddMana(seat=seat, types=types, cause=source),))
    replacement.follow(w, final)
    return [letter for p in final if isinstance(p, WouldAddMana) for letter in p.types]


def add_units(w: Work, seat: int, source: int, text: str, rule: str, *, auto: bool = True) -> None:
    """Add mana to a pool, unit by unit (106.4)."""
    snow = "snow" in w.board.characteristics(source).supertypes
    types = list(mana_types(text))
    if rule == "mana-ability.resolve" and types:
        types = produced(w, seat, source, tuple(types))
    first = w.new_id()
    seq = w.state.ledger.seq + 1
    if not types:
        return
    units = tuple(Unit(first + index, name, source, seq, snow) for index, name in enumerate(types))
    w.emit(ev.ManaAdded, rule, seat, units, auto=auto)
