"""Logs as a stranger might write them: any content, in frames whose checksums and chain are right.

Damage of bytes never gets past the frames.  These mutations do: they change what the payloads and
openings mean, and then make the file anew as its writer would have made it, so that what is tested is
everything behind the frames.
"""

from __future__ import annotations

import json
import random
from typing import Any

import msgpack
import msgspec

from cascade_es.log import MAGIC, definition_digest, read_frames
from cascade_es.log.frames import START, chain, pack_frame
from cascade_es.values.decisions import ANSWERS
from cascade_es.values.events import KINDS
from cascade_es.values.facts import commitment
from cascade_es.values.script import Definition

Rows = list[tuple[Any, Any]]
"""A log as raw values: the payload and the openings of each frame, in lists."""

BIG = (1 << 31, (1 << 63) - 1, (1 << 64) - 1, -(1 << 63), 10**6, 10**9)
PLACES = (
    "",
    "library",
    "hand",
    "battlefield",
    "stack",
    "nowhere",
    "tap",
    "draw",
    "os.system",
    "\x00",
    "ß" * 300,
)
WORDS = (*PLACES, *KINDS, *ANSWERS)


def unpacked(content: bytes) -> Rows:
    """The frames of a log as raw values."""
    return [
        (
            msgpack.unpackb(frame.payload, use_list=True),
            msgpack.unpackb(frame.openings, use_list=True) if frame.openings else None,
        )
        for frame in read_frames(content)
    ]


def packed(rows: Rows) -> bytes:
    """A file of these frames, with checksums and a chain as they should be."""
    parts, previous = [MAGIC], START
    for payload, openings in rows:
        content = payload if isinstance(payload, bytes) else msgpack.packb(payload, use_bin_type=True)
        beside = openings if isinstance(openings, bytes) else b""
        if openings is not None and not isinstance(openings, bytes):
            beside = msgpack.packb(openings, use_bin_type=True)
        parts.append(pack_frame(previous, content, beside))
        previous = chain(previous, content)
    return b"".join(parts)


def opened(rows: Rows) -> Rows:
    """The same log with every fact in clear that an opening gives: so that mutations reach the values."""
    values: dict[tuple[int, int], Any] = {}
    for _, openings in rows:
        for frame, ordinal, _salt, content in (openings or [[]])[0]:
            values[frame, ordinal] = msgpack.unpackb(content, use_list=True)

    def clear(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) == 4 and isinstance(value[3], bytes) and len(value[3]) == 32:
            place = (value[0], value[1])
            return [values[place]] if place in values else value
        return [clear(item) for item in value]

    header, *units = rows
    made: Rows = [header]
    for payload, openings in units:
        definitions = openings[1] if openings else []
        made.append((clear(payload), [[], definitions] if definitions else None))
    return made


def recommit(rows: Rows, rng: random.Random) -> None:
    """Change one sealed value, and commit to the new one: in its frame and wherever it is repeated."""
    places = [
        (number, index)
        for number, (_, beside) in enumerate(rows)
        if beside
        for index in range(len(beside[0]))
    ]
    if not places:
        return
    number, index = rng.choice(places)
    opening = rows[number][1][0][index]
    frame, ordinal, salt, content = opening
    value = [msgpack.unpackb(content, use_list=True)]
    mutate(value, rng)
    opening[3] = msgpack.packb(value[0] if value else None, use_bin_type=True)
    mark = commitment(rows[0][0][4], frame, ordinal, salt, opening[3])

    def everywhere(value: Any) -> None:
        if isinstance(value, list):
            if len(value) == 4 and value[:2] == [frame, ordinal] and isinstance(value[3], bytes):
                value[3] = mark
            for item in value:
                everywhere(item)

    for payload, _ in rows:
        everywhere(payload)


def redefine(rows: Rows, rng: random.Random) -> None:
    """Change one card definition, and its digest wherever it is in clear."""
    found = [pair for _, beside in rows if isinstance(beside, list) for pair in beside[1]]
    if not found:
        return
    pair = rng.choice(found)
    script = [json.loads(pair[1])]
    for _ in range(rng.choice((1, 1, 2))):
        mutate(script, rng)
    try:
        content = json.dumps(script[0] if script else None, ensure_ascii=False).encode()
        content = msgspec.json.encode(msgspec.json.decode(content, type=Definition), order="deterministic")
    except (msgspec.MsgspecError, TypeError, ValueError):
        return
    old, new = pair[0], definition_digest(content)

    def everywhere(value: Any) -> None:
        for index, item in enumerate(value):
            if item == old:
                value[index] = new
            elif isinstance(item, list):
                everywhere(item)

    for row in rows:
        everywhere(row[0])
    pair[0], pair[1] = new, content


def mutate(value: Any, rng: random.Random) -> None:
    """Change one thing somewhere inside a list."""
    spots: list[tuple[Any, Any]] = []

    def collect(inside: Any) -> None:
        for index, item in inside.items() if isinstance(inside, dict) else enumerate(inside):
            spots.append((inside, index))
            if isinstance(item, list | dict):
                collect(item)

    collect(value)
    if not spots:
        value.append(0)
        return
    where, index = rng.choice(spots)
    old = where[index]
    there, place = rng.choice(spots)
    if isinstance(where, dict):
        taken = not isinstance(old, list) and not isinstance(there[place], list | dict) and rng.random() < 0.5
        where[index] = there[place] if taken else _near(old, rng)
        return
    match rng.randrange(8):
        case 0:
            del where[index]
        case 1:
            where.insert(index, old)
        case 2:
            other = rng.randrange(len(where))
            where[index], where[other] = where[other], where[index]
        case 3:
            where[index] = there[place] if not isinstance(there[place], list | dict) else 0
        case 4:
            where[index] = rng.choice((None, True, False, 0, -1, 1, b"", "", [], [[]], b"\xff" * 32, *BIG))
        case 5:
            where[index] = rng.choice(WORDS)
        case _:
            where[index] = _near(old, rng)


def _near(old: Any, rng: random.Random) -> Any:
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return rng.choice((old + 1, old - 1, -old, old * 2, rng.choice(BIG), rng.randrange(40)))
    if isinstance(old, str):
        if old.isdigit():
            return str(rng.choice((0, 1, 2, -1, 7, *BIG)))
        return rng.choice((old[1:], old + "x", rng.choice(WORDS)))
    if isinstance(old, bytes):
        return old[:-1] if rng.random() < 0.5 else bytes(len(old))
    if isinstance(old, list) and old and rng.random() < 0.7:
        return old * 2 if rng.random() < 0.5 else old[1:]
    return [] if isinstance(old, list | dict) else 1


def stranger(content: bytes, rng: random.Random) -> bytes:
    """A log with a few changes that no checksum shows."""
    rows = unpacked(content)
    if rng.random() < 0.6:
        rows = opened(rows)
        if rng.random() < 0.2:
            redefine(rows, rng)
            if rng.random() < 0.7:
                return packed(rows)
    elif rng.random() < 0.6:
        recommit(rows, rng)
        if rng.random() < 0.7:
            return packed(rows)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        number = rng.randrange(len(rows)) if rng.random() < 0.95 else 0
        match rng.randrange(12):
            case 1:
                del rows[number]
            case 2:
                rows.insert(number, rows[rng.randrange(len(rows))]) if rows else None
            case 3 if rows[number][1]:
                mutate(rows[number][1], rng)
            case _:
                mutate(rows[number][0] if isinstance(rows[number][0], list) else [], rng)
        if not rows:
            break
    try:
        return packed(rows)
    except (OverflowError, ValueError):
        return packed(unpacked(content))
