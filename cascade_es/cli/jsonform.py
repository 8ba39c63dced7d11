"""``to-json`` and ``from-json``: a log as JSON lines, and the same log again."""

from __future__ import annotations

import sys
from typing import Any

import click

from cascade_es.cli.failures import DamagedLog
from cascade_es.cli.options import common, put_log
from cascade_es.cli.output import Output
from cascade_es.errors import Damaged, InputError
from cascade_es.log import Log, parse_log, write_new
from cascade_es.log.disk import read_all, read_file
from cascade_es.log.jsonform import from_json_lines, to_json_lines
from cascade_es.stores import read_address, redacted
from cascade_es.views import one_line


@click.command("to-json", short_help="Write a log as JSON lines, one frame a line.")
@click.argument("log")
@click.option("--out", "target", metavar="FILE", help="Write there; else the lines are printed.")
@common
def to_json(log: str, target: str | None, as_json: bool, color: bool | None) -> int:
    """Write LOG as JSON lines: everything in it, one frame a line, for other tools.

    'from-json' makes the very same log of them again.  What is sealed in LOG is sealed in the lines, and
    the openings that LOG has stand beside it: the lines tell what the log tells, and no less.

    A line: {"frame", "hash", "unit": {"decision", "events", "time"}, "openings"}; the first has "form" and
    "header" instead of "unit".  Bytes are hexadecimal.  A fact is {"public": value}, or {"frame", "ordinal",
    "audience", "commitment"}; openings are null, or {"facts": [{"frame", "ordinal", "salt", "value"}],
    "definitions": [{"digest", "json"}], "view"}.

    --json: {"log", "out", "frames", "head"} when there is an --out; without it the lines are JSON already.
    """
    found, log = _read(log), redacted(log)
    out = Output(color=color)
    lines = to_json_lines(found)
    if target is None:
        for line in lines:
            click.echo(line)
        return 0
    write_new(target, b"".join(line.encode("ascii") + b"\n" for line in lines))
    _say(out, log, target, found, as_json)
    return 0


@click.command("from-json", short_help="Make the log again that 'to-json' wrote as JSON lines.")
@click.argument("file")
@click.option("--out", "target", metavar="LOG", required=True, help="The new log: a file, or a store.")
@common
def from_json(file: str, target: str, as_json: bool, color: bool | None) -> int:
    """Make a log of FILE, which 'to-json' wrote, or of what is piped, if FILE is -: the same log, byte for
    byte.

    The chain of hashes is made again and compared with the one that the lines name, and everything is
    checked as in any log; the first line that does not fit is named.

    Nothing is overwritten.  So a log gets from a file into a store, or from one store into another:
    'to-json LOG | from-json - --out sqlite:///games.db'.

    --json: {"log", "out", "frames", "head"}; of a store, "out" ends with the game's #ID.
    """
    content = from_json_lines(_lines(file), file)
    target = put_log(target, content)
    _say(Output(color=color), file, target, parse_log(content, target), as_json)
    return 0


def _read(log: str) -> Log:
    try:
        return read_address(log)
    except Damaged as damage:
        raise DamagedLog(redacted(log), damage) from None


def _lines(file: str) -> list[str]:
    if file == "-":
        content = read_all(sys.stdin.buffer, file)
    else:
        content = read_file(file)
    lines = content.split(b"\n")
    if not lines[-1]:
        del lines[-1]
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            raise InputError("not JSON lines; give what 'to-json' wrote", where=f"{file}:{number}") from None
    return found


def _say(out: Output, source: str, target: str, log: Log, as_json: bool) -> None:
    head = log.head
    if as_json:
        said: dict[str, Any] = {"log": source, "out": target, "frames": head.frames, "head": head.hash.hex()}
        out.document(said)
        return
    out.line(
        [
            ("written     ", "good"),
            (one_line(target), ""),
            (f"  ({head.frames} frames, head {head.hash.hex()[:12]})", "dim"),
        ],
        12,
    )
