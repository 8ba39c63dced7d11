"""Statements in force: abilities that are simply true while they function (113.6), and effects that say such.

Costs, permissions, prohibitions and combat all ask here.  What continuous effects make of objects is for
:mod:`cascade_es.rules.layers`, which must look at abilities in the making; what replaces events is for
:mod:`cascade_es.rules.watching`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

from cascade_es.evolve import HIDDEN
from cascade_es.rules.board import Board
from cascade_es.rules.filters import agrees, holds, speaks_to
from cascade_es.rules.printed import face_at
from cascade_es.values.facts import CardRef
from cascade_es.values.script import Ability, CostChange, Filter, Permission, Prohibition, Static
from cascade_es.values.state import AbilityRef, Characteristics

Record = TypeVar("Record", bound=Ability)
Speaking = TypeVar("Speaking", Permission, Prohibition)
Conditional = CostChange | Permission | Prohibition | Static


class Standing(msgspec.Struct, Generic[Record], frozen=True):
    """One statement: its text, who "you" is in it, the object it comes from, and what an effect is about."""

    record: Record
    ref: AbilityRef
    controller: int
    source: int
    about: tuple[int, ...] = ()


def standing(board: Board, sort: type[Record]) -> tuple[Standing[Record], ...]:
    """All statements of a sort that are in force, in the order of their objects, then of the effects."""
    known: tuple[Standing[Record], ...] | None = board.notes.get(sort.__name__)
    if known is None:
        known = board.notes[sort.__name__] = (*_of_objects(board, sort), *_of_effects(board, sort))
    return known


def _of_objects(board: Board, sort: type[Record]) -> Iterator[Standing[Record]]:
    if sort not in board.ctx.cards.sorts:
        return
    game = board.state.game
    zones = [game.battlefield, game.stack, *(player.graveyard for player in game.players)]
    zones += [game.exile, game.command, *(player.hand for player in game.players)]
    for handle in (handle for zone in zones for handle in zone):
        obj = board.state.object(handle)
        if obj.zone not in ("battlefield", "stack") and not _says(board, handle, sort):
            continue
        for ref, ability in board.abilities(handle):
            if isinstance(ability, sort) and obj.zone in (ability.zones or ("battlefield",)):
                yield Standing(ability, ref, obj.you, handle)


def _says(board: Board, handle: int, sort: type) -> bool:
    """Whether a card has such a text at all: few do, and there may be many cards."""
    obj = board.state.object(handle)
    if obj.zone in HIDDEN and board.definition(obj) is None:
        return False  # nobody can tell, so it says nothing
    return obj.ref is not None and sort in board.ctx.cards.sorts_on(obj.ref)


def _of_effects(board: Board, sort: type[Record]) -> Iterator[Standing[Record]]:
    for effect in board.state.game.effects:
        if effect.ability is None or not (effect.ability.card.known or effect.ability.keyword):
            continue
        ability = board.ability(effect.ability)
        if isinstance(ability, sort):
            yield Standing(ability, effect.ability, effect.controller, effect.source, effect.about)


def name_of(board: Board, item: Standing[Permission] | Standing[Prohibition]) -> str:
    """What a statement is called: by its own name, or that of the face it is written on."""
    if item.record.name or not isinstance(item.ref.card.value, CardRef):
        return item.record.name
    return face_at(board.ctx.cards.definition(item.ref.card.value), item.ref.face).name


def true_now(board: Board, record: Conditional, item: Standing[Record]) -> bool:
    """Whether the condition of a statement holds, if it has one."""
    return record.condition is None or holds(board, record.condition, item.controller, item.source)


def in_force(board: Board, sort: type[Speaking], seat: int) -> Iterator[Standing[Speaking]]:
    """The permissions or prohibitions that speak to a player now."""
    for item in standing(board, sort):
        if speaks_to(item.record.who, item.controller, seat) and true_now(board, item.record, item):
            yield item


def agrees_with(filter_: Filter | None, what: Characteristics) -> bool:
    """Whether what a card is, or would be, agrees with a filter: only characteristics are asked (601.3e)."""
    if filter_ is None:
        return True
    if filter_.any and not any(agrees_with(alternative, what) for alternative in filter_.any):
        return False
    return agrees(filter_, what)
