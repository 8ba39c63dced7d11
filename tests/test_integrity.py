"""Every sort of damage and of forgery is found, and called what it is, where it is."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import msgpack
import pytest

from cascade_es import Game, Verdict, decisions, load_card, project
from cascade_es.cli.verify import accepted
from cascade_es.errors import InputError
from cascade_es.log import MAGIC, RawFrame, chain, pack_frame, parse_log, read_frames, strip_openings
from cascade_es.log.frames import START
from cascade_es.log.heads import RememberedHead, compare, head_of, parent_of, parse_head
from cascade_es.verify import verify_bytes


def small_game(name: str = "alice", *, sealed: bool = True) -> bytes:
    """A log of a few units."""
    game = Game.new(
        {name: {"hand": ["Forest"]}, "bob": {"library": ["Forest"]}},
        cards=[load_card("Forest")],
        step="precombat main",
        seed="a small game",
    )
    game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    for seat in (0, 1, 0):
        game.decide(seat, decisions.Pass())
    if sealed:
        game.decide(decisions.RECORDER, decisions.Seal())
    return game.log_bytes


SMALL = small_game()
FRAMES = tuple(read_frames(SMALL))
LAST = len(FRAMES) - 1


def stored(frames: Any) -> bytes:
    """Frames as they are, in any order."""
    return MAGIC + b"".join(pack_frame(frame.previous, frame.payload, frame.openings) for frame in frames)


def rewritten(payloads: dict[int, bytes], frames: tuple[RawFrame, ...] = FRAMES) -> bytes:
    """A forger's log: some payloads are others, and the whole chain is made anew."""
    previous = START
    parts = [MAGIC]
    for frame in frames:
        payload = payloads.get(frame.number, frame.payload)
        parts.append(pack_frame(previous, payload, frame.openings))
        previous = chain(previous, payload)
    return b"".join(parts)


def found(content: bytes) -> Verdict:
    """The verdict, which must be one that is not accepted."""
    verdict = verify_bytes(content)
    assert not accepted(verdict, True)
    return verdict


def place(verdict: Verdict) -> tuple[str, int]:
    """The kind of damage, and its frame."""
    assert verdict.word == "damaged"
    assert f"({verdict.kind}) at frame {verdict.frame}, byte {verdict.offset}" in verdict.detail
    return verdict.kind, verdict.frame


def test_cut() -> None:
    """A log that ends inside a frame is cut in that frame."""
    for frame in FRAMES:
        assert place(found(SMALL[: frame.offset + 50])) == ("cut", frame.number)


@pytest.mark.parametrize("more", [b"x", bytes(100), b"\xff" * 100, SMALL, MAGIC])
def test_extended(more: bytes) -> None:
    """Whatever is put behind the seal, be it half a frame, noise or a log, extends the log."""
    verdict = found(SMALL + more)
    assert place(verdict) == ("extended", LAST + 1)
    assert verdict.offset == len(SMALL)


def test_extended_by_a_unit() -> None:
    """A unit that continues the chain behind the seal extends the log."""
    more = pack_frame(FRAMES[-1].hash, FRAMES[-2].payload, b"")
    assert place(found(SMALL + more)) == ("extended", LAST + 1)


@pytest.mark.cites("R136")
def test_reordered() -> None:
    """Whichever two units change places, the first of the places is named, and where its unit went."""
    for left, right in combinations(range(len(FRAMES)), 2):
        frames = list(FRAMES)
        frames[left], frames[right] = frames[right], frames[left]
        verdict = found(stored(frames))
        assert place(verdict) == ("reordered", left)
        offsets = [frame.offset for frame in read_whole(frames)]
        assert verdict.detail.endswith(f"stands at byte {offsets[right]}")


def read_whole(frames: list[RawFrame]) -> list[RawFrame]:
    """The frames at the offsets that they have in this order."""
    offset, placed = len(MAGIC), []
    for frame in frames:
        size = len(pack_frame(frame.previous, frame.payload, frame.openings))
        placed.append(RawFrame(0, offset, b"", b"", b"", b""))
        offset += size
    return placed


