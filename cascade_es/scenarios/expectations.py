"""What a scenario may expect of the game, and how it is found out whether that holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args

from cascade_es.errors import InputError
from cascade_es.evolve import HIDDEN
from cascade_es.game import Game
from cascade_es.scenarios import combat
from cascade_es.scenarios.grammar import seat_of, step_of
from cascade_es.scenarios.naming import find
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
from cascade_es.values.digest import digest
from cascade_es.values.events import KINDS
from cascade_es.values.facts import CardRef, sees
from cascade_es.values.prompts import Kind
from cascade_es.values.state import Obj, State

Wrong = tuple[str, Place]
"""What is not as expected, and the place that expects it."""

LISTS: Final = ("library", "hand", "graveyard", "battlefield")
SHARED: Final = ("battlefield", "stack", "exile", "command")
NUMBERS: Final = ("life", "lands", "poison")


def check(game: Game, expected: Map, marks: Mapping[str, State]) -> Wrong | None:
    """The first thing that is not as expected; None when all is."""
    for key, node in expected.entries:
        wrong = _one(game, key, node, marks)
        if wrong is not None:
            return wrong
    return None


def _one(game: Game, key: Text, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    word = key.value
    owner, dot, rest = word.partition(".")
    if dot:
        seat = seat_of(owner, game.names, key.place)
        if rest in LISTS:
            return _zone(game, node, word, _player_zone(game, seat, rest))
        if rest in NUMBERS:
            return _equal(word, getattr(game.state.player(seat), rest), integer(node, word), node)
        if rest == "pool":
            pool = "".join(f"{{{unit.type}}}" for unit in game.state.player(seat).pool)
            return _equal(word, pool, "" if isinstance(node, Null) else text(node, word), node)
        if rest == "lost":
            return _equal(word, game.state.player(seat).lost, text(node, word), node)
        if rest == "knows":
            return _knows(game, seat, node)
        parts = (*LISTS, *NUMBERS, "pool", "lost", "knows")
        raise InputError(f"unknown part '{rest}' of a player{suggest(rest, parts)}", where=str(key.place))
    if word in SHARED:
        ids = tuple(getattr(game.state.game, word))
        return _zone(game, node, word, tuple(reversed(ids)) if word == "stack" else ids)
    handler = _HANDLERS.get(word)
    if handler is None:
        known = (*SHARED, *_HANDLERS, *(f"{name}.{part}" for name in game.names for part in (*LISTS, "life")))
        raise InputError(
            f"unknown expectation '{word}'{suggest(word, known) or '; known: ' + ', '.join(known)}",
            where=str(key.place),
        )
    return handler(game, node, marks)


def _equal(word: str, found: object, expected: object, node: Node) -> Wrong | None:
    if found == expected:
        return None
    return f"expected {word} {expected!r}, found {found!r}", node.place


# --------------------------------------------------------------------------------------- zones


def _player_zone(game: Game, seat: int, zone: str) -> tuple[int, ...]:
    if zone == "battlefield":
        return tuple(h for h in game.state.game.battlefield if game.state.object(h).controller == seat)
    player = game.state.player(seat)
    if zone == "library" and player.order.sealed:
        return tuple(handle for handle in player.order.value if handle in player.library)
    return tuple(getattr(player, zone))


_TIMES: Final = re.compile(r"^(.+?) x(\d{1,3})$")


def _names(nodes: Sequence[Node]) -> list[str]:
    names: list[str] = []
    for node in nodes:
        written = text(node, "a name")
        found = _TIMES.match(written)
        names += [found[1]] * int(found[2]) if found else [written]
    return names


def _zone(game: Game, node: Node, word: str, ids: tuple[int, ...]) -> Wrong | None:
    """A number of cards, or their names: in order for a library and the stack, else in any order."""
    if isinstance(node, Text) and node.value.isdigit():
        return _equal(f"{word}: number of objects", len(ids), int(node.value), node)
    found = [game.board.name(handle) for handle in ids]
    entries = () if isinstance(node, Null) else one_or_many(node, word)
    ordered = word.endswith("library") or word == "stack"
    if not ordered and not any(isinstance(entry, Map) for entry in entries):
        wanted = _names(entries)
        if sorted(wanted) == sorted(found):
            return None
        return f"expected {word} {sorted(wanted)}, found {sorted(found)}", node.place
    return _in_order(entries, found, word, node)


def _in_order(entries: Sequence[Node], found: list[str], word: str, node: Node) -> Wrong | None:
    """Names in order; {any order: […]} stands for that many neighbours, "…" for whatever is left."""
    rest = list(found)
    for entry in entries:
        if isinstance(entry, Text) and entry.value == "...":
            return None
        if isinstance(entry, Map):
            expect_keys(entry, ("any order",), ("any order",), what=word)
            group = entry.get("any order")
            assert group is not None
            wanted = _names(seq(group, "any order"))
            if sorted(wanted) != sorted(rest[: len(wanted)]):
                return f"expected {word} to go on with {wanted} in any order, found {rest}", entry.place
            del rest[: len(wanted)]
            continue
        for name in _names((entry,)):
            if not rest or rest[0] != name:
                return f"expected {word} to go on with {name!r}, found {rest}", entry.place
            del rest[0]
    if rest:
        return f"expected {word} to end there, but it goes on with {rest}", node.place
    return None


# ---------------------------------------------------------------------------------- the others


def _turn(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    turn = game.state.game.turn
    words = [word.strip() for word in text(node, "turn").split(",")]
    if len(words) != 2:
        raise InputError('a turn is expected as "alice, upkeep"', where=str(node.place))
    seat_of(words[0], game.names, node.place)
    step_of(words[1], node.place)
    found = f"{game.names[turn.active]}, {turn.step}"
    return _equal("turn", found, ", ".join(words), node)


def _priority(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    _known(game, node, "nobody")
    prompt = game.prompt
    holder = game.names[prompt.seat] if prompt is not None and prompt.kind == "act" else "nobody"
    return _equal("priority", holder, text(node, "priority"), node)


def _asked(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """Who is asked what: {alice: offer}; "nobody" when the game waits for nothing."""
    prompt = game.prompt
    if isinstance(node, Text):
        _known(game, node, "nobody")
        found = "nobody" if prompt is None else game.names[prompt.seat]
        return _equal("asked", found, node.value, node)
    entry = mapping(node, "asked")
    for key, kind in entry.entries:
        seat_of(key.value, game.names, key.place)
        shape = text(kind, "asked")
        if shape not in KINDS_OF_PROMPT:
            hint = suggest(shape, KINDS_OF_PROMPT) or "; known: " + ", ".join(KINDS_OF_PROMPT)
            raise InputError(f"nobody is ever asked '{shape}'{hint}", where=str(kind.place))
        found = "nobody" if prompt is None else f"{game.names[prompt.seat]}: {prompt.kind}"
        wrong = _equal("asked", found, f"{key.value}: {text(kind, 'asked')}", kind)
        if wrong is not None:
            return wrong
    return None


def _tapped(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    board = game.board
    ids = game.state.game.battlefield
    found = sorted(board.name(handle) for handle in ids if game.state.object(handle).tapped)
    wanted = sorted(_names(() if isinstance(node, Null) else one_or_many(node, "tapped")))
    return _equal("tapped", found, wanted, node)


def _events(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """These kinds of events have happened in this order, with others between them."""
    rest = [step.event.kind for step in game]
    for entry in one_or_many(node, "events"):
        kind = _kind_of_event(entry)
        if kind not in rest:
            return f"expected an event '{kind}' after the ones before it; there is none", entry.place
        del rest[: rest.index(kind) + 1]
    return None


def _no_events(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    kinds = {step.event.kind for step in game}
    for entry in one_or_many(node, "no events"):
        kind = _kind_of_event(entry)
        if kind in kinds:
            return f"an event '{kind}' has happened", entry.place
    return None


def _kind_of_event(node: Node) -> str:
    """A kind of event that there is: a misspelt one never happens, and would prove nothing."""
    kind = text(node, "a kind of event")
    if kind not in KINDS:
        hint = suggest(kind, tuple(KINDS)) or "; 'show' prints them beside the events"
        raise InputError(f"unknown kind of event '{kind}'{hint}", where=str(node.place))
    return kind


def _triggers(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """How often abilities have triggered so far in this game: {cascade: 2}; undone ones do not count."""
    counts: dict[str, int] = {}
    spans = game.undone()
    for step in game:
        if step.event.kind == "trigger" and not any(s.first <= step.seq <= s.last for s in spans):
            ability = step.event.ability  # type: ignore[attr-defined]
            source = step.event.source  # type: ignore[attr-defined]
            from cascade_es.rules.board import Board

            label = ability.keyword or Board(game.ctx, step.state).name(source)
            counts[label] = counts.get(label, 0) + 1
    for key, number in mapping(node, "triggers").entries:
        wrong = _equal(
            f"triggers of {key.value}", counts.get(key.value, 0), integer(number, "triggers"), number
        )
        if wrong is not None:
            return wrong
    return None


def _same_as(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """The whole game part of the state is what it was at a mark."""
    name = text(node, "same as")
    if name not in marks:
        raise InputError(f"there is no mark '{name}'{suggest(name, tuple(marks))}", where=str(node.place))
    if marks[name].game == game.state.game and digest(marks[name]) == digest(game.state):
        return None
    changed = [
        "what is under way (frames)" if field == "frames" else field
        for field in game.state.game.__struct_fields__
        if getattr(game.state.game, field) != getattr(marks[name].game, field)
    ]
    return f"the game is not what it was at '{name}'; different: {', '.join(changed)}", node.place


def _host(game: Game, host: int) -> str:
    """What something is attached to: an object, or by a negative id a player."""
    if host < 0:
        return game.names[-1 - host]
    return game.board.name(host) if host else "nothing"


def _reversed(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """The last reversal: {rule: "601.2c", reason: "there is no legal target"}; "none"."""
    found = [step.event for step in game if step.event.kind == "illegality-found"]
    if isinstance(node, Text):
        return _equal("reversals", str(len(found)) if found else "none", node.value, node)
    entry = mapping(node, "reversed")
    expect_keys(entry, ("rule", "reason"), what="'reversed'")
    if not found:
        return "expected a reversal, but nothing was reversed", node.place
    last = found[-1]
    rule, reason = entry.get("rule"), entry.get("reason")
    if rule is not None:
        wrong = _equal("rule of the reversal", game.ctx.number(last.rule), text(rule, "rule"), rule)
        if wrong is not None:
            return wrong
    if reason is not None and text(reason, "reason") not in last.reason:  # type: ignore[attr-defined]
        return f"the reason was {last.reason!r}", reason.place  # type: ignore[attr-defined]
    return None


def _objects(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """Properties of named objects: {Runeclaw Bear: {damage: 2, power: 2, controller: bob}}."""
    for key, body in mapping(node, "objects").entries:
        handle = find(game, key.value, -1, key.place)
        obj = game.state.object(handle)
        what = game.board.characteristics(handle)
        facts: dict[str, object] = {
            "damage": obj.damage,
            "tapped": "yes" if obj.tapped else "no",
            "controller": game.names[obj.controller],
            "owner": game.names[obj.owner],
            "zone": obj.zone,
            "power": what.power,
            "toughness": what.toughness,
            "mana value": what.mana_value,
            "colors": "".join(what.colors),
            "attached": _host(game, obj.attached),
            "name": what.name,
            "types": " ".join((*what.supertypes, *what.types)),
            "subtypes": " ".join(what.subtypes),
            "keywords": ", ".join(what.keywords),
            "abilities": len(game.board.abilities(handle)),
            "x": game.board.choices(handle).x,
            **{f"{name} counters": count for name, count in obj.counters},
        }
        for word, wanted in mapping(body, key.value).entries:
            if word.value not in facts and not word.value.endswith(" counters"):
                raise InputError(
                    f"unknown property '{word.value}'{suggest(word.value, tuple(facts))}",
                    where=str(word.place),
                )
            found = facts.get(word.value, 0)
            wrong = _equal(f"{key.value}: {word.value}", str(found), text(wanted, word.value), wanted)
            if wrong is not None:
                return wrong
    return None


KINDS_OF_PROMPT: Final = get_args(Kind)


def _known(game: Game, node: Node, *others: str) -> None:
    """A player's name, or one of a few other words."""
    known = (*game.names, *others)
    for name in text(node, "a player").split(", "):
        if name not in known:
            raise InputError(f"unknown player '{name}'{suggest(name, known)}", where=str(node.place))


