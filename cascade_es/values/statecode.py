"""States as bytes and back: for caches that this package keeps for itself, never for logs.

A log holds what happened, and a state follows from it; so this encoding may change with every version,
and :data:`SCHEMA` changes with it by itself.  The bytes name no class or function to load: the types of
the fields say what is read, and the few values of open type carry a word from our own table.
"""

from __future__ import annotations

import hashlib
import typing
from typing import Any, Final

import msgpack
import msgspec
from immutables import Map
from msgspec.structs import replace

from cascade_es.values import state as _state
from cascade_es.values.facts import CardRef, Fact, pack_value
from cascade_es.values.mana import Price, Unit
from cascade_es.values.state import State

__all__ = ["SCHEMA", "pack_state", "unpack_state", "unpack_value"]

_CLASSES: Final[dict[str, type[msgspec.Struct]]] = {
    name: found
    for name, found in sorted(_state.__dict__.items())
    if isinstance(found, type) and issubclass(found, msgspec.Struct) and not name.startswith("_")
}


def _schema() -> bytes:
    classes: list[type[msgspec.Struct]] = [*_CLASSES.values(), CardRef, Price, Unit]
    text = "\n".join(
        f"{cls.__name__}.{field.name}: {field.type!r}"
        for cls in classes
        for field in msgspec.structs.fields(cls)
    )
    return hashlib.sha256(text.encode()).digest()


SCHEMA: Final = _schema()
"""A digest of all fields and their types: bytes of another schema mean something else."""


def pack_state(state: State) -> bytes:
    """The bytes of a state, with all values that are known in it.

    Raises:
        TypeError: when a procedure's data are of a class that is not in our table.

    >>> unpack_state(pack_state(State())) == State()
    True
    """
    for frame in state.game.frames:
        if frame.data is not None and type(frame.data) is not _CLASSES.get(type(frame.data).__name__):
            raise TypeError(f"data of the class {type(frame.data).__name__} cannot be kept")
    frames = tuple(
        replace(frame, data=None if frame.data is None else (type(frame.data).__name__, frame.data))
        for frame in state.game.frames
    )
    game = replace(state.game, frames=frames)
    return _ENCODER.encode(replace(state, game=game))


def unpack_state(content: bytes) -> State:
    """The state in these bytes.

    Raises:
        ValueError: when they are not what :func:`pack_state` made.
    """
    try:
        state = _DECODER.decode(content)
        frames = tuple(
            frame if frame.data is None else replace(frame, data=_data(*frame.data))
            for frame in state.game.frames
        )
    except (msgspec.DecodeError, msgpack.UnpackException, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no state: {error}") from None
    return replace(state, game=replace(state.game, frames=frames))


def unpack_value(content: bytes) -> Any:
    """The value of a fact from the bytes that a commitment covers: the inverse of ``pack_value``.

    >>> unpack_value(pack_value((CardRef("Forest", b"d"), 1)))
    (CardRef(name='Forest', digest=b'd'), 1)
    """
    return _rich(msgpack.unpackb(content, use_list=False, raw=False))


def _rich(value: Any) -> Any:
    if type(value) is not tuple:
        return value
    if len(value) == 2 and type(value[0]) is str and type(value[1]) is bytes:
        return CardRef(*value)
    return tuple([_rich(item) for item in value])


def _data(name: str, raw: Any) -> Any:
    return msgspec.convert(raw, _CLASSES[name], dec_hook=_read)


def _written(value: Any) -> Any:
    if type(value) is Fact:
        content = None if value.value is None else pack_value(value.value)
        return (value.frame, value.ordinal, value.audience, value.commitment, content)
    if isinstance(value, Map):
        return sorted(value.items())
    raise TypeError(f"a {type(value).__name__} cannot be kept")


def _read(kind: Any, raw: Any) -> Any:
    if kind is Fact:
        frame, ordinal, audience, commitment, content = raw
        if not (type(frame) is type(ordinal) is type(audience) is int and type(commitment) is bytes):
            raise TypeError("no fact")
        return Fact(frame, ordinal, audience, commitment, None if content is None else unpack_value(content))
    if typing.get_origin(kind) is Map:
        pairs: Any = tuple[tuple[typing.get_args(kind)], ...]  # type: ignore[misc]
        return Map(msgspec.convert(raw, pairs, dec_hook=_read))
    raise TypeError(f"a {kind} cannot be kept")


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_written)
_DECODER: Final = msgspec.msgpack.Decoder(State, dec_hook=_read)
