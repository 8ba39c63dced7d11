"""Verification: is a log what its writer wrote, and is it what the rules make of its decisions?

Verdicts, from best to worst:

* *exact*: chain, openings, machines and digests agree, and re-executing every decision gives the very
  same bytes;
* *consistent*: a view, or another copy in which something is sealed: all that can be seen agrees;
* *unverified*: intact, but written by another behaviour version, so re-execution proves nothing;
* *diverged*: intact, but the rules make something else of its decisions;
* *damaged*: not what its writer wrote; or a view that lacks what its viewer was shown, or holds what
  they were never shown; or a disclosure that does not fit the log;
* *unsupported*: too new to be read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from cascade_es.diff import diverging
from cascade_es.errors import CascadeError, Damaged, InputError, NewerLog
from cascade_es.evolve import INITIAL
from cascade_es.game import BEHAVIOUR, header_for
from cascade_es.log import (
    FORMAT,
    Encoder,
    FalseDisclosure,
    Log,
    Unit,
    parse_disclosure,
    parse_log,
    read_disclosure,
)
from cascade_es.log.jsonform import record_json
from cascade_es.machines.build import NotAccepted
from cascade_es.projection import Findings, audit, facts_in
from cascade_es.replay import Replay, viewer_of
from cascade_es.rules.board import Context
from cascade_es.rules.decide import Outcome, decide, recorded_answer
from cascade_es.stores import Store, read_address
from cascade_es.values import events as ev
from cascade_es.values.decisions import Decision, SetUp
from cascade_es.values.digest import digest
from cascade_es.values.facts import CardRef
from cascade_es.values.state import State

Word = Literal["exact", "consistent", "unverified", "diverged", "damaged", "unsupported"]
GOOD: Final = ("exact", "consistent", "unverified")


class Verdict(msgspec.Struct, frozen=True):
    """What verification concludes.

    ``detail`` is one sentence; ``kind`` the kind of damage, as :class:`~cascade_es.errors.Damaged` has
    it, or ""; ``frame`` and ``offset`` name the place of damage or divergence, or the last frame of an
    open log, which may have been cut there (-1: none), ``event`` its sequence number.  ``hidden`` counts
    facts that are sealed to this copy.  ``viewer`` says whose view it is (a name, or "the public"; "" for
    a copy that is no view), ``missing`` counts openings and definitions that the viewer was shown and
    this copy lacks, ``unshown`` those that it has without their having been shown.  ``expected`` and
    ``found`` are both sides of a divergence, as JSON-like values: what is recorded, and what the rules
    make.  ``fields`` are the fields in which they differ, ``states`` the fields of the game that differ
    afterwards, and ``before`` the last events before; see :class:`~cascade_es.diff.Divergence`, where the
    record is on the left.
    """

    word: Word
    detail: str
    sealed: bool = False
    frames: int = 0
    events: int = 0
    head: str = ""
    hidden: int = 0
    frame: int = -1
    offset: int = -1
    event: int = -1
    expected: Any = None
    found: Any = None
    kind: str = ""
    viewer: str = ""
    missing: int = 0
    unshown: int = 0
    fields: tuple[dict[str, Any], ...] = ()
    states: tuple[dict[str, Any], ...] = ()
    before: tuple[dict[str, Any], ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing speaks against the log: intact, ended, and not diverged."""
        return self.word in GOOD and self.sealed


def verify(
    address: str | os.PathLike[str] = "",
    disclosed: str | os.PathLike[str] | None = None,
    *,
    store: Store | None = None,
) -> Verdict:
    """Verify a log file, or a game in a store, with what a disclosure file opens if one is given.

    Where it is, is said as to :meth:`Replay.open`.

    Raises:
        InputError: when there is no log to verify (missing, empty, or a file of another format), or the
            disclosure is none of this log.
    """
    opened = None if disclosed is None else read_disclosure(disclosed)
    return _verdict(lambda: read_address(address, opened, store=store))


