"""The first difference of two logs, and of a log and the rules: where, both sides, and what it did."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cascade_es import Game, Replay, decisions, load_card
from cascade_es.diff import BEFORE, diff_logs
from cascade_es.game import BEHAVIOUR
from cascade_es.log import MAGIC, Encoder, parse_log, strip_openings
from cascade_es.log.frames import START, chain, pack_frame
from cascade_es.machines.tables import TABLE_VERSION
from cascade_es.rules import cascade
from cascade_es.rules.board import Board
from cascade_es.rules.work import Work
from cascade_es.scenarios import runner
from cascade_es.values import events as ev
from cascade_es.values.difference import differences, state_diff
from cascade_es.values.facts import Fact
from cascade_es.values.prompts import Refusal
from cascade_es.verify import Verdict, verify_bytes

GAMES = Path(__file__).resolve().parents[1] / "fixtures" / "games"


@functools.cache
def blast() -> bytes:
    """The log of the worked game with the cascade."""
    return runner.run_file(GAMES / "bituminous-blast.yaml")[0].log_bytes


def rebuilt(content: bytes, **changes: Any) -> bytes:
    """The same log with another header: its chain made again, as its writer would have made it."""
    log = parse_log(content)
    header = msgspec.structs.replace(log.header, **changes)
    payloads = [Encoder().header(header)[0], *(frame.payload for frame in log.frames[1:])]
    parts, previous = [MAGIC], START
    for frame, payload in zip(log.frames, payloads, strict=True):
        parts.append(pack_frame(previous, payload, frame.openings))
        previous = chain(previous, payload)
    return b"".join(parts)


def game(seed: str = "diff", life: int = 20, edition: str = "newest", *, land: bool = True) -> Game:
    """A game of a few decisions."""
    game = Game.new(
        {"alice": {"hand": ["Forest", "Mountain"], "library": ["Forest", "Mountain"] * 3}, "bob": {}},
        cards=[load_card("Forest"), load_card("Mountain")],
        step="precombat main",
        seed=seed,
        life=life,
        edition=edition,
        shuffle=True,
    )
    if land:
        game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    return game


def compared(left: Game | bytes, right: Game | bytes) -> Any:
    one, other = (Replay.of(side if isinstance(side, bytes) else side.log_bytes) for side in (left, right))
    return diff_logs(one, other)


# ------------------------------------------------------------------------------------ two logs


def test_copies_of_a_log_are_the_same() -> None:
    """A log is the same as itself, and as a copy without a single opening."""
    found = compared(blast(), strip_openings(blast()))
    events = len(Replay.of(blast()))
    assert (found.word, found.common, found.header, found.first) == ("same", events, (), None)


def test_a_beginning_is_said_to_be_one() -> None:
    """Where one log goes on after the other ends, it is said which, and after which event."""
    short, long = game(land=False), game()
    for one, other, longer in ((short, long, "right"), (long, short, "left")):
        found = compared(one, other)
        assert (found.word, found.longer, found.common) == ("prefix", longer, len(short))
        assert found.first is None


def test_the_first_other_decision_is_named() -> None:
    """Where a decision differs: its frame, the field, both sides, the game after it, and what was before."""
    left, right = game(), game(land=False)
    right.decide(0, decisions.Pass())
    found = compared(left, right)
    first = found.first
    assert (found.word, first.what, first.frame) == ("different", "decision", 2)
    assert first.event == found.common + 1
    assert first.field == "kind"
    assert (first.left["kind"], first.right["kind"]) == ("play-land", "pass")
    assert [event["seq"] for event in first.before] == list(
        range(found.common + 1 - BEFORE, found.common + 1)
    )
    assert {"path": "players[0].lands", "left": 1, "right": 0} in first.states


def test_games_of_two_seeds_part_at_the_first_chance() -> None:
    """Logs of two games differ in the header, and then where chance decided otherwise, by what is known."""
    for seed in "abcdefgh":
        found = compared(game(), game(seed))
        if found.first is not None:
            break
    assert {item["path"] for item in found.header} == {"log_id", "seed", "key"}
    assert found.first.left["kind"] == "random-order"
    assert [item["path"] for item in found.first.fields] == ["key"]
    assert found.first.left["key"]["value"] != found.first.right["key"]["value"]


def test_the_seed_is_not_told() -> None:
    """What a report says of the headers holds no secret of a game, though the copies hold the openings."""
    found = compared(game(), game("other"))
    (seed,) = (item for item in found.header if item["path"] == "seed")
    assert "value" not in seed["left"]
    assert "value" not in seed["right"]


def test_the_edition_is_said_once() -> None:
    """Logs of two editions differ in the header; the set-up that repeats it is no difference of its own."""
    found = compared(game(), game(edition="2009-05-01"))
    assert [item["path"] for item in found.header] == ["edition"]
    assert (found.word, found.first) == ("different", None)


def test_a_time_is_a_difference_too() -> None:
    """Metadata that differs is named as such, and nothing of the game differs."""
    logs = []
    for time in (1, 2):
        played = game(land=False)
        played.decide(0, decisions.Pass(), time=time)
        logs.append(played)
    first = compared(*logs).first
    assert (first.what, first.field, first.left, first.right, first.states) == ("time", "time", 1, 2, ())


@pytest.mark.cites("R128")
def test_every_other_audience_is_a_difference() -> None:
    """Two facts with one commitment and two audiences are different on record, and the same on the board."""
    one, other = Fact(1, 0, 1, bytes(32)), Fact(1, 0, 3, bytes(32))
    left, right = (ev.Drawn("draw", 0, True, 0, 1, 2, card) for card in (one, other))
    assert [item.path for item in differences(left, right)] == ["card"]


def test_states_of_one_game_differ_by_path() -> None:
    """Between any two states of a game the paths lead to what differs; none if they are equal."""
    states = Replay.of(blast()).states
    for before, after in itertools.pairwise(states):
        found = state_diff(before, after)
        assert bool(found) == (before.game != after.game)
        assert len({item.path for item in found}) == len(found)
        assert all(item.left != item.right or type(item.left) is not type(item.right) for item in found)
    paths = {item.path.split("[")[0].split(".")[0] for item in state_diff(states[1], states[-2])}
    assert {"players", "battlefield", "objects"} <= paths


# ---------------------------------------------------------------------------- a log and the rules


def diverged(content: bytes) -> Verdict:
    verdict = verify_bytes(content)
    assert verdict.word == "diverged", verdict
    assert "\n" not in verdict.detail
    return verdict


@pytest.mark.cites("R111", "R120")
def test_a_changed_rule_is_named_by_its_first_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules make another event, both are told with their kinds, and the events before."""
    content = blast()

    def never(board: Board, handle: int, limit: int) -> bool:
        return False

    monkeypatch.setattr(cascade, "_is_hit", never)
    verdict = diverged(content)
    recorded = Replay.of(content)
    assert (verdict.expected["kind"], verdict.found["kind"]) == ("search-ended", "exile")
    assert "recorded 'search-ended', the rules make 'exile'" in verdict.detail
    step = next(step for step in recorded if step.event.kind == "search-ended")
    assert (verdict.frame, verdict.event) == (step.unit, step.seq)
    assert [event["seq"] for event in verdict.before] == list(range(step.seq - BEFORE, step.seq))
    assert [event["kind"] for event in verdict.before][-3:] == ["exile"] * 3
    assert any(item["path"].startswith("players[0].library") for item in verdict.states)


