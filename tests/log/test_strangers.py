"""Bytes from strangers: whatever a log says, it is read, refused or judged, and nothing else happens."""

from __future__ import annotations

import random
import struct
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strangers import mutate, opened, packed, stranger, unpacked

from cascade_es import Game, Replay, decisions, load_card, project
from cascade_es.cards import parse_definition
from cascade_es.diff import diff_logs
from cascade_es.errors import Damaged, DecisionError, InputError
from cascade_es.log import MAGIC, parse_log
from cascade_es.log.frames import MAX_OPENINGS, MAX_PAYLOAD, START, pack_frame
from cascade_es.log.jsonform import from_json_lines, to_json_lines
from cascade_es.log.wire import MAX_VALUE_DEPTH
from cascade_es.values.events import KINDS
from cascade_es.values.mana import Price
from cascade_es.verify import verify_bytes
from cascade_es.views import event_json, prompt_json, state_json, state_lines, timeline

WORDS = ("exact", "consistent", "unverified", "diverged", "damaged", "unsupported")
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=400)


def outcome(read: Callable[[], Any]) -> Any:
    """What comes of reading: a value, or one of the two refusals, with one line each."""
    refusal: Exception
    try:
        return read()
    except (InputError, Damaged) as error:
        refusal = error
    assert str(refusal)
    assert "\n" not in str(refusal)
    return None


@pytest.mark.cites("R137", "R147", "R148")
@repeatable
@given(st.randoms(use_true_random=False))
def test_any_content_is_refused_or_judged(corpus: dict[str, bytes], rng: random.Random) -> None:
    """Payloads changed in any way, behind right checksums and a right chain, never break reading."""
    content = stranger(corpus[rng.choice(list(corpus))], rng)
    verdict = outcome(lambda: verify_bytes(content))
    assert verdict is None or verdict.word in WORDS
    if verdict is not None:
        assert "\n" not in verdict.detail
        if verdict.word == "damaged":
            assert verdict.frame >= 0
    log = outcome(lambda: parse_log(content))
    if log is not None:
        assert from_json_lines(to_json_lines(log)) == content
    replay = outcome(lambda: Replay.of(content))
    if replay is not None:
        last = len(replay)
        for look in (
            lambda: list(timeline(replay, 1, last)),
            lambda: [event_json(replay, step) for step in replay],
            lambda: (state_json(replay, last), state_lines(replay, last), replay.digest()),
            lambda: prompt_json(replay, last),
            lambda: prompt_json(replay, max(last - 1, 0)),
        ):
            outcome(look)


def header_only(payload: bytes, openings: bytes = b"") -> bytes:
    return MAGIC + pack_frame(START, payload, openings)


BOMBS = {
    "an array of billions": b"\xdd\xff\xff\xff\xff",
    "text of billions": b"\xdb\xff\xff\xff\xff",
    "bytes of billions": b"\xc6\xff\xff\xff\xff",
    "a map of billions": b"\xdf\xff\xff\xff\xff",
    "an extension of billions": b"\xc9\xff\xff\xff\xff\x00",
    "arrays of many in arrays": (b"\xdd" + struct.pack(">I", MAX_PAYLOAD)) * 500 + bytes(MAX_PAYLOAD - 2500),
    "arrays in arrays": b"\x91" * 100_000 + b"\x90",
    "arrays in arrays, up to the limit": b"\x91" * (MAX_PAYLOAD - 1) + b"\x90",
    "a map with a number for a key": b"\x91\x81\x01\x02",
    "a map with text for a key": b"\x91\x81\xa1a\x02",
    "a time": b"\x91\xd6\xff\x00\x00\x00\x00",
    "not a number": b"\x91\xcb\x7f\xf8" + bytes(6),
    "nothing": b"",
    "two values": b"\x90\x90",
    "a byte that means nothing": b"\xc1",
    "text that is none": b"\x91\xa2\xff\xff",
}


@pytest.mark.cites("R137", "R139", "R140")
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_small_bombs_do_no_harm(bomb: bytes, corpus: dict[str, bytes]) -> None:
    """Announced billions, endless nesting, maps and odd types are damage at once, in little memory."""
    first, *_ = unpacked(corpus["games/illegal-cast.yaml"])
    good = msgpack.packb(first[0], use_bin_type=True)
    places = {
        "header": header_only(bomb),
        "openings": header_only(good, bomb) if bomb else header_only(b""),
        "unit": packed([(good, None), (bomb, None)]),
    }
    for where, content in places.items():
        tracemalloc.start()
        try:
            verdict = verify_bytes(content)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert verdict.word == "damaged", where
        assert verdict.frame == (1 if where == "unit" else 0)
        assert peak < 64 << 20, (where, peak)


