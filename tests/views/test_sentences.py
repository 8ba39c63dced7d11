"""Every event in one clause of plain English."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_origin, get_type_hints

import msgspec
import pytest

from cascade_es.history import Step
from cascade_es.log import strip_openings
from cascade_es.replay import Replay
from cascade_es.scenarios.runner import run_file
from cascade_es.values import events as ev
from cascade_es.values.events import KINDS
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.mana import Price
from cascade_es.values.state import AbilityRef, Base, Choices, Delayed, Effect
from cascade_es.views import describe
from cascade_es.views.sentences import SENTENCES, fallback

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "games"

MADE: dict[Any, Any] = {
    int: 0,
    bool: False,
    str: "word",
    bytes: b"\0" * 32,
    Fact: NOTHING,
    Price: Price(),
    AbilityRef: AbilityRef(NOTHING, 0, 0),
    Base: Base(NOTHING, 0),
    Base | None: None,
    Choices: Choices(),
    Delayed: Delayed(1, AbilityRef(NOTHING, 0, 0), 0, 0),
    Effect: Effect(1, "alter", 0, 0, 1, ""),
}


def made_up(kind: type[ev.Event]) -> ev.Event:
    """An event of a kind with the least in it."""
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        if field.required:
            values[field.name] = () if get_origin(hint) is tuple else MADE[hint]
    return kind(**values)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_event_has_a_sentence_of_its_own(kind: str, blast: Replay) -> None:
    """A reader never meets the bare name of an event instead of what happened."""
    event = made_up(KINDS[kind])
    text = describe(blast, Step(50, 10, event, blast.at(50)))
    assert text
    assert text != fallback(event)


def test_sentences_are_made_for_known_events_only() -> None:
    """A sentence whose event is gone is noticed."""
    assert set(SENTENCES) == set(KINDS)


def test_a_cast_reads_as_players_say_it(blast: Replay) -> None:
    """The owner's seven events are told with names of players and cards."""
    first: dict[str, str] = {}
    for step in blast:
        first.setdefault(step.event.kind, describe(blast, step))
    assert first["announce"] == "alice announces Bituminous Blast from their hand"
    assert first["targets-chosen"] == "Bituminous Blast targets Runeclaw Bear"
    assert first["trigger"] == "Bituminous Blast's cascade ability triggers for alice"
    assert first["exile"] == "Forest is exiled from alice's library"
    assert first["cast-free"] == "alice chooses to cast Rampant Growth without paying its mana cost"
    assert first["randomize-bottom"] == (
        "Forest and Mountain go to the bottom of alice's library in a random order"
    )
    assert first["moved"] == "Bituminous Blast's cascade ability ceases to exist"


def test_the_reversal_says_what_why_and_what_stays(illegal: Replay) -> None:
    """Who reads a reversal learns the span, the reason, the rule and what was kept."""
    told = [describe(illegal, step) for step in illegal if step.event.kind == "action-reversed"]
    assert told == [
        "alice's action is undone, events 10 to 32: that does not pay {3}{B}{R} exactly (601.2h); "
        "nothing of it stays"
    ]


@pytest.mark.parametrize("name", ["bituminous-blast", "illegal-cast", "krosan-grip"])
def test_a_copy_without_openings_is_told_without_the_cards(name: str) -> None:
    """What is sealed to a copy does not appear in its sentences, and nothing fails for it."""
    game, _ = run_file(FOLDER / f"{name}.yaml")
    bare = Replay.of(strip_openings(game.log_bytes))
    told = [describe(bare, step) for step in bare]
    announced = told.index("player 1 announces a card from their hand")
    assert "Bituminous Blast" not in "".join(told[: announced + 1])
    assert "alice" not in "".join(told)


def test_what_a_log_holds_cannot_write_on_the_terminal(blast: Replay) -> None:
    """Control characters in a comment are escaped, so a line stays a line."""
    event = ev.Commented("table", 0, False, 0, Fact.public("red \x1b[31m\nand \u202eback"))
    text = describe(blast, Step(50, 10, event, blast.at(50)))
    assert text == 'alice says "red \\x1b[31m\\nand \\u202eback"'


def test_what_was_chosen_in_the_midst_of_a_step_is_told() -> None:
    """Who reads the log learns what a player chose, not only that they chose."""
    path = FOLDER.parent / "cases" / "replacement" / "clone-of-what-enters-with-counters.yaml"
    replay = Replay.of(run_file(path)[0].log_bytes)
    told = [describe(replay, step) for step in replay if step.event.kind == "choice-made"]
    assert told
    assert all(text.startswith("alice has chosen ") for text in told)
