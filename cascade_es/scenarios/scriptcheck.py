"""What the types of the script language cannot say: words, numbers and references that mean something.

A misspelt reference would be found by nobody: the operation would simply do nothing.  So every word
of a script is checked when it is read, and named with its place.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from cascade_es.rules.keywords import costs_of
from cascade_es.rules.printed import SUPERTYPES, TYPES, type_line
from cascade_es.scenarios.scriptwords import (
    COMPARISON,
    OBJECTS,
    PLAYERS,
    PRINTED,
    Path,
    Wrong,
    mana,
    number,
    records,
    reference,
    words,
)
from cascade_es.scenarios.yamlnodes import suggest
from cascade_es.values import script as sc


def check(definition: sc.Definition, *, flat: bool) -> None:
    """Check a whole definition; ``flat`` says that its one face is written without ``faces``.

    Raises:
        Wrong: naming the first thing that means nothing.
    """
    wanted = 1 if definition.layout in ("normal", "meld") else 2
    if len(definition.faces) not in (wanted, 2 if definition.layout == "meld" else wanted):
        raise Wrong(f"a card with layout '{definition.layout}' has {wanted} face(s)", ("faces",))
    for index, face in enumerate(definition.faces):
        _face(face, () if flat else ("faces", index))


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
    # An ability of a permanent may ask for the X with which it was cast (107.3m).
    if isinstance(ability, sc.Activated):
        x = _costs(ability.cost, (*path, "cost"))
        _text(ability.text, (*path, "text"), x or has_x, names)
        if "library" in ability.zones:
            raise Wrong("no ability can be activated in a library", (*path, "zones"))
        if ability.only is not None:
            _condition(ability.only, (*path, "only"), has_x, (), ("this",))
            _in_the_open(ability.only, (*path, "only"))
    elif isinstance(ability, sc.Replacement):
        _replacement(ability, path, has_x)
    elif isinstance(ability, sc.Triggered):
        for index, chapter in enumerate(ability.when.chapters):
            number(chapter, (*path, "when", "chapters", index), False, ())
        if ability.condition is not None:
            _condition(ability.condition, (*path, "condition"), has_x, (), ("this", "that", "those"))
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
        number(ability.more_than, (*path, "more_than"), False, ())
    if not isinstance(ability, sc.Triggered | sc.Activated) and ability.condition is not None:
        _condition(ability.condition, (*path, "condition"), has_x, (), ("this",))
    if isinstance(ability, sc.Static | sc.CostChange | sc.Prohibition):
        _from_the_open(ability, path)
        _in_the_open(ability, path)
    elif not isinstance(ability, sc.Activated) and ability.condition is not None:
        _in_the_open(ability.condition, (*path, "condition"))


CONCEALED: Final = ("hand", "library")


def _from_the_open(ability: sc.Static | sc.CostChange | sc.Prohibition, path: Path) -> None:
    """What is simply true comes from no hidden card, unless it is about that card itself."""
    concealed = [zone for zone in ability.zones if zone in CONCEALED]
    if concealed and not ability.this and not getattr(ability, "defining", False):
        why = f"a card in a {concealed[0]} is hidden, and cannot change anything but itself"
        raise Wrong(f"{why}; write 'this: yes', or a zone that all can see", (*path, "zones"))


def _in_the_open(record: sc.Static | sc.CostChange | sc.Prohibition | sc.Condition, path: Path) -> None:
    """What is simply true is so in the sight of all: it tells not which cards are hidden, but how many."""
    for inner, here in records(record, path):
        zone = ""
        if isinstance(inner, sc.Count) and inner.of is not None:
            zone = _picked_from(inner.of)
        elif isinstance(inner, sc.Condition) and inner.controls is not None:
            zone = _picked_from(inner.controls)
        elif isinstance(inner, sc.Filter) and inner.same_name is not None:
            zone = _picked_from(inner.same_name, bare=False)
        if zone:
            why = f"which cards are in a {zone} is hidden, and decides nothing in the open"
            raise Wrong(f"{why}; ask only how many they are, or of a zone that all can see", here)


def _picked_from(what: sc.Filter, zone: str = "", *, bare: bool = True) -> str:
    """The hidden zone from which a filter picks some cards only, or ""; alternatives are in its zone."""
    zone = what.zone or zone
    all_there = sc.Filter(is_=what.is_, zone=what.zone, controller=what.controller, any=what.any)
    bare = bare and what == all_there
    if zone in CONCEALED and not bare:
        return zone
    return next((found for item in what.any if (found := _picked_from(item, zone, bare=bare))), "")


def _condition(
    c: sc.Condition, path: Path, has_x: bool, bound: tuple[str, ...], meant: tuple[str, ...]
) -> None:
    """A condition: its numbers, and what it asks to exist, which must be something that is known there."""
    for field in ("count", "number"):
        if not re.fullmatch(r"\d{1,4}", getattr(c, field)):
            raise Wrong(f"'{getattr(c, field)}' is no number", (*path, field))
    mana(c.spent or None, (*path, "spent"))
    if isinstance(c.at_least, str):
        number(c.at_least, (*path, "at_least"), has_x, bound)
    if meant and c.exists and c.exists not in meant:
        raise Wrong(f"'{c.exists}' means nothing here; known: {', '.join(meant)}", (*path, "exists"))


def _static(ability: sc.Static, path: Path) -> None:
    """A static ability must say something, and of what."""
    changing = ability.changes != sc.Changes()
    if not changing and ability.combat is None:
        raise Wrong("it changes nothing; say what under 'changes' or 'combat'", path)
    about = ability.this or ability.attached or ability.those or ability.what is not None
    if changing and not about and not ability.defining:
        raise Wrong("say what it changes: 'this', 'attached', 'those' or 'what'", path)
    _changes(ability.changes, (*path, "changes"))
    if ability.changes.control and not ability.attached:
        raise Wrong("a static ability gives control only of what this is attached to", path)


def _changes(c: sc.Changes, path: Path) -> None:
    """What a statement changes: it can speak only of what is known without any resolution."""
    for field in ("base_power", "base_toughness", "power", "toughness"):
        value = getattr(c, field)
        whose = value.partition(" of ")[2] if isinstance(value, str) else ""
        if whose and whose not in ("you", "this", "attached", "that"):
            raise Wrong(f"'{value}' means nothing to a static ability", (*path, field))
    if c.control and c.control != "you":
        raise Wrong("a static ability gives control to 'you'", (*path, "control"))


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


MOVING: Final = ("to", "place", "tapped", "counters", "control", "copy", "face", "choose", "sacrifice")


def _replacement(ability: sc.Replacement, path: Path, has_x: bool) -> None:
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
            number(value.lstrip("+-"), (*path, "instead", field), has_x, ABOUT_EVENT)
    for text, field in ((instead.prevent, "prevent"),):
        if isinstance(text, str) and text not in ("", "all", "left", "half up", "half down"):
            number(text, (*path, "instead", field), has_x, ABOUT_EVENT)
    for index, item in enumerate(instead.counters):
        if isinstance(item.amount, str):
            number(item.amount, (*path, "instead", "counters", index), True, ABOUT_EVENT)
    for field in ("control", "redirect"):
        if value := getattr(instead, field):
            reference(value, (*path, "instead", field), 0, list(ABOUT_EVENT))
    if when.amount and not COMPARISON.fullmatch(when.amount):
        raise Wrong(f"'{when.amount}' compares nothing; write 3, <=3 or >=3", (*path, "when", "amount"))
    if instead.to == "stack":
        raise Wrong("nothing goes to the stack instead", (*path, "instead", "to"))
    if instead.face not in ("", "front", "back"):
        raise Wrong(f"'{instead.face}' is no face; write front or back", (*path, "instead", "face"))
    if instead.copy is not None:
        _changes(instead.copy.changes, (*path, "instead", "copy", "changes"))
    if instead.mana and mana(instead.mana, (*path, "instead", "mana")):
        raise Wrong("the mana that is produced has no X", (*path, "instead", "mana"))
    for index, choice in enumerate(instead.choose):
        if (choice.what == "words") != bool(choice.among):
            raise Wrong("words are chosen 'among' those that are given", (*path, "instead", "choose", index))
    _costs(instead.unless, (*path, "instead", "unless"))
    for index, operation in enumerate(instead.do):
        for inner, here in records(operation, (*path, "instead", "do", index)):
            if isinstance(inner, sc.Pay | sc.ForEach | sc.Cascade | sc.CastNow | sc.Search):
                raise Wrong("only what resolves can do that, not what is part of an event", here)
    happens = when.event in ("draw", "shuffle", "face up") and not instead.nothing
    _beforehand(instead.do, (*path, "instead", "do"), happens or instead.place == "shuffled")
    _block(instead.do, (*path, "instead", "do"), 0, has_x, False, list(ABOUT_EVENT))


ASKING: Final = (sc.May, sc.Choose, sc.ChoosePlayer, sc.Discard)
"""Operations that ask; as part of an event they do so before any of it happens."""

SHOWING: Final = (sc.Draw, sc.Shuffle, sc.RevealHand)
"""Operations that let somebody see what they could not before."""


def _beforehand(block: tuple[sc.Operation, ...], path: Path, seen: bool) -> bool:
    """What is part of an event is chosen before it happens: so nothing is asked after something was seen.

    ``seen`` is whether something was; it returns the same for what follows.
    """
    for index, operation in enumerate(block):
        here = (*path, index)
        several = isinstance(operation, sc.AddMana) and len(operation.choose) > 1
        if seen and (several or isinstance(operation, ASKING)):
            what = "the cards that were drawn, shuffled or shown just before could change the choice"
            raise Wrong(f"nothing can be chosen here, in the midst of an event: {what}", here)
        if isinstance(operation, sc.May | sc.If):
            then = _beforehand(operation.then, (*here, "then"), seen)
            seen = _beforehand(operation.otherwise, (*here, "otherwise"), seen) or then
        seen = seen or isinstance(operation, SHOWING)
    return seen


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
                number(value.lstrip("+-") if signed else value, (*here, field), True, ())
                has_x = has_x or value.lstrip("-") == "X"
    return has_x


def _text(text: sc.Text, path: Path, has_x: bool, paid: set[str]) -> None:
    if text.modes and (text.do or text.targets):
        raise Wrong("a text has either modes or instructions of its own", path)
    for index, mode in enumerate(text.modes):
        here = (*path, "modes", index)
        _instructions(mode.targets, mode.do, here, has_x, bool(text.divide), paid)
    number(text.choose, (*path, "choose"), False, ())
    if text.modes and not 1 <= int(text.choose) <= len(text.modes):
        raise Wrong(f"{text.choose} of {len(text.modes)} modes cannot be chosen", (*path, "choose"))
    if text.divide:
        number(text.divide, (*path, "divide"), has_x, ())
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
        number(target.count, (*here, "count"), has_x, ())
        if target.least:
            number(target.least, (*here, "least"), False, ())
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
                reference(operation.of, (*here, "of"), targets, bound)
                continue
            if isinstance(value, str) and not (isinstance(operation, sc.Shield) and not value):
                reference(value, (*here, field), targets, bound)
        for field in ("be", "times"):
            if isinstance(value := getattr(operation, field, None), str):
                number(value, (*here, field), has_x, tuple(bound))
        amount = getattr(operation, "amount", None)
        if isinstance(operation, sc.PutCounters) and isinstance(amount, str):
            amount = amount.removeprefix("-")  # fewer of them
        if isinstance(operation, sc.Shield):
            for index_, text in enumerate(operation.those):
                reference(text, (*here, "those", index_), targets, bound)
        if isinstance(amount, str) and not (isinstance(operation, sc.Shield) and not amount):
            number(amount, (*here, "amount"), has_x, (*bound, *(("share",) if divides else ())))
        count = getattr(operation, "count", None)
        for counted in (amount, count):
            if isinstance(counted, sc.Count) and counted.before:
                reference(counted.before, (*here, "before"), targets, bound)
        if isinstance(count, str):
            number(count, (*here, "count"), has_x, tuple(bound))
        if isinstance(operation, sc.Create) and bool(operation.token) == bool(operation.copy):
            raise Wrong("say either 'token' or 'copy'", here)
        if isinstance(operation, sc.Copy) and operation.each is not None and operation.to:
            raise Wrong("say either 'each' or 'to'", here)
        if isinstance(operation, sc.AddMana):
            for text in (operation.mana, *operation.choose):
                mana(text or None, (*here, "mana"))
            if bool(operation.mana) == bool(operation.choose):
                raise Wrong("say either 'mana' or 'choose'", here)
        changes = getattr(operation, "changes", None)
        if isinstance(changes, sc.Changes) and changes.control:
            reference(changes.control, (*here, "changes", "control"), targets, bound)
        if isinstance(name := getattr(operation, "bind", None), str) and name:
            if name in (*PLAYERS, *OBJECTS, "targets", "X", "share") or re.match(r"target \d|\d", name):
                raise Wrong(f"'{name}' means something already; bind another name", (*here, "bind"))
            bound.append(name)
        if isinstance(operation, sc.Pay):
            _costs(operation.cost, (*here, "cost"))
        if isinstance(operation, sc.If):
            _condition(operation.condition, (*here, "condition"), has_x, tuple(bound), ())
            if operation.condition.exists:
                reference(operation.condition.exists, (*here, "condition", "exists"), targets, bound)
        if isinstance(operation, sc.May | sc.If | sc.Pay | sc.ForEach):
            _block(operation.then, (*here, "then"), targets, has_x, divides, bound)
        if isinstance(operation, sc.May | sc.If | sc.Pay):
            _block(operation.otherwise, (*here, "otherwise"), targets, has_x, divides, bound)
