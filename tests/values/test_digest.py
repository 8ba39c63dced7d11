"""Digests and payloads cover everything: no field of a state or a record can change unseen."""

from __future__ import annotations

import contextlib
import types
import typing

import msgspec
import pytest
from immutables import Map
from specimens import DATA, changes, reachable, specimen

from cascade_es.errors import InputError
from cascade_es.evolve import INITIAL
from cascade_es.log import Encoder, Header, SeatHeader, Unit
from cascade_es.machines.tables import TABLES
from cascade_es.rules.decide import fields
from cascade_es.values import events as ev
from cascade_es.values.decisions import ANSWERS, RecordedDecision
from cascade_es.values.digest import digest
from cascade_es.values.facts import NOTHING, Fact, pack_value
from cascade_es.values.state import Game, Ledger, State

GAME = specimen(Game)
STORABLE = {int, str, bool, bytes, Fact, types.NoneType, typing.Any}


def leaves(*kinds: type) -> set[str]:
    """Every field of every record that these types can hold, as "Class.field"; not those of one record."""
    found = set()
    for kind in {kind for root in kinds for kind in reachable(root)}:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            for field in msgspec.structs.fields(kind):
                first = next((item for item in typing.get_args(field.type)), field.type)
                alone = typing.get_origin(field.type) not in (tuple, Map)
                if not (
                    alone
                    and (
                        first is typing.Any or (isinstance(first, type) and issubclass(first, msgspec.Struct))
                    )
                ):
                    found.add(f"{kind.__name__}.{field.name}")
    return found


def test_every_procedure_has_data_that_is_looked_at() -> None:
    """What a running procedure may remember is among the specimens; a new kind of data comes by itself."""
    assert len(DATA) >= 8
    assert {"CastingData", "PayingData", "ResolvingData", "CascadingData"} <= {cls.__name__ for cls in DATA}
    assert len(TABLES) >= len(DATA)


@pytest.mark.cites("R128")
def test_every_field_of_the_game_changes_the_digest() -> None:
    """Whatever part of the game part is another, the digest is another; no field can be forgotten."""
    base = digest(State(GAME))
    covered = set()
    seen = {base}
    for where, game in changes(GAME):
        now = digest(State(game))
        assert now != base, f"{where} is not covered"
        covered.add(where)
        seen.add(now)
    assert not leaves(Game) - covered
    assert len(seen) > 500


@pytest.mark.cites("R149")
def test_the_state_holds_only_what_can_be_stored() -> None:
    """Every field of a state is of a type with one encoding and one order: no set, dict, list or float."""
    for kind in reachable(State):
        is_record = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        origin = typing.get_origin(kind)
        assert is_record or kind in STORABLE or origin in (tuple, types.UnionType, typing.Union, Map), kind


def test_nothing_is_as_good_as_something() -> None:
    """An absent record, an empty one and a default one have three digests."""
    states = [INITIAL, State(), State(Game(winners=())), State(Game(winners=(0,)))]
    assert len({digest(state) for state in states}) == len(states)


def test_the_ledger_is_not_digested() -> None:
    """What only grows is no part of the game that a reversal restores, and so not of its digest."""
    assert digest(State(GAME, Ledger(seq=7))) == digest(State(GAME))


def test_what_is_known_changes_no_digest() -> None:
    """Whoever has more openings computes the same digest; the audience is no part of it either."""
    cards = [Fact(1, 0, 1, bytes(32)), Fact(1, 0, 1, bytes(32), "x"), Fact(1, 0, 3, bytes(32), "x")]
    games = [msgspec.structs.replace(GAME, objects=Map({1: specimen(type(GAME.objects[1]))})) for _ in cards]
    digests = {
        digest(State(Game(objects=Map({1: msgspec.structs.replace(game.objects[1], card=card)}))))
        for game, card in zip(games, cards, strict=True)
    }
    assert len(digests) == 1


