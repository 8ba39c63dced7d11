"""Folding events: replay gives the game again, objects are in one place, and what only grows does."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from cascade_es import Game
from cascade_es.errors import DecisionError, Refused
from cascade_es.evolve import INITIAL, evolve
from cascade_es.machines.build import NotAccepted
from cascade_es.machines.tables import TABLES
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.events import KINDS, Event
from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.state import AbilityRef, State, Target

Fold = Callable[[Iterator[Event]], list[State]]


def wander(game: Game, seed: int, decisions: int) -> None:
    """Let chance decide a game: mostly something allowed, now and then giving up what was begun."""
    chance = random.Random(seed)
    for _ in range(decisions):
        prompt = game.prompt
        if prompt is None:
            return
        answers = [candidate.answer for candidate in prompt.allowed]
        done = prompt.complete()
        if isinstance(done, de.Answer):
            answers += [done] * (1 + len(answers) // 4)
        if chance.random() < 0.08:
            answers = [de.GiveUp()]
        try:
            game.decide(prompt.seat, chance.choice(answers or [de.GiveUp()]))
        except (DecisionError, Refused):
            continue


@pytest.fixture(scope="module", params=["worked", "wandering"])
def any_game(request: pytest.FixtureRequest) -> list[Game]:
    """Every kind of game that we have: the worked ones, and some that wandered."""
    if request.param == "worked":
        from cascade_es.scenarios.runner import run_file

        folder = request.config.rootpath / "fixtures" / "games"
        return [run_file(path)[0] for path in sorted(folder.glob("*.yaml"))]
    begin: Callable[..., Game] = request.getfixturevalue("begin")
    games = []
    for seed in range(5):
        games.append(begin())
        wander(games[-1], seed, 150)
    return games


def states(game: Game) -> list[State]:
    return [game.at(seq) for seq in range(len(game) + 1)]


def faults(state: State) -> list[str]:
    """What is wrong about where the objects of a state are."""
    seats = range(len(state.game.players))
    own = ("library", "hand", "graveyard")
    places = [(zone, seat, state.zone(zone, seat)) for zone in own for seat in seats]
    places += [(zone, -1, state.zone(zone)) for zone in ("battlefield", "stack", "exile", "command")]
    listed = Counter(handle for _, _, ids in places for handle in ids)
    wrong = [f"object {handle} is listed {times} times" for handle, times in listed.items() if times != 1]
    wrong += [f"object {handle} is nowhere" for handle in state.game.objects if handle not in listed]
    for zone, seat, ids in places:
        for handle in ids:
            obj = state.game.objects.get(handle)
            if obj is None:
                wrong.append(f"no object {handle} in {zone}")
            elif (obj.id, obj.zone) != (handle, zone) or (seat >= 0 and obj.owner != seat):
                wrong.append(f"object {handle} in {zone} of {seat} thinks otherwise: {obj}")
    return wrong


# --------------------------------------------------------------------------------------- replay


@pytest.mark.cites("191")
def test_replay_gives_the_game_again(any_game: list[Game], fold: Fold) -> None:
    """Folding the events from nothing gives at every step the state that the game had, ledger included."""
    for game in any_game:
        assert states(game) == fold(step.event for step in game)


@pytest.mark.cites("R111")
def test_replaying_twice_is_the_same(recorded: Game, fold: Fold) -> None:
    """A second replay in the same process, and one from the middle, end in the same states."""
    events = [step.event for step in recorded]
    first = fold(iter(events))
    assert first == fold(iter(events))
    for middle in range(0, len(events), 7):
        past = first[: middle + 1]
        for event in events[middle:]:
            past.append(evolve(past[-1], event, past.__getitem__))
        assert first == past


def test_evolve_leaves_the_past_alone(recorded: Game) -> None:
    """A step never changes the state that it begins from, so every earlier state can be kept."""
    kept = [(state, msgspec.msgpack.encode(repr(state))) for state in states(recorded)]
    for step in recorded:
        evolve(recorded.at(step.seq - 1), step.event, recorded.at)
    assert [] == [
        seq for seq, (state, shown) in enumerate(kept) if shown != msgspec.msgpack.encode(repr(state))
    ]


# ---------------------------------------------------------------------------------- invariants


@pytest.mark.cites("R097")
def test_every_object_is_in_exactly_one_place(any_game: list[Game]) -> None:
    """At every step each object is listed once, in the zone that it names, under its owner."""
    for game in any_game:
        assert [] == [(seq, wrong) for seq, state in enumerate(states(game)) for wrong in faults(state)]


@pytest.mark.cites("R097")
def test_nobody_gains_or_loses_cards(any_game: list[Game]) -> None:
    """The number of cards that each player owns is the same at every step after the set-up."""
    for game in any_game:
        begun = game.units[0]
        counts = {
            tuple(
                sum(1 for obj in state.game.objects.values() if obj.kind == "card" and obj.owner == seat)
                for seat in (0, 1)
            )
            for state in states(game)[len(begun.events) :]
        }
        assert 1 == len(counts)


@pytest.mark.cites("R099")
def test_no_id_is_ever_given_twice(any_game: list[Game]) -> None:
    """A new object, trigger or unit of mana has an id that nothing in the log ever had, undone or not."""
    for game in any_game:
        used: dict[int, int] = {}
        for step in game:
            before = game.at(step.seq - 1)
            if step.event.kind == "action-reversed":
                # What comes back has the ids that it had; they are no new ones.
                assert set() == set(step.state.game.objects) - set(used)
                continue
            fresh = set(step.state.game.objects) - set(before.game.objects)
            fresh |= {item.id for item in step.state.game.pending} - {item.id for item in before.game.pending}
            if isinstance(step.event, ev.ManaAdded):
                fresh |= {unit.id for unit in step.event.units}
            assert {} == {handle: used[handle] for handle in fresh if handle in used}
            assert [] == [handle for handle in fresh if handle < before.ledger.next_id]
            used |= dict.fromkeys(fresh, step.seq)


def test_the_ledger_only_grows(any_game: list[Game]) -> None:
    """Numbers of the ledger never fall, no group that seats know of is forgotten, seq counts events."""
    for game in any_game:
        for seq, (before, after) in enumerate(pairwise(state.ledger for state in states(game)), start=1):
            assert seq == after.seq
            assert before.next_id <= after.next_id
            assert before.next_stamp <= after.next_stamp
            assert before.draws <= after.draws
            assert before.groups == after.groups[: len(before.groups)]
            assert before.edition in ("", after.edition)


def test_timestamps_are_given_once(any_game: list[Game]) -> None:
    """No two objects of a state have the same timestamp, and none is from the future."""
    for game in any_game:
        for state in states(game):
            stamps = [obj.stamp for obj in state.game.objects.values()]
            assert len(stamps) == len(set(stamps))
            assert [] == [stamp for stamp in stamps if stamp >= state.ledger.next_stamp]


def test_frames_stand_in_states_of_their_tables(any_game: list[Game]) -> None:
    """Every frame names a machine, a state of it, and a mark and an event that lie in the past."""
    for game in any_game:
        for state in states(game):
            assert "turn" == state.game.frames[0].machine
            for frame in state.game.frames:
                assert frame.state in TABLES[frame.machine].states
                assert 0 <= frame.mark <= state.ledger.seq
                assert 0 <= frame.event <= state.ledger.seq


def test_frames_are_pushed_and_popped_in_pairs(any_game: list[Game]) -> None:
    """One event begins or ends at most one procedure, but for reversals and the end of a game."""
    for game in any_game:
        for step in game:
            before, after = game.at(step.seq - 1).game.frames, step.state.game.frames
            if step.event.kind not in ("action-reversed", "game-ended"):
                assert abs(len(after) - len(before)) <= 1


def test_structures_are_shared(recorded: Game) -> None:
    """A step that moves nothing keeps the very objects of the state before it."""
    for step in recorded:
        if isinstance(step.event, ev.PriorityPassed | ev.PriorityGiven | ev.Commented):
            assert recorded.at(step.seq - 1).game.objects is step.state.game.objects


# ---------------------------------------------------------------------------------- refusals


def test_an_event_out_of_turn_is_not_accepted(recorded: Game) -> None:
    """At every step, every procedure event that the running machine does not know leaves no trace."""
    blank: dict[type[Any], Any] = {str: "", int: 0, bool: False}
    refused = 0
    for step in recorded:
        state = recorded.at(step.seq - 1)
        if state.ledger.sealed or step.event.kind == "sealed":
            continue
        rows = TABLES[state.frame.machine].rows
        known = {row.event for row in rows if state.frame.state in row.sources} | {"game-ended"}
        shown = repr(state)
        for kind, cls in KINDS.items():
            if cls.procedure and kind not in known:
                fields = msgspec.structs.fields(cls)
                event = cls(*(blank.get(field.type, ()) for field in fields if field.required))
                with pytest.raises(NotAccepted) as caught:
                    evolve(state, event, recorded.at)
                assert kind == caught.value.event
                refused += 1
        assert shown == repr(state)
    assert refused > 100


def test_nothing_happens_after_the_seal(recorded: Game) -> None:
    """A sealed state accepts no event at all, not even a comment."""
    with pytest.raises(ValueError, match="after the end of the record"):
        evolve(recorded.state, ev.Commented("table", 0, False, 0), recorded.at)


def placed(game: Game) -> tuple[State, int]:
    """A state with a card, and its handle."""
    handle = game.state.player(0).hand[0]
    return game.state, handle


def absent(handle: int) -> list[Event]:
    """Events about things that are not there."""
    head: tuple[str, int, bool] = ("table", 0, True)
    return [
        ev.Tapped(*head, (handle,)),
        ev.Drawn(*head, 0, handle, 2000, NOTHING),
        ev.LifeChanged(*head, 7, 1, 1),
        ev.CountersChanged(*head, handle, "charge", 1),
        ev.Moved(*head, handle, 2000, "graveyard", 0, NOTHING, "put"),
        ev.Exile(*head, handle, 2000, NOTHING),
        ev.Shown(*head, 1, (handle,), (NOTHING,)),
        ev.DamageDealt(*head, handle, handle, -1, 1),
    ]


@pytest.mark.parametrize("event", absent(1000), ids=lambda event: event.kind)
def test_an_event_about_what_is_not_there_is_an_error(event: Event, begin: Callable[..., Game]) -> None:
    """Facts about unknown objects or seats raise, and so show a log as damaged."""
    state = begin().state
    with pytest.raises((KeyError, IndexError, ValueError)):
        evolve(state, event, lambda seq: INITIAL)


def test_a_shown_card_must_be_the_card(begin: Callable[..., Game]) -> None:
    """What is shown of a hidden object must carry that object's own commitment."""
    state, handle = placed(begin())
    other = Fact(1, 99, 3, bytes(32), state.object(handle).card.value)
    with pytest.raises(ValueError, match="not its card"):
        evolve(state, ev.Shown("reveal", 0, True, 3, (handle,), (other,)), lambda seq: INITIAL)


