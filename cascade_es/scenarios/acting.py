"""What a player says in a scenario, turned into decisions.

One entry may answer many questions: "cast X with these targets, pay automatically" is every decision
that a player would make one by one.  It is strict: a question that the entry does not answer fails,
and so does an answer to a question that was never asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from cascade_es.errors import DecisionError, InputError, Refused
from cascade_es.game import Game
from cascade_es.rules import costs, proposal
from cascade_es.rules.parts import part_name
from cascade_es.rules.printed import FUSED, fuses, mana_types
from cascade_es.scenarios import aiming, choosing, combat, paying
from cascade_es.scenarios.choosing import Failure as Failure
from cascade_es.scenarios.grammar import SAID, Play
from cascade_es.scenarios.naming import called, find
from cascade_es.scenarios.yamlnodes import (
    Node,
    Text,
    boolean,
    integer,
    one_or_many,
    suggest,
    text,
)
from cascade_es.values import decisions as de
from cascade_es.values.events import IllegalityFound
from cascade_es.values.prompts import Candidate, Prompt
from cascade_es.values.script import Ability, Activated, AddMana
from cascade_es.values.state import CastingData, PayingData


class Actor:
    """The players of a scenario, as they speak."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def act(self, play: Play) -> None:
        """Do what one entry of a player says."""
        action = VERBS.get(play.verb)
        if action is None:
            known = tuple(VERBS)
            raise InputError(
                f"'{play.verb}' is nothing that a player does"
                f"{suggest(play.verb, known) or '; known: ' + ', '.join(known)}",
                where=str(play.place),
            )
        if play.object and play.verb in ALONE:
            raise InputError(f"'{play.verb}' stands alone, without '{play.object}'", where=str(play.place))
        if not play.object and play.verb in ("cast", "play", "unlock", "activate", "tap"):
            raise InputError(f"say what to {play.verb}", where=str(play.place))
        before = len(self.game)
        action(self, play)
        if self.flag(play, "insist") and not self.flag(play, "stop") and not self._reversed_since(before):
            raise Failure("nothing forbids it; leave 'insist: yes' out", play.place)

    # -------------------------------------------------------------------------------- saying

    def follow_up(self, play: Play, before: int) -> None:
        """Answer with what stands beside it whatever a declaration asks: the payment of its costs."""
        self._follow_up(play, before)

    def _who(self, prompt: Prompt) -> str:
        return self.game.names[prompt.seat]

    def say(self, play: Play, answer: de.Answer, *, insist: bool | None = None) -> None:
        """Say it, and insist on it where the entry does."""
        insisted = self.flag(play, "insist") if insist is None else insist
        try:
            self.game.decide(play.seat, answer, insist=insisted)
        except DecisionError as error:
            prompt = self.game.prompt
            asked = f"; {self._who(prompt)} is asked: {prompt.question}" if prompt is not None else ""
            words = re.sub(r"seat (\d+)", lambda found: self._name(int(found[1])), str(error))
            if isinstance(answer, de.Cast) and prompt is not None and prompt.kind == "offer":
                words = f"{play.object} is not what is offered"
            if prompt is not None and "does not answer the prompt" in words:
                takes = dict.fromkeys(SAID.get(kind.kind, kind.kind) for kind in prompt.answers)
                words, asked = f"'{play.verb}' answers nothing now", f"{asked} ({', '.join(takes)})"
            raise Failure(f"{words}{asked}", play.place) from None
        except Refused as error:
            raise Failure(f"refused: {error}", play.place) from None

    def _name(self, seat: int) -> str:
        return self.game.names[seat] if seat < len(self.game.names) else f"seat {seat}"

    def flag(self, play: Play, key: str) -> bool:
        node = play.detail(key)
        return node is not None and boolean(node, key)

    def listed(self, play: Play) -> tuple[Node, ...]:
        """What an entry names: under ``these:``, or beside its verb."""
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

    # ------------------------------------------------------------------------------- actions

    def _object(self, play: Play, *kinds: type[de.Answer]) -> int:
        prompt = self.game.prompt
        among: tuple[int, ...] = ()
        if prompt is not None and prompt.seat == play.seat and set(kinds) & set(prompt.answers):
            every = [c for c in prompt.candidates if isinstance(c.answer, kinds)]
            exact = [c for c in every if self._so_called(play, c)]
            name = self._plain(play.object)
            fitting = exact or [c for c in every if called(self.game, c.answer.objects()[0], name)]
            # What is allowed is meant, and otherwise what the player could at least try.
            likely = [c for c in fitting if c.allowed] or fitting
            among = tuple(candidate.answer.objects()[0] for candidate in likely)
        return find(self.game, play.object, play.seat, play.place, among=among)

    def _plain(self, name: str) -> str:
        """A name without whose it is, and without its number among several."""
        owner, mark, rest = name.partition("'s ")
        return re.sub(r" #[0-9]{1,3}$", "", rest if mark and owner in self.game.names else name)

    def _so_called(self, play: Play, candidate: Candidate) -> bool:
        """Whether a candidate is the very half or face, and uses the permission, that an entry names."""
        answer = candidate.answer
        if not isinstance(answer, de.Cast | de.PlayLand | de.Unlock):
            return False
        definition = self.game.board.definition(self.game.state.object(answer.object))
        permission = "" if isinstance(answer, de.Unlock) else self._permission(play)
        given = "" if isinstance(answer, de.Unlock) else answer.permission
        if definition is None or (permission and given != permission):
            return False
        part = answer.door if isinstance(answer, de.Unlock) else answer.part
        node = play.detail("part")
        wanted = text(node, "part") if node is not None else self._plain(play.object)
        return wanted == part_name(definition, part)

    def _part(self, play: Play, handle: int, name: str) -> int:
        definition = self.game.board.definition(self.game.state.object(handle))
        if definition is None:
            return 0
        node = play.detail("part")
        wanted = text(node, "part") if node is not None else self._plain(name)
        if wanted == definition.name and fuses(definition):
            return FUSED
        names = [face.name for face in definition.faces]
        if node is not None and wanted not in names:
            raise InputError(f"there is no part '{wanted}'{suggest(wanted, names)}", where=str(node.place))
        return names.index(wanted) if wanted in names else 0

    def _cast(self, play: Play) -> None:
        handle = self._object(play, de.Cast)
        before = len(self.game)
        self.say(play, de.Cast(handle, self._part(play, handle, play.object), self._permission(play)))
        self._follow_up(play, before)

    def _land(self, play: Play) -> None:
        handle = self._object(play, de.PlayLand)
        self.say(play, de.PlayLand(handle, self._part(play, handle, play.object), self._permission(play)))

    def _permission(self, play: Play) -> str:
        node = play.detail("permission")
        return text(node, "permission") if node is not None else ""

    def _unlock(self, play: Play) -> None:
        """Unlock a door by its own name."""
        handle = self._object(play, de.Unlock)
        before = len(self.game)
        self.say(play, de.Unlock(handle, self._part(play, handle, play.object)))
        self._follow_up(play, before)

    def _activate(self, play: Play) -> None:
        handle = self._object(play, de.ActivateAbility)
        before = len(self.game)
        self.say(play, de.ActivateAbility(handle, self._which(play, handle)))
        self._follow_up(play, before)

    def _which(self, play: Play, handle: int) -> int:
        """The index of the ability: ``part`` (counted from 1), else the first activated one."""
        node = play.detail("part")
        abilities = self.game.board.abilities(handle)
        if node is not None:
            part = integer(node, "part", 1)
            if part > len(abilities):
                only = len(abilities) or "none"
                raise InputError(f"{play.object} has no ability {part}, only {only}", where=str(node.place))
            if not isinstance(abilities[part - 1][1], Activated):
                raise Failure(f"ability {part} of {play.object} is no activated one", node.place)
            return part - 1
        activated = {id(item) for _, item in self.game.board.activated(handle)}
        found = [index for index, (_, item) in enumerate(abilities) if id(item) in activated]
        if not found:
            raise Failure(f"{play.object} has no activated ability", play.place)
        return found[0]

    def _tap(self, play: Play) -> None:
        """Tap for mana: "tap Forest", "tap Steam Vents for {U}"."""
        name, _, wanted = play.object.partition(" for ")
        self.tap_named(play, name, wanted)

    def tap_named(self, play: Play, name: str, wanted: str) -> None:
        if wanted:
            try:
                mana_types(wanted)
            except InputError as error:
                raise InputError(error.what, where=str(play.place)) from None
        prompt = self.game.prompt
        among = tuple(
            candidate.answer.object
            for candidate in (prompt.allowed if prompt is not None else ())
            if isinstance(candidate.answer, de.ActivateAbility)
        )
        handle = find(self.game, name, play.seat, play.place, among=among)
        found = [
            (index, ability)
            for index, (_, ability) in enumerate(self.game.board.abilities(handle))
            if self.game.board.is_mana_ability(ability)
        ]
        if not found:
            raise Failure(f"{name} has no mana ability", play.place)
        index, ability = next((item for item in found if wanted and _makes(item[1], wanted)), found[0])
        self.say(play, de.ActivateAbility(handle, index))
        asked = self.game.prompt
        if asked is not None and asked.kind == "option" and wanted:
            options = [candidate.text for candidate in asked.candidates]
            if wanted not in options:
                raise Failure(f"{name} makes {' or '.join(options)}, not {wanted}", play.place)
            self.say(play, de.Option(options.index(wanted)))
        elif wanted and not _makes(ability, wanted):
            raise Failure(f"{name} does not make {wanted}", play.place)

    # ------------------------------------------------------------------- what follows a cast

    def _follow_up(self, play: Play, before: int) -> None:
        """Answer the questions of a cast or activation with what stands beside it."""
        stop = self.flag(play, "stop")
        used: dict[str, int] = {}
        while True:
            prompt = self.game.prompt
            frame = self.game.state.frame
            if (
                prompt is None
                or not isinstance(frame.data, CastingData | PayingData)
                or prompt.seat != play.seat
            ):
                break
            key = self._key(prompt)
            node = play.detail(key)
            if key == "pay":
                if not paying.step(self, play, stop, used):
                    break
                continue
            if node is None and key != "declare":
                if stop:
                    break
                raise Failure(f"unanswered: {prompt.question}; say '{key}:'", play.place)
            if key == "declare" and node is None and play.detail("x") is None and play.detail("ways") is None:
                if stop:
                    break
                self._default_declaration(play, prompt)
                continue
            used.update(dict.fromkeys(("x", "declare", "ways") if key == "declare" else (key,), 1))
            self.say(play, self._answer(play, key, node))
        self.ended(play, before, used)

    def ended(self, play: Play, before: int, used: dict[str, int]) -> None:
        """An entry whose action is reversed must say so; every other one must have been used up."""
        if not self._reversed_since(before):
            self._unused(play, used)
            if self.flag(play, "reversed"):
                raise Failure("the action was to be reversed, but it was not", play.place)
        elif not (self.flag(play, "reversed") or self.flag(play, "insist")):
            found = [s.event for s in self.game.since(before) if isinstance(s.event, IllegalityFound)]
            why = found[-1].reason
            raise Failure(f"the action was reversed: {why}; say 'reversed: yes' if it should be", play.place)

    def _reversed_since(self, seq_: int) -> bool:
        """Whether an action was reversed: what was still to be answered was never asked."""
        return any(step.event.kind == "action-reversed" for step in self.game.since(seq_))

    def _key(self, prompt: Prompt) -> str:
        kinds = {de.Targets: "targets", de.Modes: "modes", de.Declare: "declare", de.Divide: "divide"}
        for kind, key in kinds.items():
            if kind in prompt.answers:
                return key
        return "pay"

    def _answer(self, play: Play, key: str, node: Node | None) -> de.Answer:
        if key == "declare":
            return self._declaration(play)
        assert node is not None
        if key == "targets":
            return de.Targets(aiming.targets_of(self, play, node))
        if key == "modes":
            return self._modes_of(play, one_or_many(node, "modes"))
        return de.Divide(self._numbers(one_or_many(node, "divide")))

    def _modes_of(self, play: Play, nodes: Sequence[Node]) -> de.Modes:
        return de.Modes(tuple(integer(node, "a mode", 1) - 1 for node in nodes))

    def _default_declaration(self, play: Play, prompt: Prompt) -> None:
        answer = prompt.complete()
        frame = self.game.state.frame
        obj = self.game.state.object(frame.data.object)
        if proposal.chooses_x(self.game.board, obj):
            raise Failure("unanswered: the value of X; say 'x:'", play.place)
        if any(len(cost.either) > 1 and not cost.optional for cost in costs.additional(self.game.board, obj)):
            raise Failure("unanswered: which way of an either-or cost; say 'declare:'", play.place)
        if costs.symbols_to_choose(self.game.board, obj):
            raise Failure("unanswered: how to pay hybrid or Phyrexian symbols; say 'ways:'", play.place)
        assert isinstance(answer, de.Declare)
        self.say(play, answer, insist=False)

    def _declaration(self, play: Play) -> de.Declare:
        x, declared, ways = play.detail("x"), play.detail("declare"), play.detail("ways")
        return de.Declare(
            integer(x, "x", 0) if x is not None else 0,
            tuple(text(item, "a cost") for item in one_or_many(declared, "declare")) if declared else (),
            tuple(text(item, "a way").strip("{}") for item in one_or_many(ways, "ways")) if ways else (),
        )

    def _unused(self, play: Play, used: dict[str, int]) -> None:
        named = ("targets", "modes", "x", "declare", "ways", "divide")
        for key in (*named, "sacrifice", "discard", "reveal", "tap others"):
            node = play.detail(key)
            if node is not None and key not in used:
                raise Failure(f"'{key}:' answers nothing that was asked", node.place)
        pay = play.detail("pay")
        if pay is not None and "pay" not in used and not (isinstance(pay, Text) and pay.value == "auto"):
            raise Failure("'pay:' answers nothing that was asked", pay.place)

    # ---------------------------------------------------------------------- targets and choices

    def picked(self, play: Play, nodes: Sequence[Node]) -> tuple[int, ...]:
        """The objects that are named, those that may be chosen first."""
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


