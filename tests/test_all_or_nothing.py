"""Failures of ours in the middle of anything: all or nothing; nested procedures are explicit frames."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cascade_es import Card, Game, Replay, decisions, load_card
from cascade_es.editions import NEWEST
from cascade_es.evolve import evolve
from cascade_es.machines.build import Procedures, build
from cascade_es.machines.tables import TABLES
from cascade_es.rules import work
from cascade_es.scenarios import runner
from cascade_es.scenarios.payment import pay_automatically
from cascade_es.values import events as ev
from cascade_es.verify import verify_bytes
from cascade_es.views import describe, timeline

GAMES = Path(__file__).resolve().parents[1] / "fixtures" / "games"


class Hook(Exception):
    """What a late callback raises."""


def cast_and_pay(game: Game) -> None:
    """A whole cast, from announcing to resolution, over several decisions."""
    (handle,) = (item for item in game.state.player(0).hand if game.board.name(item) == "Rampant Growth")
    game.decide(0, decisions.Cast(handle))
    pay_automatically(game)
    game.decide(0, decisions.Pass())
    game.decide(1, decisions.Pass())


def begin() -> Game:
    return Game.new(
        {
            "alice": {"hand": ["Rampant Growth"], "battlefield": ["Forest"] * 2, "library": ["Forest"] * 2},
            "bob": {},
        },
        cards=[load_card("Rampant Growth"), load_card("Forest")],
        step="precombat main",
        seed="all or nothing",
    )


def interrupted(monkeypatch: pytest.MonkeyPatch, place: int) -> bool:
    """Raise after event ``place`` of a cast, and compare with before; whether there was such an event."""
    game = begin()
    left = place
    before: list[Any] = []

    def now() -> list[Any]:
        return [game.state, len(game), game.log_bytes, game.prompt.question if game.prompt else ""]

    def late(state: Any, event: Any, recall: Any) -> Any:
        nonlocal left
        after = evolve(state, event, recall)
        left -= 1
        if left < 0:
            raise Hook
        return after

    def noting(*given: Any, decide: Callable[..., Any] = game.decide, **named: Any) -> Any:
        before[:] = now()
        return decide(*given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(work, "evolve", late)
        patched.setattr(game, "decide", noting)
        try:
            cast_and_pay(game)
        except Hook:
            assert before == now()
            return True
    return False


@pytest.mark.cites("R150", "R119", "193")
def test_an_exception_after_any_event_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever event of a cast an exception follows: state, length and log are those before the decision."""
    place = 0
    while interrupted(monkeypatch, place):
        place += 1
    assert place > 15


