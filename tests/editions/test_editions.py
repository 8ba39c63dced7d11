"""The table of editions: what is looked up how, and the numbers that are known for certain."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

import pytest

from cascade_es.editions import CONCEPTS, EDITIONS, NEWEST, SWITCHES, Edition, edition, meaning
from cascade_es.editions.table import CONCEPT_ROWS, EDITION_ROWS, SWITCH_ROWS
from cascade_es.errors import InputError


def test_editions_ascend() -> None:
    """Editions are real days, each later than the one before, and the last one is the newest."""
    days = [date.fromisoformat(e.date) for e in EDITIONS]
    assert days == sorted(set(days))
    assert NEWEST is EDITIONS[-1]
    assert NEWEST.date == "2026-08-07"


def test_codes_are_unique() -> None:
    """A set code names one edition only, and no two editions share a name."""
    codes = [code for _, code, _ in EDITION_ROWS if code]
    assert len(codes) == len(set(codes))
    assert len({name for _, _, name in EDITION_ROWS}) == len(EDITION_ROWS)


@pytest.mark.parametrize("each", EDITIONS, ids=lambda e: e.date)
def test_every_edition_is_found(each: Edition) -> None:
    """Each edition is found by its date and by its code in any case, with space around it."""
    assert edition(each.date) is each
    if each.code:
        assert edition(each.code) is each
        assert edition(f" {each.code.lower()} ") is each


def test_newest_is_found_by_word() -> None:
    """The word newest, in any case, gives the newest edition."""
    assert edition("newest") is NEWEST
    assert edition("Newest") is NEWEST


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("2021-04-23", "2021-04-22 and 2021-06-09"),
        ("1999-01-01", "2009-05-01"),
        ("2030-01-01", "2026-08-07"),
        ("M22", "M21"),
        ("newst", "newest"),
        ("", "2009-05-01"),
        ("Ωω!", "2026-08-07"),
    ],
)
def test_unknown_names_are_refused(name: str, hint: str) -> None:
    """A name that is not in the table is refused in one line with the nearest ones and newest."""
    with pytest.raises(InputError) as caught:
        edition(name)
    text = str(caught.value)
    assert repr(name) in text
    assert hint in text
    assert "'newest' always works" in text
    assert "\n" not in text


def test_concepts_and_switches_are_named_once() -> None:
    """No concept and no switch has two rows."""
    assert len(set(CONCEPTS)) == len(CONCEPTS) == len(CONCEPT_ROWS)
    assert len(set(SWITCHES)) == len(SWITCHES) == len(SWITCH_ROWS)


@pytest.mark.parametrize(("concept", "numbers"), CONCEPT_ROWS, ids=CONCEPTS)
def test_concept_rows_are_sound(concept: str, numbers: tuple[tuple[str, str], ...]) -> None:
    """A row's dates are real, ascend and end at the newest edition, and it numbers the newest one."""
    assert re.fullmatch(r"[a-z]+([.-][a-z]+)*", concept)
    days = [date.fromisoformat(since) for since, _ in numbers]
    assert days == sorted(set(days))
    assert days[-1] <= date.fromisoformat(NEWEST.date)
    assert NEWEST.number(concept) == numbers[-1][1]
    for _, number in numbers:
        assert re.fullmatch(r"\d{3}(\.\d+[a-z]?)?|IPG 1\.4|MTR 4\.8|–", number), number


def test_a_row_never_repeats_a_number() -> None:
    """Two entries in a row differ, so that each entry is a change, save where sections share one."""
    same = {
        concept
        for concept, numbers in CONCEPT_ROWS
        for (_, before), (_, after) in pairwise(numbers)
        if before == after
    }
    # The steps a to d kept their letter when the legality check came in behind them.
    kept = {"cast.announce", "cast.modes", "cast.costs", "cast.targets", "cast.divide"}
    assert same == kept


def test_switch_rows_are_sound() -> None:
    """Switches ascend by date, each begins with an edition of the table and says what it does."""
    days = [since for _, since, _ in SWITCH_ROWS]
    assert days == sorted(days)
    assert set(days) <= {e.date for e in EDITIONS}
    assert all(meaning(switch) for switch in SWITCHES)


@pytest.mark.parametrize(("switch", "since"), [row[:2] for row in SWITCH_ROWS], ids=SWITCHES)
def test_switches_stay_on(switch: str, since: str) -> None:
    """A switch is off in every edition before its date and on in every one from it."""
    assert [e.date for e in EDITIONS if e.has(switch)] == [e.date for e in EDITIONS if e.date >= since]


def test_unknown_concepts_and_switches_are_named() -> None:
    """Asking for a concept or switch that is in no table is a KeyError that names it."""
    with pytest.raises(KeyError, match=r"cast\.nothing"):
        NEWEST.number("cast.nothing")
    with pytest.raises(KeyError, match="no-such-switch"):
        NEWEST.has("no-such-switch")
    with pytest.raises(KeyError, match="no-such-switch"):
        meaning("no-such-switch")


