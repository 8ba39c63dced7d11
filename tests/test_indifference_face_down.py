"""What lies face down, and what a player tries in vain, tells others nothing of the cards.

As in test_indifference: one public course, played with other hidden cards, gives the others the same bytes.
"""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import pytest
from test_indifference import cast, held, passes
from test_indifference_choices import FILTERS, INSTEAD, SORCERY, alike, begin, finish

from cascade_es import DecisionError, Game, Refused
from cascade_es.values import decisions as de
from cascade_es.values import events as ev

TWO = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [{do: put, what: top of you, to: %s, face_down: yes}]}
  - name: Second
    mana_cost: "{B}"
    type_line: Sorcery
    spell:
      do:
        - {do: draw, amount: 2}
        - {do: transform, all: {types: [creature]}}
        - {do: gather, what: {types: [creature]}, bind: them}
        - {do: flip, what: them}
        - {do: unlock, what: them}
        - {do: create, copy: them}
        - {do: shuffle}
"""

CARDS = (
    "Akki Lavarunner // Tok-Tok, Volcano Born",
    "Curiosity",
    "Darksteel Colossus",
    "Delver of Secrets // Insectile Aberration",
    "Doubling Season",
    "Isamaru, Hound of Konda",
    "Pacifism",
    "Shock",
    "Stinkweed Imp",
    "Walking Ballista",
    "Wild Growth",
)
"""What something in the rules looks at: Auras, other faces, replacement effects, legends, counters."""


def face_down(zone: str, card: str) -> Game:
    """A card is put face down; then cards are drawn, and whatever can turn over is told to."""
    game = begin(TWO % zone, "Test, Second", f'"{card}", Swamp, Island, Swamp, Forest')
    for name in ("Test", "Second"):
        cast(game, 0, name)
        passes(game)
    finish(game)
    return game


@pytest.mark.cites("196", "708.2")
@pytest.mark.parametrize("zone", ["battlefield", "exile"])
def test_what_lies_face_down_does_not_show(zone: str) -> None:
    """Others cannot tell which card lies face down: neither an Aura, nor what has another face or effects."""
    plain = face_down(zone, "Forest")
    for card in CARDS:
        alike(face_down(zone, card), plain)


BACK = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    spell:
      do:
        - {do: put, what: top of you, to: exile, face_down: yes}
        - {do: gather, what: {is: [card], zone: exile}, bind: it}
        - {do: put, what: it, to: %s}
"""


@pytest.mark.cites("196", "406.3")
@pytest.mark.parametrize("zone", ["hand", "library"])
def test_what_lay_face_down_in_exile_goes_back_unseen(zone: str) -> None:
    """From exile, where everybody sees the rest, a face-down card goes where nobody else knows it."""

    def course(card: str) -> Game:
        game = begin(BACK % zone, "Test, Plains", f"{card}, Swamp, Forest")
        cast(game, 0, "Test")
        passes(game)
        finish(game)
        assert card in [game.board.name(handle) for handle in game.state.zone(zone, 0)]
        return game

    alike(course("Island"), course("Runeclaw Bear"))


HAND = "{do: choose, what: CREATURE, bind: it}, {do: put, what: it, to: library}"
ONE_OF = "{do: choose, what: CREATURE, count: 3, bind: it}, {do: put, what: it, to: library}"
SEARCH = "{do: search, what: {is: [card], types: [creature]}, bind: it}, {do: put, what: it, to: hand}"


def tried(part: str, do: str, hand: str, library: str, *insisted: str) -> Game:
    """Something forbidden is chosen in vain; what is allowed then is chosen."""
    game = begin(
        part % do.replace("CREATURE", FILTERS["CREATURE"]),
        f"Test, {hand}",
        library,
        ", Oracle" if part == INSTEAD else "",
    )
    cast(game, 0, "Test")
    passes(game)
    player = game.state.player(0)
    there = {game.board.name(handle): handle for handle in (*player.hand, *player.library)}
    game.decide(0, de.Choose(tuple(there[name] for name in insisted)), insist=True)
    (found,) = (step.event for step in game if isinstance(step.event, ev.IllegalityFound))
    assert not [name for name in there if name in found.reason]
    finish(game, "Runeclaw Bear")
    return game


@pytest.mark.cites("196", "733.1")
@pytest.mark.parametrize("part", [SORCERY, INSTEAD], ids=["an instruction", "part of an event"])
def test_a_choice_in_vain_names_no_card(part: str) -> None:
    """Why a card of a hand could not be chosen is said without saying which card it is."""
    alike(
        tried(part, HAND, "Runeclaw Bear, Forest", "Swamp", "Forest"),
        tried(part, HAND, "Runeclaw Bear, Island", "Swamp", "Island"),
    )


@pytest.mark.cites("196", "733.1")
def test_a_search_in_vain_names_no_card() -> None:
    """Nor is it said of a card in a library that is being searched."""
    alike(
        tried(SORCERY, SEARCH, "Island", "Swamp, Runeclaw Bear, Forest", "Forest"),
        tried(SORCERY, SEARCH, "Island", "Swamp, Runeclaw Bear, Plains", "Plains"),
    )


