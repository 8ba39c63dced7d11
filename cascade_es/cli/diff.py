"""``diff``: the first difference between two logs."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from cascade_es.cli.differences import compact, events_lines, fields_lines, say_fields
from cascade_es.cli.failures import FINDING, FINE, DamagedLog
from cascade_es.cli.options import common, open_log
from cascade_es.cli.output import Output
from cascade_es.diff import Divergence, LogDiff, diff_logs
from cascade_es.errors import InputError
from cascade_es.replay import Replay
from cascade_es.views import describe, log_json, one_line, step_at

SIDES = ("in the first", "in the second")


@click.command(short_help="Show the first difference between two logs.")
@click.argument("logs", nargs=2, metavar="LOG LOG")
@common
def diff(logs: tuple[str, str], as_json: bool, color: bool | None) -> int:
    """Show where two logs part: the first event that differs, both sides of it, and what came before.

    Copies of one log are the same, whoever may read what.  Logs of two games (another seed or edition)
    differ in their headers; what is sealed in them is compared by what is known of it.

    Status: 0 the same; 1 different, or one is the beginning of the other; 2 not two logs that can be read.

    --json: {"logs": [two], "word", "longer", "common", "header": [differences], "first"}: word is same,
    prefix or different; longer is left, right or ""; common counts the events that both begin with; first
    is null or {"what", "frame", "event", "left", "right", "texts", "fields": [differences], "states":
    [differences], "before": [events]}; a difference is {"path", "left", "right"}, without a side that has
    nothing there.
    """
    out = Output(color=color)
    left, right = _open(logs[0]), _open(logs[1])
    found = diff_logs(left, right)
    texts = _texts(found.first, left, right) if found.first is not None else ("", "")
    if as_json:
        first = None if found.first is None else {**msgspec.structs.asdict(found.first), "texts": texts}
        document: dict[str, Any] = {**msgspec.structs.asdict(found), "first": first}
        out.document({"logs": [log_json(side.log, side) for side in (left, right)], **document})
    else:
        _say(out, found, (left, right), texts)
    return FINE if found.word == "same" else FINDING


def _open(log: str) -> Replay:
    try:
        return open_log(log)
    except DamagedLog as damage:
        # Here damage is no finding about a difference: there are not two logs to compare.
        raise InputError(str(damage)) from None


def _texts(first: Divergence, left: Replay, right: Replay) -> tuple[str, str]:
    """Both sides in words."""
    if first.what == "event":
        sides = ((left, first.left), (right, first.right))
        one, other = (describe(log, step_at(log, first.event)) if said else "nothing" for log, said in sides)
        return one, other
    if first.what == "time":
        return f"recorded at {first.left}", f"recorded at {first.right}"
    return _decision(first.left, left), _decision(first.right, right)


def _decision(said: dict[str, Any], log: Replay) -> str:
    who = one_line(log.names[said["seat"]]) if 0 <= said["seat"] < len(log.names) else "the recorder"
    return f"{who} decides '{said['kind']}' {compact(said['body'])}"


def _say(out: Output, found: LogDiff, logs: tuple[Replay, Replay], texts: tuple[str, str]) -> None:
    names = [one_line(side.log.name) for side in logs]
    out.lines(fields_lines("header:", found.header, SIDES), 8)
    first = found.first
    if first is None:
        _say_lengths(out, found, names)
        return
    out.line(
        [
            ("different", "bad"),
            (f"  at event {first.event} (decision {first.frame}); ", ""),
            (
                f"the {found.common} events before are the same" if found.common else "from the beginning",
                "dim",
            ),
        ]
    )
    out.lines(events_lines(logs[0], [item["seq"] for item in first.before]), 8)
    for name, text, mark in zip(names, texts, ("<", ">"), strict=True):
        out.line([(f"{mark} ", "bad"), (f"{name}: ", "label"), (text, "")], 4)
    say_fields(out, first.fields, first.states, SIDES)


def _say_lengths(out: Output, found: LogDiff, names: list[str]) -> None:
    if found.word == "same":
        out.line([("same", "good"), (f"  all {found.common} events, and the same head", "")])
        return
    word, rest = "different", "only the headers differ"
    if found.longer:
        shorter, longer = names if found.longer == "right" else names[::-1]
        word = found.word
        rest = f"{longer} goes on after event {found.common}, where {shorter} ends"
    out.line([(word, "warn"), (f"  {rest}; the {found.common} events before are the same", "")])