def test_an_id_in_use_is_not_given_again(begin: Callable[..., Game]) -> None:
    """An object cannot appear under the id of one that is there."""
    state, handle = placed(begin())
    top = state.player(0).library[0]
    with pytest.raises(ValueError, match="was used before"):
        evolve(state, ev.Drawn("draw", 0, True, 0, top, handle, NOTHING), lambda seq: INITIAL)


def test_mana_that_is_not_there_cannot_be_spent(begin: Callable[..., Game]) -> None:
    """Spending a unit of mana that the pool does not hold is an error."""
    game = begin()
    bear = next(h for h in game.state.game.battlefield if game.board.name(h) == "Mountain")
    game.decide(0, de.ActivateAbility(bear))
    (unit,) = game.state.player(0).pool
    game.decide(0, de.Cast(game.state.player(0).hand[2]))
    game.decide(0, de.Targets((Target(0, seat=1),)))
    other = msgspec.structs.replace(unit, id=unit.id + 1000)
    with pytest.raises(ValueError, match="not in the pool"):
        evolve(game.state, ev.PayCost("cast.pay", 0, True, 0, -1, "mana", (other,)), game.at)


def test_a_negative_seat_is_nobody(begin: Callable[..., Game]) -> None:
    """A fact about seat -1 raises; it must not change another player or the number of players."""
    with pytest.raises((KeyError, IndexError, ValueError)):
        evolve(begin().state, ev.LifeChanged("life", 0, True, -1, 1, 1), lambda seq: INITIAL)


