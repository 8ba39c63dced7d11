"""``verify``: is a log what its writer wrote, and what the rules make of its decisions?"""

from __future__ import annotations

from typing import Any

import click

from cascade_es.cli.differences import say_fields
from cascade_es.cli.failures import FINDING, FINE, WRONG, line_of
from cascade_es.cli.options import common
from cascade_es.cli.output import Output, warn
from cascade_es.errors import InputError
from cascade_es.verify import GOOD, Verdict
from cascade_es.verify import verify as verify_log
from cascade_es.views import one_line, plain

_ROLES = {"exact": "good", "consistent": "good", "unverified": "warn"}


@click.command(short_help="Check logs: intact, sealed, and what the rules make of them.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--open", "may_be_open", is_flag=True, help="Accept a log that is not sealed yet.")
@common
def verify(logs: tuple[str, ...], may_be_open: bool, as_json: bool, color: bool | None) -> int:
    """Check that every LOG is what its writer wrote, and what the rules make of its decisions.

    \b
    exact        every byte follows from the decisions by the rules
    consistent   a copy in which something is sealed: all that can be seen agrees
    unverified   intact, but written by another version of the rules' code
    diverged     intact, but the rules make something else of its decisions
    damaged      not what its writer wrote: where, and how
    unsupported  too new for this version
    The first three are good if the log is sealed; an open one may have been cut, and needs --open.

    \b
    --json: {"verdicts": [{"log", "good", "word", "detail", "sealed", "frames", "events", "head",
    "hidden", "frame", "offset", "event", "expected", "found", "fields", "states", "before"}]}; frame, offset
    and event are -1 where there is no such place.  Of a divergence, expected is what is recorded, found
    what the rules make, fields and states what differs in them and in the game afterwards, each {"path",
    "left" (recorded), "right" (by the rules)}, before the last events before it.
    A file that is no log has the word "unreadable".
    """
    out = Output(color=color)
    found: list[dict[str, Any]] = []
    status = FINE
    with out.progress(len(logs)) as bar:
        task = bar.add_task("verifying", total=len(logs)) if bar is not None else None
        for log in logs:
            try:
                verdict = verify_log(log)
                good = accepted(verdict, may_be_open)
                status = max(status, FINE if good else FINDING)
                found.append({"log": log, "good": good, **plain(verdict)})
            except InputError as error:
                status = WRONG
                text = line_of(error)
                text = text if log in text else f"{log}: {text}"
                found.append({"log": log, "good": False, "word": "unreadable", "detail": text})
            if bar is not None and task is not None:
                bar.advance(task)
    for item in found:
        if item["word"] == "unreadable":
            warn(item["detail"])
        elif not as_json:
            _say(out, item)
    if as_json:
        out.document({"verdicts": found})
    return status


def accepted(verdict: Verdict, may_be_open: bool) -> bool:
    """Whether a verdict is good enough: an open log only where it may be open."""
    return verdict.good or (may_be_open and verdict.word in GOOD)


def _say(out: Output, item: dict[str, Any]) -> None:
    word = item["word"]
    role = _ROLES.get(word, "bad") if item["good"] or word not in GOOD else "warn"
    line = [(f"{word:<11} ", role), (f"{one_line(item['log'])}: {one_line(item['detail'])}", "")]
    if not item["good"] and word in GOOD:
        line.append(("; give --open to accept that", "warn"))
    if item["frames"]:
        head = item["head"][:12]
        line.append((f"  ({item['frames']} frames, {item['events']} events, head {head})", "dim"))
    out.line(line, 12)
    if item["before"]:
        before = ", ".join(f"{event['seq']} {event['kind']}" for event in item["before"])
        out.line([("    after ", "dim"), (before, "")], 8)
    say_fields(out, item["fields"], item["states"], ("recorded", "by the rules"))
