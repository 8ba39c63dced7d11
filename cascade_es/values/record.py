"""What all values have in common that states and events are made of."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, array_like=True):
    """The settings common to all values that states and events are made of."""
