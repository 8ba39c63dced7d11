"""Recovery: what is whole of a damaged log, in a new file.

Nothing is repaired in place.  The damaged file is evidence, and a guess about it is not: so it is never
touched, and what was left out is said.
"""

from __future__ import annotations

import os

import msgspec

from cascade_es.errors import InputError
from cascade_es.log.disk import read_file, write_new
from cascade_es.log.frames import count_frames
from cascade_es.log.reading import salvage

__all__ = ["Recovered", "recover"]


class Recovered(msgspec.Struct, frozen=True):
    """What was recovered, and what was dropped.

    ``frames`` (with the header), ``bytes`` and ``head`` (a hash in hexadecimal) are of the new file;
    ``sealed`` says whether its record was ended.  ``dropped_frames`` and ``dropped_bytes`` count what was
    left out: frames as far as their lengths tell, of which ``dropped_whole`` are undamaged, but stand
    behind the damage.  ``kind``, ``detail``, ``frame`` and ``offset`` are those of the damage ("" and -1
    if there was none).
    """

    frames: int
    bytes: int
    head: str
    sealed: bool
    dropped_frames: int = 0
    dropped_bytes: int = 0
    dropped_whole: int = 0
    kind: str = ""
    detail: str = ""
    frame: int = -1
    offset: int = -1

    @property
    def whole(self) -> bool:
        """Whether nothing was wrong, so that the new file is a copy."""
        return not self.kind


def recover(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> Recovered:
    """Write all whole frames of a log before its first damage to a new file; the old one is left as it is.

    Raises:
        InputError: when there is no log to recover, or ``out`` exists already.
        Damaged: when not even the header can be read, so that nothing can be recovered.
        OSError: when the file system refuses; there is no new file then.
    """
    name = os.fspath(path)
    if os.path.lexists(out):
        what = "this file exists already and was left alone; choose another name or remove it"
        raise InputError(what, where=os.fspath(out))
    data = read_file(path)
    log, size, damage = salvage(data, name)
    write_new(os.fspath(out), data[:size])
    kept = Recovered(log.head.frames, size, log.head.hash.hex(), log.sealed)
    if damage is None:
        return kept
    frames, whole = count_frames(data, size)
    return msgspec.structs.replace(
        kept,
        dropped_frames=frames,
        dropped_bytes=len(data) - size,
        dropped_whole=whole,
        kind=damage.kind,
        detail=damage.detail,
        frame=damage.frame,
        offset=damage.offset,
    )
