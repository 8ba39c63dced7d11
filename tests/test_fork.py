"""Forks: a game goes on from any moment of another, in a log of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cascade_es import Game, Replay, decisions, project, verify
from cascade_es.errors import InputError
from cascade_es.fork import Alike, compare_with_parent
from cascade_es.log import Unit, parse_log, read_frames
from cascade_es.scenarios import runner
from cascade_es.stores import FileStore, MemoryStore
from cascade_es.values.facts import Fact, Opening
from cascade_es.verify import verify_bytes

ROOT = Path(__file__).resolve().parents[1]
BLAST = ROOT / "fixtures" / "games" / "bituminous-blast.yaml"
SHOWN = ROOT / "fixtures" / "cases" / "reversal" / "turn-history-is-kept.yaml"

FROM_HAND = ("announce", "land-played", "moved", "exile")


def ends(game: Game | Replay) -> list[int]:
    """The last event of every decision after which the game is set up and its record open."""
    found = []
    seq = 0
    for unit in game.units:
        seq += len(unit.events)
        if game.at(seq).game.players and not game.at(seq).ledger.sealed:
            found.append(seq)
    return found


@pytest.fixture(scope="module")
def blast() -> Game:
    """The worked game."""
    return runner.run_file(BLAST)[0]


def test_a_fork_verifies_by_itself_and_against_its_parent(recorded: Game) -> None:
    """At every decision a game can be forked; the fork is exact, and tells everybody the same past."""
    parent = parse_log(recorded.log_bytes)
    for seq in ends(recorded):
        fork = recorded.fork(seq, seed="what if")
        verdict = verify_bytes(fork.log_bytes)
        assert verdict.word == "exact"
        assert verdict.events == seq
        assert "forks log" in verdict.detail
        assert fork.ctx.number("cast") == recorded.ctx.number("cast")
        assert compare_with_parent(parse_log(fork.log_bytes), parent).word == "same"


def test_views_of_a_fork(blast: Game) -> None:
    """Every view of a fork verifies, and fits every view of its parent."""
    fork = blast.fork(59, seed="what if")
    for viewer in (None, 0, 1):
        view = project(fork.log_bytes, viewer)
        assert verify_bytes(view).word == "consistent"
        for other in (None, 0, 1):
            parent = parse_log(project(blast.log_bytes, other))
            assert compare_with_parent(parse_log(view), parent).word == "same"


def test_shown_cards_keep_their_place() -> None:
    """A card that was shown in a hand has another id in a fork, and is the same card to everybody."""
    game, _ = runner.run_file(SHOWN)
    fork = game.fork(ends(game)[-1], seed="x")
    assert verify_bytes(fork.log_bytes).word == "exact"
    ids = [{step.event.objects for step in each if step.event.kind == "shown"} for each in (game, fork)]  # type: ignore[attr-defined]
    assert ids[0] != ids[1]


def test_a_fork_has_its_own_id_and_key(blast: Game) -> None:
    """No salt of a fork opens anything of its parent; what follows from chance is the parent's."""
    one, two = blast.fork(59), blast.fork(59)
    secrets = [game.ctx.secrets for game in (blast, one, two)]
    assert len({each.log_id for each in secrets}) == len({each.key for each in secrets}) == 3
    assert len({each.seed for each in secrets}) == 1
    assert len({each.salt(0, 0) for each in secrets}) == 3
    parent = Game.new({"alice": {}, "bob": {}}, cards=[], seed="mine", step="upkeep")
    with pytest.raises(InputError, match="another seed than its parent's"):
        parent.fork(len(parent), seed="mine")


def test_a_fork_can_be_played_on(blast: Game, tmp_path: Path) -> None:
    """What goes on in a fork is recorded there; the parent stays as it was, and forks can be forked."""
    before = blast.log_bytes
    path = str(tmp_path / "other.ces")
    with blast.fork(9, log=path, seed="other") as fork:
        fork.decide(0, decisions.Pass())
        fork.decide(decisions.RECORDER, decisions.Comment("what if nothing is cast?"))
    assert blast.log_bytes == before
    verdict = verify(path)
    assert (verdict.word, verdict.events > 9) == ("exact", True)
    again = Replay.open(path).fork(9, seed="again")
    assert compare_with_parent(parse_log(again.log_bytes), parse_log(Path(path).read_bytes())).word == "same"


