"""Side files: a long log opened at a step gives what a full replay gives, and a bad one changes nothing."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from cascade_es import Damaged, Game, InputError, Replay, decisions, load_card
from cascade_es import sidefile as sides
from cascade_es.cli import main
from cascade_es.evolve import INITIAL
from cascade_es.history import History
from cascade_es.log import read_frames, strip_openings
from cascade_es.sidefile import LongReplay, side_name
from cascade_es.values.facts import Fact
from cascade_es.values.state import Frame, State
from cascade_es.values.statecode import pack_state, unpack_state
from cascade_es.verify import verify


def play(events: int, seed: str = "long") -> Game:
    """A game in which turns pass, and now and then a cast is begun and given up, which reverses it."""
    library = ["Forest", "Rampant Growth", "Swamp"] * 20
    game = Game.new(
        {"alice": {"hand": ["Rampant Growth"], "library": library}, "bob": {"library": library}},
        cards=[load_card("Forest"), load_card("Swamp"), load_card("Rampant Growth")],
        seed=seed,
    )
    while len(game) < events:
        prompt = game.prompt
        assert prompt is not None
        answers = [candidate.answer for candidate in prompt.allowed]
        casts = [answer for answer in answers if isinstance(answer, decisions.Cast)]
        if prompt.kind == "pay":
            game.decide(prompt.seat, decisions.GiveUp())
        elif casts and len(game) % 3 == 0:
            game.decide(prompt.seat, casts[0])
        else:
            game.decide(prompt.seat, answers[0])
    return game


@pytest.fixture(scope="module")
def long() -> Game:
    """A game long enough for a side file, its record still open."""
    return play(2600)


@pytest.fixture
def log(long: Game, tmp_path: Path) -> Path:
    """Its log, with a side file beside it."""
    path = tmp_path / "long.ces"
    path.write_bytes(long.log_bytes)
    assert isinstance(Replay.open_at(path, 1), Replay)
    assert isinstance(Replay.open_at(path, 1), LongReplay)
    return path


def deep(value: Any) -> Any:
    """A state with all that this copy knows: facts are equal by commitment alone."""
    if isinstance(value, Fact):
        return (value.frame, value.ordinal, value.audience, value.commitment, value.value)
    if isinstance(value, tuple):
        return tuple(deep(item) for item in value)
    if isinstance(value, msgspec.Struct):
        return (type(value).__name__, *(deep(getattr(value, n)) for n in value.__struct_fields__))
    if hasattr(value, "items"):
        return sorted((key, deep(item)) for key, item in value.items())
    return value


def same(history: History, full: History, seqs: Any) -> None:
    """Both histories are the same at these steps."""
    assert len(history) == len(full)
    assert history.names == full.names
    for number, seq in enumerate(seqs):
        assert history.at(seq) == full.at(seq)
        if number % 11:
            continue
        assert deep(history.at(seq)) == deep(full.at(seq))
        assert history.digest(seq) == full.digest(seq)


@pytest.mark.cites("R144", "R149")
def test_at_every_step_as_by_a_full_replay(log: Path, long: Game) -> None:
    """Opened with the side file, the game is at each position what it is without, and so is all else."""
    full = Replay.open(log)
    assert any(step.event.kind == "action-reversed" for step in full)
    history = Replay.open_at(log, len(full))
    same(history, full, range(len(full) + 1))
    assert history.state == long.state
    assert history.units == full.units
    assert history.undone() == full.undone()
    assert [step.seq for step in history.since(2500)] == list(range(2501, len(full) + 1))
    for seq in (-1, len(full) + 1):
        with pytest.raises(InputError, match="there is no step"):
            history.at(seq)


@pytest.mark.cites("R116")
def test_steps_backwards_in_any_order(log: Path, long: Game) -> None:
    """From one step one gets to any other, backwards too, and the whole log is not folded for it."""
    history = Replay.open_at(log, 2000)
    assert isinstance(history, LongReplay)
    steps = [*range(2000, 1950, -1), *random.Random(3).sample(range(300, 2600), 40)]
    for seq in steps:
        assert history.at(seq) == long.at(seq)
    assert history._all is None


@pytest.mark.cites("R118")
def test_only_what_is_needed_is_folded(log: Path) -> None:
    """One step of a long log costs the events since its checkpoint, however long the log is."""
    history = Replay.open_at(log, 2300)
    assert isinstance(history, LongReplay)
    folded = sum(len(segment.states) for segment in history._segments.values())
    assert folded <= sides.EVERY + 60


def test_every_state_can_be_kept(recorded: Game) -> None:
    """The states of the worked games return from their bytes, whatever procedures are running."""
    for seq in range(len(recorded) + 1):
        state = recorded.at(seq)
        assert deep(unpack_state(pack_state(state))) == deep(state)


def test_states_that_cannot_be_kept() -> None:
    """Data of an unknown class are refused when they are packed, and bytes that are no state when read."""
    odd = Frame("turn", "new", 0, Path())
    with pytest.raises(TypeError, match="cannot be kept"):
        pack_state(State(game=msgspec.structs.replace(INITIAL.game, frames=(odd,))))
    content = pack_state(INITIAL)
    for size in range(len(content)):
        with pytest.raises(ValueError, match="no state"):
            unpack_state(content[:size])


def test_damaged_side_files_are_ignored_and_made_again(log: Path, long: Game) -> None:
    """Cut, flipped, empty, foreign or of another log: the answer is the same, and the next one is fast."""
    side = Path(side_name(log))
    good = side.read_bytes()
    rng = random.Random(5)
    flipped = bytearray(good)
    flipped[rng.randrange(len(good))] ^= 4
    other = log.with_name("other.ces")
    other.write_bytes(play(2100, "another").log_bytes)
    Replay.open_at(other, 1)
    foreign = Path(side_name(other)).read_bytes()
    for content in (good[:-1], good[:40], b"", bytes(flipped), b"a letter", good + b"x", foreign):
        side.write_bytes(content)
        history = Replay.open_at(log, 1700)
        assert isinstance(history, Replay)
        assert history.at(1700) == long.at(1700)
        assert side.read_bytes() == good
        assert isinstance(Replay.open_at(log, 1700), LongReplay)


@pytest.mark.cites("R146")
@pytest.mark.parametrize("name", ["SCHEMA", "BEHAVIOUR", "TABLE_VERSION", "_VERSION"])
def test_another_version_drops_the_side_file(
    log: Path, long: Game, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A side file is of one version of states, machines and rules; another one makes its own."""
    monkeypatch.setattr(sides, name, b"other" if name == "SCHEMA" else 77)
    history = Replay.open_at(log, 1700)
    assert isinstance(history, Replay)
    assert isinstance(Replay.open_at(log, 1700), LongReplay)
    assert history.at(1700) == long.at(1700)