@pytest.mark.cites("R120")
def test_a_changed_value_is_named_by_its_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only a value differs, the field is named, with both values, and what the game has become."""
    path = GAMES.parent / "cases"
    found = None
    contents = [runner.run_file(file)[0].log_bytes for file in sorted((path / "priority").glob("*.yaml"))]

    emit = Work.emit

    def double(w: Work, kind: type[ev.Event], rule: str, *fields: Any, **more: Any) -> int:
        if kind is ev.LifeChanged:
            seat, amount, total = fields
            fields = (seat, 2 * amount, total + amount)
        return emit(w, kind, rule, *fields, **more)

    monkeypatch.setattr(Work, "emit", double)
    for content in contents:
        verdict = verify_bytes(content)
        if verdict.word == "diverged" and verdict.expected["kind"] == "life-changed":
            found = verdict
            break
    assert found is not None
    assert [item["path"] for item in found.fields] == ["amount", "total"]
    assert found.fields[0]["right"] == 2 * found.fields[0]["left"]
    assert "it differs in amount, total" in found.detail
    (changed,) = found.states
    assert changed["path"] == f"players[{found.expected['player']}].life"
    assert (changed["left"], changed["right"]) == (found.fields[1]["left"], found.fields[1]["right"])


def test_an_impossible_decision_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules would not take the recorded decision, it is told, with the events before it."""
    content = blast()
    monkeypatch.setattr(cascade, "check", lambda board, data, answer: Refusal("cascade", "that is forbidden"))
    verdict = diverged(content)
    assert "that is forbidden" in verdict.detail
    assert verdict.expected["kind"] == "cast"
    assert verdict.before[-1]["kind"] == "cast-offered"


