"""What ``verify`` holds a log against: a kept head, the log it is a fork of, a disclosure."""

from __future__ import annotations

from typing import Any

from cascade_es.errors import CascadeError
from cascade_es.fork import compare_with_parent
from cascade_es.log import Log, read_disclosure, salvage
from cascade_es.log.heads import compare, read_head
from cascade_es.log.signatures import is_signed_by, read_public
from cascade_es.replay import Replay
from cascade_es.stores import bytes_at, redacted
from cascade_es.views.sealed import Sealed, sealed_facts


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


def proved(log: str, disclosed: str) -> list[dict[str, Any]]:
    """What a disclosure opens of a log that was found good with it, one item a fact.

    Raises:
        InputError, Damaged: as reading the two does.
    """
    places = {f"{frame}.{ordinal}" for frame, ordinal in read_disclosure(disclosed).places}
    found = (fact for fact in sealed_facts(Replay.open(log, disclosed)) if fact.place in places)
    return [_item(disclosed, "proved", _proof(fact), True) for fact in found]


def _proof(fact: Sealed) -> str:
    first = f"event {fact.event}, {fact.what}" if fact.event else fact.what
    # The seed and the key have no value here: that the file has the right one is all that is said of them.
    return f"{fact.place} ({first}) is {'what the file says' if fact.value is None else fact.text}"


def _item(what: str, word: str, detail: str, good: bool) -> dict[str, Any]:
    return {"what": what, "word": word, "detail": detail, "good": good}
