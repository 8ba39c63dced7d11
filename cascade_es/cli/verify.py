"""``verify``: is a log what its writer wrote, and what the rules make of its decisions?"""

from __future__ import annotations

from typing import Any

import click

from cascade_es.cli.against import Against, proved
from cascade_es.cli.differences import say_fields
from cascade_es.cli.failures import FINDING, FINE, WRONG, line_of
from cascade_es.cli.options import common, with_disclosure
from cascade_es.cli.output import Output, counted, warn
from cascade_es.errors import InputError
from cascade_es.stores import each_address, redacted
from cascade_es.verify import GOOD, Verdict
from cascade_es.verify import verify as verify_log
from cascade_es.views import one_line, plain

_ROLES = {"exact": "good", "consistent": "good", "unverified": "warn"}


@click.command(short_help="Check logs: intact, sealed, and what the rules make of them.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@with_disclosure
@click.option("--open", "may_be_open", is_flag=True, help="Accept a log that is not sealed yet.")
@click.option("--head", metavar="FILE", help="A head kept of the (one) log: was it cut or rewritten since?")
@click.option("--key", metavar="PUB.pem", help="The public key that must have signed that head.")
@click.option("--parent", metavar="LOG", help="The log that the (one) log must be a fork of.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first log with a finding.")
@common
def verify(
    logs: tuple[str, ...],
    disclosed: str | None,
    may_be_open: bool,
    head: str | None,
    key: str | None,
    parent: str | None,
    fail_fast: bool,
    as_json: bool,
    color: bool | None,
) -> int:
    """Check that every LOG is what its writer wrote, and what the rules make of its decisions.

    LOG is a file, or a game in a store: sqlite:///games.db#ID, postgresql://user@host/db#ID.  Without #ID
    it is every game of the store; a folder is every .ces file in it.

    \b
    exact        every byte follows from the decisions by the rules
    consistent   a view, or another copy in which something is sealed: all that
                 can be seen agrees
    unverified   intact, but written by another version of the rules' code
    diverged     intact, but the rules make something else of its decisions
    damaged      not what its writer wrote: where, and how; a view that lacks
                 what its viewer was shown or holds more; or a disclosure
                 (--with) that does not fit
    unsupported  too new for this version

    The first three are good if the log is sealed; an open one may have been cut, and needs --open.  All
    logs are verified, unless --fail-fast is given.

    With --head (see 'head'), one log must be the one that the head remembers, perhaps grown; with --parent,
    it must say that it goes on from that log, at a frame that is there, and tell everybody the same up to
    there.

    \b
    same, grown      fine
    shortened        frames are missing
    forked           frames were changed
    other-log        it is not the log that the head or the parent is about
    not-reached      the log is damaged before the last frame that the head covers
    other-past       a fork that tells something otherwise than its parent
    signed           the head is signed by --key
    unsigned, bad-signature  it is not
    proved           what --with opens, and what it says

    --json: {"verdicts": [{"log", "good", "word", "detail", "sealed", "frames", "events", "head",
    "hidden", "viewer", "missing", "unshown", "frame", "offset", "event", "expected", "found", "fields",
    "states", "before", "kind", "against"}]}; frame, offset and event are -1 where there is no such place,
    and of an open log its end;
    viewer is a name, "the public", or "" for a copy that is no view; "kind" is that of a damage (cut,
    extended, checksum, replaced, duplicated, reordered, parent, header, payload, encoding, ordinal,
    opening, definition, event, …) or ""; "against" lists what --head, --parent and --with found: {"what",
    "word", "detail", "good"}.  Of a divergence, expected is what is recorded, found what the rules make,
    fields and states what differs in them and in the game afterwards, each {"path", "left" (recorded),
    "right" (by the rules)}, before the last events before it.
    A file that is no log has the word "unreadable".
    """
    if len(logs) > 1 and (head is not None or parent is not None):
        raise click.UsageError("--head and --parent are about one log; name one")
    if key is not None and head is None:
        raise click.UsageError("--key is about the signature of a head; give --head")
    against = Against(head, key, parent)
    out = Output(color=color)
    found: list[dict[str, Any]] = []
    status = FINE
    if head is None and parent is None:
        logs = tuple(each for log in logs for each in _each(log))
    with out.progress(len(logs)) as bar:
        task = bar.add_task("verifying", total=len(logs)) if bar is not None else None
        for address in logs:
            log = redacted(address)
            try:
                verdict = verify_log(address, disclosed)
                seen = against.all(address)
                if disclosed is not None and verdict.word in GOOD:
                    seen += proved(address, disclosed)
                good = accepted(verdict, may_be_open) and all(item["good"] for item in seen)
                status = max(status, FINE if good else FINDING)
                found.append({"log": log, "good": good, **plain(verdict), "against": seen})
            except InputError as error:
                status = WRONG
                text = line_of(error)
                named = log in text or (error.where and log.startswith(error.where))
                text = text if named else f"{log}: {text}"
                found.append({"log": log, "good": False, "word": "unreadable", "detail": text})
            if fail_fast and status != FINE:
                break
            if bar is not None and task is not None:
                bar.advance(task)
    for item in found:
        if item["word"] == "unreadable":
            warn(item["detail"])
        elif not as_json:
            _say(out, item, may_be_open)
    if as_json:
        out.document({"verdicts": found})
    return status


def _each(log: str) -> tuple[str, ...]:
    """All games that an address names; what is wrong with it is said when it is verified."""
    try:
        return each_address(log)
    except (InputError, OSError):
        return (log,)


def accepted(verdict: Verdict, may_be_open: bool) -> bool:
    """Whether a verdict is good enough: an open log only where it may be open."""
    return verdict.good or (may_be_open and verdict.word in GOOD)


def _say(out: Output, item: dict[str, Any], may_be_open: bool) -> None:
    word = item["word"]
    fine = item["good"] or (word in GOOD and (item["sealed"] or may_be_open))
    role = _ROLES.get(word, "bad") if fine or word not in GOOD else "warn"
    line = [(f"{word:<11} ", role), (f"{one_line(item['log'])}: {one_line(item['detail'])}", "")]
    if word in GOOD and not fine:
        line.append(("; give --open to accept that", "warn"))
    if item["frames"]:
        head = item["head"][:12]
        line.append(
            (
                f"  ({counted(item['frames'], 'frame')}, {counted(item['events'], 'event')}, head {head})",
                "dim",
            )
        )
    out.line(line, 12)
    if item["before"]:
        before = ", ".join(f"{event['seq']} {event['kind']}" for event in item["before"])
        out.line([("    after ", "dim"), (before, "")], 8)
    say_fields(out, item["fields"], item["states"], ("recorded", "by the rules"))
    for seen in item["against"]:
        role = "good" if seen["good"] else "bad"
        text = f"{one_line(seen['what'])}: {one_line(seen['detail'])}"
        out.line([(f"{seen['word']:<11} ", role), (text, "")], 12)
