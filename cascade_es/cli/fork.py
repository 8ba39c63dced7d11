"""``fork``: a new log that goes on from any moment of an old one."""

from __future__ import annotations

import click

from cascade_es.cli.options import common, open_log
from cascade_es.cli.output import Output, counted
from cascade_es.errors import InputError
from cascade_es.stores import redacted
from cascade_es.views import one_line


@click.command(short_help="Begin a new log that goes on from any moment of an old one.")
@click.argument("log")
@click.option("--at", "seq", type=int, required=True, metavar="N", help="The last event that both have.")
@click.option("--out", required=True, metavar="LOG", help="The new log: a file, or a store.")
@click.option("--seed", metavar="TEXT", help="What its id and key follow from; else unpredictable bytes.")
@common
def fork(log: str, seq: int, out: str, seed: str | None, as_json: bool, color: bool | None) -> int:
    """Write a new log that has the events of LOG up to N, and can go on otherwise.

    LOG must be a full copy, and stays as it is; nothing is ever overwritten. The new log is whole by
    itself.  It names LOG as its parent, which 'verify NEW --parent LOG' checks, and has its own id and key.
    What follows from chance follows from LOG's seed: give out views of it, as of LOG.

    A decision is whole or not at all: N is the last event of one. Python plays on: Game.resume(NEW).

    --json: {"log", "out", "at", "log_id", "parent": {"log_id", "frame", "hash"}, "frames", "events",
    "head"}; "out" is as it was given, and "log_id" completes it in a store.
    """
    past = open_log(log)
    name = redacted(log)
    try:
        game = past.fork(seq, log=out, seed=seed)
    except InputError as error:
        raise InputError(error.what, where=error.where or name) from None
    game.close()
    frame = len(game.hashes) - 1
    log_id = game.ctx.secrets.log_id.hex()
    printer = Output(color=color)
    if as_json:
        parent = {"log_id": past.log.header.log_id.hex(), "frame": frame, "hash": past.hashes[frame].hex()}
        document = {"log": name, "out": redacted(out), "at": seq, "log_id": log_id, "parent": parent}
        printer.document(document | {"frames": frame + 1, "events": len(game), "head": game.hashes[-1].hex()})
        return 0
    printer.line(
        [
            ("forked      ", "good"),
            (
                f"{one_line(redacted(out))}: log {log_id[:12]} goes on after event {seq} of {one_line(name)}",
                "",
            ),
            (f"  ({counted(frame + 1, 'frame')}, head {game.hashes[-1].hex()[:12]})", "dim"),
        ],
        12,
    )
    return 0
