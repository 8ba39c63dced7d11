"""Side files: a long log opened at a step, without folding all that came before.

Beside ``LOG`` lies ``LOG.side``: checkpoints of the game every few hundred events.  It is a cache and
nothing else.  It can be thrown away, it is made again when it is missing, damaged, of another log or of
another version, and verification never reads it.  It holds all that this copy of the log holds, so it
is for the eyes of the same people.

A checkpoint is used only if the log's bytes before it (openings too: they decide what is known) have
the very digest that they had when it was made.  From there on the chain is checked to the end of the
log, and what is looked at is read as strictly as ever.  So a state from a checkpoint is the one that a
full replay gives, at every step; only the steps before it are not folded again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgpack
import msgspec

from cascade_es.errors import Damaged, InputError
from cascade_es.game import BEHAVIOUR
from cascade_es.history import History, Step
from cascade_es.log import Decoder, Head, Header, Log, RawFrame, Unit, read_frames
from cascade_es.log.disk import read_file
from cascade_es.log.frames import chain_holds, frames_from
from cascade_es.log.reading import is_end
from cascade_es.machines.tables import TABLE_VERSION
from cascade_es.replay import Replay, context_of, fold, names_of
from cascade_es.values.facts import pack_value
from cascade_es.values.state import State
from cascade_es.values.statecode import SCHEMA, pack_state, unpack_state, unpack_value

__all__ = ["EVERY", "SHORT", "About", "LongReplay", "about", "open_at", "side_name"]

EVERY: Final = 250
"""Events from one checkpoint to the next, at least: they are at the borders of units."""

SHORT: Final = 8 * EVERY
"""A log with fewer events is folded at once and gets no side file."""

_QUIET: Final = 2
"""The procedures that run when no action is going on: the turn, and who has priority."""

_MAGIC: Final = b"cascade-es side\x00"
_VERSION: Final = 1
_DIGEST: Final = 32


class _Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """The game before frame ``frames``, which begins at byte ``offset`` and follows ``hash``.

    ``digest`` is SHA-256 of all bytes before; ``state`` is compressed; ``committed`` and ``values`` are
    what the decoder came to know since the checkpoint before: rows of frame, ordinal, commitment or
    content.
    """

    frames: int
    offset: int
    hash: bytes
    digest: bytes
    seq: int
    state: bytes
    committed: bytes
    values: bytes


class _Side(msgspec.Struct, frozen=True, array_like=True):
    """What a side file holds; ``key`` is that of the version that made it.

    ``size``, ``digest`` and ``head`` are of the whole log then, with ``events`` events.
    """

    key: tuple[int, int, int, bytes]
    size: int
    digest: bytes
    frames: int
    hash: bytes
    events: int
    sealed: bool
    definitions: tuple[tuple[bytes, bytes], ...]
    checkpoints: tuple[_Checkpoint, ...]


class About(msgspec.Struct, frozen=True):
    """What a log says about itself, without its units; see :class:`~cascade_es.log.Log`."""

    name: str
    header: Header
    head: Head
    sealed: bool
    view: int | None = None


def side_name(path: str | os.PathLike[str]) -> str:
    """The name of a log's side file.

    >>> side_name("game.ces")
    'game.ces.side'
    """
    return f"{os.fspath(path)}.side"


def open_at(path: str | os.PathLike[str], seq: int, *, side: bool = True) -> History:
    """A log's history, about to be looked at after event ``seq``; see :meth:`Replay.open_at`."""
    name = os.fspath(path)
    data = read_file(path)
    if not side:
        return Replay.of(data, name)
    try:
        long = _with_side(data, name, _load(side_name(path)))
        if long is not None:
            if 0 <= seq <= len(long):
                long.at(seq)
            return long
    except InputError:
        raise
    except _USELESS:
        pass
    return _replayed(data, name, side_name(path))


# What a side file may lead to that is whole, but says what no log says; and damage of the log itself,
# of which a full replay says better where it is.
_USELESS = (Damaged, ValueError, TypeError, LookupError, StopIteration, zlib.error, msgpack.UnpackException)


