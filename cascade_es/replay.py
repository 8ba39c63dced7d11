"""Replay: a log folded into states, by ``evolve`` alone.  No rule is asked and no card is read."""

from __future__ import annotations

import os
from typing import Final

from cascade_es.cards import Card, Cards, parse_definition
from cascade_es.editions import edition as edition_named
from cascade_es.errors import Damaged, NewerLog
from cascade_es.evolve import evolve
from cascade_es.history import History
from cascade_es.log import Log, Unit, parse_log, read_log
from cascade_es.machines.build import NotAccepted
from cascade_es.machines.tables import TABLE_VERSION
from cascade_es.rules.board import NOBODY, Context
from cascade_es.values.decisions import RECORDER
from cascade_es.values.events import KINDS, Event, GameBegun
from cascade_es.values.facts import Secrets
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
    def open(cls, path: str | os.PathLike[str]) -> Replay:
        """Read and replay a log file.

        Raises:
            InputError: when it is no log that can be read.
            Damaged: when it is not what its writer wrote.
        """
        return cls(read_log(path))

    @classmethod
    def of(cls, content: bytes, name: str = "log") -> Replay:
        """Replay the bytes of a log; see :meth:`open`."""
        return cls(parse_log(content, name))

    @property
    def states(self) -> tuple[State, ...]:
        """The state before the first event, and after each."""
        return tuple(self._states)

    def _fold(self, number: int, offset: int, unit: Unit) -> None:
        for event in unit.events:
            try:
                _check_seats(event, len(self.state.game.players))
                self._states.append(evolve(self.state, event, self._recall))
            except (NotAccepted, LookupError, ValueError, TypeError, AttributeError) as error:
                # Events of ours never do this, but a file may hold anything that the chain covers.
                what = str(error) if isinstance(error, NotAccepted | ValueError) else repr(error)
                raise Damaged(
                    "event",
                    f"event {len(self._states)} ('{event.kind}') cannot have happened there: {what}",
                    frame=number,
                    offset=offset,
                ) from None
        self._units.append(unit)
        if self.state.ledger.edition not in ("", self.log.header.edition):
            detail = f"the game is played by {self.state.ledger.edition}, not by the edition of the header"
            raise Damaged("event", detail, frame=number, offset=offset)


_SEATS: Final = {
    kind: tuple(name for name in cls.__struct_fields__ if name in ("player", "owner", "controller"))
    for kind, cls in KINDS.items()
}


def _check_seats(event: Event, players: int) -> None:
    """See that an event speaks of players who are there: evolve does not always look."""
    if isinstance(event, GameBegun) and not 0 <= event.starting < len(event.life):
        raise ValueError(f"there is no player in seat {event.starting}")
    for name in _SEATS[event.kind]:
        seat = getattr(event, name)
        if not 0 <= seat < players and not (seat == RECORDER and event.kind == "commented"):
            raise ValueError(f"there is no player in seat {seat}")


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


def names_of(log: Log) -> tuple[str, ...]:
    """The players' names, or "player 1" where a name is not open to us."""
    return tuple(
        str(seat.name.value) if seat.name.known else f"player {number}"
        for number, seat in enumerate(log.header.seats, start=1)
    )
