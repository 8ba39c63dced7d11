"""Fuzz the reader of logs, guided by coverage.

    python tools/fuzz.py [--corpus DIR] [libFuzzer options, such as -max_total_time=600]
    python tools/fuzz.py --seeds DIR     only write the seed corpus, made of the scenarios in fixtures
    python tools/fuzz.py --once FILE…    give files to the target once, to look at what was found

It needs atheris (``pip install atheris``), which is no dependency of the project.  Checksums and the chain
would stop every mutation, so the input is a log without them: for each frame the lengths of its payload
and its openings (three bytes each, big-endian) and both; the target puts the frames around.
Whatever the bytes are, reading, replaying, verifying, showing, asking what may be done next, comparing,
forking and making views must end in a refusal or a verdict.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

MISSING: Final = "atheris is not installed; this tool needs it: pip install atheris"


def loosen(content: bytes) -> bytes:
    """A log as input for the fuzzer: its frames without checksums and chain."""
    from cascade_es.log import read_frames

    parts = []
    for frame in read_frames(content):
        parts += [len(frame.payload).to_bytes(3, "big"), len(frame.openings).to_bytes(3, "big")]
        parts += [frame.payload, frame.openings]
    return b"".join(parts)


def tighten(data: bytes) -> bytes:
    """The log that an input stands for, with checksums and a chain as they should be."""
    from cascade_es.log import MAGIC, chain, pack_frame
    from cascade_es.log.frames import MAX_PAYLOAD, START

    parts, previous, place = [MAGIC], START, 0
    while place < len(data):
        first = min(int.from_bytes(data[place : place + 3], "big"), MAX_PAYLOAD)
        second = int.from_bytes(data[place + 3 : place + 6], "big") & 0x3FFFFF
        payload = data[place + 6 : place + 6 + first]
        openings = data[place + 6 + first : place + 6 + first + second]
        parts.append(pack_frame(previous, payload, openings))
        previous = chain(previous, payload)
        place += 6 + first + second
    return b"".join(parts)


def target(data: bytes) -> None:
    """Do with a stranger's log all that one does with logs."""
    from cascade_es.diff import diff_logs
    from cascade_es.errors import Damaged, InputError
    from cascade_es.log import parse_log
    from cascade_es.log.jsonform import from_json_lines, to_json_lines
    from cascade_es.projection import project
    from cascade_es.replay import Replay
    from cascade_es.verify import verify_bytes
    from cascade_es.views import prompt_json, state_lines, timeline

    content = tighten(data)
    try:
        verify_bytes(content)
        log = parse_log(content)
        assert from_json_lines(to_json_lines(log)) == content
        replay = Replay(log)
        for _ in timeline(replay, 1, len(replay)):
            pass
        state_lines(replay, len(replay))
        prompt_json(replay, len(replay))
        diff_logs(replay, replay)
        for viewer in (None, 0):
            project(content, viewer)
        replay.fork(len(replay), seed="fuzz")
    except (InputError, Damaged):
        return


def write_seeds(folder: Path) -> int:
    """Write the corpus to begin with: the logs of all scenarios in fixtures; how many they are."""
    from cascade_es.scenarios import runner

    folder.mkdir(parents=True, exist_ok=True)
    paths = [*(ROOT / "fixtures" / "games").glob("*.yaml"), *(ROOT / "fixtures" / "cases").rglob("*.yaml")]
    for path in sorted(paths):
        game, _ = runner.run_file(path)
        (folder / f"{path.parent.name}-{path.stem}").write_bytes(loosen(game.log_bytes))
    return len(paths)


def fuzz(corpus: Path, options: list[str]) -> None:
    """Run until something is found, or as the options say."""
    import atheris

    with atheris.instrument_imports(include=["cascade_es"]):
        import cascade_es.log.jsonform
        import cascade_es.verify
        import cascade_es.views  # noqa: F401 - imported here so that they are instrumented
    if not any(corpus.iterdir()):
        write_seeds(corpus)
    atheris.Setup([sys.argv[0], str(corpus), *options], target)
    atheris.Fuzz()


def main() -> int:
    """Read the options and do it."""
    parser = argparse.ArgumentParser(description="Fuzz the reader of logs, guided by coverage.")
    parser.add_argument("--corpus", type=Path, help="a folder for what is found interesting; kept")
    parser.add_argument("--seeds", type=Path, metavar="DIR", help="only write the seed corpus")
    parser.add_argument("--once", type=Path, nargs="+", metavar="FILE", help="give these to the target once")
    known, options = parser.parse_known_args()
    if known.seeds is not None:
        print(f"{write_seeds(known.seeds)} seeds in {known.seeds}")
        return 0
    if known.once is not None:
        for path in known.once:
            target(path.read_bytes())
            print(f"{path}: fine")
        return 0
    if importlib.util.find_spec("atheris") is None:
        print(MISSING, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        corpus = known.corpus or Path(scratch)
        corpus.mkdir(parents=True, exist_ok=True)
        fuzz(corpus, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
