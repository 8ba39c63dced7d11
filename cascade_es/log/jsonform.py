"""Logs as JSON lines and back: the same log, for tools that do not read frames.

A log is bytes in one form only, so its twin in text must be one too: every line here gives back the
very bytes that it was made of, or it is refused with its number.  That makes it a form in which a
log can be kept under version control, compared, searched, and mended by hand; what was mended is then
another log, and its hashes must be made again by whoever says so.

One line is one JSON object and one frame, in ASCII::

    {"form": 0, "frame": 0, "hash": "…", "header": {…}, "openings": {…}}
    {"frame": 1, "hash": "…", "unit": {"decision": {…}, "events": [{…}, …], "time": null}, "openings": …}

* ``hash`` is the chain value of the frame, so the last one is the head of the log;
* records are objects with the names of their fields, all of them; an event begins with its ``kind``;
* bytes are hexadecimal text, tuples are arrays;
* a fact is ``{"public": value}``, or ``{"frame", "ordinal", "audience", "commitment"}``;
* in the value of a fact bytes are ``{"hex": "…"}`` and a card is ``{"card": name, "digest": "…"}``;
* ``openings`` is null, or ``{"facts": [{"frame", "ordinal", "salt", "value"}], "definitions": […],
  "view": null or a seat}`` (whose view the log is, beside the header only; -1 is the public's),
  where a definition is ``{"digest", "json": {…}}`` as the script is, or ``{"digest", "hex"}`` where the
  bytes are no canonical JSON.

The chain covers the payload and not the openings, as in the file.
"""

from __future__ import annotations

import functools
import json
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

import msgpack
import msgspec

from cascade_es.errors import Damaged, InputError
from cascade_es.log.frames import MAGIC, START, chain, pack_frame
from cascade_es.log.reading import Log, parse_log
from cascade_es.log.wire import FORMAT, Encoder, Header, Openings, Unit
from cascade_es.values.decisions import RecordedDecision
from cascade_es.values.events import KINDS, Event
from cascade_es.values.facts import CardRef, Fact, Opening, pack_value

__all__ = ["FORM", "from_json_lines", "record_json", "to_json_lines", "value_json"]

FORM: Final = 0
"""The version of this JSON form; the first line names it."""

MAX_JSON_DEPTH: Final = 64
"""The most arrays and objects inside one another in a definition that is written as JSON."""

_PLACE: Final = ("frame", "ordinal", "audience", "commitment")
_S = TypeVar("_S", bound=msgspec.Struct)
_Reader = Callable[[Any, str], Any]


class _Wrong(ValueError):
    """What is wrong on a line, before its number is known."""


# ------------------------------------------------------------------------------------ to JSON


def to_json_lines(log: Log) -> Iterator[str]:
    """The lines of a log, without line ends; :func:`from_json_lines` gives back its bytes.

    Raises:
        InputError: when the log is of an older format: only the newest has a twin in JSON.
    """
    if log.header.format != FORMAT:
        what = f"this log is of format {log.header.format}, and only format {FORMAT} has a form in JSON"
        what += "; keep the log itself, and see 'show --json' for its events"
        raise InputError(what, where=log.name)
    for number, frame in enumerate(log.frames):
        line: dict[str, Any] = {"form": FORM} if number == 0 else {}
        line |= {"frame": number, "hash": frame.hash.hex()}
        if number == 0:
            line["header"] = record_json(log.header)
        else:
            line["unit"] = _unit_json(log.units[number - 1][1])
        line["openings"] = _openings_json(frame.openings)
        yield json.dumps(line, ensure_ascii=True, allow_nan=False)