@pytest.mark.cites("R144")
def test_a_log_that_grew(log: Path) -> None:
    """What was appended since is read behind the last checkpoint; grown much, the side file is made anew."""
    side = Path(side_name(log)).read_bytes()
    for events in (2700, 3600):
        log.write_bytes(play(events).log_bytes)
        history = Replay.open_at(log, 2650)
        assert isinstance(history, LongReplay)
        assert Path(side_name(log)).read_bytes() == side
        same(history, Replay.open(log), (0, 100, 2400, 2599, 2600, 2601, 2650, len(history)))
        assert sides.about(history).head == Replay.open(log).log.head
    log.write_bytes(play(5000).log_bytes)
    assert isinstance(Replay.open_at(log, 2650), Replay)
    assert Path(side_name(log)).read_bytes() != side


def test_a_log_that_was_shortened(log: Path) -> None:
    """A log that lost its end is read for what it is: no state beyond its end comes from the side file."""
    content = log.read_bytes()
    frames = list(read_frames(content))
    log.write_bytes(content[: frames[-100].offset])
    history = Replay.open_at(log, 5)
    assert len(history) == len(Replay.open(log)) < 2600


def test_another_copy_of_the_log_knows_only_its_own(log: Path) -> None:
    """A copy without openings has the same head, but a side file of the full copy tells it nothing."""
    log.write_bytes(strip_openings(log.read_bytes()))
    history = Replay.open_at(log, 2000)
    same(history, Replay.open(log), (2000, 2500))
    assert not any(obj.card.known for obj in history.at(2000).game.objects.values() if obj.zone == "library")
    same(Replay.open_at(log, 2000), Replay.open(log), (2000, 2500))


