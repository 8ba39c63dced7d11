"""Write the golden logs of the format that this version writes: once, and never again.

    python tools/golden.py

They go to ``fixtures/logs/format-<n>``: a few logs, and ``expected.json`` with what every later version
must make of them (digests, verdict, head).  A golden log stands for all logs that users have; if it
could be made anew, a change that breaks old logs would go unseen.  So a folder that is there is refused.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cascade_es.game import BEHAVIOUR  # noqa: E402
from cascade_es.log import FORMAT, strip_openings  # noqa: E402
from cascade_es.machines.tables import TABLE_VERSION  # noqa: E402
from cascade_es.replay import Replay  # noqa: E402
from cascade_es.scenarios import runner  # noqa: E402
from cascade_es.verify import verify_bytes  # noqa: E402

GOLDEN = ROOT / "fixtures" / "logs"
SCENARIOS = (
    "games/bituminous-blast.yaml",
    "games/illegal-cast.yaml",
    "games/krosan-grip.yaml",
    "cases/reversal/table-fact.yaml",
    "cases/reversal/ruling-and-comment-stay.yaml",
    "cases/mana/filter-land.yaml",
    "cases/copies/kicked-permanent-copy.yaml",
    "cases/layers/control-of-enchanted-creature.yaml",
    "cases/replacement/clone-of-what-enters-with-counters.yaml",
    "cases/combat/illegal-attack-is-reversed.yaml",
    "cases/parts/face-down.yaml",
    "cases/permissions/face-down-in-exile.yaml",
)


def expected(content: bytes) -> dict[str, Any]:
    """What every version must make of a log: its verdict today, its head, and digests on the way."""
    replay = Replay.of(content)
    steps = sorted({0, len(replay), *range(0, len(replay), 10)})
    return {
        "verdict": verify_bytes(content).word,
        "head": replay.log.head.hash.hex(),
        "frames": replay.log.head.frames,
        "events": len(replay),
        "digests": {str(seq): replay.digest(seq) for seq in steps},
    }


def write(folder: Path) -> list[str]:
    """Write the golden logs of this version into a new folder; their names.

    Raises:
        FileExistsError: when the folder is there.
    """
    folder.mkdir(parents=True)
    found: dict[str, Any] = {}
    for scenario in SCENARIOS:
        path = ROOT / "fixtures" / scenario
        content = runner.run_file(path)[0].log_bytes
        for name, copy in (
            (f"{path.stem}.ces", content),
            (f"{path.stem}-stripped.ces", strip_openings(content)),
        ):
            (folder / name).write_bytes(copy)
            found[name] = expected(copy)
    document = {"format": FORMAT, "table": TABLE_VERSION, "behaviour": BEHAVIOUR, "logs": found}
    (folder / "expected.json").write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", "utf-8")
    return sorted(found)


def main() -> int:
    """Write them, if they are not there."""
    folder = GOLDEN / f"format-{FORMAT}"
    try:
        names = write(folder)
    except FileExistsError:
        where = folder.relative_to(ROOT)
        print(
            f"{where} is there, and golden logs are never made anew; a new format gets its own",
            file=sys.stderr,
        )
        return 2
    print(f"{len(names)} logs in {folder.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
