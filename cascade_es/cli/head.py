"""``head`` and ``keygen``: what one keeps elsewhere to notice any change of a log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from cascade_es.cli.failures import FINDING, FINE, DamagedLog
from cascade_es.cli.options import common
from cascade_es.cli.output import Output
from cascade_es.errors import Damaged, InputError
from cascade_es.log import Log
from cascade_es.log.disk import write_instead, write_new
from cascade_es.log.heads import Comparison, RememberedHead, compare, head_of, read_head
from cascade_es.log.signatures import is_signed_by, new_keys, public_key, read_private, sign
from cascade_es.stores import read_address, redacted
from cascade_es.views import one_line


@click.command(short_help="Print or keep the head of a log: frames and hash, perhaps signed.")
@click.argument("log")
@click.option("--out", metavar="FILE", help="Keep it there; an older head of the same log is replaced.")
@click.option("--sign", "key", metavar="KEY.pem", help="Sign it with this private Ed25519 key.")
@common
def head(log: str, out: str | None, key: str | None, as_json: bool, color: bool | None) -> int:
    """Print the head of LOG: its id, the number of its frames, and the last one's hash.

    Kept elsewhere, it shows whether the log was cut or rewritten since: 'verify LOG --head FILE'.  A head
    in --out is only replaced if the log is the one that it remembers, perhaps grown; else that is a
    finding, and it stays.

    --json: {"log_id", "frames", "hash", "signature", "file", "against"}; "signature" is "" if there is
    none; "against" compares the log with the head that was there: null, or {"word", "detail", "good"}.
    """
    address, log = log, redacted(log)
    try:
        read = read_address(address)
    except Damaged as damage:
        raise DamagedLog(log, damage) from None
    taken = head_of(read)
    private = read_private(key) if key is not None else None
    if private is not None:
        taken = sign(taken, private)
    before = _replaceable(read, out, private) if out is not None else None
    printer = Output(color=color)
    good = before is None or before.good
    if out is not None and good:
        _replace(out, taken, before is not None)
    if as_json:
        against = {"word": before.word, "detail": before.detail, "good": before.good} if before else None
        document: dict[str, Any] = {"log_id": taken.log_id.hex(), "frames": taken.frames}
        document |= {"hash": taken.hash.hex(), "signature": taken.signature.hex(), "file": out}
        printer.document(document | {"against": against})
    elif out is None:
        for text in taken.text.splitlines():
            printer.line([(text, "")])
    elif before is None or before.good:
        said = f"; {before.detail}" if before is not None else ""
        printer.line([("kept        ", "good"), (f"{one_line(out)}: {taken.frames} frames{said}", "")], 12)
    else:
        why = f"{one_line(log)}: {before.detail}; {one_line(out)} stays as it was"
        printer.line([("not kept    ", "bad"), (why, "")], 12)
    return FINE if good else FINDING


def _replaceable(log: Log, out: str, private: bytes | None) -> Comparison | None:
    """How the log relates to the head that is in a file; None if there is none.

    Raises:
        InputError: when something else is there, or a head that only a signed one may replace.
    """
    if not os.path.lexists(out):
        return None
    try:
        old = read_head(out)
    except InputError as error:
        what = f"{error.what.partition(';')[0]}; it was left alone; choose another name"
        raise InputError(what, where=f"--out {out}") from None
    if old.signature:
        if private is None:
            raise InputError("the head there is signed; give --sign to replace it", where=f"--out {out}")
        if not is_signed_by(old, public_key(private)):
            what = "the head there is signed by another key; sign with that, or choose another name"
            raise InputError(what, where=f"--out {out}")
    return compare(log, old)


def _replace(out: str, head: RememberedHead, exists: bool) -> None:
    """Write the file, or replace it whole."""
    if not exists:
        write_new(out, head.text.encode())
        return
    write_instead(out, head.text.encode())


@click.command(short_help="Make a key to sign heads with.")
@click.argument("file", metavar="KEY.pem")
@click.option("--public", metavar="PUB.pem", help="Where the public part goes; else beside KEY.pem.")
@common
def keygen(file: str, public: str | None, as_json: bool, color: bool | None) -> int:
    """Make an Ed25519 key: the private part in KEY.pem, the public part beside it in KEY.pub.pem.

    Neither file may exist.  KEY.pem has no password; only its owner may read it.

    --json: {"private", "public"}, the names of the files.
    """
    if not file:
        raise InputError("a name of no letters; name a file", where="KEY.pem")
    if public is None:
        path = Path(file)
        public = str(path.with_name(f"{path.stem}.pub{path.suffix or '.pem'}"))
    if os.path.lexists(public):
        what = "this file exists already and was left alone; choose another name or remove it"
        raise InputError(what, where=public)
    private_pem, public_pem = new_keys()
    write_new(file, private_pem, private=True)
    try:
        write_new(public, public_pem)
    except BaseException:
        os.unlink(file)
        raise
    printer = Output(color=color)
    if as_json:
        printer.document({"private": file, "public": public})
    else:
        printer.line([("private  ", "strong"), (f"{one_line(file)}: keep it to yourself", "")], 9)
        printer.line([("public   ", "strong"), (f"{one_line(public)}: for 'verify --key'", "")], 9)
    return FINE
