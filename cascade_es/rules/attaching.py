"""What may be attached to what (301.5, 301.6, 303.4, 701.3), and what an Aura enters attached to."""

from __future__ import annotations

from cascade_es.rules.board import Board
from cascade_es.rules.filters import has_quality, matches, matches_player
from cascade_es.rules.work import Work
from cascade_es.values.script import Filter
from cascade_es.values.state import AskingData, Characteristics


def player_of(word: int) -> int:
    """The seat for which a negative id stands, where an object or a player may be meant."""
    return -1 - word


def enchanted(board: Board, handle: int) -> int:
    """The seat of the player to whom an Aura is, or last was, attached; -1 if there is none."""
    obj = board.find(handle)
    return player_of(obj.attached) if obj is not None and obj.attached < 0 else -1


def attachable(
    board: Board, thing: int, host: int, what: Characteristics, enchant: Filter | None, seat: int
) -> bool:
    """Whether a thing with these characteristics can be attached to a permanent or player (303.4c, 301.5)."""
    if host < 0:  # 303.4: only an Aura can be attached to a player
        if "Aura" not in what.subtypes or "creature" in what.types or enchant is None:
            return False
        return player_of(host) in board.seats() and matches_player(enchant, player_of(host), seat)
    if host not in board.state.game.battlefield or host == thing or "creature" in what.types:
        return False  # 303.4d, 301.5c: nor to itself, and what is a creature is attached to nothing
    there = board.characteristics(host)
    if "Aura" in what.subtypes:
        if enchant is None or not matches(board, enchant, host, seat, thing):
            return False
    elif "Equipment" in what.subtypes:
        if "creature" not in there.types:
            return False
    elif "Fortification" in what.subtypes:
        if "land" not in there.types:
            return False
    else:
        return False
    return not any(_against(keyword, what) for keyword in there.keywords)


def _against(keyword: str, what: Characteristics) -> bool:
    """702.16c-d: protection from a quality keeps Auras, Equipment and Fortifications with it off."""
    quality = keyword.removeprefix("protection from ")
    return quality != keyword and has_quality(what, quality)


def legally_attached(board: Board, handle: int) -> bool:
    """Whether an Aura, Equipment or Fortification may stay attached to what it is attached to."""
    return can_attach(board, handle, board.state.object(handle).attached)


def can_attach(board: Board, handle: int, host: int) -> bool:
    """Whether a permanent can be attached to another."""
    obj = board.state.object(handle)
    face = board.face(obj)
    enchant = face.enchant if face is not None else None
    return attachable(board, handle, host, board.characteristics(handle), enchant, obj.controller)


def host_for(w: Work, handle: int, seat: int) -> int | None:
    """303.4f: an Aura that enters without being cast: its controller chooses what; None if nothing fits.

    0 for what is no Aura.  Call it before anything is shown or moved.
    """
    board = w.board
    obj = board.state.object(handle)
    what = board.characteristics(handle)
    face = board.face(obj)
    if "Aura" not in what.subtypes or face is None:
        return 0
    fit = tuple(
        host
        for host in board.state.game.battlefield
        if attachable(board, handle, host, what, face.enchant, seat)
    )
    players = tuple(
        one for one in board.seats() if attachable(board, handle, player_of(one), what, face.enchant, seat)
    )
    if players:
        names = tuple(board.name(host) for host in fit) + tuple(f"player {one + 1}" for one in players)
        every = (*fit, *(player_of(one) for one in players))
        question = f"what does {board.open_name(handle)} enchant?"
        return every[w.ask(AskingData(seat, "option", question, (), names), "enters.aura")[0]]
    if len(fit) < 2:
        return fit[0] if fit else None
    question = f"what does {board.open_name(handle)} enchant?"
    return w.ask(AskingData(seat, "choose", question, fit), "enters.aura")[0]
