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


# Every kind of event of format 1, and how many fields its row had beside the kind.
FORMAT_1 = (
    "rehandled 9 shuffled 7 random-order 8 seed-contributed 5 drawn 7 drew-from-empty 4 moved 13 "
    "shown 6 tapped 4 untapped 4 land-played 8 mana-added 5 mana-emptied 4 damage-dealt 8 "
    "damage-removed 4 life-changed 6 counters-changed 6 countered 5 illegality-found 6 "
    "action-reversed 7 commented 5 ruling-made 4 sealed 4 game-begun 6 placed 8 turn-begun 5 "
    "step-begun 4 step-ended 3 turn-ended 3 round-begun 4 round-ended 3 priority-given 4 "
    "priority-passed 4 game-ended 4 player-lost 5 announce 13 activate 8 choose-modes 5 "
    "costs-declared 7 targets-chosen 5 effect-divided 5 proposal-checked 4 cost-locked 6 "
    "spell-cast 5 ability-activated 5 payment-begun 8 mana-ability-activated 7 "
    "mana-ability-resolved 5 pay-cost 9 second-stage-begun 4 payment-ended 5 trigger 8 "
    "stacking-begun 3 triggers-ordered 5 trigger-stacked 5 trigger-removed 4 stacking-ended 3 "
    "resolution-begun 4 targets-judged 5 instruction-reached 6 resolution-ended 5 cascade-begun 6 "
    "exile 7 search-ended 4 cast-offered 5 cast-free 6 cast-declined 5 randomize-bottom 8 "
    "cascade-ended 4 "
)


def shapes_of_format_1() -> dict[str, int]:
    words = FORMAT_1.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def tuples(value: Any) -> Any:
    return tuple(tuples(item) for item in value) if isinstance(value, list) else value


def as_in_format_1(row: Row) -> Row:
    """An event of today as format 1 had it: without the fields that have come since."""

    def last_known(value: Any) -> Any:
        if not (isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], tuple)):
            return value
        obj, was, successor = value
        choices = obj[18] if obj[18] is None else obj[18][:14]
        return ((*obj[:18], choices), was[:10], successor)

    short = row[: 1 + shapes_of_format_1()[row[0]]]
    return tuple(last_known(item) for item in short) if row[0] in ("moved", "exile") else short


@pytest.mark.cites("R147", "R148")
def test_what_has_grown_since_format_1_has_a_rung() -> None:
    """Each kind of event of format 1 has as many fields as then, or grows on the ladder."""
    (rung,) = (LADDER._rungs[step] for step in range(1, 2))
    for kind, count in shapes_of_format_1().items():
        now = len(KINDS[kind].__struct_fields__)
        assert now >= count
        assert now == count or kind in rung.casts, kind
    # And what is within them: only last-known information holds records that have grown.
    assert {"announce", "moved", "exile", "land-played", "damage-dealt"} == set(rung.casts)


@pytest.mark.cites("R147", "R148")
@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("announce", ("", False)),
        ("moved", (False, 0)),
        ("exile", (False,)),
        ("land-played", (0, False, "battlefield")),
        ("damage-dealt", (True,)),
    ],
)
def test_an_event_that_has_grown_means_what_it_meant(kind: str, more: Row, corpus: dict[str, bytes]) -> None:
    """What format 1 said is still said, and what it could not say is as it always was then."""
    found = 0
    for content in [*corpus.values()][::4]:
        for payload, _ in unpacked(content)[1:]:
            for row in (tuples(item) for item in payload[2] if item[0] == kind):
                old = as_in_format_1(row)
                climbed = LADDER.event(1, old)
                assert len(climbed) == len(row)
                assert as_in_format_1(climbed) == old
                assert climbed[len(old) :][: len(more)] == more
                if kind == "land-played":
                    assert climbed[-1] == row[4]  # whoever played it controls it
                found += 1
    assert found


@pytest.mark.cites("R147")
@pytest.mark.parametrize("kind", ["moved", "exile"])
def test_last_known_information_of_another_size_is_refused(kind: str, corpus: dict[str, bytes]) -> None:
    """A record within an old event that its format never had is no event at all."""
    rows = (
        tuples(row)
        for content in corpus.values()
        for payload, _ in unpacked(content)[1:]
        for row in payload[2]
        if row[0] == kind
    )
    old = map(as_in_format_1, rows)
    row = next(row for row in old if any(isinstance(item, tuple) and len(item) == 3 for item in row))
    place = next(n for n, item in enumerate(row) if isinstance(item, tuple) and len(item) == 3)
    obj, was, successor = row[place]
    for wrong in ((obj[1:], was, successor), (obj, (*was, 0), successor)):
        with pytest.raises(ValueError, match="another number of fields"):
            LADDER.event(1, (*row[:place], wrong, *row[place + 1 :]))
