"""The one codec of all files: msgpack with limits, and the values that facts may have.

A file is not trusted: there are no maps, floats or extension types, and the values of facts, which could
be anything, are nested no deeper than :data:`~cascade_es.values.facts.MAX_VALUE_DEPTH`.
"""

from __future__ import annotations

from typing import Any, Final

import msgpack

from cascade_es.values.facts import MAX_VALUE_DEPTH, SCALARS, CardRef, is_wire

__all__ = [
    "BUFFER",
    "CODEC_ERRORS",
    "Flaw",
    "line_of",
    "rich",
    "unpack",
]

BUFFER: Final = 16 << 10
"""The bytes that a packer begins with; its own 256 kB would be asked of the system for every log."""

CODEC_ERRORS: Final = (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException)
"""All that the codecs raise for bytes and values that they cannot take."""


class Flaw(Exception):
    """Something that no log may hold, before it is known where it stands: a kind and a sentence.

    A reader makes :class:`~cascade_es.errors.Damaged` of it, a writer an
    :class:`~cascade_es.errors.InputError`.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


def rich(value: Any, depth: int = 0) -> Any:
    """The inverse of :func:`~cascade_es.values.facts.wire`, with the same limits.

    A pair of text and bytes is a card.

    Raises:
        Flaw: when there is what no fact can hold.
    """
    kind = type(value)
    if kind is tuple:
        if depth == MAX_VALUE_DEPTH:
            raise Flaw("payload", f"the value of a fact is nested deeper than {MAX_VALUE_DEPTH}")
        if len(value) == 2 and type(value[1]) is bytes and type(value[0]) is str:
            return CardRef(*value)
        if is_wire(value, depth):
            return value
        return tuple([item if type(item) in SCALARS else rich(item, depth + 1) for item in value])
    if kind not in SCALARS:
        raise Flaw("payload", f"the value of a fact cannot hold a {kind.__name__}")
    return value


def unpack(data: bytes) -> Any:
    # Its own limits on announced lengths follow from the length of the data.
    return msgpack.unpackb(
        data,
        use_list=False,
        raw=False,
        strict_map_key=True,
        object_hook=_no_map,
        ext_hook=_no_extension,
    )


def _no_map(_: Any) -> Any:
    raise ValueError("maps are not read")


def _no_extension(code: int, _: bytes) -> Any:
    raise ValueError(f"extension types ({code}) are not read")


def line_of(error: Exception) -> str:
    """What an error of the codec says, on one short line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return "".join(c if c.isprintable() else "?" for c in text)[:160]
