"""Benchmarks: ratios of what the package does to what the same bytes cost at least.

    python tools/bench.py [--json] [--rounds N] [--all | SCENARIO...]

Every figure is a ratio within one run, averaged over the corpus (the games of fixtures, unless other
scenarios are named; with --all every scenario there is, which takes an hour), on one core.  Nothing
here fails: a budget that is missed is marked and explained in the README.

* append: writing units to a log (durable on close: each byte is handed to the file at once, and the one
  fsync of closing is not counted; commitments hashed on both sides), against msgpack encoding, CRC-32 and
  SHA-256 of the very same payloads and openings;
* replay: reading a log strictly and folding it through the machines, against decoding, CRC-32 and
  SHA-256 of the same payloads and openings;
* open at: opening a long log at a step with its side file, against a full replay of it (a synthetic game
  of turns that pass; the worst of several steps);
* rewind: reaching any retained step of an open game, in microseconds;
* memory: bytes per retained step;
* decide, prompt: microseconds for each kind of decision, slowest first.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import sys
import tempfile
import time
import tracemalloc
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgpack

from cascade_es import Game, InputError, Replay, decisions, load_card
from cascade_es.log import LogWriter, Openings, parse_log
from cascade_es.rules.decide import decide, prompt_of, recorded_answer
from cascade_es.scenarios.grammar import load
from cascade_es.scenarios.runner import play
from cascade_es.values.decisions import Decision
from cascade_es.values.facts import Opening

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = {"append": 3.0, "replay": 10.0, "open_at": 0.1, "rewind_us": 100.0, "memory_bytes": 1024.0}


def corpus(paths: Sequence[str], *, everything: bool = False) -> list[Game]:
    """The games of the corpus, played once."""
    fixtures = ROOT / "fixtures"
    files = [Path(path) for path in paths] or sorted((fixtures / "games").glob("*.yaml"))
    if everything:
        files += sorted((fixtures / "cases").rglob("*.yaml"))
    games = []
    for file in files:
        game, _ = play(load(file))
        games.append(game)
    return games


def best(rounds: int, run: Callable[[], Any]) -> float:
    """The least time of several rounds, in seconds: what the work costs without the machine's noise."""
    run()  # once unmeasured: the floor would be flattered by cold caches, and we by a slow floor
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return min(times)


def openings_in(section: bytes) -> Openings:
    """The openings that stand beside one payload."""
    facts = msgpack.unpackb(section, use_list=False)[0] if section else ()
    return Openings(tuple(Opening(*row) for row in facts))


def append_ratio(game: Game, rounds: int) -> float:
    """Appending all units of a game, against encoding and hashing the same payloads."""
    log = parse_log(game.log_bytes)
    frames = [(bytes(frame.payload), bytes(frame.openings)) for frame in log.frames[1:]]
    plain = [tuple(msgpack.unpackb(part, use_list=False) for part in frame if part) for frame in frames]
    units = [unit for _, unit in log.units]
    secrets = game.ctx.secrets
    opened = [openings_in(bytes(frame.openings)) for frame in log.frames[1:]]
    label = b"cascade-es fact\x00" + secrets.log_id + bytes(16)
    commitments = [label + item.salt + item.content for part in opened for item in part.facts]
    pack = msgpack.Packer(use_bin_type=True).pack

    def least() -> None:
        for content in commitments:
            hashlib.sha256(content).digest()
        previous = bytes(32)
        for parts in plain:
            payload, *beside = [pack(part) for part in parts]
            zlib.crc32(previous + payload + b"".join(beside))
            previous = hashlib.sha256(previous + payload).digest()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.ces"
        header = log.header
        first = Openings(tuple(secrets.opening(fact) for fact in header.facts), game.ctx.cards.contents())

        def ours() -> float:
            with LogWriter.create(path, header, first, overwrite=True, durability="on-close") as writer:
                start = time.perf_counter()
                for unit, openings in zip(units, opened, strict=True):
                    writer.append(unit, openings, decided=True)  # as a game does
                return time.perf_counter() - start

        return alternating(100 * rounds, ours, partial(timed, least))


