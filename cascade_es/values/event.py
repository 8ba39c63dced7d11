"""What every event has: the rule it follows, its cause, and whether it came by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeVar

import msgspec


class Event(msgspec.Struct, frozen=True, array_like=True):
    """The fields that every event has.

    ``rule`` is the concept of the rule, ``cause`` the sequence number of the event that brought it
    about, ``auto`` whether it came by itself rather than by a decision.
    """

    kind: ClassVar[str]
    procedure: ClassVar[bool] = False

    rule: str
    cause: int
    auto: bool


KINDS: Final[dict[str, type[Event]]] = {}
"""Every kind of event by its name in the log."""

_E = TypeVar("_E", bound=type[Event])


def kind(name: str, *, procedure: bool = False) -> Callable[[_E], _E]:
    """Register a kind of event; a procedure event moves a machine."""

    def register(cls: _E) -> _E:
        cls.kind = name
        cls.procedure = procedure
        KINDS[name] = cls
        return cls

    return register
