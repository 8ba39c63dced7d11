"""Every commitment of a log by its place, and what may stand beside a payload to open them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final

import msgpack

from cascade_es.log.codec import BUFFER, CODEC_ERRORS, Flaw, line_of, rich, unpack
from cascade_es.values.facts import EVERYONE, SALT_BYTES, commitment

__all__ = [
    "DIGEST_BYTES",
    "HASH_BYTES",
    "OpeningRow",
    "Place",
    "Places",
    "SealedRow",
    "check_definitions",
    "definition_digest",
]

DIGEST_BYTES: Final = 16
HASH_BYTES: Final = 32

Place = tuple[int, int]
"""Where a fact is sealed: a frame, and an ordinal within it."""


def definition_digest(content: bytes) -> bytes:
    """The 16 bytes that stand for a card's definition.

    >>> definition_digest(b"Forest").hex()
    '8f6a6cf3851429702c5e8953598c918a'
    """
    return hashlib.sha256(b"cascade-es definition\x00" + content).digest()[:DIGEST_BYTES]


SealedRow = tuple[int, int, int, bytes]
"""A sealed fact as it is written: frame, ordinal, audience, commitment."""

OpeningRow = tuple[int, int, bytes, bytes]
"""An opening as it is written: frame, ordinal, salt, content."""


class Places:
    """Every commitment in a log by its place, and the values of those that were opened.

    Reader and writer share it, so that nothing is written that would not be read.  Both steps check
    first and change nothing: what they return is entered by :meth:`enter` once the frame stands.
    """

    __slots__ = ("_pack", "_read", "committed", "log_id", "values")

    def __init__(self, log_id: bytes) -> None:
        self._pack = msgpack.Packer(use_bin_type=True, buf_size=BUFFER).pack
        self._read: dict[bytes, Any] = {}
        self.log_id = log_id
        self.committed: dict[Place, bytes] = {}
        self.values: dict[Place, Any] = {}

    def sealed(self, frame: int, facts: Iterable[SealedRow]) -> dict[Place, bytes]:
        """The commitments that this frame adds; ``facts`` are its sealed facts as they appear.

        Raises:
            Flaw: of the kind ``"ordinal"``.
        """
        fresh: dict[Place, bytes] = {}
        count = 0
        for at, ordinal, audience, mark in facts:
            place = (at, ordinal)
            if len(mark) != HASH_BYTES or audience < EVERYONE:
                raise Flaw("ordinal", f"the fact sealed at {at}.{ordinal} has no commitment or audience")
            if at == frame and ordinal == count:
                fresh[place] = mark
                count += 1
            elif (fresh.get(place) or self.committed.get(place)) != mark:
                wanted = f"the next fact sealed here would be {frame}.{count}"
                if place in fresh or place in self.committed:
                    wanted = "another commitment stands at that place"
                raise Flaw("ordinal", f"a sealed fact claims the place {at}.{ordinal}, but {wanted}")
        return fresh

    def opened(
        self, openings: Iterable[OpeningRow], fresh: dict[Place, bytes], *, decode: bool = True
    ) -> dict[Place, Any]:
        """The values that these openings give, by place.

        A writer, who has just committed to these very bytes and only checks that they are, does not
        decode them, and does not keep them.

        Raises:
            Flaw: of the kind ``"opening"``: of nothing, wrong, or given twice.
        """
        values: dict[Place, Any] = {}
        committed, log_id, read = self.committed, self.log_id, self._read
        for frame, ordinal, salt, content in openings:
            place = (frame, ordinal)
            mark = fresh.get(place) or committed.get(place)
            if mark is None:
                raise Flaw("opening", f"it opens {frame}.{ordinal}, where nothing is sealed")
            if place in values:
                raise Flaw("opening", f"it opens {frame}.{ordinal} twice")
            # Of fixed length, or bytes could be moved between the salt and the content.
            if len(salt) != SALT_BYTES or commitment(log_id, frame, ordinal, salt, content) != mark:
                raise Flaw("opening", f"the opening of {frame}.{ordinal} does not fit the commitment")
            if not decode:
                values[place] = content
            elif content in read:  # most cards are sealed more than once, and their values never change
                values[place] = read[content]
            else:
                values[place] = read[content] = self._value(content, place)
        return values

    def _value(self, content: bytes, place: Place) -> Any:
        try:
            raw = unpack(content)
            value = rich(raw)
        except (*CODEC_ERRORS, Flaw) as error:
            what = f"the opening of {place[0]}.{place[1]} holds no value: {line_of(error)}"
            raise Flaw("opening", what) from None
        if self._pack(raw) != content:
            raise Flaw("opening", f"the opening of {place[0]}.{place[1]} is not in the shortest encoding")
        return value

    def enter(self, fresh: dict[Place, bytes], values: dict[Place, Any] | None = None) -> None:
        """Keep what :meth:`sealed` and :meth:`opened` found."""
        self.committed.update(fresh)
        if values:
            self.values.update(values)


def check_definitions(definitions: Iterable[tuple[bytes, bytes]]) -> None:
    """See that each digest is that of its bytes.

    Raises:
        Flaw: of the kind ``"definition"``.
    """
    for digest, content in definitions:
        if digest != definition_digest(content):
            raise Flaw("definition", f"the definition {digest.hex()} is not what its digest says")
