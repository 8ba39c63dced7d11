"""Two games that differ only in what a viewer may not know give that viewer the same bytes.

Each test plays one public course twice, with the hidden cards of one player changed, and compares the
views of the others byte by byte.  Blanked are only commitments, salts and hash values.
"""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import astuple
from twins import skeleton

from cascade_es import DecisionError, Game, Refused, Replay, load_card, project
from cascade_es.log import parse_log
from cascade_es.scenarios import cardfiles, grammar, runner
from cascade_es.scenarios.payment import pay_automatically
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE
from cascade_es.values.state import Target

Zones = dict[str, dict[str, list[str]]]
Course = Callable[[Game], None]

CARDS = (
    "Bituminous Blast",
    "Diabolic Tutor",
    "Forest",
    "Gut Shot",
    "Into the Roil",
    "Island",
    "Kolaghan's Command",
    "Lightning Bolt",
    "Mountain",
    "Night's Whisper",
    "Plains",
    "Raise Dead",
    "Rampant Growth",
    "Runeclaw Bear",
    "Swamp",
)


def play(zones: Zones, course: Course, *, edition: str = "newest", begin: str = "precombat main") -> bytes:
    """A full log of one course; alice has priority first."""
    cards = [load_card(name) for name in CARDS]
    game = Game.new(zones, cards=cards, edition=edition, seed="one seed", step=begin)
    course(game)
    game.seal()
    return game.log_bytes


def same(one: Zones, other: Zones, course: Course, viewers: tuple[int | None, ...], **how: Any) -> None:
    """The course of both games looks the same to these viewers, though the games differ."""
    first, second = play(one, course, **how), play(other, course, **how)
    assert parse_log(first).head != parse_log(second).head
    for viewer in viewers:
        assert skeleton(project(first, viewer)) == skeleton(project(second, viewer))


# -------------------------------------------------------------------------------- the players


def held(game: Game, seat: int, name: str) -> int:
    """A card in a hand."""
    return next(handle for handle in game.state.player(seat).hand if game.board.name(handle) == name)


def there(game: Game, name: str) -> int:
    """A permanent."""
    return next(handle for handle in game.state.game.battlefield if game.board.name(handle) == name)


def cast(game: Game, seat: int, name: str, *answers: de.Answer) -> None:
    """Cast a card of the hand, announce, and pay for it."""
    game.decide(seat, de.Cast(held(game, seat, name)))
    for answer in answers:
        game.decide(seat, answer)
    pay_automatically(game)


def passes(game: Game) -> None:
    """Both players pass once."""
    for _ in range(2):
        assert game.prompt is not None
        game.decide(game.prompt.seat, de.Pass())


LANDS = ["Swamp", "Swamp", "Mountain", "Mountain", "Forest", "Island"]
PLAIN: Zones = {
    "alice": {"battlefield": LANDS, "hand": ["Island"], "library": ["Plains", "Island"]},
    "bob": {"battlefield": LANDS, "hand": ["Gut Shot", "Forest"], "library": ["Swamp", "Plains", "Island"]},
}


def changed(zones: Zones, seat: str, **lists: list[str]) -> Zones:
    """The same set-up with other cards in some zones of one player."""
    return {**zones, seat: {**zones[seat], **lists}}


# ----------------------------------------------------------------------------------- the tests


@pytest.mark.cites("196")
def test_an_opponents_draws_and_hand_do_not_show() -> None:
    """Draws, shuffles and a hand look the same whatever the cards are; so do the cards themselves."""

    def course(game: Game) -> None:
        game.decide(de.RECORDER, de.Table("draw", seat=1, amount=2))
        game.decide(de.RECORDER, de.Table("shuffle", seat=1))
        game.decide(de.RECORDER, de.Table("draw", seat=1, amount=1))

    other = changed(PLAIN, "bob", hand=["Island", "Mountain"], library=["Plains", "Forest", "Gut Shot"])
    same(PLAIN, other, course, (0, None))