class LongReplay(History):
    """A log that is folded where it is looked at, from the checkpoint before.

    ``about`` is what the log says about itself.  Whatever needs all events replays the whole log once.
    """

    def __init__(self, data: bytes, about: About, log: Log, side: _Side, total: int) -> None:
        super().__init__(context_of(log), names_of(log))
        self.about = about
        self._data = data
        self._side = side
        self._total = total
        self._starts = [0] + [point.seq for point in side.checkpoints]
        self._segments: dict[int, _Segment] = {}
        self._checked = (len(data), about.head.hash)
        self._all: Replay | None = None

    @property
    def state(self) -> State:
        """The last state."""
        return self.at(self._total)

    @property
    def units(self) -> tuple[Unit, ...]:
        """All accepted decisions with their events."""
        return self._whole.units

    def at(self, seq: int) -> State:
        """The state after event number ``seq``; see :meth:`History.at`.

        Raises:
            InputError: when there is no such event.
            Damaged: when the log does not go on there as its writer wrote it.
        """
        if not 0 <= seq <= self._total:
            raise InputError(f"there is no step {seq}; steps run from 0 to {self._total}")
        return self._recall(seq)

    def since(self, seq: int) -> Iterator[Step]:
        """The events after number ``seq``."""
        return self._whole.since(seq)

    def __len__(self) -> int:
        return self._total

    def _recall(self, seq: int) -> State:
        # Before the first checkpoint there is only the whole log to fold.
        number = bisect_right(self._starts, seq) - 1
        if number == 0:
            return self._whole.at(seq)
        segment = self._segments.get(number)
        if segment is None:
            self._check(self._side.checkpoints[number - 1])
            segment = self._segments[number] = _Segment(self._data, self._side, number - 1, self._recall)
        return segment.at(seq)

    def _check(self, point: _Checkpoint) -> None:
        """See that the chain holds from a checkpoint to the end, as far as that was not seen before."""
        end, last = self._checked
        if point.offset < end:
            if not chain_holds(self._data, point.offset, point.hash, end, last):
                raise Damaged("replaced", "the chain is broken", frame=point.frames, offset=point.offset)
            self._checked = (point.offset, point.hash)

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames of the log, the header's first."""
        return self._whole.hashes

    @property
    def _whole(self) -> Replay:
        if self._all is None:
            self._all = Replay.of(self._data, self.about.name)
        return self._all


class _Segment:
    """What follows one checkpoint: folded on demand, event by event."""

    def __init__(self, data: bytes, side: _Side, number: int, recall: Any) -> None:
        point = side.checkpoints[number]
        self.decoder = _decoder(data, side.checkpoints[: number + 1])
        self.first = point.seq
        self.states = [unpack_state(zlib.decompress(point.state))]
        self.last = (point.frames - 1, point.hash)
        self.ended = False
        self._recall = recall
        self._frames = frames_from(data, point.frames, point.offset, point.hash)

    def at(self, seq: int) -> State:
        """The state after event ``seq``."""
        while len(self.states) <= seq - self.first:
            self.step(next(self._frames))
        return self.states[seq - self.first]

    def to_the_end(self) -> int:
        """Fold all that is left; the number of the last event."""
        for frame in self._frames:
            self.step(frame)
        return self.first + len(self.states) - 1

    def step(self, frame: RawFrame) -> None:
        """Fold the next unit."""
        if self.ended:
            raise Damaged("extended", "it follows the seal", frame=frame.number, offset=frame.offset)
        unit = self.decoder.unit(frame)
        fold(self.states, unit, self._own, frame.number, frame.offset)
        self.last = (frame.number, frame.hash)
        self.ended = is_end(unit)

    def _own(self, seq: int) -> State:
        if seq < self.first:
            state: State = self._recall(seq)
            return state
        return self.states[seq - self.first]


def _decoder(data: bytes, points: tuple[_Checkpoint, ...]) -> Decoder:
    """A decoder that knows what it would after reading all frames before the last checkpoint."""
    decoder = Decoder()
    decoder.header(next(read_frames(data)))
    places = decoder.places
    values = _Values(places.values)
    for point in points:
        rows = msgpack.unpackb(point.committed, use_list=False)
        places.committed.update({(frame, ordinal): mark for frame, ordinal, mark in rows})
        rows = msgpack.unpackb(point.values, use_list=False)
        values.packed.update({(frame, ordinal): content for frame, ordinal, content in rows})
    places.values = values
    return decoder


class _Values(dict[tuple[int, int], Any]):
    """Opened values by place; those from a side file are unpacked when they are asked for."""

    def __init__(self, values: dict[tuple[int, int], Any]) -> None:
        super().__init__(values)
        self.packed: dict[tuple[int, int], bytes] = {}

    def get(self, place: tuple[int, int], default: Any = None) -> Any:
        """The value that was opened at this place."""
        if place in self:
            return self[place]
        content = self.packed.get(place)
        return default if content is None else unpack_value(content)


# ------------------------------------------------------------------------------- using and making


