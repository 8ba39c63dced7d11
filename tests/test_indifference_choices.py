"""Choices among hidden cards, wherever they are made, tell others neither which nor how many there were.

As in test_indifference: one public course, played with other hidden cards, gives the others the same bytes.
"""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_indifference import cast, held, passes
from twins import skeleton

from cascade_es import Game, project
from cascade_es.log import parse_log
from cascade_es.scenarios import grammar, runner
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.verify import verify_bytes

FILTERS = {
    "CREATURE": "{is: [card], zone: hand, types: [creature], controller: you}",
    "ANY": "{is: [card], zone: hand, controller: you}",
}

SETUP = """
title: choices among hidden cards
cards:
%s
players:
  alice: {battlefield: [Swamp x2, Island x2%s], hand: [%s], library: [%s]}
  bob: {hand: [Forest, Island], library: [Swamp x2]}
turn: alice, precombat main
play: []
"""

SORCERY = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [%s]}
"""

# The same instructions, but as part of an event: there a choice is asked in the midst of a step.
INSTEAD = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [{do: draw}]}
  - name: Oracle
    type_line: Enchantment
    abilities:
      - {ability: replacement, when: {event: draw, who: you}, instead: {nothing: yes, do: [%s]}}
"""

Answering = Callable[[Game], de.Answer]


def begin(cards: str, hand: str, library: str = "Swamp, Island", there: str = "") -> Game:
    """A game with these cards of alice's."""
    return runner.start(grammar.parse(SETUP % (cards, there, hand, library)))


def finish(game: Game, *picks: str, yes: bool = True) -> None:
    """Answer all that is asked: choose the cards of these names."""
    while game.prompt is not None and game.prompt.kind != "act":
        prompt = game.prompt
        if de.Choose in prompt.answers:
            names = list(picks)
            chosen = []
            for candidate in prompt.allowed:
                (handle,) = candidate.answer.objects()
                if game.board.name(handle) in names:
                    names.remove(game.board.name(handle))
                    chosen.append(handle)
            game.decide(prompt.seat, de.Choose(tuple(chosen)))
        elif de.YesNo in prompt.answers:
            game.decide(prompt.seat, de.YesNo(yes))
        else:
            game.decide(prompt.seat, de.Decline())
    game.seal()


def alike(first: Game, second: Game) -> None:
    """Bob and the public cannot tell the games apart, and both verify."""
    one, other = first.log_bytes, second.log_bytes
    assert parse_log(one).head != parse_log(other).head
    for viewer in (1, None):
        assert skeleton(project(one, viewer)) == skeleton(project(other, viewer))
    for content in (one, other):
        assert "exact" == verify_bytes(content).word
        for viewer in (0, 1, None):
            assert "consistent" == verify_bytes(project(content, viewer)).word


def resolved(cards: str, hand: str, library: str, *picks: str) -> Game:
    """Test is cast and resolves, with these choices."""
    there = ", Oracle" if "Oracle" in cards else ""
    game = begin(cards, f"Test, {hand}", library, there)
    cast(game, 0, "Test")
    passes(game)
    finish(game, *picks)
    return game


CHOICES: dict[str, tuple[str, tuple[str, str, str], tuple[str, str, str]]] = {
    "nobody tells whether there was a creature": (
        "{do: choose, what: CREATURE, bind: it, up_to: yes}, {do: put, what: it, to: battlefield}",
        ("Runeclaw Bear, Swamp", "Swamp", ""),
        ("Island, Swamp", "Swamp", ""),
    ),
    "nor how many there were": (
        "{do: choose, what: CREATURE, bind: it}, {do: put, what: it, to: library}",
        ("Runeclaw Bear, Swamp", "Swamp", "Runeclaw Bear"),
        ("Runeclaw Bear, Goblin Piker", "Swamp", "Runeclaw Bear"),
    ),
    "nor which cards of a hand went back": (
        "{do: choose, what: ANY, count: 2, bind: it}, {do: put, what: it, to: library}",
        ("Runeclaw Bear, Swamp, Forest", "Swamp", "Runeclaw Bear,Swamp"),
        ("Island, Swamp, Goblin Piker", "Swamp", "Goblin Piker,Island"),
    ),
    "nor what a whole hand was": (
        "{do: choose, what: ANY, count: 9, bind: it}, {do: put, what: it, to: library}",
        ("Runeclaw Bear, Swamp", "Swamp", ""),
        ("Island, Goblin Piker", "Swamp", ""),
    ),
    "nor what is exiled face down": (
        "{do: choose, what: ANY, bind: it}, {do: put, what: it, to: exile, face_down: yes}",
        ("Runeclaw Bear, Swamp", "Swamp", "Runeclaw Bear"),
        ("Island, Swamp", "Swamp", "Island"),
    ),
    "nor what is put face down on the battlefield": (
        "{do: choose, what: ANY, bind: it}, {do: put, what: it, to: battlefield, face_down: yes}",
        ("Runeclaw Bear, Swamp", "Swamp", "Runeclaw Bear"),
        ("Island, Swamp", "Swamp", "Island"),
    ),
    "nor what of a library is": (
        "{do: put, what: top of you, to: battlefield, face_down: yes}",
        ("Island", "Runeclaw Bear, Swamp", ""),
        ("Island", "Forest, Swamp", ""),
    ),
    "nor what is exiled face down of a library": (
        "{do: put, what: top 2 of you, to: exile, face_down: yes}",
        ("Island", "Runeclaw Bear, Swamp, Swamp", ""),
        ("Island", "Forest, Island, Swamp", ""),
    ),
    "nor whether the top cards had a creature": (
        "{do: choose, among: top 2 of you, what: {is: [card], types: [creature]}, up_to: yes, bind: it},"
        " {do: put, what: it, to: hand}",
        ("Island", "Runeclaw Bear, Swamp", ""),
        ("Island", "Forest, Swamp", ""),
    ),
}


