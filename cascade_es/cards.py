"""Cards: their definitions by name, and by digest as logs pin them.

A definition is a script of ours (:mod:`cascade_es.values.script`).  Its bytes are canonical JSON;
its digest names it in a log, so a game keeps being played with the text it began with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from cascade_es.errors import InputError
from cascade_es.values.facts import CardRef
from cascade_es.values.script import Ability, Definition, Face, Replacement, Static, Triggered, face_at

DIGEST_BYTES: Final = 16


def definition_bytes(definition: Definition) -> bytes:
    """The canonical bytes of a definition: JSON with fields in a fixed order, defaults left out."""
    return msgspec.json.encode(definition, order="deterministic")


def digest(content: bytes) -> bytes:
    """The 16 bytes that name a definition."""
    return hashlib.sha256(b"cascade-es definition\x00" + content).digest()[:DIGEST_BYTES]


class Card(msgspec.Struct, frozen=True, dict=True):
    """A definition with its reference and its canonical bytes."""

    definition: Definition

    @cached_property
    def content(self) -> bytes:
        """The canonical bytes."""
        return definition_bytes(self.definition)

    @cached_property
    def ref(self) -> CardRef:
        """How events and states name the card."""
        return CardRef(self.definition.name, digest(self.content))


class Cards:
    """The definitions of one game.  It only grows, and what is in it never changes.

    >>> from cascade_es.values.script import Face
    >>> cards = Cards([Card(Definition(name="Forest", faces=(Face(name="Forest", type_line="Land"),)))])
    >>> cards.named("Forest").ref.name
    'Forest'
    """

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        self._by_digest: dict[bytes, Definition] = {}
        self._by_name: dict[str, Card] = {}
        self._sorts_on: dict[bytes, frozenset[type[Ability]]] = {}
        self._static_zones: dict[tuple[bytes, int], tuple[str, ...]] = {}
        self._replaces: dict[bytes, bool] = {}
        self.sorts: dict[type[Ability], None] = {}
        """The sorts of abilities on all cards here: what is on none, nobody needs to look for."""
        self._trigger_zones: dict[tuple[bytes, int], tuple[str, ...]] = {}
        self._listened: tuple[int, frozenset[str]] = (0, frozenset())
        self.memo: dict[tuple[str, bytes, int, int], Any] = {}
        """What the rules have worked out of a definition alone: its kind, for which face and X."""
        for card in cards:
            self.add(card)

    def add(self, card: Card) -> None:
        """Take a card in; a second one of the same name does not replace the first."""
        self._by_digest.setdefault(card.ref.digest, card.definition)
        for face in card.definition.faces:
            self.sorts.update(dict.fromkeys(_sorts(face)))
        self._by_name.setdefault(card.definition.name, card)

    def named(self, name: str) -> Card:
        """The card of this name.

        Raises:
            InputError: when there is none.
        """
        try:
            return self._by_name[name]
        except KeyError:
            raise InputError(
                f"no definition of a card named '{name}' is loaded; add it to the game"
            ) from None

    def definition(self, ref: CardRef) -> Definition:
        """The definition that a reference pins.

        Raises:
            InputError: when it is not here.
        """
        try:
            return self._by_digest[ref.digest]
        except KeyError:
            raise InputError(
                f"the definition of '{ref.name}' is not in the log; ask for a full copy of it"
            ) from None

    def static_zones(self, ref: CardRef, face: int) -> tuple[str, ...]:
        """The zones in which a face has a static ability that functions there; worked out once."""
        key = (ref.digest, face)
        found = self._static_zones.get(key)
        if found is None:
            text = face_at(self.definition(ref), face)
            zones: dict[str, None] = {}
            for ability in (*text.abilities, *text.granted):
                if isinstance(ability, Static):
                    # A defining ability matters to others only where layers are made at all.
                    zones.update(dict.fromkeys(ability.zones or ("battlefield",)))
            found = self._static_zones[key] = tuple(zones)
        return found

    def replaces(self, ref: CardRef) -> bool:
        """Whether anything on a card is or grants a replacement effect, or has counters to start with."""
        found = self._replaces.get(ref.digest)
        if found is None:
            found = any(_replaces(face) for face in self.definition(ref).faces)
            self._replaces[ref.digest] = found
        return found

    def trigger_zones(self, ref: CardRef, face: int) -> tuple[str, ...]:
        """The zones that a face names for its triggered abilities (113.6b); worked out once."""
        key = (ref.digest, face)
        found = self._trigger_zones.get(key)
        if found is None:
            definition = self.definition(ref)
            # A fused split spell (-1) is both of its halves.
            faces = (face_at(definition, face),) if face >= 0 else definition.faces
            abilities = [item for text in faces for item in text.abilities]
            zones = [zone for item in abilities if isinstance(item, Triggered) for zone in item.zones]
            found = self._trigger_zones[key] = tuple(dict.fromkeys(zones))
        return found

    def listened(self) -> frozenset[str]:
        """Every event that an ability of any of these cards triggers on: nothing else is worth a look."""
        if self._listened[0] != len(self._by_digest):
            faces = [face for item in self._by_digest.values() for face in item.faces]
            faces += [token for face in faces for token in face.tokens]
            names = {
                name
                for face in faces
                for ability in (*face.abilities, *face.granted)
                if isinstance(ability, Triggered)
                for name in (ability.when.event, *ability.when.also)
            }
            self._listened = (len(self._by_digest), frozenset(names))
        return self._listened[1]

    def sorts_on(self, ref: CardRef) -> frozenset[type[Ability]]:
        """The sorts of abilities on one card; worked out once."""
        found = self._sorts_on.get(ref.digest)
        if found is None:
            faces = self.definition(ref).faces
            found = self._sorts_on[ref.digest] = frozenset(sort for face in faces for sort in _sorts(face))
        return found

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted(self._by_name))

    def contents(self) -> tuple[tuple[bytes, bytes], ...]:
        """Digest and bytes of every definition, by digest."""
        return tuple(sorted((item, definition_bytes(found)) for item, found in self._by_digest.items()))


def _sorts(face: Face) -> Iterator[type[Ability]]:
    for ability in (*face.abilities, *face.granted):
        yield type(ability)
    for token in face.tokens:
        yield from _sorts(token)


def _replaces(face: Face) -> bool:
    if face.loyalty is not None or "Saga" in face.type_line or any(_replaces(token) for token in face.tokens):
        return True
    return any(isinstance(ability, Replacement) for ability in (*face.abilities, *face.granted))


def parse_definition(content: bytes) -> Definition:
    """A definition from its canonical bytes.

    Raises:
        ValueError: when they are none.
    """
    try:
        return msgspec.json.decode(content, type=Definition)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not a card definition: {error}") from None
