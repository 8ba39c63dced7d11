"""How scenarios name targets: of a spell or ability, of a copy, and changed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cascade_es.errors import InputError
from cascade_es.rules import retarget
from cascade_es.rules import targets as target_rules
from cascade_es.scenarios.choosing import Failure
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.naming import find
from cascade_es.scenarios.yamlnodes import Node, Seq, one_or_many, seq, text
from cascade_es.values import decisions as de
from cascade_es.values.state import AskingData, Target

if TYPE_CHECKING:
    from cascade_es.scenarios.acting import Actor


def choose(actor: Actor, play: Play) -> None:
    """Choose targets by themselves: of what is being put on the stack, of a copy, or new ones."""
    node = play.detail("these")
    if node is None:
        raise InputError("say which under 'these:'", where=str(play.place))
    actor.say(play, de.Targets(targets_of(actor, play, node)))


def targets_of(actor: Actor, play: Play, node: Node) -> tuple[Target, ...]:
    """Targets as written: a flat list fills the instances of "target" in order; or one list each."""
    board = actor.game.board
    data = actor.game.state.frame.data
    handle = getattr(data, "object", 0)
    if isinstance(data, AskingData) and data.sort == "targets":
        return _new(actor, play, data, node)
    obj = board.find(handle)
    if obj is None:
        raise Failure("no targets are being chosen", play.place)
    slots = target_rules.instances(board, obj)
    entries = one_or_many(node, "targets")
    chosen: list[Target] = []
    if any(isinstance(entry, Seq) for entry in entries):
        for slot, entry in enumerate(entries):
            chosen += [_one(actor, play, slot, item, chosen) for item in seq(entry, "targets")]
        return tuple(chosen)
    rest = list(entries)
    for slot, instance in enumerate(slots):
        _, most = target_rules.bounds(board, obj, instance)
        # The last instance takes whatever is left, so that too many are refused by the rule.
        take = len(rest) if slot == len(slots) - 1 else most
        chosen += [_one(actor, play, slot, item, chosen) for item in rest[:take]]
        del rest[:take]
    return tuple(chosen)


def _new(actor: Actor, play: Play, data: AskingData, node: Node) -> tuple[Target, ...]:
    """Targets for a copy, or changed ones: one name for each target that there is, in order.

    What stays as it is may be called "same".
    """
    old = retarget.chosen(retarget.subject(actor.game.board, data))
    chosen: list[Target] = []
    for number, item in enumerate(one_or_many(node, "targets")):
        slot = old[number].slot if number < len(old) else len(old)
        name = text(item, "a target")
        if name == "same" and number < len(old):
            chosen.append(old[number])
        elif name in actor.game.names:
            chosen.append(Target(slot, seat=actor.game.names.index(name)))
        else:
            among = [target.object for target in (*_offered(actor, slot), *old) if target.slot == slot]
            handle = find(actor.game, name, play.seat, item.place, among=[h for h in among if h])
            chosen.append(Target(slot, object=handle))
    return tuple(chosen)


def _offered(actor: Actor, slot: int) -> tuple[Target, ...]:
    """The targets that the prompt lists for one instance of "target"."""
    prompt = actor.game.prompt
    return tuple(
        target
        for candidate in (prompt.allowed if prompt is not None else ())
        if isinstance(candidate.answer, de.Targets)
        for target in candidate.answer.targets
        if target.slot == slot
    )


def _one(actor: Actor, play: Play, slot: int, node: Node, before: Sequence[Target]) -> Target:
    name = text(node, "a target")
    if name in actor.game.names:
        return Target(slot, seat=actor.game.names.index(name))
    among = tuple(target.object for target in _offered(actor, slot) if target.object)
    taken = [target.object for target in before if target.slot == slot and target.object]
    try:
        return Target(slot, object=find(actor.game, name, play.seat, node.place, among=among, taken=taken))
    except InputError:
        return Target(slot, object=find(actor.game, name, play.seat, node.place, among=among))
