"""Disclosures: single openings in a file of their own, which the log's commitments prove or refute."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from pathlib import Path

import msgpack
import msgspec
import pytest

from cascade_es import Game, InputError, Replay, disclose, project
from cascade_es.log import (
    Disclosure,
    FalseDisclosure,
    Openings,
    pack_disclosure,
    parse_disclosure,
    parse_log,
    read_disclosure,
)
from cascade_es.projection import facts_in
from cascade_es.verify import verify, verify_bytes


@pytest.fixture
def game(begin: Callable[..., Game]) -> Game:
    """A finished game with hidden cards."""
    started = begin()
    started.seal()
    return started


def place_of(game: Game, seat: int, zone: str) -> tuple[int, int]:
    """Where a card that the public does not see is sealed."""
    card = game.state.object(game.state.zone(zone, seat)[0]).card
    return card.frame, card.ordinal


def test_a_disclosed_fact_is_read_in_a_view(game: Game) -> None:
    """With a disclosure a view tells one card more, with its definition, and one fact less is sealed."""
    place = place_of(game, 1, "hand")
    view = project(game.log_bytes, None)
    extra = disclose(game.log_bytes, [place])
    handle = game.state.player(1).hand[0]
    before, after = Replay.of(view), Replay.of(view, disclosed=extra)
    assert "a card" == before.board.name(handle)
    assert game.board.name(handle) == after.board.name(handle) == "Spark"
    one, other = verify_bytes(view), verify_bytes(view, disclosed=extra)
    assert ("consistent", one.hidden - 1, one.head) == (other.word, other.hidden, other.head)


def test_everything_disclosed_makes_a_view_exact(game: Game) -> None:
    """Whoever gets every opening beside a view can re-execute the game like its recorder."""
    log = parse_log(game.log_bytes)
    places = [
        (fact.frame, fact.ordinal)
        for record in (log.header, *(unit for _, unit in log.units))
        for fact in facts_in(record)
        if fact.sealed
    ]
    verdict = verify_bytes(project(game.log_bytes, 0), disclosed=disclose(game.log_bytes, places))
    assert ("exact", 0) == (verdict.word, verdict.hidden)


def test_a_disclosure_is_for_one_log(game: Game, recorded: Game) -> None:
    """A disclosure of another log is named as that, whatever it opens."""
    extra = disclose(recorded.log_bytes, [(0, 1)])
    for read in (Replay.of, verify_bytes):
        with pytest.raises(InputError, match=r"it is about log .*, not about"):
            read(game.log_bytes, disclosed=extra)


def test_a_lie_is_found(game: Game) -> None:
    """An opening that does not fit, or of nothing, refutes the disclosure and not the log."""
    extra = parse_disclosure(disclose(game.log_bytes, [place_of(game, 1, "hand")]))
    (opening,) = extra.openings.facts
    view = project(game.log_bytes, 0)
    for lie, words in (
        (msgspec.structs.replace(opening, salt=bytes(16)), "does not fit the commitment"),
        (msgspec.structs.replace(opening, frame=99), "where nothing is sealed"),
    ):
        content = pack_disclosure(Disclosure(extra.log_id, Openings((lie,))))
        with pytest.raises(FalseDisclosure, match=words):
            Replay.of(view, disclosed=content)
        verdict = verify_bytes(view, disclosed=content)
        assert "damaged" == verdict.word
        assert verdict.detail.startswith("disclosure: ")
        assert "consistent" == verify_bytes(view).word


def test_a_disclosure_returns(game: Game, tmp_path: Path) -> None:
    """What was written is read: the log's id, the openings in order, the definitions, the name."""
    hand, library = place_of(game, 1, "hand"), place_of(game, 0, "library")
    content = disclose(game.log_bytes, [library, hand, library])
    file = tmp_path / "cards"
    file.write_bytes(content)
    found = read_disclosure(file)
    assert (parse_log(game.log_bytes).header.log_id, str(file)) == (found.log_id, found.name)
    assert tuple(sorted((hand, library))) == found.places
    assert 2 == len(found.openings.definitions)
    log = tmp_path / "log"
    log.write_bytes(game.log_bytes)
    assert "exact" == verify(log, file).word


@pytest.mark.parametrize("change", range(0, 400, 7))
def test_damage_to_a_disclosure_is_an_error(game: Game, change: int) -> None:
    """No byte of a disclosure can change, and none can be missing, unnoticed."""
    content = disclose(game.log_bytes, [place_of(game, 1, "hand"), place_of(game, 0, "hand")])
    place = change % len(content)
    flipped = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
    for wrong in (flipped, content[:place], content + b"\x00"):
        with pytest.raises(InputError, match="disclosure"):
            parse_disclosure(wrong)


def test_a_stranger_s_disclosure_is_read_one_way_or_refused(game: Game) -> None:
    """Behind a right checksum anything may stand: a newer format is named, all else is something else."""
    good = disclose(game.log_bytes, [place_of(game, 1, "hand")])
    number, log_id, facts, definitions = msgpack.unpackb(good[20:], use_list=False)

    def made(*rest: object, more: bytes = b"") -> bytes:
        content: bytes = msgpack.packb(rest) + more
        return good[:16] + zlib.crc32(content).to_bytes(4, "big") + content

    assert made(number, log_id, facts, definitions) == good
    with pytest.raises(InputError, match=r"^from bob: written in format 7; use a newer version$"):
        parse_disclosure(made(7, "whatever"), "from bob")
    ((digest, content),) = definitions
    for wrong in (
        made(),
        made("1", log_id, facts, definitions),
        made(number - 1, log_id, facts, definitions),
        made(True, log_id, facts, definitions),
        made(number, log_id, facts),
        made(number, log_id, facts, definitions, 0),
        made(number, log_id, (*facts, *facts), definitions),
        made(number, log_id, facts, ((digest, content + b" "),)),
        made(number, base64.b64encode(log_id).decode(), facts, definitions),
        made(number, log_id, facts, definitions, more=b"\x00"),
    ):
        with pytest.raises(InputError, match=r"^from bob: this disclosure holds something else; ask for it"):
            parse_disclosure(wrong, "from bob")


def test_only_what_is_there_can_be_disclosed(game: Game) -> None:
    """A fact that is not sealed, or not open to this copy, cannot be disclosed; nor can nothing."""
    with pytest.raises(InputError, match=r"nothing is sealed at 7\.7"):
        disclose(game.log_bytes, [(7, 7)])
    with pytest.raises(InputError, match="no opening of"):
        disclose(project(game.log_bytes, 0), [place_of(game, 1, "hand")])
    with pytest.raises(InputError, match="no fact is named"):
        disclose(game.log_bytes, [])
    mine = place_of(game, 0, "hand")
    assert disclose(game.log_bytes, [mine]) == disclose(project(game.log_bytes, 0), [mine])
