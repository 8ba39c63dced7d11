"""Logs as JSON lines: the same log again, or a refusal that names the line."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es import Game, decisions, load_card
from cascade_es.errors import InputError
from cascade_es.log import MemoryLog, Openings, Unit, definition_digest, parse_log, strip_openings
from cascade_es.log.jsonform import FORM, from_json_lines, record_json, to_json_lines, value_json
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING, CardRef, Fact

repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=150)


@functools.cache
def small_log() -> bytes:
    """A game in which one land is played."""
    game = Game.new(
        {"alice": {"hand": ["Forest", "Rampant Growth"], "library": ["Forest"] * 3}, "bob": {}},
        cards=[load_card("Forest"), load_card("Rampant Growth")],
        step="precombat main",
        seed="json",
    )
    game.decide(0, decisions.Comment("schön – gut"))
    game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    game.seal()
    return game.log_bytes


def lines() -> list[str]:
    return list(to_json_lines(parse_log(small_log())))


def test_every_fixture_returns(corpus: dict[str, bytes]) -> None:
    """The log of every scenario, with and without openings, is the same again, byte for byte."""
    assert len(corpus) > 250
    for name, content in corpus.items():
        for copy in (content, strip_openings(content)):
            assert from_json_lines(to_json_lines(parse_log(copy))) == copy, name


def test_simulated_games_return(simulated: list[bytes]) -> None:
    """The logs of games between random players are the same again, byte for byte."""
    for content in simulated:
        assert from_json_lines(to_json_lines(parse_log(content))) == content


# Anything that the value of a fact can be.
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.builds(CardRef, st.text(max_size=8), st.binary(min_size=16, max_size=16)),
    # A text with bytes is what a card is written as.
    lambda inner: st.lists(inner, max_size=4).map(tuple).filter(lambda v: [*map(type, v)] != [str, bytes]),
    max_leaves=12,
)


@repeatable
@given(values, st.text(max_size=20))
def test_every_value_returns(value: Any, text: str) -> None:
    """Whatever a fact may hold, in clear or in an opening, and whatever text, is the same again."""
    log = MemoryLog.resume(small_log_open())
    unit = Unit(
        de.RecordedDecision(0, "comment", False, Fact.public(value)),
        (ev.IllegalityFound("comment", 0, False, 0, 0, text), ev.RulingMade("comment", 0, False, NOTHING)),
        7,
    )
    log.append(unit)
    made = list(to_json_lines(parse_log(log.data)))
    assert from_json_lines(made) == log.data
    assert all(line.isascii() and "\n" not in line for line in made)


@functools.cache
def small_log_open() -> bytes:
    game = Game.new({"alice": {}, "bob": {}}, cards=[], seed="open")
    return game.log_bytes


@repeatable
@given(
    st.binary(max_size=40)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ).map(lambda value: json.dumps(value).encode())
)
def test_every_definition_returns(content: bytes) -> None:
    """A definition is in the lines as the script that it is, or as bytes where it is none of ours."""
    log = MemoryLog.resume(small_log_open())
    openings = Openings((), ((definition_digest(content), content),))
    log.append(Unit(de.RecordedDecision(0, "pass", False, NOTHING), ()), openings)
    assert from_json_lines(to_json_lines(parse_log(log.data))) == log.data


def test_deep_definitions_are_bytes() -> None:
    """A definition that nests without end is written as bytes, and no reader of it falls over."""
    content = b"[" * 50_000 + b"]" * 50_000
    log = MemoryLog.resume(small_log_open())
    openings = Openings((), ((definition_digest(content), content),))
    log.append(Unit(de.RecordedDecision(0, "pass", False, NOTHING), ()), openings)
    made = list(to_json_lines(parse_log(log.data)))
    assert '"hex": "5b5b' in made[-1]
    assert from_json_lines(made) == log.data


def test_the_form_is_what_the_page_says() -> None:
    """The lines have the documented keys in a fixed order; the last hash is the head; nothing is lost."""
    log = parse_log(small_log())
    first, *units = map(json.loads, lines())
    assert list(first) == ["form", "frame", "hash", "header", "openings"]
    assert first["form"] == FORM
    assert list(first["header"]) == list(log.header.__struct_fields__)
    assert {tuple(unit) for unit in units} == {("frame", "hash", "unit", "openings")}
    assert [unit["frame"] for unit in units] == list(range(1, len(log.frames)))
    assert units[-1]["hash"] == log.head.hash.hex()
    assert list(units[0]["unit"]) == ["decision", "events", "time"]
    land = next(event for event in units[2]["unit"]["events"] if event["kind"] == "land-played")
    assert list(land)[:4] == ["kind", "rule", "cause", "auto"]
    assert set(land["card"]) == {"frame", "ordinal", "audience", "commitment"}
    definitions = [
        item for line in (first, *units) for item in (line["openings"] or {}).get("definitions", ())
    ]
    assert {item["json"]["name"] for item in definitions} == {"Forest", "Rampant Growth"}


def test_no_field_is_called_kind() -> None:
    """An event's kind stands beside its fields, so no event may have a field of that name."""
    assert not [kind for kind, cls in ev.KINDS.items() if "kind" in cls.__struct_fields__]


