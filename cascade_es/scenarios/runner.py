"""Playing a scenario from its set-up to its last expectation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from cascade_es.errors import DecisionError, InputError, Refused
from cascade_es.game import Game
from cascade_es.scenarios import expectations
from cascade_es.scenarios.acting import Actor, Failure
from cascade_es.scenarios.grammar import Play, Scenario, load, play_entry, seat_of, step_of
from cascade_es.scenarios.naming import find
from cascade_es.scenarios.yamlnodes import (
    Map,
    Place,
    expect_keys,
    integer,
    mapping,
    text,
)
from cascade_es.values import decisions as de
from cascade_es.values.prompts import Prompt
from cascade_es.values.state import State

LIMIT: Final = 2000
"""How many passes an entry may stand for before the scenario counts as going round in circles."""


QUIET: Final = ("attack", "block")
"""What is answered with nothing where everybody passes."""


class Result(msgspec.Struct, frozen=True):
    """How a scenario went: ``problem`` is None when everything it says holds."""

    title: str
    file: str
    problem: str | None
    events: int


class Runner:
    """One scenario being played."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game
        self.actor = Actor(game)
        self.marks: dict[str, State] = {}

    # ---------------------------------------------------------------------------- the entries

    def run(self) -> None:
        """Play every entry.

        Raises:
            Failure: when the game does not go as the scenario says.
            InputError: when an entry cannot be understood.
        """
        for play in self.scenario.play:
            self._entry(play)
        prompt = self.game.prompt
        if prompt is not None and prompt.kind not in ("act", *QUIET):
            last = self.scenario.play[-1].place if self.scenario.play else Place(self.scenario.file, 1, 1)
            raise Failure(
                f"the scenario ends, but {self.game.names[prompt.seat]} is still asked: {prompt.question}",
                last,
            )

    def _who(self, prompt: Prompt) -> str:
        return self.game.names[prompt.seat]

    def _entry(self, play: Play) -> None:
        if play.seat >= 0:
            self.actor.act(play)
            return
        commands: dict[str, Callable[[Play], None]] = {
            "pass": self._pass_all,
            "pass all": self._pass_all,
            "until": self._until,
            "expect": self._expect,
            "refused": self._refused,
            "mark": self._mark,
            "table": self._table,
            "ruling": self._ruling,
        }
        commands[play.verb](play)

    # -------------------------------------------------------------------------------- passing

    def _pass_once(self, play: Play) -> None:
        prompt = self.game.prompt
        if prompt is None:
            raise Failure(f"the game is over{self._losses()}", play.place)
        if prompt.kind in QUIET:
            # Whoever passes attacks and blocks with nothing.
            self._decline(play, prompt)
            return
        if prompt.kind != "act":
            raise Failure(
                f"nobody can pass; {self.game.names[prompt.seat]} is asked: {prompt.question}", play.place
            )
        self.game.decide(prompt.seat, de.Pass())

    def _losses(self) -> str:
        """Who has lost, and why, in the words of an expectation."""
        lost = [
            f"{name} lost ({self.game.state.player(seat).lost})"
            for seat, name in enumerate(self.game.names)
            if self.game.state.player(seat).lost
        ]
        return f": {', '.join(lost)}" if lost else ""

    def _decline(self, play: Play, prompt: Prompt) -> None:
        try:
            self.game.decide(prompt.seat, de.Attack() if prompt.kind == "attack" else de.Block())
        except Refused as error:
            word = "attack" if prompt.kind == "attack" else "block"
            raise Failure(f"{self._who(prompt)} must {word}: {error}", play.place) from None

    def _pass_all(self, play: Play) -> None:
        """All players pass in succession: the top object resolves, or the step ends."""
        before = len(self.game)
        for _ in range(LIMIT):
            self._pass_once(play)
            kinds = {step.event.kind for step in self.game.since(before)}
            if kinds & {"resolution-begun", "round-ended", "game-ended"} or self.game.over:
                return
        raise Failure("passing leads nowhere", play.place)

    def _until(self, play: Play) -> None:
        """Pass until a step: "upkeep", or "bob, upkeep"."""
        assert play.body is not None
        words = [word.strip() for word in text(play.body, "until").split(",")]
        step = step_of(words[-1], play.place)
        seat = seat_of(words[0], self.scenario.names, play.place) if len(words) == 2 else None
        for _ in range(LIMIT):
            turn = self.game.state.game.turn
            if turn.step == step and (seat is None or turn.active == seat):
                return
            self._pass_once(play)
        raise Failure("that step never comes", play.place)

    # ----------------------------------------------------------------------- looking and table

    def _mark(self, play: Play) -> None:
        assert play.body is not None
        self.marks[text(play.body, "mark")] = self.game.state

    def _expect(self, play: Play) -> None:
        assert play.body is not None
        wrong = expectations.check(self.game, mapping(play.body, "expect"), self.marks)
        if wrong is not None:
            raise Failure(*wrong)

    def _refused(self, play: Play) -> None:
        """What a player tries is refused, by the rule named if one is."""
        assert play.body is not None
        tried = play_entry(play.body, self.scenario.names)
        if tried.seat < 0:
            raise InputError(
                "only what a player tries can be refused; write {alice: cast X}", where=str(tried.place)
            )
        before = len(self.game)
        try:
            self.actor.act(tried)
        except Failure as failure:
            if not failure.what.startswith("refused: "):
                raise
            rule = tried.detail("rule")
            if rule is not None and f"({text(rule, 'rule')})" not in failure.what:
                raise Failure(
                    f"expected a refusal by {text(rule, 'rule')}, but {failure.what}", rule.place
                ) from None
            return
        raise Failure(
            f"expected a refusal, but it was allowed ({len(self.game) - before} events followed)", play.place
        )

    def _ruling(self, play: Play) -> None:
        assert play.body is not None
        self._recorder(play, de.Ruling(text(play.body, "ruling")))

    def _table(self, play: Play) -> None:
        """Something that happened at the table contrary to the rules, or that a text nobody scripted does."""
        assert play.body is not None
        entry = mapping(play.body, "table")
        self._recorder(play, table_fact(self, entry))

    def _recorder(self, play: Play, answer: de.Answer) -> None:
        try:
            self.game.decide(de.RECORDER, answer)
        except DecisionError as error:
            raise Failure(str(error), play.place) from None


