"""What the types of the script language cannot say: words, numbers and references that mean something.

A misspelt reference would be found by nobody: the operation would simply do nothing.  So every word
of a script is checked when it is read, and named with its place.
"""

from __future__ import annotations

import re
from typing import Final, get_args

import msgspec

from cascade_es.rules.keywords import costs_of
from cascade_es.rules.printed import SUPERTYPES, TYPES, type_line
from cascade_es.scenarios.scriptwords import COMPARISON, Path, Wrong, mana, records, words
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.values import script as sc

PLAYERS: Final = ("you", "opponent", "each player", "each opponent", "each other player", "that player")
OBJECTS: Final = ("target", "this", "that", "used", "attached", "those", "exiled with this")
PROPERTIES: Final = ("power", "toughness", "mana value")
OF_PLAYERS: Final = ("life", "cards in hand", "cards in library", "cards in graveyard")
NUMBERS: Final = ("base_power", "base_toughness", "power", "toughness")
PRINTED: Final = re.compile(r"[+-]?\d{1,3}|(\d{1,2}[+-])?\*([+-]\d{1,2})?|X")
"""Power, toughness or loyalty as it stands on a card."""


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
    _printed(face, path)
    has_x = mana(face.mana_cost, (*path, "mana_cost"))
    costs = [cost for extra in face.additional_costs for cost in (extra.cost, *extra.either)]
    for cost in costs:
        has_x = _costs(cost, (*path, "additional_costs")) or has_x
    if any(extra.optional and not extra.name for extra in face.additional_costs):
        raise Wrong("an optional cost needs a name, so that it can be declared", (*path, "additional_costs"))
    words(face, path)
    names = {extra.name for extra in (*face.additional_costs, *costs_of(face.keywords)) if extra.name}
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


def _printed(face: sc.Face, path: Path) -> None:
    """The type line, and what must stand on a card of such a type."""
    types, here = type_line(face.type_line)[1], (*path, "type_line")
    left, _, _ = face.type_line.partition("—")
    if re.search(r" [-–] ", left):
        raise Wrong(f"'{face.type_line}': write the long dash '—' before the subtypes", here)
    for word in left.lower().split() if types else ():
        if word not in (*SUPERTYPES, *TYPES):
            hint = suggest(word, (*SUPERTYPES, *TYPES)) or "; subtypes stand behind a long dash '—'"
            raise Wrong(f"'{word}' is no type or supertype{hint}", here)
    if not types:
        raise Wrong(f"'{face.type_line}' names no card type", here)
    for field in ("power", "toughness", "loyalty"):
        value = getattr(face, field)
        wanted = "planeswalker" if field == "loyalty" else "creature"
        if value is None and wanted in types:
            raise Wrong(f"a {wanted} needs '{field}'", here)
        if value is not None and not PRINTED.fullmatch(value):
            raise Wrong(f"'{value}' is no {field}; write it as printed, such as 3 or *", (*path, field))
    if face.spell is not None and not {"instant", "sorcery"} & set(types):
        raise Wrong(
            "only an instant or sorcery does something as 'spell'; write 'abilities'", (*path, "spell")
        )


def _ability(ability: sc.Ability, path: Path, has_x: bool, names: set[str]) -> None:
    condition = getattr(ability, "condition", None)
    if isinstance(condition, sc.Condition) and isinstance(condition.at_least, str):
        _number(condition.at_least.lstrip("+-"), (*path, "condition", "at_least"), True, ())
    # An ability of a permanent may ask for the X with which it was cast (107.3m).
    if isinstance(ability, sc.Activated):
        x = _costs(ability.cost, (*path, "cost"))
        _text(ability.text, (*path, "text"), x or has_x, names)
    elif isinstance(ability, sc.Replacement):
        _replacement(ability, path, has_x, names)
    elif isinstance(ability, sc.Triggered):
        for index, chapter in enumerate(ability.when.chapters):
            _number(chapter, (*path, "when", "chapters", index), False, ())
        for field, event in (("chapters", "chapter"), ("step", "step")):
            if getattr(ability.when, field) and ability.when.event != event:
                raise Wrong(f"'{field}' belongs to the event '{event}'", (*path, "when", field))
        if ability.when.event == "state" and ability.condition is None:
            raise Wrong("what triggers on a state needs the condition that says which", (*path, "when"))
        _text(ability.text, (*path, "text"), has_x, names)
    elif isinstance(ability, sc.Static):
        _static(ability, path)
    elif isinstance(ability, sc.Permission):
        _permission(ability, path)
    elif isinstance(ability, sc.Prohibition) and ability.more_than:
        _number(ability.more_than, (*path, "more_than"), False, ())


