"""``show``: a log as lines, or one moment of it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from cascade_es.cli.options import asked, common, open_log, open_log_at, point, with_disclosure
from cascade_es.cli.output import Line, Output
from cascade_es.editions import edition as edition_named
from cascade_es.errors import InputError
from cascade_es.history import History
from cascade_es.replay import Replay
from cascade_es.values.events import KINDS
from cascade_es.views import (
    Entry,
    causes,
    entry,
    event_json,
    log_json,
    prompt_lines,
    state_json,
    state_lines,
    step_at,
    timeline,
)
from cascade_es.views.plain import listed
from cascade_es.views.prompts import waiting_point
from cascade_es.views.records import decisions_json

WIDE = 100
"""From how many columns on a terminal counts as wide."""

RULE = 9
KIND = 24
DEEPEST = 6
"""Deeper procedures are indented no further."""


@click.command(short_help="Show a log, one line an event, or the game at one moment.")
@click.argument("log")
@click.option("--at", type=int, metavar="N", help="The game after event N (with --state, which is implied).")
@click.option("--state", is_flag=True, help="The whole board, at the last event or at --at.")
@click.option("--prompt", "prompted", is_flag=True, help="What the game waits for, at the end or at --at.")
@click.option("--from", "first", type=int, metavar="N", help="Begin with event N.")
@click.option("--to", "last", type=int, metavar="N", help="End with event N.")
@click.option("--kind", "kinds", multiple=True, metavar="K", help="Only events of this kind (repeatable).")
@click.option("--grep", metavar="TEXT", help="Only lines with this text, in any case.")
@click.option("--why", type=int, metavar="N", help="What caused event N, and what caused that, to the root.")
@click.option("--side/--no-side", default=True, help="Whether --at may read and write LOG.side.")
@with_disclosure
@common
def show(
    log: str,
    at: int | None,
    state: bool,
    prompted: bool,
    first: int | None,
    last: int | None,
    kinds: tuple[str, ...],
    grep: str | None,
    why: int | None,
    side: bool,
    disclosed: str | None,
    as_json: bool,
    color: bool | None,
) -> int:
    """Show LOG, one line an event, or the game at one moment.

    LOG is a file, or a game in a store: sqlite:///games.db#ID, postgresql://user@host/db#ID.

    \b
    A line: [╎] number  decision  rule  kind  what happened
      number    of the event; --at, --from, --to and --why take it
      decision  the number of the decision that it followed from
      rule      its number in the rules that the game is played by
      indented  by the procedures that are running: a payment within a cast
      dim       came by itself; the rest was decided by somebody
      ╎         was undone by a reversal (╰), which says why and what stays
    A long log gets a side file, LOG.side, so that --at need not read it all
    again; it can be thrown away, and --no-side makes none.
    "a card" is one whose name is sealed to this copy of the log.

    --json: {"log", "decisions": [all], "events": [those asked for]}; with --why {"log", "why": [events]},
    the event first; with --state or --at {"log", "state"}; with --prompt {"log", "prompt"}, as 'prompt'
    gives it.

    \b
    "log"       {"name", "log_id", "format", "table", "behaviour", "edition",
                "players", "units", "events", "frames", "head", "sealed",
                "viewer" (null for a copy that is no view)}
    a decision  {"unit", "player" (null: the recorder), "kind", "insist",
                "known" (whether this copy may read it), "first", "last"}
    an event    {"seq", "unit" (its decision), "kind", "concept" (the rule's
                lasting name), "rule" (its number), "cause" (an event, 0:
                none), "auto", "undone", "text", "fields"}
    a fact in "fields": {"known", "sealed", "value"}, a sealed one with its
                "place", for 'disclose --fact'
    """
    out = Output(color=color)
    chosen = [name for name, given in (("--why", why is not None), ("--prompt", prompted)) if given]
    filters = any(value is not None for value in (first, last, grep)) or bool(kinds)
    moment = state or (at is not None and not prompted)
    if len(chosen) + moment > 1 or (filters and (chosen or moment)):
        raise click.UsageError(
            "--state/--at, --prompt, --why and the filters of the listing exclude one another"
        )
    if moment and at is not None and disclosed is None:
        return _moment(out, log, at, side, as_json)
    history = open_log(log, disclosed)
    about = log_json(history.log, history)
    if why is not None:
        _why(out, history, about, why, as_json)
    elif prompted:
        seq = point(history, at, "--at", waiting_point(history))
        seen = asked(history, seq)
        if as_json:
            out.document({"log": about, "prompt": seen})
        else:
            out.lines(prompt_lines(history, seen), 6)
    elif moment:
        seq = point(history, at, "--at")
        if as_json:
            out.document({"log": about, "state": state_json(history, seq)})
        else:
            out.lines(state_lines(history, seq), 14)
    else:
        begin, end = point(history, first, "--from", 1), point(history, last, "--to")
        _check_kinds(kinds)
        found = [item for item in timeline(history, begin, end) if _wanted(item, kinds, grep)]
        if as_json:
            out.document(listing_json(history, [item.seq for item in found], about))
        else:
            _about(out, history, about)
            listing(out, history, found)
            if not found:
                asked_for = " is what was asked for" if kinds or grep is not None else ""
                none = f"no event from {begin} to {end}{asked_for}; the log has {len(history)}"
                out.line([(f"# {none}", "warn")], 2)
    return 0


def _moment(out: Output, log: str, seq: int, side: bool, as_json: bool) -> int:
    """The game after one event; of a long log only what is needed for it is read."""
    about, history = open_log_at(log, seq, side=side)
    if as_json:
        out.document({"log": log_json(about, history), "state": state_json(history, seq)})
    else:
        out.lines(state_lines(history, seq), 14)
    return 0


def _check_kinds(kinds: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            near = difflib.get_close_matches(kind, KINDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"kinds are {', '.join(sorted(KINDS))}"
            raise InputError(f"unknown kind of event; {hint}", where=f"--kind {kind}")


def _wanted(item: Entry, kinds: Sequence[str], grep: str | None) -> bool:
    if kinds and item.kind not in kinds:
        return False
    return grep is None or grep.casefold() in f"{item.number} {item.kind} {item.text}".casefold()


def listing_json(
    history: History, seqs: Sequence[int], about: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The JSON document of a listing."""
    wanted = set(seqs)
    events = [event_json(history, step) for step in history if step.seq in wanted]
    document: dict[str, Any] = {"decisions": decisions_json(history), "events": events}
    return document if about is None else {"log": about, **document}


