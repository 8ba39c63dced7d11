"""Texts: instructions in order, choices among them, modes (608.2c, 700.2)."""

from __future__ import annotations

from cascade_es.values.script import operations as o
from cascade_es.values.script.basics import Condition, Entry, Target


class May(Entry, frozen=True, kw_only=True, tag_field="do", tag="may"):
    """A player may do something; the answer is given on resolution (603.5)."""

    who: str = "you"
    then: tuple[Operation, ...]
    otherwise: tuple[Operation, ...] = ()


class If(Entry, frozen=True, kw_only=True, tag_field="do", tag="if"):
    """Do something if a condition holds as the instruction is reached."""

    condition: Condition
    then: tuple[Operation, ...]
    otherwise: tuple[Operation, ...] = ()


Operation = (
    o.Damage
    | o.Destroy
    | o.Counter
    | o.Sacrifice
    | o.Draw
    | o.Discard
    | o.GainLife
    | o.LoseLife
    | o.Search
    | o.Put
    | o.Exile
    | o.Shuffle
    | o.Tap
    | o.Untap
    | o.AddMana
    | o.PutCounters
    | o.Let
    | o.Alter
    | o.Effect
    | o.Transform
    | o.Flip
    | o.TurnFaceDown
    | o.TurnFaceUp
    | o.UnlockDoor
    | o.Meld
    | o.RevealHand
    | o.CastNow
    | May
    | If
    | o.Cascade
)


class Mode(Entry, frozen=True, kw_only=True):
    """One mode of a modal spell or ability (700.2), with targets of its own."""

    targets: tuple[Target, ...] = ()
    do: tuple[Operation, ...]


class Text(Entry, frozen=True, kw_only=True):
    """What a spell or ability does when it resolves: targets and operations, or modes."""

    targets: tuple[Target, ...] = ()
    do: tuple[Operation, ...] = ()
    modes: tuple[Mode, ...] = ()
    choose: str = "1"
    divide: str = ""
