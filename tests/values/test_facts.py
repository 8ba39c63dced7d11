"""Sealed facts bind what they say; draws are fair, and anybody can work them out again."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es.errors import InputError
from cascade_es.values.facts import (
    EVERYONE,
    NOTHING,
    CardRef,
    Fact,
    Secrets,
    commitment,
    pack_value,
    random_order,
)

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "vectors" / "draws.json").read_text(encoding="utf-8")
)
SECRETS = Secrets(b"0123456789abcdef", bytes(32), bytes(range(32)))

# The same examples in every run, however slow the machine.
repeatable = settings(derandomize=True, deadline=None, database=None)

places = st.integers(0, 2**63)
cards = st.builds(CardRef, st.text(max_size=12), st.binary(min_size=16, max_size=16))
scalars = st.integers(-(2**63), 2**64 - 1) | st.text(max_size=12) | st.booleans() | st.none()
values = st.recursive(scalars | cards, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=8)
seals = st.tuples(st.binary(min_size=16, max_size=16), places, places, st.binary(min_size=16, max_size=16))


# ---------------------------------------------------------------------------------- commitments


def of(*parts: Any) -> bytes:
    """The commitment to log id, frame, ordinal, salt and content."""
    return commitment(*parts)


@repeatable
@given(seals, seals, values, values)
def test_a_commitment_binds_place_salt_and_value(one: Any, other: Any, value: Any, another: Any) -> None:
    """Two commitments are equal exactly when log, frame, ordinal, salt and value bytes all are."""
    first, second = pack_value(value), pack_value(another)
    same = (one, first) == (other, second)
    assert same == (of(*one, first) == of(*other, second))


@repeatable
@given(seals, values, st.integers(0, 4))
def test_changing_any_part_changes_the_commitment(place: Any, value: Any, part: int) -> None:
    """Log id, frame, ordinal, salt and value are each covered: changing one alone shows."""
    parts: list[Any] = [*place, pack_value(value)]
    changed = list(parts)
    changed[part] = (
        parts[part] + 1 if isinstance(parts[part], int) else bytes([parts[part][0] ^ 1]) + parts[part][1:]
    )
    assert of(*parts) != of(*changed)


@repeatable
@given(places, places, values.filter(lambda value: value is not None))
def test_a_commitment_can_be_checked_by_anybody(frame: int, ordinal: int, value: Any) -> None:
    """SHA-256 over label, log id, frame, ordinal, salt and the value's msgpack is all that it takes."""
    fact = SECRETS.seal(frame, ordinal, value, 1)
    opening = SECRETS.opening(fact)
    content = b"cascade-es fact\0" + SECRETS.log_id + frame.to_bytes(8, "big") + ordinal.to_bytes(8, "big")
    assert hashlib.sha256(content + opening.salt + opening.content).digest() == fact.commitment
    assert (frame, ordinal, 16) == (opening.frame, opening.ordinal, len(opening.salt))
    assert pack_value(value) == opening.content


def test_nothing_cannot_be_sealed() -> None:
    """A sealed fact without a value would look like one that we do not know, so there is none."""
    with pytest.raises(ValueError, match="nothing"):
        SECRETS.seal(1, 0, None, 1)


@pytest.mark.parametrize("value", [0.5, {}, [1], {1}, (1, (2, [3])), CardRef("Forest", "text"), object()])  # type: ignore[arg-type]
def test_what_cannot_be_written_is_no_fact(value: Any) -> None:
    """Whoever makes a fact, in clear or sealed, is told that no log can hold its value."""
    for make in (Fact.public, lambda value: SECRETS.seal(0, 0, value, 1)):
        with pytest.raises(InputError, match="the value of a fact cannot hold a"):
            make(value)


def test_a_salt_belongs_to_one_place_of_one_log() -> None:
    """Salts differ between places and between logs, so equal values never show as equal."""
    other = Secrets(b"fedcba9876543210", SECRETS.seed, SECRETS.key)
    salts = [
        secrets.salt(frame, ordinal)
        for secrets in (SECRETS, other)
        for frame in range(8)
        for ordinal in range(8)
    ]
    assert len(salts) == len(set(salts))


# --------------------------------------------------------------------------------------- facts


