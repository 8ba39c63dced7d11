"""Diagnostics: heard by who wants to, and never able to change or stop a game."""

from __future__ import annotations

import enum
import json
import logging
import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from cascade_es import Game, decisions, load_card
from cascade_es.diagnostics import logger_for
from cascade_es.verify import verify_bytes


class Colour(enum.Enum):
    RED = 1


class Broken:
    """A logger that raises whatever it is asked."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        self.asked += 1
        raise self.error


class Loud(Broken):
    """A logger that can be bound, and raises when a line is written."""

    def __getattr__(self, name: str) -> Any:
        def write(*_: Any, **__: Any) -> Any:
            self.asked += 1
            raise self.error

        return (lambda **_: self) if name == "bind" else write


class Plain:
    """A logger without ``bind``: it writes down what it gets."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def debug(self, event: str, **fields: Any) -> None:
        self.lines.append((event, fields))

    info = debug


def odd(_: Any, __: str, fields: dict[str, Any]) -> dict[str, Any]:
    """A processor that puts in what a renderer cannot render."""
    return {**fields, "odd": {uuid.UUID(int=7): Colour.RED, Colour.RED: {1, 2}}}


@pytest.fixture(autouse=True)
def unconfigured() -> Iterator[None]:
    """structlog as it comes, before and after."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


@pytest.fixture
def devnull() -> Iterator[Any]:
    with open(os.devnull, "w", encoding="utf-8") as file:
        yield file


def play(logger: Any = None) -> bytes:
    """A small game, sealed."""
    game = Game.new(
        {"alice": {"hand": ["Forest"]}, "bob": {}},
        cards=[load_card("Forest")],
        step="precombat main",
        seed="diagnostics",
        logger=logger,
    )
    game.decide(0, decisions.PlayLand(game.state.player(0).hand[0]))
    game.seal()
    return game.log_bytes


ERRORS = (
    TypeError("keys must be str"),
    OSError(28, "No space left on device"),
    KeyError("event"),
    RecursionError(),
)


@pytest.mark.cites("R153")
@pytest.mark.parametrize("make", [Broken, Loud])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_logger_that_raises_stops_no_game(make: Callable[[Exception], Broken], error: Exception) -> None:
    """Whatever a logger raises, bound or written to, the game goes on and its bytes are the same."""
    logger = make(error)
    content = play(logger)
    assert logger.asked > 0
    assert content == play()
    assert verify_bytes(content).word == "exact"


@pytest.mark.cites("R153")
def test_odd_values_and_other_keys_change_no_byte(devnull: Any) -> None:
    """Keys that are no text, sets, another order or name of the keys: the game's log has one fixed form."""
    expected = play()
    chains: tuple[list[Any], ...] = (
        [odd, structlog.processors.JSONRenderer()],
        [odd, structlog.processors.JSONRenderer(sort_keys=True)],
        [odd, structlog.processors.KeyValueRenderer(sort_keys=True)],
        [structlog.processors.TimeStamper(key="when"), structlog.processors.JSONRenderer(sort_keys=True)],
        [structlog.processors.EventRenamer("what"), structlog.processors.LogfmtRenderer()],
        [lambda *_: 1 / 0],
    )
    for processors in chains:
        logger = structlog.wrap_logger(structlog.PrintLogger(devnull), processors=processors)
        assert play(logger) == expected


def test_an_interrupt_is_not_swallowed() -> None:
    """What comes from outside while a line is written, such as an interrupt, still gets through."""

    class Interrupted(Plain):
        def debug(self, event: str, **fields: Any) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(Interrupted())


def test_a_line_says_which_game_it_is_about() -> None:
    """Each line has the game it belongs to, once bound, also for a logger that cannot be bound."""
    plain = Plain()
    play(plain)
    with structlog.testing.capture_logs() as captured:
        play(structlog.get_logger())
    lines = [
        (item.pop("event"), {key: value for key, value in item.items() if key != "log_level"})
        for item in captured
    ]
    assert lines == plain.lines
    assert [event for event, _ in lines] == ["appended", "appended", "appended", "sealed"]
    assert len({fields["game"] for _, fields in lines}) == 1
    json.dumps(lines)


def test_the_standard_logger_is_silent_by_default(caplog: pytest.LogCaptureFixture) -> None:
    """Without configuration nothing is said; with a level of the standard library, lines come."""
    play()
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, logger="cascade_es"):
        play()
    assert "appended" in caplog.text
    logger_for().info("said")