def _static(ability: sc.Static, path: Path) -> None:
    """A static ability must say something, and of what."""
    changing = ability.changes != sc.Changes()
    if not changing and ability.combat is None:
        raise Wrong("it changes nothing; say what under 'changes' or 'combat'", path)
    about = ability.this or ability.attached or ability.those or ability.what is not None
    if changing and not about and not ability.defining:
        raise Wrong("say what it changes: 'this', 'attached', 'those' or 'what'", path)
    _changes(ability.changes, (*path, "changes"), True, 0, [], static=True)
    if ability.changes.control and not ability.attached:
        raise Wrong("a static ability gives control only of what this is attached to", path)


def _permission(ability: sc.Permission, path: Path) -> None:
    """A permission must say what is allowed, and from where."""
    somewhere = ability.from_ is not None or ability.this or ability.those or ability.linked
    if not ability.allow and not ability.knowing:
        raise Wrong("say what is allowed, or what may be known", path)
    if ability.allow in ("cast", "play", "play land") and not somewhere:
        raise Wrong("say from where: 'from', 'this', 'those' or 'linked'", path)
    if ability.knowing and ability.from_ not in (None, "library"):
        raise Wrong("only the top card of a library is known this way", (*path, "knowing"))


ABOUT_EVENT: Final = ("amount", "prevented", "sacrificed", "source", "those", "loyalty", "to")
"""What a replacement effect may speak of besides: the event that it replaces."""

CHANGING: Final[dict[str, tuple[str, ...]]] = {
    "damage": ("times", "halve", "plus", "set", "prevent", "redirect", "left", "unpreventable"),
    "draw": ("times", "set", "plus"),
    "gain life": ("times", "halve", "plus", "set"),
    "lose life": ("times", "halve", "plus", "set"),
    "counters": ("times", "plus", "halve", "set"),
    "player counters": ("times", "plus", "halve", "set"),
    "create": ("times", "plus", "halve", "set"),
    "mana": ("times", "mana"),
    "countered": (),
    "destroy": (),
    "shuffle": (),
    "face up": (),
    "step": (),
    "turn": (),
    "lose game": (),
}
"""What may be changed of each event besides ``nothing``, ``do`` and ``unless``; of a move everything else."""

HOW: Final = (
    "destroyed",
    "sacrificed",
    "discarded",
    "milled",
    "countered",
    "resolved",
    "played",
    "put",
    "exiled",
    "created",
)
"""The ways in which something moves, as replacement effects name them."""

MOVING: Final = ("to", "place", "tapped", "counters", "control", "copy", "face", "choose", "sacrifice")


def _replacement(ability: sc.Replacement, path: Path, has_x: bool, names: set[str]) -> None:
    """A replacement effect must change something, and something that its event has."""
    when, instead = ability.when, ability.instead
    given = {
        field.name
        for field in msgspec.structs.fields(instead)
        if getattr(instead, field.name) != field.default
    }
    if not given:
        raise Wrong("nothing happens instead; say under 'instead' what does", (*path, "instead"))
    allowed = {*CHANGING.get(when.event, MOVING), "nothing", "do", "unless"}
    for field in sorted(given - allowed):
        raise Wrong(f"'{field}' is no part of '{when.event}'", (*path, "instead", field))
    for field in ("times", "plus", "set"):
        value = getattr(instead, field)
        if isinstance(value, str) and value:
            _number(value.lstrip("+-"), (*path, "instead", field), has_x, ABOUT_EVENT)
    for text, field in ((instead.prevent, "prevent"),):
        if isinstance(text, str) and text not in ("", "all", "left", "half up", "half down"):
            _number(text, (*path, "instead", field), has_x, ABOUT_EVENT)
    for index, item in enumerate(instead.counters):
        if isinstance(item.amount, str):
            _number(item.amount, (*path, "instead", "counters", index), True, ABOUT_EVENT)
    for field in ("control", "redirect"):
        if value := getattr(instead, field):
            _reference(value, (*path, "instead", field), 0, list(ABOUT_EVENT))
    if instead.to == "stack":
        raise Wrong("nothing goes to the stack instead", (*path, "instead", "to"))
    if instead.copy is not None:
        _changes(instead.copy.changes, (*path, "instead", "copy", "changes"), True, 0, [], static=True)
    if instead.face not in ("", "front", "back"):
        raise Wrong(f"'{instead.face}' is no face; write front or back", (*path, "instead", "face"))
    if instead.mana and mana(instead.mana, (*path, "instead", "mana")):
        raise Wrong("the mana that is produced has no X", (*path, "instead", "mana"))
    for index, choice in enumerate(instead.choose):
        if (choice.what == "words") != bool(choice.among):
            raise Wrong("words are chosen 'among' those that are given", (*path, "instead", "choose", index))
    if when.amount and not COMPARISON.fullmatch(when.amount):
        raise Wrong(f"'{when.amount}' compares nothing; write 3, <=3 or >=3", (*path, "when", "amount"))
    known_steps = (*get_args(sc.Step), "combat")
    if when.step and when.step not in known_steps:
        hint = suggest(when.step, known_steps) or "; known: " + ", ".join(known_steps)
        raise Wrong(f"'{when.step}' is no step{hint}", (*path, "when", "step"))
    for index, word in enumerate(when.how):
        if word not in HOW:
            hint = suggest(word, HOW) or "; known: " + ", ".join(HOW)
            raise Wrong(f"'{word}' is no way to move{hint}", (*path, "when", "how", index))
    _costs(instead.unless, (*path, "instead", "unless"))
    _block(instead.do, (*path, "instead", "do"), 0, has_x, False, list(ABOUT_EVENT))


