"""What ``verify`` holds a log against: a head that was kept elsewhere, and the log it is a fork of."""

from __future__ import annotations

from typing import Any

from cascade_es.errors import CascadeError
from cascade_es.fork import compare_with_parent
from cascade_es.log import Log, salvage
from cascade_es.log.heads import compare, read_head
from cascade_es.log.signatures import is_signed_by, read_public
from cascade_es.stores import bytes_at, redacted


class Against:
    """The things that one log is held against; they are read at once.

    Raises:
        InputError: when one of them cannot be read.
        Damaged: when not even the header of the parent can be read.
    """

    def __init__(self, head: str | None, key: str | None, parent: str | None) -> None:
        self._head = (head, read_head(head)) if head is not None else None
        self._key = (key, read_public(key)) if key is not None else None
        self._parent = self._read(parent) if parent is not None else None

    @staticmethod
    def _read(parent: str) -> tuple[str, Log]:
        name = redacted(parent)
        return name, salvage(bytes_at(parent), name)[0]

    def all(self, log: str) -> list[dict[str, Any]]:
        """What is found, each with ``what``, ``word``, ``detail`` and ``good``; damage is for others."""
        if self._head is None and self._parent is None:
            return []
        try:
            read, _, damage = salvage(bytes_at(log), redacted(log))
        except CascadeError:
            return []
        found = []
        if self._head is not None:
            name, head = self._head
            seen = compare(read, head, whole=damage is None)
            asked = self._key is not None or not head.signature
            unchecked = "" if asked else "; its signature was not checked: give --key"
            found.append(_item(name, seen.word, seen.detail + unchecked, seen.good))
            if self._key is not None:
                found.append(self._signature())
        if self._parent is not None:
            name, parent = self._parent
            fork = compare_with_parent(read, parent)
            found.append(_item(name, fork.word, fork.detail, fork.good))
        return found

    def _signature(self) -> dict[str, Any]:
        assert self._head is not None
        assert self._key is not None
        (name, head), (key, pem) = self._head, self._key
        if not head.signature:
            return _item(name, "unsigned", "the head has no signature", False)
        if not is_signed_by(head, pem):
            return _item(name, "bad-signature", f"the signature is not by {key}, or not for this", False)
        return _item(name, "signed", f"signed by {key}", True)


def _item(what: str, word: str, detail: str, good: bool) -> dict[str, Any]:
    return {"what": what, "word": word, "detail": detail, "good": good}
