"""The game as the rules look at it: a state, the cards' definitions, and the edition in force.

All rules read one function, :meth:`Board.characteristics`.  A board never changes anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

from cascade_es.cards import Cards
from cascade_es.editions import Edition
from cascade_es.errors import InputError
from cascade_es.evolve import HIDDEN
from cascade_es.rules.keywords import BASIC_LAND_TYPES, REPLACING, TRIGGERED, instances
from cascade_es.rules.layers import Being, Making, add_counters, define, except_for, resolve
from cascade_es.rules.printed import FACE_DOWN, face_at, part_values, plain_values, text_faces
from cascade_es.values.facts import EVERYONE, NOTHING, CardRef, Fact, Secrets, sees
from cascade_es.values.script import (
    Ability,
    Activated,
    AddMana,
    Definition,
    Draw,
    Face,
    ForEach,
    If,
    May,
    Operation,
    Pay,
    PayLoyalty,
    Search,
    Shuffle,
    Static,
    Target,
    Text,
    Triggered,
)
from cascade_es.values.state import AbilityRef, Base, Characteristics, Choices, Game, Obj, State

NOBODY: Final = Secrets(b"", b"", b"")


class Context(msgspec.Struct, frozen=True):
    """What stays the same through a game: the edition of the rules, the cards, the recorder's secrets."""

    edition: Edition
    cards: Cards
    secrets: Secrets = NOBODY

    def number(self, concept: str) -> str:
        """What the game's edition calls a rule."""
        return self.edition.number(concept)


def every_operation(block: tuple[Operation, ...]) -> Iterator[Operation]:
    """The operations of a script, those inside others included."""
    for operation in block:
        yield operation
        if isinstance(operation, If | May | Pay | ForEach):
            yield from every_operation(operation.then)
        if isinstance(operation, If | May | Pay):
            yield from every_operation(operation.otherwise)


def ability_at(face: Face, index: int) -> Ability:
    """An ability of a face by index; beyond them come those that its effects grant or create.

    Raises:
        InputError: when there is none.
    """
    if 0 <= index < len(face.abilities):
        return face.abilities[index]
    if not 0 <= index - len(face.abilities) < len(face.granted):
        raise InputError(f"'{face.name}' has no ability {index}; verify the log")
    return face.granted[index - len(face.abilities)]


_DECIDING: Final = tuple(
    name for name in Game.__struct_fields__ if name not in ("frames", "pending", "pause")
)