@pytest.mark.cites("R150", "R119")
def test_a_write_that_fails_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the log does not take a unit, nothing has happened; decided again it gives the same bytes."""
    game, twin = begin(), begin()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    before = (game.state, len(game), game.log_bytes)
    with monkeypatch.context() as patched:
        patched.setattr(game._recorder, "append", full)
        with pytest.raises(OSError, match="No space"):
            cast_and_pay(game)
    assert before == (game.state, len(game), game.log_bytes)
    for each in (game, twin):
        cast_and_pay(each)
    assert game.log_bytes == twin.log_bytes


@pytest.mark.cites("R150", "R152")
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_no_machine_has_a_callback(table: Any) -> None:
    """Nothing hangs on a state or a transition, so nothing can raise late or trigger from inside."""
    machine = build(table, NEWEST)
    hooks = [machine.before_state_change, machine.after_state_change, machine.finalize_event]
    hooks += [machine.prepare_event, machine.on_exception, machine.on_final]
    for state in machine.states.values():
        hooks += [state.on_enter, state.on_exit]
    for event in machine.events.values():
        for transition in [each for listed in event.transitions.values() for each in listed]:
            hooks += [transition.before, transition.after, transition.conditions, transition.prepare]
    assert not any(hooks)


@pytest.mark.cites("R152")
def test_a_cast_during_a_resolution_is_a_frame_of_its_own() -> None:
    """While the found card is cast, the cascade below stands still; it goes on where it was afterwards."""
    game, _ = runner.run_file(GAMES / "bituminous-blast.yaml")
    announced = next(step for step in game if step.event.kind == "announce" and step.seq > 20)
    cast = next(step for step in game if step.event.kind == "spell-cast" and step.seq > announced.seq)
    machines = [frame.machine for frame in announced.state.game.frames]
    assert machines[-3:] == ["resolving", "cascading", "casting"]
    below = announced.state.game.frames[:-1]
    for step in game.since(announced.seq):
        if step.seq == cast.seq:
            break
        assert step.state.game.frames[: len(below)] == below
    assert [frame.machine for frame in cast.state.game.frames][-2:] == ["resolving", "cascading"]


@pytest.mark.cites("R152")
def test_procedures_are_nested_in_every_log(corpus: dict[str, bytes]) -> None:
    """In every log what begins last ends first: an event moves the top frame, pushes one, or pops it."""
    moves = 0
    for content in list(corpus.values())[::5]:
        replay = Replay.of(content)
        procedures = Procedures.of(replay.ctx.edition.date)
        for step in replay:
            if not step.event.procedure or step.event.kind in ("game-ended", "action-reversed"):
                continue
            before, after = replay.at(step.seq - 1).game.frames, step.state.game.frames
            top = before[-1]
            state, push, pop = procedures.step(top.machine, top.state, step.event.kind)
            assert len(after) == len(before) + bool(push) - pop
            assert [frame.machine for frame in after[: len(before) - 1]] == [
                frame.machine for frame in before[:-1]
            ]
            if not pop:
                assert after[len(before) - 1].state == state
            moves += 1
    assert moves > 1000


@pytest.mark.cites("194", "195")
def test_what_was_undone_is_told_as_undone() -> None:
    """The attempt is on record with steps, reason and reversal, and no line of it states a lasting fact."""
    game, _ = runner.run_file(GAMES / "illegal-cast.yaml")
    (span,) = game.undone()
    listed = {item.seq: item for item in timeline(game, 1, len(game))}
    assert all(listed[seq].undone == span.by for seq in range(span.first, span.last + 1))
    assert {"announce", "mana-added", "illegality-found"} <= {
        listed[seq].kind for seq in range(span.first, span.last)
    } | {listed[span.last].kind}
    reversal = listed[span.by]
    assert reversal.undoes
    assert re.search(r"events \d+ to \d+: .*\(601.2h\); nothing of it stays", reversal.text)
    later = [describe(game, step) for step in game.since(span.by)]
    assert not [line for line in later if "cast" in line or "{R}" in line]
    assert game.at(span.by).game == game.at(span.first - 1).game


@pytest.mark.cites("198", "R120")
def test_an_old_game_is_replayed_with_the_definitions_it_began_with() -> None:
    """After a card's text has changed, an old log verifies exactly, by the text that is pinned in it."""
    old = load_card("Rampant Growth")
    content = old.definition
    face = msgspec.structs.replace(content.faces[0], mana_cost="{7}{G}")
    new = Card(msgspec.structs.replace(content, faces=(face,)))
    assert (old.ref.name, old.ref.digest != new.ref.digest) == (new.ref.name, True)
    logs = {}
    for card in (old, new):
        game = Game.new(
            {
                "alice": {"hand": ["Rampant Growth"], "battlefield": ["Forest"] * 2, "library": ["Forest"]},
                "bob": {},
            },
            cards=[card, load_card("Forest")],
            step="precombat main",
            seed="pinned",
        )
        game.decide(0, decisions.Cast(game.state.player(0).hand[0]))
        game.seal()
        logs[card.ref.digest] = game.log_bytes
    for digest, log in logs.items():
        assert verify_bytes(log).word == "exact"
        replay = Replay.of(log)
        (locked,) = (step.event for step in replay if isinstance(step.event, ev.CostLocked))
        assert locked.price.generic == (1 if digest == old.ref.digest else 7)
        pinned = {card.ref.digest for card in map(replay.ctx.cards.named, replay.ctx.cards.names())}
        assert digest in pinned
