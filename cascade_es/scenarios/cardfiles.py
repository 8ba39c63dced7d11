"""Card definitions from YAML: read strictly, checked against the script language, found by name.

The package ships the scripts of the cards that its scenarios use.  A name is looked up in the
scenario's own cards, then in the scenario's folder, in the folders given, and in the package.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from cascade_es.cards import Card
from cascade_es.errors import InputError
from cascade_es.scenarios import scriptcheck
from cascade_es.scenarios.scriptwords import Wrong
from cascade_es.scenarios.yamlnodes import Map, Node, Text, builtins, locate, mapping, suggest
from cascade_es.scenarios.yamlreader import read_file
from cascade_es.values import script as sc

_HERE: Final = Path(__file__).resolve().parent.parent
PACKAGED: Final = _HERE / "_cards" if (_HERE / "_cards").is_dir() else _HERE.parent / "fixtures" / "cards"
"""Where the package's own scripts are: in the wheel, or beside the package in a source tree."""

FACE_FIELDS: Final = tuple(
    field.encode_name for field in msgspec.structs.fields(sc.Face) if field.encode_name != "name"
)


def file_name(name: str) -> str:
    """The file in which a card's script is looked for.

    >>> file_name("Ib Halfheart, Goblin Tactician"), file_name("Fire // Ice")
    ('ib-halfheart-goblin-tactician.yaml', 'fire-ice.yaml')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower().replace("'", "")).strip("-") + ".yaml"


def definition_of(node: Node) -> sc.Definition:
    """A definition from its YAML node; a card with one face is written flat.

    Raises:
        InputError: with file, line and column of what is wrong.
    """
    entry = mapping(node, "a card")
    raw = _lists(builtins(entry))
    assert isinstance(raw, dict)
    path: tuple[str | int, ...] = ()
    if "faces" not in raw:
        face = {key: raw.pop(key) for key in list(raw) if key in FACE_FIELDS}
        raw["faces"] = [{**({"name": raw["name"]} if "name" in raw else {}), **face}]
        path = ("faces", 0)
    try:
        definition = msgspec.convert(raw, sc.Definition, strict=False)
    except msgspec.ValidationError as error:
        raise _placed(entry, str(error), path) from None
    try:
        scriptcheck.check(definition, flat=bool(path))
    except Wrong as wrong:
        raise InputError(wrong.what, where=str(locate(entry, wrong.path))) from None
    return definition


RECORDS: Final = tuple(
    record for record in vars(sc).values() if isinstance(record, type) and issubclass(record, msgspec.Struct)
)
FIELDS: Final = tuple(
    sorted({field.encode_name for record in RECORDS for field in msgspec.structs.fields(record)})
)

_YES_NO: Final = {"yes": "true", "no": "false"}
_FLAGS: Final = frozenset(
    field.encode_name
    for record in RECORDS
    for field in msgspec.structs.fields(record)
    if field.type in (bool, bool | None)
)


def _lists(value: Any) -> Any:
    """The converter's kind of value; every scalar is text, and a flag may be said as yes or no."""
    if isinstance(value, tuple | list):
        return [_lists(item) for item in value]
    if isinstance(value, dict):
        return {
            key: _YES_NO.get(item, item) if key in _FLAGS and isinstance(item, str) else _lists(item)
            for key, item in value.items()
        }
    return value


_SHAPES: Final = {
    "array": "a list",
    "object": "a map",
    "str": "text",
    "bool": "yes or no",
    "int": "a number",
}
"""What the converter's types are called here."""

_PATH: Final = re.compile(r" - at `\$?(.*)`$")