def test_sealed_facts_are_equal_by_commitment() -> None:
    """Knowing more, or being known to more seats, makes a sealed fact no other fact."""
    known = SECRETS.seal(3, 0, CardRef("Forest", bytes(16)), 1)
    unknown = Fact(known.frame, known.ordinal, 3, known.commitment)
    assert known == unknown
    assert hash(known) == hash(unknown)
    assert known.key == unknown.key == known.commitment
    assert (True, False) == (known.known, unknown.known)


def test_sealed_facts_of_equal_values_differ() -> None:
    """The same card sealed twice is two facts: nobody can tell that the cards are alike."""
    one, other = (SECRETS.seal(3, ordinal, CardRef("Forest", bytes(16)), 0) for ordinal in (0, 1))
    assert one != other


def test_a_sealed_fact_is_never_a_public_one() -> None:
    """A fact in clear and a sealed one with the same value are different facts."""
    sealed = SECRETS.seal(1, 0, 5, EVERYONE)
    assert sealed != Fact.public(5)
    assert Fact.public(5) != sealed
    assert (True, False) == (sealed.sealed, Fact.public(5).sealed)
    assert sealed != 5


def test_public_facts_are_equal_by_value() -> None:
    """Facts in clear are equal when their values are, and hash alike."""
    assert Fact.public((1, "a")) == Fact.public((1, "a"))
    assert hash(Fact.public((1, "a"))) == hash(Fact.public((1, "a")))
    assert Fact.public(1) != Fact.public(2)
    assert NOTHING == Fact.public(())


def test_showing_a_fact_keeps_its_commitment() -> None:
    """More seats may come to know a fact, never fewer, and it stays the same fact."""
    fact = SECRETS.seal(1, 0, 5, 1)
    shown = fact.shown_to(2)
    assert (3, 5, fact) == (shown.audience, shown.value, shown)
    assert shown is shown.shown_to(1)
    assert EVERYONE == shown.shown_to(EVERYONE).audience
    assert EVERYONE == fact.shown_to(EVERYONE).shown_to(2).audience


def test_facts_can_be_stored_and_told_apart_by_eye() -> None:
    """A fact survives pickling with everything it knows, and its text shows a value only if it has one."""
    fact = SECRETS.seal(3, 1, 5, 1)
    again = pickle.loads(pickle.dumps(fact))
    assert (fact, 5, 1, 3, 1) == (again, again.value, again.audience, again.frame, again.ordinal)
    assert "Fact(sealed 3.1 for 1 = 5)" == repr(fact)
    assert "Fact(sealed 3.1 for 1)" == repr(Fact(3, 1, 1, fact.commitment))
    assert "Fact(public 5)" == repr(Fact.public(5))


# --------------------------------------------------------------------------------------- draws


def values_of(key: bytes) -> Iterator[int]:
    """The stream of 64-bit numbers behind a draw, by the definition in words."""
    for counter in range(10**6):
        message = counter.to_bytes(8, "big")
        yield int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:8], "big")


Asked = tuple[bytes, Sequence[tuple[int, bytes]], str, int, int, int]
"""Seed, contributions, purpose, player, ordinal, size."""


def independent(asked: Asked) -> list[int]:
    """A draw, written from the description: Fisher–Yates from the end, rejecting the uneven rest."""
    seed, contributions, purpose, player, ordinal, size = asked
    if contributions:
        message = b"cascade-es contributions\0"
        for seat, value in contributions:
            message += struct.pack(">QQ", seat, len(value)) + value
        seed = hmac.new(seed, message, hashlib.sha256).digest()
    label = b"cascade-es draw\0" + f"{purpose}\0{player}\0{ordinal}".encode()
    stream = values_of(hmac.new(seed, label, hashlib.sha256).digest())
    order = list(range(size))
    for place in reversed(range(1, size)):
        choices = place + 1
        fair = 2**64 // choices * choices
        number = next(value for value in stream if value < fair)
        pick = number % choices
        order[place], order[pick] = order[pick], order[place]
    return order


def ours(asked: Asked) -> list[int]:
    """What the package draws."""
    seed, contributions, purpose, player, ordinal, size = asked
    key = Secrets(b"any log", seed, b"any key").draw_key(purpose, player, ordinal, tuple(contributions))
    return list(random_order(key, size))