def test_a_wrong_digest_is_told_with_both_sides() -> None:
    """A digest that is not that of the state is a divergence, with both and the events before it."""
    log = parse_log(blast())
    parts = blast()[: log.frames[-1].offset]
    number, unit = log.units[-1]
    seal = msgspec.structs.replace(unit.events[-1], digest=bytes(32))
    payload = Encoder().unit(msgspec.structs.replace(unit, events=(*unit.events[:-1], seal)))[0]
    verdict = diverged(parts + pack_frame(log.frames[-1].previous, payload, log.frames[-1].openings))
    assert verdict.expected == "00" * 32
    replay = Replay.of(blast())
    assert verdict.found == replay.digest(len(replay) - 1)
    assert verdict.before[-1]["seq"] == len(replay) - 1
    assert verdict.frame == number


# ----------------------------------------------------------------------------------- versions


@pytest.mark.cites("R120", "R148")
def test_other_behaviour_is_unverified() -> None:
    """Another version of the rules' code proves nothing: the log is intact, not exact, not diverged."""
    for behaviour in (BEHAVIOUR + 1, BEHAVIOUR + 99):
        verdict = verify_bytes(rebuilt(blast(), behaviour=behaviour))
        assert (verdict.word, verdict.good) == ("unverified", True)
        assert f"behaviour {behaviour}" in verdict.detail


@pytest.mark.cites("R120")
def test_other_behaviour_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of another behaviour version replays by its results; what today's rules would do is no matter."""
    monkeypatch.setattr(cascade, "_is_hit", lambda board, handle, limit: False)
    content = rebuilt(blast(), behaviour=BEHAVIOUR + 1)
    assert verify_bytes(content).word == "unverified"


@pytest.mark.cites("R148")
def test_newer_tables_are_unsupported() -> None:
    """A log of newer machine tables is unsupported, with both versions in the line."""
    verdict = verify_bytes(rebuilt(blast(), table=TABLE_VERSION + 1))
    assert (verdict.word, verdict.good) == ("unsupported", False)
    assert f"machine tables {TABLE_VERSION + 1}" in verdict.detail


@pytest.mark.cites("R120", "R148")
def test_unknown_editions_are_unsupported() -> None:
    """A log under rules that this version does not know is unsupported, and the edition is named."""
    verdict = verify_bytes(rebuilt(blast(), edition="2031-01-01"))
    assert verdict.word == "unsupported"
    assert "2031-01-01" in verdict.detail


def test_another_edition_in_the_header_is_found() -> None:
    """A header that claims other rules than the game was begun with is no log of that game."""
    verdict = verify_bytes(rebuilt(blast(), edition="2009-05-01"))
    assert verdict.word == "damaged"
    assert "2026-08-07, not by the edition of the header" in verdict.detail


def test_newer_formats_are_refused() -> None:
    """A file of a newer format is refused with both numbers, even if its chain is right."""
    log = parse_log(blast())
    row = [99, *msgspec.structs.astuple(log.header)[1:]]
    payload = Encoder().value(tuple(row))
    content = MAGIC + pack_frame(START, payload, b"")
    verdict = verify_bytes(content)
    assert verdict.word == "unsupported"
    assert "format 99" in verdict.detail
