"""What every store promises, as tests: for the stores of this package, and for yours.

Make a class of it that says how to open your store; pytest (or whatever collects methods that begin
with ``test_``) does the rest::

    class TestMyStore(StoreConformance):
        def place(self) -> Opener:
            return functools.partial(MyStore, new_empty_place())

The suite itself needs no test framework, and checks with plain ``assert``.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from secrets import token_bytes
from typing import TypeAlias

from cascade_es.errors import CascadeError, Damaged, InputError
from cascade_es.log import FORMAT, MAGIC, Conflict, Head, Header, MemoryLog, chain, pack_frame
from cascade_es.log.frames import MAX_OPENINGS, MAX_PAYLOAD, START
from cascade_es.stores.seam import OtherHistory, Store, game_bytes
from cascade_es.values.facts import Secrets

__all__ = ["Opener", "StoreConformance", "Story"]

Opener: TypeAlias = Callable[[], Store]
"""Opens a store at one place; each call gives another object for the same games."""


class Story:
    """A game made up for a test: a real header, and frames that only a chain holds together."""

    def __init__(self, secrets: Secrets | None = None, edition: str = "2026-08-07") -> None:
        known = secrets or Secrets(token_bytes(16), b"seed", b"key")
        seed, key = known.seal(0, 0, b"seed", 0), known.seal(0, 1, b"key", 0)
        header = Header(FORMAT, 1, 1, edition, known.log_id, None, (), seed, key)
        log = MemoryLog(header)
        self.secrets = known
        self.game = known.log_id
        self.frames = [log.data[len(MAGIC) :]]
        self.heads = [log.head]

    def next(self, payload: bytes, openings: bytes = b"") -> bytes:
        """The frame that would follow with this content; the story goes on without it."""
        return pack_frame(self.heads[-1].hash, payload, openings)

    def add(self, payload: bytes, openings: bytes = b"") -> bytes:
        """Go on with a frame of this content."""
        frame = self.next(payload, openings)
        self.frames.append(frame)
        self.heads.append(Head(len(self.frames), chain(self.heads[-1].hash, payload)))
        return frame

    def tell(self, store: Store, count: int = 0) -> None:
        """Store it: the header, and as many further frames, made up on the way."""
        assert store.create(self.frames[0]) == self.game
        for number in range(1, count + 1):
            frame = self.add(b"frame %d" % number, b"opening %d" % number)
            assert store.append(self.game, number, frame) == self.heads[number]


class StoreConformance:
    """The promises of :class:`~cascade_es.stores.Store`; say how to open one by :meth:`place`."""

    across_processes = True
    """Whether several processes can open the same place; if so, an opener must be picklable."""

    persistent = True
    """Whether games are still there after everything was closed."""

    @abstractmethod
    def place(self) -> Opener:
        """A place that is new and empty, as a function that opens a store there."""
        raise NotImplementedError

    @contextmanager
    def told(self, count: int = 0) -> Iterator[tuple[Store, Story]]:
        """A store with one game of so many frames after the header."""
        with self.place()() as store:
            story = Story()
            story.tell(store, count)
            yield store, story

    # --------------------------------------------------------------------- storing and reading

    def test_a_new_place_is_empty(self) -> None:
        """A new store has no games, and says so of any that is asked for."""
        with self.place()() as store:
            assert store.games() == ()
            story = Story()
            frame = story.add(b"one")
            for ask in (store.head, store.read, lambda game: store.append(game, 1, frame)):
                _refuses(InputError, ask, story.game)
            assert store.games() == ()

    def test_frames_come_back_as_they_were(self) -> None:
        """What is read is, byte for byte, what was stored, with the openings and in the same order."""
        with self.told(5) as (store, story):
            assert list(store.read(story.game)) == story.frames
            assert game_bytes(store, story.game) == MAGIC + b"".join(story.frames)

    def test_the_head_is_that_of_the_chain(self) -> None:
        """After every append the head has the number of frames and the chain's last hash."""
        with self.place()() as store:
            story = Story()
            assert store.create(story.frames[0]) == story.game
            assert store.head(story.game) == story.heads[0]
            for number in range(1, 6):
                assert store.append(story.game, number, story.add(b"%d" % number)) == story.heads[-1]
                assert store.head(story.game) == story.heads[-1]

    def test_reading_begins_anywhere(self) -> None:
        """Reading from a frame gives that one and all after it; from the end on there is nothing."""
        with self.told(4) as (store, story):
            for start in range(8):
                assert list(store.read(story.game, start)) == story.frames[start:]

    def test_long_games_are_read_whole(self) -> None:
        """A game of many frames is read in order, with none left out or given twice."""
        with self.told(600) as (store, story):
            assert list(store.read(story.game)) == story.frames
            assert list(store.read(story.game, 511)) == story.frames[511:]

    def test_many_games_do_not_mix(self) -> None:
        """Games that are stored in turns are listed by id, and each has its own frames only."""
        with self.place()() as store:
            stories = [Story() for _ in range(12)]
            for story in stories:
                story.tell(store)
            for number in range(1, 4):
                for place, story in enumerate(stories):
                    store.append(story.game, number, story.add(b"%d of %d" % (number, place)))
            assert store.games() == tuple(sorted(story.game for story in stories))
            for story in stories:
                assert list(store.read(story.game)) == story.frames
                assert store.head(story.game) == story.heads[-1]

    def test_frames_may_be_as_big_as_a_log_allows(self) -> None:
        """The biggest frame between the smallest is stored whole and in its place: only numbers order."""
        with self.told(1) as (store, story):
            store.append(story.game, 2, story.add(bytes(MAX_PAYLOAD), token_bytes(MAX_OPENINGS)))
            store.append(story.game, 3, story.add(b""))
            store.append(story.game, 4, story.add(b"\x00\xff\r\n\x1a"))
            assert list(store.read(story.game)) == story.frames
            assert store.head(story.game) == story.heads[-1]

    def test_ids_of_any_bytes(self) -> None:
        """An id may be any 16 bytes, also those that look like nothing."""
        ids = [bytes(16), b"\xff" * 16, b"0123456789abcdef"]
        with self.place()() as store:
            for game in ids:
                Story(Secrets(game, b"seed", b"key")).tell(store, 1)
            assert store.games() == tuple(sorted(ids))

    # ------------------------------------------------------------------------------ tried again

    def test_a_frame_sent_again_is_stored_once(self) -> None:
        """A retry, of the last frame or an old one, gets the first result and stores nothing."""
        with self.told(4) as (store, story):
            for number in (4, 4, 1, 3):
                assert store.append(story.game, number, story.frames[number]) == story.heads[number]
            assert list(store.read(story.game)) == story.frames

    def test_a_header_sent_again_begins_no_game(self) -> None:
        """A game that is begun again with the same header goes on as it was."""
        with self.told(2) as (store, story):
            assert store.create(story.frames[0]) == story.game
            assert store.games() == (story.game,)
            assert list(store.read(story.game)) == story.frames

    def test_another_header_for_a_game_is_a_conflict(self) -> None:
        """A game cannot be begun again with another header under the same id."""
        with self.told(1) as (store, story):
            other = Story(story.secrets, edition="2021-02-05")
            assert other.frames[0] != story.frames[0]
            _refuses(Conflict, store.create, other.frames[0])
            assert list(store.read(story.game)) == story.frames

    def test_the_same_content_in_two_games_is_stored_in_both(self) -> None:
        """What is known in one game is new in another: retries are recognised in each game by itself."""
        with self.place()() as store:
            stories = [Story(), Story()]
            for story in stories:
                story.tell(store)
                frame = story.add(b"the same", b"opening")
                for _ in range(2):
                    assert store.append(story.game, 1, frame) == story.heads[1]
            for story in stories:
                assert list(store.read(story.game)) == story.frames

    # --------------------------------------------------------------------------------- refusals

    def test_another_frame_at_a_taken_position_is_a_conflict(self) -> None:
        """A position that is taken keeps its frame, even against one with only other openings."""
        with self.told(3) as (store, story):
            for number in (1, 3):
                previous = story.heads[number - 1].hash
                for frame in (
                    pack_frame(previous, b"something else", b""),
                    pack_frame(previous, b"frame %d" % number, b"other opening"),
                ):
                    error = _refuses(Conflict, store.append, story.game, number, frame)
                    assert isinstance(error, Conflict)
                    assert (error.expected, error.actual) == (number, 4)
            _refuses(Conflict, store.append, story.game, 0, story.frames[1])
            assert list(store.read(story.game)) == story.frames

    def test_a_gap_is_refused(self) -> None:
        """A frame beyond the next position, or before the first, is a conflict and changes nothing."""
        with self.told(2) as (store, story):
            frame = story.next(b"too far")
            for number in (4, 5, 1000, -1):
                error = _refuses(Conflict, store.append, story.game, number, frame)
                assert isinstance(error, Conflict)
                assert (error.expected, error.actual) == (number, 3)
            assert list(store.read(story.game)) == story.frames
            assert store.head(story.game) == story.heads[-1]

    def test_a_wrong_predecessor_is_refused(self) -> None:
        """A frame at the next position that follows another frame than the last one is a conflict."""
        with self.told(2) as (store, story):
            for previous in (START, story.heads[0].hash, story.heads[1].hash, token_bytes(32)):
                frame = pack_frame(previous, b"other history", b"")
                _refuses(OtherHistory, store.append, story.game, 3, frame)
            other = Story()
            _refuses(OtherHistory, store.append, story.game, 3, other.next(b"other game"))
            assert list(store.read(story.game)) == story.frames

    def test_a_broken_frame_is_refused(self) -> None:
        """A frame that is cut, continued or changed in any byte is refused, and nothing of it is stored."""
        with self.told(1) as (store, story):
            frame = story.next(b"payload", b"openings")
            broken = [frame[:end] for end in range(len(frame))]
            broken += [frame + b"\x00", frame + frame]
            broken += [frame[:at] + bytes((frame[at] ^ 1,)) + frame[at + 1 :] for at in range(len(frame))]
            for data in broken:
                _refuses(Damaged, store.append, story.game, 2, data)
            assert list(store.read(story.game)) == story.frames
            assert store.append(story.game, 2, frame).frames == 3

    def test_a_broken_header_begins_no_game(self) -> None:
        """Only the whole frame of a real header begins a game."""
        with self.place()() as store:
            story = Story()
            header = story.frames[0]
            for data in (b"", header[:-1], header + b"\x00", pack_frame(START, b"no header", b"")):
                _refuses(Damaged, store.create, data)
            assert store.games() == ()

    # --------------------------------------------------------------------------- several at once

    def test_two_objects_see_the_same(self) -> None:
        """What one store object has stored, another of the same place reads and goes on with."""
        opener = self.place()
        with opener() as one, opener() as two:
            story = Story()
            story.tell(one, 2)
            assert two.games() == (story.game,)
            assert two.append(story.game, 3, story.add(b"by the other")) == story.heads[3]
            assert one.append(story.game, 4, story.add(b"by the one")) == story.heads[4]
            assert list(one.read(story.game)) == list(two.read(story.game)) == story.frames

    def test_writers_in_threads_race(self) -> None:
        """Of several threads that want one position, one wins, the others get Conflict, nothing is lost."""
        opener = self.place()
        with opener() as store, ThreadPoolExecutor(4) as pool:
            story = Story()
            story.tell(store)
            for shared in (True, False):
                runs = [pool.submit(_race, _given(store) if shared else opener, story.game, 10, b"%d" % who)
                        for who in range(4)]  # fmt: skip
                won = [frame for run in runs for frame in run.result()]
                frames = list(store.read(story.game))
                assert len(won) == 40
                assert set(won) <= set(frames)
                _follows(frames)
            assert len(frames) == 81

    def test_writers_in_processes_race(self) -> None:
        """Of two processes that want one position, one wins, the other gets Conflict, nothing is lost."""
        if not self.across_processes:
            return
        opener = self.place()
        with opener() as store:
            story = Story()
            story.tell(store)
            with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
                runs = [pool.submit(_race, opener, story.game, 25, b"%d" % who) for who in range(2)]
                won = [frame for run in runs for frame in run.result()]
            frames = list(store.read(story.game))
            assert len(won) == 50
            assert set(won) == set(frames[1:])
            assert len(frames) == 51
            _follows(frames)

    def test_the_same_frame_from_many_threads_is_stored_once(self) -> None:
        """Threads that send the very same frame at once all succeed, with the same head."""
        opener = self.place()
        with opener() as store, ThreadPoolExecutor(4) as pool:
            story = Story()
            story.tell(store)
            for number in range(1, 11):
                frame = story.add(b"all say %d" % number)
                runs = [pool.submit(store.append, story.game, number, frame) for _ in range(4)]
                assert [run.result() for run in runs] == [story.heads[number]] * 4
            assert list(store.read(story.game)) == story.frames

    def test_the_same_game_begun_from_many_threads_is_one(self) -> None:
        """Threads that begin the same game at once in a new place all get its id."""
        opener = self.place()
        story = Story()

        def begin() -> bytes:
            with opener() as own:
                return own.create(story.frames[0])

        with opener() as store, ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(begin) for _ in range(4)]
            assert [run.result() for run in runs] == [story.game] * 4
            assert list(store.read(story.game)) == story.frames

    def test_reading_while_writing(self) -> None:
        """A reader sees whole frames from the first one on, never fewer than before, while one writes."""
        opener = self.place()
        with opener() as store, opener() as reader:
            story = Story()
            story.tell(store)
            done = threading.Event()
            wrong: list[str] = []

            def look() -> None:
                seen = 0
                try:
                    while not done.is_set():
                        frames = list(reader.read(story.game))
                        _follows(frames)
                        if len(frames) < seen or reader.head(story.game).frames < len(frames):
                            wrong.append(f"{len(frames)} frames after {seen}")
                        seen = len(frames)
                except (CascadeError, AssertionError) as error:
                    wrong.append(repr(error))

            thread = threading.Thread(target=look)
            thread.start()
            try:
                for number in range(1, 61):
                    store.append(story.game, number, story.add(bytes(number * 2000)))
            finally:
                done.set()
                thread.join()
            assert wrong == []
            assert list(reader.read(story.game)) == story.frames

    def test_a_reader_goes_on_while_frames_are_added(self) -> None:
        """A reading that began before an append gives all that was there then, in order."""
        with self.told(3) as (store, story):
            reading = store.read(story.game)
            first = next(reading)
            store.append(story.game, 4, story.add(b"meanwhile"))
            assert [first, *reading][:4] == story.frames[:4]

    # --------------------------------------------------------------------------------- reopening

    def test_games_are_there_after_reopening(self) -> None:
        """After closing, which may be done twice, a store that is opened again has all, and goes on."""
        if not self.persistent:
            return
        opener = self.place()
        story = Story()
        with opener() as store:
            story.tell(store, 3)
            store.close()
        with opener() as store:
            assert store.games() == (story.game,)
            assert list(store.read(story.game)) == story.frames
            assert store.append(story.game, 3, story.frames[3]) == story.heads[3]
            assert store.append(story.game, 4, story.add(b"later")) == story.heads[4]
        with opener() as store:
            assert list(store.read(story.game)) == story.frames


# ------------------------------------------------------------------------------------- helpers


def _refuses(kind: type[CascadeError], call: Callable[..., object], *arguments: object) -> CascadeError:
    try:
        call(*arguments)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


def _follows(frames: list[bytes]) -> None:
    """Each frame follows the one before."""
    last = START
    for frame in frames:
        length = int.from_bytes(frame[:4], "big")
        assert frame[12:44] == last
        last = chain(last, frame[44 : 44 + length])


class _Open:
    """An opener of a store that is open already."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self) -> Store:
        return self._store


def _given(store: Store) -> Opener:
    return _Open(store)


def _race(opener: Opener, game: bytes, count: int, who: bytes) -> list[bytes]:
    """Append so many frames of one's own, against others who do the same; what was appended."""
    store = opener()
    won: list[bytes] = []
    try:
        while len(won) < count:
            head = store.head(game)
            frame = pack_frame(head.hash, b"%s: %d" % (who, len(won)), token_bytes(8))
            try:
                store.append(game, head.frames, frame)
            except Conflict:
                continue
            won.append(frame)
    finally:
        if not isinstance(opener, _Open):
            store.close()
    return won