def question(vector: dict[str, Any]) -> Asked:
    """The question of a vector."""
    contributions = [(seat, bytes.fromhex(value)) for seat, value in vector["contributions"]]
    seed = bytes.fromhex(vector["seed"])
    return seed, contributions, vector["purpose"], vector["player"], vector["ordinal"], vector["size"]


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda v: f"{v['purpose']}-{v['player']}-{v['ordinal']}-{v['size']}"
)
def test_the_draws_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    """Ours and an independent implementation give the published permutations."""
    assert vector["permutation"] == independent(question(vector))
    assert vector["permutation"] == ours(question(vector))


def test_the_vectors_are_twelve_different_draws() -> None:
    """The vectors cover several purposes, players, ordinals, sizes and contributions."""
    assert 12 == len({json.dumps({**vector, "permutation": None}, sort_keys=True) for vector in VECTORS})


@repeatable
@given(
    st.tuples(
        st.binary(max_size=40),
        st.lists(st.tuples(st.integers(0, 7), st.binary(min_size=1, max_size=64)), max_size=3),
        st.sampled_from(["shuffle", "bottom"]),
        st.integers(0, 9),
        places,
        st.integers(0, 60),
    )
)
def test_a_draw_is_a_permutation(asked: Asked) -> None:
    """Every draw holds each place once, and the same question always has the same answer."""
    drawn = ours(asked)
    assert list(range(asked[-1])) == sorted(drawn)
    assert drawn == ours(asked)
    assert drawn == independent(asked)


def test_draws_are_bound_to_everything_they_depend_on() -> None:
    """Changing one thing about a draw, the seed or a contribution gives another order."""
    drawn = [
        tuple(ours((seed, contributions, purpose, player, ordinal, 40)))
        for seed in (b"one", b"two")
        for contributions in ([], [(0, b"a")], [(1, b"a")], [(0, b"a"), (1, b"b")])
        for purpose in ("shuffle", "bottom")
        for player in (0, 1)
        for ordinal in (0, 1)
    ]
    assert 64 == len(set(drawn))


@pytest.mark.parametrize("seed", [b"a", b"b", b"c"])
def test_every_order_is_as_likely(seed: bytes) -> None:
    """Over 12,000 draws the 120 orders of five cards come up evenly (chi-square, 0.1 %)."""
    draws = 12_000
    counted = Counter(tuple(ours((seed, [], "shuffle", 0, ordinal, 5))) for ordinal in range(draws))
    expected = draws / 120
    chi = sum((counted[order] - expected) ** 2 / expected for order in permutations(range(5)))
    assert chi < 173.6  # the 99.9th percentile at 119 degrees of freedom
    assert 120 == len(counted)


@pytest.mark.parametrize(("bound", "kept"), [(3, 2**64 - 2), (5, 2**64 - 2), (6, 2**64 - 5), (7, 2**64 - 3)])
def test_numbers_beyond_the_last_whole_multiple_are_rejected(
    bound: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The greatest fair number is used; the next one is thrown away and another one drawn."""
    assert kept == 2**64 // bound * bound - 1
    messages: list[bytes] = []

    def stream(first: int) -> Any:
        numbers = iter([first, *[0] * 20])

        def digest(key: bytes, message: bytes, algorithm: str) -> bytes:
            messages.append(message[-8:])
            return next(numbers).to_bytes(8, "big") + bytes(24)

        return digest

    monkeypatch.setattr(hmac, "digest", stream(kept))
    fair = random_order(b"", bound)
    assert bound - 1 == len(messages)
    messages.clear()
    monkeypatch.setattr(hmac, "digest", stream(kept + 1))
    again = random_order(b"", bound)
    assert bound == len(messages)
    assert [number.to_bytes(8, "big") for number in range(bound)] == messages
    # The fair one picked the last place (it stayed); the number after the rejected one picked place 0.
    assert (bound - 1, 0) == (fair[-1], again[-1])


def test_hiding_handles_uses_up_no_chance() -> None:
    """What mixes handles comes from the blinding key; the draw seed decides nothing there."""
    one, other = Secrets(b"", b"one", b"key"), Secrets(b"", b"two", b"key")
    assert one.mix(7, 30) == other.mix(7, 30)
    assert one.mix(7, 30) != Secrets(b"", b"one", b"another key").mix(7, 30)
    assert one.mix(7, 30) != one.mix(8, 30)


def test_committed_bytes_are_minimal_msgpack() -> None:
    """A card is committed to as its name and digest in a msgpack array."""
    assert msgpack.packb(["Forest", bytes(16)]) == pack_value(CardRef("Forest", bytes(16)))