def test_values_for_people_show_what_is_known() -> None:
    """With `opened` a sealed fact has its value too, which is not part of the form."""
    known = Fact(1, 0, 1, bytes(32), CardRef("Forest", bytes(16)))
    assert record_json(known, opened=True)["value"] == {"card": "Forest", "digest": "00" * 16}
    assert "value" not in record_json(known)
    assert value_json(("Forest", bytes(16))) == value_json(CardRef("Forest", bytes(16)))


@dataclasses.dataclass
class Edit:
    """A change by hand: the line it is on, what it does, and words of the refusal."""

    line: int
    words: str
    change: Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Callable[[dict[str, Any]], Any]:
    """Set what the path leads to, to its last item."""

    def change(line: dict[str, Any]) -> None:
        inside: Any = line
        for key in path[:-2]:
            inside = inside[key]
        inside[path[-2]] = path[-1]

    return change


EDITS = {
    "a value": Edit(2, "was changed", put("unit", "events", 0, "starting", 1)),
    "a hash": Edit(2, "was changed", put("hash", "00" * 32)),
    "no hash": Edit(2, "hash: bytes", put("hash", None)),
    "upper case": Edit(2, "lower hexadecimal", put("hash", "AB")),
    "half a byte": Edit(2, "hexadecimal", put("hash", "abc")),
    "another frame": Edit(3, "put the lines in order", put("frame", 7)),
    "a newer form": Edit(1, "use a newer version", put("form", FORM + 1)),
    "a newer format": Edit(1, "use a newer version", put("header", "format", 99)),
    "a form in words": Edit(1, "form: a whole number is expected", put("form", "x")),
    "a form that is a no": Edit(1, "form: a whole number is expected", put("form", False)),
    "a form before the first": Edit(
        1, "no version ever wrote form -1; give lines that 'to-json' wrote", put("form", -1)
    ),
    "a frame that is a yes": Edit(2, "frame: a whole number is expected", put("frame", True)),
    "an unknown kind": Edit(
        2, "no kind of event is called 'os.system'", put("unit", "events", 0, "kind", "os.system")
    ),
    "a kind that is a list": Edit(2, "no kind of event", put("unit", "events", 0, "kind", [])),
    "an event that is none": Edit(2, "no kind of event", put("unit", "events", 0, "x")),
    "an unknown decision": Edit(2, "unknown kind of decision", put("unit", "decision", "kind", "x")),
    "a key too many": Edit(2, "unknown key 'x'", put("unit", "events", 0, "x", 1)),
    "a key too few": Edit(2, "'starting' is missing", lambda line: line["unit"]["events"][0].pop("starting")),
    "text for a number": Edit(
        2, "starting: a whole number is expected", put("unit", "events", 0, "starting", "0")
    ),
    "yes for a number": Edit(2, "a whole number is expected", put("unit", "events", 0, "starting", True)),
    "a huge number": Edit(2, "cannot be written", put("unit", "events", 0, "starting", 1 << 80)),
    "a number for a list": Edit(2, "an array is expected", put("unit", "events", 0, "life", 5)),
    "a list for an object": Edit(2, "an object is expected", put("unit", [])),
    "half a letter": Edit(2, "cannot be written", put("unit", "events", 0, "edition", "\ud800")),
    "a fact that is none": Edit(2, "the key 'frame' is missing", put("unit", "decision", "body", {})),
    "a fact without a mark": Edit(
        2, "a sealed fact has one", put("unit", "decision", "body", "commitment", "")
    ),
    "a short mark": Edit(2, "was changed", put("unit", "decision", "body", "commitment", "00")),
    "a time in words": Edit(2, "a time is no whole number", put("unit", "time", "now")),
    "an opening of another": Edit(2, "does not fit", put("openings", "facts", 0, "value", {"hex": "00"})),
    "an opening of nothing": Edit(2, "nothing is sealed", put("openings", "facts", 0, "ordinal", 99)),
    "a big opening": Edit(2, "cannot be written", put("openings", "facts", 0, "value", 1 << 80)),
    "half a letter in an opening": Edit(
        2, "cannot be written", put("openings", "facts", 0, "value", "\ud800")
    ),
    "a value that is an object": Edit(
        2, "the key 'card' is missing", put("openings", "facts", 0, "value", {})
    ),
    "no openings": Edit(
        2, "null is expected", put("openings", {"facts": [], "definitions": [], "view": None})
    ),
    "another definition": Edit(1, "digest", put("openings", "definitions", 0, "json", "name", "Forrest")),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_hand_edited_lines_are_named(edit: Edit) -> None:
    """Whatever is changed by hand is refused in one line that names the file, the line and the trouble."""
    made = lines()
    line = json.loads(made[edit.line - 1])
    edit.change(line)
    made[edit.line - 1] = json.dumps(line)
    with pytest.raises(InputError) as caught:
        from_json_lines(made, "game.jsonl")
    assert str(caught.value).startswith(f"game.jsonl:{edit.line}: "), caught.value
    assert edit.words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON at column 2"),
        ("[" * 100_000, "nested too deep"),
        ('{"form": 0, "form": 0}', "twice"),
        ('{"form": 0.5}', "no whole number"),
        ('{"form": NaN}', "no whole number"),
        ('{"form": ' + "9" * 5000 + "}", "a number of 5000 digits; no log has that"),
        ('\ufeff{"form": 0}', "begins with a byte order mark; save it as UTF-8 without one"),
        ("null", "an object is expected"),
    ],
)
def test_lines_that_are_no_json_of_ours_are_named(text: str, words: str) -> None:
    """Text that is not JSON, or JSON that is ambiguous or endless, is refused with its line."""
    with pytest.raises(InputError, match=r"game\.jsonl:3: ") as caught:
        from_json_lines([*lines()[:2], text], "game.jsonl")
    assert words in str(caught.value)