def timed(run: Callable[[], Any]) -> float:
    """How long one run takes, in seconds."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def alternating(rounds: int, ours: Callable[[], float], least: Callable[[], float]) -> float:
    """The ratio of the best of two times that are taken in turn, often enough that each meets a good moment.

    Both take a fraction of a millisecond, and the pace of a machine changes within less than the second
    that enough rounds of one of them would last.  Medians would flatter: writing slows down what runs next.
    """
    ours(), least()
    pairs = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            pairs.append((ours(), least()))
    finally:
        gc.enable()
    mine, floor = zip(*pairs, strict=True)
    return float(min(mine) / min(floor))


def replay_ratio(game: Game, rounds: int) -> tuple[float, float]:
    """A full replay with machines, and reading alone, against decoding and hashing the same payloads."""
    content = game.log_bytes
    frames = [(bytes(frame.payload), bytes(frame.openings)) for frame in parse_log(content).frames]

    def least() -> None:
        previous = bytes(32)
        for payload, opened in frames:
            msgpack.unpackb(payload, use_list=False)
            if opened:
                msgpack.unpackb(opened, use_list=False)
            zlib.crc32(previous + payload + opened)
            previous = hashlib.sha256(previous + payload).digest()

    floor = best(rounds, least)
    return best(rounds, lambda: Replay.of(content)) / floor, best(rounds, lambda: parse_log(content)) / floor


def rewind_time(game: Game, rounds: int) -> float:
    """Reaching a retained step, in microseconds."""
    steps = range(0, len(game), max(1, len(game) // 50))
    return best(rounds, lambda: [game.at(step) for step in steps]) / len(steps) * 1e6


def long_game(events: int) -> Game:
    """Turns that pass until so many events have happened: a long log of small units."""
    game = Game.new(
        {name: {"library": ["Forest"] * (events // 130 + 20)} for name in ("alice", "bob")},
        cards=[load_card("Forest")],
        seed="a long game",
    )
    while len(game) < events:
        prompt = game.prompt
        assert prompt is not None
        passing = prompt.kind == "act"
        game.decide(prompt.seat, decisions.Pass() if passing else prompt.allowed[0].answer)
    return game


def open_at_ratio(events: int, rounds: int) -> float:
    """Opening a long log at its worst step of several, against replaying it in full."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.ces"
        path.write_bytes(long_game(events).log_bytes)
        Replay.open_at(path, 0)
        full = best(rounds, lambda: Replay.open(path))
        steps = [events * part // 16 for part in range(1, 16)]
        return max(best(rounds, partial(Replay.open_at, path, step)) for step in steps) / full


def memory(content: bytes) -> float:
    """Bytes per retained step of a replayed log, its events not counted."""
    log = parse_log(content)
    gc.collect()
    tracemalloc.start()
    replay = Replay(log)
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / max(1, len(replay))


def deciding(games: Sequence[Game]) -> tuple[dict[str, float], dict[str, float]]:
    """Microseconds for a decision and for its prompt with all candidates, by kind of decision."""
    decided: dict[str, list[float]] = {}
    prompted: dict[str, list[float]] = {}
    for game in games:
        replay = Replay.of(game.log_bytes)
        state_before = 0
        for number, unit in enumerate(replay.units, start=1):
            state = replay.at(state_before)
            decision = Decision(unit.decision.seat, recorded_answer(unit.decision), unit.decision.insist)
            start = time.perf_counter()
            prompt = prompt_of(game.ctx, state)
            if prompt is not None:
                _ = prompt.candidates
            middle = time.perf_counter()
            decide(game.ctx, state, decision, replay.at, number)
            end = time.perf_counter()
            prompted.setdefault(unit.decision.kind, []).append(middle - start)
            decided.setdefault(unit.decision.kind, []).append(end - middle)
            state_before += len(unit.events)
    return _means(decided), _means(prompted)


def _means(times: dict[str, list[float]]) -> dict[str, float]:
    means = {kind: sum(values) / len(values) * 1e6 for kind, values in times.items()}
    return dict(sorted(means.items(), key=lambda item: -item[1]))


def measure(games: Sequence[Game], rounds: int, long: int) -> dict[str, Any]:
    """All figures."""
    count = len(games)
    replays = [replay_ratio(game, rounds) for game in games]
    decided, prompted = deciding(games)
    return {
        "games": count,
        "events": sum(len(game) for game in games),
        "append": sum(append_ratio(game, rounds) for game in games) / count,
        "replay": sum(full for full, _ in replays) / count,
        "reading": sum(read for _, read in replays) / count,
        "open_at": open_at_ratio(long, rounds),
        "rewind_us": max(rewind_time(game, rounds) for game in games),
        "memory_bytes": sum(memory(game.log_bytes) for game in games) / count,
        "decide_us": decided,
        "prompt_us": prompted,
    }


def report(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{figures['games']} games, {figures['events']} events"]
    for key, words in (
        ("append", "append / (encode + CRC-32 + SHA-256)"),
        ("replay", "replay / (decode + CRC-32 + SHA-256)"),
        ("open_at", "open a long log at a step / full replay"),
        ("rewind_us", "rewind to a retained step, µs at most"),
        ("memory_bytes", "bytes a retained step"),
    ):
        mark = "within" if figures[key] <= BUDGETS[key] else "OVER"
        lines.append(f"{words:42} {figures[key]:9.2f}   budget {BUDGETS[key]:g}: {mark}")
    lines.append(f"{'  of which strict reading alone':42} {figures['reading']:9.2f}")
    for key, words in (("decide_us", "deciding"), ("prompt_us", "prompting with all candidates")):
        slowest = list(figures[key].items())[:5]
        lines.append(
            f"{words}, slowest kinds, µs: " + ", ".join(f"{kind} {value:.0f}" for kind, value in slowest)
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenarios", nargs="*", help="scenario files; the games of fixtures by default")
    parser.add_argument("--all", action="store_true", help="all scenarios of fixtures as well")
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--long", type=int, default=20_000, help="how many events the long game has")
    chosen = parser.parse_args(arguments)
    try:
        games = corpus(chosen.scenarios, everything=chosen.all)
        figures = measure(games, max(1, chosen.rounds), max(1, chosen.long))
    except InputError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(json.dumps(figures, indent=2) if chosen.json else report(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