def test_duplicated() -> None:
    """Wherever a unit stands a second time, the copy is named, or the unit where it stands too early."""
    for copied in FRAMES:
        for at in range(1, len(FRAMES) + 1):
            frames = [*FRAMES[:at], copied, *FRAMES[at:]]
            kind, frame = place(found(stored(frames)))
            assert kind == "duplicated"
            assert frame == at + (at == copied.number)


def test_taken_out() -> None:
    """Without any one unit the next one does not follow; without the last the record is open."""
    for missing in FRAMES[1:-1]:
        frames = [frame for frame in FRAMES if frame is not missing]
        kind = "header" if missing.number == 1 else "replaced"
        assert place(found(stored(frames))) == (kind, missing.number)
    without_the_seal = verify_bytes(stored(FRAMES[:-1]))
    assert not accepted(without_the_seal, False)
    assert "open" in without_the_seal.detail


def test_replaced() -> None:
    """A unit with another payload, well made, is found at the next one, which follows what is not here."""
    for frame in FRAMES[1:-1]:
        other = [decision, *_] = list(msgpack.unpackb(frame.payload, use_list=True))
        assert decision
        other[1] = 12345
        changed = RawFrame(0, 0, msgpack.packb(other), frame.openings, frame.previous, b"")
        frames = [*FRAMES[: frame.number], changed, *FRAMES[frame.number + 1 :]]
        assert place(found(stored(frames))) == ("replaced", frame.number + 1)


def test_header_changed() -> None:
    """A changed header is found at the first unit; with the chain made anew, by what it commits to."""
    fields = list(msgpack.unpackb(FRAMES[0].payload, use_list=True))
    fields[3] = "2020-01-01"
    header = RawFrame(0, 0, msgpack.packb(fields), FRAMES[0].openings, START, b"")
    assert place(found(stored([header, *FRAMES[1:]]))) == ("header", 1)
    fields = list(msgpack.unpackb(FRAMES[0].payload, use_list=True))
    fields[4] = bytes(16)
    assert place(found(rewritten({0: msgpack.packb(fields)}))) == ("opening", 0)


def test_wrong_parent() -> None:
    """A unit that follows an earlier one than the one before it has the wrong parent."""
    for at in range(1, LAST + 1):
        for after in range(at):
            previous = FRAMES[after - 1].hash if after else START
            stray = RawFrame(0, 0, b"\x90", b"", previous, b"")
            frames = [*FRAMES[:at], stray]
            assert place(found(stored(frames))) == ("parent", at)


def test_encoded_otherwise() -> None:
    """The same values in another encoding, with the chain made anew, are damage of the encoding."""
    for frame in FRAMES[1:]:
        payload = frame.payload
        assert payload[0] == 0x93
        longer = b"\xdc\x00\x03" + payload[1:]
        assert place(found(rewritten({frame.number: longer}))) == ("encoding", frame.number)


def test_wrong_opening() -> None:
    """An opening that was changed, or belongs to another fact, is damage of that frame."""
    tried = 0
    for frame in FRAMES:
        if not frame.openings:
            continue
        facts, definitions = msgpack.unpackb(frame.openings, use_list=True)
        for fact in facts:
            salt = fact[2]
            fact[2] = bytes(16)
            changed = RawFrame(0, 0, frame.payload, msgpack.packb([facts, definitions]), frame.previous, b"")
            frames = [*FRAMES[: frame.number], changed, *FRAMES[frame.number + 1 :]]
            assert place(found(stored(frames))) == ("opening", frame.number)
            fact[2] = salt
            tried += 1
    assert tried > 5


def test_missing_opening() -> None:
    """Where the recorder's copy lacks an opening, verification says how many, and the first of the frames."""
    for frame in FRAMES[1:]:
        if not frame.openings:
            continue
        bare = RawFrame(0, 0, frame.payload, b"", frame.previous, b"")
        verdict = verify_bytes(stored([*FRAMES[: frame.number], bare, *FRAMES[frame.number + 1 :]]))
        assert verdict.word == "consistent"
        assert verdict.hidden > 0
        assert f"missing, the first in frame {frame.number}" in verdict.detail
    assert "are sealed to this copy" in verify_bytes(strip_openings(SMALL)).detail


