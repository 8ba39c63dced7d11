"""What the careless write: each mistake is one clear line, and none of them passes unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cascade_es import InputError
from cascade_es.scenarios.cardfiles import load_card
from cascade_es.scenarios.grammar import parse
from cascade_es.scenarios.runner import play

START = """
title: A careless scenario
cards:
  - name: Odd Sword
    type_line: Artifact
    abilities: [{ability: triggered, when: {event: dies}, text: {}}]
players:
  ann:
    battlefield: [Mountain x2, Runeclaw Bear, Odd Sword]
    hand: [Lightning Bolt, Forest]
  ben: {}
play:
"""


def problem(text: str) -> str | None:
    """How a scenario fails; None if it holds."""
    return play(parse(text, "x.yaml"))[1].problem


def refusal(text: str) -> str:
    """What is said of a scenario that cannot be understood."""
    with pytest.raises(InputError) as caught:
        problem(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("expect: {no events: [exiel]}", "unknown kind of event 'exiel'; did you mean 'exile'?"),
        ("expect: {events: [xyzzy]}", "unknown kind of event 'xyzzy'; 'show' prints them"),
        ("expect: {turn: 'an, upkeep'}", "unknown player 'an'; did you mean 'ann'?"),
        ("expect: {turn: 'ann, main'}", "unknown step 'main'; steps: untap, "),
        ("expect: {turn: upkeep}", 'a turn is expected as "alice, upkeep"'),
        ("refused: {rule: 305.1}", "nobody is named here; say who does what: 'alice: pass'"),
        ("refused: pass", "only what a player tries can be refused; write {alice: cast X}"),
        ("{ann: cast Lightning Bolt, targets: [benn]}", "did you mean 'ben'?"),
        ("ann: play Swamp", "name a card or player that is in the game and in sight"),
        ("ann: 'tap Mountain #5'", "there are not so many: 'Mountain #5'"),
        ("{ann: activate Mountain, part: 7}", "Mountain has no ability 7, only 1"),
        ("ann: tap Mountain #2", "'#2' is a comment to YAML here; quote it: \"tap Mountain #2\""),
    ],
)
def test_a_mistake_in_play_is_named(entry: str, says: str) -> None:
    """A word that means nothing is refused, with its place and what to write."""
    said = refusal(f"{START}  - {entry}\n")

    assert said.startswith("x.yaml:13:")
    assert says in said


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("Forest x0", "'Forest x0' is no card at all; leave it out"),
        ("2x Forest", "'2x Forest' names no card; write 'Forest x2'"),
        ("2 Forest", "'2 Forest' names no card; write 'Forest x2'"),
        ("Forest x2000", "'Forest x2000' names no card; x999 is the most"),
        ("2x Forst", "unknown card '2x Forst'; did you mean 'Forest'?"),
        ("Lightning Bolt", "Lightning Bolt is no permanent card; it cannot be on the battlefield"),
    ],
)
def test_a_card_that_cannot_be_there_is_named(card: str, says: str) -> None:
    """A number that is written otherwise, no card at all, or a spell on the battlefield is refused."""
    assert says in refusal(START.replace("Mountain x2", card) + "  - pass\n")


def test_the_number_of_a_turn_is_at_least_one() -> None:
    """A turn with the number 0 is told how a turn is written."""
    assert '"3, alice, upkeep"' in refusal(f"turn: 0, ann, upkeep\n{START.lstrip()}  - pass\n")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("ann: yes", "'yes' answers nothing now; ann is asked: priority (pass, cast, play, "),
        ("{ann: activate Odd Sword, part: 1}", "ability 1 of Odd Sword is no activated one"),
        ("{ann: attack, with: [Runeclaw Bear]}", "'attack' answers nothing now; ann is asked: priority"),
        (
            "{ann: cast Lightning Bolt, targets: [ben], insist: yes}",
            "nothing forbids it; leave 'insist: yes' out",
        ),
    ],
)
def test_what_is_not_as_it_says_fails(entry: str, says: str) -> None:
    """An answer to no question, and insisting on what is allowed, do not pass in silence."""
    assert says in str(problem(f"{START}  - {entry}\n"))


def test_a_game_that_is_over_says_who_lost() -> None:
    """Who passes on after the end is told why there is nobody to pass."""
    said = problem(f"{START}  - until: ben, draw\n  - until: ann, upkeep\n")
    assert "the game is over: ben lost (empty library)" in str(said)


def test_a_card_is_no_scenario() -> None:
    """The file of a card, given as a scenario, is named as what it is."""
    said = refusal("name: Odd\ntype_line: Artifact\n")
    assert said == "x.yaml:1:1: this is a card, no scenario; name a file with 'play:'"


def test_another_game_is_told_in_words(tmp_path: Path) -> None:
    """Where only what is under way differs from a mark, that is said."""
    said = problem(f"{START}  - mark: here\n  - ann: pass\n  - expect: {{same as: here}}\n")
    assert "different: what is under way" in str(said)


def test_a_card_without_a_type_line_is_told_so(tmp_path: Path) -> None:
    """The file of a card that lacks what every card has is named, not passed over as no card."""
    (tmp_path / "odd-bolt.yaml").write_text("name: Odd Bolt\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"odd-bolt.yaml:1:1: 'type_line' is missing"):
        load_card("Odd Bolt", folders=[tmp_path])
