"""Filters, references, numbers and conditions of scripts, judged against the game."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.rules.board import PERMANENT_TYPES, Board
from cascade_es.values.script import Condition, Filter
from cascade_es.values.state import Characteristics, Obj


def compares(text: str, value: int | None) -> bool:
    """Whether a number agrees with "3", "<=3" or ">=3".

    >>> compares("<=3", 2), compares(">=3", 2), compares("2", 2)
    (True, False, True)
    """
    if value is None:
        return False
    if text.startswith("<="):
        return value <= int(text[2:])
    if text.startswith(">="):
        return value >= int(text[2:])
    return value == int(text)


def agrees(filter_: Filter, what: Characteristics) -> bool:
    """Whether characteristics alone agree with a filter."""
    f = filter_
    if f.types and not any(item in what.types for item in f.types):
        return False
    if f.all_types and not all(item in what.types for item in f.all_types):
        return False
    if any(item in what.types for item in f.not_types):
        return False
    if f.supertypes and not any(item in what.supertypes for item in f.supertypes):
        return False
    if any(item in what.supertypes for item in f.not_supertypes):
        return False
    if f.subtypes and not any(item in what.subtypes for item in f.subtypes):
        return False
    if f.colors and not any(item in what.colors for item in f.colors):
        return False
    if any(item in what.colors for item in f.not_colors):
        return False
    if f.keywords and not any(item in what.keywords for item in f.keywords):
        return False
    if f.name and f.name != what.name:
        return False
    if f.mana_value and not compares(f.mana_value, what.mana_value):
        return False
    return not (f.power and not compares(f.power, what.power))


def _is(board: Board, kind: str, obj: Obj, f: Filter) -> bool:
    if kind == "permanent":
        return obj.zone == "battlefield"
    if kind == "spell":
        return obj.zone == "stack" and obj.kind != "ability"
    if kind == "ability":
        return obj.zone == "stack" and obj.kind == "ability"
    if kind == "card":
        return obj.kind == "card" and obj.zone == (f.zone or obj.zone)
    return False


def matches(board: Board, f: Filter, handle: int, you: int, this: int = 0) -> bool:
    """Whether an object agrees with a filter, as ``you`` (a seat) and ``this`` (an id) see it."""
    obj = board.find(handle)
    if obj is None or (f.other and handle == this):
        return False
    if f.any and not any(matches(board, alternative, handle, you, this) for alternative in f.any):
        return False
    if not any(_is(board, kind, obj, f) for kind in f.is_) and not f.any:
        return False
    if f.controller == "you" and obj.controller != you:
        return False
    if f.controller == "opponent" and obj.controller == you:
        return False
    if f.tapped is not None and obj.tapped != f.tapped:
        return False
    return agrees(f, board.characteristics(handle))


def matches_player(f: Filter, seat: int, you: int) -> bool:
    """Whether a player agrees with a filter."""
    if any(matches_player(alternative, seat, you) for alternative in f.any):
        return True
    if "player" not in f.is_:
        return False
    return not ((f.controller == "you" and seat != you) or (f.controller == "opponent" and seat == you))


def objects(board: Board, f: Filter, you: int, this: int = 0) -> Iterator[int]:
    """All objects that agree with a filter, in the order of their zones."""
    game = board.state.game
    kinds = set(f.is_) if not f.any else {kind for item in (f, *f.any) for kind in item.is_}
    candidates: list[int] = []
    if "permanent" in kinds:
        candidates.extend(game.battlefield)
    if kinds & {"spell", "ability"}:
        candidates.extend(game.stack)
    if "card" in kinds:
        zones = {item.zone for item in (f, *f.any) if "card" in item.is_ and item.zone}
        for player in game.players:
            for zone in ("graveyard", "hand", "library"):
                if zone in zones:
                    candidates.extend(getattr(player, zone))
        for zone in ("exile", "command"):
            if zone in zones:
                candidates.extend(getattr(game, zone))
    return (handle for handle in candidates if matches(board, f, handle, you, this))


def holds(board: Board, condition: Condition, you: int, this: int, declared: tuple[str, ...] = ()) -> bool:
    """Whether a condition holds now."""
    return _holds(board, condition, you, this, declared) != condition.negate


def _holds(board: Board, c: Condition, you: int, this: int, declared: tuple[str, ...]) -> bool:
    turn = board.state.game.turn
    if c.paid and c.paid not in declared:
        return False
    if c.active == "you" and turn.active != you:
        return False
    if c.active == "opponent" and turn.active == you:
        return False
    if c.steps and turn.step not in c.steps:
        return False
    if c.controls is not None:
        found = sum(
            1 for h in objects(board, c.controls, you, this) if board.state.object(h).controller == you
        )
        if found < int(c.count):
            return False
    return not (c.delirium and len(graveyard_types(board, you)) < 4)


def graveyard_types(board: Board, seat: int) -> tuple[str, ...]:
    """The card types among cards in a graveyard (delirium counts them)."""
    seen: dict[str, None] = {}
    for handle in board.state.player(seat).graveyard:
        seen.update(dict.fromkeys(board.characteristics(handle).types))
    return tuple(seen)


def is_permanent_card(what: Characteristics) -> bool:
    """Whether a spell with these characteristics becomes a permanent (110.4a)."""
    return any(item in PERMANENT_TYPES for item in what.types)
