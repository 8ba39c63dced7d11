"""What a scenario file may say: one YAML file, read into plain records that keep their places.

Nothing is played here.  Unknown keys, unknown cards and unknown players are refused with file, line
and column, and a suggestion where one is near.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from cascade_es.cards import Card
from cascade_es.editions import Edition
from cascade_es.editions import edition as edition_named
from cascade_es.errors import InputError
from cascade_es.rules.printed import type_line
from cascade_es.rules.turn import STEPS
from cascade_es.scenarios.cardfiles import CardSource, is_card
from cascade_es.scenarios.yamlnodes import (
    Map,
    Node,
    Null,
    Place,
    Text,
    expect_keys,
    integer,
    mapping,
    one_or_many,
    seq,
    suggest,
    text,
)
from cascade_es.scenarios.yamlreader import read, read_file

KEYS: Final = ("title", "cites", "about", "edition", "seed", "cards", "players", "turn", "play")
ZONES: Final = ("library", "hand", "battlefield", "graveyard", "exile", "command")
PLAYER_KEYS: Final = (*ZONES, "life")
DETAILS: Final = (
    "targets",
    "modes",
    "x",
    "declare",
    "ways",
    "divide",
    "pay",
    "sacrifice",
    "discard",
    "reveal",
    "tap others",
    "these",
    "part",
    "permission",
    "insist",
    "stop",
    "reversed",
    "rule",
    "text",
    "with",
    "damage",
)
"""The keys that may stand beside what a player does."""

COMMANDS: Final = ("pass", "until", "expect", "refused", "mark", "table", "ruling")
"""The entries of ``play`` that do not begin with a player."""


class Placed(msgspec.Struct, frozen=True):
    """A card where a game starts with it."""

    name: str
    tapped: bool = False


class Play(msgspec.Struct, frozen=True):
    """One entry of ``play``: who (a seat, or -1), what (the verb and its object), and the details."""

    seat: int
    verb: str
    object: str
    node: Map
    place: Place
    body: Node | None = None

    def detail(self, key: str) -> Node | None:
        """One of the keys beside it."""
        return self.node.get(key) if isinstance(self.node, Map) else None


class Scenario(msgspec.Struct, frozen=True):
    """A scenario, ready to be played."""

    title: str
    file: str
    cites: tuple[str, ...]
    edition: Edition
    seed: str
    cards: CardSource
    names: tuple[str, ...]
    life: tuple[int, ...]
    zones: tuple[dict[str, tuple[Placed, ...]], ...]
    starting: int
    number: int
    step: str
    play: tuple[Play, ...]


def load(path: Path, folders: Sequence[Path] = ()) -> Scenario:
    """Read a scenario file.

    Raises:
        InputError: with the place of what is wrong.
    """
    return _scenario(read_file(path), str(path), (path.parent, *folders))


def parse(content: str, file: str = "scenario", folders: Sequence[Path] = ()) -> Scenario:
    """Read a scenario from text; see :func:`load`."""
    return _scenario(read(content, file), file, tuple(folders))


def _scenario(node: Node, file: str, folders: Sequence[Path]) -> Scenario:
    root = mapping(node, "a scenario")
    if is_card(root) and root.get("play") is None:
        raise InputError("this is a card, no scenario; name a file with 'play:'", where=str(root.place))
    expect_keys(root, KEYS, ("title", "players", "play"), what="a scenario")
    inline = root.get("cards")
    cards = CardSource(seq(inline, "cards") if inline is not None else (), folders)
    names, life, zones = _players(_needed(root, "players"), cards)
    starting, number, step = _turn(root.get("turn"), names)
    cites = root.get("cites")
    seed = root.get("seed")
    return Scenario(
        text(_needed(root, "title"), "title"),
        file,
        tuple(text(item, "an id") for item in one_or_many(cites, "cites")) if cites is not None else (),
        _edition(root.get("edition")),
        text(seed, "seed") if seed is not None else "",
        cards,
        names,
        life,
        zones,
        starting,
        number,
        step,
        tuple(play_entry(item, names) for item in seq(_needed(root, "play"), "play")),
    )


def _needed(node: Map, key: str) -> Node:
    found = node.get(key)
    assert found is not None, "expect_keys has checked it"
    return found


def _edition(node: Node | None) -> Edition:
    if node is None:
        return edition_named("newest")
    try:
        return edition_named(text(node, "edition"))
    except InputError as error:
        raise InputError(error.what, where=error.where or str(node.place)) from None


def _players(
    node: Node, cards: CardSource
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[dict[str, tuple[Placed, ...]], ...]]:
    players = mapping(node, "players")
    if len(players.entries) < 2:
        raise InputError("a game needs at least two players", where=str(node.place))
    names: list[str] = []
    life: list[int] = []
    zones: list[dict[str, tuple[Placed, ...]]] = []
    for key, body in players.entries:
        if key.value in COMMANDS or not re.fullmatch(r"\w[\w-]*", key.value):
            raise InputError(
                f"'{key.value}' cannot be a player's name; use one plain word", where=str(key.place)
            )
        names.append(key.value)
        brought: dict[str, tuple[Placed, ...]] = {}
        total = 20
        if not isinstance(body, Null):
            entry = mapping(body, key.value)
            expect_keys(entry, PLAYER_KEYS, what=f"player {key.value}")
            for zone in ZONES:
                listed = entry.get(zone)
                if listed is not None and not isinstance(listed, Null):
                    brought[zone] = placed_cards(listed, cards, zone)
            wanted = entry.get("life")
            total = integer(wanted, "life") if wanted is not None else 20
        life.append(total)
        zones.append(brought)
    return tuple(names), tuple(life), tuple(zones)


_CARD: Final = re.compile(r"^(?P<name>.+?)(?: x(?P<times>\d{1,3}))?(?: \((?P<how>[a-z ]+)\))?$")


_COUNTED: Final = re.compile(r"^(?:(?P<before>\d+)x? (?P<first>.+)|(?P<second>.+) x(?P<after>\d+))$")
"""How a number of cards is written elsewhere."""


def placed_cards(node: Node, cards: CardSource, zone: str) -> tuple[Placed, ...]:
    """The cards of a zone: "Forest", "Forest x3", "Forest (tapped)"."""
    placed: list[Placed] = []
    for item in one_or_many(node, zone):
        written = text(item, "a card")
        found = _CARD.match(written)
        if found is None:
            raise InputError(f"{written!r} cannot be a card's name", where=str(item.place))
        name, how = found["name"], found["how"]
        if how is not None and (how != "tapped" or zone != "battlefield"):
            raise InputError(
                f"'({how})' cannot be said here; only permanents may be (tapped)", where=str(item.place)
            )
        if found["times"] is not None and int(found["times"]) == 0:
            raise InputError(f"'{written}' is no card at all; leave it out", where=str(item.place))
        counted = _COUNTED.match(name)
        if counted is not None and not cards.has(name):
            number, plain = counted["before"] or counted["after"], counted["first"] or counted["second"]
            if cards.has(plain):
                advice = f"write '{plain} x{number}'" if len(number) < 4 else "x999 is the most"
                raise InputError(f"'{written}' names no card; {advice}", where=str(item.place))
        _may_be_there(cards.card(name, str(item.place)), zone, item.place)
        placed += [Placed(name, how == "tapped")] * int(found["times"] or 1)
    return tuple(placed)


def _may_be_there(card: Card, zone: str, place: Place) -> None:
    """An instant or a sorcery is never a permanent (304.4, 307.4)."""
    types = set(type_line(card.definition.faces[0].type_line)[1])
    if zone == "battlefield" and types and types <= {"instant", "sorcery"}:
        raise InputError(
            f"{card.definition.name} is no permanent card; it cannot be on the battlefield", where=str(place)
        )


def _turn(node: Node | None, names: tuple[str, ...]) -> tuple[int, int, str]:
    """Whose turn, which number, which step: "alice, precombat main", or "3, bob, upkeep"."""
    if node is None:
        return 0, 1, "precombat main"
    words = [word.strip() for word in text(node, "turn").split(",")]
    number = 1
    if words and re.fullmatch(r"[0-9]{1,9}", words[0]) and int(words[0]) > 0:
        number = int(words.pop(0))
    if len(words) != 2:
        raise InputError(
            'a turn is written "alice, precombat main", or "3, alice, upkeep" with its number',
            where=str(node.place),
        )
    return seat_of(words[0], names, node.place), number, step_of(words[1], node.place)


def seat_of(name: str, names: tuple[str, ...], place: Place) -> int:
    """The seat of a player."""
    if name not in names:
        raise InputError(f"unknown player '{name}'{suggest(name, names)}", where=str(place))
    return names.index(name)


def step_of(name: str, place: Place) -> str:
    """A step by its name."""
    if name not in STEPS:
        raise InputError(
            f"unknown step '{name}'{suggest(name, STEPS) or '; steps: ' + ', '.join(STEPS)}", where=str(place)
        )
    return name


def play_entry(node: Node, names: tuple[str, ...]) -> Play:
    """One entry of ``play``."""
    if isinstance(node, Text):
        if node.value != "pass":
            raise InputError(
                f"'{node.value}' is no entry of play; write 'pass' or '<player>: …'", where=str(node.place)
            )
        return Play(-1, "pass all", "", Map((), node.place), node.place)
    entry = mapping(node, "an entry of play")
    heads = [key for key, _ in entry.entries if key.value in names or key.value in COMMANDS]
    if not heads:
        first = next((key for key, _ in entry.entries if key.value not in DETAILS), None)
        if first is None:
            raise InputError("nobody is named here; say who does what: 'alice: pass'", where=str(entry.place))
        word = first.value
        known = (*names, *COMMANDS)
        raise InputError(
            f"'{word}' is neither a player nor a command"
            f"{suggest(word, known) or '; known: ' + ', '.join(known)}",
            where=str(first.place),
        )
    if len(heads) > 1:
        raise InputError(
            f"'{heads[1].value}' cannot stand beside '{heads[0].value}'", where=str(heads[1].place)
        )
    head = heads[0]
    body = entry.get(head.value)
    assert body is not None
    expect_keys(entry, (head.value, *(DETAILS if head.value in names else ())), what=f"'{head.value}'")
    if head.value in names:
        said = text(body, "what a player does")
        verb, _, rest = said.partition(" ")
        if said in WHOLE:
            verb, rest = said, ""
        _fitting(entry, head.value, verb)
        return Play(names.index(head.value), verb, rest.strip(), entry, body.place, body)
    if head.value == "pass" and not isinstance(body, Null):
        raise InputError("'pass' stands alone: everybody passes", where=str(body.place))
    return Play(-1, head.value, "", entry, body.place, body)


CHOICES: Final = ("these", "insist")
PAYING: Final = ("pay", "sacrifice", "discard", "reveal", "tap others", "stop", "reversed", "insist")
BESIDE: Final[dict[str, tuple[str, ...]]] = {
    "cast": ("targets", "modes", "x", "declare", "ways", "divide", "part", "permission", *PAYING),
    "activate": ("targets", "modes", "x", "declare", "ways", "divide", "part", *PAYING),
    "play": ("part", "permission", "insist"),
    "unlock": PAYING,
    "tap": ("insist",),
    "choose": CHOICES,
    "order": CHOICES,
    "targets": CHOICES,
    "modes": CHOICES,
    "divide": CHOICES,
    "declare": ("x", "declare", "ways", "insist"),
    "pay": PAYING,
    "comment": ("text",),
    "attack": ("with", *PAYING),
    "block": ("with", *PAYING),
    "assign": ("damage", "insist"),
}
"""What may stand beside each thing that a player does; ``rule`` may where it is to be refused."""


def _fitting(entry: Map, player: str, verb: str) -> None:
    allowed = (player, *BESIDE.get(verb, ("insist",)), "rule")
    for key, _ in entry.entries:
        if key.value not in allowed:
            raise InputError(
                f"'{key.value}' says nothing beside '{verb}'{suggest(key.value, allowed[1:])}",
                where=str(key.place),
            )


WHOLE: Final = ("give up", "no attack", "no block")
"""What a player does, in more than one word."""

SAID: Final = {
    "play-land": "play",
    "activate": "activate, tap",
    "choose-modes": "modes",
    "choose-targets": "targets",
    "choose-option": "choose",
    "declare-costs": "declare",
    "answer": "yes, no",
    "attack": "attack, no attack",
    "block": "block, no block",
}
"""What kinds of answers are called in a scenario, where it is not as in the log."""
