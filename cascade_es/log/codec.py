"""The one codec of all files: msgpack with limits, and the values that facts may have.

A file is not trusted: there are no maps, floats or extension types, and the values of facts, which could
be anything, are nested no deeper than :data:`MAX_VALUE_DEPTH`.
"""

from __future__ import annotations

from typing import Any, Final

import msgpack

from cascade_es.values.facts import CardRef

__all__ = [
    "BUFFER",
    "CODEC_ERRORS",
    "MAX_VALUE_DEPTH",
    "SCALARS",
    "Flaw",
    "line_of",
    "plain",
    "rich",
    "unpack",
]

MAX_VALUE_DEPTH: Final = 16
"""The most tuples inside one another in the value of a fact; with what is around it, less than 32."""

BUFFER: Final = 16 << 10
"""The bytes that a packer begins with; its own 256 kB would be asked of the system for every log."""

SCALARS: Final = frozenset({str, int, bool, bytes, type(None)})
"""The types of what is no tuple and no card."""

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


def plain(value: Any, depth: int = 0) -> Any:
    """The value of a fact as it is written: the checked twin of :func:`cascade_es.values.facts.wire`.

    Raises:
        Flaw: when it is nested too deep, or holds anything but text, whole numbers, yes and no, bytes,
            None, cards, and tuples of these.
    """
    kind = type(value)
    if kind is tuple:
        if _simple(value, depth):
            return value
        if depth == MAX_VALUE_DEPTH:
            raise Flaw("payload", f"the value of a fact is nested deeper than {MAX_VALUE_DEPTH}")
        return tuple([item if type(item) in SCALARS else plain(item, depth + 1) for item in value])
    if kind is CardRef:
        return (value.name, value.digest)
    if kind not in SCALARS:
        raise Flaw("payload", f"the value of a fact cannot hold a {kind.__name__}")
    return value


def rich(value: Any, depth: int = 0) -> Any:
    """The inverse of :func:`plain`, with the same limits: a pair of text and bytes is a card."""
    kind = type(value)
    if kind is tuple:
        if depth == MAX_VALUE_DEPTH:
            raise Flaw("payload", f"the value of a fact is nested deeper than {MAX_VALUE_DEPTH}")
        if len(value) == 2 and type(value[1]) is bytes and type(value[0]) is str:
            return CardRef(*value)
        if _simple(value, depth):
            return value
        return tuple([item if type(item) in SCALARS else rich(item, depth + 1) for item in value])
    if kind not in SCALARS:
        raise Flaw("payload", f"the value of a fact cannot hold a {kind.__name__}")
    return value


def _simple(value: tuple[Any, ...], depth: int) -> bool:
    """Whether a value is its own plain form and no card is in it, which most are: nothing is made anew."""
    if depth == MAX_VALUE_DEPTH:
        return False
    if not SCALARS.issuperset(map(type, value)):
        for item in value:
            if type(item) not in SCALARS and (type(item) is not tuple or not _simple(item, depth + 1)):
                return False
    return len(value) != 2 or type(value[1]) is not bytes or type(value[0]) is not str


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
