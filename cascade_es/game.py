"""A game: what one sees, decides, and looks back at.

The log is the authority: a :class:`Game` is its units, and the states that folding them gives.  It
plays in memory, or writes every unit to a log file before it counts as having happened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from secrets import token_bytes
from types import TracebackType
from typing import Any, Final, Protocol

from cascade_es.cards import Card, Cards
from cascade_es.diagnostics import logger_for
from cascade_es.editions import edition as edition_named
from cascade_es.errors import DecisionError, InputError
from cascade_es.history import History
from cascade_es.log import FORMAT, Head, Header, MemoryLog, Openings, SeatHeader, Unit
from cascade_es.machines.tables import TABLE_VERSION
from cascade_es.rules.board import Context
from cascade_es.rules.decide import decide, prompt_of
from cascade_es.rules.setup import MOST_SEATS
from cascade_es.stores import Store, begin_log, redacted, resume_log
from cascade_es.values.decisions import RECORDER, Answer, Contribute, Decision, Pile, Seal, SetUp
from cascade_es.values.events import Event
from cascade_es.values.facts import Fact, Secrets
from cascade_es.values.prompts import Prompt

BEHAVIOUR: Final = 2
"""The version of what ``decide`` does; a log names it, and another one is never called diverged."""


class Recorder(Protocol):
    """Where a game's units go: a log file, or memory."""

    def append(
        self, unit: Unit, openings: Openings, *, expected: int | None = None, decided: bool = False
    ) -> Any:
        """Write one unit whole, or not at all."""
        ...

    def close(self) -> None:
        """Finish writing."""
        ...

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames so far, the header's first."""
        ...


