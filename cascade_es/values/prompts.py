"""The one thing that the game waits for: who decides, what, and within which limits.

A prompt is a view: asking for it never changes the game, and its candidates are worked out only when
somebody looks.  "May begin" never requires "can finish" (118.6): a candidate says only whether the
next step may be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, Literal

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.values.decisions import Answer

Kind = Literal[
    "act",
    "choose",
    "declare",
    "divide",
    "order",
    "pay",
    "yes-no",
    "option",
    "offer",
    "attack",
    "block",
    "assign",
]


class Refusal(msgspec.Struct, frozen=True):
    """Why a rule forbids something: the rule's concept, and a reason in words."""

    rule: str
    reason: str


class Candidate(msgspec.Struct, frozen=True):
    """One thing to choose: the answer that chooses it (alone), words for it, and the refusal if any."""

    answer: Answer
    text: str
    refusal: Refusal | None = None

    @property
    def allowed(self) -> bool:
        """Whether the rules allow it."""
        return self.refusal is None


class Unknown:
    """What :meth:`Prompt.complete` says when it neither found a completion nor proved that none exists."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()


class Prompt:
    """What the game asks.

    ``seat`` decides; ``kind`` is the shape of the answer; ``question`` says it in words; ``rule`` is
    the concept that asks.  ``least`` and ``most`` bound how many are chosen.  ``candidates`` are
    listed lazily.
    """

    def __init__(
        self,
        seat: int,
        kind: Kind,
        question: str,
        rule: str,
        *,
        answers: tuple[type[Answer], ...],
        candidates: Callable[[], Iterator[Candidate]],
        check: Callable[[Answer], Refusal | None],
        complete: Callable[[], Answer | Unknown | None] = lambda: UNKNOWN,
        least: int = 1,
        most: int = 1,
    ) -> None:
        self.seat = seat
        self.kind: Kind = kind
        self.question = question
        self.rule = rule
        self.least = least
        self.most = most
        self.answers = answers
        self._candidates = candidates
        self._check = check
        self._complete = complete

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everything that could be chosen, allowed or refused with the rule."""
        return tuple(self._candidates())

    @property
    def allowed(self) -> tuple[Candidate, ...]:
        """The candidates that the rules allow."""
        return tuple(candidate for candidate in self.candidates if candidate.allowed)

    def check(self, answer: Answer) -> Refusal | None:
        """Judge a whole answer: None when the rules allow it.

        Raises:
            DecisionError: when it is no answer to this prompt.
        """
        if not isinstance(answer, self.answers):
            raise DecisionError(f"{answer!r} does not answer the prompt ({self.question})")
        return self._check(answer)

    def complete(self) -> Answer | Unknown | None:
        """One legal answer that lets the procedure go on; None when there is none; or UNKNOWN."""
        return self._complete()

    def __repr__(self) -> str:
        return f"<Prompt {self.kind} for seat {self.seat}: {self.question}>"
