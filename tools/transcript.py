"""Write what the commands of the README print into its `console` blocks.

    python tools/transcript.py

Run it after a change that changes what one sees, and read the difference: a test compares them.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner

from cascade_es.cli import main as cascade_es

ROOT = Path(__file__).resolve().parents[1]


def refreshed(block: str) -> str:
    """A console block with its commands, and what they print now."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            _, *arguments = shlex.split(line[2:])
            lines += [line, CliRunner().invoke(cascade_es, arguments).output.rstrip("\n")]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Refresh the README."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("fixtures").symlink_to(ROOT / "fixtures")
        text = re.sub(
            r"^(```console\n)(.*?)^(```)$",
            lambda found: found[1] + refreshed(found[2]) + found[3],
            text,
            flags=re.M | re.S,
        )
        os.chdir(ROOT)
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
