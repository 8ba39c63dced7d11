"""``export`` and ``disclose``: what of a log is given to whom."""

from __future__ import annotations

import re

import click

from cascade_es.cli.options import common, log_content
from cascade_es.cli.output import Output, warn
from cascade_es.errors import InputError
from cascade_es.log import Log, parse_disclosure, parse_log, write_new
from cascade_es.projection import disclose as disclosure_of
from cascade_es.projection import project
from cascade_es.replay import names_of, viewer_of
from cascade_es.stores import redacted
from cascade_es.verify import count_hidden

PUBLIC_WORD = "public"


@click.command(short_help="Write the view of one player, or of the public.")
@click.argument("log")
@click.option(
    "--as",
    "who",
    required=True,
    metavar="WHO",
    help="A player's name, a seat counted from 0, or public; or seat:0, seat:public.",
)
@click.option("--out", required=True, metavar="FILE", help="The new file; nothing is ever overwritten.")
@common
def export(log: str, who: str, out: str, as_json: bool, color: bool | None) -> int:
    """Write LOG as one player, or the public, may see it.

    The view has the same events, chain and head, and verifies; it holds only the openings of what its
    viewer was shown, each with the decision that showed it.  It says whose view it is.

    --json: {"log", "out", "viewer" (a name, or "the public"), "seat" (null for the public), "head",
    "frames", "bytes", "hidden" (how many facts stay sealed)}.
    """
    content, log = log_content(log), redacted(log)
    whole = parse_log(content, log)
    seat = seat_named(whole, who)
    try:
        view = project(content, seat)
    except InputError as error:
        raise InputError(error.what, where=log) from None
    write_new(out, view)
    seen = parse_log(view, out)
    viewer, hidden = viewer_of(seen), count_hidden(seen)
    document = {
        "log": log,
        "out": out,
        "viewer": viewer,
        "seat": seat,
        "head": seen.head.hash.hex(),
        "frames": seen.head.frames,
        "bytes": len(view),
        "hidden": hidden,
    }
    output = Output(color=color)
    if as_json:
        output.document(document)
    else:
        facts = "1 fact stays" if hidden == 1 else f"{hidden} facts stay"
        output.line([("written     ", "good"), (f"{out}: the view of {viewer}; {facts} sealed", "")], 12)
    return 0


def seat_named(log: Log, who: str) -> int | None:
    """The seat that a word names; None for the public.

    Raises:
        InputError: when there is no such player, or the word could mean two.
    """
    names = names_of(log)
    told = re.fullmatch("seat:(public|[0-9]{1,3})", who)
    if told is not None and (told[1] == PUBLIC_WORD or int(told[1]) < len(names)):
        return None if told[1] == PUBLIC_WORD else int(told[1])
    seats = [seat for seat, name in enumerate(names) if name == who]
    if re.fullmatch("[0-9]{1,3}", who) and int(who) < len(names) and int(who) not in seats:
        seats.append(int(who))
    if len(seats) > 1 or (seats and who == PUBLIC_WORD):
        first = f"seat:{seats[0]}"
        other = f"seat:{seats[1]}" if len(seats) > 1 else f"seat:{PUBLIC_WORD}"
        raise InputError(f"'{who}' could mean several; say {first} or {other}", where="--as")
    if seats:
        return seats[0]
    if who == PUBLIC_WORD:
        return None
    known = ", ".join(f"{name} ({seat})" for seat, name in enumerate(names))
    raise InputError(f"there is no player '{who}'; say {known} or {PUBLIC_WORD}", where="--as")


@click.command(short_help="Write the openings of single facts, for whoever has a view.")
@click.argument("log")
@click.option(
    "--fact",
    "facts",
    required=True,
    multiple=True,
    metavar="FRAME.ORDINAL",
    help="A sealed fact, by the place that 'show --json' gives (repeatable).",
)
@click.option("--out", required=True, metavar="FILE", help="The new file; nothing is ever overwritten.")
@common
def disclose(log: str, facts: tuple[str, ...], out: str, as_json: bool, color: bool | None) -> int:
    """Write the openings of some sealed facts of LOG to a small file of their own.

    Whoever has any copy of the game can check it: 'verify VIEW --with FILE' and 'show VIEW --with FILE'.

    --json: {"log", "out", "facts" (their places), "definitions" (how many cards come along), "bytes"}.
    """
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


def place_of(text: str) -> tuple[int, int]:
    """A place as written: "3.4".

    Raises:
        InputError: when it is none.
    """
    found = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", text)
    if found is None:
        raise InputError("a fact is named as frame.ordinal, such as 3.4", where=f"--fact {text}")
    return int(found[1]), int(found[2])
