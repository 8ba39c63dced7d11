"""What a writer takes, a reader takes: whoever records units of their own is told before they are written."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from cascade_es import Game, InputError
from cascade_es.game import derive
from cascade_es.log import MemoryLog, Openings, Unit, parse_log
from cascade_es.log.codec import rich, unpack
from cascade_es.values import events as ev
from cascade_es.values.decisions import Decision, Pass, RecordedDecision
from cascade_es.values.facts import MAX_VALUE_DEPTH, NOTHING, CardRef, Fact, Opening, commitment

SECRETS = derive(b"written is read")
DATA = Game.new({"alice": {}, "bob": {}}, cards=[], seed="written is read").log_bytes
FRAME = 2
CARD = CardRef("Forest", b"digest")


class Number(enum.IntEnum):
    """A whole number that is more."""

    ONE = 1


class Word(str):
    """A text that is more."""


class Pair(NamedTuple):
    """A tuple that is more."""

    first: Any
    second: Any


def nested(value: Any, depth: int) -> Any:
    """A value inside so many tuples."""
    for _ in range(depth):
        value = (value,)
    return value


def said(body: Any = NOTHING, seat: Any = 0, insist: Any = False) -> RecordedDecision:
    """A recorded decision with anything in it."""
    return RecordedDecision(seat, "pass", insist, body)


def countered(cause: Any = 7, auto: Any = True, target: Any = 12) -> ev.Event:
    """An event with anything in it."""
    return ev.Countered("resolve", cause, auto, target, 9)


def appended(unit: Any, openings: Openings = Openings()) -> None:  # noqa: B008 - it is frozen
    """Append to a log, which a reader then reads as it was meant; InputError if nothing was written."""
    log = MemoryLog.resume(DATA)
    try:
        log.append(unit, openings)
    except InputError:
        assert log.data == DATA
        raise
    assert parse_log(log.data).units[-1] == (FRAME, unit)


VALUES: tuple[Any, ...] = (
    (1 << 64) - 1,
    -(1 << 63),
    1 << 64,
    0.5,
    [1],
    {1: 2},
    Number.ONE,
    (Number.ONE,),
    Word("x"),
    Pair(1, 2),
    (Pair(1, 2),),
    "\ud800",
    ("\ud800",),
    bytearray(b"x"),
    CARD,
    ("Forest", CARD),
    (CARD, CARD),
    CardRef(Word("Forest"), b"digest"),
    CardRef("Forest", bytearray(b"digest")),  # type: ignore[arg-type]
    CardRef("\ud800", b"digest"),
    ("Forest", b"a pair that stands for a card"),
    NOTHING,
    countered(),
    True,
    *(nested(inside, depth) for inside in (0, (), CARD) for depth in (MAX_VALUE_DEPTH - 1, MAX_VALUE_DEPTH)),
    nested(0, MAX_VALUE_DEPTH + 1),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:40])
@pytest.mark.parametrize("sealed", [False, True])
def test_a_fact_that_is_written_is_read(value: Any, sealed: bool) -> None:
    """Whatever value a fact has, public or sealed: it is read as it was, or refused and not written."""
    try:
        if sealed:
            fact, opening = SECRETS.commit(FRAME, 0, value, 1)
            # Sealed facts are equal when their commitments are, so that what they say is compared here.
            assert rich(unpack(opening.content)) == value
            appended(Unit(said(fact), ()), Openings((opening,)))
        else:
            appended(Unit(said(Fact.public(value)), ()))
    except InputError:
        assert value is not CARD
        assert value is not True


@pytest.mark.parametrize(
    "unit",
    [
        Unit(said(seat=True), ()),
        Unit(said(seat=1 << 70), ()),
        Unit(said(insist=1), ()),
        Unit(said(body=(1,)), ()),
        Unit(said(body=(1, 2)), ()),
        Unit(Decision(0, Pass()), ()),  # type: ignore[arg-type]
        Unit(said(), (), 1 << 64),
        Unit(said(), [countered()]),  # type: ignore[arg-type]
        Unit(said(), (said(),)),  # type: ignore[arg-type]
        Unit(said(), (("countered", "resolve", 7, True, 12, 9),)),  # type: ignore[arg-type]
        *(Unit(said(), (countered(cause=odd),)) for odd in (True, "7", 7.0, None, (), NOTHING, 1 << 64)),
        *(Unit(said(), (countered(auto=odd),)) for odd in (1, None, "x")),
        Unit(said(), (countered(target=Pair(1, 2)),)),
        Unit(said(), (ev.StateDigest("r", 0, True, "Rm9y"),)),  # type: ignore[arg-type]
        *(
            Unit(said(Fact(*row)), ())
            for row in (
                (FRAME, 0, True, bytes(32)),
                (FRAME, 0, -2, bytes(32)),
                (FRAME, False, 1, bytes(32)),
                (FRAME, 0, 1 << 70, bytes(32)),
                (FRAME, 0, "x", bytes(32)),
                (FRAME, 0, 1, "x" * 32),
                (FRAME, 0, 1, bytes(31)),
            )
        ),
    ],
    ids=lambda unit: repr(unit)[:60],
)
def test_a_unit_with_a_wrong_field_is_not_written(unit: Any) -> None:
    """A field of another type than its own, in a decision, an event or a fact, is refused when writing."""
    with pytest.raises(InputError):
        appended(unit)


def opened(content: bytes) -> tuple[Unit, Opening]:
    """A unit with a fact that commits to any bytes, and what opens it."""
    salt = SECRETS.salt(FRAME, 0)
    mark = commitment(SECRETS.log_id, FRAME, 0, salt, content)
    return Unit(said(Fact(FRAME, 0, 1, mark)), ()), Opening(FRAME, 0, salt, content)


@pytest.mark.parametrize("content", [b"\xc1", b"\x80", b"\xcc\x01", b"\xcb" + bytes(8), b""])
def test_an_opening_of_no_value_is_not_written(content: bytes) -> None:
    """Bytes that are no value of a fact, or not in the shortest form, are refused when they are opened."""
    unit, opening = opened(content)
    with pytest.raises(InputError, match=r"opening of 2\.0"):
        appended(unit, Openings((opening,)))


@pytest.mark.parametrize(
    "change",
    [
        lambda opening: Openings((msgspec.structs.replace(opening, ordinal=False),)),
        lambda opening: Openings((msgspec.structs.replace(opening, frame="2"),)),
        lambda opening: Openings((msgspec.structs.replace(opening, salt="x" * 16),)),
        lambda opening: Openings((opening,), view=1),
        lambda opening: Openings((opening,), ((b"x", b"y"),)),
        lambda opening: Openings((opening,), (("x", "y"),)),  # type: ignore[arg-type]
    ],
)
def test_openings_of_another_shape_are_not_written(change: Callable[[Any], Openings]) -> None:
    """Openings with a field of another type, or a view beside a unit, are refused when writing."""
    unit, opening = opened(b"\x05")
    appended(unit, Openings((opening,)))
    with pytest.raises(InputError):
        appended(unit, change(opening))


@pytest.mark.parametrize(
    "changes",
    [
        {"table": True},
        {"edition": 5},
        {"edition": "\ud800"},
        {"settings": (("a", 1),)},
        {"parent": (bytes(16), True, bytes(32))},
        {"log_id": "x" * 16},
        {"behaviour": 1 << 70},
    ],
)
def test_a_header_with_a_wrong_field_is_not_written(changes: dict[str, Any]) -> None:
    """So is a header."""
    header = parse_log(DATA).header
    MemoryLog(header)
    with pytest.raises(InputError):
        MemoryLog(msgspec.structs.replace(header, **changes))
