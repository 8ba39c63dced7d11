"""A log works for somebody who knows nothing hidden: unopened facts go through every step."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from cascade_es import Game, Replay
from cascade_es.log import strip_openings
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.digest import digest
from cascade_es.values.events import Event
from cascade_es.values.facts import EVERYONE, CardRef, Fact
from cascade_es.values.state import State

Fold = Callable[[Iterator[Event]], list[State]]
Unopened = Callable[[Event], Event]


def facts_in(value: Any) -> Iterator[Fact]:
    """Every fact in a record."""
    if isinstance(value, Fact):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from facts_in(item)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from facts_in(getattr(value, name))


def all_but_facts(value: Any) -> Iterator[Any]:
    """Everything in a record that is not within a sealed fact: what anybody can read."""
    if isinstance(value, Fact):
        if not value.sealed:
            yield from all_but_facts(value.value)
    elif isinstance(value, CardRef):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from all_but_facts(item)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from all_but_facts(getattr(value, name))
    else:
        yield value


def test_stripping_leaves_no_value(recorded: Game, unopened: Unopened) -> None:
    """The helper of these tests really takes every sealed value away, and nothing else."""
    for step in recorded:
        bare = unopened(step.event)
        assert [] == [fact for fact in facts_in(bare) if fact.sealed and fact.known]
        assert step.event == bare
        assert type(step.event) is type(bare)


def test_replay_needs_no_openings(recorded: Game, fold: Fold, unopened: Unopened) -> None:
    """Without one opening the whole game replays to its end, through shuffles, searches and reversals."""
    bare = fold(unopened(step.event) for step in recorded)
    assert len(recorded) + 1 == len(bare)
    assert [] == [obj.id for obj in bare[-1].game.objects.values() if obj.card.sealed and obj.card.known]


def test_every_viewer_computes_the_same_digest(recorded: Game, fold: Fold, unopened: Unopened) -> None:
    """At every step the digest of somebody without openings is that of somebody with all of them."""
    bare = fold(unopened(step.event) for step in recorded)
    assert [digest(recorded.at(seq)) for seq in range(len(recorded) + 1)] == [digest(state) for state in bare]


def test_a_log_without_openings_replays_to_the_same_digests(recorded: Game) -> None:
    """What holds for events in memory holds for the bytes of a log whose openings were cut out."""
    bare = Replay.of(strip_openings(recorded.log_bytes))
    assert [recorded.digest(seq) for seq in range(len(recorded) + 1)] == [
        bare.digest(seq) for seq in range(len(bare) + 1)
    ]


def test_a_hidden_card_is_never_in_clear(recorded: Game) -> None:
    """While a card is in a library or a hand, its fact is sealed: the log holds no name of it."""
    for step in recorded:
        for player in step.state.game.players:
            for handle in (*player.library, *player.hand):
                assert step.state.object(handle).card.sealed


def test_unseen_cards_are_named_nowhere(begin: Callable[..., Game]) -> None:
    """Cards that nobody ever saw stand in no event in clear, whatever happens around them."""
    game = begin()
    secret = {game.state.object(handle).card.value for handle in game.state.player(1).hand}
    secret |= {game.state.object(handle).card.value for handle in game.state.player(1).library}
    shown = {game.state.object(handle).card.value for handle in game.state.game.battlefield}
    game.decide(de.RECORDER, de.Table("shuffle", seat=1))
    game.decide(de.RECORDER, de.Table("draw", seat=1, amount=2))
    seen = {item for step in game for item in all_but_facts(step.event)}
    assert set() == (secret - shown) & seen


def test_the_places_of_commitments_are_used_once(recorded: Game) -> None:
    """Every commitment of a log has its own place, and the same place never says two things."""
    places: dict[tuple[int, int], bytes] = {}
    for unit in recorded.units:
        for fact in facts_in((unit.decision, *unit.events)):
            if fact.sealed:
                assert fact.commitment == places.setdefault((fact.frame, fact.ordinal), fact.commitment)
    assert len(places) == len(set(places.values()))


def test_handles_of_a_random_bottom_tell_nothing(begin: Callable[..., Game]) -> None:
    """Cards put on the bottom in random order get fresh ids; which is which is sealed for everybody."""
    game = begin()
    chatter = next(h for h in game.state.player(0).hand if game.board.name(h) == "Chatter")
    cast(game, chatter)
    game.decide(0, de.Pass())
    game.decide(1, de.Pass())
    game.decide(0, de.Decline()) if game.prompt is not None and game.prompt.kind == "offer" else None
    (bottom,) = (step.event for step in game if isinstance(step.event, ev.RandomizeBottom))
    assert len(bottom.old) == len(bottom.cards) > 1
    assert min(bottom.old) < bottom.first
    assert [0] * (len(bottom.cards) + 1) == [fact.audience for fact in (*bottom.cards, bottom.origin)]
    assert (
        tuple(range(bottom.first, bottom.first + len(bottom.cards)))
        == game.state.player(0).library[-len(bottom.cards) :]
    )


def cast(game: Game, handle: int) -> None:
    """Cast a two-mana spell for mana of Mountains."""
    game.decide(0, de.Cast(handle))
    mountains = [h for h in game.state.game.battlefield if game.board.name(h) == "Mountain"]
    for mountain in mountains[:2]:
        game.decide(0, de.ActivateAbility(mountain))
    game.decide(0, de.Pay(-1, tuple(unit.id for unit in game.state.player(0).pool)))
    while game.prompt is not None and game.prompt.kind == "order":
        order = game.prompt.complete()
        assert isinstance(order, de.Order)
        # The cascade ability goes on last, so that it resolves first.
        names = {item.id: item.ability.keyword for item in game.state.game.pending}
        game.decide(
            game.prompt.seat, de.Order(tuple(sorted(order.items, key=lambda i: names[i] == "cascade")))
        )


def test_a_shuffle_gives_fresh_ids_to_nobody(begin: Callable[..., Game]) -> None:
    """After a shuffle no id of the library is an old one, and no seat may know what any of them is."""
    game = begin()
    before = game.state.player(0).library
    game.decide(de.RECORDER, de.Table("shuffle", seat=0))
    after = game.state.player(0).library
    assert set() == set(before) & set(after)
    assert len(before) == len(after)
    assert {0} == {game.state.object(handle).card.audience for handle in after}
    old = sorted(game.at(len(game.units[0].events)).object(handle).card.value for handle in before)
    assert old == sorted(game.state.object(handle).card.value for handle in after)


def test_a_hand_is_known_to_its_player_alone(begin: Callable[..., Game]) -> None:
    """What is drawn is shown to its drawer and to nobody else."""
    game = begin()
    game.decide(de.RECORDER, de.Table("draw", seat=1, amount=1))
    drawn = game.state.player(1).hand[-1]
    assert 2 == game.state.object(drawn).card.audience
    assert 2 == game.state.ledger.knowledge[drawn]
    assert EVERYONE not in {game.state.object(handle).card.audience for handle in game.state.player(1).hand}


@pytest.mark.cites("160")
def test_an_attempt_shows_its_card_for_good(begin: Callable[..., Game]) -> None:
    """A spell that was on the stack and is back in its owner's hand is known to everybody from then on."""
    game = begin()
    spark = next(h for h in game.state.player(0).hand if game.board.name(h) == "Spark")
    game.decide(0, de.Cast(spark))
    game.decide(0, de.GiveUp())
    assert spark in game.state.player(0).hand
    assert EVERYONE == game.state.ledger.knowledge[spark]