@pytest.mark.cites("196")
def test_the_place_of_a_card_in_a_hand_does_not_show() -> None:
    """A card that is cast looks the same wherever in its hand it was, and whatever is beside it."""

    def course(game: Game) -> None:
        game.decide(0, de.Pass())
        game.decide(1, de.Cast(held(game, 1, "Gut Shot")))
        game.decide(1, de.Declare(0, (), ("R",)))
        game.decide(1, de.Targets((Target(0, seat=0),)))
        pay_automatically(game)
        passes(game)

    same(PLAIN, changed(PLAIN, "bob", hand=["Swamp", "Gut Shot"]), course, (0, None))


@pytest.mark.cites("196")
def test_an_attempt_tells_nothing_of_the_rest_of_a_hand() -> None:
    """A cast that is given up shows its card, and not what is left in the hand beside it."""

    def course(game: Game) -> None:
        game.decide(0, de.Pass())
        game.decide(1, de.Cast(held(game, 1, "Gut Shot")))
        game.decide(1, de.GiveUp())
        game.decide(1, de.Pass())

    same(PLAIN, changed(PLAIN, "bob", hand=["Gut Shot", "Plains"]), course, (0, None))


def test_what_came_back_does_not_tell_when_it_was_drawn() -> None:
    """A reversal shows its card under its old id; no event ties that id to a draw."""
    zones = changed(PLAIN, "bob", hand=["Forest", "Swamp"], library=["Gut Shot", "Plains"])
    game = Game.new(zones, cards=[load_card(name) for name in CARDS], seed="x", step="precombat main")
    game.decide(de.RECORDER, de.Table("draw", seat=1, amount=1))
    game.decide(0, de.Pass())
    game.decide(1, de.Cast(held(game, 1, "Gut Shot")))
    game.decide(1, de.GiveUp())
    drawn = {step.event.new for step in game if isinstance(step.event, ev.Drawn)}
    shown = {handle for step in game if isinstance(step.event, ev.Shown) for handle in step.event.objects}
    assert drawn
    assert shown
    assert set() == drawn & shown


@pytest.mark.cites("196")
def test_what_is_found_in_a_library_does_not_show_where_it_was() -> None:
    """A search and what leaves the library look the same wherever the card was, and whatever the rest is."""

    def course(game: Game) -> None:
        cast(game, 0, "Rampant Growth")
        passes(game)
        pick = next(h for h in game.state.player(0).library if game.board.name(h) == "Forest")
        game.decide(0, de.Choose((pick,)))

    one = changed(PLAIN, "alice", hand=["Rampant Growth"], library=["Forest", "Plains", "Island", "Swamp"])
    other = changed(
        PLAIN, "alice", hand=["Rampant Growth"], library=["Swamp", "Gut Shot", "Island", "Forest"]
    )
    same(one, other, course, (1, None))


@pytest.mark.cites("196")
def test_a_card_found_in_secret_stays_secret() -> None:
    """What a tutor puts into a hand unrevealed looks the same whatever it is."""

    def course(game: Game) -> None:
        cast(game, 0, "Diabolic Tutor")
        passes(game)
        wanted = next(h for h in game.state.player(0).library if game.board.name(h) != "Plains")
        game.decide(0, de.Choose((wanted,)))

    one = changed(PLAIN, "alice", hand=["Diabolic Tutor", "Swamp"], library=["Plains", "Gut Shot", "Plains"])
    other = changed(PLAIN, "alice", hand=["Diabolic Tutor", "Swamp"], library=["Island", "Plains", "Plains"])
    same(one, other, course, (1, None))


@pytest.mark.cites("196")
def test_the_order_of_a_random_bottom_does_not_show() -> None:
    """Cascade misses are a known set in an order that no player's view tells, whatever the rest of it is."""

    def course(game: Game) -> None:
        bear = there(game, "Runeclaw Bear")
        cast(game, 0, "Bituminous Blast", de.Targets((Target(0, object=bear),)))
        passes(game)
        assert game.prompt is not None
        assert "offer" == game.prompt.kind
        game.decide(0, de.Decline())

    blast = ["Bituminous Blast"]
    board = {"battlefield": ["Runeclaw Bear"], "hand": ["Island"]}
    one: Zones = {
        "alice": {
            "battlefield": LANDS,
            "hand": blast,
            "library": ["Forest", "Island", "Rampant Growth", "Swamp"],
        },
        "bob": board,
    }
    other = changed(one, "alice", library=["Forest", "Island", "Rampant Growth", "Plains"])
    same(one, other, course, (0, 1, None)[1:])
    log = parse_log(project(play(one, course), 0))
    (bottom,) = (e for _, unit in log.units for e in unit.events if isinstance(e, ev.RandomizeBottom))
    assert [False] * 4 == [fact.known for fact in (*bottom.cards, bottom.origin)]


