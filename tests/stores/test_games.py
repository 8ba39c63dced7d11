"""Games in stores: the same bytes, states and verdicts wherever a game is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cascade_es import Game, InputError, Replay, decisions, load_card, verify
from cascade_es.log import Conflict, Unit, read_frames
from cascade_es.scenarios import runner
from cascade_es.stores import MemoryStore, Store, StoreLog, game_bytes, open_store, read_address

ROOT = Path(__file__).resolve().parents[2]
BLAST = ROOT / "fixtures" / "games" / "bituminous-blast.yaml"


def begun(address: str | None = None, *, seed: str = "a seed", store: Store | None = None) -> Game:
    """A small game with something to decide."""
    return Game.new(
        {"alice": {"hand": ["Forest", "Forest"]}, "bob": {}},
        cards=[load_card("Forest")],
        step="precombat main",
        seed=seed,
        log=address,
        store=store,
    )


def frames(address: str) -> list[bytes]:
    with open_store(address) as store:
        (game,) = store.games()
        return list(store.read(game))


@pytest.mark.parametrize("scenario", sorted(BLAST.parent.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_scenario_has_the_same_bytes_everywhere(scenario: Path, address: str) -> None:
    """A scenario gives the same frames and head in every store, and each is exact."""
    memory, _ = runner.run_file(scenario)

    game, result = runner.run_file(scenario, address)
    game.close()

    assert result.problem is None
    stored = frames(address)
    wanted = list(read_frames(memory.log_bytes))
    assert b"".join(stored) == memory.log_bytes[16:]
    assert len(stored) == len(wanted)
    verdict = verify(address)
    assert (verdict.word, verdict.good) == ("exact", True)
    assert verdict.head == wanted[-1].hash.hex()
    assert Replay.open(address).digest() == memory.digest()


def test_a_game_goes_on_where_it_was_left(address: str) -> None:
    """A game that is closed and resumed in any store has the bytes of one that was played in one go."""
    whole = begun()
    with begun(address) as game:
        for one in (whole, game):
            one.decide(0, decisions.PlayLand(one.state.player(0).hand[0]))
    with Game.resume(address) as later:
        assert later.state == whole.state
        for one in (whole, later):
            one.decide(0, decisions.Pass())
            one.seal()
    assert b"".join(frames(address)) == whole.log_bytes[16:]
    assert verify(address).word == "exact"
    with pytest.raises(InputError, match="sealed"):
        Game.resume(address)


@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_who_decides_second_is_told(address: str) -> None:
    """Of two who play on from the same place, one wins; the other's game is as it was, and can resume."""
    begun(address).close()
    with Game.resume(address) as one, Game.resume(address) as two:
        one.decide(0, decisions.PlayLand(one.state.player(0).hand[0]))
        before = two.state
        with pytest.raises(Conflict):
            two.decide(0, decisions.Pass())
        assert two.state == before
        assert len(two.units) == 1
    with Game.resume(address) as again:
        assert again.state == one.state
        again.decide(0, decisions.Pass())
    assert verify(address).word == "exact"


