"""``recover``: what is whole of a damaged log, in a new file."""

from __future__ import annotations

import click

from cascade_es.cli.failures import FINDING, FINE, DamagedLog
from cascade_es.cli.options import common
from cascade_es.cli.output import Output, counted
from cascade_es.errors import Damaged, InputError
from cascade_es.log.recovery import recover as recover_log
from cascade_es.stores import Address, redacted
from cascade_es.views import one_line, plain


@click.command(short_help="Write what is whole of a damaged log to a new file.")
@click.argument("log")
@click.option("--out", required=True, metavar="FILE", help="The new file; it must not exist.")
@common
def recover(log: str, out: str, as_json: bool, color: bool | None) -> int:
    """Write all whole frames of LOG before its first damage to a new file, and say what was left out.

    LOG itself is never touched.  Unless its seal is whole, the new log is open, and a full copy goes on:
    Game.resume in Python.  The exit status is 0 if nothing was wrong with it, 1 if something had to
    be left out.

    --json: {"log", "out", "whole", "frames", "bytes", "head", "sealed", "dropped_frames",
    "dropped_whole", "dropped_bytes", "kind", "detail", "frame", "offset"}; the last four are of the
    damage, and "" and -1 if there was none.  "dropped_whole" of the dropped frames are undamaged, but
    stand behind the damage.
    """
    if Address.of(log).kind not in ("file", "folder"):
        raise InputError("a store holds whole frames alone; recover takes a file", where=redacted(log))
    try:
        found = recover_log(log, out)
    except Damaged as damage:
        raise DamagedLog(log, damage) from None
    printer = Output(color=color)
    if as_json:
        printer.document({"log": log, "out": out, "whole": found.whole, **plain(found)})
        return FINE if found.whole else FINDING
    head = (f"  ({counted(found.frames, 'frame')}, {found.bytes} bytes, head {found.head[:12]})", "dim")
    if found.whole:
        text = f"{one_line(log)}: nothing is wrong with it; {one_line(out)} is a copy"
        printer.line([("whole       ", "good"), (text, ""), head], 12)
        return FINE
    printer.line([("recovered   ", "warn"), (one_line(out), ""), head], 12)
    dropped = counted(found.dropped_frames, "frame")
    behind = f", {found.dropped_whole} of them undamaged" if found.dropped_whole else ""
    why = f"damaged ({found.kind}) at frame {found.frame}, byte {found.offset}: {found.detail}"
    printer.line([("dropped     ", "bad"), (f"{dropped}{behind}, {found.dropped_bytes} bytes", "")], 12)
    printer.line([("because     ", ""), (f"{one_line(log)}: {why}", "")], 12)
    return FINDING