def _about(out: Output, history: Replay, about: dict[str, Any]) -> None:
    log = history.log
    rules = edition_named(log.header.edition)
    sealed = "sealed" if log.sealed else "open: it may go on"
    if about["viewer"] is not None:
        sealed += f"; the view of {about['viewer']}"
    out.line(
        [
            (f"# {listed(about['players'])}, rules of {rules.date} ({rules.name}); ", "dim"),
            (f"{len(history)} events, {len(history.units)} decisions; {sealed}", "dim"),
        ],
        2,
    )


def listing(out: Output, history: History, entries: Sequence[Entry]) -> None:
    """Print events, one line each, and what the marks mean where there are some."""
    shape = Shape(len(str(len(history))), len(str(len(history.units))), 1 if 0 < out.width < WIDE else 2)
    previous = 0
    for item in entries:
        out.line(row(item, shape, same_unit=item.unit == previous), shape.text_at(item))
        previous = item.unit
    if any(item.undone for item in entries):
        out.line([("# ╎ was undone: it stays on record, but the game went back to before it", "dim")], 2)


class Shape(msgspec.Struct, frozen=True):
    """The columns of a listing: digits of the two numbers, and how far one procedure is indented."""

    seq: int
    unit: int
    indent: int

    def text_at(self, item: Entry) -> int:
        """The column at which an event's sentence begins."""
        return 2 + self.seq + 2 + self.unit + 2 + RULE + KIND + self.indent * min(item.depth, DEEPEST)


def row(item: Entry, shape: Shape, *, same_unit: bool = False) -> Line:
    """One event as a line."""
    mark = "╎" if item.undone else "╰" if item.undoes else " "
    quiet = "dim" if item.auto or item.undone else ""
    role = "bad" if item.undoes else "dim" if item.undone else _ROLES.get(item.kind, quiet)
    return [
        (f"{mark} ", "warn"),
        (f"{item.seq:>{shape.seq}}  ", quiet),
        (f"{item.unit:>{shape.unit}}  ", "dim" if same_unit else quiet),
        (f"{item.number:<{RULE}}", quiet or "label"),
        (f"{item.kind:<{KIND}}", role),
        (" " * (shape.indent * min(item.depth, DEEPEST)), ""),
        (item.text, role),
    ]


_ROLES = {"turn-begun": "strong", "step-begun": "strong", "game-ended": "strong", "illegality-found": "bad"}


def _why(out: Output, history: Replay, about: dict[str, Any], seq: int, as_json: bool) -> None:
    if not 1 <= seq <= len(history):
        raise InputError(
            f"there is no event {seq}; events run from 1 to {len(history)}", where=f"--why {seq}"
        )
    chain = causes(history, seq)
    if as_json:
        out.document({"log": about, "why": [event_json(history, step) for step in chain]})
        return
    _about(out, history, about)  # a rule's number is that of an edition
    for number, step in enumerate(chain):
        item = entry(history, step_at(history, step.seq))
        words = "because " if number else ""
        out.line(
            [
                (f"{item.seq:>5}  ", "strong" if not number else ""),
                (f"{item.number:<8}", "label"),
                (f"{item.kind:<22} ", "" if number else "strong"),
                (words, "dim"),
                (item.text, ""),
            ],
            38,
        )
