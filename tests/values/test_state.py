"""States: plain immutable values that can be looked into, stored and compared."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import msgspec
import pytest
from immutables import Map

from cascade_es import Game
from cascade_es.evolve import INITIAL
from cascade_es.values import state as states
from cascade_es.values.digest import digest, plain
from cascade_es.values.facts import NOTHING, CardRef, Fact
from cascade_es.values.state import Frame, Obj, Player, ResolvingData, State, Turn

CARD = Fact.public(CardRef("Forest", bytes(16)))
FOREST = Obj(1, "card", "hand", 0, 0, CARD)
SMALL = State(
    states.Game(
        players=(Player(0, 20, hand=(1,)), Player(1, 20)),
        objects=Map({1: FOREST}),
        frames=(Frame("turn", "turn", 0, None),),
    )
)
RECORDS = [
    record
    for record in vars(states).values()
    if isinstance(record, type) and issubclass(record, msgspec.Struct) and not record.__name__.startswith("_")
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_no_record_of_a_state_can_change(record: type[Any]) -> None:
    """Everything that a state is made of is frozen and written as a fixed row of fields."""
    assert record.__struct_config__.frozen
    assert record.__struct_config__.array_like


def test_a_state_cannot_be_assigned_to() -> None:
    """Setting a field of a state fails."""
    with pytest.raises(AttributeError):
        SMALL.game = SMALL.game  # type: ignore[misc]


def test_a_state_is_looked_into_by_handle_seat_and_zone() -> None:
    """Objects are found by id, players by seat, the zones of players and of the game by name."""
    assert SMALL.object(1) is FOREST
    assert 1 == SMALL.player(1).seat
    assert (1,) == SMALL.zone("hand", 0)
    assert () == SMALL.zone("hand", 1) == SMALL.zone("stack") == SMALL.zone("battlefield", 1)
    assert "turn" == SMALL.frame.machine
    with pytest.raises(KeyError):
        SMALL.object(2)


def test_a_game_is_over_once_there_are_winners() -> None:
    """No winner at all is a draw, and the end; before the end nothing is said about winners."""
    assert not SMALL.over
    assert State(msgspec.structs.replace(SMALL.game, winners=())).over


def test_an_object_tells_its_card_only_if_it_is_known() -> None:
    """A sealed card without an opening is no card to us."""
    assert CardRef("Forest", bytes(16)) == FOREST.ref
    assert None is msgspec.structs.replace(FOREST, card=Fact(1, 0, 0, bytes(32))).ref
    assert None is msgspec.structs.replace(FOREST, card=NOTHING).ref


def test_a_running_effect_finds_what_it_bound() -> None:
    """A name of an effect gives the values bound to it, or None."""
    data = ResolvingData(1, bound=(("found", (3, 4)), ("x", ())))
    assert (3, 4) == data.values("found")
    assert () == data.values("x")
    assert None is data.values("other")


def test_equal_states_have_equal_digests() -> None:
    """A digest depends on the content of the game alone, not on how its maps were built."""
    forward: Map[int, Obj] = Map()
    backward: Map[int, Obj] = Map()
    for number in range(1, 40):
        forward = forward.set(number, msgspec.structs.replace(FOREST, id=number))
    for number in range(39, 0, -1):
        backward = backward.set(number, msgspec.structs.replace(FOREST, id=number))
    one, other = (State(msgspec.structs.replace(SMALL.game, objects=items)) for items in (forward, backward))
    assert one == other
    assert digest(one) == digest(other)


@pytest.mark.parametrize("field", states.Game.__struct_fields__)
def test_a_digest_covers_every_field_of_the_game(field: str) -> None:
    """Two states that differ in any one field of the game part have different digests."""
    other: Any = {
        "players": (Player(0, 19, hand=(1,)), Player(1, 20)),
        "objects": Map({1: msgspec.structs.replace(FOREST, tapped=True)}),
        "turn": Turn(1, 0, ""),
        "frames": (Frame("turn", "step begun", 0, None),),
        "pending": (states.Pending(1, states.AbilityRef(CARD, 0, 0), 1, 0),),
        "delayed": (states.Delayed(1, states.AbilityRef(CARD, 0, 0), 1, 0),),
        "effects": (states.Effect(1, "sort", 1, 0, 1, "turn"),),
        "links": (states.Link(1, (2,), "exiled"),),
        "last_known": Map({9: states.LastKnown(FOREST, states.Characteristics())}),
        "history": (states.Deed("died", 0, 1, 1),),
        "last_turn": (states.Deed("died", 0, 1, 1),),
        "winners": (),
        "combat": (states.Attack(1, 1),),
        "pause": states.Pause((Fact.public((1,)),)),
    }
    changed = msgspec.structs.replace(SMALL.game, **{field: other.get(field, (1,))})
    assert digest(SMALL) != digest(State(changed))


@pytest.mark.parametrize("field", Obj.__struct_fields__)
def test_a_digest_covers_every_field_of_an_object(field: str) -> None:
    """Nothing about an object can be changed unseen."""
    value = getattr(FOREST, field)
    other: Any = {
        "card": Fact.public(CardRef("Swamp", bytes(16))),
        "counters": (("+1/+1", 1),),
        "ability": states.AbilityRef(CARD, 0, 0),
        "about": (1,),
        "choices": states.Choices(),
        "base": states.Base(CARD, 0),
        "chosen": ("red",),
        "doors": (1,),
        "others": (CARD,),
    }
    if field not in other:
        other[field] = f"{value}?" if isinstance(value, str) else value + 1
    objects = SMALL.game.objects.set(1, msgspec.structs.replace(FOREST, **{field: other[field]}))
    assert digest(SMALL) != digest(State(msgspec.structs.replace(SMALL.game, objects=objects)))


def test_a_digest_leaves_out_the_ledger() -> None:
    """What only grows is no part of the digest: a reversed attempt leaves it as it was."""
    grown = msgspec.structs.replace(SMALL.ledger, next_id=99, seq=7)
    assert digest(SMALL) == digest(State(SMALL.game, grown))
    assert 32 == len(digest(SMALL))


def test_a_digest_tells_kinds_of_records_apart() -> None:
    """Records of different kinds with the same fields do not look alike."""
    pending = states.Delayed(1, states.AbilityRef(CARD, 0, 0), 1, 0)
    assert plain(pending) != plain(states.Pending(1, states.AbilityRef(CARD, 0, 0), 1, 0))


def test_every_state_of_a_game_can_be_stored(recorded: Game) -> None:
    """In the middle of anything a state is data: it survives pickling, equal and with the same digest."""
    for step in recorded:
        again = pickle.loads(pickle.dumps(step.state))
        assert step.state == again
        assert digest(step.state) == digest(again)


def test_no_state_holds_anything_that_runs(recorded: Game) -> None:
    """States are made of records, tuples, maps, facts, numbers, text and bytes; no closures or generators."""

    def strange(value: Any) -> list[object]:
        if isinstance(value, msgspec.Struct):
            return [odd for name in value.__struct_fields__ for odd in strange(getattr(value, name))]
        if isinstance(value, tuple):
            return [odd for item in value for odd in strange(item)]
        if isinstance(value, Map):
            return [odd for key, item in value.items() for odd in (*strange(key), *strange(item))]
        if isinstance(value, Fact):
            return strange(value.value)
        fine = value is None or (isinstance(value, int | str | bytes) and not dataclasses.is_dataclass(value))
        return [] if fine else [value]

    assert [] == [odd for step in recorded for odd in strange(step.state)]


def test_the_state_before_the_first_event_is_empty() -> None:
    """Nothing is there before a game begins but the frame that waits for it."""
    assert (0, 1, ()) == (INITIAL.ledger.seq, INITIAL.ledger.next_id, INITIAL.game.players)
    assert ("turn", "new") == (INITIAL.frame.machine, INITIAL.frame.state)
