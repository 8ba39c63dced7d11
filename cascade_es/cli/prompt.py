"""``prompt``: what the game waits for, and why something may not be chosen."""

from __future__ import annotations

import click

from cascade_es.cli.options import asked, common, open_log, point
from cascade_es.cli.output import Output
from cascade_es.views import log_json, prompt_lines
from cascade_es.views.prompts import waiting_point


@click.command(short_help="Show what the game waits for, and what may be chosen.")
@click.argument("log")
@click.option("--at", type=int, metavar="N", help="After event N; else after the last before the seal.")
@common
def prompt(log: str, at: int | None, as_json: bool, color: bool | None) -> int:
    """Show what the game of LOG waits for, with everything that could be chosen.

    LOG is a file, or a game in a store: sqlite:///games.db#ID, postgresql://user@host/db#ID.

    What the rules forbid is listed too, with the number of the rule and the reason.

    --json: {"log" (as of 'show'), "prompt": {"seq", "player", "kind", "question", "concept", "rule", "least",
    "most", "candidates": [{"text", "allowed", "concept", "rule", "reason", "answer"}]}}; "player" is
    null where nobody is asked.
    """
    history = open_log(log)
    out = Output(color=color)
    seen = asked(history, point(history, at, "--at", waiting_point(history)))
    if as_json:
        out.document({"log": log_json(history.log, history), "prompt": seen})
    else:
        out.lines(prompt_lines(history, seen), 6)
    return 0