def record_json(value: Any, *, opened: bool = False) -> Any:
    """A record, with all that is inside, in this form; an event has its ``kind`` first.

    With ``opened`` a sealed fact whose value is known has it too, as ``"value"``: for people, since it
    is not what stands at that place in the log.

    >>> from cascade_es.values import events as ev
    >>> record_json(ev.Countered("resolve", 7, True, 12, 9))
    {'kind': 'countered', 'rule': 'resolve', 'cause': 7, 'auto': True, 'object': 12, 'by': 9}
    """
    if isinstance(value, Fact):
        if not value.sealed:
            return {"public": value_json(value.value)}
        sealed = {
            "frame": value.frame,
            "ordinal": value.ordinal,
            "audience": value.audience,
            "commitment": value.commitment.hex(),
        }
        return {**sealed, "value": value_json(value.value)} if opened and value.known else sealed
    if isinstance(value, msgspec.Struct):
        named = {"kind": value.kind} if isinstance(value, Event) else {}
        fields = value.__struct_fields__
        return named | {name: record_json(getattr(value, name), opened=opened) for name in fields}
    if isinstance(value, tuple):
        return [record_json(item, opened=opened) for item in value]
    return value.hex() if isinstance(value, bytes) else value


def value_json(value: Any) -> Any:
    """The value of a fact in this form.

    >>> value_json((1, None, b"\\xff", CardRef("Forest", b"\\x01")))
    [1, None, {'hex': 'ff'}, {'card': 'Forest', 'digest': '01'}]
    """
    if isinstance(value, CardRef):
        return {"card": value.name, "digest": value.digest.hex()}
    if isinstance(value, tuple):
        if len(value) == 2 and type(value[0]) is str and type(value[1]) is bytes:
            return {"card": value[0], "digest": value[1].hex()}
        return [value_json(item) for item in value]
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _unit_json(unit: Unit) -> dict[str, Any]:
    return {
        "decision": record_json(unit.decision),
        "events": [record_json(event) for event in unit.events],
        "time": unit.time,
    }


def _openings_json(section: bytes) -> dict[str, Any] | None:
    if not section:
        return None
    openings = msgspec.convert(msgpack.unpackb(section, use_list=False), Openings)
    return {
        "facts": [
            {
                "frame": item.frame,
                "ordinal": item.ordinal,
                "salt": item.salt.hex(),
                "value": value_json(msgpack.unpackb(item.content, use_list=False)),
            }
            for item in openings.facts
        ],
        "definitions": [_definition_json(digest, content) for digest, content in openings.definitions],
        "view": openings.view,
    }


def _definition_json(digest: bytes, content: bytes) -> dict[str, Any]:
    try:
        script = _loads(content.decode())
        if _depth(script) <= MAX_JSON_DEPTH and _compact(script) == content:
            return {"digest": digest.hex(), "json": script}
    except (ValueError, RecursionError):
        pass
    return {"digest": digest.hex(), "hex": content.hex()}


def _compact(script: Any) -> bytes:
    return json.dumps(script, ensure_ascii=False, separators=(",", ":")).encode()


def _depth(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inside), default=0)


# ---------------------------------------------------------------------------------- from JSON


def from_json_lines(lines: Iterable[str], name: str = "") -> bytes:
    """The bytes of the log that these lines are; ``name`` is what errors call them.

    The chain is made again from what the lines say, and must be the one that they name; then the log
    is read as strictly as any other.

    Raises:
        InputError: at the first line that is not in this form, or is no frame of this log.
    """
    encoder = Encoder()
    parts = [MAGIC]
    previous = START
    for number, text in enumerate(lines):
        try:
            payload, openings, stated = _frame(encoder, _loads(text), number)
            own = chain(previous, payload)
            if stated != own:
                raise _Wrong(
                    f"what stands here has the hash {own.hex()}, not {stated.hex()}; this line or an "
                    "earlier one was changed since it was written"
                )
            parts.append(pack_frame(previous, payload, openings))
        except RecursionError:
            raise _misplaced("nested too deep; no log has that", name, number) from None
        except InputError as error:
            raise _misplaced(error.what, name, number) from None
        except ValueError as error:
            raise _misplaced(str(error), name, number) from None
        previous = own
    if len(parts) == 1:
        raise InputError("no line in it; the first is the header of a log", where=name)
    content = b"".join(parts)
    try:
        parse_log(content)
    except Damaged as damage:
        what = f"{damage.detail} ({damage.kind}); only what 'to-json' wrote can be made a log again"
        raise _misplaced(what, name, damage.frame) from None
    return content


def _misplaced(what: str, name: str, number: int) -> InputError:
    return InputError(what, where=f"{name or 'line'}:{number + 1}")