def test_damage_is_found_with_a_side_file_too(log: Path) -> None:
    """Wherever a byte of the log is changed or it is cut, opening it at any step says what a replay says."""
    content = log.read_bytes()
    rng = random.Random(9)
    for _ in range(12):
        at = rng.randrange(16, len(content))
        log.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(Damaged) as full:
            Replay.open(log)
        with pytest.raises(Damaged) as caught:
            Replay.open_at(log, 1000)
        assert str(caught.value) == str(full.value)
    log.write_bytes(content[:-3])
    with pytest.raises(Damaged, match="cut"):
        Replay.open_at(log, 1000)


def test_verification_never_reads_it(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict is about the log alone: a side file is not even opened."""
    opened: list[str] = []
    read = Path.open

    def noted(path: Path, *how: Any) -> Any:
        opened.append(path.name)
        return read(path, *how)

    Path(side_name(log)).write_bytes(b"nonsense")
    monkeypatch.setattr(Path, "open", noted)
    assert verify(log).word == "exact"
    assert opened == ["long.ces"]


def test_a_short_log_gets_none(tmp_path: Path) -> None:
    """A log that is folded at once anyway gets no file beside it."""
    path = tmp_path / "short.ces"
    path.write_bytes(play(300).log_bytes)
    Replay.open_at(path, 10)
    assert [found.name for found in tmp_path.iterdir()] == ["short.ces"]


def test_it_is_private_and_needs_no_place(log: Path, long: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its owner may read it; where it cannot be written, the log is read without."""
    side = Path(side_name(log))
    assert side.stat().st_mode & 0o077 == 0
    side.unlink()

    def forbidden(*_: object, **__: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", forbidden)
    assert Replay.open_at(log, 1700).at(1700) == long.at(1700)
    assert os.listdir(log.parent) == ["long.ces"]


@pytest.mark.cites("R117")
def test_show_with_and_without(log: Path) -> None:
    """`show --at` prints the same from a side file as without, as text and as JSON, and knows the end."""
    for extra in ((), ("--json",)):
        words = ["show", str(log), "--at", "2345", *extra]
        Path(side_name(log)).unlink(missing_ok=True)
        first, second = (CliRunner().invoke(main, words) for _ in range(2))
        assert first.exit_code == second.exit_code == 0
        assert first.output == second.output
    beyond = CliRunner().invoke(main, ["show", str(log), "--at", "99999"])
    assert beyond.exit_code == 2
    assert "events run from 0 to 260" in beyond.output


def test_there_need_be_none(long: Game, tmp_path: Path) -> None:
    """Who wants no side file gets none: nothing is written beside the log, nothing is read there."""
    path = tmp_path / "long.ces"
    path.write_bytes(long.log_bytes)
    result = CliRunner().invoke(main, ["show", str(path), "--at", "2500", "--no-side"])
    assert result.exit_code == 0
    assert Replay.open_at(path, 2500, side=False).at(2500) == long.at(2500)
    assert [each.name for each in tmp_path.iterdir()] == ["long.ces"]
    assert result.output == CliRunner().invoke(main, ["show", str(path), "--at", "2500"]).output
    assert Path(side_name(path)).exists()
    assert isinstance(Replay.open_at(path, 2500, side=False), Replay)