def _with_side(data: bytes, name: str, side: _Side | None) -> LongReplay | None:
    """The history by a side file; None if that is of no use for this log."""
    if side is None:
        return None
    digest = hashlib.sha256()
    points = []
    end = 0
    for point in side.checkpoints:
        if point.offset > len(data):
            break
        digest.update(memoryview(data)[end : point.offset])
        end = point.offset
        if digest.digest() != point.digest:
            break
        points.append(point)
    if not points:
        return None
    valid = msgspec.structs.replace(side, checkpoints=tuple(points))
    if len(points) == len(side.checkpoints) and len(data) == side.size:
        digest.update(memoryview(data)[end:])
        if digest.digest() == side.digest:
            about = _about(data, name, Head(side.frames, side.hash), side.sealed)
            return _history(data, about, valid, side.events)
    if len(points) < len(side.checkpoints):
        return None  # another log, or another copy of this one
    # The log has grown: what follows the last checkpoint is read anew.
    tip = points[-1]
    history = _history(
        data[: tip.offset], _about(data, name, Head(tip.frames, tip.hash), False), valid, tip.seq
    )
    rest = _Segment(data, valid, len(points) - 1, history._recall)
    total = rest.to_the_end()
    if total - tip.seq > SHORT:
        return None
    known = tuple({**dict(side.definitions), **rest.decoder.definitions}.items())
    valid = msgspec.structs.replace(valid, definitions=known)
    frames, last = rest.last
    return _history(data, _about(data, name, Head(frames + 1, last), rest.ended), valid, total)


def about(history: History) -> About:
    """What the log of a history that :func:`open_at` gave says about itself."""
    if isinstance(history, LongReplay):
        return history.about
    assert isinstance(history, Replay)
    log = history.log
    return About(log.name, log.header, log.head, log.sealed, log.view)


def _about(data: bytes, name: str, head: Head, sealed: bool) -> About:
    decoder = Decoder()
    header = decoder.header(next(read_frames(data, name)), name)
    return About(name, header, head, sealed, decoder.view)


def _history(data: bytes, about: About, side: _Side, total: int) -> LongReplay:
    first = next(read_frames(data, about.name))
    log = Log(about.name, about.header, (first,), (), dict(side.definitions))
    return LongReplay(data, about, log, side, total)


def _replayed(data: bytes, name: str, side: str) -> History:
    """A full replay, from which a side file is made if the log is long."""
    replay = Replay.of(data, name)
    if len(replay) >= SHORT:
        # A folder may not be written, a state not be kept: it is only a cache.
        with contextlib.suppress(OSError, TypeError):
            _save(side, _made(data, replay))
    return replay


def _made(data: bytes, replay: Replay) -> _Side:
    """The side file of a log that was replayed."""
    log = replay.log
    decoder = Decoder()
    decoder.header(log.frames[0])
    # The places that were known before each checkpoint: the dicts of the decoder keep their order.
    marks: list[tuple[int, int, int, int]] = []
    seq = since = 0
    for frame in log.frames[1:]:
        # In the middle of an action a reversal would look back to before it; so rather before the next.
        if since >= (EVERY if len(replay.at(seq).game.frames) <= _QUIET else 2 * EVERY):
            places = decoder.places
            marks.append((frame.number, seq, len(places.committed), len(places.values)))
            since = 0
        events = len(decoder.unit(frame).events)
        seq += events
        since += events
    committed = [(*place, mark) for place, mark in decoder.places.committed.items()]
    values = [(*place, pack_value(value)) for place, value in decoder.places.values.items()]
    digest = hashlib.sha256()
    points = []
    end = 0
    for before, (number, seq, known, opened) in pairwise([(0, 0, 0, 0), *marks]):
        frame = log.frames[number]
        digest.update(memoryview(data)[end : frame.offset])
        end = frame.offset
        points.append(
            _Checkpoint(
                number,
                frame.offset,
                frame.previous,
                digest.digest(),
                seq,
                zlib.compress(pack_state(replay.at(seq)), 1),
                msgpack.packb(committed[before[2] : known]),
                msgpack.packb(values[before[3] : opened]),
            )
        )
    digest.update(memoryview(data)[end:])
    return _Side(
        _key(),
        len(data),
        digest.digest(),
        log.head.frames,
        log.head.hash,
        len(replay),
        log.sealed,
        tuple(log.definitions.items()),
        tuple(points),
    )


def _key() -> tuple[int, int, int, bytes]:
    """What must be as it was: this format, the machines, the rules' code, and the fields of a state."""
    return (_VERSION, TABLE_VERSION, BEHAVIOUR, SCHEMA)


def _save(name: str, side: _Side) -> None:
    """Write a side file, whole or not at all, for its owner alone."""
    content = msgspec.msgpack.encode(side)
    file, fresh = tempfile.mkstemp(prefix=os.path.basename(name) + ".", dir=os.path.dirname(name) or ".")
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(_MAGIC + hashlib.sha256(content).digest() + content)
        os.replace(fresh, name)
    except BaseException:
        os.unlink(fresh)
        raise


def _load(name: str) -> _Side | None:
    """A side file, if there is one that is whole and of this version."""
    try:
        content = Path(name).read_bytes()
    except (OSError, ValueError):
        return None
    begin = len(_MAGIC) + _DIGEST
    body = memoryview(content)[begin:]
    if content[: len(_MAGIC)] != _MAGIC or hashlib.sha256(body).digest() != content[len(_MAGIC) : begin]:
        return None
    try:
        side = msgspec.msgpack.decode(body, type=_Side)
    except msgspec.DecodeError:
        return None
    return side if side.key == _key() else None