class Game(History):
    """A game of Magic from its first event on.

    >>> from cascade_es import Game, decisions, load_card
    >>> game = Game.new(
    ...     {
    ...         "alice": {"hand": ["Rampant Growth"], "battlefield": ["Forest", "Forest"]},
    ...         "bob": {},
    ...     },
    ...     cards=[load_card("Rampant Growth"), load_card("Forest")],
    ...     step="precombat main",
    ... )
    >>> game.prompt
    <Prompt act for seat 0: priority>
    >>> [candidate.text for candidate in game.prompt.allowed][:2]
    ['pass', 'cast Rampant Growth']
    >>> growth = game.state.player(0).hand[0]
    >>> [event.kind for event in game.decide(0, decisions.Cast(growth))][:2]
    ['announce', 'costs-declared']
    >>> game.prompt.question
    'pay for Rampant Growth: {1}{G}'
    """

    def __init__(self, ctx: Context, names: Sequence[str], recorder: Recorder, *, logger: Any = None) -> None:
        super().__init__(ctx, names)
        self._recorder = recorder
        self._log = logger_for(logger, game=ctx.secrets.log_id.hex()[:8])

    # ----------------------------------------------------------------------------- beginning

    @classmethod
    def new(
        cls,
        players: Mapping[str, Mapping[str, Sequence[str]]],
        *,
        cards: Sequence[Card],
        edition: str = "newest",
        seed: bytes | str | None = None,
        life: int | Sequence[int] = 20,
        starting: int = 0,
        turn: int = 1,
        step: str = "",
        shuffle: bool = False,
        hands: int = 0,
        contributions: Mapping[str, bytes] | None = None,
        tapped: Mapping[str, Sequence[bool]] | None = None,
        log: str | None = None,
        overwrite: bool = False,
        durability: str = "every-decision",
        store: Store | None = None,
        logger: Any = None,
    ) -> Game:
        """Set up a game.

        Args:
            players: the players in turn order, each with card names by zone, top of a library first.
            cards: the definitions of all cards used; :func:`cascade_es.load_card` finds packaged ones.
            edition: a date, a set code, or "newest".
            seed: whatever follows from chance follows from it, and so does what hides the cards; the
                same seed and decisions give the same log.  None takes 32 unpredictable bytes.
            life: starting life totals, one for all or one each.
            starting: the seat that takes the first turn.
            turn: the number of that turn.
            step: a step to begin in; "" begins before the first turn.
            shuffle: whether libraries are shuffled; ``hands``: how many cards are then drawn.
            contributions: what players add to the seed; the recorder has committed to its own before.
            tapped: for each player, which permanents start tapped.
            log: a file to write, or the address of a store; None plays in memory.
            overwrite: whether that file may be replaced; in a store nothing is, but there the game may be
                present already, if it then goes just as it did.
            durability: when that file is synced to the disk: "every-decision", "every-N" (such as
                "every-10"), "on-close" or "unsafe-never"; a store keeps every decision at once.
            store: a store to write to, in place of ``log``.
            logger: a structlog logger for diagnostics.

        Raises:
            InputError: when something given cannot be used.
        """
        given_by_name = {"players": players, "contributions": contributions or {}, "tapped": tapped or {}}
        for what, given in given_by_name.items():
            if not isinstance(given, Mapping):
                raise InputError(f"{what}: something for each player is needed, by name")
        if not all(isinstance(name, str) and name.isprintable() and name for name in players):
            raise InputError("a player's name is text that can be printed")
        if len(players) > MOST_SEATS:
            raise InputError(f"a game has at most {MOST_SEATS} players")
        root = root_of(seed)
        if not isinstance(edition, str):
            raise InputError("an edition is a date, a set code or 'newest'")
        if not isinstance(cards, Sequence) or not all(isinstance(card, Card) for card in cards):
            raise InputError("cards are definitions, not names; load them with cascade_es.load_card")
        known = Cards(cards)
        for player, zones in players.items():
            if not isinstance(zones, Mapping):
                raise InputError(f"what {player} has is a list of names for each zone")
            for zone, listed in zones.items():
                if isinstance(listed, str) or not isinstance(listed, Sequence):
                    raise InputError(f"the {zone} of {player} must be a list of names, not one text")
                if not all(isinstance(name, str) for name in listed):
                    raise InputError(f"the {zone} of {player} must be a list of names of cards")
        rules = edition_named(edition)
        secrets = derive(root)
        ctx = Context(rules, known, secrets)
        names = tuple(players)
        try:
            totals = (life,) * len(names) if isinstance(life, int) else tuple(life)
        except TypeError:
            raise InputError("life is a number, or one for each player") from None
        if len(totals) != len(names):
            raise InputError(f"{len(names)} players need as many life totals, not {len(totals)}")
        for name, flags in (tapped or {}).items():
            there = len(players[name].get("battlefield", ())) if name in players else -1
            if not isinstance(flags, Sequence) or len(flags) != there:
                raise InputError(f"tapped: one flag for each permanent of a player is needed (see '{name}')")
        piles = tuple(
            Pile(
                seat,
                zone,
                tuple(known.named(name).ref for name in listed),
                tuple((tapped or {}).get(player, ())) if zone == "battlefield" else (),
            )
            for seat, (player, zones) in enumerate(players.items())
            for zone, listed in zones.items()
        )
        header, openings = header_for(ctx, names, piles)
        # It begins in memory: a file is begun, or replaced, only by a game that can be.
        begun: Recorder
        if log is None and store is None:
            begun = begin_log(None, header, openings, durability=durability)
        else:
            begun = _Beginning(header, openings)
        game = cls(ctx, names, begun, logger=logger)
        try:
            for name, value in (contributions or {}).items():
                if name not in names:
                    raise InputError(f"there is no player '{name}' who could contribute to the seed")
                game.decide(names.index(name), Contribute(value))
            game.decide(RECORDER, SetUp(totals, starting, rules.date, piles, shuffle, hands, turn, step))
        except DecisionError as error:
            raise InputError(str(error)) from None
        if isinstance(begun, _Beginning):
            game._recorder = recorder = begin_log(
                log, header, openings, overwrite=overwrite, durability=durability, store=store
            )
            try:
                for number, (unit, beside) in enumerate(begun.units, start=1):
                    recorder.append(unit, beside, expected=number, decided=True)
            except BaseException:
                recorder.close()
                raise
        return game

    # ------------------------------------------------------------------------------- looking

    @property
    def prompt(self) -> Prompt | None:
        """What the game waits for; None when it is over."""
        return prompt_of(self.ctx, self.state)

    @classmethod
    def resume(
        cls,
        address: str = "",
        *,
        store: Store | None = None,
        durability: str = "every-decision",
        logger: Any = None,
    ) -> Game:
        """Go on with a game whose log is open, by whoever has its full copy; see :meth:`new`.

        ``address`` is that of a file or of a game in a store; or, if a ``store`` is given, (the beginning
        of) the game's id there, which may be left out for the only one.

        Raises:
            InputError: when it is no log, is sealed, or lacks what only its recorder has.
            Damaged: when it is damaged.
        """
        from cascade_es.replay import Replay

        recorder = resume_log(address, store=store, durability=durability)
        try:
            if isinstance(recorder, MemoryLog):
                past = Replay.of(recorder.data, redacted(address))
            else:
                past = Replay.open(address)
            if not past.log.header.key.known or not past.log.header.seed.known:
                raise InputError(
                    "this copy lacks its recorder's secrets; only a full copy can go on", where=past.log.name
                )
        except BaseException:
            recorder.close()
            raise
        game = cls(past.ctx, past.names, recorder, logger=logger)
        game._states, game._units = list(past.states), list(past.units)
        return game

    # ------------------------------------------------------------------------------ deciding

    def decide(
        self, seat: int, answer: Answer, *, insist: bool = False, time: int | None = None
    ) -> tuple[Event, ...]:
        """Make a decision; the events that follow from it.

        ``insist`` records a forbidden action as the attempt it was, and reverses it.  ``time`` is
        wall-clock metadata in milliseconds; no rule reads it.

        Raises:
            DecisionError: the decision does not fit the prompt; nothing was recorded.
            Refused: the rules forbid it; nothing was recorded.
        """
        if time is not None and (type(time) is not int or not 0 <= time < 1 << 63):
            raise DecisionError("a time is milliseconds since 1970")
        decision = Decision(seat, answer, insist)
        number = len(self._units) + 1
        outcome = decide(self.ctx, self.state, decision, self._recall, number)
        unit = Unit(outcome.decision, outcome.events, time)
        self._recorder.append(unit, Openings(outcome.openings), expected=number, decided=True)
        self._states.extend(outcome.states[1:])
        self._units.append(unit)
        self._log.debug("appended", unit=number, decision=answer.kind, events=len(outcome.events))
        return outcome.events

    @property
    def log_bytes(self) -> bytes:
        """The log so far.

        Raises:
            InputError: when it is being written to a file or a store.
        """
        if not isinstance(self._recorder, MemoryLog):
            raise InputError("this game's log is where it was begun, in a file or a store; read it there")
        return bytes(self._recorder.data)

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames of the log, the header's first."""
        return self._recorder.hashes

    def seal(self) -> None:
        """End the record and close its log."""
        self.decide(RECORDER, Seal())
        self.close()
        self._log.info("sealed", units=len(self._units), events=len(self))

    def close(self) -> None:
        """Close the log without ending the record."""
        self._recorder.close()

    def __enter__(self) -> Game:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Beginning(MemoryLog):
    """A log in memory that also keeps what it was given, to be written again where the game goes."""

    def __init__(self, header: Header, openings: Openings) -> None:
        super().__init__(header, openings)
        self.units: list[tuple[Unit, Openings]] = []

    def append(
        self,
        unit: Unit,
        openings: Openings = Openings(),  # noqa: B008 - it is frozen
        *,
        expected: int | None = None,
        decided: bool = False,
    ) -> Head:
        head = super().append(unit, openings, expected=expected, decided=decided)
        self.units.append((unit, openings))
        return head


