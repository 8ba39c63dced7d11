"""Whether what was read is written in the one way, told from the types of a record alone.

msgspec gives a field that is left out its default, passes over fields that are too many, and takes a
text for bytes in base 64.  Each would be a second way to write the same, and all that could be one: a
type has no other part in which a raw value may differ from the one that would be written.  So it is
enough to look at those parts, which is much cheaper than writing the record again to compare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import msgspec

from cascade_es.values.facts import Fact

__all__ = ["exact"]

Check = Callable[[Any], bool]

_PLAIN = (int, str, bool, NoneType, Fact)  # written one way only; a fact is looked at when it is read


def exact(kind: Any) -> Check:
    """What tells whether a raw value that was converted to this type is written exactly as it would be.

    >>> exact(bytes)(b"Forest"), exact(bytes)("Rm9yZXN0")
    (True, False)

    Raises:
        TypeError: for a type of which it is not known how it is written.
    """
    return _check(kind) or _always


@cache
def _check(kind: Any) -> Check | None:
    """The same, or None where every value that converts is written so."""
    if kind in _PLAIN:
        return None
    if kind is bytes:
        return _is_bytes
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _record([field.type for field in msgspec.structs.fields(kind)])
    parts = get_args(kind)
    if get_origin(kind) is tuple and parts:
        return _run(_check(parts[0])) if parts[-1] is ... else _fixed(parts)
    if isinstance(kind, UnionType) and len(parts) == 2 and NoneType in parts:
        return _optional(_check(parts[0] if parts[1] is NoneType else parts[1]))
    raise TypeError(f"it is not known how a {kind} is written")


def _always(raw: Any) -> bool:
    return True


def _is_bytes(raw: Any) -> bool:
    return type(raw) is bytes


def _record(types: list[Any]) -> Check:
    length, inside = len(types), _inside(types)
    if not inside:
        return lambda raw: len(raw) == length
    return lambda raw: len(raw) == length and _each(raw, inside)


def _fixed(types: tuple[Any, ...]) -> Check | None:
    inside = _inside(types)  # msgspec has counted them
    return (lambda raw: _each(raw, inside)) if inside else None


def _inside(types: list[Any] | tuple[Any, ...]) -> list[tuple[int, Check]]:
    checks = [(index, _check(each)) for index, each in enumerate(types)]
    return [(index, check) for index, check in checks if check is not None]


def _run(check: Check | None) -> Check | None:
    return None if check is None else lambda raw: all([*map(check, raw)])


def _optional(check: Check | None) -> Check | None:
    return None if check is None else lambda raw: raw is None or check(raw)


def _each(raw: Any, inside: list[tuple[int, Check]]) -> bool:
    for index, check in inside:  # noqa: SIM110 - a generator costs as much as all it asks
        if not check(raw[index]):
            return False
    return True
