"""Old formats climb a ladder: a made-up one of two rungs, and what the reader does with it."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import msgpack
import msgspec
import pytest
from strangers import Rows, packed, unpacked

from cascade_es import Replay
from cascade_es.errors import Damaged, InputError
from cascade_es.log import FORMAT, MemoryLog, file, parse_log, reading
from cascade_es.log.jsonform import to_json_lines
from cascade_es.log.upcast import DECISION, HEADER, LADDER, NEWEST, OLDEST, Ladder, Row, Rung
from cascade_es.log.wire import Decoder
from cascade_es.values.events import KINDS
from cascade_es.verify import verify_bytes

GAME = "games/bituminous-blast.yaml"

# In format 0 of this test a tapped event named one object and was called "tap", and a header had no
# settings; in format 1 a decision did not say whether it was insisted on, and "tapped" was "turned".


def many_objects(row: Row) -> Row:
    *common, single = row
    return ("turned", *common[1:], (single,))


RUNGS = (
    Rung(0, {"tap": many_objects, HEADER: lambda row: (*row, ())}),
    Rung(
        1,
        {
            "turned": lambda row: ("tapped", *row[1:]),
            DECISION: lambda row: (row[0], row[1], False, row[2]),
        },
    ),
)
TODAY = Ladder(2, RUNGS)


def aged(content: bytes, age: int) -> bytes:
    """A log of today as it would have been written in format 0, 1 or 2 of this test."""
    rows: Rows = []
    for number, (payload, beside) in enumerate(unpacked(content)):
        if number == 0:
            rows.append(([age, *(payload[1:-1] if age == 0 else payload[1:])], beside))
            continue
        said, time, events = payload
        if age < 2:
            assert said[2] is False
            said = [said[0], said[1], said[3]]
            events = [_aged(row, age) for row in events]
        rows.append(([said, time, events], beside))
    return packed(rows)


def _aged(row: list[Any], age: int) -> list[Any]:
    if row[0] != "tapped":
        return row
    if age == 1:
        return ["turned", *row[1:]]
    (single,) = row[-1]
    return ["tap", *row[1:-1], single]


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader as it will be when the made-up ladder is ours."""
    monkeypatch.setattr(reading, "Decoder", functools.partial(Decoder, ladder=TODAY))
    monkeypatch.setattr(file, "FORMAT", 2)
    monkeypatch.setattr(importlib.import_module("cascade_es.verify"), "FORMAT", 2)


@pytest.mark.cites("R147", "R148")
@pytest.mark.usefixtures("today")
@pytest.mark.parametrize("age", [0, 1, 2])
def test_old_logs_are_read_step_by_step(age: int, corpus: dict[str, bytes]) -> None:
    """A log of any older format replays to the states of today's, keeps its head, and re-executes exactly."""
    new = Replay(parse_log(aged(corpus[GAME], 2)))
    content = aged(corpus[GAME], age)
    old = Replay(parse_log(content))
    assert old.log.header.format == age
    assert old.states == new.states
    assert [unit.events for unit in old.units] == [unit.events for unit in new.units]
    assert (old.log.head == new.log.head) == (age == 2)
    verdict = verify_bytes(content)
    assert (verdict.word, verdict.sealed) == ("exact", True), verdict


@pytest.mark.usefixtures("today")
def test_the_chain_is_checked_before_anything_climbs(corpus: dict[str, bytes]) -> None:
    """Damage of an old log is damage of its stored bytes, found before any rung is asked."""
    content = aged(corpus[GAME], 0)
    for place in range(16, len(content), 97):
        changed = bytearray(content)
        changed[place] ^= 4
        with pytest.raises(Damaged) as caught:
            parse_log(bytes(changed))
        assert caught.value.kind in ("checksum", "length", "cut")


