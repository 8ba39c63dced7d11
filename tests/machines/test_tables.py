"""The tables of the machines: whatever a typing error could break in them, found by reading them."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import cascade_es
from cascade_es.editions import CONCEPTS, EDITIONS, SWITCHES
from cascade_es.evolve import _BEGIN
from cascade_es.machines.build import rows_for
from cascade_es.machines.tables import TABLES, Row, Table
from cascade_es.rules.keywords import RULES
from cascade_es.values.events import KINDS

PACKAGE = Path(cascade_es.__file__).parent
REPLACED = {("turn", "over"), ("casting", "reversed"), ("activating", "reversed"), ("paying", "reversed")} | {
    ("mana", "reversed"),
    ("special", "reversed"),
}
"""Final states that no row pops: the game is over, or the frame is gone with the action reversed."""

every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def finals(table: Table) -> set[str]:
    """The states in which a procedure is over."""
    return {row.target for row in table.rows if row.pop} | {
        state for name, state in REPLACED if name == table.name
    }


@every_table
def test_a_table_goes_by_its_name(table: Table) -> None:
    """The name of a table is the name under which frames look it up."""
    assert table is TABLES[table.name]


@every_table
def test_every_row_speaks_of_a_procedure_event(table: Table) -> None:
    """Rows name events that exist and that are fed to machines."""
    assert [] == [row.event for row in table.rows if row.event not in KINDS]
    assert [] == [row.event for row in table.rows if not KINDS[row.event].procedure]


def test_every_procedure_event_stands_in_a_table() -> None:
    """No procedure event exists that no procedure ever accepts."""
    spoken = {row.event for table in TABLES.values() for row in table.rows}
    assert [] == [kind for kind, event in KINDS.items() if event.procedure and kind not in spoken]


@every_table
def test_every_state_and_procedure_named_in_a_row_exists(table: Table) -> None:
    """Sources and targets are states of the table, and what is pushed is a table."""
    named = {state for row in table.rows for state in (*row.sources, row.target)}
    assert set() == named - set(table.states)
    assert set() == {row.push for row in table.rows if row.push} - set(TABLES)
    assert len(table.states) == len(set(table.states))


def test_every_procedure_that_is_pushed_can_begin() -> None:
    """What begins a frame exists for each procedure that a row pushes, and for no other."""
    assert {row.push for table in TABLES.values() for row in table.rows if row.push} == set(_BEGIN)
    assert set(TABLES) == {*_BEGIN, "turn"}


@every_table
def test_every_state_is_reachable(table: Table) -> None:
    """In each edition every state is reached from the first, but for those that its switches leave out."""
    for edition in EDITIONS:
        rows = rows_for(table, edition)
        reached = {table.states[0]}
        while more := {row.target for row in rows if reached & set(row.sources)} - reached:
            reached |= more
        missing = set(table.states) - reached
        switched = {row.target for row in table.rows if row.switch and row not in rows}
        assert set() == missing - switched


@every_table
def test_every_unfinished_state_can_be_left(table: Table) -> None:
    """No procedure gets stuck: from every state that is not final some row leads on."""
    for edition in EDITIONS:
        rows = rows_for(table, edition)
        left = {source for row in rows for source in row.sources}
        dead = set(table.states) - finals(table) - left
        # A state that this edition never enters needs no way out of it.
        assert set() == dead & {row.target for row in rows}


@every_table
def test_nothing_leads_out_of_a_final_state(table: Table) -> None:
    """A procedure that is over accepts nothing more than the event that ends it."""
    stray = [row for row in table.rows for source in row.sources if source in finals(table) and not row.pop]
    assert [] == stray


@every_table
def test_every_final_state_is_reached_by_an_end(table: Table) -> None:
    """Every state without a way out is entered by a row that pops, or that reverses, or ends the game."""
    left = {source for row in table.rows for source in row.sources}
    entering = [row for row in table.rows if row.target not in left]
    assert [] == [row for row in entering if not (row.pop or (table.name, row.target) in REPLACED)]


@every_table
def test_one_row_for_each_state_and_event(table: Table) -> None:
    """What an event does in a state is never ambiguous."""
    for edition in EDITIONS:
        counted = Counter((source, row.event) for row in rows_for(table, edition) for source in row.sources)
        assert [] == [edge for edge, times in counted.items() if times > 1]


@every_table
def test_every_switch_is_one_of_the_editions(table: Table) -> None:
    """A mistyped switch would make a row vanish; every switch is known."""
    assert [] == [
        row.switch for row in table.rows if row.switch and row.switch.removeprefix("-") not in SWITCHES
    ]


@every_table
def test_every_rule_of_a_table_is_a_concept(table: Table) -> None:
    """The rule that a table implements has a number in the editions."""
    assert table.rule in CONCEPTS


def test_a_reversal_can_begin_wherever_an_action_can_fail() -> None:
    """Casting, activating, paying and mana abilities can be found illegal in every unfinished state."""
    for name in ("casting", "activating", "paying", "mana"):
        table = TABLES[name]
        stopping = [row for row in table.rows if row.event == "illegality-found"]
        sources = {source for row in stopping for source in row.sources}
        assert set(table.states) - finals(table) == sources
        assert {"reversing"} == {row.push for row in stopping}


@pytest.mark.parametrize(
    ("edition", "rows"),
    [("2015-01-23", 0), ("2015-07-17", 2)],
)
def test_the_legality_check_came_in_july_2015(edition: str, rows: int) -> None:
    """Only editions from 2015-07-17 on have the check between the division and the total cost."""
    here = rows_for(TABLES["casting"], cascade_es.edition(edition))
    assert rows == sum(1 for row in here if "checked" in (row.target, *row.sources) and _is_check(row))


def _is_check(row: Row) -> bool:
    return row.event in ("proposal-checked", "cost-locked")


# -------------------------------------------------------------------------------- used in code


def spoken_concepts() -> list[tuple[str, str]]:
    """Every concept that the package's source gives as a rule: (where, concept)."""
    found: list[tuple[str, str]] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                found += [(where, concept) for concept in _rules_in(node)]
    return found


def _rules_in(node: ast.Call) -> list[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    given = [word for keyword in node.keywords if keyword.arg == "rule" for word in _texts(keyword.value)]
    place = {
        "emit": 1,
        "Refusal": 0,
        "Refused": 0,
        "move": 3,
        "move_together": 3,
        "draw": 3,
        "Prompt": 3,
    }.get(name)
    if name == "choosing":
        place = 6
    if name in ("change_life", "randomize_bottom"):
        place = 3
    if name == "add_units":
        place = 4
    if place is not None and len(node.args) > place:
        given += _texts(node.args[place])
    return given


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_every_rule_that_the_code_names_is_a_concept() -> None:
    """A reader of a log can look up every rule in it: the code names only concepts of the editions."""
    spoken = spoken_concepts()
    assert [] == [(where, concept) for where, concept in spoken if concept not in CONCEPTS]
    assert len(spoken) > 100


def test_every_keyword_has_a_number() -> None:
    """The ability of a keyword triggers by a rule that the editions can number."""
    assert set() == set(RULES.values()) - set(CONCEPTS)


def test_every_rule_of_an_event_is_a_concept(recorded: cascade_es.Game) -> None:
    """Whatever happens in a game happened by a rule that its edition can number."""
    assert set() == {step.event.rule for step in recorded} - set(CONCEPTS)


def test_a_cause_is_an_earlier_event(recorded: cascade_es.Game) -> None:
    """ "Why is this here?" is a walk backwards that ends."""
    assert [] == [step.seq for step in recorded if not 0 <= step.event.cause < step.seq]