ALONE: Final = (
    *("pass", "give up", "concede", "decline", "yes", "no", "comment", "targets", "pay", "declare"),
    *("attack", "block", "assign", "no attack", "no block"),
)
"""What is said in one word, or has its object under a key of its own."""

VERBS: Final[dict[str, Callable[[Actor, Play], None]]] = {
    "pass": lambda actor, p: actor.say(p, de.Pass()),
    "cast": Actor._cast,
    "play": Actor._land,
    "unlock": Actor._unlock,
    "activate": Actor._activate,
    "tap": Actor._tap,
    "choose": choosing.choose,
    "targets": aiming.choose,
    "modes": lambda actor, p: actor.say(p, actor._modes_of(p, actor.listed(p))),
    "divide": lambda actor, p: actor.say(p, de.Divide(actor._numbers(actor.listed(p)))),
    "declare": lambda actor, p: actor.say(p, actor._declaration(p)),
    "pay": paying.pay,
    "order": choosing.order,
    "decline": lambda actor, p: actor.say(p, de.Decline()),
    "yes": lambda actor, p: actor.say(p, de.YesNo(True)),
    "no": lambda actor, p: actor.say(p, de.YesNo(False)),
    "give up": lambda actor, p: actor.say(p, de.GiveUp()),
    "concede": lambda actor, p: actor.say(p, de.Concede()),
    "comment": lambda actor, p: actor.say(p, de.Comment(actor._needed_text(p))),
    "attack": lambda actor, p: combat.attack(actor, p),
    "block": lambda actor, p: combat.block(actor, p),
    "assign": lambda actor, p: combat.assign(actor, p),
    "no attack": lambda actor, p: actor.say(p, de.Attack()),
    "no block": lambda actor, p: actor.say(p, de.Block()),
}
"""What a player can do, by the first word (or words) of an entry."""


def _makes(ability: Ability, wanted: str) -> bool:
    first = ability.text.do[0] if isinstance(ability, Activated) else None
    if not isinstance(first, AddMana):
        return False
    return any(mana_types(text) == mana_types(wanted) for text in (first.choose or (first.mana,)))