def know(game: Game) -> dict[int, int]:
    """Which seats have seen each card of the hands."""
    knowledge = game.state.ledger.knowledge
    return {h: knowledge.get(h, 0) for player in game.state.game.players for h in player.hand}


@pytest.mark.cites("160")
def test_an_attempt_makes_nobody_forget(begin: Callable[..., Game]) -> None:
    """After a reversal every seat still knows each card of a hand that it knew before."""
    game = begin()
    before = know(game)
    spark = next(h for h in game.state.player(0).hand if game.board.name(h) == "Spark")
    game.decide(0, de.Cast(spark))
    game.decide(0, de.GiveUp())
    after = know(game)
    assert [] == [handle for handle, seats in before.items() if seats & ~after[handle]]


def test_nobody_ever_forgets(begin: Callable[..., Game]) -> None:
    """Knowledge only grows, through a cast and its reversal too: what was seen has been seen."""
    game = begin()
    spark = next(h for h in game.state.player(0).hand if game.board.name(h) == "Spark")
    game.decide(0, de.Cast(spark))
    game.decide(0, de.GiveUp())
    known: dict[int, int] = {}
    for step in game:
        knowledge = step.state.ledger.knowledge
        assert [] == [handle for handle, seats in known.items() if seats & ~knowledge.get(handle, 0)]
        known = dict(knowledge.items())
