"""``run``: play scenarios, and say which hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from cascade_es.cli.failures import DEFECT, FINDING, FINE, WRONG, line_of, status_of
from cascade_es.cli.options import common, readable_folder
from cascade_es.cli.output import Output, warn
from cascade_es.cli.show import listing, listing_json
from cascade_es.errors import CascadeError, InputError
from cascade_es.game import Game
from cascade_es.log import MAGIC, Conflict, disk
from cascade_es.log.durability import policy
from cascade_es.log.frames import read_frames
from cascade_es.log.wire import Decoder
from cascade_es.scenarios.cardfiles import is_card
from cascade_es.scenarios.grammar import Scenario, load
from cascade_es.scenarios.runner import Result, play, start
from cascade_es.scenarios.yamlnodes import Map
from cascade_es.scenarios.yamlreader import read_file
from cascade_es.stores import Address, redacted
from cascade_es.views import one_line, timeline

WORDS = ("ok", "failed", "unreadable", "defect")


class Outcome(msgspec.Struct, frozen=True):
    """How one file went: ``word`` is "ok", "failed", "unreadable" or "defect"."""

    file: str
    word: str
    status: int
    title: str = ""
    events: int = 0
    problem: str | None = None
    game: Game | None = None


@click.command(short_help="Play scenarios and check what they expect.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--log", "log", metavar="LOG", help="Write the log of the game there (one scenario only).")
@click.option(
    "--durability",
    default="on-close",
    metavar="NAME",
    help="When --log is synced to the disk: every-decision, every-N, on-close (default), unsafe-never.",
)
@click.option("--cards", "folders", multiple=True, metavar="DIR", help="A folder with scripts (repeatable).")
@click.option("--show", "shown", is_flag=True, help="Print the events too, as 'show' does.")
@common
def run(
    paths: tuple[str, ...],
    log: str | None,
    durability: str,
    folders: tuple[str, ...],
    shown: bool,
    as_json: bool,
    color: bool | None,
) -> int:
    """Play scenarios and check what they expect.

    PATH is a scenario file, or a folder: every scenario in it and below it is played, in the order of
    their names.  A scenario that cannot be read is reported, and the others are still played.

    A log that exists is replaced only by a log of the same scenario.  --log also takes a store, as
    sqlite:///games.db or postgresql://user@host/db: there nothing is replaced, and a game that is there
    already must go just as it did.

    --json: {"passed", "failed", "unreadable", "scenarios": [{"file", "title", "outcome", "events",
    "problem"}]}, with --show also "decisions" and "history" (its events, as 'show --json' gives them);
    "outcome" is ok, failed, unreadable or defect; "problem" is null when it is ok.
    """
    out = Output(color=color)
    try:
        policy(durability)
    except InputError as error:
        raise InputError(error.what, where="--durability") from None
    roots = [_folder(folder) for folder in folders]
    files = [found for path in paths for found in scenario_files(path)]
    if log is not None and len(files) != 1:
        raise InputError(
            f"only one scenario can be logged, not {len(files)}; name one file", where=f"--log {log}"
        )
    outcomes: list[Outcome] = []
    with out.progress(len(files)) as bar:
        task = bar.add_task("playing", total=len(files)) if bar is not None else None
        for file in files:
            outcomes.append(_one(file, roots, log, durability))
            if bar is None or task is None:
                _say(out, outcomes[-1], shown, as_json)
            else:
                bar.advance(task)
    if bar is not None:  # the bar is gone: now there is room for lines
        for outcome in outcomes:
            _say(out, outcome, shown, as_json)
    _sum_up(out, outcomes, shown, as_json)
    return max((outcome.status for outcome in outcomes), default=FINE)


# --------------------------------------------------------------------------------- which files


def scenario_files(path: str) -> list[Path]:
    """The scenario that a path names, or all that lie in a folder and below it, sorted.

    Files that are something else (cards, say) are passed over; broken ones are not, for they may be
    scenarios.

    Raises:
        InputError: when there is no such path, or no scenario below it.
    """
    root = Path(path)
    if not os.path.isdir(root):
        if _is_log(root):
            raise InputError("this is a log, no scenario; see 'cascade-es show' and 'verify'", where=path)
        return [root]
    readable_folder(path, path)
    below = sorted(
        (
            found
            for ending in ("yaml", "yml")
            for found in root.rglob(f"*.{ending}")
            if not _hidden(found.relative_to(root)) and found.is_file()
        ),
        key=lambda found: found.relative_to(root).parts,
    )
    files = [found for found in below if _may_be_scenario(found)]
    if not files:
        raise InputError(
            "no scenario in this folder; a scenario is a .yaml or .yml file with 'play:'", where=path
        )
    return files


def _is_log(path: Path) -> bool:
    """Whether a file begins as a log does; what cannot be read is said when it is played."""
    try:
        if path.is_file():
            with path.open("rb") as stream:
                return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        pass
    return False


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _may_be_scenario(path: Path) -> bool:
    try:
        node = read_file(path)
    except InputError:
        return True
    if is_card(node):
        return False
    return not isinstance(node, Map) or any(node.get(key) is not None for key in ("title", "players", "play"))


def _folder(path: str) -> Path:
    return readable_folder(path, f"--cards {path}")


# ------------------------------------------------------------------------------------- playing


def _one(file: Path, folders: Sequence[Path], log: str | None, durability: str) -> Outcome:
    name = str(file)
    title = ""
    try:
        scenario = load(file, folders)
        title = scenario.title
        if log is not None:
            _check_log(scenario, log)
            # Once in memory first: an entry that cannot be understood must not cost an old log.
            play(scenario)
        game, result = _recorded(scenario, log, durability)
    except Exception as error:
        line = line_of(error)
        if log is not None and line.startswith(redacted(log)):
            line = f"--log {line}" if log else f"--log: {line}"
        problem = line if name in line or line.startswith("--") else f"{name}: {line}"
        word = "defect" if status_of(error) == DEFECT else "unreadable"
        return Outcome(name, word, max(status_of(error), FINDING), title, 0, problem)
    if result.problem is not None:
        return Outcome(name, "failed", FINDING, title, result.events, one_line(result.problem), game)
    return Outcome(name, "ok", FINE, title, result.events, None, game)


def _recorded(scenario: Scenario, log: str | None, durability: str) -> tuple[Game, Result]:
    try:
        if log is not None and Address.of(log).kind == "file" and _is_there(log):
            # Whole beside the old one first: whatever fails meanwhile, one of them is there.
            game, result = play(scenario)
            disk.write_instead(log, game.log_bytes)
            return game, result
        return play(scenario, log, overwrite=log is not None, durability=durability)
    except Conflict as conflict:
        raise InputError(
            f"this game is there already and went otherwise ({conflict}); it was left alone; "
            "choose another store",
            where=f"--log {redacted(log or '')}",
        ) from None


def _is_there(log: str) -> bool:
    return os.path.isfile(log) and os.path.getsize(log) > 0


def _check_log(scenario: Scenario, log: str) -> None:
    """A file may be replaced only if it is a log of this very scenario; a store replaces nothing.

    Raises:
        InputError: when it is anything else.
    """
    where = f"--log {redacted(log)}"
    if Address.of(log).kind != "file":
        return
    disk.regular(log)
    if not _is_there(log):
        return
    try:
        frame = next(iter(read_frames(disk.read_file(log), log)))
        header = Decoder().header(frame, log)
    except CascadeError:
        raise InputError(
            "this file exists and is no log; it was left alone; choose another name", where=where
        ) from None
    if header.log_id != start(scenario).ctx.secrets.log_id:
        raise InputError(
            "this file is the log of another game; it was left alone; choose another name", where=where
        )


# -------------------------------------------------------------------------------------- saying


def _say(out: Output, outcome: Outcome, shown: bool, as_json: bool) -> None:
    if outcome.status in (WRONG, DEFECT) or outcome.word in ("unreadable", "defect"):
        warn(outcome.problem or "")
        return
    if as_json:
        return
    if outcome.word == "ok":
        out.line(
            [("ok      ", "good"), (one_line(outcome.title), ""), (f"  ({outcome.events} events)", "dim")], 8
        )
    else:
        out.line([("FAILED  ", "bad"), (outcome.problem or "", "")], 8)
    if shown and outcome.game is not None:
        listing(out, outcome.game, list(timeline(outcome.game)))


def _sum_up(out: Output, outcomes: Sequence[Outcome], shown: bool, as_json: bool) -> None:
    number = {word: sum(item.word == word for item in outcomes) for word in WORDS}
    if as_json:
        out.document(
            {
                "passed": number["ok"],
                "failed": number["failed"],
                "unreadable": number["unreadable"] + number["defect"],
                "scenarios": [_json(item, shown) for item in outcomes],
            }
        )
        return
    line = [
        (f"{number['ok']} passed", "good"),
        (f", {number['failed']} failed", "bad" if number["failed"] else ""),
    ]
    broken = number["unreadable"] + number["defect"]
    if broken:
        line.append((f", {broken} not played", "bad"))
    out.line(line)


def _json(item: Outcome, shown: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": item.file,
        "title": item.title or None,
        "outcome": item.word,
        "events": item.events,
        "problem": item.problem,
    }
    if shown and item.game is not None:
        events = listing_json(item.game, range(1, len(item.game) + 1))
        found |= {"decisions": events["decisions"], "history": events["events"]}
    return found