STEPS = ("announce", "modes", "targets", "divide", "total", "mana", "pay", "done")


@pytest.mark.parametrize(
    ("name", "letters"), [("ARB", "abcdfghi"), ("M10", "abcdefgh"), ("FRF", "abcdefgh"), ("ORI", "abcdfghi")]
)
def test_steps_of_casting_keep_their_order(name: str, letters: str) -> None:
    """The steps of casting carry the letters of their time, always in the same order."""
    prefix = "409.1" if name == "ARB" else "601.2"
    assert [edition(name).number(f"cast.{step}") for step in STEPS] == [prefix + x for x in letters]


def test_the_legality_check_has_no_number_before_it_came() -> None:
    """The check of a proposed spell is numbered exactly where its switch is on."""
    for each in EDITIONS:
        assert (each.number("cast.check") == "601.2e") == each.has("legality-check")
        assert (each.number("cast.check") == "–") != each.has("legality-check")


@pytest.mark.parametrize(
    ("name", "concept", "number"),
    [
        ("ARB", "cascade", "502.85a"),
        ("ARB", "illegal", "422.1"),
        ("ARB", "sba.life", "–"),
        ("M10", "illegal", "714.1"),
        ("M10", "cost.additional", "116.8"),
        ("M10", "cost.alternative", "116.9"),
        ("ROE", "cascade", "702.82a"),
        ("BNG", "illegal", "717.1"),
        ("BNG", "cascade", "702.84a"),
        ("FRF", "shuffle", "701.16a"),
        ("FRF", "priority.give", "116.3a"),
        ("FRF", "cost.resources", "117.3"),
        ("FRF", "draw", "120.1"),
        ("FRF", "sba.legend", "704.5k"),
        ("FRF", "turn.untap", "502.2"),
        ("FRF", "create", "–"),
        ("2016-07-22", "illegal", "719.1"),
        ("AKH", "shuffle", "701.18a"),
        ("M19", "shuffle", "701.19a"),
        ("RNA", "priority.give", "116.3a"),
        ("M20", "priority.give", "117.3a"),
        ("ZNR", "cascade.as-you", "–"),
        ("CMR", "cascade.as-you", "702.84b"),
        ("CMR", "cascade.several", "702.84c"),
        ("ZNR", "cascade.several", "702.84b"),
        ("CMR", "shuffle", "701.20a"),
        ("2021-02-15", "cascade", "702.84a"),
        ("STX", "cascade", "702.85a"),
        ("MH2", "copy", "706.10"),
        ("AFR", "copy", "707.10"),
        ("ZNR", "resolve.cast", "608.2f"),
        ("CMR", "resolve.cast", "608.2g"),
        ("BRO", "illegal", "729.1"),
        ("MOM", "illegal", "728.1"),
        ("WHO", "discover", "–"),
        ("LCI", "discover", "701.55a"),
        ("FIN", "discover", "701.57a"),
        ("TDM", "shuffle", "701.20a"),
        ("FIN", "shuffle", "701.24a"),
        ("2026-04-17", "cast.permission-lost", "601.5"),
        ("2026-06-19", "cast.permission-lost", "601.6"),
        ("newest", "illegal.priority", "733.2"),
        ("newest", "mana.empty", "500.5"),
        ("newest", "turn.untap", "502.3"),
        ("newest", "sba.legend", "704.5j"),
        ("newest", "resolve.leave", "608.2n"),
        ("newest", "resolve.aura", "608.3c"),
        ("newest", "table", "–"),
    ],
)
def test_known_numbers(name: str, concept: str, number: str) -> None:
    """What is known of an edition's numbering comes out of the table."""
    assert edition(name).number(concept) == number


def test_actions_are_in_alphabetical_order() -> None:
    """The keyword actions of the alphabetical part of 701 are numbered by the alphabet in each edition."""
    # Their older numbers were inferred from the alphabet, so it must hold throughout.
    part = {
        "counter",
        "create",
        "destroy",
        "discard",
        "exile",
        "reveal",
        "sacrifice",
        "search",
        "shuffle",
        "tap",
    }
    actions = sorted(part)
    for each in EDITIONS:
        numbers = [int(n[4:-1]) for n in map(each.number, actions) if n != "–"]
        assert numbers == sorted(set(numbers)), each.date


def test_editions_are_values() -> None:
    """An edition is frozen and equal to another with the same fields."""
    copy = Edition(NEWEST.date, NEWEST.code, NEWEST.name)
    assert copy == NEWEST
    assert hash(copy) == hash(NEWEST)
    with pytest.raises(AttributeError):
        copy.date = "2000-01-01"  # type: ignore[misc]