def verify_bytes(content: bytes, name: str = "log", disclosed: bytes | None = None) -> Verdict:
    """Verify the bytes of a log, with those of a disclosure if some are given; see :func:`verify`."""
    opened = None if disclosed is None else parse_disclosure(disclosed)
    return _verdict(lambda: parse_log(content, name, opened))


def _verdict(read: Callable[[], Log]) -> Verdict:
    try:
        return _verify(read())
    except Damaged as damage:
        return _damaged(damage)
    except FalseDisclosure as false:
        return Verdict("damaged", str(false))
    except NewerLog as newer:
        return Verdict("unsupported", str(newer))


def _damaged(damage: Damaged) -> Verdict:
    return Verdict("damaged", str(damage), frame=damage.frame, offset=damage.offset, kind=damage.kind)


def _verify(log: Log) -> Verdict:
    try:
        replay = Replay(log)
    except InputError as error:
        raise NewerLog(error.what, where=error.where) from None
    hidden = count_hidden(log)
    findings = audit(log)
    verdict = _view(log, findings) or _brought(replay) or _digests(replay) or _judge(replay, hidden)
    if verdict.word in GOOD and not log.sealed:
        # Nothing is wrong there, but whoever asks where it could have been cut must be told the place.
        last = log.frames[-1]
        verdict = msgspec.structs.replace(
            verdict,
            detail=f"{verdict.detail}; the record is open after {_last(replay)}: "
            "it may go on, or have been cut there",
            frame=last.number,
            offset=last.offset,
            event=len(replay),
        )
    return msgspec.structs.replace(
        verdict,
        viewer=viewer_of(log),
        missing=len(findings.missing),
        unshown=len(findings.unshown),
        sealed=log.sealed,
        frames=log.head.frames,
        events=len(replay),
        head=log.head.hash.hex(),
        hidden=hidden,
    )


def _judge(replay: Replay, hidden: int) -> Verdict:
    behaviour = replay.log.header.behaviour
    if behaviour != BEHAVIOUR:
        words = f"intact, but written by behaviour {behaviour} of the rules, and this version has {BEHAVIOUR}"
        return Verdict("unverified", f"{words}: only that one could decide it again")
    if hidden:
        viewer = viewer_of(replay.log)
        whose = f"the view of {viewer}: " if viewer else ""
        words = _hidden_words(replay.log, hidden)
        return Verdict("consistent", f"{whose}all that can be seen agrees; {words}")
    if lacking := _undefined(replay.log):
        # What it would be to decide again cannot be known; that is no word against the record.
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        words = f"a recorder's copy, but the definition of {lacking[0]!r}{more} is missing"
        return Verdict("consistent", f"all that can be seen agrees; {words}")
    return reexecute(replay) or Verdict(
        "exact", f"every byte follows from the decisions{seeded(replay)}{_forked(replay.log)}"
    )


def _undefined(log: Log) -> list[str]:
    """The names of the cards in open deck lists whose definitions are not in this copy."""
    cards = [card for seat in log.header.seats if type(seat.deck.value) is tuple for card in seat.deck.value]
    return sorted(
        {card.name for card in cards if isinstance(card, CardRef) and card.digest not in log.definitions}
    )


def _last(replay: Replay) -> str:
    frame = replay.log.frames[-1].number
    return f"frame {frame} (event {len(replay)})" if frame else "its header"


def _forked(log: Log) -> str:
    if log.header.parent is None:
        return ""
    log_id, frame, _ = log.header.parent
    return f"; it says that it forks log {log_id.hex()[:12]} at frame {frame}, which --parent checks"


