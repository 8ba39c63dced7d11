"""What is no regular file is refused, not waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cascade_es import InputError, Replay, verify
from cascade_es.log import LogWriter
from cascade_es.log.heads import read_head
from cascade_es.scenarios import yamlreader


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
@pytest.mark.parametrize("read", [verify, Replay.open, read_head, LogWriter.resume, yamlreader.read_file])
def test_a_pipe_is_refused_at_once(read: Callable[[Path], object], tmp_path: Path) -> None:
    """A pipe that nobody writes to would be waited for without end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(InputError, match="no regular file"):
        read(pipe)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_device_without_end_is_refused() -> None:
    """A device is not read until memory is full."""
    with pytest.raises(InputError, match="no regular file"):
        verify("/dev/zero")
