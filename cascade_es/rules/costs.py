"""Total costs: what must be paid, determined once and locked in (118, 601.2f)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from cascade_es.rules.board import Board
from cascade_es.rules.costchanges import changed
from cascade_es.rules.filters import matches
from cascade_es.rules.keywords import costs_of
from cascade_es.rules.printed import cost_of
from cascade_es.values.mana import Price, options, price
from cascade_es.values.script import (
    Activated,
    AdditionalCost,
    CostPart,
    PayDiscard,
    PayLife,
    PayLoyalty,
    PayMana,
    PayReveal,
    PaySacrifice,
    PayTap,
    PayTapOthers,
)
from cascade_es.values.state import Obj, Part

FREE = Price()
UNPAYABLE = "unpayable"


def mana_text(board: Board, obj: Obj) -> str | None:
    """The mana cost that a proposal begins with: "" for a free cast, None where there is none (118.6)."""
    choices = board.choices(obj.id)
    if obj.kind == "ability":
        return ""
    if choices.free:
        return ""  # 118.9: "without paying its mana cost" is an alternative cost that asks for no mana
    face = board.face(obj)
    return face.mana_cost if face is not None else None


def additional(board: Board, obj: Obj) -> tuple[AdditionalCost, ...]:
    """The additional costs that the spell itself has (118.8), those of its keywords last."""
    face = board.face(obj)
    if face is None or obj.kind == "ability":
        return ()
    found = face.additional_costs + costs_of(board.characteristics(obj.id).keywords)
    # 601.2f: what was declared stays part of the cost, even if what granted the keyword is gone since.
    names = {cost.name for cost in found}
    lost = dict.fromkeys(word for word in board.choices(obj.id).declared if word not in names)
    return found + tuple(cost for word in lost for cost in costs_of((word,)))


def applying(
    board: Board, obj: Obj, words: tuple[str, ...] | None = None
) -> Iterator[tuple[tuple[int, ...], CostPart]]:
    """Every component of the cost with its path: mandatory additional ones, declared optional ones.

    ``words`` are the declared costs, by default those announced for the object.  An "either … or" cost
    is declared by the index of the way, written "name:index".
    """
    declared = board.choices(obj.id).declared if words is None else words
    if obj.kind == "ability":
        assert obj.ability is not None
        ability = board.ability(obj.ability)
        assert isinstance(ability, Activated)
        for index, part in enumerate(ability.cost):
            yield (index,), part
        return
    for number, cost in enumerate(additional(board, obj)):
        if cost.optional and cost.name not in declared:
            continue
        if cost.either:
            way = chosen_way(cost, number, declared)
            for index, part in enumerate(cost.either[way]):
                yield (number, way, index), part
        for _ in range(declared.count(cost.name) if cost.repeat else 1):
            for index, part in enumerate(cost.cost):
                yield (number, -1, index), part


def chosen_way(cost: AdditionalCost, number: int, declared: tuple[str, ...]) -> int:
    """Which way of an "either … or" cost was declared; the first where none was."""
    for word in declared:
        name, _, way = word.rpartition(":")
        if name == (cost.name or f"cost {number}"):
            return int(way)
    return 0


def symbols_to_choose(board: Board, obj: Obj, declared: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The symbols of the proposal that can be paid in several ways (601.2b), with these costs declared."""
    texts = [mana_text(board, obj) or ""]
    texts += [part.mana for _, part in applying(board, obj, declared) if isinstance(part, PayMana)]
    return tuple(
        symbol for text in texts if text for symbol in cost_of(text).symbols if len(options(symbol)) > 1
    )


def variable(board: Board, obj: Obj) -> bool:
    """Whether a value of X must be announced (601.2b): it is in the mana cost or in another cost."""
    if x_in_mana_cost(board, obj):
        return True
    costs = [part for cost in additional(board, obj) for part in (*cost.cost, *chain(*cost.either))]
    if obj.kind == "ability":
        costs = [part for _, part in applying(board, obj)]
    return any("X" in part.mana if isinstance(part, PayMana) else "X" in (_amount(part),) for part in costs)