def table_fact(runner: Runner, entry: Map) -> de.Table:
    """A table fact as written: {move: Forest, to: hand}, {life: alice, change: -2}, {draw: bob}, …"""
    game = runner.game
    beside = {"move": ("to",), "life": ("change",), "draw": ("amount",)}
    verbs = ("move", "life", "draw", "shuffle", "tap", "untap", "end")
    expect_keys(entry, (*verbs, "to", "change", "amount"), what="'table'")
    heads = [key for key, _ in entry.entries if key.value in verbs]
    if len(heads) != 1:
        raise InputError(f"say one of {', '.join(verbs)}", where=str(entry.place))
    verb = heads[0].value
    expect_keys(
        entry, (verb, *beside.get(verb, ())), beside.get(verb, ())[: verb != "draw"], what=f"'{verb}'"
    )
    node = entry.get(verb)
    assert node is not None
    name = text(node, verb)
    if verb == "end":
        if name != "draw":
            raise InputError("a table can only agree on a draw: {end: draw}", where=str(node.place))
        return de.Table(verb)
    to, change, amount = entry.get("to"), entry.get("change"), entry.get("amount")
    if verb in ("life", "draw", "shuffle"):
        seat = seat_of(name, game.names, node.place)
        number = integer(change, "change") if change is not None else 0
        if verb == "draw":
            number = integer(amount, "amount", 1) if amount is not None else 1
        return de.Table(verb, 0, seat, number, "")
    zone = text(to, "to") if to is not None else ""
    handle = find(game, name, -1, node.place, among=_all(game))
    return de.Table(verb, handle, -1, 0, zone)


def _all(game: Game) -> tuple[int, ...]:
    state = game.state.game
    hidden = (handle for player in state.players for handle in (*player.hand, *player.library))
    return (*state.battlefield, *state.stack, *hidden)


def start(
    scenario: Scenario, log: str | None = None, *, overwrite: bool = False, durability: str = "on-close"
) -> Game:
    """Set up the game of a scenario, without playing it."""
    names = {placed.name for zones in scenario.zones for cards in zones.values() for placed in cards}
    return Game.new(
        {
            name: {zone: [placed.name for placed in cards] for zone, cards in zones.items()}
            for name, zones in zip(scenario.names, scenario.zones, strict=True)
        },
        cards=[scenario.cards.card(name) for name in sorted(names)],
        edition=scenario.edition.date,
        seed=f"{scenario.title}\x00{scenario.seed}",
        life=scenario.life,
        starting=scenario.starting,
        turn=scenario.number,
        step=scenario.step,
        tapped={
            name: [placed.tapped for placed in zones.get("battlefield", ())]
            for name, zones in zip(scenario.names, scenario.zones, strict=True)
        },
        log=log,
        overwrite=overwrite,
        durability=durability,
    )


def play(
    scenario: Scenario, log: str | None = None, *, overwrite: bool = False, durability: str = "on-close"
) -> tuple[Game, Result]:
    """Play a scenario; the record is sealed at its end, or where it failed.

    A log that is lost can be made again, so by default it is synced to the disk once, on closing.

    Raises:
        InputError: when an entry cannot be understood.
    """
    game = start(scenario, log, overwrite=overwrite, durability=durability)
    problem = None
    try:
        Runner(scenario, game).run()
    except Failure as failure:
        problem = str(failure)
    except BaseException:
        game.close()
        raise
    game.seal()
    return game, Result(scenario.title, scenario.file, problem, len(game))


def run_file(
    path: Path, log: str | None = None, folders: Sequence[Path] = (), *, overwrite: bool = False
) -> tuple[Game, Result]:
    """Read and play a scenario file."""
    return play(load(path, folders), log, overwrite=overwrite)