def test_discards_are_chosen_in_secret() -> None:
    """What is noted while others still choose does not tell which card of the hand it is."""
    text = """
title: two discard
cards:
  - name: Mind Games
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [{do: discard, who: each player}]}
players:
  alice: {battlefield: [Swamp], hand: [Mind Games, HAND], library: [Swamp]}
  bob: {hand: [Forest, Island, Island], library: [Swamp]}
turn: alice, precombat main
play: []
"""

    def course(hand: str) -> tuple[bytes, Game]:
        game = runner.start(grammar.parse(text.replace("HAND", hand)))
        cast(game, 0, "Mind Games")
        passes(game)
        game.decide(0, de.Choose((held(game, 0, "Forest"),)))
        game.decide(1, de.Choose((held(game, 1, "Forest"),)))
        game.seal()
        return game.log_bytes, game

    (one, game), (other, _) = course("Forest, Island, Swamp"), course("Swamp, Mountain, Forest")
    for viewer in (1, None):
        assert skeleton(project(one, viewer)) == skeleton(project(other, viewer))
    noted = [e for step in game if isinstance(e := step.event, ev.InstructionReached) and e.bound]
    assert noted
    dead = set(game.at(len(game.units[0].events)).player(0).hand)
    assert set() == dead & {handle for event in noted for _, values in event.bound for handle in values}


def test_a_whole_hand_is_discarded_in_no_order() -> None:
    """When a whole hand goes, the order in the graveyard is not that in which the cards were drawn."""
    text = """
title: all goes
cards:
  - name: Wheel
    mana_cost: "{B}"
    type_line: Sorcery
    spell: {do: [{do: discard, who: opponent, amount: "9"}]}
players:
  alice: {battlefield: [Swamp], hand: [Wheel]}
  bob: {hand: [Forest, Island, Swamp, Mountain, Plains, Gut Shot], library: [Swamp]}
turn: alice, precombat main
play: []
"""
    game = runner.start(grammar.parse(text))
    cast(game, 0, "Wheel")
    passes(game)
    (mixed,) = (e for step in game if isinstance(e := step.event, ev.Rehandled) and e.player == 1)
    assert mixed.origin.known
    assert list(mixed.origin.value) != sorted(mixed.origin.value)


# --------------------------------------------------------------------------- reasons and refusals


def test_a_reason_names_no_hidden_card() -> None:
    """A refused attempt shows its card to all, as 602.2a does; its reason does without the name."""

    def course(game: Game) -> None:
        wrong = game.state.player(0).hand[0]
        game.decide(0, de.ActivateAbility(wrong), insist=True)

    for name in ("Swamp", "Island"):
        played = play(changed(PLAIN, "alice", hand=[name], library=["Plains"]), course)
        for viewer in (1, None):
            (*_, shown, found, undone, _, _) = (step.event for step in Replay.of(project(played, viewer)))
            assert isinstance(shown, ev.Shown)
            assert shown.cards[0].value.name == name
            assert isinstance(found, ev.IllegalityFound)
            assert name not in found.reason
            assert isinstance(undone, ev.ActionReversed)


def test_nobody_learns_of_a_hidden_card_by_asking() -> None:
    """A player who names a card of an opponent's hand, or of a library, is told nothing about it."""
    game = Game.new(PLAIN, cards=[load_card(name) for name in CARDS], seed="x", step="precombat main")
    for handle in (*game.state.player(1).hand, *game.state.player(1).library, *game.state.player(0).library):
        name = game.board.name(handle)
        for answer in (de.Cast(handle), de.PlayLand(handle), de.ActivateAbility(handle, 7)):
            for insist in (False, True):
                with pytest.raises((DecisionError, Refused)) as told:
                    game.decide(0, answer, insist=insist)
                assert name not in str(told.value)
    assert not any(step.event.kind == "illegality-found" for step in game)


