"""The bench on which the rules make a unit: a state that moves on with every event they emit.

The rules never change a state.  They emit events, and each event is folded at once, so that the next
rule sees what the last one did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cascade_es.errors import InputError
from cascade_es.evolve import HIDDEN, Recall, evolve
from cascade_es.rules.board import Board, Context
from cascade_es.values.digest import digest
from cascade_es.values.events import ChoiceAsked, Event, Rehandled, StateDigest
from cascade_es.values.facts import EVERYONE, NOTHING, Fact, Opening, sees
from cascade_es.values.state import AskingData, State

TELLING: Final = ("shown", "drawn", "shuffled", "random-order")
"""What nobody may have seen before a choice that is made first."""


Secret = tuple[int, int, tuple[int, ...]]
"""What only the chooser may know of a question: how many at least and at most, of which hidden cards."""


class ChoiceNeeded(Exception):
    """A step cannot be taken before somebody has chosen."""

    def __init__(self, asked: AskingData, rule: str, secret: Secret | None) -> None:
        super().__init__(asked.question)
        self.asked = asked
        self.rule = rule
        self.secret = secret


class Work:
    """A unit in the making.

    ``opened`` is the game before the batch of facts that is being made: an effect replaces nothing that it
    was not there for (614.4).  ``within`` are the replacement effects whose instructions are being followed:
    they do not replace what these do (614.5).
    """

    def __init__(self, ctx: Context, state: State, recall: Recall, frame: int) -> None:
        self.ctx = ctx
        self.start = state
        self.state = state
        self.events: list[Event] = []
        self.frame = frame
        self._past = recall
        self.states = [state]
        self.openings: list[Opening] = []
        self._board: Board | None = None
        self.cause = 0
        self._answers: tuple[Fact, ...] = ()
        self._asked = 0
        self._begin = 0
        self.opened: Board | None = None
        self.within: tuple[str, ...] = ()
        self.noticed = 0
        self.together = False

    @property
    def board(self) -> Board:
        """The game as it is now."""
        if self._board is None:
            self._board = Board(self.ctx, self.state)
        elif self._board.state is not self.state:
            self._board = self._board.then(self.state)
        return self._board

    @property
    def mark(self) -> int:
        """The sequence number before this unit: where an action begun by it returns to."""
        return self.start.ledger.seq

    def recall(self, seq: int) -> State:
        """The state after an event, this unit's included."""
        first = self.start.ledger.seq
        return self.states[seq - first] if seq >= first else self._past(seq)

    def seal(self, value: Any, seats: int) -> Fact:
        """A value that only these seats may know (a bit mask; 0 is nobody)."""
        if seats == EVERYONE:
            return Fact.public(value)
        fact, opening = self.ctx.secrets.commit(self.frame, len(self.openings), value, seats)
        self.openings.append(opening)
        return fact

    def emit(self, kind: type[Event], rule: str, *fields: Any, auto: bool = True, cause: int = 0) -> int:
        """Append one event and fold it; its sequence number.

        ``cause`` is by default the event that began the running procedure.
        """
        reason = cause or self.cause or self.state.frame.event
        event = kind(rule, reason, auto, *fields)
        self.state = evolve(self.state, event, self.recall)
        self.events.append(event)
        self.states.append(self.state)
        return self.state.ledger.seq

    def take(self, step: Callable[[], None], held: Callable[[], Fact] = lambda: NOTHING) -> None:
        """Take a step of the rules, or ask for the choice without which it cannot be taken.

        What happens at the same time is chosen beforehand (616.1, 614.12, 101.4).  So a step that needs
        a choice has not happened: it leaves nothing but the question, and is taken again from its
        beginning when the answer is there.  ``held`` gives the decision that it carries out.
        """
        state, events, openings, cause = self.state, len(self.events), len(self.openings), self.cause
        self._answers = state.game.pause.answers if state.game.pause is not None else ()
        self._asked, self._begin = 0, events
        self.opened, self.within = None, ()
        try:
            step()
        except ChoiceNeeded as needed:
            del self.events[events:], self.states[events + 1 :], self.openings[openings:]
            self.state, self.cause = state, cause
            self.noticed, self.together = min(self.noticed, events), False
            a = needed.asked
            secret = needed.secret
            if secret is not None:
                a = replace(a, objects=(), least=0, most=0)
            kept = held()  # its place in the event comes before that of the secret
            self.emit(
                ChoiceAsked,
                needed.rule,
                a.player,
                a.sort,
                a.question,
                a.objects,
                a.words,
                a.least,
                a.most,
                kept,
                NOTHING if secret is None else self.seal(secret, 1 << a.player),
            )

    def _secret(self, a: AskingData) -> Secret | None:
        found = (self.state.game.objects.get(handle) for handle in a.objects)
        if a.secret == NOTHING and not any(obj is not None and obj.zone in HIDDEN for obj in found):
            return None
        old = {new: old for old, new in self._fresh().items()}
        return (*a.bounds, tuple(old.get(handle, handle) for handle in a.among))

    def _fresh(self) -> dict[int, int]:
        # A player chooses among the cards as they are now, for the step has not been taken yet.
        return self.renamed(self._begin)

    def renamed(self, begin: int) -> dict[int, int]:
        """The ids that hidden cards have got in this unit from one of its events on, by those before it."""
        old: dict[int, int] = {}
        for event in self.events[begin:]:
            if isinstance(event, Rehandled) and event.origin.known:
                for index, handle in enumerate(event.origin.value):
                    old[event.first + index] = old.pop(handle, handle)
        return {first: last for last, first in old.items()}

    def ask(self, asked: AskingData, rule: str) -> tuple[int, ...]:
        """What a player chooses before this step is taken: objects, or indices of words.

        Raises:
            ChoiceNeeded: when the player has not chosen yet.
            InputError: when it cannot be chosen before the step is taken.
        """
        if self.state.player(asked.player).lost:
            from cascade_es.rules import asking  # it carries out answers on this bench

            return asking.least(self.board, asked)  # 800.4a
        if self._asked < len(self._answers):
            self._asked += 1
            answer: tuple[int, ...] = self._answers[self._asked - 1].value
            if asked.sort == "yes-no" or not asked.among:
                return answer
            fresh = self._fresh()
            return tuple(fresh.get(pick, pick) for pick in answer)
        self._ready(asked)
        raise ChoiceNeeded(asked, rule, self._secret(asked))

    def _ready(self, asked: AskingData) -> None:
        """Whether the chooser can choose before this step is taken: by what is seen, among what is there.

        What they would see first must have happened in a step of its own.  That a card which leaves had lain
        face down is seen whatever they choose.

        Raises:
            InputError: when they cannot; only a script can ask such a thing.
        """
        hint = "what one event does is chosen before it happens; mend the script, or let the table say"
        for event in self.events[self._begin :]:
            if event.kind in TELLING and event.rule != "face-down":
                raise InputError(f"'{asked.question}' comes too late, when cards have been seen; {hint}")
        if asked.sort == "targets":
            return
        old = {new: old for old, new in self._fresh().items()}
        there = self.states[self._begin].game.objects
        if any(old.get(handle, handle) not in there for handle in asked.among):
            raise InputError(f"'{asked.question}' is about what has only just come to be; {hint}")
        cards = (there[old.get(handle, handle)] for handle in asked.among)
        unseen = any(obj.zone == "library" and not sees(obj.card.audience, asked.player) for obj in cards)
        if unseen and asked.bounds[0]:
            raise InputError(f"'{asked.question}' is about cards of a library not looked at; {hint}")

    @property
    def told(self) -> bool:
        """Whether this step has let anybody see what they could not before: nothing can be asked any more."""
        return any(event.kind in TELLING for event in self.events[self._begin :])

    def note_digest(self, rule: str) -> None:
        """Put a digest of the state on record, so that a divergence shows soon after it."""
        self.emit(StateDigest, rule, digest(self.state))

    def new_id(self) -> int:
        """The next free id."""
        return self.state.ledger.next_id
