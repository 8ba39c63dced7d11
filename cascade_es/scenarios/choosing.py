"""Choosing in a scenario: targets, objects, options and orders, by the names that people call them."""

from __future__ import annotations

from collections.abc import Sequence

from cascade_es.errors import InputError
from cascade_es.rules import retarget
from cascade_es.rules import targets as target_rules
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.naming import find
from cascade_es.scenarios.speaking import Failure, Speaker
from cascade_es.scenarios.yamlnodes import (
    Node,
    Seq,
    one_or_many,
    seq,
    text,
)
from cascade_es.values import decisions as de
from cascade_es.values.state import AskingData, Target


class Chooser(Speaker):
    """The players of a scenario, as they choose."""

    def _targets(self, play: Play) -> None:
        node = play.detail("these")
        if node is None:
            raise InputError("say which under 'these:'", where=str(play.place))
        self._say(play, de.Targets(self._targets_of(play, node)))

    def _targets_of(self, play: Play, node: Node) -> tuple[Target, ...]:
        """Targets as written: a flat list fills the instances of "target" in order; or one list each."""
        board = self.game.board
        data = self.game.state.frame.data
        handle = getattr(data, "object", 0)
        if isinstance(data, AskingData) and data.sort == "targets":
            return self._new_targets(play, data, node)
        obj = board.find(handle)
        if obj is None:
            raise Failure("no targets are being chosen", play.place)
        slots = target_rules.instances(board, obj)
        entries = one_or_many(node, "targets")
        chosen: list[Target] = []
        if any(isinstance(entry, Seq) for entry in entries):
            for slot, entry in enumerate(entries):
                chosen += [self._target(play, slot, item, chosen) for item in seq(entry, "targets")]
            return tuple(chosen)
        rest = list(entries)
        for slot, instance in enumerate(slots):
            _, most = target_rules.bounds(board, obj, instance)
            # The last instance takes whatever is left, so that too many are refused by the rule.
            take = len(rest) if slot == len(slots) - 1 else most
            chosen += [self._target(play, slot, item, chosen) for item in rest[:take]]
            del rest[:take]
        return tuple(chosen)

    def _new_targets(self, play: Play, data: AskingData, node: Node) -> tuple[Target, ...]:
        """Targets for a copy, or changed ones: one name for each target that there is, in order.

        What stays as it is may be called "same".
        """
        old = retarget.chosen(retarget.subject(self.game.board, data))
        chosen: list[Target] = []
        for number, item in enumerate(one_or_many(node, "targets")):
            slot = old[number].slot if number < len(old) else len(old)
            name = text(item, "a target")
            if name == "same" and number < len(old):
                chosen.append(old[number])
            elif name in self.game.names:
                chosen.append(Target(slot, seat=self.game.names.index(name)))
            else:
                among = [target.object for target in (*self._offered(slot), *old) if target.slot == slot]
                handle = find(self.game, name, play.seat, item.place, among=[h for h in among if h])
                chosen.append(Target(slot, object=handle))
        return tuple(chosen)

    def _offered(self, slot: int) -> tuple[Target, ...]:
        """The targets that the prompt lists for one instance of "target"."""
        prompt = self.game.prompt
        return tuple(
            target
            for candidate in (prompt.allowed if prompt is not None else ())
            if isinstance(candidate.answer, de.Targets)
            for target in candidate.answer.targets
            if target.slot == slot
        )

    def _target(self, play: Play, slot: int, node: Node, before: Sequence[Target]) -> Target:
        name = text(node, "a target")
        if name in self.game.names:
            return Target(slot, seat=self.game.names.index(name))
        among = tuple(target.object for target in self._offered(slot) if target.object)
        taken = [target.object for target in before if target.slot == slot and target.object]
        try:
            return Target(slot, object=find(self.game, name, play.seat, node.place, among=among, taken=taken))
        except InputError:
            return Target(slot, object=find(self.game, name, play.seat, node.place, among=among))

    def _picked(self, play: Play, nodes: Sequence[Node]) -> tuple[int, ...]:
        prompt = self.game.prompt
        among = tuple(
            handle
            for candidate in (prompt.candidates if prompt is not None else ())
            for handle in candidate.answer.objects()
            if not isinstance(candidate.answer, de.ActivateAbility)
        )
        chosen: list[int] = []
        for node in nodes:
            name = text(node, "an object")
            chosen.append(find(self.game, name, play.seat, node.place, among=among, taken=chosen))
        return tuple(chosen)

    def _choose(self, play: Play) -> None:
        prompt = self.game.prompt
        nothing = play.object == "nothing" and play.detail("these") is None
        if prompt is not None and prompt.kind == "option":
            options = [candidate.text for candidate in prompt.candidates]
            wanted = [text(node, "an option") for node in self._listed(play)]
            seats = {name: f"player {seat + 1}" for seat, name in enumerate(self.game.names)}
            wanted = [word if word in options else seats.get(word, word) for word in wanted]
            if len(wanted) != 1 or wanted[0] not in options:
                raise Failure(f"the options are {', '.join(options)}", play.place)
            self._say(play, de.Option(options.index(wanted[0])))
            return
        picks = () if nothing else self._picked(play, self._listed(play))
        self._say(play, de.Choose(picks))

    def _order(self, play: Play) -> None:
        """Triggers in the order in which they are put on the stack, by the names of the abilities."""
        prompt = self.game.prompt
        if prompt is not None and self.game.state.frame.machine == "asking":
            words = [(candidate.answer, candidate.text) for candidate in prompt.candidates]
            self._say(play, de.Order(tuple(self._worded(node, words) for node in self._listed(play))))
            return
        pending = self.game.state.game.pending
        chosen: list[int] = []
        for node in self._listed(play):
            name = text(node, "a trigger").removeprefix("ability of ")
            keywords = {item.ability.keyword for item in pending}
            name, _, number = (name, "", "") if name in keywords else name.partition(" #")
            mine = [
                item.id
                for item in pending
                if item.controller == play.seat
                and name == (item.ability.keyword or self.game.board.name(item.source))
            ]
            if number:
                mine = mine[int(number) - 1 : int(number)] if number.isdecimal() else []
            mine = [item for item in mine if item not in chosen]
            if mine:
                chosen.append(mine[0])
            else:
                raise Failure(f"no trigger '{name}' of {self.game.names[play.seat]} is waiting", node.place)
        self._say(play, de.Order(tuple(chosen)))

    def _worded(self, node: Node, words: list[tuple[de.Answer, str]]) -> int:
        """The next of the things to order that is called so; a player is called by name."""
        name = text(node, "what comes next")
        called = f"player {self.game.names.index(name) + 1}" if name in self.game.names else name
        for at, (answer, word) in enumerate(words):
            if word == called:
                del words[at]
                assert isinstance(answer, de.Order)
                return answer.items[0]
        raise Failure(f"'{name}' is none of {', '.join(word for _, word in words)}", node.place)
