"""What changes of objects and players: damage, life (119, 120).

Everything that deals damage or changes life goes through here.
"""

from __future__ import annotations

from cascade_es.rules.work import Work
from cascade_es.values import events as ev


def deal(w: Work, source: int, handle: int, seat: int, amount: int, rule: str = "damage") -> None:
    """A source deals damage (120.3): to a player it is loss of life, on a creature it is marked."""
    if amount <= 0:
        return  # 120.8: no damage at all is dealt
    keywords = w.board.characteristics(source).keywords
    w.emit(ev.DamageDealt, rule, source, handle, seat, amount, "deathtouch" in keywords)
    if handle:
        _wear(w, handle, amount)
    if seat >= 0:
        change_life(w, seat, -amount, "damage")
    if "lifelink" in keywords:
        change_life(w, controller_of(w, source), amount, "damage")


def _wear(w: Work, handle: int, amount: int) -> None:
    """120.3c, 120.3h: damage removes loyalty counters from a planeswalker, defense counters from a battle."""
    types = w.board.characteristics(handle).types
    for kind, counter in (("planeswalker", "loyalty"), ("battle", "defense")):
        there = dict(w.state.object(handle).counters).get(counter, 0)
        if kind in types and there:
            w.emit(ev.CountersChanged, "damage", handle, counter, -min(amount, there))


def controller_of(w: Work, handle: int) -> int:
    """Who controls an object, or did when it last existed."""
    obj = w.board.find(handle)
    assert obj is not None
    return obj.controller


def change_life(w: Work, seat: int, amount: int, rule: str) -> None:
    """A player gains or loses life (119.3)."""
    w.emit(ev.LifeChanged, rule, seat, amount, w.state.player(seat).life + amount)