def test_a_fork_replaces_nothing(blast: Game, tmp_path: Path) -> None:
    """A file that exists is left alone; in a store the very same fork is there once."""
    path = tmp_path / "there"
    path.write_bytes(b"mine")
    with pytest.raises(InputError, match="exists already"):
        blast.fork(9, log=str(path))
    assert path.read_bytes() == b"mine"
    store = MemoryStore()
    first = blast.fork(9, store=store, seed="s")
    assert blast.fork(9, store=store, seed="s").hashes == first.hashes
    first.decide(0, decisions.Pass())
    with pytest.raises(InputError, match="has gone on; choose another seed"):
        blast.fork(9, store=store, seed="s")
    folder = tmp_path / "games"
    folder.mkdir()
    blast.fork(9, log=str(folder)).close()
    blast.fork(9, log=str(folder)).close()
    assert len(FileStore(folder).games()) == 2
    with pytest.raises(InputError, match="gone at once"):
        blast.fork(9, log="memory:")


@pytest.mark.parametrize(
    ("seq", "text"),
    [
        (-1, "there is no event -1; events run from 0 to 97"),
        (98, "there is no event 98"),
        (0, "event 0 is inside decision 1, events 1 to 9; a decision is whole or not at all: say 9"),
        (60, "event 60 is inside decision 12, events 60 to 71; .*: say 71 or 59"),
        (97, "event 97 seals the record, and nothing follows it; say 96"),
    ],
)
def test_where_nothing_can_go_on(blast: Game, seq: int, text: str) -> None:
    """A fork begins where a decision ends; any other event is answered with the nearest ones that do."""
    with pytest.raises(InputError, match=text):
        blast.fork(seq)


def test_a_view_cannot_be_forked(blast: Game) -> None:
    """Only who knows all can go on: a view lacks the recorder's secrets."""
    for viewer in (None, 0, 1):
        with pytest.raises(InputError, match="only a full copy can be forked"):
            Replay.of(project(blast.log_bytes, viewer)).fork(59)


def test_another_past_is_found(blast: Game) -> None:
    """A log that names a parent and tells the past otherwise, in whatever public field, is no fork of it.

    Only which of the cards of a hand had which id cannot be compared, for it was hidden.
    """
    fork = blast.fork(96, seed="what if")
    changed = 0
    for number, unit in enumerate(fork.units):
        for index, event in enumerate(unit.events):
            for name in event.__struct_fields__:
                value = getattr(event, name)
                if type(value) not in (int, bool, str) or (name == "old" and event.kind in FROM_HAND):
                    continue
                other: Any = (
                    not value if type(value) is bool else value + 1 if type(value) is int else f"{value}x"
                )
                events = list(unit.events)
                events[index] = msgspec.structs.replace(event, **{name: other})
                told = Unit(unit.decision, tuple(events), unit.time)
                alike = Alike()
                units = [*fork.units[:number], told, *fork.units[number + 1 :]]
                assert not all(alike.units(one, two) for one, two in zip(units, blast.units, strict=False))
                changed += 1
    assert changed > 100


def test_facts_are_sealed_anew(blast: Game) -> None:
    """No commitment and no opening of the past stands in the fork too, only what is public does."""

    def marks(game: Game) -> tuple[set[bytes], set[bytes]]:
        log = parse_log(game.log_bytes)
        openings: list[Opening] = [each for beside in log.openings.values() for each in beside.facts]
        cards: list[Fact] = [obj.card for obj in game.at(96).game.objects.values()]
        return {each.salt for each in openings}, {card.commitment for card in cards if card.sealed}

    for mine, theirs in zip(marks(blast), marks(blast.fork(96, seed="x")), strict=True):
        assert mine
        assert theirs
        assert not mine & theirs


@pytest.mark.slow
def test_every_scenario_can_be_forked(corpus: dict[str, bytes]) -> None:
    """Every game of the fixtures can be forked where it ended, with the past that everybody saw."""
    for name, content in corpus.items():
        game = Replay.of(content, name)
        fork = game.fork(ends(game)[-1], seed="what if").log_bytes
        assert verify_bytes(fork).word == "exact", name
        for viewer in (None, 0):
            other = parse_log(project(content, viewer))
            assert compare_with_parent(parse_log(project(fork, viewer)), other).word == "same", name


def test_nothing_goes_on_before_the_set_up() -> None:
    """What players contribute comes before the game; a fork of it names the first event that will do."""
    game = Game.new(
        {"ann": {}, "ben": {}}, cards=[], seed="q", contributions={"ann": b"1", "ben": b"2"}, step="upkeep"
    )
    for seq in (0, 1, 2):
        with pytest.raises(InputError, match=f"not set up yet after event {seq}; say {len(game)} or a later"):
            game.fork(seq)
    fork = game.fork(len(game))
    assert fork.state.ledger.contributions == game.state.ledger.contributions
    frames = list(read_frames(game.log_bytes))
    for number in (1, 2):
        early = Replay.of(game.log_bytes[: frames[number].offset])
        with pytest.raises(InputError, match="no game is set up in this log yet"):
            early.fork(number - 1)
