"""What an event makes of a state: pure, and without any rule of the game.

``evolve`` feeds a procedure event to the machine of the running procedure and applies the facts that
the event carries.  It reads no card and decides nothing; replay is this function alone.  Its only
access to the past is ``recall(seq)``, the state after an earlier event: a mark is a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cascade_es.evolve import combat as _combat
from cascade_es.evolve import facts as _facts
from cascade_es.evolve import objects as _objects
from cascade_es.evolve import procedures as _procedures
from cascade_es.evolve.draft import HANDLERS, HIDDEN, Draft, Recall
from cascade_es.machines.build import Procedures
from cascade_es.values import events as ev
from cascade_es.values.state import (
    AskingData,
    AttackingData,
    BlockingData,
    CascadingData,
    CastingData,
    DealingData,
    Frame,
    Game,
    ManaData,
    OfferingData,
    PayingData,
    PriorityData,
    ResolvingData,
    ReversingData,
    SpecialData,
    StackingData,
    State,
)

__all__ = ["HIDDEN", "INITIAL", "Recall", "evolve"]

_ROOMS = (_combat, _facts, _objects, _procedures)  # imported so that their handlers are registered

_CHOOSING: Final = ("choice-asked", "choice-made")

INITIAL: Final = State(game=Game(frames=(Frame("turn", "new", 0, None),)))
"""The state before the first event."""


def evolve(state: State, event: ev.Event, recall: Recall) -> State:
    """The state after an event.

    Raises:
        NotAccepted: when the running procedure does not accept the event.
        KeyError, IndexError, ValueError: when the event speaks of what is not there.  An event made
            by the rules never does; a damaged log can.
    """
    if state.ledger.sealed:
        raise ValueError("nothing can happen after the end of the record")
    draft = Draft(state.game, state.ledger)
    pause = state.game.pause
    if pause is not None and event.kind not in _CHOOSING:
        draft.put("pause", None)  # the step for which choices were made is being taken
    if event.procedure:
        _move_machine(draft, event)
    handler = HANDLERS.get(event.kind)
    if handler is not None:
        handler(draft, event, recall)
    return State(draft.game, draft.ledger)


def _move_machine(draft: Draft, event: ev.Event) -> None:
    """Feed an event to the running procedure: it goes on, begins another one on top, or ends."""
    frames = draft.old.frames
    kind = event.kind
    if kind == "game-ended":
        # 104.1: the game ends immediately; whatever was going on is over with it.
        frames = frames[:1]
    procedures = Procedures.of(draft.ledger.edition)
    top = frames[-1]
    state, push, pop = procedures.step(top.machine, top.state, kind)
    if pop:
        frames = frames[:-1]
    elif state != top.state:
        frames = (*frames[:-1], Frame(top.machine, state, top.mark, top.data, top.event))
    if push:
        data, mark = _BEGIN[push](draft, event)
        frames = (*frames, Frame(push, procedures.begin(push), mark, data, draft.seq))
    if frames is not draft.old.frames:
        draft.put("frames", frames)


# ------------------------------------------------------------------------- how procedures begin


def _begin_casting(draft: Draft, event: Any) -> tuple[Any, int]:
    held = draft.top().machine == "priority"
    return CastingData(event.player, event.new, held), event.mark


def _first(players: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return (players[0], players[1:]) if players else (-1, ())


_BEGIN: Final[dict[str, Callable[[Draft, Any], tuple[Any, int]]]] = {
    "priority": lambda d, e: (PriorityData(e.player), d.seq - 1),
    "casting": _begin_casting,
    "activating": _begin_casting,
    "paying": lambda d, e: (PayingData(e.player, e.object, e.price, e.parts), d.seq - 1),
    "mana": lambda d, e: (ManaData(e.player, e.source, e.ability), e.mark),
    "special": lambda d, e: (SpecialData(e.player, e.object, e.action, e.index), e.mark),
    "stacking": lambda d, e: (StackingData(), d.seq - 1),
    "resolving": lambda d, e: (ResolvingData(e.object), d.seq - 1),
    "offering": lambda d, e: (OfferingData(e.player, e.object, e.cards, e.path, e.most), d.seq - 1),
    "cascading": lambda d, e: (CascadingData(e.player, e.object, e.limit), d.seq - 1),
    "asking": lambda d, e: (
        AskingData(e.player, e.sort, e.question, e.objects, e.words, e.least, e.most, e.secret),
        d.seq - 1,
    ),
    # What is reversed to is the point at which the player began to choose (508.1, 509.1, 510.1e).
    "attacking": lambda d, e: (AttackingData(e.player), d.seq),
    "blocking": lambda d, e: (BlockingData(*_first(e.players)), d.seq),
    "dealing": lambda d, e: (DealingData(*_first(e.players), e.sources), d.seq),
    "reversing": lambda d, e: (ReversingData(e.mark, e.rule, e.reason, e.player), e.mark),
}
