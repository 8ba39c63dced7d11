"""The tuned machines do what stock `transitions` machines do with the same tables."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import random
import re

import pytest
from transitions import Machine, MachineError

from cascade_es.editions import NEWEST, Edition, edition
from cascade_es.machines.build import Cursor, NotAccepted, Procedures, build, rows_for
from cascade_es.machines.tables import TABLES, Table
from cascade_es.values.events import KINDS
from cascade_es.views.diagrams import drawing

ERAS = (edition("2009-05-01"), edition("2018-07-13"), NEWEST)
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
every_era = pytest.mark.parametrize("era", ERAS, ids=lambda era: era.date)


def stock_step(machine: Machine, state: str, event: str) -> str | None:
    """Where a machine of the library, as it comes, goes; None where it refuses."""
    cursor = Cursor(state)
    if event not in machine.events:
        return None
    try:
        assert machine.events[event].trigger(cursor)
    except MachineError:
        assert state == cursor.state
        return None
    return cursor.state


def tuned_step(procedures: Procedures, table: Table, state: str, event: str) -> str | None:
    """Where our machine goes; None where it refuses."""
    try:
        return procedures.step(table.name, state, event)[0]
    except NotAccepted:
        return None


@every_table
@every_era
def test_stock_and_tuned_agree_everywhere(table: Table, era: Edition) -> None:
    """Over every state and every kind of event both machines go to the same state or both refuse."""
    stock = build(table, era, Machine)
    procedures = Procedures.of(era.date)
    edges = [(state, event) for state in table.states for event in KINDS]
    expected = [(state, event, stock_step(stock, state, event)) for state, event in edges]
    assert expected == [(state, event, tuned_step(procedures, table, state, event)) for state, event in edges]


@every_table
@every_era
def test_stock_and_tuned_agree_on_a_walk(table: Table, era: Edition) -> None:
    """One stock cursor that keeps walking stays where the tuned machine says, refusals included."""
    walk = random.Random(f"{table.name} {era.date}")
    stock = build(table, era, Machine)
    procedures = Procedures.of(era.date)
    state = procedures.begin(table.name)
    for _ in range(300):
        event = walk.choice(list(stock.events))
        reached = stock_step(stock, state, event)
        assert reached == tuned_step(procedures, table, state, event)
        state = reached or state
        if not any(state in row.sources for row in table.rows):
            state = procedures.begin(table.name)


@every_table
@every_era
def test_a_step_tells_what_it_begins_and_ends(table: Table, era: Edition) -> None:
    """Beside the new state a step gives the procedure that its row pushes, and whether it pops."""
    procedures = Procedures.of(era.date)
    for row in rows_for(table, era):
        for source in row.sources:
            expected = (row.target, row.push, row.pop)
            assert expected == procedures.step(table.name, source, row.event)


@pytest.mark.cites("R150")
@every_table
def test_a_refused_event_leaves_no_trace(table: Table) -> None:
    """An event that is not accepted changes neither the cursor nor what the machine does next."""
    procedures = Procedures.of(NEWEST.date)
    machine = build(table, NEWEST)
    for state in table.states:
        allowed = {event for event in machine.events if tuned_step(procedures, table, state, event)}
        for event in set(machine.events) - allowed:
            cursor = Cursor(state)
            with pytest.raises(MachineError, match=re.escape(event)):
                machine.events[event].trigger(cursor)
            assert state == cursor.state
        again = {event for event in machine.events if tuned_step(procedures, table, state, event)}
        assert allowed == again


def test_a_refusal_says_what_where_and_when() -> None:
    """The error of an event out of turn names the event, the procedure and its state."""
    with pytest.raises(NotAccepted) as caught:
        Procedures.of(NEWEST.date).step("priority", "waiting", "announce")
    assert ("priority", "waiting", "announce") == (
        caught.value.machine,
        caught.value.state,
        caught.value.event,
    )
    assert "'announce' cannot happen while priority is in state 'waiting'" == str(caught.value)


def test_machines_have_no_ways_around_the_tables() -> None:
    """No machine has the library's automatic `to_…` events, and none keeps a model."""
    for table in TABLES.values():
        machine = build(table, NEWEST)
        assert {row.event for row in rows_for(table, NEWEST)} == set(machine.events)
        assert [] == machine.models


def test_an_edition_shares_its_machines() -> None:
    """The machines of an edition are built once."""
    assert Procedures.of("newest") is Procedures.of("newest")


def test_a_procedure_begins_in_the_first_state_of_its_table() -> None:
    """The first state of a table is where its procedure begins."""
    procedures = Procedures.of(NEWEST.date)
    assert [table.states[0] for table in TABLES.values()] == [procedures.begin(name) for name in TABLES]


@pytest.mark.parametrize("language", ["mermaid", "dot"])
@every_era
def test_a_diagram_shows_every_state_and_event(era: Edition, language: str) -> None:
    """Mermaid and DOT drawings name every state and every event of the edition, and what is begun."""
    for table in TABLES.values():
        drawn = drawing(table, era, language)
        rows = rows_for(table, era)
        assert [] == [state for state in table.states if state not in drawn]
        assert [] == [row.event for row in rows if row.event not in drawn]
        assert [] == [row.push for row in rows if row.push and f"+ {row.push}" not in drawn]
        assert ("stateDiagram" in drawn) == (language == "mermaid")
        assert ("digraph" in drawn) == (language == "dot")


def test_a_diagram_leaves_out_what_its_edition_lacks() -> None:
    """The drawing of casting has the legality check only from the edition that brought it."""
    assert "proposal-checked" not in drawing(TABLES["casting"], ERAS[0])
    assert "proposal-checked" in drawing(TABLES["casting"], NEWEST)


def test_a_mermaid_drawing_can_be_read_by_mermaid() -> None:
    """Mermaid ids hold no space: a state of two words is drawn under an id of one."""
    for table in TABLES.values():
        lines = [line.strip() for line in drawing(table, NEWEST).splitlines()]
        ids = [line.partition('" as ')[2] for line in lines if line.startswith("state ")]
        assert len(table.states) == len(ids)
        assert [] == [name for name in ids if re.search(r"\s", name)]


def test_a_diagram_is_the_same_every_time() -> None:
    """Drawing twice gives the same text."""
    assert drawing(TABLES["casting"], NEWEST) == drawing(TABLES["casting"], NEWEST)
