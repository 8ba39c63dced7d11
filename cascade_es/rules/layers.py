"""Continuous effects in layers (613): what objects are, after everything that applies to them.

Base values come first (copiable values, layer 1); then every layer takes the effects that change
something in it, by timestamp, but an effect that depends on another waits for it (613.8).  An effect that
has begun to apply in one layer goes on in later ones, to the same objects, even if the ability that it
comes from has been removed meanwhile (613.6).

Everything here looks at the board while it is being made: a filter or a number of an effect sees the
values that the layers so far have given.  Nothing is kept between boards, and the order in which effects
are stored makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from cascade_es.rules.filters import amount_of, holds, objects
from cascade_es.rules.keywords import BASIC_LAND_TYPES
from cascade_es.values.mana import COLORS
from cascade_es.values.script import Ability, Amount, Changes, Static
from cascade_es.values.state import AbilityRef, Alteration, Characteristics, Obj

if TYPE_CHECKING:
    from cascade_es.rules.board import Board

LAYERS: Final = ("types", "colors", "abilities", "defining", "base", "modify", "switch")
"""Layers 4, 5, 6 and 7a to 7d (613.1, 613.4).  Copies (1) are in the base values; who controls what (2) is
settled in the state itself, by an event; nothing that scripts can say changes a text (3)."""

Own = tuple[AbilityRef, Ability, int]
"""An ability of an object, and the timestamp from which the object has it."""

Key = tuple[int, int, int, int, str]
"""An effect's timestamp, then what tells effects of one timestamp apart: the object whose ability it is, and
where the text of that stands.  Both halves of a Room, or a copy and its exception, count from 0."""


class Being:
    """One object's characteristics in the making."""

    __slots__ = ("abilities", "values")

    def __init__(self, base: Characteristics, abilities: tuple[Own, ...]) -> None:
        self.values = base
        self.abilities = abilities

    def copy(self) -> Being:
        """The same, to be changed by itself."""
        return Being(self.values, self.abilities)

    def change(self, **values: object) -> None:
        """Give it other values."""
        self.values = msgspec.structs.replace(self.values, **values)


class Continuous:
    """One continuous effect at work: where it comes from, when, and what it applies to once it has begun."""

    __slots__ = ("about", "alter", "begun", "controller", "key", "objects", "source", "static")

    def __init__(
        self,
        key: Key,
        source: int,
        controller: int,
        static: tuple[AbilityRef, Static] | None = None,
        alter: Alteration | None = None,
        objects: tuple[int, ...] = (),
        about: tuple[int, ...] = (),
    ) -> None:
        self.key = key
        self.source = source
        self.controller = controller
        self.static = static
        self.alter = alter
        self.objects = objects
        self.about = about
        self.begun = False

    @property
    def defining(self) -> bool:
        """Whether it comes from a characteristic-defining ability (604.3)."""
        return self.static is not None and self.static[1].defining


def changes_in(layer: str, c: Changes | Alteration, *, defining: bool) -> bool:
    """Whether something is changed in a layer."""
    if layer == "types":
        sets = c.set_types is not None or c.set_subtypes is not None or bool(c.name)
        return sets or bool(
            c.add_types or c.lose_types or c.add_supertypes or c.lose_supertypes or c.add_subtypes
        )
    if layer == "colors":
        return c.set_colors is not None or bool(c.add_colors)
    if layer == "abilities":
        gives = c.grants if isinstance(c, Alteration) else c.grant
        return bool(c.lose_all or c.gain or c.lose or gives or c.cant or c.must)
    if layer in ("defining", "base"):
        sets = c.base_power is not None or c.base_toughness is not None
        return sets and defining == (layer == "defining")
    if layer == "modify":
        return c.power not in (0, "0") or c.toughness not in (0, "0")
    return c.switch


@lru_cache(maxsize=4096)
def looks_at(static: Static) -> frozenset[str]:
    """The layers in which that is changed on which it depends what a static ability does, and to what."""
    c = static.changes
    numbers = (c.base_power, c.base_toughness, c.power, c.toughness)
    plain = all(n is None or (isinstance(n, str) and n.lstrip("+-").isdigit()) for n in numbers)
    if static.condition is not None or not plain:
        return frozenset(LAYERS)
    found: set[str] = set()
    waiting = [static.what] if static.what is not None else []
    while waiting:
        f = waiting.pop()
        waiting += f.any
        if f.same_name or f.targets or f.targets_only:
            return frozenset(LAYERS)
        if f.types or f.all_types or f.not_types or f.supertypes or f.not_supertypes or f.name:
            found.add("types")
        if f.subtypes or f.not_subtypes:
            found.add("types")
        if f.colors or f.not_colors or f.shares_color:
            found.add("colors")
        if f.keywords or f.not_keywords:
            found.add("abilities")
        if f.power or f.toughness:
            found.update(LAYERS[3:])
    return frozenset(found)