def values(tree: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths of all scalars of a payload."""
    if isinstance(tree, list):
        return [found for index, item in enumerate(tree) for found in values(item, (*path, index))]
    return [path]


def other(value: Any) -> Any:
    """A value of the same sort that is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:] if value else b"x"
    if isinstance(value, str):
        return value + "x"
    return 1


@pytest.mark.cites("R128")
def test_every_field_is_covered() -> None:
    """No field of any unit or of the header can be changed: the chain, the openings or a kept head show it.

    The chain is made anew for each change, as a forger would.
    """
    kept = head_of(parse_log(SMALL))
    changes = 0
    for frame in FRAMES:
        for path in values(msgpack.unpackb(frame.payload, use_list=True)):
            tree = msgpack.unpackb(frame.payload, use_list=True)
            node = tree
            for step in path[:-1]:
                node = node[step]
            node[path[-1]] = other(node[path[-1]])
            changed = {frame.number: msgpack.packb(tree)}
            in_place = [*FRAMES[: frame.number], *FRAMES[frame.number + 1 :]]
            in_place.insert(
                frame.number, RawFrame(0, 0, changed[frame.number], frame.openings, frame.previous, b"")
            )
            try:
                if frame.number < LAST:
                    kind, at = place(found(stored(in_place)))
                    assert (kind, at) in (
                        ("replaced", frame.number + 1),
                        ("header", 1),
                        ("payload", frame.number),
                        ("ordinal", frame.number),
                    )
                verdict = verify_bytes(rewritten(changed))
                if verdict.word != "damaged":
                    comparison = compare(parse_log(rewritten(changed)), kept)
                    assert comparison.word in ("forked", "other-log")
            except InputError:
                # A version that was raised: that log is not read at all.
                assert frame.number == 0
            changes += 1
    assert changes > 150


def test_what_a_forger_could_change_unseen() -> None:
    """Of a recorder's copy, with the chain made anew and no head kept, two things could be others.

    The time of a decision is metadata from outside, and one can insist on what is allowed anyway.  All
    else follows from the decisions by the rules.
    """
    unseen = set()
    for frame in FRAMES[1:]:
        for path in values(msgpack.unpackb(frame.payload, use_list=True)):
            tree = msgpack.unpackb(frame.payload, use_list=True)
            node = tree
            for step in path[:-1]:
                node = node[step]
            node[path[-1]] = other(node[path[-1]])
            if verify_bytes(rewritten({frame.number: msgpack.packb(tree)})).word == "exact":
                unseen.add(path)
    time, insisted = (1,), (0, 2)
    assert unseen == {time, insisted}


@pytest.mark.slow
def test_samples_of_a_long_log(recorded: Game) -> None:
    """In the worked games too no flipped byte, cut, swap or copy of units goes unseen (a sample of each)."""
    rng = random.Random(11)
    content = recorded.log_bytes
    frames = list(read_frames(content))
    for _ in range(60):
        at = rng.randrange(len(content))
        changed = bytearray(content)
        changed[at] ^= rng.randrange(1, 256)
        assert found(bytes(changed)).word == "damaged"
        assert not accepted(verify_bytes(content[: rng.randrange(1, len(content))]), False)
    for _ in range(40):
        left, right = sorted(rng.sample(range(len(frames)), 2))
        swapped = list(frames)
        swapped[left], swapped[right] = swapped[right], swapped[left]
        assert place(found(stored(swapped))) == ("reordered", left)
        twice = [*frames[:right], frames[left], *frames[right:]]
        assert place(found(stored(twice))) == ("duplicated", right)


