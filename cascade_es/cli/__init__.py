"""The command line: ``cascade-es``, one verb a job.

Every command prints readable lines, or with ``--json`` one JSON document whose keys are sorted and
documented in its help.  Colours are for terminals only.  Errors are one line on stderr.  The exit
status is 0 when all is fine, 1 for a finding, 2 for wrong use or input that cannot be read.
"""

from __future__ import annotations

import importlib.metadata

import click

from cascade_es.cli.cards import cards
from cascade_es.cli.diff import diff
from cascade_es.cli.disclose import disclose
from cascade_es.cli.export import export
from cascade_es.cli.failures import Face
from cascade_es.cli.fork import fork
from cascade_es.cli.head import head, keygen
from cascade_es.cli.jsonform import from_json, to_json
from cascade_es.cli.machine import machine
from cascade_es.cli.prompt import prompt
from cascade_es.cli.recover import recover
from cascade_es.cli.replay import replay
from cascade_es.cli.run import run
from cascade_es.cli.schema import schema
from cascade_es.cli.show import show
from cascade_es.cli.verify import verify

__all__ = ["main"]


def _version() -> str:
    try:
        return importlib.metadata.version("cascade-es")
    except importlib.metadata.PackageNotFoundError:
        return "0 (not installed)"


@click.group(cls=Face, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="cascade-es", message="%(prog)s %(version)s")
def main() -> None:
    """Play, look at, replay and verify games of Magic: The Gathering.

    A game is a log of events: nothing in it is ever changed, an action that is taken back stays on
    record, and any earlier moment can be looked at again.

    \b
    Exit status: 0  fine
                 1  a finding (an expectation failed; a log is damaged,
                    diverged or open)
                 2  wrong use, or input that cannot be read
                 3  a defect of this program
    """


_COMMANDS = (
    run,
    show,
    prompt,
    replay,
    verify,
    recover,
    head,
    keygen,
    export,
    disclose,
    diff,
    fork,
    to_json,
    from_json,
    machine,
    cards,
    schema,
)

for _command in _COMMANDS:
    main.add_command(_command)
