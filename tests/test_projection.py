"""Views are right: a projected log replays to the projected states, and holds what its viewer was shown."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from immutables import Map

from cascade_es import Game, InputError, Replay, decisions, project, project_state
from cascade_es.log import MAGIC, Encoder, Openings, pack_frame, parse_log, read_frames, strip_openings
from cascade_es.projection import Findings, audit, facts_in
from cascade_es.scenarios import runner
from cascade_es.values.decisions import RECORDER
from cascade_es.values.facts import PUBLIC, CardRef, Fact, sees
from cascade_es.verify import verify_bytes

ROOT = Path(__file__).resolve().parents[1]
CASES = sorted((ROOT / "fixtures" / "cases").rglob("*.yaml"))
SAMPLE = CASES[::6]


def viewers(game: Game) -> tuple[int | None, ...]:
    """The public, and every seat."""
    return (None, *range(len(game.names)))


def told(value: Any) -> Any:
    """A value with all that two equal facts could still differ in: audiences, and who knows the value."""
    if isinstance(value, Fact):
        return (value.frame, value.ordinal, value.audience, value.commitment, told(value.value))
    if isinstance(value, tuple):
        return tuple(told(item) for item in value)
    if isinstance(value, Map):
        return {key: told(item) for key, item in value.items()}
    if isinstance(value, msgspec.Struct):
        return (type(value).__name__, *(told(getattr(value, name)) for name in value.__struct_fields__))
    return value


def differing_steps(game: Game, viewer: int | None, every: int) -> list[int]:
    """The steps at which replaying the view is not projecting the state."""
    view = Replay.of(project(game.log_bytes, viewer))
    return [
        seq
        for seq in range(0, len(game) + 1, every)
        if told(project_state(game.at(seq), viewer)) != told(view.at(seq))
    ]


def test_projecting_is_replaying_the_view(recorded: Game) -> None:
    """For every viewer and step of the worked games, the view replays to the projection of the state."""
    for viewer in viewers(recorded):
        assert [] == differing_steps(recorded, viewer, 1)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_projecting_is_replaying_the_view_in_the_cases(path: Path) -> None:
    """The same holds for scenarios of every sort, at every second step."""
    game, _ = runner.run_file(path)
    for viewer in viewers(game):
        assert [] == differing_steps(game, viewer, 2)


@pytest.mark.cites("196")
def test_views_keep_the_chain_and_verify(recorded: Game) -> None:
    """Each view has the payloads and the head of the full log, and is found consistent, with its viewer."""
    whole = parse_log(recorded.log_bytes)
    for viewer, name in zip(viewers(recorded), ("the public", *recorded.names), strict=True):
        content = project(recorded.log_bytes, viewer)
        view = parse_log(content)
        assert view.head == whole.head
        assert [frame.payload for frame in view.frames] == [frame.payload for frame in whole.frames]
        verdict = verify_bytes(content)
        assert ("consistent", name, 0, 0) == (verdict.word, verdict.viewer, verdict.missing, verdict.unshown)
        assert verdict.good
        assert 0 < verdict.hidden
        assert content == project(content, viewer)


@pytest.mark.cites("196")
def test_a_view_opens_what_its_viewer_was_shown_and_no_more(recorded: Game) -> None:
    """An opening stands in the first frame in which its fact has an audience with the viewer in it."""
    whole = parse_log(recorded.log_bytes)
    records = [whole.header, *(unit for _, unit in whole.units)]
    for viewer in viewers(recorded):
        seat = PUBLIC if viewer is None else viewer
        first: dict[tuple[int, int], int] = {}
        for number, record in enumerate(records):
            for fact in facts_in(record):
                if fact.sealed and sees(fact.audience, seat):
                    first.setdefault((fact.frame, fact.ordinal), number)
        view = parse_log(project(recorded.log_bytes, viewer))
        found = {
            (opening.frame, opening.ordinal): number
            for number, openings in view.openings.items()
            for opening in openings.facts
        }
        assert first == found


def refs(value: Any) -> Iterator[CardRef]:
    """Every card in a value."""
    if isinstance(value, CardRef):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from refs(item)


def test_a_definition_comes_with_the_first_fact_that_names_it(recorded: Game) -> None:
    """A view holds the definitions of the cards it names, none of others, and none before its time."""
    for viewer in viewers(recorded):
        view = parse_log(project(recorded.log_bytes, viewer))
        first: dict[bytes, int] = {}
        for number, record in enumerate([view.header, *(unit for _, unit in view.units)]):
            for fact in facts_in(record):
                for ref in refs(fact.value):
                    first.setdefault(ref.digest, number)
        found = {
            digest: number for number, openings in view.openings.items() for digest, _ in openings.definitions
        }
        assert first == found
        assert set(found) == set(view.definitions)


def test_the_header_opens_names_to_seats_and_a_list_to_its_own(begin: Callable[..., Game]) -> None:
    """Players see all names and their own deck; the public sees neither, and nobody the secrets."""
    game = begin()
    for viewer in viewers(game):
        header = parse_log(project(game.log_bytes, viewer)).header
        assert [viewer is not None] * 2 == [seat.name.known for seat in header.seats]
        assert [viewer == 0, viewer == 1] == [seat.deck.known for seat in header.seats]
        assert not header.seed.known
        assert not header.key.known
    assert ("player 1", "player 2") == Replay.of(project(game.log_bytes, None)).names


def test_a_seat_must_be_there(begin: Callable[..., Game]) -> None:
    """A view of nobody is refused, and so is one that this copy cannot give."""
    content = begin().log_bytes
    for seat in (-1, 2):
        with pytest.raises(InputError, match=f"no seat {seat}"):
            project(content, seat)
    with pytest.raises(InputError, match="which the viewer was shown; use a full copy"):
        project(project(content, 0), 1)
    assert project(content, None) == project(project(content, 0), None)


@pytest.mark.parametrize("seed", [3, 4])
def test_random_games_have_right_views(seed: int) -> None:
    """Whatever random players do, replaying a view is projecting the state, and the view verifies."""
    from test_simulation import Bot, decks, pool

    rng = random.Random(seed)
    cards = pool()
    seats = 2 if seed % 4 else 3
    game = Game.new(decks(rng, cards, seats), cards=cards, seed=f"views {seed}", shuffle=True, hands=5)
    bot = Bot(game, rng)
    for _ in range(120):
        if game.over:
            break
        bot.act()
    game.seal()
    for viewer in viewers(game):
        assert [] == differing_steps(game, viewer, 17)
        assert "consistent" == verify_bytes(project(game.log_bytes, viewer)).word


# ------------------------------------------------------------------------------- wrong views


def with_openings(view: bytes, change: Callable[[int, Openings], Openings]) -> bytes:
    """The view with other openings beside its payloads."""
    log = parse_log(view)
    encoder = Encoder()
    frames = [
        pack_frame(
            frame.previous,
            frame.payload,
            encoder.openings(change(frame.number, log.openings.get(frame.number, Openings()))),
        )
        for frame in read_frames(view)
    ]
    return b"".join((MAGIC, *frames))


def test_a_missing_opening_is_reported(recorded: Game) -> None:
    """A view that lacks what its viewer was shown is not consistent, and the frame is named."""
    view = project(recorded.log_bytes, 0)
    frame = next(number for number, beside in parse_log(view).openings.items() if number and beside.facts)
    cut = with_openings(view, lambda n, o: msgspec.structs.replace(o, facts=o.facts[1:]) if n == frame else o)
    verdict = verify_bytes(cut)
    assert ("damaged", frame, 1) == (verdict.word, verdict.frame, verdict.missing)
    assert "is missing" in verdict.detail
    assert not verdict.good


def test_an_opening_too_many_or_too_early_is_reported(recorded: Game) -> None:
    """A view that holds what its viewer was never shown, or shown later, is not consistent."""
    whole = parse_log(recorded.log_bytes)
    secret = whole.openings[0].facts[-1]
    view = project(recorded.log_bytes, 1)
    more = with_openings(
        view, lambda n, o: msgspec.structs.replace(o, facts=(*o.facts, secret)) if n == 1 else o
    )
    verdict = verify_bytes(more)
    assert ("damaged", 1, 1) == (verdict.word, verdict.frame, verdict.unshown)
    assert "was not shown" in verdict.detail
    digest, content = next(iter(whole.openings[0].definitions))
    if digest not in parse_log(view).definitions:
        extra = with_openings(
            view,
            lambda n, o: msgspec.structs.replace(o, definitions=((digest, content),)) if n == 1 else o,
        )
        assert 1 == verify_bytes(extra).unshown


def test_a_wrong_opening_is_damage(recorded: Game) -> None:
    """An opening that does not fit its commitment is damage in any copy."""
    view = project(recorded.log_bytes, 0)

    def lie(number: int, beside: Openings) -> Openings:
        if number or not beside.facts:
            return beside
        first = msgspec.structs.replace(beside.facts[0], content=b"\xa3Eve")
        return msgspec.structs.replace(beside, facts=(first, *beside.facts[1:]))

    verdict = verify_bytes(with_openings(view, lie))
    assert "damaged" == verdict.word
    assert "does not fit the commitment" in verdict.detail


def test_what_a_view_must_not_know_yet_is_not_read(recorded: Game) -> None:
    """An opening that is there too early opens nothing: its fact has its value where it was shown."""
    whole = parse_log(recorded.log_bytes)
    everything = tuple(opening for beside in whole.openings.values() for opening in beside.facts)
    bare = strip_openings(recorded.log_bytes)

    def all_in(number: int, beside: Openings) -> Openings:
        mine = tuple(opening for opening in everything if opening.frame == number)
        return Openings(mine, beside.definitions, 1 if number == 0 else None)

    crammed = Replay.of(with_openings(bare, all_in))
    for seq in range(len(recorded) + 1):
        assert told(project_state(recorded.at(seq), 1)) == told(crammed.at(seq))
    assert audit(crammed.log).unshown


def test_whose_view_it_is_stands_beside_the_header_only(recorded: Game) -> None:
    """A viewer named beside another frame, or one who is not there, is damage."""
    view = project(recorded.log_bytes, 0)
    wrong = (
        (1, lambda n, o: msgspec.structs.replace(o, view=0)),
        (0, lambda n, o: msgspec.structs.replace(o, view=2) if n == 0 else o),
        (0, lambda n, o: msgspec.structs.replace(o, view=-2) if n == 0 else o),
    )
    for frame, change in wrong:
        verdict = verify_bytes(with_openings(view, change))
        assert ("damaged", "opening", frame) == (verdict.word, verdict.kind, verdict.frame)


def test_erased_words_are_not_missing(begin: Callable[..., Game]) -> None:
    """Names, comments and rulings can be erased from a view; it is still consistent."""
    game = begin()
    game.decide(0, decisions.Comment("hello"))
    game.decide(RECORDER, decisions.Ruling("carry on"))
    game.seal()
    view = project(game.log_bytes, 1)
    assert b"hello" in view
    assert b"hello" not in project(game.log_bytes, None)

    def erase(number: int, beside: Openings) -> Openings:
        keep = tuple(
            o for o in beside.facts if not any(w in o.content for w in (b"alice", b"hello", b"carry"))
        )
        return msgspec.structs.replace(beside, facts=keep)

    erased = with_openings(view, erase)
    assert b"hello" not in erased
    assert Findings() == audit(parse_log(erased))
    assert ("consistent", "bob") == (verify_bytes(erased).word, verify_bytes(erased).viewer)
    assert erased == project(erased, 1)


def test_a_copy_without_openings_is_nobodys_view(recorded: Game) -> None:
    """A stripped log claims to be no view, so nothing is missing from it."""
    verdict = verify_bytes(strip_openings(recorded.log_bytes))
    assert ("consistent", "") == (verdict.word, verdict.viewer)
