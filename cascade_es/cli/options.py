"""What all commands have in common: their options, and how they open a log."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import structlog

from cascade_es.cli.failures import DamagedLog
from cascade_es.errors import Damaged, InputError
from cascade_es.history import History
from cascade_es.log import Conflict, parse_log
from cascade_es.replay import Replay
from cascade_es.sidefile import About, about
from cascade_es.stores import bytes_at, keep_log, redacted
from cascade_es.views import prompt_json

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")


def common(command: _F) -> _F:
    """The options of every command: --json, --color/--no-color, -v."""
    verbose = click.option(
        "-v",
        "--verbose",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_talk,
        help="Say on stderr what the library does.",
    )
    color = click.option("--color/--no-color", default=None, help="Colours always, or never.")
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
    return as_json(color(verbose(command)))


def _talk(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    """Let the library be heard, on stderr, without times: the same run says the same."""
    if not value:
        return
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"], sort_keys=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    ctx.call_on_close(structlog.reset_defaults)


def readable_folder(path: str, where: str) -> Path:
    """A folder whose files can be listed and opened; ``where`` is what an error calls it.

    Raises:
        InputError: when there is none, or it may not be read.
    """
    if os.path.isfile(path):
        raise InputError("this is a file; name the folder in which it is", where=where)
    if not os.path.isdir(path):
        raise InputError("no such folder; check the name", where=where)
    if not os.access(path, os.R_OK | os.X_OK):
        raise InputError("permission denied; ask its owner, or use a copy", where=where)
    return Path(path)


def open_log(address: str, disclosed: str | None = None) -> Replay:
    """A log in a file or a store, read and replayed, with a disclosure if one is named; errors name it.

    Raises:
        InputError: when it is no log that can be read, or the disclosure does not belong to it.
        DamagedLog: when it is not what its writer wrote.
    """
    return _named(redacted(address), lambda: Replay.open(address, disclosed))


def open_log_at(address: str, seq: int, *, side: bool = True) -> tuple[About, History]:
    """What a log says about itself, and its history at event ``seq``; a long log is not read in full.

    Without ``side`` it is, and no side file is read or written.

    Raises as :func:`open_log` and :func:`point`.
    """
    history = _named(redacted(address), lambda: Replay.open_at(address, seq, side=side))
    point(history, seq, "--at")
    return about(history), history


def log_content(address: str) -> bytes:
    """The bytes of a log that was read and found whole; errors as in :func:`open_log`."""
    path = redacted(address)

    def read() -> bytes:
        content = bytes_at(address)
        parse_log(content, path)
        return content

    return _named(path, read)


def put_log(address: str, content: bytes) -> str:
    """Put a whole log at an address where none is; the address that it has there, to be shown.

    In a store the very same game again is no error.

    Raises:
        InputError: when something else is there, or that place cannot be used.
    """
    try:
        return redacted(keep_log(address, content))
    except Conflict:
        what = "another copy of this game is there already; it was left alone; choose another place"
        raise InputError(what, where=redacted(address)) from None


def _named(path: str, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except Damaged as damage:
        raise DamagedLog(path, damage) from None
    except InputError as error:
        where = error.where or path
        what = error.what.removeprefix(f"{path}: ")
        raise InputError(what, where=where) from None


def with_disclosure(command: _F) -> _F:
    """The option that names a disclosure file."""
    return click.option(
        "--with", "disclosed", metavar="FILE", help="Read LOG with what the disclosure FILE opens."
    )(command)


def asked(history: Replay, seq: int) -> dict[str, Any]:
    """What the game of a log waits for after event ``seq``; errors name the file.

    Raises:
        InputError: when this copy lacks what the prompt depends on.
    """
    try:
        return prompt_json(history, seq)
    except InputError as error:
        raise InputError(error.what, where=history.log.name) from None


def point(history: History, seq: int | None, option: str, default: int | None = None) -> int:
    """The step that an option names; the last one where it names none.

    Raises:
        InputError: when there is no such step.
    """
    if seq is None:
        return len(history) if default is None else default
    if not 0 <= seq <= len(history):
        raise InputError(
            f"there is no event {seq}; events run from 0 to {len(history)}", where=f"{option} {seq}"
        )
    return seq