def _placed(entry: Map, message: str, flat: tuple[str | int, ...]) -> InputError:
    """The converter's complaint in our words, at the place in the file that it is about."""
    found = _PATH.search(message)
    steps: list[str | int] = []
    if found is not None:
        message = message[: found.start()]
        for word in re.findall(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", found.group(1)):
            steps.append(word[0] if word[0] else int(word[1]) if word[1].isdigit() else 0)
    if flat and tuple(steps[:2]) == flat:
        steps = steps[2:]
    what = f"{message[0].lower()}{message[1:]}"
    unknown = re.search(r"unknown field `(.+?)`", message)
    if unknown is not None:
        steps.append(unknown.group(1))
        known_as = [name for name in FIELDS if name != unknown.group(1)]
        hint = "; it has no place here" if unknown.group(1) in FIELDS else suggest(unknown.group(1), known_as)
        what = f"unknown key '{unknown.group(1)}'{hint}"
    elif (types := re.search(r"[Ee]xpected `(.+?)`, got `(\w+)`", message)) is not None:
        name = next((step for step in reversed(steps) if isinstance(step, str)), "this")
        name = f"an entry of {name}" if steps and isinstance(steps[-1], int) else name
        wanted = [_SHAPES[word] for word in re.findall(r"\w+", types[1]) if word in _SHAPES]
        advice = "; quote text with braces" if "text" in wanted and types[2] == "object" else ""
        given = "text" if types[2] == "str" else _SHAPES.get(types[2], types[2])
        what = f"{name} must be {' or '.join(dict.fromkeys(wanted))}, not {given}{advice}"
    elif (bad := re.search(r"[Ii]nvalid (?:enum )?value '(.*?)'", message)) is not None:
        known = CHOICES.get(str(next((step for step in reversed(steps) if isinstance(step, str)), "")), ())
        hint = suggest(bad.group(1), known) or ("; known: " + ", ".join(known) if known else "")
        what = f"unknown value '{bad.group(1)}'{hint}"
    elif (missing := re.search(r"missing required field `(.+?)`", message)) is not None:
        what = f"'{missing.group(1)}' is missing"
    elif steps:
        what = f"{what} (in {'.'.join(str(step) for step in steps)})"
    return InputError(what, where=str(locate(entry, steps)))


def _choices() -> dict[str, tuple[str, ...]]:
    """The values that a key may have, where they are few: tags of records, and literals."""
    found: dict[str, set[str]] = {}
    for record in RECORDS:
        config = record.__struct_config__
        if config.tag_field is not None and config.tag is not None:
            found.setdefault(config.tag_field, set()).add(str(config.tag))
        for field in msgspec.structs.fields(record):
            for literal in re.findall(r"Literal\[(.*?)\]", str(field.type)):
                found.setdefault(field.encode_name, set()).update(re.findall(r"'(.*?)'", literal))
    return {key: tuple(sorted(values - {""})) for key, values in found.items()}


CHOICES: Final = _choices()


def is_card(node: Node) -> bool:
    """Whether a file holds a card: scenarios may lie in the same folder."""
    return isinstance(node, Map) and (node.get("type_line") or node.get("faces")) is not None


def _name_in(path: Path) -> str | None:
    """The name of the card in a file; None where it holds none, or is broken."""
    try:
        node = read_file(path)
    except InputError:
        return None
    return _name_of(node) if is_card(node) else None


def _name_of(node: Node) -> str | None:
    found = node.get("name") if isinstance(node, Map) else None
    return found.value if isinstance(found, Text) else None


class CardSource:
    """Where definitions are looked up, in order: given nodes, then folders, then the package."""

    def __init__(self, inline: Sequence[Node] = (), folders: Sequence[Path] = ()) -> None:
        self._cards: dict[str, Card] = {}
        for node in inline:
            definition = definition_of(node)
            if definition.name in self._cards:
                raise InputError(f"the card '{definition.name}' is defined twice", where=str(node.place))
            self._cards[definition.name] = Card(definition)
        self._folders = (*folders, PACKAGED)

    def card(self, name: str, where: str = "") -> Card:
        """The card of this name.

        Raises:
            InputError: when nobody defines it; the text suggests a known name that is like it.
        """
        found = self._cards.get(name)
        if found is None:
            found = self._load(name)
        if found is None:
            hint = suggest(name, self.names())
            raise InputError(
                f"unknown card '{name}'{hint or '; define it under cards: or give a folder with --cards'}",
                where=where,
            )
        self._cards[name] = found
        return found

    def has(self, name: str) -> bool:
        """Whether somebody defines a card of this name."""
        return name in self._cards or self._load(name) is not None

    def _load(self, name: str) -> Card | None:
        for folder in self._folders:
            found = self._card_in(folder / file_name(name), name)
            if found is not None:
                return found
        # A file may be called otherwise than its card; looking into all of them comes last.
        for folder in self._folders[:-1]:
            for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
                found = self._card_in(path, name) if _name_in(path) == name else None
                if found is not None:
                    return found
        return None

    def _card_in(self, path: Path, name: str) -> Card | None:
        node = read_file(path) if path.is_file() else None
        if node is None or not (is_card(node) or _name_of(node) == name):
            return None
        definition = definition_of(node)
        return Card(definition) if definition.name == name else None

    def names(self) -> tuple[str, ...]:
        """The names that are known, sorted; it reads the folders."""
        names = set(self._cards)
        for folder in self._folders:
            for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
                found = _name_in(path)
                if found is not None:
                    names.add(found)
        return tuple(sorted(names))


def load_card(name: str, *, folders: Sequence[Path] = ()) -> Card:
    """A card of the package, or of a folder with scripts.

    >>> load_card("Krosan Grip").definition.faces[0].keywords
    ('split second',)
    """
    return CardSource(folders=folders).card(name)
