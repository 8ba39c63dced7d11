"""A digest of a state: every field of the game part, non-public values by their commitments.

Every viewer of a log therefore computes the same digest, whatever openings they have.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgpack
import msgspec
from immutables import Map

from cascade_es.values.facts import Fact
from cascade_es.values.state import State


def plain(value: Any) -> Any:
    """A value of the state as nested tuples in a fixed order: what a digest covers.

    >>> plain((1, "a", Fact(2, 0, 1, b"c")))
    (1, 'a', b'c')
    """
    if isinstance(value, Fact):
        return value.key
    if isinstance(value, msgspec.Struct):
        return (type(value).__name__, *_fields(value))
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, Map):
        return tuple((key, plain(value[key])) for key in sorted(value))
    return value


FIRST_FIELDS: Final = {
    "Characteristics": 10,
    "Choices": 14,
    "Delayed": 5,
    "Effect": 8,
    "Game": 16,
    "Obj": 19,
    "Player": 12,
}
"""How many fields these records had in format 1.

A field that a record has got since is covered only where it is not as it is by default (and those before
it with it): so a state that has none of what is new has the digest that it always had, and the digests in
old logs stay true.
"""


def _fields(value: msgspec.Struct) -> list[Any]:
    names = value.__struct_fields__
    first = FIRST_FIELDS.get(type(value).__name__)
    count = len(names)
    if first is not None:
        defaults = value.__struct_defaults__
        while count > first and getattr(value, names[count - 1]) == defaults[count - len(names) - 1]:
            count -= 1
    return [plain(getattr(value, name)) for name in names[:count]]


def digest(state: State) -> bytes:
    """SHA-256 over the game part of a state: 32 bytes."""
    content = msgpack.packb(plain(state.game), use_bin_type=True)
    return hashlib.sha256(b"cascade-es state\x00" + content).digest()
