"""``replay``: a log folded into states again, and the digests of those states."""

from __future__ import annotations

from typing import Any

import click

from cascade_es.cli.options import common, open_log, point
from cascade_es.cli.output import Output
from cascade_es.history import History
from cascade_es.views import log_json
from cascade_es.views.naming import Names, step_name


@click.command(short_help="Rebuild a log's states and print their digests.")
@click.argument("log")
@click.option("--at", type=int, metavar="N", help="The state after event N (else the last).")
@click.option(
    "--digest-each",
    "each",
    type=click.Choice(["turn", "event"]),
    help="A digest at the end of every turn, or after every event, up to --at.",
)
@common
def replay(log: str, at: int | None, each: str | None, as_json: bool, color: bool | None) -> int:
    """Rebuild the states of LOG from its events alone, and print digests of them.

    LOG is a file, or a game in a store: sqlite:///games.db#ID, postgresql://user@host/db#ID.

    No rule is asked: that the events follow from the decisions is what 'verify' checks.  Two copies of a
    game, whoever may read what, have the same digests.

    --json: {"log" (as of 'show'), "digests": [{"seq", "turn", "active", "step", "digest"}]}.
    """
    history = open_log(log)
    out = Output(color=color)
    last = point(history, at, "--at")
    digests = [_digest(history, seq) for seq in _points(history, last, each)]
    if as_json:
        out.document({"log": log_json(history.log, history), "digests": digests})
        return 0
    for item in digests:
        place = "before the first turn"
        if item["turn"]:
            step = step_name(item["step"] or "").removeprefix("the ")
            place = f"turn {item['turn']}, {item['active']}'s {step}"
        out.line([(f"{item['seq']:>5}  ", ""), (item["digest"], "strong"), (f"  {place}", "dim")], 7)
    return 0


def _points(history: History, last: int, each: str | None) -> list[int]:
    if each is None:
        return [last]
    if each == "event":
        return list(range(last + 1))
    ends = [step.seq - 1 for step in history if step.event.kind == "turn-begun" and 1 < step.seq <= last]
    return [seq for seq in ends if history.at(seq).game.turn.number] + [last]


def _digest(history: History, seq: int) -> dict[str, Any]:
    turn = history.at(seq).game.turn
    begun = turn.number > 0
    return {
        "seq": seq,
        "turn": turn.number,
        "active": Names(history, seq).player(turn.active) if begun else None,
        "step": turn.step or None,
        "digest": history.digest(seq),
    }
