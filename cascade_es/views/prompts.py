"""What the game waits for, with everything that could be chosen and why some of it may not be."""

from __future__ import annotations

from typing import Any

from cascade_es.errors import InputError
from cascade_es.history import History
from cascade_es.rules.decide import prompt_of
from cascade_es.values.decisions import Targets
from cascade_es.values.prompts import Candidate, Prompt
from cascade_es.views.naming import Names, rule_number
from cascade_es.views.plain import one_line, plain


def prompt_at(history: History, seq: int) -> Prompt | None:
    """The prompt after event ``seq``; None in the middle of a decision's events, or when all is over.

    Raises:
        InputError: when there is no such event.
    """
    state = history.at(seq)
    if seq not in _ends(history):
        return None  # between two events of one decision the game goes on by itself
    return prompt_of(history.ctx, state)


def _ends(history: History) -> set[int]:
    """The events that end a decision, and the beginning."""
    ends, seq = {0}, 0
    for unit in history.units:
        seq += len(unit.events)
        ends.add(seq)
    return ends


def waiting_point(history: History) -> int:
    """The last event after which the game still waited for a decision: a seal ends the waiting."""
    last = len(history)
    return last - 1 if history.state.ledger.sealed and last else last


def prompt_json(history: History, seq: int) -> dict[str, Any]:
    """The prompt after event ``seq`` as a JSON object.

    Keys: ``seq``, ``player`` (who decides), ``kind``, ``question``, ``concept`` and ``rule`` (who asks),
    ``least`` and ``most`` (how many are chosen), ``candidates``: objects with ``text``, ``allowed``,
    ``concept``, ``rule`` and ``reason`` (null where it is allowed) and ``answer`` (its kind and fields).
    ``player``, ``kind`` and ``question`` are null, and ``candidates`` is empty, where nothing is asked.

    Raises:
        InputError: when there is no such event, when this copy lacks what the prompt depends on, or when the
            rules can make nothing of a log that is not what they made.
    """
    try:
        return _prompt_json(history, seq)
    except Exception:
        history.at(seq)  # no such event: that error
        if not history.ctx.secrets.key:
            raise InputError("this copy lacks what the prompt depends on; ask for a full copy") from None
        if not _strange(history):
            raise  # a full copy lacks nothing
        raise InputError(
            "the rules can make nothing of this log, which they did not make; verify it"
        ) from None


def _strange(history: History) -> bool:
    """Whether what a log says does not follow from its decisions: then anything may stand in it."""
    from cascade_es.replay import Replay
    from cascade_es.verify import reexecute  # which tells what it finds in words of the views

    return isinstance(history, Replay) and reexecute(history) is not None


def _prompt_json(history: History, seq: int) -> dict[str, Any]:
    prompt = prompt_at(history, seq)
    if prompt is None:
        blank = dict.fromkeys(("player", "kind", "question", "concept", "rule", "least", "most"))
        return {"seq": seq, **blank, "candidates": []}
    return {
        "seq": seq,
        "player": Names(history, seq).player(prompt.seat),
        "kind": prompt.kind,
        "question": one_line(prompt.question),
        "concept": prompt.rule,
        "rule": rule_number(history.edition, prompt.rule),
        "least": prompt.least,
        "most": prompt.most,
        "candidates": [
            {
                "text": one_line(_text(candidate, history, seq)),
                "allowed": candidate.allowed,
                "concept": candidate.refusal.rule if candidate.refusal else None,
                "rule": rule_number(history.edition, candidate.refusal.rule) if candidate.refusal else None,
                "reason": one_line(candidate.refusal.reason) if candidate.refusal else None,
                "answer": {"kind": candidate.answer.kind, **plain(candidate.answer)},
            }
            for candidate in prompt.candidates
        ],
    }


def _text(candidate: Candidate, history: History, seq: int) -> str:
    """A candidate in words; the rules know players by their seats alone."""
    targets = candidate.answer.targets if isinstance(candidate.answer, Targets) else ()
    if len(targets) == 1 and targets[0].seat >= 0:
        return candidate.text.replace(
            f"player {targets[0].seat + 1}", Names(history, seq).player(targets[0].seat)
        )
    return candidate.text


def unasked(history: History, seq: int) -> str:
    """Why nobody is asked after event ``seq``, and where somebody is."""
    if history.at(seq).over:
        return "the game is over"
    end = next((end for end in sorted(_ends(history)) if end >= seq), seq)
    if end > seq:
        return f"its decision goes on to event {end}"
    return "the record is sealed" if history.at(seq).ledger.sealed else "the game has not begun"


def prompt_lines(history: History, seen: dict[str, Any]) -> list[list[tuple[str, str]]]:
    """A prompt's JSON object as lines of (text, role) pieces."""
    if seen["player"] is None:
        why = unasked(history, seen["seq"])
        return [[(f"after event {seen['seq']} nobody is asked: {why}", "dim")]]
    head = [
        (seen["player"], "player"),
        (f" is asked after event {seen['seq']}: ", ""),
        (seen["question"], "strong"),
        (f"  ({seen['rule']}; {_how_many(seen)})", "dim"),
    ]
    width = max((len(item["text"]) for item in seen["candidates"] if not item["allowed"]), default=0)
    lines = [head]
    for item in seen["candidates"]:
        if item["allowed"]:
            lines.append([("  yes ", "good"), (item["text"], "")])
        else:
            lines.append(
                [
                    ("  no  ", "bad"),
                    (f"{item['text']:<{min(width, 40)}}", "dim"),
                    (f"  {item['rule']}: {item['reason']}", "dim"),
                ]
            )
    if not seen["candidates"]:
        lines.append([("  (nothing to choose from)", "dim")])
    return lines


def _how_many(seen: dict[str, Any]) -> str:
    least, most = seen["least"], seen["most"]
    return f"choose {least}" if least == most else f"choose {least} to {most}"
