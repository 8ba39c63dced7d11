"""`transitions` machines made of the tables: one shared, tuned machine for each procedure and edition.

A stock machine costs about 5.4 µs a trigger, most of it spent looking up callbacks that our tables
do not have.  The three classes below keep the library's way from event to transition to state and
leave out the callbacks; a trigger then costs about a tenth.  A test drives stock and tuned machines
through every table, over every state and event, and compares.

Nothing can go wrong half-way: the tuned transition only sets the state, and the model is a throw-away
cursor, so a refused event leaves no trace.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec
from transitions import Machine, MachineError
from transitions.core import Event as MachineEvent
from transitions.core import State as MachineState
from transitions.core import Transition as MachineTransition

from cascade_es.editions import edition as edition_named
from cascade_es.machines.tables import TABLES, Row, Table


class Edition(Protocol):
    """What the machines ask of an edition of the rules."""

    def has(self, switch: str, /) -> bool:
        """Whether this edition has that behaviour."""
        ...


class Cursor(msgspec.Struct):
    """The model of one step: where a procedure stands.  It is never added to a machine."""

    state: str


class _Transition(MachineTransition):
    """A transition without callbacks and conditions: it sets the state."""

    def execute(self, event_data: Any) -> bool:
        event_data.state = self.dest
        return True


class _Event(MachineEvent):
    """An event that goes straight from the model's state to its only transition."""

    def trigger(self, model: Any, *args: Any, **kwargs: Any) -> bool:
        found = self.transitions.get(model.state)
        if not found:
            raise MachineError(f"Can't trigger event {self.name} from state {model.state}!")
        found[0].execute(model)
        return True


class _Machine(Machine):
    """The tuned machine."""

    transition_cls = _Transition
    event_cls = _Event
    state_cls = MachineState


def rows_for(table: Table, edition: Edition) -> tuple[Row, ...]:
    """The rows of a table that an edition has; a switch with a minus is for editions without it."""
    return tuple(
        row
        for row in table.rows
        if not row.switch or edition.has(row.switch.removeprefix("-")) != row.switch.startswith("-")
    )


def build(table: Table, edition: Edition, kind: type[Machine] = _Machine, **options: Any) -> Any:
    """A machine for a table: tuned, or of another kind (stock, or one that draws) from the same rows."""
    machine = kind(
        model=None,
        states=list(table.states),
        initial=table.states[0],
        auto_transitions=False,
        send_event=True,
        **options,
    )
    for row in rows_for(table, edition):
        machine.add_transition(row.event, list(row.sources), row.target)
    return machine


class Procedures:
    """All machines for one edition.

    >>> Procedures.of("newest").step("priority", "holding", "priority-passed")
    ('waiting', '', False)
    """

    def __init__(self, edition: Edition) -> None:
        self._machines: Final = {
            (name, event): (
                found.trigger,
                {
                    source: (row.push, row.pop)
                    for row in rows_for(table, edition)
                    if row.event == event
                    for source in row.sources
                },
            )
            for name, table in TABLES.items()
            for event, found in build(table, edition).events.items()
        }

    @staticmethod
    def of(edition: str) -> Procedures:
        """The machines of an edition, by its name; built once ("" is the newest)."""
        return _BUILT.get(edition) or _built(edition)

    def step(self, machine: str, state: str, event: str) -> tuple[str, str, bool]:
        """The state after an event, the procedure that it begins on top ("" for none), and whether it ends.

        Raises:
            NotAccepted: when the procedure does not accept the event in that state.
        """
        cursor = Cursor(state)
        try:
            trigger, edges = self._machines[machine, event]
            trigger(cursor)
        except (KeyError, MachineError):
            raise NotAccepted(machine, state, event) from None
        push, pop = edges[state]
        return cursor.state, push, pop

    def begin(self, machine: str) -> str:
        """The state in which a procedure begins."""
        return TABLES[machine].states[0]


_BUILT: dict[str, Procedures] = {}


def _built(name: str) -> Procedures:
    return _BUILT.setdefault(name, Procedures(edition_named(name or "newest")))


class NotAccepted(Exception):
    """An event that the running procedure does not accept: never appended; in a log, damage."""

    def __init__(self, machine: str, state: str, event: str) -> None:
        super().__init__(f"'{event}' cannot happen while {machine} is in state '{state}'")
        self.machine = machine
        self.state = state
        self.event = event