def resolve(
    board: Board, ref: AbilityRef, changes: Changes, you: int, this: int, that: int = 0
) -> Alteration:
    """The changes of a static ability with their numbers as they are now; ``that`` is what is changed."""

    def number(amount: Amount) -> int:
        return amount_of(board, amount, you, this, that)

    return alteration(board, changes, this, number, lambda name: board.granted_by(ref.card, ref.face, name))


def alteration(
    board: Board,
    changes: Changes,
    this: int,
    number: Callable[[Amount], int],
    grant: Callable[[str], AbilityRef],
    control: int | None = None,
) -> Alteration:
    """What a text changes, with its numbers, its chosen words and the abilities that it grants."""
    base = changes.base_power, changes.base_toughness
    power, toughness = (None if amount is None else number(amount) for amount in base)
    return Alteration(
        control,
        changes.name or None,
        changes.set_types,
        changes.add_types,
        changes.lose_types,
        changes.add_supertypes,
        changes.lose_supertypes,
        _words(board, changes.set_subtypes, this),
        _words(board, changes.add_subtypes, this) or (),
        _words(board, changes.set_colors, this),
        _words(board, changes.add_colors, this) or (),
        changes.lose_all,
        changes.gain,
        changes.lose,
        tuple(grant(name) for name in changes.grant),
        power,
        toughness,
        number(changes.power),
        number(changes.toughness),
        changes.switch,
        changes.cant,
        changes.must,
    )


def _words(board: Board, words: tuple[str, ...] | None, this: int) -> tuple[str, ...] | None:
    """Words of the text; "chosen" stands for what was chosen as the source entered (614.12a)."""
    if words is None or "chosen" not in words:
        return words
    obj = board.find(this)
    chosen = obj.chosen if obj is not None else ()
    return tuple(item for word in words for item in (chosen if word == "chosen" else (word,)))


