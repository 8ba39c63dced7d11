"""``export``: what of a log is given to one viewer."""

from __future__ import annotations

import re

import click

from cascade_es.cli.options import common, log_content, put_log
from cascade_es.cli.output import Output
from cascade_es.errors import InputError
from cascade_es.log import Log, parse_log
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
@click.option(
    "--out", required=True, metavar="LOG", help="The view: a file, or a store; nothing is overwritten."
)
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
    out = put_log(out, view)
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