CALLED: Final[dict[type, tuple[tuple[type, ...], str]]] = {
    sc.Later: ((sc.Triggered,), "triggered"),
    sc.Reflexive: ((sc.Triggered,), "triggered"),
    sc.Shield: ((sc.Replacement,), "replacement"),
    sc.Effect: (
        (sc.Static, sc.Replacement, sc.CostChange, sc.Permission, sc.Prohibition),
        "static, replacement, cost, permission or prohibition",
    ),
}
"""What kind of ability each operation begins."""


def _granted(face: sc.Face, path: Path, known: list[str]) -> None:
    """Every name of a granted ability or a token that an effect calls must be there, and of its kind."""
    tokens = [token.name for token in face.tokens]
    for record, here in records(face, path):
        kinds = CALLED.get(type(record))
        called = [ability for ability in face.granted if ability.name == getattr(record, "ability", "")]
        if kinds is not None and called and not isinstance(called[0], kinds[0]):
            raise Wrong(f"'{called[0].name}' is no {kinds[1]} ability", (*here, "ability"))
    for record, here in records(face, path):
        for field, names, key in (
            ("grant", known, "granted"),
            ("ability", known, "granted"),
            ("token", tokens, "tokens"),
        ):
            value = getattr(record, field, "")
            for name in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
                if isinstance(name, str) and name and name not in names:
                    hint = suggest(name, names) or f"; describe it under '{key}'"
                    raise Wrong(f"nothing is called '{name}' here{hint}", (*here, field))


