"""Texts: instructions in order, choices among them, modes (608.2c, 700.2)."""

from __future__ import annotations

from cascade_es.values.script import operations as o
from cascade_es.values.script.basics import Amount, Condition, Entry, Filter, Target
from cascade_es.values.script.costs import CostPart


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


class Pay(Entry, frozen=True, kw_only=True, tag_field="do", tag="pay"):
    """A player may pay a cost while this resolves (118.12): if they do, ``then``, else ``otherwise``.

    Several players are asked in turn order, until one pays.  The mana is asked for ``times`` over.  Who
    paid is remembered under ``bind``.
    """

    who: str = "you"
    cost: tuple[CostPart, ...]
    times: Amount = "1"
    then: tuple[Operation, ...] = ()
    otherwise: tuple[Operation, ...] = ()
    bind: str = ""


class ForEach(Entry, frozen=True, kw_only=True, tag_field="do", tag="for each"):
    """Do something for one player or object after another (608.2f).

    ``of`` means them, or ``what``: all objects that agree with it.  Each in its turn is called what
    ``bind`` says.  Players come in turn order, with what they control; in between the controller of the
    effect chooses the order.
    """

    of: str = ""
    what: Filter | None = None
    bind: str
    then: tuple[Operation, ...]


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
    | o.RemoveFromCombat
    | o.ExtraPhases
    | o.ExtraTurn
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
    | o.Shield
    | o.Regenerate
    | o.Mend
    | o.Mill
    | o.SetLife
    | o.GivePlayerCounters
    | o.Copy
    | o.ChangeTargets
    | o.CopyCard
    | o.Create
    | o.BecomeCopy
    | o.Choose
    | o.ChoosePlayer
    | o.Gather
    | o.Attach
    | o.Win
    | o.Lose
    | o.Later
    | o.Reflexive
    | Pay
    | ForEach
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
