"""Saying things: the players of a scenario make decisions, and what goes wrong is said with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cascade_es.errors import CascadeError, DecisionError, InputError, Refused
from cascade_es.game import Game
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.yamlnodes import (
    Node,
    Place,
    Text,
    boolean,
    integer,
    one_or_many,
    text,
)
from cascade_es.values import decisions as de
from cascade_es.values.prompts import Prompt


class Failure(CascadeError):
    """A scenario did not go as it says: where, what was expected, what was found."""

    def __init__(self, what: str, place: Place) -> None:
        super().__init__(f"{place}: {what}")
        self.what = what
        self.place = place


class Speaker:
    """Whoever speaks in a scenario."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def say(self, play: Play, answer: de.Answer) -> None:
        """Say it, and insist on it where the entry does."""
        self._say(play, answer)

    def _who(self, prompt: Prompt) -> str:
        return self.game.names[prompt.seat]

    def _say(self, play: Play, answer: de.Answer, *, insist: bool | None = None) -> None:
        insisted = self._flag(play, "insist") if insist is None else insist
        try:
            self.game.decide(play.seat, answer, insist=insisted)
        except DecisionError as error:
            prompt = self.game.prompt
            asked = f"; {self._who(prompt)} is asked: {prompt.question}" if prompt is not None else ""
            words = re.sub(r"seat (\d+)", lambda found: self._name(int(found[1])), str(error))
            raise Failure(f"{words}{asked}", play.place) from None
        except Refused as error:
            raise Failure(f"refused: {error}", play.place) from None

    def _name(self, seat: int) -> str:
        return self.game.names[seat] if seat < len(self.game.names) else f"seat {seat}"

    def _flag(self, play: Play, key: str) -> bool:
        node = play.detail(key)
        return node is not None and boolean(node, key)

    def _listed(self, play: Play) -> tuple[Node, ...]:
        node = play.detail("these")
        if node is not None:
            return one_or_many(node, "these")
        if not play.object:
            raise InputError(f"say what under 'these:' ({play.verb})", where=str(play.place))
        return (Text(play.object, play.place),)

    def _needed_text(self, play: Play) -> str:
        node = play.detail("text")
        if node is None:
            raise InputError(f"'{play.verb}' needs 'text:'", where=str(play.place))
        return text(node, "text")

    def _numbers(self, nodes: Sequence[Node]) -> tuple[int, ...]:
        return tuple(integer(node, "an amount", 0) for node in nodes)
