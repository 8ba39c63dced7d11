"""Diagnostics through structlog: silent unless the application wants to hear them.

The library never configures structlog.  A game uses the logger that it is given; else the
application's, if it configured structlog; else the standard library's logger "cascade_es", which
says nothing by default.  The choice is made when a game is made, not on import.
"""

from __future__ import annotations

import logging
from typing import Any

import structlog


def logger_for(given: Any = None) -> Any:
    """The logger of one game."""
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
