"""Records with something in every field, and every way to change one part of them: driven by types."""

from __future__ import annotations

import contextlib
import types
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
from immutables import Map

from cascade_es.values import state as st
from cascade_es.values.facts import Fact
from cascade_es.values.mana import Unit

DATA = tuple(
    cls
    for name, cls in sorted(vars(st).items())
    if isinstance(cls, type) and name.endswith("Data") and issubclass(cls, msgspec.Struct)
)
"""What the data of a frame can be."""


def inside(kind: Any) -> tuple[Any, ...]:
    """The types that a type is made of; a frame's data, which may be anything, is one of ours."""
    if kind is Any:
        return DATA
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return tuple(field.type for field in msgspec.structs.fields(kind))
    return tuple(item for item in typing.get_args(kind) if item is not ...)


def reachable(kind: Any, found: dict[Any, None] | None = None) -> dict[Any, None]:
    """Every type that a value of this type can hold, itself included, each once."""
    found = {} if found is None else found
    if kind not in found:
        found[kind] = None
        for item in inside(kind):
            reachable(item, found)
    return found


def specimen(kind: Any) -> Any:
    """A value of this type with something in every field, and two items in every tuple."""
    if kind is Unit:
        return Unit(1, "G", 7, 3, True, ("only",), ("rider",))
    if kind is st.Game:
        fields = msgspec.structs.fields(kind)
        every = {field.name: specimen(field.type) for field in fields if field.name != "frames"}
        frames = tuple(st.Frame("machine", "state", 3, specimen(cls), 4) for cls in DATA)
        return st.Game(**{**every, "frames": frames})
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind(*(specimen(field.type) for field in msgspec.structs.fields(kind)))
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return (specimen(inner[0]),) * 2 if inner[-1] is ... else tuple(map(specimen, inner))
    if origin is Map:
        return Map({1: specimen(inner[1]), 2: specimen(inner[1])})
    if origin in (types.UnionType, typing.Union):
        return specimen(next(item for item in inner if item is not types.NoneType))
    return {int: 3, str: "text", bool: True, bytes: b"12", Fact: Fact.public((1, "x"))}[kind]


def changes(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every way to change one part of a value: "Class.field" of the record around it, and the result."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            here = f"{type(value).__name__}.{name}"
            for where, changed in changes(getattr(value, name), here):
                with contextlib.suppress(ValueError):  # a record that cannot be
                    yield where, msgspec.structs.replace(value, **{name: changed})
    elif isinstance(value, Fact):
        yield place, Fact.public((1, "y"))
        yield place, Fact(1, 0, 1, bytes(32))
    elif isinstance(value, Map):
        yield place, value.delete(1)
        yield place, value.delete(1).set(9, value[1])
        for key in value:
            yield from ((where, value.set(key, changed)) for where, changed in changes(value[key], place))
    elif isinstance(value, tuple):
        yield place, value[:-1]
        yield place, (*value, value[-1])
        for index, item in enumerate(value):
            for where, changed in changes(item, place):
                yield where, (*value[:index], changed, *value[index + 1 :])
    elif isinstance(value, bool):
        yield place, not value
    elif isinstance(value, int):
        yield place, value + 1
        yield place, -value
        yield place, True
    elif isinstance(value, str):
        yield place, "R" if value == "G" else value + "x"
        yield place, value.encode()
    else:
        assert isinstance(value, bytes), value
        yield place, value + b"x"
        yield place, value[:-1]
