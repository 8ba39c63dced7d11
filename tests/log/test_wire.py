"""Payloads: what is written is read back, and nothing else is."""

from __future__ import annotations

import struct
import typing
from typing import Any

import msgpack
import msgpack.fallback
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es.errors import Damaged, InputError
from cascade_es.log.frames import START, RawFrame
from cascade_es.log.wire import (
    FORMAT,
    MAX_VALUE_DEPTH,
    NO_OPENINGS,
    Decoder,
    Encoder,
    Header,
    Openings,
    SeatHeader,
    Unit,
    definition_digest,
)
from cascade_es.values import events as ev
from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.facts import NOTHING, CardRef, Fact, Opening, Secrets, commitment
from cascade_es.values.mana import Price
from cascade_es.values.mana import Unit as Mana
from cascade_es.values.state import AbilityRef, Characteristics, Choices, LastKnown, Obj, Part, Target

SECRETS = Secrets(b"0123456789abcdef", b"seed", b"key")
FOREST = CardRef("Forest", bytes(16))
PASS = RecordedDecision(0, "pass", False, NOTHING)

# The same examples in every run, however slow the machine.
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=150)


def seal(frame: int, ordinal: int, value: Any = FOREST, audience: int = 1) -> Fact:
    return SECRETS.seal(frame, ordinal, value, audience)


def a_header(**changes: Any) -> Header:
    header = Header(
        FORMAT,
        1,
        1,
        "2026-08-07",
        SECRETS.log_id,
        (bytes(16), 7, bytes(32)),
        (SeatHeader(seal(0, 0, "Ann"), 60, seal(0, 1, (FOREST,))),),
        seal(0, 2, b"seed", 0),
        seal(0, 3, b"key", 0),
        (("pay", "automatic"),),
    )
    return msgspec.structs.replace(header, **changes)


def framed(number: int, payload: bytes, openings: bytes = b"") -> RawFrame:
    return RawFrame(number, 100 * number, payload, openings, START, START)


def begun(openings: Openings = NO_OPENINGS) -> Decoder:
    """A decoder that has read the header."""
    encoder = Encoder()
    decoder = Decoder()
    decoder.header(framed(0, encoder.header(a_header())[0], encoder.openings(openings)))
    return decoder


def read(payload: bytes, openings: bytes = b"") -> Unit:
    """The unit in these bytes, as the first after the header."""
    return begun().unit(framed(1, payload, openings))


def damage(payload: bytes, openings: bytes = b"") -> str:
    with pytest.raises(Damaged) as caught:
        read(payload, openings)
    assert (caught.value.frame, caught.value.offset) == (1, 100)
    return caught.value.kind


def written(unit: Unit) -> bytes:
    return Encoder().unit(unit)[0]


