"""Replay: a log folded into states, by ``evolve`` alone.  No rule is asked and no card is read."""

from __future__ import annotations

import os
from typing import Final, Protocol

from cascade_es.cards import Card, Cards, parse_definition
from cascade_es.editions import edition as edition_named
from cascade_es.errors import Damaged, NewerLog
from cascade_es.evolve import Recall, evolve
from cascade_es.history import History
from cascade_es.log import Log, Unit, parse_disclosure, parse_log, read_disclosure
from cascade_es.log.wire import Header
from cascade_es.machines.build import NotAccepted
from cascade_es.machines.tables import TABLE_VERSION
from cascade_es.rules.board import NOBODY, Context
from cascade_es.stores import Address, Store, read_address
from cascade_es.values.decisions import RECORDER
from cascade_es.values.events import KINDS, Commented, Event, GameBegun, SeedContributed
from cascade_es.values.facts import PUBLIC, Secrets
from cascade_es.values.state import State


class Replay(History):
    """A log, replayed.

    >>> from cascade_es import Game, load_card
    >>> game = Game.new({"alice": {"hand": ["Forest"]}, "bob": {}}, cards=[load_card("Forest")])
    >>> again = Replay.of(game.log_bytes)
    >>> again.digest() == game.digest()
    True
    """

    def __init__(self, log: Log) -> None:
        super().__init__(context_of(log), names_of(log))
        self.log = log
        offsets = {frame.number: frame.offset for frame in log.frames}
        for number, unit in log.units:
            self._fold(number, offsets[number], unit)

    @classmethod
    def open(
        cls,
        address: str | os.PathLike[str] = "",
        disclosed: str | os.PathLike[str] | None = None,
        *,
        store: Store | None = None,
    ) -> Replay:
        """Read and replay a log file, or a game in a store; see :mod:`cascade_es.stores.address`.

        If a ``store`` is given, ``address`` is (the beginning of) the game's id in it, which may be left
        out for the only one.  ``disclosed`` is a disclosure file whose openings are read beside the log.

        Raises:
            InputError: when it is no log that can be read, or the disclosure none of this log.
            FalseDisclosure: when the disclosure opens what the log does not commit to.
            Damaged: when it is not what its writer wrote.
        """
        given = None if disclosed is None else read_disclosure(disclosed)
        return cls(read_address(address, given, store=store))

    @classmethod
    def open_at(cls, address: str | os.PathLike[str], seq: int, *, side: bool = True) -> History:
        """The history of a log file, or of a game in a store, about to be looked at after event ``seq``.

        It answers as :meth:`open` would, but for a long log in a file it reads only what it must, with the
        help of a side file beside the log; see :mod:`cascade_es.sidefile`.  Without ``side`` there is none:
        nothing is written, one that is there is not looked at, and the whole log is read.

        Raises:
            InputError: when it is no log that can be read; that there is no such event says ``at``.
            Damaged: when it is not what its writer wrote, as far as it was read.
        """
        from cascade_es.sidefile import open_at

        if Address.of(address).kind != "file":
            return cls.open(address)
        return open_at(address, seq, side=side)

    @classmethod
    def of(cls, content: bytes, name: str = "log", disclosed: bytes | None = None) -> Replay:
        """Replay the bytes of a log, with those of a disclosure if some are given; see :meth:`open`."""
        return cls(parse_log(content, name, None if disclosed is None else parse_disclosure(disclosed)))

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of all frames of the log, the header's first."""
        return tuple(frame.hash for frame in self.log.frames)

    @property
    def states(self) -> tuple[State, ...]:
        """The state before the first event, and after each."""
        return tuple(self._states)

    def _fold(self, number: int, offset: int, unit: Unit) -> None:
        fold(self._states, unit, self._recall, number, offset)
        self._units.append(unit)
        if self.state.ledger.edition not in ("", self.log.header.edition):
            detail = f"the game is played by {self.state.ledger.edition}, not by the edition of the header"
            raise Damaged("event", detail, frame=number, offset=offset)


_SEATS: Final = {
    kind: tuple(name for name in cls.__struct_fields__ if name in ("player", "owner", "controller"))
    for kind, cls in KINDS.items()
}
_ODD: Final = (GameBegun.kind, SeedContributed.kind, Commented.kind)


def _check_seats(event: Event, players: int) -> None:
    """See that an event speaks of players who are there: evolve does not always look."""
    kind = event.kind
    if kind in _ODD:
        if isinstance(event, GameBegun) and not 0 <= event.starting < len(event.life):
            raise ValueError(f"there is no player in seat {event.starting}")
        if isinstance(event, SeedContributed) and event.player >= 0:
            return  # before the set-up, so there are no seats yet
        if isinstance(event, Commented) and event.player == RECORDER:
            return
    for name in _SEATS[kind]:
        seat = getattr(event, name)
        if not 0 <= seat < players:
            raise ValueError(f"there is no player in seat {seat}")


def fold(states: list[State], unit: Unit, recall: Recall, number: int, offset: int) -> None:
    """Append the state after each event of a unit; it is frame ``number``, at byte ``offset``.

    Raises:
        Damaged: when one of them cannot have happened there.
    """
    state = states[-1]
    for event in unit.events:
        try:
            _check_seats(event, len(state.game.players))
            state = evolve(state, event, recall)
            states.append(state)
        except (NotAccepted, LookupError, ValueError, TypeError, AttributeError) as error:
            # Events of ours never do this, but a file may hold anything that the chain covers.
            what = str(error) if isinstance(error, NotAccepted | ValueError) else repr(error)
            seq = state.ledger.seq + 1
            raise Damaged(
                "event",
                f"event {seq} ('{event.kind}') cannot have happened there: {what}",
                frame=number,
                offset=offset,
            ) from None


def context_of(log: Log) -> Context:
    """The edition, the definitions and, in a full copy, the secrets of a log.

    Raises:
        InputError: when the log needs a newer version of this package.
        Damaged: when a definition in it is none.
    """
    header = log.header
    if header.table > TABLE_VERSION:
        raise NewerLog(
            f"{log.name}: written with machine tables {header.table}, but this version knows only up to "
            f"{TABLE_VERSION}; use a newer version"
        )
    cards = Cards()
    for content in log.definitions.values():
        try:
            cards.add(Card(parse_definition(content)))
        except ValueError as error:
            raise Damaged("definition", str(error), frame=0, offset=log.frames[0].offset) from None
    secrets = NOBODY
    for what, fact in (("seed", header.seed), ("key", header.key)):
        if fact.known and type(fact.value) is not bytes:
            raise Damaged("opening", f"the {what} is no bytes", frame=0, offset=log.frames[0].offset)
    if header.seed.known and header.key.known:
        secrets = Secrets(header.log_id, header.seed.value, header.key.value)
    return Context(edition_named(header.edition), cards, secrets)


class Copy(Protocol):
    """What a copy of a log says in its first frame, read in full or not."""

    @property
    def header(self) -> Header:
        """Its header."""

    @property
    def view(self) -> int | None:
        """Whose view it is."""


def names_of(log: Copy) -> tuple[str, ...]:
    """The players' names, or "player 1" where a name is not open to us."""
    return tuple(
        str(seat.name.value) if seat.name.known else f"player {number}"
        for number, seat in enumerate(log.header.seats, start=1)
    )


def viewer_of(log: Copy) -> str:
    """Whose view a copy of a log is: a player's name, "the public", or "" for a copy that is no view."""
    if log.view is None:
        return ""
    return "the public" if log.view == PUBLIC else names_of(log)[log.view]
