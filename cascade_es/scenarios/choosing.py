"""What scenarios choose and put in an order; and how a scenario fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cascade_es.errors import CascadeError
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.yamlnodes import Node, Place, text
from cascade_es.values import decisions as de

if TYPE_CHECKING:
    from cascade_es.scenarios.acting import Actor


class Failure(CascadeError):
    """A scenario did not go as it says: where, what was expected, what was found."""

    def __init__(self, what: str, place: Place) -> None:
        super().__init__(f"{place}: {what}")
        self.what = what
        self.place = place


def choose(actor: Actor, play: Play) -> None:
    """Objects, an option, or a player by name."""
    prompt = actor.game.prompt
    nothing = play.object == "nothing" and play.detail("these") is None
    if prompt is not None and prompt.kind == "option":
        options = [candidate.text for candidate in prompt.candidates]
        wanted = [text(node, "an option") for node in actor.listed(play)]
        seats = {name: f"player {seat + 1}" for seat, name in enumerate(actor.game.names)}
        wanted = [word if word in options else seats.get(word, word) for word in wanted]
        if len(wanted) != 1 or wanted[0] not in options:
            raise Failure(f"the options are {', '.join(options)}", play.place)
        actor.say(play, de.Option(options.index(wanted[0])))
        return
    picks = () if nothing else actor.picked(play, actor.listed(play))
    actor.say(play, de.Choose(picks))


def order(actor: Actor, play: Play) -> None:
    """Triggers in the order in which they are put on the stack, by the names of the abilities."""
    prompt = actor.game.prompt
    if prompt is not None and actor.game.state.frame.machine == "asking":
        words = [(candidate.answer, candidate.text) for candidate in prompt.candidates]
        actor.say(play, de.Order(tuple(_worded(actor, node, words) for node in actor.listed(play))))
        return
    pending = actor.game.state.game.pending
    chosen: list[int] = []
    for node in actor.listed(play):
        name = text(node, "a trigger").removeprefix("ability of ")
        keywords = {item.ability.keyword for item in pending}
        name, _, number = (name, "", "") if name in keywords else name.partition(" #")
        mine = [
            item.id
            for item in pending
            if item.controller == play.seat
            and name == (item.ability.keyword or actor.game.board.name(item.source))
        ]
        if number:
            mine = mine[int(number) - 1 : int(number)] if number.isdecimal() else []
        mine = [item for item in mine if item not in chosen]
        if mine:
            chosen.append(mine[0])
        else:
            raise Failure(f"no trigger '{name}' of {actor.game.names[play.seat]} is waiting", node.place)
    actor.say(play, de.Order(tuple(chosen)))


def _worded(actor: Actor, node: Node, words: list[tuple[de.Answer, str]]) -> int:
    """The next of the things to order that is called so; a player is called by name."""
    name = text(node, "what comes next")
    called = f"player {actor.game.names.index(name) + 1}" if name in actor.game.names else name
    for at, (answer, word) in enumerate(words):
        if word == called:
            del words[at]
            assert isinstance(answer, de.Order)
            return answer.items[0]
    raise Failure(f"'{name}' is none of {', '.join(word for _, word in words)}", node.place)
