"""Paying automatically: client code that expands into recorded decisions, never a rule.

It taps the least flexible sources that pay exactly what is asked, and spends the mana so made.
"""

from __future__ import annotations

from cascade_es.errors import CascadeError
from cascade_es.game import Game
from cascade_es.rules.printed import mana_types
from cascade_es.values.decisions import ActivateAbility, Option, Pay
from cascade_es.values.mana import Price, choose_units, produce_options
from cascade_es.values.prompts import Prompt
from cascade_es.values.script import Activated, AddMana, PayTap
from cascade_es.values.state import PayingData

PER_SOURCE = 16
"""More mana than one source makes; it keeps the units of a source apart while planning."""


class CannotPay(CascadeError):
    """No way of tapping what is there pays the price."""


def sources(game: Game, prompt: Prompt) -> dict[int, tuple[ActivateAbility, AddMana]]:
    """The permanents that can be tapped for mana now, each with its first such ability."""
    found: dict[int, tuple[ActivateAbility, AddMana]] = {}
    for candidate in prompt.allowed:
        answer = candidate.answer
        if not isinstance(answer, ActivateAbility) or answer.object in found:
            continue
        _, ability = game.board.abilities(answer.object)[answer.ability]
        assert isinstance(ability, Activated)
        (first, *more) = ability.text.do
        if isinstance(first, AddMana) and not more and all(isinstance(part, PayTap) for part in ability.cost):
            found[answer.object] = (answer, first)
    return found


def plan(game: Game, prompt: Prompt, amount: Price) -> list[tuple[ActivateAbility, Option | None]]:
    """Which sources to tap, and for which mana where there is a choice.

    Raises:
        CannotPay: when no choice of them pays.
    """
    able = sources(game, prompt)
    entries: list[tuple[int, tuple[str, ...], bool]] = []
    for handle, (_, adding) in able.items():
        snow = "snow" in game.board.characteristics(handle).supertypes
        if adding.choose:
            kinds = tuple(dict.fromkeys(kind for text in adding.choose for kind in mana_types(text)))
            entries.append((handle * PER_SOURCE, kinds, snow))
        else:
            entries += [
                (handle * PER_SOURCE + index, (kind,), snow)
                for index, kind in enumerate(mana_types(adding.mana))
            ]
    pool = game.state.player(prompt.seat).pool
    chosen = produce_options(amount, tuple(entries), pool)
    if chosen is None:
        raise CannotPay(f"nothing that can be tapped pays {amount}")
    steps: list[tuple[ActivateAbility, Option | None]] = []
    used: set[int] = set()
    for entry, kind in chosen:
        handle = entry // PER_SOURCE
        if handle in used:
            continue
        used.add(handle)
        answer, adding = able[handle]
        option = None
        if len(adding.choose) > 1:
            option = Option(next(i for i, text in enumerate(adding.choose) if kind in mana_types(text)))
        steps.append((answer, option))
    return steps


def pay_automatically(game: Game) -> None:
    """Tap and pay until the mana of the payment under way is paid.

    Raises:
        CannotPay: when it cannot be done; what was tapped stays tapped until the action is reversed.
    """
    frame = game.state.frame
    data = frame.data
    prompt = game.prompt
    assert isinstance(data, PayingData)
    assert prompt is not None
    if not data.price.has_mana:
        return
    seat = data.player
    if choose_units(data.price, game.state.player(seat).pool) is None:
        for answer, option in plan(game, prompt, data.price):
            game.decide(seat, answer)
            if option is not None:
                game.decide(seat, option)
    units = choose_units(data.price, game.state.player(seat).pool)
    if units is None:
        raise CannotPay(f"the pool does not pay {data.price}")
    game.decide(seat, Pay(-1, tuple(unit.id for unit in units)))