def _costs(parts: tuple[sc.CostPart, ...], path: Path) -> bool:
    """Check components of a cost; whether there is an X in them."""
    has_x = False
    for index, part in enumerate(parts):
        here = (*path, index)
        if isinstance(part, sc.PayMana):
            has_x = mana(part.mana, (*here, "mana")) or has_x
        for field in ("amount", "count"):
            value = getattr(part, field, None)
            if isinstance(value, str):
                signed = isinstance(part, sc.PayLoyalty)
                if signed and not re.fullmatch(r"0|\+\d{1,3}|-(\d{1,3}|X)", value):
                    raise Wrong(f"'{value}' is no loyalty cost; write +1, 0, -2 or -X", (*here, field))
                _number(value.lstrip("+-") if signed else value, (*here, field), True, ())
                has_x = has_x or value.lstrip("-") == "X"
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
        for field in ("what", "to", "who", "of", "among", "about", "under", "copy"):
            value = getattr(operation, field, None)
            if value == "" and isinstance(operation, sc.Copy | sc.ChangeTargets | sc.Create):
                continue  # it may be left out
            if field == "under" and value == "owner":
                continue
            if isinstance(operation, sc.ForEach) and operation.what is not None and operation.of:
                raise Wrong("say either 'of' or 'what'", here)
            if field in ("of", "among", "about") and value == "":
                if isinstance(operation, sc.ForEach | sc.Choose) and operation.what is None:
                    raise Wrong(f"say '{field}' or 'what'", here)
                continue
            if isinstance(operation, sc.Put | sc.Counter) and field == "to":
                if value == "stack":
                    raise Wrong("nothing is put onto the stack this way; cast it, or copy it", (*here, "to"))
                continue  # a zone, not a reference
            if field in ("what", "to") and getattr(operation, "all", None) is not None:
                continue
            if isinstance(operation, sc.CastNow) and field == "what" and not value:
                if operation.from_ is None:
                    raise Wrong("say which cards: 'what' or 'from'", here)
                _reference(operation.of, (*here, "of"), targets, bound)
                continue
            if isinstance(value, str) and not (isinstance(operation, sc.Shield) and not value):
                _reference(value, (*here, field), targets, bound)
        changes = getattr(operation, "changes", None)
        if isinstance(changes, sc.Changes):
            _changes(changes, (*here, "changes"), has_x, targets, bound)
        for field in ("be", "times"):
            if isinstance(value := getattr(operation, field, None), str):
                _number(value, (*here, field), has_x, tuple(bound))
        amount = getattr(operation, "amount", None)
        if isinstance(operation, sc.PutCounters) and isinstance(amount, str):
            amount = amount.removeprefix("-")  # fewer of them
        if isinstance(operation, sc.Shield):
            for index_, text in enumerate(operation.those):
                _reference(text, (*here, "those", index_), targets, bound)
        if isinstance(amount, str) and not (isinstance(operation, sc.Shield) and not amount):
            _number(amount, (*here, "amount"), has_x, (*bound, *(("share",) if divides else ())))
        count = getattr(operation, "count", None)
        for number in (amount, count):
            if isinstance(number, sc.Count) and number.before:
                _reference(number.before, (*here, "before"), targets, bound)
        if isinstance(count, str):
            _number(count, (*here, "count"), has_x, tuple(bound))
        if isinstance(operation, sc.Create) and bool(operation.token) == bool(operation.copy):
            raise Wrong("say either 'token' or 'copy'", here)
        if isinstance(operation, sc.Copy) and operation.each is not None and operation.to:
            raise Wrong("say either 'each' or 'to'", here)
        if isinstance(operation, sc.AddMana):
            for text in (operation.mana, *operation.choose):
                mana(text or None, (*here, "mana"))
            if bool(operation.mana) == bool(operation.choose):
                raise Wrong("say either 'mana' or 'choose'", here)
        if isinstance(name := getattr(operation, "bind", None), str) and name:
            if name in (*PLAYERS, *OBJECTS, "targets", "X", "share") or re.match(r"target \d|\d", name):
                raise Wrong(f"'{name}' means something already; bind another name", (*here, "bind"))
            bound.append(name)
        if isinstance(operation, sc.Pay):
            _costs(operation.cost, (*here, "cost"))
        if isinstance(operation, sc.If) and operation.condition.exists:
            _reference(operation.condition.exists, (*here, "condition", "exists"), targets, bound)
        if isinstance(operation, sc.May | sc.If | sc.Pay | sc.ForEach):
            _block(operation.then, (*here, "then"), targets, has_x, divides, bound)
        if isinstance(operation, sc.May | sc.If | sc.Pay):
            _block(operation.otherwise, (*here, "otherwise"), targets, has_x, divides, bound)


def _reference(text: str, path: Path, targets: int, bound: list[str]) -> None:
    if text == "targets" and targets:
        return
    if top := re.fullmatch(r"top (?:\d{1,3} )?of (.+)", text):
        text = top[1]
    word = text.removeprefix("controller of ").removeprefix("owner of ")
    slot = re.fullmatch(r"target(?: (\d+))?", word)
    if slot is not None:
        number = int(slot[1] or 1)
        if not 1 <= number <= targets:
            raise Wrong(
                f"'{text}': there {'is' if targets == 1 else 'are'} only {targets} under 'targets'", path
            )
        return
    known = (*OBJECTS, *PLAYERS, *bound)
    if word not in known:
        raise Wrong(f"'{text}' means nothing{suggest(word, known) or '; known: ' + ', '.join(known)}", path)


def _number(text: str, path: Path, has_x: bool, bound: tuple[str, ...]) -> None:
    plain = text
    if plain == "that much" or re.fullmatch(r"\d{1,4}", plain) or (plain == "X" and has_x) or plain in bound:
        return
    name, of, whose = plain.partition(" of ")
    if of and (name in (*PROPERTIES, *OF_PLAYERS) or name.endswith(" counters")):
        _reference(whose, path, 99, list(bound))  # how many targets there are is known to references only
        return
    if text == "X":
        raise Wrong("there is no X in the cost", path)
    raise Wrong(f"'{text}' is no number here; write one such as 3{', or X' if has_x else ''}", path)


def _changes(
    c: sc.Changes, path: Path, has_x: bool, targets: int, bound: list[str], *, static: bool = False
) -> None:
    """What a continuous effect changes: its numbers, and whom it gives control."""
    for field in NUMBERS:
        value = getattr(c, field)
        if isinstance(value, str):
            _number(
                value.lstrip("+-") if value[:2] not in ("+-", "-+") else "",
                (*path, field),
                has_x,
                tuple(bound),
            )
            whose = value.partition(" of ")[2]
            if whose and static and whose not in ("you", "this", "attached", "that"):
                raise Wrong(f"'{value}' means nothing to a static ability", (*path, field))
    if c.control and static and c.control != "you":
        raise Wrong("a static ability gives control to 'you'", (*path, "control"))
    if c.control:
        _reference(c.control, (*path, "control"), targets, bound)
