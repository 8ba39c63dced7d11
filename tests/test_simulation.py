"""Random players with a seed: whatever they do, the promises of the kernel hold."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cascade_es import Card, Game, Refused, decisions, load_card, project
from cascade_es.rules import costs, retarget
from cascade_es.rules import targets as target_rules
from cascade_es.scenarios.cardfiles import CardSource
from cascade_es.scenarios.payment import CannotPay, pay_automatically
from cascade_es.values.prompts import Prompt
from cascade_es.values.state import Target
from cascade_es.verify import verify_bytes

DECISIONS = 220
BASICS = ("Plains", "Island", "Swamp", "Mountain", "Forest")


def pool() -> tuple[Card, ...]:
    """Every card that the package ships."""
    source = CardSource()
    return tuple(source.card(name) for name in source.names())


def decks(rng: random.Random, cards: tuple[Card, ...], seats: int) -> dict[str, dict[str, list[str]]]:
    """A small random deck for each player, and lands to play it with."""
    spells = [card.definition.name for card in cards if "Land" not in card.definition.faces[0].type_line]
    names = ("alice", "bob", "carol", "dan")[:seats]
    return {
        name: {
            "battlefield": [rng.choice(BASICS) for _ in range(9)] + ["Lotus Petal"],
            "library": [rng.choice(spells) if rng.random() < 0.7 else rng.choice(BASICS) for _ in range(30)],
        }
        for name in names
    }


class Bot:
    """Answers every prompt at random, mostly legally; sometimes insists or gives up."""

    def __init__(self, game: Game, rng: random.Random) -> None:
        self.game = game
        self.rng = rng

    def act(self) -> None:
        """Make one decision, or pay for one thing."""
        prompt = self.game.prompt
        assert prompt is not None
        if prompt.kind == "pay":
            self._pay(prompt)
            return
        answer = self._answer(prompt)
        insist = False
        if prompt.kind in ("attack", "block") and prompt.check(answer) is not None:
            insist = self.rng.random() < 0.5
        if prompt.kind == "act" and self.rng.random() < 0.05:
            refused = [candidate for candidate in prompt.candidates if not candidate.allowed]
            if refused:
                answer, insist = self.rng.choice(refused).answer, True
        try:
            self.game.decide(prompt.seat, answer, insist=insist)
        except Refused:
            if insist:
                raise
            self._way_out(prompt)

    def _way_out(self, prompt: Prompt) -> None:
        """A random choice that was refused: take a completion instead, or give up."""
        answer = prompt.complete()
        if isinstance(answer, decisions.Answer):
            self.game.decide(prompt.seat, answer)
        else:
            self.game.decide(prompt.seat, decisions.GiveUp())

    def _answer(self, prompt: Prompt) -> decisions.Answer:
        rng = self.rng
        if decisions.Targets in prompt.answers and decisions.Decline in prompt.answers:
            return self._new_targets()
        if decisions.Targets in prompt.answers:
            return self._targets()
        if prompt.kind in ("act", "offer", "yes-no", "option"):
            allowed = prompt.allowed
            if prompt.kind == "act" and rng.random() < 0.4:
                return decisions.Pass()
            return rng.choice(allowed).answer
        if prompt.kind in ("attack", "block"):
            return self._fight(prompt)
        if prompt.kind == "declare":
            allowed = prompt.allowed
            chosen = rng.choice(allowed).answer
            assert isinstance(chosen, decisions.Declare)
            frame = self.game.state.frame
            obj = self.game.state.object(frame.data.object)
            variable = costs.variable(self.game.board, obj) and not self.game.board.choices(obj.id).free
            return decisions.Declare(rng.choice((0, 1, 2)) if variable else 0, chosen.declared, chosen.ways)
        if prompt.kind == "order":
            items = [candidate.answer.items[0] for candidate in prompt.candidates]  # type: ignore[attr-defined]
            rng.shuffle(items)
            return decisions.Order(tuple(items))
        if decisions.Choose in prompt.answers:
            among = [candidate.answer.objects()[0] for candidate in prompt.allowed]
            count = rng.randint(prompt.least, min(prompt.most, len(among)))
            return decisions.Choose(tuple(rng.sample(among, count)))
        answer = prompt.complete()
        if isinstance(answer, decisions.Answer):
            return answer
        candidates = prompt.allowed
        return rng.choice(candidates).answer if candidates else decisions.GiveUp()

    def _fight(self, prompt: Prompt) -> decisions.Answer:
        """Some of the creatures that could attack or block, each with one thing that it could."""
        pairs: dict[int, decisions.Attacker | decisions.Blocker] = {}
        for candidate in prompt.allowed:
            if self.rng.random() < 0.6:
                answer = candidate.answer
                if isinstance(answer, decisions.Attack):
                    pairs.update((item.attacker, item) for item in answer.attackers)
                elif isinstance(answer, decisions.Block):
                    pairs.update((item.blocker, item) for item in answer.blockers)
        chosen = tuple(pairs.values())
        if prompt.kind == "attack":
            return decisions.Attack(chosen)  # type: ignore[arg-type]
        return decisions.Block(chosen)  # type: ignore[arg-type]

    def _targets(self) -> decisions.Answer:
        board = self.game.board
        obj = self.game.state.object(self.game.state.frame.data.object)
        chosen: list[Target] = []
        for slot, instance in enumerate(target_rules.instances(board, obj)):
            least, most = target_rules.bounds(board, obj, instance)
            found = list(target_rules.candidates(board, obj, slot, instance))
            chosen += self.rng.sample(found, min(len(found), self.rng.randint(least, most)))
        return decisions.Targets(tuple(chosen))

    def _new_targets(self) -> decisions.Answer:
        """Targets for a copy, or changed ones: each place keeps what it has or gets something else."""
        board = self.game.board
        obj = retarget.subject(board, self.game.state.frame.data)
        places = enumerate(retarget.chosen(obj))
        return decisions.Targets(
            tuple(self.rng.choice([old, *retarget.alternatives(board, obj, place)]) for place, old in places)
        )

    def _pay(self, prompt: Prompt) -> None:
        data = self.game.state.frame.data
        if self.rng.random() < 0.1:
            self.game.decide(prompt.seat, decisions.GiveUp())
            return
        if data.price.has_mana:
            try:
                pay_automatically(self.game)
            except CannotPay:
                self.game.decide(prompt.seat, decisions.GiveUp())
            return
        choices = [c.answer for c in prompt.allowed if isinstance(c.answer, decisions.Pay)]
        for answer in choices:
            try:
                self.game.decide(prompt.seat, answer)
            except Refused:
                continue
            return
        self.game.decide(prompt.seat, decisions.GiveUp())


def check(game: Game) -> None:
    """Every object is in exactly one zone, and every card of every player is somewhere."""
    state = game.state.game
    listed = [*state.battlefield, *state.stack, *state.exile, *state.command]
    for player in state.players:
        listed += [*player.library, *player.hand, *player.graveyard]
    assert sorted(listed) == sorted(state.objects)
    assert len(set(listed)) == len(listed)


def play(game: Game, rng: random.Random) -> None:
    """Play a game at random to its end, or for long enough, check it after every decision, and seal it."""
    bot = Bot(game, rng)
    for _ in range(DECISIONS):
        if game.over:
            break
        before = len(game)
        bot.act()
        check(game)
        assert len(game) > before or game.over
        _check_reversals(game, before)
    game.seal()


@pytest.mark.parametrize("seed", range(24))
def test_random_play_keeps_every_promise(seed: int) -> None:
    """Random games never break the kernel: one zone an object, and logs that verify exactly."""
    rng = random.Random(seed)
    cards = pool()
    seats = 2 if seed % 4 else 3
    game = Game.new(
        decks(rng, cards, seats), cards=cards, seed=f"simulation {seed}", shuffle=True, hands=5, life=20
    )
    play(game, rng)
    verdict = verify_bytes(game.log_bytes)
    assert (verdict.word, verdict.sealed) == ("exact", True), verdict


@pytest.mark.parametrize("edition", ["2009-07-10", "2015-01-23", "2017-04-28", "newest"])
@pytest.mark.parametrize("seats", [2, 4])
def test_random_play_in_other_editions(edition: str, seats: int) -> None:
    """The same holds under older rules, for four players, and with permanents there from the beginning."""
    rng = random.Random(f"{edition} {seats}")
    cards = pool()
    piles = decks(rng, cards, seats)
    lasting = [
        card.definition.name
        for card in cards
        if any(kind in card.definition.faces[0].type_line for kind in ("Artifact", "Creature", "Enchantment"))
        and "Aura" not in card.definition.faces[0].type_line
    ]
    for pile in piles.values():
        pile["battlefield"] += rng.sample(lasting, 5)
        pile["graveyard"] = rng.sample(lasting, 3)
    game = Game.new(piles, cards=cards, seed=edition, shuffle=True, hands=5, edition=edition)
    play(game, rng)
    assert verify_bytes(game.log_bytes).word == "exact"
    for viewer in (None, *range(seats)):
        assert verify_bytes(project(game.log_bytes, viewer)).word == "consistent"


def _check_reversals(game: Game, before: int) -> None:
    """A reversal restores the game part of the mark exactly."""
    for step in game.since(before):
        if step.event.kind == "action-reversed":
            assert game.at(step.event.mark).game == step.state.game  # type: ignore[attr-defined]


def test_packaged_cards_are_where_they_are_looked_for() -> None:
    """Every packaged script is found by its card's name, from its own file."""
    names = CardSource().names()

    assert names
    for name in names:
        assert load_card(name).definition.name == name
    assert Path(__file__).name == "test_simulation.py"
