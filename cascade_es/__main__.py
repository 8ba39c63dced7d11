"""``python -m cascade_es``: the command line."""

from __future__ import annotations

from cascade_es.cli import main

if __name__ == "__main__":
    main()