@pytest.mark.cites("R136")
def test_time_orders_nothing() -> None:
    """A clock that steps back changes no order and no state: a log is in the order of its frames."""
    game = Game.new({"alice": {"library": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], seed="clock")
    plain = Game.new({"alice": {"library": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")], seed="clock")
    for time in (5000, 4000, 4500, 1):
        prompt = game.prompt
        assert prompt is not None
        game.decide(prompt.seat, decisions.Pass(), time=time)
        plain.decide(prompt.seat, decisions.Pass())
    assert [unit.time for unit in game.units[1:]] == [5000, 4000, 4500, 1]
    assert [number for number, _ in parse_log(game.log_bytes).units] == [1, 2, 3, 4, 5]
    assert game.digest() == plain.digest()
    assert verify_bytes(game.log_bytes).word == "exact"


# ------------------------------------------------------------------------------------------ heads


def test_a_kept_head_shows_any_change() -> None:
    """Against the head of every length: the log is grown from it, and a shortened one is shortened."""
    log = parse_log(SMALL)
    for frame in FRAMES:
        kept = RememberedHead(log.header.log_id, frame.number + 1, frame.hash)
        seen = compare(log, kept)
        assert seen.good
        assert seen.word == ("same" if frame.number == LAST else "grown")
        assert seen.grown == LAST - frame.number
        if seen.grown:
            more = "1 frame since" if seen.grown == 1 else f"{seen.grown} frames since"
            assert f"it has grown by {more} the head's {frame.number + 1}" in seen.detail
        if frame.number:
            assert compare(parse_log(SMALL[: frame.offset]), kept).word == "shortened"


def test_a_fork_is_not_the_remembered_log() -> None:
    """Another history of the same game is forked, another game is another log, from wherever they differ."""
    kept = head_of(parse_log(SMALL))
    tree = msgpack.unpackb(FRAMES[2].payload, use_list=True)
    tree[1] = 99
    forged = parse_log(rewritten({2: msgpack.packb(tree)}))
    assert compare(forged, kept).word == "forked"
    early = RememberedHead(kept.log_id, 2, FRAMES[1].hash)
    assert compare(forged, early).word == "grown"
    game = Game.new({"carol": {}, "bob": {}}, cards=[], seed="another")
    assert compare(parse_log(game.log_bytes), kept).word == "other-log"


@pytest.mark.cites("R148")
def test_heads_are_text_that_returns() -> None:
    """A head is read as it was written, or as mail delivers it; anything else is refused."""
    kept = RememberedHead(bytes(range(16)), 19, bytes(range(32)), bytes(64))
    assert parse_head(kept.text) == kept
    assert parse_head(kept.text.replace("\n", "\r\n")) == kept
    lines = kept.text.splitlines(keepends=True)
    for left, right in pairwise(range(len(lines))):
        swapped = list(lines)
        swapped[left], swapped[right] = swapped[right], swapped[left]
        with pytest.raises(InputError, match="not a head"):
            parse_head("".join(swapped))
    for delivered in (kept.text[:-1], kept.text + "\n\n", f" \r\n{kept.text}\t"):
        assert parse_head(delivered) == kept
    for text in ("", kept.text[:-2], kept.text + "x", kept.text.replace("19", "019"), "cascade-es head"):
        with pytest.raises(InputError, match="not a head"):
            parse_head(text)
    with pytest.raises(InputError, match="head of version 2; use a newer version"):
        parse_head(kept.text.replace("head 1", "head 2"))


def test_a_fork_names_its_parent() -> None:
    """A log goes on from another only if it names that log, and a frame of it with its hash."""
    parent = parse_log(SMALL)
    fields = list(msgpack.unpackb(FRAMES[0].payload, use_list=True))

    def fork(log_id: bytes, frame: int, digest: bytes) -> str:
        fields[5] = [log_id, frame, digest]
        return parent_of(parse_log(rewritten({0: msgpack.packb(fields)}, FRAMES[:1])), parent).word

    mine = parent.header.log_id
    assert fork(mine, 3, FRAMES[3].hash) == "same"
    assert fork(mine, 3, FRAMES[2].hash) == "forked"
    assert fork(mine, LAST + 1, FRAMES[2].hash) == "shortened"
    assert fork(bytes(16), 3, FRAMES[3].hash) == "other-log"
    assert parent_of(parent, parent).word == "other-log"


def header_with(field: int, value: Any, content: bytes = SMALL) -> bytes:
    """A forger's log with another value in the header."""
    frames = tuple(read_frames(content))
    fields = list(msgpack.unpackb(frames[0].payload, use_list=True))
    fields[field] = value(fields[field]) if callable(value) else value
    return rewritten({0: msgpack.packb(fields)}, frames)


def test_the_header_commits_to_what_is_set_up() -> None:
    """Seats, sizes, lists, audiences and settings of a header are held against the set-up."""

    def bigger(seats: Any) -> Any:
        return [[seats[0][0], 2, seats[0][2]], *seats[1:]]

    def told(seats: Any) -> Any:
        name, size, (frame, ordinal, _, mark) = seats[0]
        return [[name, size, [frame, ordinal, 3, mark]], *seats[1:]]

    def more(seats: Any) -> Any:
        return [*seats, seats[0]]

    view = project(SMALL, 1)
    for change in (bigger, more):
        for content in (SMALL, view):
            verdict = found(header_with(6, change, content))
            assert (verdict.word, verdict.frame) == ("diverged", 1)
            assert "is not what the header commits to" in verdict.detail
    verdict = found(header_with(6, told))
    assert (verdict.word, verdict.frame) == ("diverged", 0)
    assert "differs in seats" in verdict.detail
    assert "differs in settings" in found(header_with(9, [["a", "b"]])).detail


def test_a_deck_list_that_was_not_brought() -> None:
    """A list that is open and is not what the set-up places is found, though both are committed to."""
    other = Game.new(
        {"alice": {"hand": ["Mountain"]}, "bob": {"library": ["Forest"]}},
        cards=[load_card("Forest"), load_card("Mountain")],
        seed="a small game",
    )
    first = next(read_frames(other.log_bytes))
    frames = [pack_frame(START, first.payload, first.openings)]
    previous = first.hash
    for frame in FRAMES[1:]:
        frames.append(pack_frame(previous, frame.payload, frame.openings))
        previous = chain(previous, frame.payload)
    verdict = found(b"".join((MAGIC, *frames)))
    assert verdict.word == "diverged"
    assert "the deck of alice is not the cards that the set-up places" in verdict.detail


def test_where_an_open_log_may_have_been_cut() -> None:
    """A cut at the border of a frame looks like an open log; the verdict names the last frame there is."""
    for number, frame in enumerate(FRAMES[:-1]):
        end = FRAMES[number + 1].offset
        for content in (SMALL[:end], strip_openings(SMALL[:end])):
            verdict = verify_bytes(content)
            assert not verdict.sealed
            assert (verdict.frame, verdict.offset, verdict.event) == (
                number,
                parse_log(content).frames[-1].offset,
                verdict.events,
            )
            assert "the record is open after" in verdict.detail
        assert frame.number == number


def beside(content: bytes, number: int, change: Any) -> bytes:
    """The same chain with other openings beside one frame."""
    parts = [MAGIC]
    for frame in read_frames(content):
        openings = frame.openings
        if frame.number == number:
            fields = change(*msgpack.unpackb(openings, use_list=True))
            openings = msgpack.packb(fields, use_bin_type=True)
        parts.append(pack_frame(frame.previous, frame.payload, openings))
    return b"".join(parts)


def test_a_copy_without_a_definition_is_no_diverged_one() -> None:
    """A full copy that lacks a card's definition proves nothing, and says nothing against the record."""
    verdict = verify_bytes(beside(SMALL, 0, lambda facts, definitions: [facts, definitions[1:]]))
    assert verdict.word == "consistent"
    assert "the definition of 'Forest' is missing" in verdict.detail


def test_nothing_stands_twice_in_a_view() -> None:
    """A view has one form: what is beside it a second time, and opens nothing new, is found."""
    view = project(SMALL, 0)
    first = next(read_frames(view))
    (opened, *_), definitions, _ = msgpack.unpackb(first.openings, use_list=True)
    assert definitions
    twice = found(beside(view, 0, lambda facts, cards, seat: [facts, cards * 2, seat]))
    assert (twice.word, twice.unshown) == ("damaged", 1)
    assert "a second definition" in twice.detail
    later = found(beside(view, 1, lambda facts, cards: [[*facts, opened], cards]))
    assert "a second opening of 0.0" in later.detail
