"""The few kinds of error that the package raises on purpose.

::

    CascadeError
     ├── InputError      what was given cannot be used: what, where, what to do
     │    └── NewerLog   … because it was written by a newer version
     ├── DecisionError   the decision does not fit the prompt; nothing was recorded
     ├── Refused         the decision fits the prompt but a rule forbids it; nothing was recorded
     └── Damaged         a log is not what its writer wrote: the kind of damage and its place

Anything else that escapes is a defect of the package, not of its input.
"""

from __future__ import annotations


class CascadeError(Exception):
    """The root of all errors that the package raises on purpose."""


class InputError(CascadeError, ValueError):
    """Something given from outside cannot be used.

    The text is one line: what is wrong and what to do about it.  ``where`` names the place
    (file, line, column, or the argument) when it is known.

    >>> str(InputError("unknown card 'Forrest'; did you mean 'Forest'?", where="game.yaml:7:14"))
    "game.yaml:7:14: unknown card 'Forrest'; did you mean 'Forest'?"
    """

    def __init__(self, what: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where


class NewerLog(InputError):
    """A log that needs a newer version of this package: its format, machine tables or edition."""


class DecisionError(CascadeError, ValueError):
    """A decision that is no answer to the prompt: wrong player, unknown object, wrong shape."""


class Refused(CascadeError):
    """A decision that the rules forbid.

    ``rule`` is the concept (``"cast.targets"``), ``number`` what the game's edition calls it
    (``"601.2c"``), ``reason`` one sentence that uses only what the decider may know.

    >>> str(Refused("cast.targets", "601.2c", "Forest is not a creature"))
    'Forest is not a creature (601.2c)'
    """

    def __init__(self, rule: str, number: str, reason: str) -> None:
        super().__init__(f"{reason} ({number})")
        self.rule = rule
        self.number = number
        self.reason = reason


class Damaged(CascadeError):
    """A log that cannot be what its writer wrote.

    ``kind`` is a fixed short word (``"cut"``, ``"checksum"``, ``"replaced"``, …), ``frame`` the number
    of the frame (0 is the header), ``offset`` the byte at which that frame begins.
    """

    def __init__(self, kind: str, detail: str, *, frame: int, offset: int) -> None:
        super().__init__(f"damaged ({kind}) at frame {frame}, byte {offset}: {detail}")
        self.kind = kind
        self.detail = detail
        self.frame = frame
        self.offset = offset