@pytest.mark.cites("196")
@pytest.mark.parametrize("part", [SORCERY, INSTEAD], ids=["an instruction", "part of an event"])
@pytest.mark.parametrize("name", CHOICES)
def test_what_could_be_chosen_does_not_show(name: str, part: str) -> None:
    """An effect makes a player choose among hidden cards: others learn what everybody sees, and no more."""
    do, (hand, library, picks), (other_hand, other_library, other_picks) = CHOICES[name]
    for word, script in FILTERS.items():
        do = do.replace(word, script)
    alike(
        resolved(part % do, hand, library, *picks.split(",")),
        resolved(part % do, other_hand, other_library, *other_picks.split(",")),
    )


@pytest.mark.cites("196", "608.2g")
@pytest.mark.parametrize("field", ["card", "spell"])
def test_an_offer_does_not_tell_what_could_be_cast(field: str) -> None:
    """A player who may cast a card of the hand, and does not, tells nothing of what is in it."""
    do = f"{{do: cast, from: hand, free: yes, {field}: {{types: [instant]}}}}"
    alike(
        resolved(SORCERY % do, "Shock, Swamp", "Swamp"),
        resolved(SORCERY % do, "Island, Swamp", "Swamp"),
    )


@pytest.mark.cites("196", "701.23b")
def test_a_search_that_finds_nothing_tells_nothing() -> None:
    """Whoever finds nothing need not have had nothing to find."""
    do = "{do: search, what: {is: [card], types: [creature]}}, {do: shuffle}"
    alike(
        resolved(SORCERY % do, "Island", "Runeclaw Bear, Swamp"),
        resolved(SORCERY % do, "Island", "Forest, Swamp"),
    )


SHOWING = """
  - name: Showing
    type_line: Land
    abilities:
      - ability: replacement
        when: {event: enters, this: yes}
        instead: {tapped: yes, unless: [{pay: %s, what: {is: [card], types: [creature]}}]}
"""


def landed(pay: str, hand: str, pick: str, *, yes: bool) -> Game:
    """A land is played that wants something of the hand."""
    game = begin(SHOWING % pay, f"Showing, {hand}")
    game.decide(0, de.PlayLand(held(game, 0, "Showing")))
    finish(game, pick, yes=yes)
    return game


@pytest.mark.cites("196", "614.12a")
@pytest.mark.parametrize("pay", ["reveal", "discard"])
def test_a_land_that_asks_for_a_card_tells_nothing_of_the_others(pay: str) -> None:
    """A payment as something enters shows the card with which it is paid: nothing if it is not."""
    alike(landed(pay, "Runeclaw Bear, Swamp", "", yes=False), landed(pay, "Forest, Swamp", "", yes=False))
    alike(
        landed(pay, "Runeclaw Bear, Goblin Piker", "Runeclaw Bear", yes=True),
        landed(pay, "Swamp, Runeclaw Bear", "Runeclaw Bear", yes=True),
    )


@pytest.mark.parametrize("pay", ["reveal", "discard"])
def test_a_land_that_asks_for_a_card_gets_it(pay: str) -> None:
    """The card that is chosen from the hand pays, and the land enters untapped; else nobody says yes."""
    game = landed(pay, "Runeclaw Bear, Goblin Piker, Forest", "Goblin Piker", yes=True)
    land = next(h for h in game.state.game.battlefield if game.board.name(h) == "Showing")
    assert not game.state.object(land).tapped
    seen = [e.cards for step in game if isinstance(e := step.event, ev.Shown)]
    gone = [game.board.name(handle) for handle in game.state.player(0).graveyard]
    assert ["Goblin Piker"] == (gone if pay == "discard" else [fact.value.name for (fact,) in seen])
    without = begin(SHOWING % pay, "Showing, Forest")
    without.decide(0, de.PlayLand(held(without, 0, "Showing")))
    assert without.prompt is not None
    assert [False, True] == [candidate.allowed for candidate in without.prompt.candidates]


def test_words_of_a_question_name_no_hidden_card() -> None:
    """A choice between effects is recorded without the name of the card in a hand that has one of them."""
    cards = (
        """
  - name: Shelf
    type_line: Artifact
    abilities:
      - {ability: replacement, may: yes, when: {event: discard, who: you}, instead: {to: library, place: top}}
  - name: Liege
    type_line: Creature
    power: 1
    toughness: 1
    abilities:
      - {ability: replacement, when: {event: discard, this: yes, to: [graveyard]}, instead: {to: battlefield}}
"""
        + SORCERY % "{do: discard}"
    )
    game = begin(cards, "Test, Liege, Forest", there=", Shelf")
    cast(game, 0, "Test")
    passes(game)
    game.decide(0, de.Choose((held(game, 0, "Liege"),)))
    (asked,) = (e for step in game if isinstance(e := step.event, ev.ChoiceAsked))
    assert "Liege" not in " ".join((asked.question, *asked.words))
    game.decide(0, de.Option(asked.words.index("Shelf")))
    game.seal()
    assert b"Liege" not in project(game.log_bytes, 1)
