"""Editions of the Comprehensive Rules: one table of dates, numbers and behaviour switches.

A game names its edition.  The rest of the package speaks of *concepts* (``"cast.targets"``) and
*switches* (``"two-stage-payment"``) and asks the edition what a concept is numbered and whether a
switch is in force; it knows no rule number and no date itself.

>>> edition("ORI").number("cast.total"), edition("FRF").number("cast.total")
('601.2f', '601.2e')
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect
from functools import cache
from typing import Final

import msgspec

from cascade_es.editions.table import CONCEPT_ROWS, EDITION_ROWS, NONE, SWITCH_ROWS
from cascade_es.errors import InputError

__all__ = ["CONCEPTS", "EDITIONS", "NEWEST", "SWITCHES", "Edition", "edition", "meaning"]

CONCEPTS: Final[tuple[str, ...]] = tuple(concept for concept, _ in CONCEPT_ROWS)
"""The names of all concepts that have a number in some edition."""

SWITCHES: Final[tuple[str, ...]] = tuple(switch for switch, _, _ in SWITCH_ROWS)
"""The names of all switches, in the order in which they came into force."""

_MEANING: Final = {switch: text for switch, _, text in SWITCH_ROWS}


class Edition(msgspec.Struct, frozen=True):
    """One edition: the rules as they stood from ``date`` until the next edition.

    ``date`` is the day it took effect (ISO), ``name`` the set or update it came out for and
    ``code`` the code of that set (empty for an update between two sets).

    >>> NEWEST.date, NEWEST.number("cast.targets"), NEWEST.has("two-stage-payment")
    ('2026-08-07', '601.2c', True)
    """

    date: str
    code: str
    name: str

    def number(self, concept: str) -> str:
        """What this edition calls ``concept``; ``"–"`` where it has no number for it (yet).

        Raises ``KeyError`` naming a concept that is in no table.

        >>> edition("ARB").number("cast.pay"), edition("ARB").number("discover")
        ('409.1h', '–')
        """
        return _numbers(self.date)[concept]

    def has(self, switch: str) -> bool:
        """Whether the behaviour behind ``switch`` is in force.

        Raises ``KeyError`` naming a switch that is in no table.

        >>> edition("MH2").has("two-stage-payment"), edition("AFR").has("two-stage-payment")
        (False, True)
        """
        return _in_force(self.date)[switch]


def _number_at(date: str, numbers: tuple[tuple[str, str], ...]) -> str:
    # ISO dates compare as text; rows ascend, so the last one that is not later counts.
    found = NONE
    for since, number in numbers:
        if since <= date:
            found = number
    return found


# Numbers are asked for again and again, so each edition's column is worked out once.
@cache
def _numbers(date: str) -> dict[str, str]:
    return {concept: _number_at(date, numbers) for concept, numbers in CONCEPT_ROWS}


@cache
def _in_force(date: str) -> dict[str, bool]:
    return {switch: since <= date for switch, since, _ in SWITCH_ROWS}


EDITIONS: Final[tuple[Edition, ...]] = tuple(Edition(*row) for row in EDITION_ROWS)
"""All editions of the table, the oldest first."""

NEWEST: Final[Edition] = EDITIONS[-1]
"""The newest edition of the table: what ``edition("newest")`` gives."""

_BY_NAME: Final[dict[str, Edition]] = {
    **{e.date: e for e in EDITIONS},
    **{e.code.lower(): e for e in EDITIONS if e.code},
    "newest": NEWEST,
}


def edition(name: str) -> Edition:
    """The edition called ``name``: an effective date, a set code (in any case) or ``newest``.

    Only exact dates of the table are accepted, so that a mistyped one never picks other rules.
    Raises ``InputError`` for any other name; it names the nearest known ones.

    >>> edition("newest") == edition("2026-08-07")
    True
    >>> edition("arb").name
    'Alara Reborn'
    >>> edition("M22")
    Traceback (most recent call last):
        ...
    cascade_es.errors.InputError: unknown edition 'M22'; did you mean MH2, M21, M20; 'newest' always works
    """
    wanted = name.strip().lower()
    found = _BY_NAME.get(wanted)
    if found is None:
        raise InputError(f"unknown edition {name!r}; {_nearest(wanted)}; 'newest' always works")
    return found


def _nearest(wanted: str) -> str:
    # For a date the editions around it help more than those that are spelled like it.
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", wanted):
        place = bisect(EDITIONS, wanted, key=lambda e: e.date)
        around = EDITIONS[max(place - 1, 0) : place + 1]
        return "the nearest by date are " + " and ".join(e.date for e in around)
    near = difflib.get_close_matches(wanted, _BY_NAME, n=3, cutoff=0.5)
    if near:
        return "did you mean " + ", ".join(key if key == "newest" else key.upper() for key in near)
    return f"known are {EDITIONS[0].date} ({EDITIONS[0].code}) to {NEWEST.date} ({NEWEST.code})"


def meaning(switch: str) -> str:
    """One clause that says what ``switch`` does; ``KeyError`` names an unknown one.

    >>> meaning("split-combined")
    'off the stack a split card has its halves combined'
    """
    return _MEANING[switch]
