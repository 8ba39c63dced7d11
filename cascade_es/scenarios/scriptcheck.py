"""What the types of the script language cannot say: words, numbers and references that mean something.

A misspelt reference would be found by nobody: the operation would simply do nothing.  So every word
of a script is checked when it is read, and named with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from cascade_es.errors import InputError
from cascade_es.rules.keywords import KEYWORDS
from cascade_es.rules.printed import SUPERTYPES, TYPES, cost_of, type_line
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.values import script as sc
from cascade_es.values.mana import COLORS

Path = tuple[str | int, ...]

PLAYERS: Final = ("you", "opponent", "each player", "each opponent", "that player")
OBJECTS: Final = ("target", "this", "that", "used", "attached")
PROPERTIES: Final = ("power", "toughness", "mana value")
OF_PLAYERS: Final = ("life", "cards in hand", "cards in library", "cards in graveyard")
COMPARISON: Final = re.compile(r"(<=|>=)?\d{1,4}")

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "types": TYPES,
    "all_types": TYPES,
    "not_types": TYPES,
    "supertypes": SUPERTYPES,
    "not_supertypes": SUPERTYPES,
    "colors": COLORS,
    "not_colors": COLORS,
    "keywords": tuple(sorted(KEYWORDS)),
}
"""The words that a field may have."""


class Wrong(Exception):
    """Something in a definition that means nothing, with the path to it."""

    def __init__(self, what: str, path: Path) -> None:
        super().__init__(what)
        self.what = what
        self.path = path


def check(definition: sc.Definition, *, flat: bool) -> None:
    """Check a whole definition; ``flat`` says that its one face is written without ``faces``.

    Raises:
        Wrong: naming the first thing that means nothing.
    """
    wanted = 1 if definition.layout in ("normal", "meld") else 2
    if len(definition.faces) not in (wanted, 2 if definition.layout == "meld" else wanted):
        raise Wrong(f"a card with layout '{definition.layout}' has {wanted} face(s)", ("faces",))
    for number, face in enumerate(definition.faces):
        _face(face, () if flat else ("faces", number))


def _face(face: sc.Face, path: Path) -> None:
    if not type_line(face.type_line)[1]:
        raise Wrong(f"'{face.type_line}' names no card type", (*path, "type_line"))
    has_x = _mana(face.mana_cost, (*path, "mana_cost"))
    costs = [cost for extra in face.additional_costs for cost in (extra.cost, *extra.either)]
    for cost in costs:
        has_x = _costs(cost, (*path, "additional_costs")) or has_x
    if any(extra.optional and not extra.name for extra in face.additional_costs):
        raise Wrong("an optional cost needs a name, so that it can be declared", (*path, "additional_costs"))
    names = {extra.name for extra in face.additional_costs if extra.name}
    _words(face, path)
    if face.spell is not None:
        _text(face.spell, (*path, "spell"), has_x, names)
    named = [ability.name for ability in face.granted]
    for field in ("abilities", "granted"):
        for index, ability in enumerate(getattr(face, field)):
            here = (*path, field, index)
            if field == "granted" and (not ability.name or named.count(ability.name) > 1):
                raise Wrong("a granted ability needs a name of its own, so that effects can call it", here)
            _ability(ability, here, has_x, names)
    for index, token in enumerate(face.tokens):
        _face(token, (*path, "tokens", index))
    _granted(face, path, named)


def _ability(ability: sc.Ability, path: Path, has_x: bool, names: set[str]) -> None:
    # An ability of a permanent may ask for the X with which it was cast (107.3m).
    if isinstance(ability, sc.Activated):
        x = _costs(ability.cost, (*path, "cost"))
        _text(ability.text, (*path, "text"), x or has_x, names)
    elif isinstance(ability, sc.Triggered):
        _text(ability.text, (*path, "text"), has_x, names)
    elif isinstance(ability, sc.Permission):
        _permission(ability, path)
    elif isinstance(ability, sc.Prohibition) and ability.more_than:
        _number(ability.more_than, (*path, "more_than"), False, ())


def _permission(ability: sc.Permission, path: Path) -> None:
    """A permission must say what is allowed, and from where."""
    somewhere = ability.from_ is not None or ability.this or ability.those or ability.linked
    if not ability.allow and not ability.knowing:
        raise Wrong("say what is allowed, or what may be known", path)
    if ability.allow in ("cast", "play", "play land") and not somewhere:
        raise Wrong("say from where: 'from', 'this', 'those' or 'linked'", path)
    if ability.knowing and ability.from_ not in (None, "library"):
        raise Wrong("only the top card of a library is known this way", (*path, "knowing"))


def _granted(face: sc.Face, path: Path, known: list[str]) -> None:
    """Every name of a granted ability or a token that an effect calls must be there."""
    tokens = [token.name for token in face.tokens]
    for record, here in _records(face, path):
        for field, names in (("grant", known), ("ability", known), ("token", tokens)):
            value = getattr(record, field, "")
            for name in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
                if isinstance(name, str) and name and name not in names:
                    raise Wrong(f"nothing is called '{name}' here{suggest(name, names)}", (*here, field))


def _mana(text: str | None, path: Path) -> bool:
    """Whether there is an X in a mana cost, which must be one."""
    if text is None:
        return False
    try:
        return bool(cost_of(text).variables)
    except InputError as error:
        raise Wrong(error.what, path) from None


def _costs(parts: tuple[sc.CostPart, ...], path: Path) -> bool:
    """Check components of a cost; whether there is an X in them."""
    has_x = False
    for index, part in enumerate(parts):
        here = (*path, index)
        if isinstance(part, sc.PayMana):
            has_x = _mana(part.mana, (*here, "mana")) or has_x
        for field in ("amount", "count"):
            value = getattr(part, field, None)
            if isinstance(value, str):
                _number(value, (*here, field), True, ())
                has_x = has_x or value == "X"
    return has_x


def _text(text: sc.Text, path: Path, has_x: bool, paid: set[str]) -> None:
    if text.modes and (text.do or text.targets):
        raise Wrong("a text has either modes or instructions of its own", path)
    for index, mode in enumerate(text.modes):
        here = (*path, "modes", index)
        _instructions(mode.targets, mode.do, here, has_x, bool(text.divide), paid)
    _number(text.choose, (*path, "choose"), False, ())
    if text.modes and not 1 <= int(text.choose) <= len(text.modes):
        raise Wrong(f"{text.choose} of {len(text.modes)} modes cannot be chosen", (*path, "choose"))
    if text.divide:
        _number(text.divide, (*path, "divide"), has_x, ())
    _instructions(text.targets, text.do, path, has_x, bool(text.divide), paid)


def _instructions(
    targets: tuple[sc.Target, ...],
    block: tuple[sc.Operation, ...],
    path: Path,
    has_x: bool,
    divides: bool,
    paid: set[str],
) -> None:
    for index, target in enumerate(targets):
        here = (*path, "targets", index)
        _number(target.count, (*here, "count"), has_x, ())
        if target.least:
            _number(target.least, (*here, "least"), False, ())
            if target.count.isdigit() and int(target.least) > int(target.count):
                raise Wrong(
                    f"at least {target.least} of at most {target.count} cannot be chosen", (*here, "least")
                )
        if target.paid and target.paid not in paid:
            raise Wrong(f"no optional cost is called '{target.paid}'", (*here, "paid"))
    _block(block, (*path, "do"), len(targets), has_x, divides, [])


def _block(
    block: tuple[sc.Operation, ...],
    path: Path,
    targets: int,
    has_x: bool,
    divides: bool,
    bound: list[str],
) -> None:
    for index, operation in enumerate(block):
        here = (*path, index)
        for field in ("what", "to", "who"):
            value = getattr(operation, field, None)
            if isinstance(operation, sc.Put) and field == "to":
                continue  # a zone, not a reference
            if field == "what" and getattr(operation, "all", None) is not None:
                continue
            if isinstance(operation, sc.CastNow) and field == "what" and not value:
                if operation.from_ is None:
                    raise Wrong("say which cards: 'what' or 'from'", here)
                _reference(operation.of, (*here, "of"), targets, bound)
                continue
            if isinstance(value, str):
                _reference(value, (*here, field), targets, bound)
        for field in ("be", "times"):
            if isinstance(value := getattr(operation, field, None), str):
                _number(value, (*here, field), has_x, tuple(bound))
        amount = getattr(operation, "amount", None)
        if isinstance(amount, str):
            _number(amount, (*here, "amount"), has_x, (*bound, *(("share",) if divides else ())))
        count = getattr(operation, "count", None)
        if isinstance(count, str):
            _number(count, (*here, "count"), has_x, tuple(bound))
        if isinstance(operation, sc.AddMana):
            for text in (operation.mana, *operation.choose):
                _mana(text or None, (*here, "mana"))
            if bool(operation.mana) == bool(operation.choose):
                raise Wrong("say either 'mana' or 'choose'", here)
        if isinstance(name := getattr(operation, "bind", None), str) and name:
            bound.append(name)
        if isinstance(operation, sc.May | sc.If):
            _block(operation.then, (*here, "then"), targets, has_x, divides, bound)
            _block(operation.otherwise, (*here, "otherwise"), targets, has_x, divides, bound)


def _reference(text: str, path: Path, targets: int, bound: list[str]) -> None:
    word = text.removeprefix("controller of ")
    slot = re.fullmatch(r"target(?: (\d+))?", word)
    if slot is not None:
        number = int(slot[1] or 1)
        if not 1 <= number <= targets:
            raise Wrong(f"'{text}': there are {targets} instances of 'target' here", path)
        return
    known = (*OBJECTS, *PLAYERS, *bound)
    if word not in known:
        raise Wrong(f"'{text}' means nothing{suggest(word, known) or '; known: ' + ', '.join(known)}", path)


def _number(text: str, path: Path, has_x: bool, bound: tuple[str, ...]) -> None:
    plain = text
    if re.fullmatch(r"\d{1,4}", plain) or (plain == "X" and has_x) or plain in bound:
        return
    name, of, _ = plain.partition(" of ")
    if of and (name in (*PROPERTIES, *OF_PLAYERS) or name.endswith(" counters")):
        return
    if text == "X":
        raise Wrong("there is no X in the cost", path)
    raise Wrong(f"'{text}' is no number here; write one such as 3{', or X' if has_x else ''}", path)


def _words(record: msgspec.Struct, path: Path) -> None:
    """Every word list of every filter below a record, and every comparison."""
    for inner, here in _records(record, path):
        if isinstance(inner, sc.Filter | sc.Face):
            for field, known in WORDS.items():
                for index, word in enumerate(getattr(inner, field, None) or ()):
                    if word not in known:
                        hint = suggest(word, known) or "; known: " + ", ".join(known)
                        raise Wrong(
                            f"'{word}' is none of the known {field.replace('_', ' ')}{hint}",
                            (*here, field, index),
                        )
        if isinstance(inner, sc.CostChange):
            for field in ("more", "less"):
                if _mana(getattr(inner, field) or None, (*here, field)):
                    raise Wrong("a change of a cost has no X", (*here, field))
            if inner.least and not re.fullmatch(r"\d{1,2}", inner.least):
                raise Wrong(f"'{inner.least}' is no amount of mana", (*here, "least"))
        if isinstance(inner, sc.Count):
            for field in ("times", "plus"):
                if not re.fullmatch(r"-?\d{1,4}", getattr(inner, field)):
                    raise Wrong(f"'{getattr(inner, field)}' is no number", (*here, field))
        if isinstance(inner, sc.Filter):
            for field in ("mana_value", "power"):
                value = getattr(inner, field)
                if value and not COMPARISON.fullmatch(value):
                    raise Wrong(f"'{value}' compares nothing; write 3, <=3 or >=3", (*here, field))


def _records(record: msgspec.Struct, path: Path) -> Iterator[tuple[msgspec.Struct, Path]]:
    yield record, path
    for field in msgspec.structs.fields(type(record)):
        value = getattr(record, field.name)
        here = (*path, field.encode_name)
        if isinstance(value, msgspec.Struct):
            yield from _records(value, here)
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, msgspec.Struct):
                    yield from _records(item, (*here, index))