def x_in_mana_cost(board: Board, obj: Obj) -> bool:
    """Whether there is an {X} in the mana cost: it must be 0 if that is not paid (107.3b)."""
    face = board.face(obj) if obj.kind != "ability" else None
    return face is not None and face.mana_cost is not None and bool(cost_of(face.mana_cost).variables)


def _amount(part: CostPart) -> str:
    if isinstance(part, PayLife | PayLoyalty):
        return part.amount.lstrip("+-")
    return part.count if isinstance(part, PaySacrifice | PayDiscard | PayTapOthers) else ""


def total(board: Board, obj: Obj) -> tuple[Price, tuple[Part, ...]]:
    """The total cost: the mana cost or alternative cost, plus additional costs (601.2f)."""
    choices = board.choices(obj.id)
    x = max(choices.x, 0)
    ways = list(choices.ways)
    amount = FREE
    parts: list[Part] = []

    def add(text: str) -> None:
        nonlocal amount
        cost = cost_of(text)
        several = sum(1 for symbol in cost.symbols if len(options(symbol)) > 1)
        picks = tuple(ways[:several])
        del ways[:several]
        amount = amount.plus(price(cost, x, picks))

    text = mana_text(board, obj)
    if text is None:
        parts.append(Part(UNPAYABLE, 1, ()))  # 118.6: it may be announced, but never paid
    elif text:
        add(text)
    for path, part in applying(board, obj):
        if isinstance(part, PayMana):
            add(part.mana)
        else:
            parts.append(component(part, path, x))
    amount = changed(board, obj, amount)
    if amount.life:
        # Phyrexian symbols paid with life are a component of their own (107.4f).
        parts.append(Part("life", amount.life, ()))
        amount = Price(amount.generic, amount.typed, amount.snow, 0)
    return amount, tuple(parts)


def component(part: CostPart, path: tuple[int, ...], x: int) -> Part:
    """One non-mana component of a cost."""
    if isinstance(part, PayTap):
        return Part("tap", 1, path)
    if isinstance(part, PayLife):
        return Part("life", x if part.amount == "X" else int(part.amount), path)
    if isinstance(part, PaySacrifice):
        kind = "sacrifice this" if part.this else "sacrifice"
        return Part(kind, x if part.count == "X" else int(part.count), path)
    if isinstance(part, PayDiscard):
        return Part("discard", x if part.count == "X" else int(part.count), path)
    if isinstance(part, PayReveal):
        return Part("reveal", 1, path)
    if isinstance(part, PayTapOthers):
        return Part("tap others", x if part.count == "X" else int(part.count), path)
    if isinstance(part, PayLoyalty):
        amount = part.amount.lstrip("+")
        sign = -1 if amount.startswith("-") else 1
        number = amount.lstrip("-")
        return Part("loyalty", sign * (x if number == "X" else int(number)), path)
    raise AssertionError("mana is not a component of its own")


def text_of(board: Board, obj: Obj | None, ability_cost: tuple[CostPart, ...], part: Part) -> CostPart | None:
    """The script of a component: where its path leads."""
    if not part.path:
        return None
    if obj is None or obj.kind == "ability":
        return ability_cost[part.path[0]]
    number, way, index = part.path
    known = additional(board, obj)
    if number >= len(known):
        return None  # a keyword that is gone since, and what stood behind it
    cost = known[number]
    return cost.cost[index] if way < 0 else cost.either[way][index]


def fitting(board: Board, script: CostPart | None, seat: int, source: int) -> tuple[int, ...]:
    """The objects with which a player could pay a component."""
    if isinstance(script, PaySacrifice):
        if script.this:
            return (source,) if source in board.state.game.battlefield else ()
        return tuple(
            handle
            for handle in board.state.game.battlefield
            if board.state.object(handle).controller == seat
            and matches(board, script.what, handle, seat, source)
        )
    if isinstance(script, PayTapOthers):
        return tuple(
            handle
            for handle in board.state.game.battlefield
            if board.state.object(handle).controller == seat
            and not board.state.object(handle).tapped
            and matches(board, script.what, handle, seat, source)
        )
    if isinstance(script, PayDiscard | PayReveal):
        return tuple(
            handle
            for handle in board.state.player(seat).hand
            if matches(board, script.what, handle, seat, source)
        )
    return ()
