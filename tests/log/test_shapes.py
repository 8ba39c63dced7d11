"""What was read is written in the one way, at every depth."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec
import pytest
from specimens import DATA, specimen

from cascade_es.errors import Damaged, InputError
from cascade_es.log.codec import Flaw, rich
from cascade_es.log.frames import START, RawFrame
from cascade_es.log.shapes import exact
from cascade_es.log.wire import FORMAT, Decoder, Encoder, Header, Openings, Unit
from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.events import KINDS
from cascade_es.values.facts import MAX_VALUE_DEPTH, NOTHING, CardRef, Fact, wire


def others(raw: Any) -> Iterator[Any]:
    """The same raw value with one part left out, added, or written as base 64, at any depth."""
    if isinstance(raw, bytes):
        yield base64.b64encode(raw).decode()
    if isinstance(raw, tuple):
        yield raw[:-1]
        yield (*raw, 0)
        yield (*raw, None)
        for index, item in enumerate(raw):
            for other in others(item):
                yield (*raw[:index], other, *raw[index + 1 :])


def pack(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


SEALED = Fact(0, 0, 0, bytes(32))
HEADER = Encoder().header(Header(FORMAT, 0, 0, "", bytes(16), None, (), SEALED, Fact(0, 1, 0, bytes(32))))[0]


def read(payload: bytes) -> Unit:
    """The unit in these bytes, as the first of a log."""
    decoder = Decoder()
    decoder.header(RawFrame(0, 0, HEADER, b"", START, START))
    return decoder.unit(RawFrame(1, 0, payload, b"", START, START))


@pytest.mark.parametrize("kind", KINDS)
def test_every_other_way_to_write_an_event_is_refused(kind: str) -> None:
    """Whatever is left out, added or in base 64 anywhere in an event, it is damage or another event."""
    unit = Unit(RecordedDecision(0, "pass", False, NOTHING), (specimen(KINDS[kind]),))
    encoder = Encoder()
    payload = encoder.unit(unit)[0]
    assert read(payload) == unit
    said, time, (row,) = msgpack.unpackb(payload, use_list=False)
    for other in others(row):
        payload = pack((said, time, (other,)))
        try:
            back = read(payload)
        except Damaged:
            continue
        assert encoder.unit(back)[0] == payload
        assert back != unit


@pytest.mark.parametrize("cls", [*KINDS.values(), Header, Openings, RecordedDecision, *DATA])
def test_exact_is_what_writing_again_says(cls: type[msgspec.Struct]) -> None:
    """A raw value that converts is exact if, and only if, writing what it became gives the same bytes."""
    encoder = Encoder()
    raw = msgpack.unpackb(encoder.value(specimen(cls)), use_list=False)
    assert exact(cls)(raw)
    for other in others(raw):
        try:
            value = msgspec.convert(other, cls, dec_hook=_fact)
        except (msgspec.ValidationError, Flaw):
            continue
        assert exact(cls)(other) == (encoder.value(value) == pack(other)), other


def _fact(_: type, raw: Any) -> Fact:
    if type(raw) is not tuple or len(raw) != 1:
        raise Flaw("payload", "no fact in clear")
    return Fact.public(rich(raw[0]))


def test_a_type_that_nobody_knows_how_to_write_is_refused() -> None:
    """A field of a type that could be written in ways not thought of cannot be declared unnoticed."""
    for kind in (float, list[int], dict[str, int], int | str, Any):
        with pytest.raises(TypeError):
            exact(kind)


def test_cards_are_found_at_every_depth() -> None:
    """A card deep in a value is written as a pair and read as a card; what holds none is left as it is."""
    card = CardRef("Forest", bytes(16))
    for depth in range(MAX_VALUE_DEPTH - 1):
        value: Any = (1, card)
        flat: Any = (1, ("Forest", b"", 0))
        for _ in range(depth):
            value, flat = (value, "x"), (flat, "x")
        assert rich(wire(value)) == value
        assert wire(flat) is flat
        assert rich(flat) is flat


@pytest.mark.parametrize(
    ("value", "written"), [((), ()), ((1,), (1,)), (CardRef("Forest", b""), ("Forest", b""))]
)
def test_values_nest_to_the_limit(value: Any, written: Any) -> None:
    """One tuple more than the limit is refused, whatever is in the innermost."""
    for _ in range(MAX_VALUE_DEPTH - 1):
        value, written = (value,), (written,)
    assert wire(value) == written
    assert rich(written) == value
    for step, deeper in ((wire, (value,)), (rich, (written,)), (Fact.public, (value,))):
        with pytest.raises((Flaw, InputError), match="deeper"):
            step(deeper)


def test_a_pair_that_would_be_read_as_a_card_is_no_value() -> None:
    """A text and bytes are how a card is written, so that nothing else is, at any depth."""
    for value in (("Forest", b""), (1, ("Forest", b""))):
        for step in (wire, Fact.public):
            with pytest.raises(InputError, match="is read as a card; make it a CardRef"):
                step(value)
