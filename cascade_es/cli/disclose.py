"""``disclose``: single facts of a log, listed, or opened in a file of their own."""

from __future__ import annotations

import re

import click

from cascade_es.cli.options import common, log_content, open_log
from cascade_es.cli.output import Output, warn
from cascade_es.errors import InputError
from cascade_es.log import parse_disclosure, parse_log, write_new
from cascade_es.projection import disclose as disclosure_of
from cascade_es.stores import redacted
from cascade_es.views import log_json, plain
from cascade_es.views.sealed import sealed_facts


@click.command(short_help="List what is sealed, or write the openings of single facts.")
@click.argument("log")
@click.option(
    "--fact",
    "facts",
    multiple=True,
    metavar="FRAME.ORDINAL",
    help="A sealed fact, by the place that the list gives (repeatable).",
)
@click.option("--out", metavar="FILE", help="The new file; nothing is ever overwritten.")
@common
def disclose(log: str, facts: tuple[str, ...], out: str | None, as_json: bool, color: bool | None) -> int:
    """Write the openings of some sealed facts of LOG to a small file of their own; without --fact, list
    all sealed facts of LOG.

    Whoever has any copy of the game can check it: 'verify VIEW --with FILE' and 'show VIEW --with FILE'.

    \b
    The list: place  event  kind  who knows it  what it says
      place  for --fact
      event  the first one that holds it; none for a decision or the header

    --json: {"log", "out", "facts" (their places), "definitions" (how many cards come along), "bytes"};
    of the list {"log" (as of 'show'), "facts": [{"place", "event" (0: none), "what", "audience" (names),
    "known" (whether LOG opens it), "value", "text"}]}.
    """
    if not facts or out is None:
        if facts or out is not None:
            raise click.UsageError("--fact and --out go together; with neither, the facts are listed")
        return _list(log, as_json, color)
    content, log = log_content(log), redacted(log)
    whole = parse_log(content, log)
    places = [place_of(text) for text in facts]
    try:
        written = disclosure_of(content, places)
    except InputError as error:
        raise InputError(error.what, where=log) from None
    write_new(out, written)
    found = parse_disclosure(written, out)
    opened = [f"{frame}.{ordinal}" for frame, ordinal in found.places]
    secrets = [f"{fact.frame}.{fact.ordinal}" for fact in (whole.header.seed, whole.header.key)]
    if told := [place for place in secrets if place in opened]:
        what = "the draw seed" if told[0] == secrets[0] else "the blinding key"
        warn(f"{out}: {told[0]} is {what}: whoever has it can find out much more than it")
    document = {
        "log": log,
        "out": out,
        "facts": opened,
        "definitions": len(found.openings.definitions),
        "bytes": len(written),
    }
    output = Output(color=color)
    if as_json:
        output.document(document)
    else:
        output.line([("written     ", "good"), (f"{out}: opens {', '.join(opened)}", "")], 12)
    return 0


def _list(log: str, as_json: bool, color: bool | None) -> int:
    replay = open_log(log)
    found = sealed_facts(replay)
    output = Output(color=color)
    if as_json:
        output.document({"log": log_json(replay.log, replay), "facts": [plain(fact) for fact in found]})
        return 0
    whos = [", ".join(fact.audience) or "nobody" for fact in found]
    wide = max(map(len, whos), default=0)
    first = max((len(fact.place) for fact in found), default=0)
    for fact, who in zip(found, whos, strict=True):
        line = [
            (f"{fact.place:<{first}} ", "label"),
            (f"{fact.event or '':>5}  ", ""),
            (f"{fact.what:<18} ", ""),
            (f"{who:<{wide}}  ", "player"),
            (fact.text, "" if fact.known else "dim"),
        ]
        output.line(line, first + 29 + wide)
    return 0


def place_of(text: str) -> tuple[int, int]:
    """A place as written: "3.4".

    Raises:
        InputError: when it is none.
    """
    found = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", text)
    if found is None:
        raise InputError("a fact is named as frame.ordinal, such as 3.4", where=f"--fact {text}")
    return int(found[1]), int(found[2])
