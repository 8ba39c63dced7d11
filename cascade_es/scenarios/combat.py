"""What scenarios say of combat: attacks, blocks, damage, and what is expected of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cascade_es.errors import InputError
from cascade_es.game import Game
from cascade_es.rules.combat.members import attackable, defender_of
from cascade_es.scenarios.grammar import Play
from cascade_es.scenarios.naming import find
from cascade_es.scenarios.yamlnodes import (
    Map,
    Node,
    Null,
    Text,
    boolean,
    expect_keys,
    integer,
    mapping,
    one_or_many,
    text,
)
from cascade_es.values import decisions as de
from cascade_es.values.state import Attack, Share, State

if TYPE_CHECKING:
    from cascade_es.scenarios.acting import Actor
    from cascade_es.scenarios.yamlnodes import Place

Wrong = tuple[str, "Place"]


def _creature(game: Game, node: Text, seat: int, among: tuple[int, ...], taken: list[int]) -> int:
    """A creature by its name: each is named once, so a name that comes again means the next one."""
    try:
        return find(game, node.value, seat, node.place, among=among, taken=taken)
    except InputError:
        return find(game, node.value, seat, node.place, among=among)


def _own(game: Game, seat: int) -> tuple[int, ...]:
    return tuple(h for h in game.state.game.battlefield if game.state.object(h).controller == seat)


def _needed(play: Play, key: str) -> Node:
    node = play.detail(key)
    if node is None:
        raise InputError(f"say what under '{key}:' ({play.verb})", where=str(play.place))
    return node


# ---------------------------------------------------------------------------------------- saying


def attack(actor: Actor, play: Play) -> None:
    """Declare attackers, and pay what that costs: {Bear: bob, Elf: Jace}, or a list where one is attacked."""
    game, node = actor.game, _needed(play, "with")
    before = len(game)
    own, taken = _own(game, play.seat), list[int]()
    chosen: list[de.Attacker] = []
    if isinstance(node, Map):
        for key, what in node.entries:
            handle = _creature(game, key, play.seat, own, taken if "#" not in key.value else [])
            taken.append(handle)
            chosen.append(_attacker(game, play, handle, what))
    else:
        players = [seat for seat, handle in attackable(game.board) if not handle]
        for item in one_or_many(node, "with"):
            if len(players) != 1:
                raise InputError("say whom each attacks: with: {NAME: player}", where=str(item.place))
            name = Text(text(item, "an attacker"), item.place)
            handle = _creature(game, name, play.seat, own, taken if "#" not in name.value else [])
            taken.append(handle)
            chosen.append(de.Attacker(handle, players[0]))
    actor.say(play, de.Attack(tuple(chosen)))
    actor.follow_up(play, before)


def _attacker(game: Game, play: Play, handle: int, node: Node) -> de.Attacker:
    name = text(node, "what is attacked")
    if name in game.names:
        return de.Attacker(handle, game.names.index(name))
    among = tuple(handle for _, handle in attackable(game.board) if handle)
    what = find(game, name, play.seat, node.place, among=among)
    return de.Attacker(handle, max(defender_of(game.board, what), 0), what)


def block(actor: Actor, play: Play) -> None:
    """Declare blockers, and pay what that costs: {Bear: [Elf, Wall]}, by attacker."""
    game = actor.game
    before = len(game)
    attackers = tuple(item.attacker for item in game.state.game.combat)
    chosen: list[de.Blocker] = []
    for key, blockers in mapping(_needed(play, "with"), "with").entries:
        attacker = find(game, key.value, play.seat, key.place, among=attackers)
        taken: list[int] = [item.blocker for item in chosen if item.attacker == attacker]
        for item in one_or_many(blockers, "blockers"):
            name = Text(text(item, "a blocker"), item.place)
            handle = _creature(game, name, play.seat, _own(game, play.seat), taken)
            taken.append(handle)
            chosen.append(de.Blocker(handle, attacker))
    actor.say(play, de.Block(tuple(chosen)))
    actor.follow_up(play, before)


def assign(actor: Actor, play: Play) -> None:
    """Assign combat damage: {Bear: {Elf: 1, bob: 1}}."""
    game = actor.game
    fighters = tuple(h for item in game.state.game.combat for h in (item.attacker, *item.blockers) if h)
    shares: list[Share] = []
    for key, body in mapping(_needed(play, "damage"), "damage").entries:
        source = find(game, key.value, play.seat, key.place, among=fighters)
        for to, number in mapping(body, key.value).entries:
            amount = integer(number, "an amount", 0)
            if to.value in game.names:
                shares.append(Share(source, amount, 0, game.names.index(to.value)))
            else:
                shares.append(Share(source, amount, find(game, to.value, -1, to.place, among=fighters)))
    actor.say(play, de.Assign(tuple(shares)))


# ------------------------------------------------------------------------------------- expecting


def _attacked(game: Game, item: Attack) -> str:
    if item.object > 0:
        return game.board.name(item.object)
    return "nothing" if item.object else game.names[item.seat]


def _names(node: Node, word: str) -> list[str]:
    """Names as they are written: "Runeclaw Bear x2" is two of them."""
    names: list[str] = []
    for item in () if isinstance(node, Null) else one_or_many(node, word):
        name, _, times = text(item, "a name").rpartition(" x")
        names += [name] * int(times) if name and times.isdecimal() else [text(item, "a name")]
    return names


def _same(word: str, found: object, wanted: object, node: Node) -> Wrong | None:
    return None if found == wanted else (f"expected {word} {wanted!r}, found {found!r}", node.place)


def attacking(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """Who attacks: a list of names, or {Bear: bob}."""
    there = [item for item in game.state.game.combat if item.attacker]
    if isinstance(node, Map):
        wanted = sorted((key.value, text(what, "what is attacked")) for key, what in node.entries)
        found = sorted((game.board.name(item.attacker), _attacked(game, item)) for item in there)
        return _same("attacking", found, wanted, node)
    names = _names(node, "attacking")
    return _same("attacking", sorted(game.board.name(i.attacker) for i in there), sorted(names), node)


def blocking(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """Who blocks: a list of names, or {Elf: [Bear]}, what each blocks."""
    name = game.board.name
    blocks: dict[int, list[str]] = {}
    for item in game.state.game.combat:
        for handle in item.blockers:
            blocks.setdefault(handle, [])
            if item.attacker:
                blocks[handle].append(name(item.attacker))
    if isinstance(node, Map):
        wanted = sorted((key.value, sorted(_names(what, "blocks"))) for key, what in node.entries)
        return _same("blocking", sorted((name(h), sorted(what)) for h, what in blocks.items()), wanted, node)
    names = _names(node, "blocking")
    return _same("blocking", sorted(name(handle) for handle in blocks), sorted(names), node)


def combat(game: Game, node: Node, marks: Mapping[str, State]) -> Wrong | None:
    """Attackers one by one: {Bear: {attacks: bob, blocked: yes, blockers: [Elf]}}; "none" outside combat."""
    if isinstance(node, Text):
        if node.value != "none":
            raise InputError("write 'none', or {NAME: {attacks: …}}", where=str(node.place))
        return _same("combat", "none" if game.state.game.fight is None else "a combat", "none", node)
    by_name = {game.board.name(item.attacker): item for item in game.state.game.combat if item.attacker}
    for key, body in mapping(node, "combat").entries:
        if key.value not in by_name:
            return f"{key.value} is not attacking", key.place
        item = by_name[key.value]
        entry = mapping(body, key.value)
        expect_keys(entry, ("attacks", "blocked", "blockers"), what=f"'{key.value}'")
        for word, value in entry.entries:
            found: object = _attacked(game, item)
            wanted: object
            if word.value == "blocked":
                found, wanted = item.blocked, boolean(value, "blocked")
            elif word.value == "blockers":
                found = [game.board.name(handle) for handle in item.blockers]
                wanted = _names(value, "blockers")
            else:
                wanted = text(value, "attacks")
            wrong = _same(f"{key.value}: {word.value}", found, wanted, value)
            if wrong is not None:
                return wrong
    return None
