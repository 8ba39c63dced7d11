"""What may be begun: casting, playing lands, activating (116, 117.1, 305, 601.3, 602.5).

Something may be begun if a permission allows it and no prohibition forbids it.  Whether it can be
finished (targets, payment) is not asked here: beginning an unpayable spell is legal (118.6).
"""

from __future__ import annotations

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds
from cascade_es.rules.keywords import SPLIT_SECOND
from cascade_es.values.prompts import Refusal
from cascade_es.values.script import Activated, PayLoyalty, PayTap
from cascade_es.values.state import Characteristics, Obj

MAIN = ("precombat main", "postcombat main")


def split_second(board: Board) -> bool:
    """702.61a: a spell with split second is on the stack."""
    return any(
        board.state.object(handle).kind != "ability"
        and SPLIT_SECOND in board.characteristics(handle).keywords
        for handle in board.state.game.stack
    )


def sorcery_time(board: Board, seat: int) -> bool:
    """117.1a: the main phase of one's own turn, with an empty stack."""
    game = board.state.game
    return game.turn.active == seat and game.turn.step in MAIN and not game.stack


def parts(board: Board, obj: Obj) -> tuple[int, ...]:
    """The parts as which a card may be cast at all: both halves, either face, the Adventure (601.3e)."""
    definition = board.definition(obj)
    if definition is None:
        return ()
    if definition.layout in ("split", "aftermath", "adventure", "omen", "modal_dfc", "room", "prototype"):
        return tuple(range(len(definition.faces)))
    return (0,)


def part_allowed(board: Board, obj: Obj, part: int) -> Refusal | None:
    """Whether a part may be cast from where the card is (702.127a); the back of a card never may (712.8a).

    Raises:
        DecisionError: when the card has no such part.
    """
    definition = board.definition(obj)
    if definition is None or not 0 <= part < len(definition.faces):
        raise DecisionError(f"{board.name(obj.id)} has no part {part} to cast")
    name = definition.faces[part].name
    if part not in parts(board, obj):
        return Refusal("cast.permission", f"{name} cannot be cast as such")
    if definition.layout == "aftermath" and part == 1 and obj.zone != "graveyard":
        return Refusal("aftermath", f"{name} can be cast only from a graveyard")
    return None


def begin_cast(board: Board, seat: int, obj: Obj, part: int) -> Refusal | None:
    """Whether a player with priority may begin to cast a card from where it is (601.3)."""
    wrong = part_allowed(board, obj, part)
    if wrong is not None:
        return wrong
    ref = obj.ref
    assert ref is not None
    what = board.part(ref, part)
    if "land" in what.types:
        return Refusal("land.play", f"{what.name} is a land; lands are played, not cast")
    if not (obj.zone == "hand" and obj.owner == seat):
        return Refusal("cast.permission", f"nothing allows {what.name} to be cast from there")
    if not ("instant" in what.types or "flash" in what.keywords or sorcery_time(board, seat)):
        return Refusal(
            "cast.timing", f"{what.name} can be cast only in its caster's main phase while the stack is empty"
        )
    return prohibition(board, seat, obj, part, what)


def prohibition(board: Board, seat: int, obj: Obj, part: int, what: Characteristics) -> Refusal | None:
    """Whether something forbids a cast, whatever permits it."""
    if split_second(board):
        return Refusal("split-second", "a spell with split second is on the stack")
    definition = board.definition(obj)
    assert definition is not None
    restriction = definition.faces[part].restriction
    if restriction is not None and not holds(board, restriction.only, seat, obj.id):
        return Refusal("cast.permission", f"{what.name} may not be cast now by its own text")
    return None


def begin_land(board: Board, seat: int, obj: Obj, part: int) -> Refusal | None:
    """Whether a player with priority may play a land (305.1–2)."""
    if obj.ref is None or part not in parts(board, obj):
        raise DecisionError(f"{board.name(obj.id)} has no part {part} to play")
    what = board.part(obj.ref, part)
    if "land" not in what.types:
        return Refusal("land.play", f"{what.name or 'this card'} is not a land")
    if not (obj.zone == "hand" and obj.owner == seat):
        return Refusal("land.play", f"nothing allows {what.name} to be played from there")
    if not sorcery_time(board, seat):
        return Refusal(
            "land.play", "a land can be played only in one's own main phase while the stack is empty"
        )
    if board.state.player(seat).lands >= 1:
        return Refusal("land.limit", "a land has been played this turn already")
    return None


def begin_activation(
    board: Board, seat: int, obj: Obj, ability: Activated, *, mana_only: bool
) -> Refusal | None:
    """Whether a player may begin to activate an ability (602.5)."""
    name = board.open_name(obj.id)
    if obj.zone != "battlefield":
        return Refusal("activate.permission", f"{name} is not on the battlefield")
    if obj.controller != seat:
        return Refusal("activate", f"{name} is controlled by somebody else")
    mana = board.is_mana_ability(ability)
    if not mana:
        if mana_only:
            return Refusal("cast.mana", "only mana abilities can be activated now")
        if split_second(board):
            return Refusal("split-second", "a spell with split second is on the stack")
        if ability.sorcery_speed and not sorcery_time(board, seat):
            return Refusal(
                "activate.permission", "this ability can be activated only as a sorcery could be cast"
            )
    if any(isinstance(part, PayLoyalty) for part in ability.cost):
        # 606.3: in one's own main phase with an empty stack, and one for each permanent each turn.
        if not sorcery_time(board, seat):
            return Refusal("loyalty", f"{name} can be activated only as a sorcery could be cast")
        if loyalty_used(board, obj.id):
            return Refusal("loyalty", f"a loyalty ability of {name} has been activated this turn")
    if any(isinstance(part, PayTap) for part in ability.cost):
        if obj.tapped:
            return Refusal("cost.resources", f"{name} is tapped already")
        if sick(board, obj):
            return Refusal("activate.sick", f"{name} has not been under control since the turn began")
    return None


def loyalty_used(board: Board, handle: int) -> bool:
    """Whether a loyalty ability of a permanent has been activated this turn, by any player (606.3)."""
    for deed in board.state.game.history:
        obj = board.find(deed.object) if deed.kind == "ability-activated" else None
        if obj is not None and obj.source == handle and obj.ability is not None:
            ability = board.ability(obj.ability)
            if isinstance(ability, Activated) and any(isinstance(p, PayLoyalty) for p in ability.cost):
                return True
    return False


def sick(board: Board, obj: Obj) -> bool:
    """302.6: a creature that its controller has not controlled since their most recent turn began."""
    what = board.characteristics(obj.id)
    if "creature" not in what.types or "haste" in what.keywords:
        return False
    return obj.since > 0 and obj.since >= board.state.player(obj.controller).began