class Board:
    """One state, seen with the cards' definitions."""

    __slots__ = ("_beings", "_known", "_making", "ctx", "notes", "state")

    def __init__(self, ctx: Context, state: State) -> None:
        self.ctx = ctx
        self.state = state
        self._known: dict[int, Characteristics] = {}
        self._beings: dict[int, Being] | None = None
        self._making: Making | None = None
        self.notes: dict[str, Any] = {}

    def then(self, state: State) -> Board:
        """The board of a later state; what objects are is not worked out anew if nothing could change it.

        It depends on everything in the game but on what is going on there: the running procedures, the
        abilities that wait, the choices that are made first.
        """
        board = Board(self.ctx, state)
        old, new = self.state.game, state.game
        if self._making is None and all(getattr(old, name) is getattr(new, name) for name in _DECIDING):
            board._known, board._beings = self._known, self._beings
        return board

    # ------------------------------------------------------------------------------- objects

    def find(self, handle: int) -> Obj | None:
        """The object as it is, or as it last was in a public zone (608.2h), or None."""
        obj = self.state.game.objects.get(handle)
        if obj is None:
            last = self.state.game.last_known.get(handle)
            return last.object if last is not None else None
        return obj

    def definition(self, obj: Obj) -> Definition | None:
        """The definition of a card that we know."""
        if obj.zone == "hand" and not sees(obj.card.audience, obj.owner):
            return None  # 121.8: drawn in the middle of a cast, it is face down and has no characteristics
        ref = obj.ref
        return None if ref is None else self.ctx.cards.definition(ref)

    def face(self, obj: Obj) -> Face | None:
        """The face, half or part that an object is on the stack or the battlefield."""
        home = self.home(obj)
        if home is None:
            return None
        card, face = home
        assert isinstance(card.value, CardRef)
        return face_at(self.ctx.cards.definition(card.value), face)

    def home(self, obj: Obj) -> tuple[Fact, int] | None:
        """The card and face that an object's text is written on: its own, or those it copies (707.2)."""
        base = self.copying(obj)
        if base is not None:
            return (base.card, base.face) if isinstance(base.card.value, CardRef) else None
        return None if self.definition(obj) is None else (obj.card, obj.face)

    def copying(self, obj: Obj) -> Base | None:
        """What an object copies: by the latest effect that lasts, or for good (707.2, 613.2c)."""
        for effect in reversed(self.state.game.effects):
            if effect.base is not None and obj.id in effect.objects and obj.id in self.state.game.objects:
                return effect.base
        return obj.base

    def granted(self, ref: AbilityRef, name: str) -> AbilityRef:
        """The ability of this name that the text of an ability grants or creates."""
        assert isinstance(ref.card.value, CardRef)
        return self.granted_by(ref.card, ref.face, name)

    def granted_by(self, card: Fact, face: int, name: str) -> AbilityRef:
        """The ability of this name among those that a face grants or creates.

        Raises:
            InputError: when the face has none.
        """
        assert isinstance(card.value, CardRef)
        found = face_at(self.ctx.cards.definition(card.value), face)
        for index, ability in enumerate(found.granted):
            if ability.name == name:
                return AbilityRef(card, face, len(found.abilities) + index)
        raise InputError(f"'{found.name}' grants nothing called '{name}'; mend its script")

    def characteristics(self, handle: int) -> Characteristics:
        """What an object is now, or was when it last existed in a public zone."""
        known = self._known.get(handle)
        if known is None:
            obj = self.state.game.objects.get(handle)
            if obj is not None:
                being = self._being(handle)
                if self._making is not None:
                    return being.values  # not yet what it will be
                known = being.values
            else:
                last = self.state.game.last_known.get(handle)
                known = last.was if last is not None else Characteristics()
            self._known[handle] = known
        return known

    def _being(self, handle: int) -> Being:
        """An object with everything that applies to it, or has so far while the layers are being made."""
        if self._making is not None:
            return self._making.beings.get(handle) or self.base(handle)
        if self._beings is None:
            self._beings = self._layered()
        being = self._beings.get(handle)
        if being is None:
            being = self._beings[handle] = self.base(handle)
            own = [a for a in being.abilities if isinstance(a[1], Static) and a[1].defining]
            for ref, ability, stamp in own:
                assert isinstance(ability, Static)
                # 604.3: it works in every zone.
                you = self.state.object(handle).you
                define(self, being, resolve(self, ref, ability.changes, you, handle), stamp)
            add_counters(being, self.state.object(handle))
        return being

    def _layered(self) -> dict[int, Being]:
        """What continuous effects make of objects; without any there is nothing to work out."""
        game = self.state.game
        statics = Static in self.ctx.cards.sorts and any(map(self.may_affect, self._public()))
        if not game.effects and not statics:
            return {}
        self._making = Making(self)
        try:
            for handle in self._public():
                obj = self.state.object(handle)
                if obj.zone in ("battlefield", "stack") or self.may_affect(handle):
                    with suppress(InputError):  # a copy of the log may lack what others may not know
                        self._making.beings[handle] = self.base(handle)
            self._making.run()
            return self._making.beings
        finally:
            self._making = None

    def _public(self) -> Iterator[int]:
        """Objects whose static abilities may function."""
        game = self.state.game
        yield from game.battlefield
        yield from game.stack
        for player in game.players:
            yield from player.graveyard
        yield from game.exile
        yield from game.command

    def may_affect(self, handle: int) -> bool:
        """Whether the text of an object has a static ability that may function where the object is."""
        obj = self.state.game.objects[handle]
        if obj.kind == "ability":
            return False
        base = self.copying(obj)
        if base is not None and any(change.grants for change in base.changes):
            return True
        home = self.home(obj)
        if home is None:
            return False
        assert isinstance(home[0].value, CardRef)
        try:
            faces = text_faces(self.ctx.cards.definition(home[0].value), home[1], obj)
            return any(obj.zone in self.ctx.cards.static_zones(home[0].value, face) for face in faces)
        except InputError:
            return False  # as above

    def base(self, handle: int) -> Being:
        """An object as it is before any continuous effect but copy effects (layer 1)."""
        obj = self.state.object(handle)
        home = None if obj.kind == "ability" else self.home(obj)
        if obj.face_down and obj.zone in ("stack", "battlefield"):
            return Being(FACE_DOWN, ())  # whatever card it is, and whoever knows it (708.2)
        being = Being(Characteristics(), ())
        if home is not None:
            card, face = home
            assert isinstance(card.value, CardRef)
            being = Being(
                plain_values(self.ctx, card.value, face, obj),
                tuple(self._printed_abilities(card, face, obj)),
            )
        copied = self.copying(obj)
        for change in copied.changes if copied is not None else ():
            except_for(self, being, change, obj.stamp)
        return being

    def _printed_abilities(
        self, card: Fact, face: int, obj: Obj
    ) -> Iterator[tuple[AbilityRef, Ability, int]]:
        """The abilities of the faces of which an object has the text, with its timestamp."""
        assert isinstance(card.value, CardRef)
        definition = self.ctx.cards.definition(card.value)
        for index in text_faces(definition, face, obj):
            for number, ability in enumerate(face_at(definition, index).abilities):
                yield AbilityRef(card, index, number), ability, obj.stamp

    def part(self, ref: CardRef, part: int) -> Characteristics:
        """What a card would be as a spell, cast as one of its parts (601.3e)."""
        return part_values(self.ctx.cards.definition(ref), part)

    def name(self, handle: int) -> str:
        """A name for people: the object's, its card's, or what it is."""
        obj = self.find(handle)
        if obj is None:
            return f"object {handle}"
        if obj.kind == "ability":
            return self.ability_name(obj)
        known = self.characteristics(handle).name
        if not known and not obj.face_down and (definition := self.definition(obj)) is not None:
            known = definition.name  # a Room with no unlocked door has none
        return known or "a card"

    def open_name(self, handle: int) -> str:
        """A name that anybody may hear: what an object in a hidden zone is does not get into a reason."""
        obj = self.state.game.objects.get(handle)
        if obj is not None and obj.zone in HIDDEN and obj.card.audience != EVERYONE:
            return "that card"
        return self.name(handle)

    def ability_name(self, obj: Obj) -> str:
        """A name for an ability on the stack: its keyword, or its source's name."""
        if obj.ability is not None and obj.ability.keyword:
            return obj.ability.keyword
        source = self.find(obj.source)
        if source is None or source.kind == "ability":
            return f"ability of object {obj.source}" if obj.source and source is None else "ability"
        return f"ability of {self.name(obj.source)}"

    # ----------------------------------------------------------------------------- abilities

    def abilities(self, handle: int) -> tuple[tuple[AbilityRef, Ability], ...]:
        """The activated and triggered abilities of an object, printed ones first."""
        obj = self.find(handle)
        if obj is None or obj.kind == "ability":
            return ()
        found: list[tuple[AbilityRef, Ability]] = []
        if obj.id in self.state.game.objects:
            found = [(ref, ability) for ref, ability, _ in self._being(handle).abilities]
        elif (home := self.home(obj)) is not None:
            found = [(ref, ability) for ref, ability, _ in self._printed_abilities(*home, obj)]
        characteristics = self.characteristics(handle)
        for keyword in instances(characteristics.keywords):
            if keyword in TRIGGERED:
                # 702.85c: each instance is an ability of its own.
                found.append((AbilityRef(NOTHING, 0, len(found), keyword), TRIGGERED[keyword]))
        if "land" in characteristics.types:
            for subtype in characteristics.subtypes:
                if subtype in BASIC_LAND_TYPES:
                    found.append((AbilityRef(NOTHING, 0, len(found), subtype), BASIC_LAND_TYPES[subtype]))
        return tuple(found)

    def ability(self, ref: AbilityRef) -> Ability:
        """The text of an ability."""
        if ref.keyword in TRIGGERED:
            return TRIGGERED[ref.keyword]
        if ref.keyword in BASIC_LAND_TYPES:
            return BASIC_LAND_TYPES[ref.keyword]
        if ref.keyword in REPLACING:
            return REPLACING[ref.keyword]
        if not ref.card.known:
            raise InputError("the card of an ability is sealed to this copy; ask for a full copy of the log")
        if ref.keyword or not isinstance(ref.card.value, CardRef):
            raise InputError(f"there is no ability '{ref.keyword}'; verify the log")
        return ability_at(face_at(self.ctx.cards.definition(ref.card.value), ref.face), ref.index)

    def text(self, obj: Obj) -> Text:
        """What a spell or ability on the stack does when it resolves."""
        if obj.ability is not None:
            ability = self.ability(obj.ability)
            return ability.text if isinstance(ability, Activated | Triggered) else Text()
        face = self.face(obj)
        if face is None:
            return Text()
        if face.enchant is not None:
            # 303.4a: an Aura spell requires a target, which its enchant ability restricts.
            return Text(targets=(Target(what=face.enchant),))
        return face.spell or Text()

    def is_mana_ability(self, ability: Ability) -> bool:
        """605.1a: no target, could add mana; since 2026-08-07 nothing moves to or from a library."""
        if not isinstance(ability, Activated) or ability.text.targets or ability.text.modes:
            return False
        if any(isinstance(part, PayLoyalty) for part in ability.cost):
            return False  # a loyalty ability never is one
        operations = tuple(every_operation(ability.text.do))
        if not any(isinstance(operation, AddMana) for operation in operations):
            return False
        touches = any(isinstance(operation, Draw | Search | Shuffle) for operation in operations)
        return not (touches and self.ctx.edition.has("library-mana-abilities-excluded"))

    # -------------------------------------------------------------------------------- players

    def seats(self) -> tuple[int, ...]:
        """The seats still in the game, in turn order from the active player (APNAP, 101.4)."""
        players = self.state.game.players
        active = self.state.game.turn.active
        order = [(active + step) % len(players) for step in range(len(players))]
        return tuple(seat for seat in order if not players[seat].lost)

    def next_seat(self, seat: int) -> int:
        """The next player in turn order who is still in the game."""
        players = self.state.game.players
        for step in range(1, len(players) + 1):
            candidate = (seat + step) % len(players)
            if not players[candidate].lost:
                return candidate
        return seat

    def choices(self, handle: int) -> Choices:
        """What was announced for an object on the stack (or for a permanent when it was cast)."""
        obj = self.find(handle)
        return obj.choices if obj is not None and obj.choices is not None else Choices()

    def triggered(self, handle: int) -> tuple[tuple[AbilityRef, Triggered], ...]:
        """The triggered abilities of an object."""
        return tuple((ref, item) for ref, item in self.abilities(handle) if isinstance(item, Triggered))

    def activated(self, handle: int) -> tuple[tuple[AbilityRef, Activated], ...]:
        """The activated abilities of an object, by their index among all its abilities."""
        return tuple((ref, item) for ref, item in self.abilities(handle) if isinstance(item, Activated))
