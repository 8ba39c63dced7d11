"""Diagnostics through structlog: silent unless the application wants to hear them.

The library never configures structlog.  A game uses the logger that it is given; else the
application's, if it configured structlog; else the standard library's logger "cascade_es", which
says nothing by default.  The choice is made when a game is made, not on import.

Diagnostics are not the log of the game: that is bytes in one form, and nothing here can change it.
Nor can it stop a game: when a logger raises, for a value that it cannot render or a disk that is full,
the line is lost and the game goes on.
"""

from __future__ import annotations

import contextlib
import logging
from typing import Any, Final

import structlog


class Diagnostics:
    """The logger of one game, as the game uses it: it says what it can, and never raises.

    >>> class Broken:
    ...     def info(self, event, **fields):
    ...         raise TypeError("keys must be str")
    >>> Diagnostics(Broken()).info("sealed", units=7)
    """

    __slots__ = ("_fields", "_logger")

    def __init__(self, logger: Any, **fields: Any) -> None:
        self._logger: Final = _bound(logger, fields)
        self._fields: Final = {} if self._logger is not logger else fields

    def debug(self, event: str, **fields: Any) -> None:
        """Say something that matters only when one looks for it."""
        # Interrupts pass: they come from outside, and not from the line that is being written.
        with contextlib.suppress(Exception):
            self._logger.debug(event, **{**self._fields, **fields})

    def info(self, event: str, **fields: Any) -> None:
        """Say something that is worth a line in a usual run."""
        with contextlib.suppress(Exception):
            self._logger.info(event, **{**self._fields, **fields})


def _bound(logger: Any, fields: dict[str, Any]) -> Any:
    """The logger bound to what is true of the whole game; as it is, where it cannot be bound."""
    try:
        return logger.bind(**fields)
    except Exception:
        return logger


def logger_for(given: Any = None, **fields: Any) -> Diagnostics:
    """The logger of one game, bound once to the ``fields`` that say which game it is."""
    return Diagnostics(_chosen(given), **fields)


def _chosen(given: Any) -> Any:
    if given is not None:
        return given
    if structlog.is_configured():
        return structlog.get_logger("cascade_es")
    standard = logging.getLogger("cascade_es")
    if not standard.handlers:
        standard.addHandler(logging.NullHandler())
    return structlog.wrap_logger(
        standard,
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
