"""What may be begun: casting, playing lands, activating (116, 117.1, 305, 601.3, 602.5).

Something may be begun if a permission allows it and no prohibition forbids it.  Whether it can be
finished (targets, payment) is not asked here: beginning an unpayable spell is legal (118.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.evolve import HIDDEN
from cascade_es.rules import prohibition
from cascade_es.rules.board import Board
from cascade_es.rules.filters import holds, speaks_to
from cascade_es.rules.parts import part_allowed, part_name, parts
from cascade_es.rules.printed import cost_of, part_values
from cascade_es.rules.standing import Standing, agrees_with, in_force, name_of
from cascade_es.rules.timing import sorcery_time
from cascade_es.values.facts import sees
from cascade_es.values.prompts import Refusal
from cascade_es.values.script import Activated, PayLoyalty, PayTap, Permission
from cascade_es.values.state import Characteristics, Obj

ADVENTURE: Final = "adventure"
MUCH: Final = (*range(1, 21), 1_000_000)
"""The values of X besides 0 that can matter: those of exact comparisons, and one beyond every comparison."""


class Grant(msgspec.Struct, frozen=True):
    """One permission for one way to cast or play a card: its name, and who gives it (0: the rules)."""

    word: str
    ground: int = 0
    free: bool = False
    exiled: bool = False


def could_be(board: Board, obj: Obj, part: int, *, free: bool = False) -> tuple[Characteristics, ...]:
    """What a card could be as a spell, cast as one of its parts: X is not chosen yet (601.3a, e).

    A comparison of the mana value may be met by a single value of X, so all that scripts ask for are tried.
    """
    definition = board.definition(obj)
    assert definition is not None
    least = part_values(definition, part)
    open_x = least.mana_cost is not None and bool(cost_of(least.mana_cost).variables)
    if free or not open_x or not board.ctx.edition.has("legality-check"):
        return (least,)
    return (least, *(part_values(definition, part, x) for x in MUCH))


# --------------------------------------------------------------------------------------- grants


def grants(
    board: Board, seat: int, obj: Obj, part: int, what: tuple[Characteristics, ...], *, land: bool = False
) -> Iterator[Grant]:
    """Everything that allows a player to cast or play a part of a card from where it is, the rules first."""
    definition = board.definition(obj)
    assert definition is not None
    from_graveyard = definition.layout == "aftermath" and part == 1 and obj.zone == "graveyard"
    if obj.zone == "hand" and obj.owner == seat:
        yield Grant("hand")
    if from_graveyard and obj.owner == seat:
        yield Grant("aftermath", exiled=True)
    if not land and part == 0 and on_adventure(board, seat, obj.id):
        yield Grant(ADVENTURE)
    wanted = ("play", "play land") if land else ("play", "cast")
    for item in in_force(board, Permission, seat):
        record = item.record
        if record.allow not in wanted or not covers(board, item, obj):
            continue
        if record.once and used(board, seat, item.source):
            continue
        cost = what[:1] if record.free else what  # 107.3b: X is 0 where no mana cost is paid
        if any(agrees_with(record.what, values) for values in cost):
            # 702.127a: the second half is exiled whatever allowed it to be cast from the graveyard.
            yield Grant(name_of(board, item), item.source, record.free, record.exiled or from_graveyard)


def covers(board: Board, item: Standing[Permission], obj: Obj) -> bool:
    """Whether a permission is about this card, where it is now."""
    record = item.record
    if record.this and obj.id != item.source:
        return False
    if record.those and obj.id not in item.about:
        return False
    links = board.state.game.links
    if record.linked and not any(link.source == item.source and obj.id in link.objects for link in links):
        return False
    picked = record.this or record.those or record.linked
    if record.from_ is None:
        if not picked:
            return False
    elif obj.zone != record.from_:
        return False
    elif not picked:
        if not speaks_to(record.of, item.controller, obj.owner):
            return False
        player = board.state.player(obj.owner)
        if obj.zone == "library" and (player.order.sealed or player.library[:1] != (obj.id,)):
            return False
    return record.card is None or agrees_with(record.card, board.characteristics(obj.id))


def used(board: Board, seat: int, ground: int) -> bool:
    """Whether a permission for once each turn has been used this turn."""
    return any(
        deed.kind == "permission-used" and deed.player == seat and deed.object == ground
        for deed in board.state.game.history
    )


def on_adventure(board: Board, seat: int, handle: int) -> bool:
    """715.3d: the card stays in exile since its Adventure resolved under this player's control."""
    return any(
        effect.sort == ADVENTURE and effect.controller == seat and handle in effect.objects
        for effect in board.state.game.effects
    )


def may_see(obj: Obj, seat: int) -> bool:
    """Whether a player knows which card it is: what cannot be seen cannot be cast (601.3f)."""
    return (obj.zone not in HIDDEN and not obj.face_down) or sees(obj.card.audience, seat)


def granted(
    board: Board, seat: int, obj: Obj, part: int, word: str = "", *, land: bool = False
) -> Grant | None:
    """The permission that a player uses: the first one of this name, or the first of all."""
    for grant in grants(board, seat, obj, part, could_be(board, obj, part), land=land):
        if word in ("", grant.word):
            return grant
    return None


def _known(board: Board, seat: int, obj: Obj, word: str, grant: Grant | None) -> None:
    """A permission that is named must be one that exists, whether or not it speaks of this card.

    Raises:
        DecisionError: when it does not.
    """
    if not word or grant is not None or word in (obj.zone, ADVENTURE, "aftermath"):
        return
    if word not in {name_of(board, item) for item in in_force(board, Permission, seat)}:
        raise DecisionError(f"no permission '{word}' applies to {board.open_name(obj.id)}")


