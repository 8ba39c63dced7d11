"""How scenarios pay: mana by itself or unit by unit, and every other part of a cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cascade_es.scenarios.choosing import Failure
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.payment import CannotPay, pay_automatically
from cascade_es.scenarios.yamlnodes import Map, Node, Text, expect_keys, one_or_many, text
from cascade_es.values import decisions as de
from cascade_es.values.mana import choose_units
from cascade_es.values.state import Part, PayingData

if TYPE_CHECKING:
    from cascade_es.scenarios.acting import Actor


def pay(actor: Actor, play: Play) -> None:
    """Pay what is being asked for, as far as the entry says."""
    payment = actor.game.state.frame
    if not isinstance(payment.data, PayingData):
        raise Failure("there is nothing to pay", play.place)
    used: dict[str, int] = {}
    stop = actor.flag(play, "stop")
    before = len(actor.game)
    while actor.game.state.frame.event == payment.event and actor.game.prompt is not None:
        if not step(actor, play, stop, used):
            break
    actor.ended(play, before, used)


def step(actor: Actor, play: Play, stop: bool, used: dict[str, int]) -> bool:
    """Pay the next component, in the order in which the keys stand; whether to go on.

    Mana comes first where ``pay:`` is not written: paying anything else would close the window in
    which mana can still be made.
    """
    data = actor.game.state.frame.data
    assert isinstance(data, PayingData)
    how = play.detail("pay")
    keys = [key.value for key, _ in play.node.entries]
    written = keys.index("pay") if how is not None else len(keys) if stop else -1
    for key in keys:
        if data.price.has_mana and keys.index(key) > written:
            break
        index = next((n for n, part in enumerate(data.parts) if part.kind == key), None)
        node = play.detail(key)
        picks = _component(actor, play, node, data.parts[index], used) if index is not None and node else ()
        if index is None or not picks:
            continue
        actor.say(play, de.Pay(index, picks=picks))
        return True
    if data.price.has_mana and not (stop and how is None):
        used["pay"] = 1
        return _mana(actor, play, how)
    if stop:
        return False
    kinds = ", ".join(f"'{part.kind}:'" for part in data.parts)
    raise Failure(f"unanswered: {_question(actor)}; say {kinds}", play.place)


def _component(actor: Actor, play: Play, node: Node, part: Part, used: dict[str, int]) -> tuple[int, ...]:
    """With what to pay one component: the next names of its list."""
    names = one_or_many(node, part.kind)
    first = used.get(part.kind, 0)
    # The last component of a kind takes whatever is left, so that a wrong number is refused by the rule.
    data = actor.game.state.frame.data
    last = sum(1 for other in data.parts if other.kind == part.kind) == 1
    taken = names[first:] if last else names[first : first + part.amount]
    used[part.kind] = first + len(taken)
    return actor.picked(play, taken)


def _question(actor: Actor) -> str:
    prompt = actor.game.prompt
    return prompt.question if prompt is not None else "nothing"


def _mana(actor: Actor, play: Play, how: Node | None) -> bool:
    if how is None or (isinstance(how, Text) and how.value == "auto"):
        try:
            pay_automatically(actor.game)
        except CannotPay as error:
            if actor.flag(play, "insist"):
                pool = actor.game.state.player(play.seat).pool
                actor.say(play, de.Pay(-1, tuple(unit.id for unit in pool)))
                return True
            if actor.flag(play, "reversed"):
                actor.say(play, de.GiveUp())
                return True
            raise Failure(f"{error}; say 'stop: yes' to leave the payment open", play.place) from None
        return True
    taps: tuple[Node, ...]
    spend: tuple[Node, ...] | None = None
    if isinstance(how, Map):
        expect_keys(how, ("tap", "spend"), what="'pay'")
        tap, units = how.get("tap"), how.get("spend")
        taps = one_or_many(tap, "tap") if tap is not None else ()
        spend = one_or_many(units, "spend") if units is not None else None
    else:
        taps = one_or_many(how, "pay")
    for node in taps:
        name, _, wanted = text(node, "a source of mana").partition(" for ")
        actor.tap_named(msgspec.structs.replace(play, place=node.place), name, wanted)
        if not isinstance(actor.game.state.frame.data, PayingData):
            return False  # an illegal tap that was insisted on has ended it all
    insist = actor.flag(play, "insist")
    actor.say(play, _units(actor, play, spend), insist=insist)
    return not insist


def _units(actor: Actor, play: Play, spend: tuple[Node, ...] | None) -> de.Pay:
    """The units to spend: named ("{R}", "{R} of Mountain"), or found."""
    data = actor.game.state.frame.data
    pool = actor.game.state.player(play.seat).pool
    if spend is None:
        found = choose_units(data.price, pool)
        return de.Pay(-1, tuple(unit.id for unit in (found if found is not None else pool)))
    chosen: list[int] = []
    for node in spend:
        kind, _, source = text(node, "a unit of mana").partition(" of ")
        for unit in pool:
            made_by = actor.game.board.name(unit.source)
            if unit.id not in chosen and f"{{{unit.type}}}" == kind and source in ("", made_by):
                chosen.append(unit.id)
                break
        else:
            raise Failure(f"there is no such mana in the pool: {text(node, 'a unit')}", node.place)
    return de.Pay(-1, tuple(chosen))