@pytest.mark.cites("R128")
@pytest.mark.parametrize("kind", ev.KINDS)
def test_every_field_of_an_event_changes_the_payload(kind: str) -> None:
    """Whatever is another in an event of any kind, the bytes that the chain covers are others."""
    encoder = Encoder()
    event = specimen(ev.KINDS[kind])
    said = RecordedDecision(0, "pass", False, NOTHING)
    base = encoder.unit(Unit(said, (event,)))[0]
    covered = set()
    for where, changed in changes(event):
        assert encoder.unit(Unit(said, (changed,)))[0] != base, where
        covered.add(where)
    assert not leaves(type(event)) - covered


@pytest.mark.cites("R128")
def test_every_field_of_a_unit_changes_the_payload() -> None:
    """Seat, kind, insistence, body, time, and the order and number of events are all covered."""
    encoder = Encoder()
    unit = Unit(RecordedDecision(0, "pass", False, NOTHING), (ev.StepBegun("turn", 1, True, "draw"),) * 2, 7)
    said = [
        RecordedDecision(1, "pass", False, NOTHING),
        RecordedDecision(0, "seal", False, NOTHING),
        RecordedDecision(0, "pass", True, NOTHING),
        RecordedDecision(0, "pass", False, Fact.public((0,))),
    ]
    others = [msgspec.structs.replace(unit, decision=each) for each in said]
    others += [msgspec.structs.replace(unit, time=time) for time in (None, 8)]
    others += [
        msgspec.structs.replace(unit, events=events) for events in ((), unit.events[:1], unit.events * 2)
    ]
    payloads = {encoder.unit(each)[0] for each in (unit, *others)}
    assert len(payloads) == len(others) + 1


@pytest.mark.cites("R128")
@pytest.mark.parametrize("kind", ANSWERS)
def test_every_field_of_an_answer_changes_its_body(kind: str) -> None:
    """What is said is recorded with every field: another answer has another body, or cannot be written."""
    answer = specimen(ANSWERS[kind])
    base = pack_value(fields(answer))
    for where, changed in changes(answer):
        with contextlib.suppress(InputError):
            assert pack_value(fields(changed)) != base, where
    assert leaves(type(answer)) <= {where for where, _ in changes(answer)}


@pytest.mark.cites("R128")
def test_every_field_of_a_header_changes_the_payload() -> None:
    """Versions, edition, ids, parent, seats and commitments of a header are all covered."""
    sealed = [Fact(0, ordinal, 1, bytes([ordinal]) * 32) for ordinal in range(8)]
    header = Header(
        0,
        1,
        2,
        "2026-08-07",
        bytes(16),
        (bytes(16), 7, bytes(32)),
        (SeatHeader(sealed[0], 60, sealed[1]),),
        sealed[2],
        sealed[3],
        (("pay", "automatic"),),
    )
    replace = msgspec.structs.replace
    others = [
        replace(header, table=2),
        replace(header, behaviour=3),
        replace(header, edition="2009-05-01"),
        replace(header, log_id=b"x" * 16),
        replace(header, parent=None),
        replace(header, parent=(bytes(16), 8, bytes(32))),
        replace(header, seats=()),
        replace(header, seats=(SeatHeader(sealed[0], 61, sealed[1]),)),
        replace(header, seats=(SeatHeader(sealed[4], 60, sealed[1]),)),
        replace(header, seats=(SeatHeader(sealed[0], 60, sealed[4]),)),
        replace(header, seed=sealed[4]),
        replace(header, key=sealed[4]),
        replace(header, settings=()),
    ]
    encoder = Encoder()
    payloads = {encoder.header(each)[0] for each in (header, *others)}
    assert len(payloads) == len(others) + 1
    changed = {
        name
        for other in others
        for name in header.__struct_fields__
        if getattr(other, name) != getattr(header, name)
    }
    assert changed | {"format"} == set(header.__struct_fields__)