class Making:
    """The layers of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.beings: dict[int, Being] = {}
        self.effects: dict[Key, Continuous] = {}

    def run(self) -> None:
        """Apply all layers in order."""
        for layer in LAYERS:
            self._gather()
            waiting = [
                effect
                for effect in self.effects.values()
                if changes_in(layer, self._changes(effect), defining=effect.defining)
            ]
            # 613.3: within a layer, characteristic-defining abilities come first.
            self._apply_all(layer, [effect for effect in waiting if effect.defining])
            self._apply_all(layer, [effect for effect in waiting if not effect.defining])
            if layer == "modify":
                self._counters()

    # -------------------------------------------------------------------------------- gathering

    def _gather(self) -> None:
        """Find the effects there are now; an ability gained in one layer has its effect in the next ones."""
        for effect in self.board.state.game.effects:
            key: Key = (effect.stamp, 0, effect.id, 0, "")
            if key in self.effects:
                continue
            if effect.alter is not None:
                self.effects[key] = Continuous(
                    key, effect.source, effect.controller, None, effect.alter, effect.objects
                )
            elif effect.ability is not None:
                ability = self.board.ability(effect.ability)
                if isinstance(ability, Static):
                    static = (effect.ability, ability)
                    self.effects[key] = Continuous(
                        key, effect.source, effect.controller, static, about=effect.about
                    )
        for handle, obj, ref, static_ability, stamp in self.statics():
            key = (stamp, handle, ref.index, ref.face, str(ref.card.value))
            if key not in self.effects:
                self.effects[key] = Continuous(key, handle, obj.controller, (ref, static_ability))

    def statics(self) -> Iterator[tuple[int, Obj, AbilityRef, Static, int]]:
        """The static abilities that function now (113.6, 604.3)."""
        for handle, being in self.beings.items():
            obj = self.board.state.object(handle)
            for ref, ability, stamp in being.abilities:
                if isinstance(ability, Static) and (
                    ability.defining or obj.zone in (ability.zones or ("battlefield",))
                ):
                    # 613.7a: the later of the object's timestamp and that of what gave it the ability.
                    yield handle, obj, ref, ability, max(stamp, obj.stamp)

    def _changes(self, effect: Continuous) -> Changes | Alteration:
        if effect.static is not None:
            return effect.static[1].changes
        assert effect.alter is not None
        return effect.alter

    # ------------------------------------------------------------------------------ applying

    def _apply_all(self, layer: str, waiting: list[Continuous]) -> None:
        waiting.sort(key=lambda effect: effect.key)
        while waiting:
            chosen = self._next(layer, waiting) if len(waiting) > 1 else waiting[0]
            waiting.remove(chosen)
            self._apply(layer, chosen)
            if layer == "abilities" and self._gives(chosen):
                # An ability that is gained in this layer may itself change something in it (613.8c).
                known = set(self.effects)
                self._gather()
                new = [effect for key, effect in self.effects.items() if key not in known]
                waiting += [e for e in new if changes_in(layer, self._changes(e), defining=e.defining)]
                waiting.sort(key=lambda effect: effect.key)

    def _gives(self, effect: Continuous) -> bool:
        """Whether an effect gives objects abilities that are written out."""
        c = self._changes(effect)
        return bool(c.grants if isinstance(c, Alteration) else c.grant)

    def _next(self, layer: str, waiting: list[Continuous]) -> Continuous:
        """The earliest effect that depends on no other one; in a loop, the earliest (613.8b)."""
        for effect in waiting:
            others = [e for e in waiting if e is not effect and self._may_depend(layer, effect, e)]
            if not others:
                return effect
            before = self._footprint(effect)
            if not any(self._changed_by(layer, other, effect, before) for other in others):
                return effect
        return waiting[0]

    def _may_depend(self, layer: str, effect: Continuous, other: Continuous) -> bool:
        """Whether it is worth trying: what an effect looks at is changed in this layer, or it may be lost."""
        if effect.static is None:
            return False  # its set and its numbers have been fixed (611.2c–d)
        if layer in looks_at(effect.static[1]):
            return True
        c = self._changes(other)
        return c.lose_all if layer == "abilities" else layer == "types" and c.set_subtypes is not None

    def _changed_by(self, layer: str, other: Continuous, effect: Continuous, before: object) -> bool:
        """613.8a: whether applying another effect would change what this one is, does, or applies to."""
        saved = {handle: being.copy() for handle, being in self.beings.items()}
        begun, affected = other.begun, other.objects
        self._apply(layer, other)
        after = self._footprint(effect)
        other.begun, other.objects = begun, affected
        self.beings = saved
        return after != before

    def _footprint(self, effect: Continuous) -> object:
        if not self._exists(effect):
            return None
        affected = self._affected(effect)
        if self._each(effect):
            return affected, tuple(self._alteration(effect, handle) for handle in affected)
        return affected, self._alteration(effect)

    def _each(self, effect: Continuous) -> bool:
        """Whether its numbers are those of each object that it changes ("its mana value")."""
        if effect.static is None:
            return False
        c = effect.static[1].changes
        numbers = (c.base_power, c.base_toughness, c.power, c.toughness)
        return any(isinstance(amount, str) and amount.endswith(" of that") for amount in numbers)

    def _exists(self, effect: Continuous) -> bool:
        if effect.static is None or effect.begun:
            return True
        ref, static = effect.static
        if effect.key[1]:  # the ability of an object: does that still have it?
            being = self.beings[effect.source]
            if not any(own[0] == ref for own in being.abilities):
                return False
        if static.condition is None:
            return True
        return holds(self.board, static.condition, effect.controller, effect.source)

    def _affected(self, effect: Continuous) -> tuple[int, ...]:
        if effect.static is None or effect.begun:
            return effect.objects
        static = effect.static[1]
        if static.this or static.defining:
            return (effect.source,)
        if static.those:
            return effect.about
        if static.attached:
            host = self.board.state.object(effect.source).attached
            return (host,) if host > 0 else ()  # an Aura on a player changes no object
        if static.what is None:
            return ()
        return tuple(objects(self.board, static.what, effect.controller, effect.source))

    def _alteration(self, effect: Continuous, that: int = 0) -> Alteration:
        if effect.static is None:
            assert effect.alter is not None
            return effect.alter
        ref, static = effect.static
        return resolve(self.board, ref, static.changes, effect.controller, effect.source, that)

    def _apply(self, layer: str, effect: Continuous) -> None:
        if not self._exists(effect):
            return
        affected = self._affected(effect)
        effect.begun, effect.objects = True, affected
        if self._each(effect):
            each = [self._alteration(effect, handle) for handle in affected]  # all of them before any
        else:
            each = [self._alteration(effect)] * len(affected)
        for handle, alteration in zip(affected, each, strict=True):
            being = self.beings.get(handle)
            if being is None:
                if handle not in self.board.state.game.objects:
                    continue
                being = self.board.base(handle)  # a card in a zone that no effect had reached yet
                self.beings[handle] = being
            alter(self.board, being, layer, alteration, effect.key[0])

    def _counters(self) -> None:
        for handle, being in self.beings.items():
            add_counters(being, self.board.state.object(handle))


def add_counters(being: Being, obj: Obj) -> None:
    """613.4c: what counters add to power and toughness."""
    if obj.counters and being.values.power is not None and being.values.toughness is not None:
        counters = dict(obj.counters)
        plus = counters.get("+1/+1", 0) - counters.get("-1/-1", 0)
        being.change(power=being.values.power + plus, toughness=being.values.toughness + plus)


def define(board: Board, being: Being, alteration: Alteration, stamp: int) -> None:
    """What a characteristic-defining ability makes of its own object, in any zone (604.3)."""
    for layer in LAYERS[:4]:
        if changes_in(layer, alteration, defining=True):
            alter(board, being, layer, alteration, stamp)


def alter(board: Board, being: Being, layer: str, a: Alteration, stamp: int) -> None:
    """Change an object as an effect says, in one layer."""
    v = being.values
    if layer == "types":
        _alter_types(being, a)
    elif layer == "colors":
        colors = set(a.set_colors if a.set_colors is not None else v.colors) | set(a.add_colors)
        being.change(colors=tuple(color for color in COLORS if color in colors))
    elif layer == "abilities":
        keywords = () if a.lose_all else tuple(word for word in v.keywords if word not in a.lose)
        kept = () if a.lose_all else being.abilities
        being.abilities = kept + tuple((ref, board.ability(ref), stamp) for ref in a.grants)
        being.change(keywords=keywords + a.gain, cant=_with(v.cant, a.cant), must=_with(v.must, a.must))
    elif layer in ("defining", "base"):
        power = v.power if a.base_power is None else a.base_power
        toughness = v.toughness if a.base_toughness is None else a.base_toughness
        being.change(power=power, toughness=toughness)
    elif layer == "modify":
        if v.power is not None and v.toughness is not None:
            being.change(power=v.power + a.power, toughness=v.toughness + a.toughness)
    else:
        being.change(power=v.toughness, toughness=v.power)


def _alter_types(being: Being, a: Alteration) -> None:
    v = being.values
    types = tuple(word for word in (v.types if a.set_types is None else a.set_types))
    types = tuple(word for word in _with(types, a.add_types) if word not in a.lose_types)
    subtypes = v.subtypes if a.set_subtypes is None else a.set_subtypes
    if a.set_types is not None and a.set_subtypes is None and not set(types) & set(v.types):
        subtypes = ()  # 205.1a: subtypes go with the types that they belong to
    if a.set_subtypes is not None and "land" in v.types and set(a.set_subtypes) <= set(BASIC_LAND_TYPES):
        # 305.7: a land whose subtypes are set to basic land types loses what its rules text gave it.
        being.abilities = ()
        being.change(keywords=())
    being.change(
        name=a.name or being.values.name,
        types=types,
        subtypes=_with(subtypes, a.add_subtypes),
        supertypes=tuple(
            word for word in _with(v.supertypes, a.add_supertypes) if word not in a.lose_supertypes
        ),
    )


def _with(words: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return words + tuple(word for word in more if word not in words)


def _overridden(ability: Ability, a: Alteration) -> bool:
    """Whether an ability defines nothing but characteristics that an exception sets."""
    if not isinstance(ability, Static) or not ability.defining:
        return False
    c = ability.changes
    defined = {layer for layer in LAYERS if changes_in(layer, c, defining=True)}
    given = set()
    if a.set_colors is not None:
        given.add("colors")
    if (a.set_subtypes is not None or (c.set_subtypes is None and not c.add_subtypes)) and (
        a.set_types is not None or (c.set_types is None and not c.add_types)
    ):
        given.add("types")
    if (a.base_power is not None or c.base_power is None) and (
        a.base_toughness is not None or c.base_toughness is None
    ):
        given.add("defining")
    return bool(defined) and defined <= given


def except_for(board: Board, being: Being, a: Alteration, stamp: int) -> None:
    """Copiable exceptions of a copy effect (707.9): all that they say, at once.

    What they set is set: an ability of the original that defines it is not copied (707.9d).
    """
    being.abilities = tuple(own for own in being.abilities if not _overridden(own[1], a))
    for layer in LAYERS[:3]:
        if changes_in(layer, a, defining=False):
            alter(board, being, layer, a, stamp)
    if a.base_power is not None or a.base_toughness is not None:
        alter(board, being, "base", a, stamp)