def test_an_unknown_zone_is_an_error(begin: Callable[..., Game]) -> None:
    """Moving something to a zone that does not exist raises one of the documented errors."""
    state, handle = placed(begin())
    card = state.object(handle).card
    with pytest.raises((KeyError, IndexError, ValueError)):
        evolve(state, ev.Moved("table", 0, True, handle, 2000, "limbo", 0, card, "put"), lambda seq: INITIAL)


def test_only_zones_are_zones(begin: Callable[..., Game]) -> None:
    """Other fields of a game are no zones, whatever a log says."""
    state, handle = placed(begin())
    card = state.object(handle).card
    with pytest.raises((KeyError, IndexError, ValueError)):
        evolve(
            state, ev.Moved("table", 0, True, handle, 2000, "pending", 0, card, "put"), lambda seq: INITIAL
        )


def test_an_old_id_is_not_given_again(begin: Callable[..., Game]) -> None:
    """An object cannot appear under an id below the ledger's next one: ids are never used twice in a log."""
    game = begin()
    top = game.state.player(0).library[0]
    game.decide(de.RECORDER, de.Table("draw", seat=0, amount=1))
    second = game.state.player(0).library[0]
    with pytest.raises((KeyError, IndexError, ValueError)):
        evolve(game.state, ev.Drawn("draw", 0, True, 0, second, top, NOTHING), game.at)