def _winner(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    _known(game, node, "none", "draw")
    winners = game.state.game.winners
    found = "none" if winners is None else ", ".join(game.names[seat] for seat in winners) or "draw"
    return _equal("winner", found, text(node, "winner"), node)


def _knows(game: Game, seat: int, node: Node) -> Wrong | None:
    """Hidden cards of which a player has seen what they are; a list of none means that there is none."""
    knowledge = game.state.ledger.knowledge
    known = [
        obj
        for obj in game.state.game.objects.values()
        if (obj.zone in HIDDEN or obj.face_down)
        and (sees(obj.card.audience, seat) or knowledge.get(obj.id, 0) & (1 << seat))
    ]
    seen = sorted(_true_name(game, obj) for obj in known)
    names = list(_names(() if isinstance(node, Null) else one_or_many(node, "knows")))
    if not names:
        # One's own hand is always known.
        seen = sorted(_true_name(game, obj) for obj in known if (obj.zone, obj.owner) != ("hand", seat))
        if seen:
            return f"expected {game.names[seat]} to know of no hidden card, but {seen} are known", node.place
    for name in names:
        if name not in seen:
            return f"expected {game.names[seat]} to know of {name!r}, but only {seen} are known", node.place
        seen.remove(name)
    return None


def _true_name(game: Game, obj: Obj) -> str:
    """The name of an object that somebody has seen, be it face down."""
    card = obj.card.value
    return card.name if obj.face_down and isinstance(card, CardRef) else game.board.name(obj.id)


_HANDLERS: Final[dict[str, Callable[[Game, Node, Mapping[str, State]], Wrong | None]]] = {
    "turn": _turn,
    "priority": _priority,
    "asked": _asked,
    "tapped": _tapped,
    "events": _events,
    "no events": _no_events,
    "triggers": _triggers,
    "same as": _same_as,
    "reversed": _reversed,
    "objects": _objects,
    "winner": _winner,
    "attacking": combat.attacking,
    "blocking": combat.blocking,
    "combat": combat.combat,
}

WORDS: Final = (*LISTS, *SHARED, *NUMBERS, "pool", "lost", "knows", *_HANDLERS)
"""Everything that can be expected; what belongs to a player stands behind the player's name and a dot."""