@pytest.mark.cites("R139")
def test_values_nest_to_the_limit_and_no_deeper(corpus: dict[str, bytes]) -> None:
    """The value of a fact may nest so deep and no deeper; a deep recursion limit changes nothing."""
    rows = opened(unpacked(corpus["games/illegal-cast.yaml"]))
    for depth, good in ((MAX_VALUE_DEPTH, True), (MAX_VALUE_DEPTH + 1, False), (400, False)):
        value: Any = []
        for _ in range(depth - 1):
            value = [value]
        unit = [[0, "comment", False, [value]], None, []]
        content = packed([rows[0], (unit, None)])
        limit = sys.getrecursionlimit()
        try:
            sys.setrecursionlimit(100_000)
            assert (outcome(lambda content=content: parse_log(content)) is not None) == good, depth  # type: ignore[misc]
        finally:
            sys.setrecursionlimit(limit)


def test_lengths_beyond_the_limits_are_damage() -> None:
    """A frame that announces more than any writer writes is damage before a byte of it is taken."""
    for lengths in ((MAX_PAYLOAD + 1, 0), (0, MAX_OPENINGS + 1), (0xFFFFFFFF, 0xFFFFFFFF)):
        verdict = verify_bytes(MAGIC + struct.pack(">II", *lengths) + bytes(36))
        assert verdict.word == "damaged"
        assert "which no writer writes" in verdict.detail