def root_of(seed: bytes | str | None) -> bytes:
    """What everything in a game follows from that is left to chance: the seed, or 32 unpredictable bytes.

    Raises:
        InputError: when it is neither bytes nor text that can be written.
    """
    if seed is None:
        return token_bytes(32)
    if not isinstance(seed, bytes | str):
        raise InputError("a seed is bytes or text")
    try:
        return seed.encode() if isinstance(seed, str) else seed
    except UnicodeEncodeError:
        raise InputError("a text in the seed has half a character (a surrogate)") from None


def derive(root: bytes) -> Secrets:
    """The log id, the draw seed and the blinding key of a game, by separate labels from one seed.

    A game that is to be unpredictable needs an unpredictable seed; give at least 16 random bytes.

    >>> derive(b"a").seed != derive(b"a").key
    True
    """

    def label(name: bytes) -> bytes:
        return hashlib.sha256(b"cascade-es " + name + b"\x00" + root).digest()

    return Secrets(label(b"log id")[:16], label(b"draw seed"), label(b"blinding key"))


def header_for(
    ctx: Context,
    names: tuple[str, ...],
    piles: tuple[Pile, ...],
    parent: tuple[bytes, int, bytes] | None = None,
) -> tuple[Header, Openings]:
    """The header of a log: what was brought is committed to, not published.

    ``parent`` is what a fork goes on from: a log's id, the last frame of it, and that frame's hash.
    """
    secrets = ctx.secrets
    ordinal = 0
    facts: list[Fact] = []

    def seal(value: Any, audience: int) -> Fact:
        nonlocal ordinal
        fact = secrets.seal(0, ordinal, value, audience)
        ordinal += 1
        facts.append(fact)
        return fact

    seats = []
    everyone = (1 << len(names)) - 1
    for seat, name in enumerate(names):
        deck = tuple(sorted(card for pile in piles if pile.seat == seat for card in pile.cards))
        named = seal(name, everyone)
        seats.append(SeatHeader(named, len(deck), seal(deck, 1 << seat)))
    header = Header(
        FORMAT,
        TABLE_VERSION,
        BEHAVIOUR,
        ctx.edition.date,
        secrets.log_id,
        parent,
        tuple(seats),
        seal(secrets.seed, 0),
        seal(secrets.key, 0),
    )
    return header, Openings(tuple(secrets.opening(fact) for fact in facts), ctx.cards.contents())