def _loads(text: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        if text.startswith("\ufeff"):
            raise _Wrong("it begins with a byte order mark; save it as UTF-8 without one") from None
        raise _Wrong(f"not JSON at column {error.colno}: {error.msg}; give one object a line") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("an object has a key twice; keep one of them")
    return found


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python's own limit on what it converts
        raise _Wrong(f"a number of {len(text)} digits; no log has that") from None


def _no_number(text: str) -> Any:
    raise _Wrong(f"{text[:40]} is no whole number; a log has no others")


def _frame(encoder: Encoder, raw: Any, number: int) -> tuple[bytes, bytes, bytes]:
    """The payload and the openings that a line stands for, and the hash that it states."""
    content = "unit" if number else "header"
    said = _object(raw, ("frame", "hash", content, "openings") if number else _FIRST, "a frame")
    form = FORM if number else _scalar(int, said["form"], "form")
    if form > FORM:
        raise InputError(f"form {form}, this version reads up to {FORM}; use a newer version")
    if form < 0:
        raise _Wrong(f"no version ever wrote form {form}; give lines that 'to-json' wrote")
    if _scalar(int, said["frame"], "frame") != number:
        raise _Wrong(f"frame {said['frame']} stands where frame {number} belongs; put the lines in order")
    if number:
        payload = encoder.unit(_unit(said["unit"]))[0]
    else:
        header = _record(said["header"], Header, "header")
        if header.format > FORMAT:
            what = (
                f"written in format {header.format}, this version reads up to {FORMAT}; use a newer version"
            )
            raise InputError(what)
        if 0 <= header.format < FORMAT:
            raise InputError(f"written in format {header.format}; only format {FORMAT} has a form in JSON")
        payload = encoder.header(header)[0]
    openings = said["openings"]
    section = b"" if openings is None else encoder.openings(_openings(openings))
    if openings is not None and not section:
        raise _Wrong("openings: null is expected where there are none")
    return payload, section, _bytes(said["hash"], "hash")


_FIRST: Final = ("form", "frame", "hash", "header", "openings")


def _object(raw: Any, keys: tuple[str, ...], what: str) -> dict[str, Any]:
    if type(raw) is not dict:
        raise _Wrong(f"{what}: an object is expected")
    missing = [key for key in keys if key not in raw]
    if missing:
        raise _Wrong(f"{what}: the key '{missing[0]}' is missing; all fields are written")
    if len(raw) > len(keys):
        extra = next(key for key in raw if key not in keys)
        raise _Wrong(f"{what}: unknown key {extra[:40]!r}; the keys are {', '.join(keys)}")
    return raw


def _bytes(raw: Any, what: str) -> bytes:
    try:
        content = bytes.fromhex(raw)
    except (ValueError, TypeError):
        content = None
    if content is None or content.hex() != raw:
        raise _Wrong(f"{what}: bytes in lower hexadecimal are expected")
    return content


def _list(raw: Any, what: str) -> list[Any]:
    if type(raw) is not list:
        raise _Wrong(f"{what}: an array is expected")
    return raw


def _unit(raw: Any) -> Unit:
    said = _object(raw, ("decision", "events", "time"), "unit")
    decision = _record(said["decision"], RecordedDecision, "decision")
    rows = enumerate(_list(said["events"], "events"))
    return Unit(decision, tuple([_event(row, f"events[{index}]") for index, row in rows]), said["time"])


def _event(raw: Any, what: str) -> Event:
    kind = raw.get("kind") if type(raw) is dict else None
    cls = KINDS.get(kind) if type(kind) is str else None
    if cls is None:
        raise _Wrong(f"{what}: no kind of event is called {str(kind)[:40]!r}")
    return _record({key: item for key, item in raw.items() if key != "kind"}, cls, f"{what} ({kind})")


def _record(raw: Any, cls: type[_S], what: str) -> _S:
    readers = _readers(cls)
    said = _object(raw, tuple(readers), what)
    return cls(*[read(said[key], f"{what}.{key}") for key, read in readers.items()])


@functools.cache
def _readers(cls: type[msgspec.Struct]) -> dict[str, _Reader]:
    return {field.name: _reader(field.type) for field in msgspec.structs.fields(cls)}


def _reader(kind: Any) -> _Reader:
    """What reads a field of this type."""
    if kind is Fact:
        return _fact
    if kind is bytes:
        return _bytes
    if kind in _WORDS:
        return functools.partial(_scalar, kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return lambda raw, what: _record(raw, kind, what)
    inner = typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        return functools.partial(_tuple, inner)
    if typing.get_origin(kind) in (types.UnionType, typing.Union) and len(inner) == 2:
        some = _reader(next(item for item in inner if item is not types.NoneType))
        return lambda raw, what: None if raw is None else some(raw, what)
    raise TypeError(f"a field of type {kind} has no form in JSON")


_WORDS: Final = {int: "a whole number", str: "text", bool: "true or false"}


def _scalar(kind: type, raw: Any, what: str) -> Any:
    if type(raw) is not kind:
        raise _Wrong(f"{what}: {_WORDS[kind]} is expected")
    return raw


def _tuple(inner: tuple[Any, ...], raw: Any, what: str) -> tuple[Any, ...]:
    items = _list(raw, what)
    kinds = inner if inner[-1] is not ... else inner[:1] * len(items)
    if len(items) != len(kinds):
        raise _Wrong(f"{what}: {len(kinds)} items are expected, not {len(items)}")
    return tuple(
        [
            _reader(kind)(item, f"{what}[{index}]")
            for index, (kind, item) in enumerate(zip(kinds, items, strict=True))
        ]
    )


def _fact(raw: Any, what: str) -> Fact:
    if type(raw) is dict and "public" in raw:
        try:
            return Fact.public(_value(_object(raw, ("public",), what)["public"], f"{what}.public"))
        except InputError as error:
            raise _Wrong(f"{what}.public: {error.what}") from None
    said = _object(raw, _PLACE, what)
    frame, ordinal, audience = (_scalar(int, said[key], f"{what}.{key}") for key in _PLACE[:3])
    mark = _bytes(said["commitment"], f"{what}.commitment")
    if not mark:
        raise _Wrong(f"{what}.commitment: a sealed fact has one")
    return Fact(frame, ordinal, audience, mark)


def _value(raw: Any, what: str) -> Any:
    if type(raw) is list:
        return tuple([_value(item, what) for item in raw])
    if type(raw) is dict:
        if "hex" in raw:
            return _bytes(_object(raw, ("hex",), what)["hex"], what)
        said = _object(raw, ("card", "digest"), what)
        return CardRef(_scalar(str, said["card"], f"{what}.card"), _bytes(said["digest"], f"{what}.digest"))
    return raw


def _openings(raw: Any) -> Openings:
    said = _object(raw, Openings.__struct_fields__, "openings")
    facts = [
        _opening(item, f"openings.facts[{index}]")
        for index, item in enumerate(_list(said["facts"], "openings.facts"))
    ]
    definitions = [
        _definition(item, f"openings.definitions[{index}]")
        for index, item in enumerate(_list(said["definitions"], "openings.definitions"))
    ]
    view = said["view"]
    return Openings(
        tuple(facts),
        tuple(definitions),
        None if view is None else _scalar(int, view, "openings.view"),
    )


def _opening(raw: Any, what: str) -> Opening:
    said = _object(raw, ("frame", "ordinal", "salt", "value"), what)
    frame, ordinal = (_scalar(int, said[key], f"{what}.{key}") for key in ("frame", "ordinal"))
    try:
        content = pack_value(_value(said["value"], f"{what}.value"))
    except InputError as error:
        raise _Wrong(f"{what}.value: {error.what}") from None
    return Opening(frame, ordinal, _bytes(said["salt"], f"{what}.salt"), content)


def _definition(raw: Any, what: str) -> tuple[bytes, bytes]:
    if type(raw) is dict and "hex" in raw:
        said = _object(raw, ("digest", "hex"), what)
        content = _bytes(said["hex"], f"{what}.hex")
    else:
        said = _object(raw, ("digest", "json"), what)
        content = _compact(said["json"])
    return _bytes(said["digest"], f"{what}.digest"), content
