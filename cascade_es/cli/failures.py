"""From errors to one line on stderr and an exit status; never a traceback.

===  =========================================================================================
0    fine
1    a finding: an expectation failed, a log is damaged, diverged, or not sealed
2    wrong use, or input that cannot be read
3    a defect of this program (``-v`` shows where)
130  interrupted;  141  the reader of the output went away
===  =========================================================================================
"""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

import click

from cascade_es.cli.output import speaks_unicode, warn
from cascade_es.errors import CascadeError, Damaged, InputError
from cascade_es.views.plain import one_line

FINE: Final = 0
FINDING: Final = 1
WRONG: Final = 2
DEFECT: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


_ADVICE: Final = {
    errno.ENOSPC: "; make room there, or choose another place",
    errno.EDQUOT: "; make room there, or choose another place",
    errno.EFBIG: "; let the file grow, or choose another place",
    errno.EACCES: "; ask its owner, or choose another place",
    errno.EPERM: "; ask its owner, or choose another place",
    errno.EROFS: "; choose another place",
    errno.ENAMETOOLONG: "; choose a shorter name",
    errno.EIO: "; see to the disk",
}
"""What to do, where the system only says what is wrong."""


class DamagedLog(CascadeError):
    """A damaged log, with the name of its file."""

    def __init__(self, name: str, damage: Damaged) -> None:
        super().__init__(f"{name}: {damage}; get a whole copy, or see 'cascade-es recover'")
        self.damage = damage


def status_of(error: BaseException) -> int:
    """The exit status that an error means."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    if isinstance(error, Damaged | DamagedLog):
        return FINDING
    if isinstance(error, CascadeError | click.ClickException | OSError | UnicodeError):
        return WRONG
    return DEFECT


def line_of(error: BaseException) -> str:
    """An error in one line: where, what, what to do."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return "interrupted"
    if isinstance(error, InputError):
        text = str(error)
    elif isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx is not None else "cascade-es"
        command = command.removeprefix("cascade-es").strip()
        message = _guessed(" ".join(error.format_message().split())).rstrip(".")
        where = f"{command}: " if command else ""
        helped = " ".join(("cascade-es", *command.split(), "--help"))
        text = f"{where}{message[:1].lower()}{message[1:]}; see '{helped}'"
    elif isinstance(error, click.ClickException):
        text = error.format_message()
    elif isinstance(error, OSError):
        what = (error.strerror or str(error) or type(error).__name__) + _ADVICE.get(error.errno or 0, "")
        text = f"{error.filename}: {what}" if error.filename is not None else what
    elif isinstance(error, CascadeError):
        text = str(error)
    elif isinstance(error, UnicodeError):
        text = f"text that cannot be read or written: {error}; use UTF-8"
    else:
        text = f"a defect of this program, please report it: {type(error).__name__}: {error}; -v shows where"
    return one_line(text.strip())


_GUESS: Final = re.compile(r"\. \(?Did you mean (?P<of>one of: )?(?P<words>.+?)\?\)?$")


def _guessed(message: str) -> str:
    """A suggestion of click's, as all others are written here."""

    def written(found: re.Match[str]) -> str:
        return f"; did you mean {'one of ' if found['of'] else ''}{found['words']}?"

    return _GUESS.sub(written, message)


def report(error: BaseException, *, verbose: bool = False) -> int:
    """Say what went wrong; the exit status."""
    status = status_of(error)
    if status == BROKEN_PIPE:
        # Nothing more can be said there; what is still buffered must not complain at exit either.
        _silence_stdout()
        return status
    try:
        if verbose and status == DEFECT:
            traceback.print_exception(error)
        warn(line_of(error))
    except OSError:
        pass  # stderr is gone as well
    return status


def _forgive(stream: Any) -> None:
    """Let a stream that is not UTF-8 escape what it cannot say, such as signs in a help page."""
    if not speaks_unicode(stream) and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, sys.stdout.fileno())
        os.close(quiet)
    except (OSError, ValueError):
        pass  # a stream without a descriptor complains to nobody


class Face(click.Group):
    """A group of commands that ends with an exit status, and says errors in one line."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        _forgive(sys.stdout)
        try:
            status = super().main(words, "cascade-es", complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except Exception as error:
            if isinstance(error, click.UsageError) and error.ctx is None and words[:1] != []:
                named = self.commands.get(words[0])  # click does not always say which command it was
                error.ctx = None if named is None else click.Context(named, info_name=words[0])
            status = report(error, verbose="-v" in words or "--verbose" in words)
        if not standalone_mode:
            return status
        sys.exit(status or FINE)

    def invoke(self, ctx: click.Context) -> Any:
        # Click answers these two itself, with another status and another line.
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, KeyboardInterrupt) as error:
            return report(error)