def test_adding_no_mana_adds_none(begin: Callable[..., Game]) -> None:
    """A mana-added event without units changes nothing but the count of events."""
    state = begin().state
    after = evolve(state, ev.ManaAdded("mana-ability.resolve", 0, True, 0, ()), lambda seq: INITIAL)
    assert state.game == after.game


def test_a_comment_changes_nothing_but_the_count(begin: Callable[..., Game]) -> None:
    """Comments, rulings and triggers of nobody are on record without touching the game."""
    state = begin().state
    for event in (ev.Commented("table", 0, False, 0), ev.RulingMade("table", 0, False)):
        after = evolve(state, event, lambda seq: INITIAL)
        assert state.game is after.game
        assert state.ledger.seq + 1 == after.ledger.seq


def test_counters_are_kept_sorted_and_positive(begin: Callable[..., Game]) -> None:
    """Counters of one kind add up, none stay at zero, and they are in a fixed order."""
    game = begin()
    bear = game.state.game.battlefield[0]
    state = game.state
    for kind, amount in (("lore", 2), ("+1/+1", 1), ("lore", -2), ("age", 1)):
        state = evolve(
            state, ev.CountersChanged("resolve.follow", 0, True, bear, kind, amount), lambda seq: INITIAL
        )
    assert (("+1/+1", 1), ("age", 1)) == state.object(bear).counters


def test_a_waiting_trigger_is_stacked_once(begin: Callable[..., Game]) -> None:
    """A trigger can go on the stack only while it waits."""
    game = begin()
    pinger = next(h for h in game.state.game.battlefield if game.board.name(h) == "Watcher")
    waiting = ev.Trigger("trigger.occurs", 0, True, 900, pinger, AbilityRef(NOTHING, 0, 0, "cascade"), 0)
    state = evolve(game.state, waiting, game.at)
    assert (900, 901) == (state.game.pending[-1].id, state.ledger.next_id)
    with pytest.raises(NotAccepted):
        evolve(state, ev.TriggerStacked("trigger.stack", 0, True, 900, 901), game.at)
