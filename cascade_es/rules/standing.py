"""Permissions and prohibitions that are in force: of permanents, of other objects, and of effects.

They are abilities of their own kinds (:class:`~cascade_es.values.script.Permission`,
:class:`~cascade_es.values.script.Prohibition`) that function where they say, by default on the
battlefield (113.6), or for as long as an effect lasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from cascade_es.rules.board import Board
from cascade_es.rules.filters import agrees, holds
from cascade_es.rules.printed import face_at
from cascade_es.values.facts import CardRef
from cascade_es.values.script import Filter, Permission, Prohibition
from cascade_es.values.state import AbilityRef, Characteristics

Record = TypeVar("Record", Permission, Prohibition)


SORTS: Final = frozenset((Permission, Prohibition))


class Standing(msgspec.Struct, frozen=True):
    """One such statement: its text, whose it is, what it speaks of, and the object it comes from."""

    record: Permission | Prohibition
    word: str
    controller: int
    source: int
    about: tuple[int, ...] = ()
    attached: int = 0


def standing(board: Board) -> tuple[Standing, ...]:
    """All statements in force, in the order of their objects, then of the effects."""
    known: tuple[Standing, ...] | None = board.notes.get("standing")
    if known is None:
        known = ()
        if not SORTS.isdisjoint(board.ctx.cards.sorts):
            known = tuple(_of_objects(board)) + tuple(_of_effects(board))
        board.notes["standing"] = known
    return known


def _of_objects(board: Board) -> Iterator[Standing]:
    game = board.state.game
    for handle in game.battlefield:
        yield from _declared(board, handle, "battlefield")
    for zone, handles in (("stack", game.stack), ("exile", game.exile), ("command", game.command)):
        for handle in handles:
            if _says(board, handle):
                yield from _declared(board, handle, zone)
    for player in game.players:
        for zone, handles in (("graveyard", player.graveyard), ("hand", player.hand)):
            for handle in handles:
                if _says(board, handle):
                    yield from _declared(board, handle, zone)


def _says(board: Board, handle: int) -> bool:
    """Whether a card has such a text at all: few do, and there may be many cards."""
    obj = board.state.object(handle)
    if obj.ref is None or board.definition(obj) is None:
        return False
    return not SORTS.isdisjoint(board.ctx.cards.sorts_on(obj.ref))


def _declared(board: Board, handle: int, zone: str) -> Iterator[Standing]:
    obj = board.state.object(handle)
    for ref, ability in board.abilities(handle):
        if isinstance(ability, Permission | Prohibition) and zone in (ability.zones or ("battlefield",)):
            yield Standing(ability, _word(board, ref, ability), obj.controller, handle, (), obj.attached)


def _of_effects(board: Board) -> Iterator[Standing]:
    for effect in board.state.game.effects:
        if effect.ability is None or not effect.ability.card.known:
            continue
        ability = board.ability(effect.ability)
        if isinstance(ability, Permission | Prohibition):
            word = _word(board, effect.ability, ability)
            yield Standing(ability, word, effect.controller, effect.source, effect.about or effect.objects)


def _word(board: Board, ref: AbilityRef, ability: Permission | Prohibition) -> str:
    """What a statement is called: by its own name, or that of the face it is written on."""
    if ability.name or not isinstance(ref.card.value, CardRef):
        return ability.name
    return face_at(board.ctx.cards.definition(ref.card.value), ref.face).name


def in_force(board: Board, kind: type[Record], seat: int) -> Iterator[tuple[Record, Standing]]:
    """The statements of one kind that speak to a player now."""
    for item in standing(board):
        record = item.record
        if not isinstance(record, kind):
            continue
        if record.who == "you" and seat != item.controller:
            continue
        if record.who == "opponent" and seat == item.controller:
            continue
        if record.condition is not None and not holds(board, record.condition, item.controller, item.source):
            continue
        yield record, item


def agrees_with(filter_: Filter | None, what: Characteristics) -> bool:
    """Whether what a card is, or would be, agrees with a filter: only characteristics are asked (601.3e)."""
    if filter_ is None:
        return True
    if filter_.any and not any(agrees_with(alternative, what) for alternative in filter_.any):
        return False
    return agrees(filter_, what)
