"""Beginning a game (103) or placing one that is already under way, and ending its record."""

from __future__ import annotations

from collections import Counter

from cascade_es.errors import DecisionError
from cascade_es.evolve import HIDDEN
from cascade_es.rules import turn
from cascade_es.rules.hidden import seat_mask
from cascade_es.rules.work import Work
from cascade_es.rules.zones import draw, shuffle
from cascade_es.values import events as ev
from cascade_es.values.decisions import RECORDER, Decision, SetUp
from cascade_es.values.digest import digest
from cascade_es.values.facts import EVERYONE

MOST_SEATS, MOST_BYTES, MOST_CARDS, MOST_TURNS = 62, 64, 1000, 10**9
ZONES = ("library", "hand", "battlefield", "graveyard", "exile", "command")


def perform(w: Work, decision: Decision) -> None:
    """Place every card, shuffle and draw opening hands if asked, and begin at a turn and step."""
    answer = decision.answer
    assert isinstance(answer, SetUp)
    if decision.seat != RECORDER or w.state.game.players:
        raise DecisionError("a game is set up once, first of all, by its recorder")
    check(answer)
    w.emit(ev.GameBegun, "game.begin", answer.life, answer.starting, answer.edition, auto=False)
    for pile in answer.piles:
        if not pile.cards:
            continue
        seats = EVERYONE
        if pile.zone in HIDDEN:
            seats = seat_mask(pile.seat) if pile.zone == "hand" else 0
        cards = tuple(w.seal(card, seats) for card in pile.cards)
        w.emit(ev.Placed, "game.begin", pile.seat, pile.zone, w.new_id(), cards, pile.tapped, auto=False)
    for handle in w.state.game.battlefield:
        what = w.board.characteristics(handle)
        if "planeswalker" in what.types and what.loyalty:
            # 306.5b: one that is there already entered with its loyalty.
            w.emit(ev.CountersChanged, "enters.loyalty", handle, "loyalty", what.loyalty)
    if answer.shuffle:
        for player in w.state.game.players:
            shuffle(w, player.seat)
    for player in w.state.game.players:
        draw(w, player.seat, answer.hands, "game.begin")
    if answer.step:
        w.emit(ev.TurnBegun, "turn.begin", answer.starting, answer.turn, auto=False)
        w.emit(ev.StepBegun, "step.begin", answer.step, auto=False)


def check(answer: SetUp) -> None:
    """Whether a game can be set up like this."""
    players = len(answer.life)
    if not 0 <= answer.hands <= MOST_CARDS or not 1 <= answer.turn <= MOST_TURNS:
        raise DecisionError(f"hands have 0 to {MOST_CARDS} cards, and turns are numbered from 1 on")
    if players > MOST_SEATS:
        raise DecisionError(f"a game has at most {MOST_SEATS} players")
    if players < 2:
        raise DecisionError("a game needs at least two players")
    if not 0 <= answer.starting < players:
        raise DecisionError(f"there is no player in seat {answer.starting}")
    if answer.step and answer.step not in turn.STEPS:
        raise DecisionError(f"unknown step '{answer.step}'; steps: {', '.join(turn.STEPS)}")
    seen = Counter((pile.seat, pile.zone) for pile in answer.piles)
    for (seat, zone), times in seen.items():
        if times > 1:
            raise DecisionError(f"the {zone} of seat {seat} is given twice")
        if not 0 <= seat < players:
            raise DecisionError(f"there is no player in seat {seat}")
        if zone not in ZONES:
            raise DecisionError(f"no card starts in the zone '{zone}'; zones: {', '.join(ZONES)}")


def contribute(w: Work, seat: int, value: bytes) -> None:
    """A seat adds to the seed, once, before anything is drawn."""
    if w.state.game.players:
        raise DecisionError("the seed is fixed once the game is set up")
    if not 0 <= seat < MOST_SEATS or any(seat == other for other, _ in w.state.ledger.contributions):
        raise DecisionError(f"seat {seat} cannot contribute to the seed, or has done so already")
    if not 0 < len(value) <= MOST_BYTES:
        raise DecisionError(f"a contribution has 1 to {MOST_BYTES} bytes")
    w.emit(ev.SeedContributed, "game.begin", seat, value, auto=False)


def seal(w: Work) -> None:
    """End the record with a digest of the whole game part of the state."""
    w.emit(ev.SealedEnd, "table", digest(w.state), auto=False)