def _brought(replay: Replay) -> Verdict | None:
    """The header commits to the seats and decks that the set-up then brings, as far as this copy can see."""
    header = replay.log.header
    for number, unit in replay.log.units:
        if unit.decision.kind != "set-up":
            continue
        begun = [event for event in unit.events if isinstance(event, ev.GameBegun)]
        players = len(begun[0].life) if begun else 0
        if players != len(header.seats):
            return _other_header(f"it has {len(header.seats)} seats, and the game {players}", number)
        for seat, said in enumerate(header.seats):
            cards = [
                card
                for event in unit.events
                if isinstance(event, ev.Placed) and event.owner == seat
                for card in event.cards
            ]
            whose = f"the deck of {replay.names[seat]}"
            if len(cards) != said.deck_size:
                counted = f"{said.deck_size} cards, and the set-up places {len(cards)}"
                return _other_header(f"{whose} has {counted}", number)
            if said.deck.known and all(card.known for card in cards):
                placed = [card.value for card in cards]
                if not all(isinstance(card, CardRef) for card in placed) or said.deck.value != tuple(
                    sorted(placed)
                ):
                    return _other_header(f"{whose} is not the cards that the set-up places", number)
    named = [seat.name.value for seat in header.seats if seat.name.known]
    if not all(type(name) is str and name and name.isprintable() for name in named):
        return Verdict("diverged", "frame 0: a player's name is no text that can be printed", frame=0)
    if len(set(named)) < len(named):
        return Verdict("diverged", "frame 0: two players have the same name", frame=0)
    return None


def _other_header(what: str, frame: int) -> Verdict:
    return Verdict("diverged", f"frame {frame} is not what the header commits to: {what}", frame=frame)


def seeded(replay: Replay) -> str:
    """Who could have chosen what followed from chance, in words; nothing where nothing did."""
    ledger = replay.state.ledger
    if not ledger.draws:
        return ""
    if not ledger.contributions:
        return "; the recorder alone chose the seed"
    names = ", ".join(replay.names[seat] for seat, _ in ledger.contributions if seat < len(replay.names))
    return f"; the seed was mixed with what {names} contributed"


def _hidden_words(log: Log, hidden: int) -> str:
    frame = min(hidden_places(log))[0]
    if log.header.key.known and log.view is None:
        missing = "1 opening is" if hidden == 1 else f"{hidden} openings are"
        return f"a recorder's copy, but {missing} missing, the first in frame {frame}"
    facts = "1 fact is" if hidden == 1 else f"{hidden} facts are"
    return f"{facts} sealed to this copy"


def _view(log: Log, findings: Findings) -> Verdict | None:
    """A view holds just what its viewer was shown."""
    for problems, what in (
        (findings.unshown, "is there, which its viewer was not shown by then"),
        (findings.missing, "is missing, though its viewer was shown it there"),
    ):
        if problems:
            frame, thing = problems[0]
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            detail = f"the view of {viewer_of(log)}: frame {frame}: {thing}{more} {what}"
            return Verdict("damaged", detail, frame=frame, offset=log.frames[frame].offset)
    return None


def count_hidden(log: Log) -> int:
    """How many facts there are that are sealed to this copy to its end."""
    return len(hidden_places(log))


def hidden_places(log: Log) -> set[tuple[int, int]]:
    """The places (frame, ordinal) of the facts that are sealed to this copy to its end."""
    known: dict[tuple[int, int], bool] = {}
    for record in (log.header, *(unit for _, unit in log.units)):
        for fact in facts_in(record):
            if fact.sealed:
                place = (fact.frame, fact.ordinal)
                known[place] = known.get(place, False) or fact.known
    return {place for place, open_now in known.items() if not open_now}


def _digests(replay: Replay) -> Verdict | None:
    """Every digest in the log is that of the state it speaks of."""
    for step in replay:
        if isinstance(step.event, ev.SealedEnd | ev.StateDigest):
            now = digest(replay.at(step.seq - 1))
            if now != step.event.digest:
                return Verdict(
                    "diverged",
                    f"the digest at event {step.seq} is not that of the state",
                    frame=step.unit,
                    event=step.seq,
                    expected=step.event.digest.hex(),
                    found=now.hex(),
                    before=_told(replay.before(step.seq - 1)),
                )
    return None