@pytest.mark.cites("R147")
@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "cascade_es.values.events.Moved",
        "Moved",
        "../moved",
        "__class__",
        "moved ",
    ],
)
def test_no_class_or_path_is_taken_from_a_file(
    name: str, corpus: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinds are words of our own table: any other stops the reading with its place, and imports nothing."""
    rows = unpacked(corpus["games/illegal-cast.yaml"])
    monkeypatch.setattr("builtins.__import__", None)
    for change in ("event", "decision"):
        changed = [*rows]
        payload = msgpack.unpackb(msgpack.packb(rows[3][0]))
        if change == "event":
            payload[2][0][0] = name
        else:
            payload[0][1] = name
        changed[3] = (payload, rows[3][1])
        with pytest.raises(Damaged, match=f"unknown kind of {change}") as caught:
            parse_log(packed(changed))
        assert (caught.value.kind, caught.value.frame) == ("payload", 3)


@pytest.mark.cites("R147")
def test_definitions_are_data(corpus: dict[str, bytes]) -> None:
    """A definition from a file becomes a script of our language or is refused; nothing in it runs."""
    for content in (
        b'{"name": "X", "faces": []}',
        b'{"name": "X", "faces": [{"name": "X", "type_line": "Land", "run": "import os"}]}',
        b'{"name": "X", "faces": [{"name": "X", "type_line": "Land", "__class__": "os.system"}]}',
        b"[" * 100_000,
        b"cos\nsystem\n(S'echo'\ntR.",
        b"",
    ):
        with pytest.raises(ValueError, match="not a card definition"):
            parse_definition(content)


@pytest.mark.parametrize("field", ["generic", "snow", "life"])
def test_prices_of_any_size_have_a_short_name(field: str) -> None:
    """A price that no card asks for is written in few words, whatever the number."""
    assert len(str(msgspec.structs.replace(Price(), **{field: 1 << 62}))) < 40
    assert len(str(Price(typed=(1 << 62,) * 6))) < 200


@pytest.mark.parametrize("seat", [2, 7, -2, 1 << 31, 1 << 62, -(1 << 62)])
def test_decisions_of_seats_that_are_not_there_are_refused(seat: int) -> None:
    """A decision from a seat that nobody has is a plain error before anything is recorded, however big."""
    game = Game.new(
        {"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], step="precombat main"
    )
    before = game.log_bytes
    for answer in (decisions.Cast(1), decisions.Pass(), decisions.Comment("x"), decisions.Concede()):
        with pytest.raises(DecisionError, match=f"no player in seat {seat}"):
            game.decide(seat, answer)
    assert game.log_bytes == before


def test_players_that_are_not_there_are_damage(corpus: dict[str, bytes]) -> None:
    """An event about a seat that nobody has cannot have happened, and is named."""
    rows = unpacked(corpus["games/illegal-cast.yaml"])
    for seat in (2, -1, -2, 1 << 40):
        changed = [(msgpack.unpackb(msgpack.packb(payload)), beside) for payload, beside in rows]
        given_ = next(row for payload, _ in changed[1:] for row in payload[2] if row[0] == "priority-given")
        given_[4] = seat
        verdict = verify_bytes(packed(changed))
        assert verdict.word == "damaged"
        assert f"there is no player in seat {seat}" in verdict.detail


def test_the_same_game_in_clear_is_not_the_same_log(corpus: dict[str, bytes]) -> None:
    """A log whose secrets were put in clear is another log: intact perhaps, but not what the rules make."""
    content = packed(opened(unpacked(corpus["games/bituminous-blast.yaml"])))
    assert verify_bytes(content).word in ("diverged", "damaged")


# What has come since the first format: whatever such an event speaks of may be missing in a stranger's log.
LATER = (
    "attached",
    "attackers-chosen",
    "attackers-declared",
    "became-copy",
    "became-token",
    "blockers-chosen",
    "blockers-declared",
    "blocking-begun",
    "blocking-ended",
    "card-copied",
    "choice-asked",
    "choice-made",
    "combat-changed",
    "combat-damage-begun",
    "controller-changed",
    "copied",
    "damage-assigned",
    "delayed-created",
    "door-unlocked",
    "effect-begun",
    "effect-changed",
    "face-changed",
    "linked",
    "melded",
    "noted",
    "offer-begun",
    "parted",
    "phases-added",
    "player-counters-changed",
    "replaced",
    "retargeted",
    "special-action-begun",
    "state-digest",
    "token-created",
    "trigger",
    "turn-added",
    "word-chosen",
)


@pytest.fixture(scope="module")
def sayings(corpus: dict[str, bytes]) -> dict[str, list[str]]:
    """For each of the later kinds of events, some logs that have one."""
    found: dict[str, list[str]] = {kind: [] for kind in LATER}
    for name, content in corpus.items():
        for kind in {row[0] for payload, _ in unpacked(content)[1:] for row in payload[2]} & found.keys():
            if len(found[kind]) < 4:
                found[kind].append(name)
    return found


@pytest.mark.cites("R137", "R147")
@pytest.mark.parametrize("kind", LATER)
def test_hostile_events_are_refused_or_judged(
    kind: str, corpus: dict[str, bytes], sayings: dict[str, list[str]]
) -> None:
    """Tokens of nothing, faces out of range, huge numbers, attacks by nobody: a finding, no traceback."""
    rng = random.Random(kind)
    assert sayings[kind]
    for turn in range(24):
        content = corpus[sayings[kind][turn % len(sayings[kind])]]
        rows = unpacked(content)
        if turn % 3:
            rows = opened(rows)
        row = rng.choice([row for payload, _ in rows[1:] for row in payload[2] if row[0] == kind])
        body = row[4:]
        for _ in range(rng.choice((1, 1, 2))):
            mutate(body, rng)
        row[4:] = body
        try:
            changed = packed(rows)
        except (OverflowError, ValueError):
            continue
        judged(changed, content, rng)


def judged(changed: bytes, content: bytes, rng: random.Random) -> None:
    """Do with a stranger's log all that one does with logs."""
    assert verify_bytes(changed).word in WORDS
    outcome(lambda: project(changed, rng.choice((None, 0, 1))))
    replay = outcome(lambda: Replay.of(changed))
    if replay is None:
        return
    last = len(replay)
    middle = rng.randint(1, last)
    for look in (
        lambda: list(timeline(replay, 1, last)),
        lambda: [event_json(replay, step) for step in replay],
        lambda: (state_json(replay, last), state_lines(replay, middle), replay.digest()),
        lambda: prompt_json(replay, last),
        lambda: prompt_json(replay, middle),
        lambda: diff_logs(replay, Replay.of(content)),
        lambda: replay.fork(middle, seed="another"),
    ):
        outcome(look)


def test_abilities_that_are_each_others_source_have_a_name(corpus: dict[str, bytes]) -> None:
    """A circle of sources, which only a stranger can write, is shown and judged like any nonsense."""
    content = corpus["games/bituminous-blast.yaml"]
    rows = opened(unpacked(content))
    events = [row for payload, _ in rows[1:] for row in payload[2]]
    stacked = next(row for row in events if row[0] == "trigger-stacked")
    trigger = next(row for row in events if row[0] == "trigger")
    fields = KINDS["trigger"].__struct_fields__
    trigger[1 + fields.index("source")] = stacked[1 + KINDS["trigger-stacked"].__struct_fields__.index("new")]
    changed = packed(rows)
    judged(changed, content, random.Random(1))
    assert verify_bytes(changed).word in ("diverged", "damaged")


def test_a_prompt_that_the_rules_cannot_make_is_refused(corpus: dict[str, bytes]) -> None:
    """Whoever asks what a log waits for that asks for targets of nothing is told so in one line."""
    content = next(c for c in corpus.values() if b"choice-asked" in c and b"\xa7targets\xd9" in c)
    rows = opened(unpacked(content))
    number = next(n for n, (p, _) in enumerate(rows) if n and any(r[0] == "choice-asked" for r in p[2]))
    fields = KINDS["choice-asked"].__struct_fields__
    (asked,) = (row for row in rows[number][0][2] if row[0] == "choice-asked")
    asked[1 + fields.index("objects")] = []
    rows[number][0][2] = rows[number][0][2][: rows[number][0][2].index(asked) + 1]
    replay = Replay.of(packed(rows[: number + 1]))
    with pytest.raises(InputError, match="can make nothing of this log"):
        prompt_json(replay, len(replay))
