"""Durability: when what was written is also on the disk, by name.

A file that was written is safe from the end of its process, but not from the end of the machine's
power, until the operating system has been told to sync it.  How often that is done is a choice between
speed and what may be lost, so it has names that say what may be lost.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from cascade_es.errors import InputError

__all__ = ["EVERY_DECISION", "NEVER", "ON_CLOSE", "Durability", "policy"]


class Durability(msgspec.Struct, frozen=True):
    """After how many units a log is synced: ``every`` 0 is on closing only, -1 is never.

    Closing syncs whatever is left, unless it is never done.

    >>> policy("every-25").due(25), policy("every-25").due(24)
    (True, False)
    """

    name: str
    every: int

    @property
    def syncs(self) -> bool:
        """Whether anything is ever made durable."""
        return self.every >= 0

    def due(self, unsynced: int) -> bool:
        """Whether it is time, when so many frames have been written since the last sync."""
        return 0 < self.every <= unsynced


EVERY_DECISION: Final = Durability("every-decision", 1)
"""A decision that was accepted survives the loss of power."""

ON_CLOSE: Final = Durability("on-close", 0)
"""The loss of power may cost everything since the log was begun; a killed process costs nothing."""

NEVER: Final = Durability("unsafe-never", -1)
"""Nothing is promised, not even after closing: for logs that can be made again, and benchmarks."""

_EVERY = re.compile(r"every-([1-9][0-9]{0,8})", re.ASCII)


def policy(name: str | Durability) -> Durability:
    """The policy with this name: ``every-decision``, ``every-N``, ``on-close`` or ``unsafe-never``.

    Raises:
        InputError: when there is no such policy.

    >>> policy("every-10").every
    10
    >>> policy("never")
    Traceback (most recent call last):
    cascade_es.errors.InputError: unknown durability 'never'; choose every-decision, every-N (such as \
every-10), on-close or unsafe-never
    """
    if isinstance(name, Durability):
        return name
    for known in (EVERY_DECISION, ON_CLOSE, NEVER):
        if name == known.name:
            return known
    if isinstance(name, str) and (found := _EVERY.fullmatch(name)):
        return Durability(name, int(found[1]))
    choice = "choose every-decision, every-N (such as every-10), on-close or unsafe-never"
    raise InputError(f"unknown durability {name!r}; {choice}")