@pytest.mark.cites("196", "733.1")
@pytest.mark.parametrize("part", [SORCERY, INSTEAD], ids=["an instruction", "part of an event"])
def test_a_choice_of_too_few_tells_no_number(part: str) -> None:
    """That too few cards of some quality were chosen does not tell how many of them are in the hand."""

    def course(hand: str) -> Game:
        game = begin(
            part % ONE_OF.replace("CREATURE", FILTERS["CREATURE"]),
            f"Test, {hand}",
            "Swamp",
            ", Oracle" if part == INSTEAD else "",
        )
        cast(game, 0, "Test")
        passes(game)
        game.decide(0, de.Choose((held(game, 0, "Runeclaw Bear"),)), insist=True)
        game.decide(0, de.Concede())
        game.seal()
        return game

    alike(course("Runeclaw Bear, Goblin Piker, Swamp"), course("Runeclaw Bear, Goblin Piker, Goblin Piker"))


PRICE = """
  - name: Test
    mana_cost: "{B}"
    type_line: Sorcery
    additional_costs: [{cost: [{pay: life, amount: 1}]}]
    spell: {do: [{do: draw}]}
  - name: Oracle
    type_line: Enchantment
    abilities:
      - ability: replacement
        when: {event: lose life, who: you}
        instead: {nothing: yes, do: [{do: put, what: top of you, to: %s, face_down: yes}]}
"""


@pytest.mark.cites("196", "733.1")
@pytest.mark.parametrize("zone", ["battlefield", "exile"])
def test_what_lay_face_down_in_an_attempt_is_not_shown(zone: str) -> None:
    """A reversal shows the cards that all have seen, and not one that came face down, and goes back."""

    def course(card: str) -> Game:
        game = begin(PRICE % zone, "Test, Island", f"{card}, Swamp, Swamp", ", Oracle")
        game.decide(0, de.Cast(held(game, 0, "Test")))
        game.decide(0, de.Pay(0))  # now no mana can be made any more: the cast is reversed
        assert [] == [*game.state.game.stack]
        game.seal()
        return game

    alike(course("Forest"), course("Runeclaw Bear"))


LOOK = (
    "{do: choose, among: top 3 of you, what: {is: [card], types: [creature]}, up_to: yes, bind: it},"
    " {do: put, what: it, to: hand}, {do: choose, among: top 2 of you, bind: rest},"
    " {do: put, what: rest, to: library, bottom: yes}"
)


def looked(library: str, *picks: str) -> Game:
    """Cards from the top of a library are chosen."""
    game = begin(SORCERY % LOOK, "Test, Island", library)
    cast(game, 0, "Test")
    passes(game)
    finish(game, *picks)
    return game


@pytest.mark.cites("196", "701.20e")
def test_whoever_chooses_among_top_cards_looks_at_them() -> None:
    """Before a choice among the top cards of a library the chooser sees them, so that it can be made."""
    first = looked("Runeclaw Bear, Swamp, Island, Forest", "Runeclaw Bear", "Island")
    shown = [e for step in first if isinstance(e := step.event, ev.Shown)]
    assert [(1, 3)] == [(e.to, len(e.objects)) for e in shown]
    hand = {first.board.name(handle) for handle in first.state.player(0).hand}
    assert {"Island", "Runeclaw Bear"} == hand
    assert "Island" == first.board.name(first.state.player(0).library[-1])
    alike(first, looked("Goblin Piker, Forest, Plains, Forest", "Goblin Piker", "Plains"))


def test_nobody_is_offered_what_they_cannot_name() -> None:
    """What a choice among top cards offers can be chosen."""
    game = begin(SORCERY % LOOK, "Test, Island", "Runeclaw Bear, Swamp, Goblin Piker, Forest")
    cast(game, 0, "Test")
    passes(game)
    assert game.prompt is not None
    for candidate in game.prompt.allowed:
        try:
            game.fork(len(game)).decide(0, candidate.answer)
        except (DecisionError, Refused) as error:
            pytest.fail(str(error))


MIXED = (
    "{do: choose, what: {any: [{is: [card], zone: hand, controller: you}, {types: [land], controller: you}]},"
    " count: 2, bind: it}, {do: put, what: it, to: library}"
)


@pytest.mark.cites("196")
def test_a_choice_among_permanents_and_a_hand_tells_no_place() -> None:
    """A card of a hand that is chosen together with a permanent is noted under a fresh id."""

    def course(hand: str) -> Game:
        game = begin(SORCERY % MIXED, f"Test, {hand}", "Swamp")
        cast(game, 0, "Test")
        passes(game)
        game.decide(0, de.Choose((game.state.game.battlefield[0], held(game, 0, "Runeclaw Bear"))))
        finish(game)
        return game

    alike(course("Runeclaw Bear, Forest"), course("Forest, Runeclaw Bear"))
