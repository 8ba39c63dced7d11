"""Finding objects by the names that a scenario calls them.

"Forest" is the first one that fits; "Forest #2" the second; "bob's Forest" one of bob's.  An ability
on the stack is called by its keyword ("cascade") or "ability of …".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cascade_es.errors import InputError
from cascade_es.game import Game
from cascade_es.scenarios.yamlnodes import Place, suggest

_NAME: Final = re.compile(r"^(?:(?P<owner>\w[\w-]*)'s )?(?P<name>.+?)(?: #(?P<number>[0-9]{1,3}))?$")


def everywhere(game: Game, seat: int) -> tuple[int, ...]:
    """All objects that a player may name, nearest first: the battlefield, the stack, the own hand, …"""
    state = game.state.game
    own: Iterable[int] = ()
    if 0 <= seat < len(state.players):
        own = (*state.players[seat].hand, *state.players[seat].library)
    return (
        *state.battlefield,
        *reversed(state.stack),
        *own,
        *(handle for player in state.players for handle in player.graveyard),
        *state.exile,
        *state.command,
    )


def find(
    game: Game, written: str, seat: int, place: Place, *, among: Sequence[int] = (), taken: Sequence[int] = ()
) -> int:
    """The object that a name means: among the candidates given if one fits, else anywhere.

    Raises:
        InputError: when there is none, with the names that are near.
    """
    parts = _NAME.match(written)
    if parts is None or parts["number"] == "0":
        raise InputError(f"{written!r} names nothing; write a name, and count from #1", where=str(place))
    owner = parts["owner"]
    holder = game.names.index(owner) if owner in game.names else None
    name = parts["name"] if holder is not None or owner is None else f"{owner}'s {parts['name']}"
    number = int(parts["number"] or 1)
    order = {handle: place for place, handle in enumerate(everywhere(game, seat))}
    nearest = sorted(dict.fromkeys(among), key=lambda handle: order.get(handle, len(order)))
    for pool in (tuple(nearest), everywhere(game, seat)):
        found = [
            handle
            for handle in pool
            if handle not in taken
            and called(game, handle, name)
            and (holder is None or game.state.object(handle).controller == holder)
        ]
        exact = [handle for handle in found if game.board.name(handle) == name]
        if len(exact) >= number:
            return exact[number - 1]  # before what is called so only by another of its parts
        if len(found) >= number:
            return found[number - 1]
    if number > 1 and any(called(game, handle, name) for handle in everywhere(game, seat)):
        raise InputError(
            f"there are not so many: '{written}'; count those that fit from #1", where=str(place)
        )
    known = [*game.names, *sorted({game.board.name(handle) for handle in everywhere(game, seat)})]
    hint = suggest(name, known) or "; name a card or player that is in the game and in sight"
    raise InputError(f"there is no '{written}' to name here{hint}", where=str(place))


def called(game: Game, handle: int, name: str) -> bool:
    """Whether an object is called so: by its name, or by the name of one of its parts."""
    board = game.board
    obj = game.state.game.objects.get(handle)
    if obj is None:
        return False
    if board.name(handle) == name:
        return True
    definition = board.definition(obj) if obj.kind != "ability" else None
    return definition is not None and name in (definition.name, *(face.name for face in definition.faces))