@pytest.mark.cites("R133")
@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_a_decision_made_again_after_a_lost_answer_counts_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame that was stored, though the writer saw an error, is stored once when it decides again."""
    with open_store(address, create=True) as store:
        game = begun(store=store)
        append = type(store).append

        def stored_but_broken(self: Store, *arguments: bytes) -> None:
            append(self, *arguments)  # type: ignore[arg-type]
            raise ConnectionResetError("the connection broke")

        with monkeypatch.context() as patch:
            patch.setattr(type(store), "append", stored_but_broken)
            with pytest.raises(ConnectionResetError):
                game.decide(0, decisions.Pass())
        assert len(game.units) == 1
        game.decide(0, decisions.Pass())
        assert len(game.units) == 2
        (name,) = store.games()
        assert game_bytes(store, name) == game.log_bytes
    assert len(frames(address)) == 3


@pytest.mark.cites("R133")
@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_the_same_unit_at_any_position_it_may_have_meant(address: str) -> None:
    """A unit tried again at its position gets its first head, and another unit there is a conflict."""
    with open_store(address, create=True) as store:
        game = begun(store=store)
        game.decide(0, decisions.Pass())
        (name,) = store.games()
        writer = StoreLog.go_on(store, name)
        first, second = (unit for _, unit in read_address(store=store).units)
        head = store.head(name)
        assert writer.append(second, expected=2) == head
        assert writer.append(first, expected=1).frames == 2
        with pytest.raises(Conflict):
            writer.append(first, expected=2)
        with pytest.raises(Conflict):
            writer.append(Unit(second.decision, second.events, 1), expected=2)
        assert store.head(name) == head


@pytest.mark.cites("R134")
@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_the_same_decisions_in_two_games(address: str) -> None:
    """The same unit is new in each game, and a repeat is recognised in both."""
    with open_store(address, create=True) as store:
        games = [begun(store=store, seed=seed) for seed in ("one", "two")]
        for game in games:
            game.decide(0, decisions.Pass())
        names = [game.ctx.secrets.log_id for game in games]
        assert games[0].units[-1] == games[1].units[-1]
        stored = [list(store.read(name)) for name in names]
        for name, (_, _, last) in zip(names, stored, strict=True):
            assert store.append(name, 2, last) == store.head(name)
        assert [list(store.read(name)) for name in names] == stored
        assert [verify(name.hex(), store=store).word for name in names] == ["exact", "exact"]


@pytest.mark.cites("R136")
@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_order_is_by_number_only(address: str) -> None:
    """A clock that steps back, and a big unit between small ones, change nothing in the order."""
    with open_store(address, create=True) as store:
        game = begun(store=store)
        other = begun(store=store, seed="between")
        times = (9_000_000_000_000, 5, None, 7_000_000_000_000)
        for time in times:
            seat = game.prompt.seat if game.prompt is not None else 0
            game.decide(seat, decisions.Pass(), time=time)
            game.decide(decisions.RECORDER, decisions.Ruling("so it is. " * (1_600 if time == 5 else 1)))
            other.decide(other.prompt.seat if other.prompt is not None else 0, decisions.Pass(), time=1)
        replay = Replay.open(game.ctx.secrets.log_id.hex(), store=store)
        assert tuple(unit.time for unit in replay.units[1::2]) == times
        assert replay.units == game.units
        assert replay.digest() == game.digest()
        sizes = [len(frame) for frame in store.read(game.ctx.secrets.log_id)]
        assert max(sizes) > 50 * min(sizes)


@pytest.mark.cites("R128")
@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_no_stored_byte_changes_unseen(address: str) -> None:
    """Whatever byte is changed in whatever row, the game is damaged, at that frame."""
    import sqlite3

    begun(address).seal()
    assert verify(address).good
    with sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None) as database:
        rows = database.execute("SELECT originator_version, state FROM cascade_es_frames").fetchall()
        change = "UPDATE cascade_es_frames SET state = ? WHERE originator_version = ?"
        for number, state in rows:
            for place in range(0, len(state), 7):
                changed = bytearray(state)
                changed[place] ^= 1
                database.execute(change, (bytes(changed), number))
                verdict = verify(address)
                assert (verdict.word, verdict.good) == ("damaged", False)
                assert verdict.frame == number
            database.execute(change, (state, number))
        assert verify(address).good
        database.execute("DELETE FROM cascade_es_frames WHERE originator_version = 1")
        verdict = verify(address)
        assert (verdict.word, verdict.frame) == ("damaged", 1)
        assert "missing" in verdict.detail
    database.close()


def test_new_games_replace_none(address: str) -> None:
    """A game with the id of one that is there is refused, and the one that is there stays as it is."""
    begun(address).close()
    before = frames(address)
    with pytest.raises(InputError):
        begun(address)
    assert frames(address) == before


@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_a_scenario_may_be_run_again_into_its_store(address: str) -> None:
    """The same scenario again finds itself; one with the same id that goes otherwise is a conflict."""
    for _ in range(2):
        runner.run_file(BLAST, address, overwrite=True)[0].close()
    before = frames(address)
    with open_store(address) as store:
        again = Game.new(
            {"alice": {"hand": ["Forest", "Forest"]}, "bob": {}},
            cards=[load_card("Forest")],
            seed="one",
            store=store,
        )
        assert again.ctx.secrets.log_id in store.games()
        Game.new(
            {"alice": {"hand": ["Forest", "Forest"]}, "bob": {}},
            cards=[load_card("Forest")],
            seed="one",
            store=store,
            overwrite=True,
        )
        with pytest.raises(Conflict):
            Game.new(
                {"alice": {"hand": ["Forest", "Forest"]}, "bob": {}},
                cards=[load_card("Forest")],
                seed="one",
                life=40,
                store=store,
                overwrite=True,
            )
        (blast,) = (game for game in store.games() if game != again.ctx.secrets.log_id)
        assert list(store.read(blast)) == before


def test_a_store_given_is_left_open() -> None:
    """A store that is given stays the caller's to close, and the game's bytes are at hand."""
    store = MemoryStore()
    game = begun(store=store)
    game.decide(0, decisions.Pass())
    game.close()
    (name,) = store.games()
    assert game_bytes(store, name) == game.log_bytes
    assert Game.resume(store=store).state == game.state
    assert Game.resume(name.hex()[:4], store=store).state == game.state
    assert verify(store=store).word == "exact"
    with pytest.raises(InputError, match="not both"):
        begun("a.ces", store=store)


@pytest.mark.parametrize("address", ["folder", "sqlite", "postgresql"], indirect=True)
def test_a_closed_game_says_how_it_goes_on(address: str) -> None:
    """Whatever a closed game was written to, a decision is refused with the same words; nothing is lost."""
    game = begun(address)
    game.close()
    game.close()
    before = len(game)
    with pytest.raises(InputError, match="this log is closed; resume it to go on"):
        game.decide(0, decisions.Pass())
    assert len(game) == before
    assert len(frames(address)) == 2
    with Game.resume(address) as again:
        again.decide(0, decisions.Pass())
