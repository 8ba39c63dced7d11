"""A digest of a state: every field of the game part, non-public values by their commitments.

Every viewer of a log therefore computes the same digest, whatever openings they have.
"""

from __future__ import annotations

import hashlib
from typing import Any

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
        fields = tuple(plain(getattr(value, name)) for name in value.__struct_fields__)
        return (type(value).__name__, *fields)
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, Map):
        return tuple((key, plain(value[key])) for key in sorted(value))
    return value


def digest(state: State) -> bytes:
    """SHA-256 over the game part of a state: 32 bytes."""
    content = msgpack.packb(plain(state.game), use_bin_type=True)
    return hashlib.sha256(b"cascade-es state\x00" + content).digest()