@pytest.mark.usefixtures("today")
def test_an_old_record_of_no_known_shape_is_named(corpus: dict[str, bytes]) -> None:
    """A record that its format never had, or in another encoding, stops the reading at its frame."""
    rows = unpacked(aged(corpus[GAME], 0))
    number, index = next(
        (number, index)
        for number, (payload, _) in enumerate(rows)
        if number
        for index, row in enumerate(payload[2])
        if row[0] == "tap"
    )
    for wrong in (
        ["tap"],
        [],
        ["tap", 1, 2],
        ["tapped-twice", "x", 0, True],
        ["turned", "x", 0, True, 1],
        [None],
    ):
        changed = [(msgpack.unpackb(msgpack.packb(payload)), beside) for payload, beside in rows]
        changed[number][0][2][index] = wrong
        with pytest.raises(Damaged) as caught:
            parse_log(packed(changed))
        assert (caught.value.kind, caught.value.frame) == ("payload", number)
    changed = [*rows]
    changed[number] = (msgpack.packb(rows[number][0]).replace(b"\x93", b"\xdc\x00\x03", 1), rows[number][1])
    with pytest.raises(Damaged, match="encoding"):
        parse_log(packed(changed))


@pytest.mark.usefixtures("today")
def test_old_logs_are_not_written_to(corpus: dict[str, bytes]) -> None:
    """Nobody goes on writing in an old format: an old log is forked, and has no form in JSON."""
    rows = unpacked(aged(corpus[GAME], 0))
    content = packed(rows[:-1])
    assert not parse_log(content).sealed
    with pytest.raises(InputError, match="of format 0, and we write 2; what it holds is final"):
        MemoryLog.resume(content)


def test_old_logs_have_no_json(corpus: dict[str, bytes]) -> None:
    """Only the newest format has a twin in JSON; another one is refused by name."""
    log = parse_log(corpus[GAME])
    old = msgspec.structs.replace(log, header=msgspec.structs.replace(log.header, format=FORMAT - 1))
    with pytest.raises(InputError, match="has a form in JSON"):
        list(to_json_lines(old))


def test_what_came_before_the_first_promise_is_refused(corpus: dict[str, bytes]) -> None:
    """A log older than the oldest stable format is refused in one line that says which formats are read."""
    rows = unpacked(corpus[GAME])
    rows[0][0][0] = OLDEST - 1
    with pytest.raises(InputError, match=f"format {OLDEST - 1}, .*from {OLDEST} on") as caught:
        parse_log(packed(rows), "old.ces")
    assert caught.value.where == "old.ces"


@pytest.mark.cites("R147")
def test_gaps_and_doubles_are_found_when_the_ladder_is_made() -> None:
    """A missing rung, two for one step, or one that leads nowhere stops the import, not a replay."""
    first, second = RUNGS
    for rungs, words in (
        ([second], "no rung leads from format 0 to 1"),
        ([first], "no rung leads from format 1 to 2"),
        ([first, second, first], "two rungs lead from format 0 to 1"),
        ([first, second, Rung(2, {})], "leads from format 2, but the newest is 2"),
        ([first, second, Rung(-1, {})], "leads from format -1"),
    ):
        with pytest.raises(ValueError, match=words):
            Ladder(2, rungs)


def test_rungs_are_pure_and_know_each_other() -> None:
    """A rung changes no row in place, and the next one meets the record under its new name."""
    row = ("tap", "rule", 0, True, 7)
    assert TODAY.event(0, row) == ("tapped", "rule", 0, True, (7,))
    assert TODAY.event(0, row) == TODAY.event(0, row)
    assert row == ("tap", "rule", 0, True, 7)
    assert TODAY.event(2, row) is row
    assert TODAY.event(0, ("moved", 1)) == ("moved", 1)


def test_the_ladder_of_this_version() -> None:
    """The top of our ladder is the format that we write, and no kind of event is called like a record."""
    assert (LADDER.newest, NEWEST) == (FORMAT, FORMAT)
    assert not [kind for kind in KINDS if kind.startswith("#")]