def pack(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


def of(*events: ev.Event, said: RecordedDecision = PASS) -> Unit:
    return Unit(said, events)


def last_known(card: Fact) -> LastKnown:
    ability = AbilityRef(card, 0, 1, "cascade")
    choices = Choices(targets=(Target(0, 5),), spent=(Mana(1, "G", 7, 3),), cast=True)
    thing = Obj(9, "spell", "stack", 0, 1, card, counters=(("+1/+1", 2),), ability=ability, choices=choices)
    return LastKnown(thing, Characteristics("Forest", None, power=0), 12)


SEALED = seal(1, 0)
MANY = (
    ev.GameBegun("game", 0, True, (20, 20), 0, "2026-08-07"),
    ev.Placed("game", 1, True, 0, "library", 1, (SEALED, Fact.public(FOREST)), (False, True)),
    ev.TargetsChosen("cast.targets", 2, False, 9, (Target(0, 5), Target(1, seat=1))),
    ev.CostLocked("cast.cost", 2, True, 9, Price(2, (0, 0, 1, 1, 0, 0)), (Part("discard", 1, (0, 2)),)),
    ev.PayCost("pay", 3, False, 0, -1, "mana", (Mana(1, "G", 7, 3, True, ("x",)),)),
    ev.Trigger("trigger", 4, True, 1, 9, AbilityRef(SEALED, 0, 1), 0, (5, -1)),
    ev.InstructionReached("resolve", 5, True, 9, (0, 1), (("it", (5, 6)), ("none", ()))),
    ev.Exile("exile", 6, True, 9, 10, seal(1, 1), last_known(SEALED)),
    ev.RandomizeBottom(
        "cascade.bottom", 7, True, 0, (4, 5), 20, (seal(1, 2), seal(1, 3)), seal(1, 4, (5, 4))
    ),
    ev.Rehandled("search", 8, True, 0, "library", 30, (), NOTHING),
    ev.Commented("comment", 9, False, 1, seal(1, 5, "ach so – 中")),
    ev.SealedEnd("seal", 10, True, bytes(32)),
)


def test_units_return() -> None:
    """A unit of events of many kinds is read back as it was, with its decision and its time."""
    unit = Unit(PASS, MANY, 1_700_000_000_000)
    assert read(written(unit)) == unit


def specimen(kind: Any) -> Any:
    """A value of this type with something in every field."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind is Mana:
            return Mana(1, "G", 7, 3, True, ("only",), ("rider",))
        return kind(*(specimen(field.type) for field in msgspec.structs.fields(kind)))
    if typing.get_origin(kind) is tuple:
        inner = typing.get_args(kind)
        return (specimen(inner[0]),) * 2 if inner[-1] is ... else tuple(map(specimen, inner))
    if typing.get_args(kind):  # or None
        return specimen(typing.get_args(kind)[0])
    return {int: 3, str: "text", bool: True, bytes: b"12", Fact: Fact.public((1, "x"))}[kind]


@pytest.mark.parametrize("kind", ev.KINDS)
def test_every_kind_returns(kind: str) -> None:
    """Every kind of event is read back with all its fields, and one field less or more is damage."""
    unit = of(specimen(ev.KINDS[kind]))
    assert read(written(unit)) == unit
    said, time, (row,) = msgpack.unpackb(written(unit))
    for other in (row[:-1], [*row, 0]):
        assert damage(pack([said, time, [other]])) in ("encoding", "payload")


def test_headers_return() -> None:
    """A header is read back as it was, and its facts are listed by ordinal."""
    header = a_header()
    assert begun().places.log_id == header.log_id
    assert Decoder().header(framed(0, Encoder().header(header)[0])) == header
    assert [fact.ordinal for fact in header.facts] == [0, 1, 2, 3]
    forkless = a_header(parent=None, settings=())
    assert Decoder().header(framed(0, Encoder().header(forkless)[0])) == forkless


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
numbers = st.integers(-(2**63), 2**64 - 1)
scalars = st.none() | st.booleans() | numbers | texts | st.binary(max_size=20)
cards = st.builds(CardRef, texts, st.binary(min_size=16, max_size=16))
values = st.recursive(scalars | cards, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=12)


def is_pair(value: Any) -> bool:
    """Whether there is a pair of text and bytes in it, which stands for a card."""
    if not isinstance(value, tuple):
        return False
    pair = len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], bytes)
    return pair or any(is_pair(item) for item in value)


facts_in_clear = values.filter(lambda value: not is_pair(value)).map(Fact.public)


@repeatable
@given(facts_in_clear, numbers, texts, st.booleans(), st.none() | numbers)
def test_any_value_returns(body: Fact, number: int, text: str, flag: bool, time: int | None) -> None:
    """Whatever values facts, numbers, texts and times have, they are read back, of the same types."""
    said = RecordedDecision(number, "cast", flag, body)
    unit = Unit(said, (ev.LifeChanged(text, number, flag, number, number, number),), time)
    back = read(written(unit))
    assert back == unit
    assert repr(back) == repr(unit)


@repeatable
@given(st.binary(max_size=60))
def test_noise_is_damage(noise: bytes) -> None:
    """Bytes at random are damage, as a payload and as openings."""
    assert damage(noise) == "payload"
    if noise:
        assert damage(written(of()), noise) in ("payload", "encoding", "opening", "definition")


@repeatable
@given(st.integers(0, 10**6), st.integers(0, 255))
def test_changed_bytes_are_damage_or_other_values(place: int, byte: int) -> None:
    """Whatever is read is written again as the very same bytes, so no two payloads mean the same."""
    payload = written(of(*MANY))
    place %= len(payload)
    changed = payload[:place] + bytes([byte]) + payload[place + 1 :]
    try:
        unit = read(changed)
    except Damaged:
        assert changed != payload
    else:
        assert written(unit) == changed


# ------------------------------------------------------------------------------------- openings


def test_openings_give_values() -> None:
    """A sealed fact has its value if its opening stands beside it, and none if it does not."""
    unit = of(ev.Drawn("draw", 1, True, 0, 1, 2, seal(1, 0)), ev.Drawn("draw", 1, True, 0, 3, 4, seal(1, 1)))
    beside = Encoder().openings(Openings((SECRETS.opening(seal(1, 1)),)))
    first, second = (
        event.card for event in read(written(unit), beside).events if isinstance(event, ev.Drawn)
    )
    assert not first.known
    assert second.value == FOREST


def test_later_openings_serve_later_frames() -> None:
    """An opening of an earlier fact gives its value from its own frame on, and changes no earlier unit."""
    encoder, decoder, fact = Encoder(), begun(), seal(1, 0)
    early = decoder.unit(framed(1, written(of(ev.Drawn("draw", 1, True, 0, 1, 2, fact)))))
    show = written(of(ev.Shown("show", 2, True, 3, (2,), (fact,))))
    late = decoder.unit(framed(2, show, encoder.openings(Openings((SECRETS.opening(fact),)))))
    later = decoder.unit(framed(3, show))
    known = [unit.events[0].cards[0].value for unit in (late, later) if isinstance(unit.events[0], ev.Shown)]
    assert known == [FOREST, FOREST]
    assert isinstance(early.events[0], ev.Drawn)
    assert not early.events[0].card.known


FITTING = SECRETS.opening(seal(1, 0))


@pytest.mark.parametrize(
    "openings",
    [
        (Opening(1, 0, FITTING.salt, b"\xc0"),),
        (Opening(1, 0, bytes(16), FITTING.content),),
        (Opening(1, 0, FITTING.salt + FITTING.content[:1], FITTING.content[1:]),),
        (Opening(1, 1, FITTING.salt, FITTING.content),),
        (Opening(2, 0, FITTING.salt, FITTING.content),),
        (Opening(-1, 0, FITTING.salt, FITTING.content),),
        (FITTING, FITTING),
    ],
    ids=["value", "salt", "border", "ordinal", "frame", "negative", "twice"],
)
def test_wrong_openings_are_damage(openings: tuple[Opening, ...]) -> None:
    """An opening that does not fit its commitment, opens nothing, or is repeated is damage."""
    payload = written(of(ev.Drawn("draw", 1, True, 0, 1, 2, seal(1, 0))))
    assert damage(payload, Encoder().openings(Openings(openings))) == "opening"


@pytest.mark.parametrize(
    "content",
    [b"\xcc\x05", b"\x81\xa1a\x01", b"\xcb" + bytes(8), b"\xd4\x01a", b"\xd6\xff" + bytes(4), b"\x91" * 900],
    ids=["longer", "map", "float", "extension", "timestamp", "deep"],
)
def test_committed_bytes_must_be_a_value(content: bytes) -> None:
    """A commitment to bytes that are no value, or not in the shortest form, is damage when it is opened."""
    mark = commitment(SECRETS.log_id, 1, 0, bytes(16), content)
    payload = written(of(ev.Drawn("draw", 1, True, 0, 1, 2, Fact(1, 0, 1, mark))))
    assert damage(payload, Encoder().openings(Openings((Opening(1, 0, bytes(16), content),)))) == "opening"


def test_definitions_are_kept_by_digest() -> None:
    """A definition is kept from its frame on; one that is not what its digest says is damage."""
    text = b"what a Forest does"
    decoder = begun(Openings((), ((definition_digest(text), text),)))
    assert decoder.definitions == {definition_digest(text): text}
    assert damage(written(of()), Encoder().openings(Openings((), ((bytes(16), text),)))) == "definition"


def test_openings_have_one_encoding() -> None:
    """Openings with fields left out, added, or written otherwise are damage."""
    others: tuple[Any, ...] = ([], [[]], [[], []], [[], [], []], [[[1, 0, "", b""]], []])
    for other in others:
        assert damage(written(of()), pack(other)) in ("encoding", "payload")


# ------------------------------------------------------------------------------------- ordinals


@pytest.mark.parametrize(
    "facts",
    [
        (seal(1, 1),),
        (seal(1, 0), seal(1, 2)),
        (seal(1, 1), seal(1, 0)),
        (seal(2, 0),),
        (seal(0, 9),),
        (seal(0, 0, "Bob"),),
        (seal(1, 0), seal(1, 0, "another")),
    ],
    ids=["not from 0", "a gap", "out of order", "later frame", "never sealed", "other value", "two at once"],
)
def test_ordinals_follow_appearance(facts: tuple[Fact, ...]) -> None:
    """Facts sealed in a frame are numbered as they appear, and others repeat what was committed."""
    assert damage(written(of(ev.Shown("show", 1, True, 3, (), facts)))) == "ordinal"


def test_ordinals_begin_in_the_decision() -> None:
    """The decision's body comes first; a fact of this frame or an earlier one may appear again."""
    said = RecordedDecision(0, "cast", False, seal(1, 0, (5,)))
    again = (seal(1, 1), seal(1, 0, (5,)), seal(0, 0, "Ann"), seal(1, 1))
    unit = of(ev.Shown("show", 1, True, 3, (), again), said=said)
    assert read(written(unit)) == unit


# ------------------------------------------------------------------------------------ one encoding


ROW = ["r", 1, False]
SAID = [0, "pass", False, [[]]]


@pytest.mark.parametrize(
    ("unit", "kind"),
    [
        ([SAID, None, [["drew-from-empty", *ROW, 0]]], None),
        ([SAID, None, [["drew-from-empty", *ROW, 0, 0]]], "encoding"),
        ([SAID, None, [["drew-from-empty", *ROW]]], "payload"),
        ([SAID, None, [["targets-chosen", *ROW, 1, [[0, 5, -1]]]]], None),
        ([SAID, None, [["targets-chosen", *ROW, 1, [[0, 5]]]]], "encoding"),
        ([SAID, None, [["targets-chosen", *ROW, 1, [[0, 5, -1, 0]]]]], "encoding"),
        ([SAID, None, [["commented", *ROW, 0]]], "encoding"),
        ([SAID, None, [["sealed", *ROW, "AAAA"]]], "encoding"),
        ([SAID, None, [["drew-from-empty", *ROW, True]]], "payload"),
        ([SAID, None, [["drew-from-empty", *ROW, 0.0]]], "payload"),
        ([SAID, None, [["drew-from-empty", *ROW, {}]]], "payload"),
        ([SAID, None, [["mana-added", *ROW, 0, [[1, "Q", 0, 0, False, [], []]]]]], "payload"),
        ([SAID, None, [["os.system", *ROW]]], "payload"),
        ([SAID, None, [[]]], "payload"),
        ([SAID, None, [7]], "payload"),
        ([SAID, None, {}], "payload"),
        ([SAID, True, []], "payload"),
        ([SAID, None], "payload"),
        ([SAID, None, [], []], "payload"),
        ([[*SAID, 0], None, []], "encoding"),
        ([SAID[:3], None, []], "payload"),
        ([[0, "no such", False, [[]]], None, []], "payload"),
        ([[0, "pass", False, []], None, []], "payload"),
        ([[0, "pass", False, [0.5]], None, []], "payload"),
        ([[0, "pass", False, [[{}]]], None, []], "payload"),
        ([[0, "pass", False, [1, 0, 1, bytes(31)]], None, []], "payload"),
        ([[0, "pass", False, [-1, 0, 1, bytes(32)]], None, []], "payload"),
        ([[0, "pass", False, [1, 0, True, bytes(32)]], None, []], "payload"),
        (7, "payload"),
    ],
)
def test_shapes(unit: Any, kind: str | None) -> None:
    """A unit has exactly its fields, of exactly their types, all written out."""
    if kind is None:
        read(pack(unit))
    else:
        assert damage(pack(unit)) == kind


def test_non_minimal_numbers_are_refused() -> None:
    """A number, text or array in a longer form than needed is damage, wherever it stands."""
    good = pack([[5, "pass", False, [[5]]], 5, [["drew-from-empty", "r", 5, False, 5]]])
    read(good)
    for at, byte in enumerate(good):
        longer = {0x05: b"\xcc\x05", 0xA1: b"\xd9\x01", 0x91: b"\xdc\x00\x01"}.get(byte)
        if longer is not None:
            assert damage(good[:at] + longer + good[at + 1 :]) == "encoding"


@pytest.mark.cites("R140")
def test_what_cannot_be_read_is_not_written() -> None:
    """Maps, floats, depth, lone surrogates and huge numbers are refused when writing, not when reading."""
    deep: Any = 0
    for _ in range(MAX_VALUE_DEPTH + 1):
        deep = (deep,)
    for value in ({1: 2}, {"a": 1}, (1, {2: 3}), 0.5, [1], {1}, deep, "\ud800", 2**64):
        with pytest.raises(InputError):
            written(of(said=RecordedDecision(0, "cast", False, Fact.public(value))))
    for unit in (
        of(said=RecordedDecision(0, "no such kind", False, NOTHING)),
        of(ev.DrewFromEmpty("r", 1, False, object())),  # type: ignore[arg-type]
        Unit(PASS, (), 0.5),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError):
            written(unit)
    assert read(written(of(said=RecordedDecision(0, "cast", False, Fact.public(deep[0])))))


def test_an_encoder_survives_what_it_refused() -> None:
    """After a value that cannot be written, the next unit is written as if nothing had been."""
    encoder = Encoder()
    bad = of(ev.Shown("show", 1, True, 3, (), (SEALED, Fact.public("\ud800"))))
    with pytest.raises(InputError):
        encoder.unit(bad)
    assert encoder.unit(of(*MANY)) == Encoder().unit(of(*MANY))


# -------------------------------------------------------------------------------- hostile input


@pytest.mark.cites("R137")
@pytest.mark.parametrize(
    "head",
    [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff"],
    ids=["array", "map", "text", "bytes"],
)
def test_announced_lengths_are_not_believed(head: bytes) -> None:
    """A few bytes that announce billions of items are damage at once."""
    assert damage(head) == "payload"
    assert damage(b"\x93" + head) == "payload"
    assert damage(written(of()), head) == "payload"
    assert damage(pack([[0, "pass", False, []], None, []])[:-4] + head) == "payload"


@pytest.mark.cites("R139")
@pytest.mark.parametrize("pure", [False, True], ids=["C", "pure Python"])
@pytest.mark.parametrize("depth", [MAX_VALUE_DEPTH, 33, 400, 100_000])
def test_deep_nesting_is_damage(depth: int, pure: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays nested deeper than allowed are damage wherever they stand, with either decoder."""
    deep = b"\x91" * depth + b"\x90"
    decoder = begun()
    if pure:
        monkeypatch.setattr(msgpack, "unpackb", msgpack.fallback.unpackb)
    marker = pack("here")
    places: tuple[Any, ...] = (
        "here",
        ["here", None, []],
        [[0, "pass", False, ["here"]], None, []],
        [SAID, "here", []],
        [SAID, None, "here"],
        [SAID, None, [["tapped", *ROW, "here"]]],
        [SAID, None, [["commented", *ROW, 0, ["here"]]]],
    )
    for place in places:
        with pytest.raises(Damaged) as caught:
            decoder.unit(framed(1, pack(place).replace(marker, deep)))
        assert caught.value.kind == "payload"


@pytest.mark.parametrize(
    "foreign",
    [b"\x81\xa1a\x01", b"\xd4\x01a", b"\xd6\xff" + bytes(4), b"\xcb" + struct.pack(">d", 1.0), b"\xc1"],
    ids=["map", "extension", "timestamp", "float", "never used"],
)
def test_foreign_types_are_damage(foreign: bytes) -> None:
    """Maps, extensions, timestamps and floats are damage wherever they stand."""
    marker = pack("here")
    for place in (
        "here",
        [SAID, "here", []],
        [[0, "pass", False, ["here"]], None, []],
        [SAID, None, [["here", *ROW]]],
        [SAID, None, [["commented", *ROW, 0, [["here"]]]]],
    ):
        assert damage(pack(place).replace(marker, foreign)) == "payload"


# --------------------------------------------------------------------------------------- headers


def test_newer_formats_are_refused() -> None:
    """A log of a newer format is refused with both numbers, whatever else stands in its header."""
    with pytest.raises(InputError, match=r"^g\.log: written in format 9, this version reads up to 2;"):
        Decoder().header(framed(0, pack([9, "what", None])), "g.log")


@pytest.mark.parametrize(
    "changes",
    [
        {"format": -1},
        {"log_id": bytes(15)},
        {"parent": (bytes(15), 0, bytes(32))},
        {"parent": (bytes(16), -1, bytes(32))},
        {"parent": (bytes(16), 0, bytes(31))},
        {"seats": (SeatHeader(seal(0, 0), -1, seal(0, 1)),)},
        {"seed": NOTHING},
        {"seed": seal(1, 2)},
    ],
)
def test_impossible_headers(changes: dict[str, Any]) -> None:
    """A header with impossible lengths, numbers or unsealed facts is neither written nor read."""
    header = a_header(**changes)
    with pytest.raises(InputError):
        Encoder().header(header)
    with pytest.raises(Damaged, match=r"^damaged \(payload\) at frame 0, byte 0"):
        Decoder().header(framed(0, Encoder().value(header)))


def test_headers_have_one_encoding() -> None:
    """A header with fields left out or added is damage."""
    raw = msgpack.unpackb(Encoder().header(a_header(settings=()))[0])
    for other in (raw[:-1], [*raw, 0]):
        with pytest.raises(Damaged, match="encoding"):
            Decoder().header(framed(0, pack(other)))
