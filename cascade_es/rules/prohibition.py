"""What forbids casting, playing lands and activating, whatever allows it (101.2, 601.3, 305.2b, 602.5)."""

from __future__ import annotations

from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds, speaks_to
from cascade_es.rules.keywords import SPLIT_SECOND
from cascade_es.rules.printed import FUSED
from cascade_es.rules.standing import Standing, agrees_with, in_force, name_of
from cascade_es.rules.timing import sorcery_time
from cascade_es.values.prompts import Refusal
from cascade_es.values.script import Prohibition
from cascade_es.values.state import Characteristics, Obj


def split_second(board: Board) -> bool:
    """702.61a: a spell with split second is on the stack."""
    return any(
        board.state.object(handle).kind != "ability"
        and SPLIT_SECOND in board.characteristics(handle).keywords
        for handle in board.state.game.stack
    )


def own_restriction(board: Board, seat: int, obj: Obj, part: int, name: str) -> Refusal | None:
    """ "Cast this spell only …": the part's own text."""
    definition = board.definition(obj)
    assert definition is not None
    faces = definition.faces if part == FUSED else (definition.faces[part],)
    for face in faces:
        if face.restriction is not None and not holds(board, face.restriction.only, seat, obj.id):
            return Refusal("cast.permission", f"{name} may not be cast now by its own text")
    return None


def forbidden_cast(
    board: Board, seat: int, obj: Obj, could_be: tuple[Characteristics, ...], zone: str, *, beginning: bool
) -> Refusal | None:
    """Whether a prohibition forbids a spell: in all the ways in which it could still turn out.

    ``could_be`` are the characteristics that the choices of the proposal can lead to; ``zone`` is where it
    is cast from.  Since 2018-06 a cast may begin if one of them would be allowed (601.3a), before that, from
    2015-07 on, qualities were judged only when the proposal was complete (601.2e).
    """
    later = board.ctx.edition.has("legality-check") and not board.ctx.edition.has("prohibition-look-ahead")
    for item in in_force(board, Prohibition, seat):
        record = item.record
        if "cast" not in record.forbid or not _speaks_of(board, item, obj, zone):
            continue
        if beginning and later and (record.what is not None or record.chosen):
            continue
        if not all(_quality(board, item, what) for what in could_be):
            continue
        if record.unless == "sorcery time" and sorcery_time(board, seat):
            continue
        if record.more_than and _cast_so_far(board, item, seat) < int(record.more_than):
            continue
        name = could_be[0].name or "that"
        return Refusal("cast.permission", f"{_name(board, item)} says that {name} can't be cast")
    return None


def _name(board: Board, item: Standing[Prohibition]) -> str:
    return name_of(board, item) or "an effect"


def _speaks_of(board: Board, item: Standing[Prohibition], obj: Obj, zone: str) -> bool:
    """Whether a prohibition is about this object at all, whatever it would be as a spell."""
    record = item.record
    if record.this and obj.id != item.source:
        return False
    if record.those and obj.id not in item.about:
        return False
    if record.from_ and zone not in record.from_:
        return False
    return record.card is None or agrees_with(record.card, board.characteristics(obj.id))


def _quality(board: Board, item: Standing[Prohibition], what: Characteristics) -> bool:
    record = item.record
    if record.chosen:
        source = board.find(item.source)
        words = source.chosen if source is not None else ()
        # 709.4a: a card with several names has each of them; a half on the stack has only its own.
        if not any(word == what.name or word in what.names for word in words):
            return False
    return agrees_with(record.what, what)


def _cast_so_far(board: Board, item: Standing[Prohibition], seat: int) -> int:
    """How many such spells a player has cast this turn, as they were on the stack."""
    return sum(
        1
        for deed in board.state.game.history
        if deed.kind == "spell-cast"
        and deed.player == seat
        and _quality(board, item, board.characteristics(deed.object))
    )


def forbidden_land(board: Board, seat: int, obj: Obj, what: Characteristics) -> Refusal | None:
    """Whether a prohibition forbids to play a land (305.2b and effects)."""
    for item in in_force(board, Prohibition, seat):
        record = item.record
        if "play land" not in record.forbid or not _speaks_of(board, item, obj, obj.zone):
            continue
        if _quality(board, item, what):
            return Refusal("land.play", f"{_name(board, item)} says that {what.name} can't be played")
    return None


def forbidden_activation(board: Board, seat: int, obj: Obj, *, mana: bool) -> Refusal | None:
    """Whether a prohibition forbids to activate an ability of an object, or a ``mana`` ability (602.5)."""
    what = board.characteristics(obj.id)
    if "activate" in what.cant:
        return Refusal("activate.permission", f"abilities of {board.open_name(obj.id)} can't be activated")
    for item in in_force(board, Prohibition, seat):
        record = item.record
        if "activate" not in record.forbid or (mana and record.except_mana):
            continue
        if not _speaks_of(board, item, obj, obj.zone):
            continue
        if record.what is not None and not speaks_to(record.what.controller, item.controller, obj.controller):
            continue
        if _quality(board, item, what):
            name = board.open_name(obj.id)
            return Refusal(
                "activate.permission",
                f"{_name(board, item)}: abilities of {name} can't be activated",
            )
    return None