def reexecute(replay: Replay) -> Verdict | None:
    """Decide every recorded decision again; the first difference, with both sides."""
    states: list[State] = [INITIAL]
    encoder = Encoder()
    payloads = {frame.number: frame.payload for frame in replay.log.frames}
    for number, unit in replay.log.units:
        if unit.decision.kind == "set-up" and (other := _header_again(replay, unit)) is not None:
            return other
        try:
            outcome = again(replay.ctx, states[-1], unit, states, number)
        except Exception as error:
            # Whatever a stranger wrote as a decision: what the rules cannot take is no defect of theirs.
            return Verdict(
                "diverged",
                f"frame {number}: decision '{unit.decision.kind}' is not possible there: {_reason(error)}",
                frame=number,
                event=len(states),
                expected=record_json(unit.decision, opened=True),
                before=_told(replay.before(len(states) - 1)),
            )
        made = Unit(outcome.decision, outcome.events, unit.time)
        states.extend(outcome.states[1:])
        # Of an older format the bytes are others: there the values are compared as they have become.
        stored = payloads[number] if replay.log.header.format == FORMAT else encoder.unit(unit)[0]
        if encoder.unit(made)[0] != stored:
            return _difference(replay, made, number, states)
    return None


def _header_again(replay: Replay, unit: Unit) -> Verdict | None:
    """The header, made again from what was set up: the first field in which it is another."""
    header = replay.log.header
    try:
        answer = recorded_answer(unit.decision)
        if not isinstance(answer, SetUp):
            return None
        made, _ = header_for(replay.ctx, replay.names, answer.piles, header.parent)
    except (ValueError, LookupError, TypeError):
        return None  # that this is no set-up says its re-execution
    # Which versions wrote a log follows from nothing that is in it.
    made = msgspec.structs.replace(made, format=header.format, table=header.table)
    if _alike(header, made):
        return None
    other = [
        name for name in header.__struct_fields__ if not _alike(getattr(header, name), getattr(made, name))
    ]
    what = f"frame 0: the header is not the one that belongs to the set-up; it differs in {', '.join(other)}"
    return Verdict("diverged", what, frame=0)


def _alike(one: Any, two: Any) -> bool:
    return Encoder().value(one) == Encoder().value(two)


def again(ctx: Context, state: State, unit: Unit, states: list[State], number: int) -> Outcome:
    """What the rules make of a recorded decision."""
    recorded = unit.decision
    decision = Decision(recorded.seat, recorded_answer(recorded), recorded.insist)
    return decide(ctx, state, decision, states.__getitem__, number)


def _difference(replay: Replay, made: Unit, number: int, states: list[State]) -> Verdict:
    """The first difference of a unit from what the rules make; ``states`` are all that they made."""
    recorded = replay.units[number - 1]
    common = len(states) - 1 - len(made.events)
    sides = (replay.states, states)
    found = diverging(recorded, made, number, common, sides, replay.before(common))
    if found is None:  # the same to every reader, and still other bytes
        return Verdict("diverged", f"frame {number}: it is written otherwise than it was made", frame=number)
    what = f"event {found.event}: recorded {_kind(found.left)}, the rules make {_kind(found.right)}"
    if found.what == "decision":
        what = f"the decision '{recorded.decision.kind}' is recorded otherwise than it was made"
    if found.fields:
        what += f"; it differs in {', '.join(field['path'] for field in found.fields)}"
    return Verdict(
        "diverged",
        f"frame {number}, {what}",
        frame=number,
        event=found.event,
        expected=found.left,
        found=found.right,
        fields=found.fields,
        states=found.states,
        before=found.before,
    )


def _reason(error: Exception) -> str:
    ours = isinstance(error, CascadeError | NotAccepted | AssertionError)
    return " ".join(str(error).split()) if ours and str(error) else f"{type(error).__name__}: {error}"


def _kind(event: dict[str, Any] | None) -> str:
    return "nothing" if event is None else f"'{event['kind']}'"


def _told(events: tuple[tuple[int, ev.Event], ...]) -> tuple[dict[str, Any], ...]:
    return tuple({"seq": seq, **record_json(event, opened=True)} for seq, event in events)
