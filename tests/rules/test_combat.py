"""Declaring attackers and blockers: the search for a legal declaration finds what trying them all finds."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest

from cascade_es import Game
from cascade_es import decisions as de
from cascade_es.rules.combat import attacking, blocking
from cascade_es.scenarios.grammar import parse
from cascade_es.scenarios.runner import Runner, start

WORDS = {
    "attack": ("must: [attack]", "must: [attack], cant: [attack alone]", "cant: [attack alone]", ""),
    "block": ("must: [block]", "must: [block], cant: [block alone]", "cant: [block alone]", "", ""),
    "attacked": ("must: [be blocked]", "must: [be blocked by all]", "cant: [be blocked by two]", "", ""),
}
LIMITS = (
    "{on: attack, most: 1}",
    "{on: attack, against: you, most: 2}",
    "{on: attack, against: you, cant: yes}",
    '{on: attack, against: you, cost: "{1}"}',
    "{on: block, most: 2}",
)


def creature(name: str, words: str, keywords: str = "") -> str:
    """A card with restrictions and requirements."""
    said = f"\n    abilities: [{{ability: static, this: yes, changes: {{{words}}}}}]" if words else ""
    return (
        f"  - name: {name}\n    mana_cost: '{{1}}'\n    type_line: Creature — Test\n    power: 1\n"
        f"    toughness: 1\n    keywords: [{keywords}]{said}\n"
    )


def position(rng: random.Random, attackers: int, blockers: int, limits: int) -> Game:
    """A game in the declare attackers step, with creatures and limits drawn at random."""
    cards, mine, theirs, more = "cards:\n", [], [], []
    for index in range(attackers):
        words = rng.choice(WORDS["attack"]) or rng.choice(WORDS["attacked"])
        cards += creature(f"A{index}", words, rng.choice(("", "menace", "flying")))
        mine.append(f"A{index}")
    for index in range(blockers):
        cards += creature(f"B{index}", rng.choice(WORDS["block"]), rng.choice(("", "", "reach")))
        theirs.append(f"B{index}")
    for index in range(limits):
        text = f"[{{ability: static, combat: {rng.choice(LIMITS)}}}]"
        cards += f"  - {{name: L{index}, type_line: Enchantment, abilities: {text}}}\n"
        more.append(f"L{index}")
    text = (
        f"title: drawn\n{cards}players:\n  alice:\n    battlefield: [{', '.join(mine)}]\n"
        f"  bob:\n    battlefield: [{', '.join(theirs + more)}]\n  carol: {{}}\n"
        "turn: alice, declare attackers\nplay: []\n"
    )
    game = start(parse(text))
    Runner(parse(text), game).run()
    return game


@pytest.mark.cites("I10")
def test_the_search_for_attackers_finds_the_most_that_can_be_obeyed() -> None:
    """No declaration without costs that breaks no restriction obeys more requirements than the one found."""
    rng = random.Random(508)
    for _ in range(120):
        game = position(rng, rng.randint(1, 4), 1, rng.randint(0, 2))
        judge = attacking.Judge(game.board)
        able = [h for h in game.state.game.battlefield if attacking.unable(game.board, h) is None]
        most = 0
        for chosen in product((None, *judge.what), repeat=len(able)):
            whole = tuple((h, what) for h, what in zip(able, chosen, strict=True) if what is not None)
            free = not any(judge.taxed(*item) for item in whole)
            if free and judge.restricted(whole) is None:
                most = max(most, judge.obeyed(whole))
        best = judge.best()
        assert judge.obeyed(best) == most
        assert judge.judge(best) is None


@pytest.mark.cites("I11")
def test_the_search_for_blockers_finds_the_most_that_can_be_obeyed() -> None:
    """No declaration of blockers that breaks no restriction obeys more requirements than the one found."""
    rng = random.Random(509)
    tried = 0
    while tried < 80:
        game = position(rng, rng.randint(1, 3), rng.randint(1, 4), rng.randint(0, 1))
        prompt = game.prompt
        if prompt is None or prompt.kind != "attack":
            continue
        judge = attacking.Judge(game.board)
        whole = tuple((h, (1, 0)) for h in game.state.game.battlefield if game.board.name(h)[0] == "A")
        if judge.judge(whole) is not None or any(judge.taxed(*item) for item in whole):
            continue
        game.decide(0, de.Attack(tuple(de.Attacker(h, *what) for h, what in whole)))
        while (asked := game.prompt) is not None and asked.kind == "act":
            game.decide(asked.seat, de.Pass())
            if game.state.game.turn.step != "declare attackers":
                break
        tried += 1
        blocks = blocking.Judge(game.board, 1)
        most = 0
        for chosen in product((0, *blocks.attackers), repeat=len(blocks.able)):
            some = tuple((h, (a,)) for h, a in zip(blocks.able, chosen, strict=True) if a)
            if blocks.restricted(some) is None:
                most = max(most, blocks.obeyed(some))
        best = blocks.best()
        assert blocks.obeyed(best) == most
        assert blocks.judge(best) is None


def test_a_crowd_is_judged_quickly() -> None:
    """Many creatures that must attack or block take a moment to judge, not a minute."""
    cards = "cards:\n" + creature("Must", "must: [attack, block, be blocked by all]", "menace")
    text = (
        f"title: crowd\n{cards}  - {{name: L, type_line: Enchantment, abilities: "
        "[{ability: static, combat: {on: attack, most: 7}}, "
        "{ability: static, combat: {on: block, most: 9}}]}\n"
        "players:\n  alice:\n    battlefield: [Must x14, L]\n"
        "  bob:\n    battlefield: [Must x14]\n  carol: {}\n"
        "turn: alice, declare attackers\nplay:\n  - alice: attack\n    with: {"
        + ", ".join(f"'Must #{n}': bob" for n in range(1, 8))
        + "}\n  - pass\n"
    )
    game = start(parse(text))
    began = time.process_time()
    Runner(parse(text), game).run()
    prompt = game.prompt
    assert prompt is not None
    assert prompt.kind == "block"
    answer = prompt.complete()
    assert isinstance(answer, de.Block)
    assert len(answer.blockers) == 9
    assert time.process_time() - began < 30