# ---------------------------------------------------------------------------------------- casting


def begin_cast(board: Board, seat: int, obj: Obj, part: int, word: str = "") -> Refusal | None:
    """Whether a player with priority may begin to cast a card from where it is (601.3)."""
    wrong = part_allowed(board, seat, obj, part)
    if wrong is not None:
        return wrong
    definition = board.definition(obj)
    assert definition is not None
    name = part_name(definition, part)
    grant = granted(board, seat, obj, part, word)
    _known(board, seat, obj, word, grant)
    what = could_be(board, obj, part, free=grant is not None and grant.free)
    if "land" in what[0].types:
        return Refusal("land.play", f"{name} is a land; lands are played, not cast")
    if grant is None:
        return Refusal("cast.permission", f"nothing allows {name} to be cast from there")
    if not timely(board, seat, what):
        return Refusal(
            "cast.timing", f"{name} can be cast only in its caster's main phase while the stack is empty"
        )
    return restrained(board, seat, obj, part, what)


def timely(board: Board, seat: int, what: tuple[Characteristics, ...]) -> bool:
    """117.1a, 601.3b: now is a time for such a spell, or it may be cast as though it had flash."""
    if "instant" in what[0].types or "flash" in what[0].keywords or sorcery_time(board, seat):
        return True
    return any(
        item.record.allow == "cast as though it had flash"
        and any(agrees_with(item.record.what, v) for v in what)
        for item in in_force(board, Permission, seat)
    )


def restrained(
    board: Board, seat: int, obj: Obj, part: int, what: tuple[Characteristics, ...]
) -> Refusal | None:
    """Whether something forbids to begin a cast, whatever permits it."""
    if prohibition.split_second(board):
        return Refusal("split-second", "a spell with split second is on the stack")
    definition = board.definition(obj)
    assert definition is not None
    own = prohibition.own_restriction(board, seat, obj, part, part_name(definition, part))
    if own is not None:
        return own
    return prohibition.forbidden_cast(board, seat, obj, what, obj.zone, beginning=True)


def illegal_now(
    before: Board, now: Board, seat: int, obj: Obj, spell: Obj, *, timing: bool
) -> Refusal | None:
    """601.2e: whether the spell as proposed may be cast, by the permission that was announced.

    ``before`` is the game as the cast began, with the card ``obj`` where it came from: conditions are
    those of that moment (601.6a), qualities those of the proposed spell.
    """
    what = (now.characteristics(spell.id),)
    choices = now.choices(spell.id)
    wrong = prohibition.forbidden_cast(before, seat, obj, what, choices.origin, beginning=False)
    if wrong is not None or not timing:
        return wrong
    name = what[0].name
    if not any(
        (grant.word, grant.ground) == (choices.permission, choices.ground)
        for grant in grants(before, seat, obj, choices.part, what)
    ):
        return Refusal("cast.permission-lost", f"{name} as proposed may not be cast from there")
    if not timely(before, seat, what):
        return Refusal("cast.permission-lost", f"{name} as proposed may not be cast now")
    return None


# ------------------------------------------------------------------------------------------ lands


def begin_land(board: Board, seat: int, obj: Obj, part: int, word: str = "") -> Refusal | None:
    """Whether a player with priority may play a land (305.1–2)."""
    if board.definition(obj) is None or part not in parts(board, obj):
        raise DecisionError(f"{board.name(obj.id)} has no part {part} to play")
    what = could_be(board, obj, part)
    name = what[0].name
    if "land" not in what[0].types:
        return Refusal("land.play", f"{name or 'this card'} is not a land")
    grant = granted(board, seat, obj, part, word, land=True)
    _known(board, seat, obj, word, grant)
    if grant is None:
        return Refusal("land.play", f"nothing allows {name} to be played from there")
    if not sorcery_time(board, seat):
        return Refusal(
            "land.play", "a land can be played only in one's own main phase while the stack is empty"
        )
    if board.state.player(seat).lands >= lands_allowed(board, seat):
        return Refusal("land.limit", "no more lands can be played this turn")
    return prohibition.forbidden_land(board, seat, obj, what[0])


def lands_allowed(board: Board, seat: int) -> int:
    """305.2: one land each turn, and one more for each effect that says so."""
    return 1 + sum(item.record.allow == "additional land" for item in in_force(board, Permission, seat))


# ------------------------------------------------------------------------------------- activating


def works_in(ability: Activated, zone: str) -> bool:
    """113.6: an ability can be activated on the battlefield, or where it says that it functions."""
    return zone in (ability.zones or ("battlefield",))


def begin_activation(
    board: Board, seat: int, obj: Obj, ability: Activated, *, mana_only: bool
) -> Refusal | None:
    """Whether a player may begin to activate an ability (602.5)."""
    name = board.open_name(obj.id)
    if not works_in(ability, obj.zone):
        return Refusal("activate.permission", f"{name} is not where that ability works")
    if obj.you != seat:
        return Refusal("activate", f"{name} is controlled by somebody else")
    mana = board.is_mana_ability(ability)
    if not mana:
        if mana_only:
            return Refusal("cast.mana", "only mana abilities can be activated now")
        if prohibition.split_second(board):
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
    if ability.only is not None and not holds(board, ability.only, seat, obj.id):
        return Refusal("activate.permission", f"{name} says that it can't be activated now")
    wrong = prohibition.forbidden_activation(board, seat, obj, mana=mana)
    if wrong is not None:
        return wrong
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