def test_missing_and_swapped_lines_are_named() -> None:
    """A line that is missing, doubled or out of order is named; a log without its end is an open log."""
    made = lines()
    for wrong in (
        [*made[:2], *made[3:]],
        [*made[:2], made[1], *made[2:]],
        [made[0], made[2], made[1], *made[3:]],
    ):
        with pytest.raises(InputError, match=r"game.jsonl:\d: frame \d stands where frame \d belongs"):
            from_json_lines(wrong, "game.jsonl")
    with pytest.raises(InputError, match=r"game.jsonl: no line in it"):
        from_json_lines([], "game.jsonl")
    assert not parse_log(from_json_lines(made[:-1])).sealed


@repeatable
@given(st.data())
def test_any_change_of_a_character_is_refused_or_means_the_same(data: st.DataObject) -> None:
    """One character changed anywhere gives the same log or a refusal, never another log or a crash."""
    made = lines()
    number = data.draw(st.integers(0, len(made) - 1))
    place = data.draw(st.integers(0, len(made[number]) - 1))
    sign = data.draw(st.sampled_from('0129afkz{}[]",:-. é\\'))
    made[number] = made[number][:place] + sign + made[number][place + 1 :]
    try:
        content = from_json_lines(made, "x")
    except InputError:
        return
    assert content == small_log()