@pytest.mark.cites("196")
def test_a_card_drawn_in_the_middle_of_a_cast_is_nothing_yet() -> None:
    """121.8: until the spell is cast, its drawer sees neither name nor opening, even if the hand is mixed."""
    source = cardfiles.CardSource()
    cards = [source.card(name) for name in ("Chromatic Sphere", "Lightning Bolt", "Mountain", "Forest")]
    game = Game.new(
        {
            "alice": {
                "battlefield": ["Chromatic Sphere", "Mountain"],
                "hand": ["Lightning Bolt", "Mountain"],
                "library": ["Forest"],
            },
            "bob": {},
        },
        cards=cards,
        edition="2019-10-04",
        seed="sphere",
        step="precombat main",
    )
    game.decide(0, de.Cast(held(game, 0, "Lightning Bolt")))
    game.decide(0, de.Targets((Target(0, seat=1),)))
    game.decide(0, de.ActivateAbility(there(game, "Chromatic Sphere")))
    game.decide(0, de.ActivateAbility(there(game, "Mountain")))
    unit = game.state.player(0).pool[0].id
    game.decide(0, de.Pay(-1, (unit,)))
    game.decide(0, de.Option(3))
    drawn = game.state.player(0).hand[-1]
    assert "a card" == game.board.name(drawn)
    assert 0 == game.state.object(drawn).card.audience
    middle = len(game)
    game.decide(0, de.Pay(-1, (game.state.player(0).pool[0].id,)))
    assert "Forest" in [game.board.name(handle) for handle in game.state.player(0).hand]
    game.seal()
    frame = next(step.unit for step in game if step.seq > middle)
    view = parse_log(project(game.log_bytes, 0))
    facts = [e.card for _, unit in view.units for e in unit.events if isinstance(e, ev.Drawn)]
    assert [False] == [fact.known for fact in facts]
    opened = {
        (opening.frame, opening.ordinal): number
        for number, beside in view.openings.items()
        for opening in beside.facts
    }
    assert [frame] == [opened[fact.frame, fact.ordinal] for fact in facts]


@pytest.mark.cites("196")
def test_what_was_revealed_and_hidden_again_is_a_known_set() -> None:
    """A card that came back to a hand in sight of all is known to be there, but not which one it is."""
    zones = changed(PLAIN, "alice", hand=["Raise Dead", "Island", "Plains"], graveyard=["Runeclaw Bear"])
    game = Game.new(zones, cards=[load_card(name) for name in CARDS], seed="x", step="precombat main")
    bear = game.state.player(0).graveyard[0]
    cast(game, 0, "Raise Dead", de.Targets((Target(0, object=bear),)))
    passes(game)
    game.decide(de.RECORDER, de.Table("draw", seat=0, amount=1))
    hand = game.state.player(0).hand
    assert [] == [handle for handle in hand if game.state.ledger.knowledge[handle] & 2]
    known = [g for g in game.state.ledger.groups if g.seats == EVERYONE and g.first == min(hand)]
    assert [["Runeclaw Bear"]] == [[card.name for card in group.cards] for group in known]
    assert {len(hand)} == {group.size for group in known}


@pytest.mark.cites("196")
def test_words_are_for_the_table() -> None:
    """Comments and rulings are the same bytes to the public, whatever was said; players read them."""

    def says(words: str) -> Course:
        def course(game: Game) -> None:
            game.decide(0, de.Comment(words))
            game.decide(de.RECORDER, de.Ruling(words))

        return course

    one, other = play(PLAIN, says("short")), play(PLAIN, says("something much longer"))
    assert skeleton(project(one, None)) == skeleton(project(other, None))
    assert b"much longer" in project(other, 1)


def test_the_skeleton_sees_a_difference() -> None:
    """The comparison is no formality: a player who does know sees another game."""

    def course(game: Game) -> None:
        game.decide(de.RECORDER, de.Table("draw", seat=1, amount=1))

    other = changed(PLAIN, "bob", library=["Forest", "Plains", "Island"])
    one, two = play(PLAIN, course), play(other, course)
    assert skeleton(project(one, 1)) != skeleton(project(two, 1))
    assert astuple(parse_log(one).head) != astuple(parse_log(two).head)
