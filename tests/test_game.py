"""The face of a game: what a decision records, what it does not, and how one looks back."""

# ruff: noqa: SIM300 - the expected value stands on the left

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cascade_es import UNKNOWN, Board, Game, Replay, State, load_card, project, verify_bytes
from cascade_es.cards import Card
from cascade_es.errors import CascadeError, Damaged, DecisionError, InputError, Refused
from cascade_es.evolve import INITIAL
from cascade_es.game import derive
from cascade_es.log import parse_log
from cascade_es.rules.decide import decide, prompt_of, recorded_answer
from cascade_es.scenarios.grammar import load
from cascade_es.scenarios.runner import play
from cascade_es.values import decisions as de
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Decision
from cascade_es.values.state import Target

Begin = Callable[..., Game]
FOREST = load_card("Forest")
FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def small(**options: Any) -> Game:
    """A game of Forests in a main phase."""
    given: dict[str, Any] = {"cards": [FOREST], "step": "precombat main", "seed": "small", **options}
    players = given.pop("players", {"ann": {"hand": ["Forest"], "library": ["Forest"] * 3}, "bob": {}})
    return Game.new(players, **given)


def hand(game: Game, name: str, seat: int = 0) -> int:
    return next(handle for handle in game.state.player(seat).hand if game.board.name(handle) == name)


def permanent(game: Game, name: str) -> int:
    return next(handle for handle in game.state.game.battlefield if game.board.name(handle) == name)


def untouched(game: Game, seat: int, answer: Answer, error: type[Exception], **how: Any) -> None:
    """A decision fails and leaves the game, its record and its bytes as they were."""
    before = (game.state, len(game), game.units, game.log_bytes, game.digest())
    with pytest.raises(error):
        game.decide(seat, answer, **how)
    assert before == (game.state, len(game), game.units, game.log_bytes, game.digest())


# ------------------------------------------------------------------------------------ deciding


@pytest.mark.cites("193", "R105", "R119")
@pytest.mark.parametrize(
    ("seat", "answer"),
    [
        (1, de.Pass()),
        (7, de.Pass()),
        (-1, de.Pass()),
        (0, de.Cast(999)),
        (0, de.PlayLand(999)),
        (0, de.ActivateAbility(999)),
        (0, de.ActivateAbility(1, 99)),
        (0, de.ActivateAbility(1, -1)),
        (0, de.Choose((1,))),
        (0, de.Targets(())),
        (0, de.Pay()),
        (0, de.YesNo(True)),
        (0, de.Decline()),
        (0, de.Order((1, 2))),
        (0, de.GiveUp()),
        (5, de.Concede()),
        (0, de.SetUp((20, 20), 0, "2026-08-07", ())),
        (de.RECORDER, de.SetUp((20, 20), 0, "2026-08-07", ())),
        (de.RECORDER, de.Table("fly", 1)),
        (de.RECORDER, de.Table("move", 1, zone="limbo")),
        (de.RECORDER, de.Table("move", 999, zone="hand")),
        (de.RECORDER, de.Table("draw", seat=9, amount=1)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("insist", [False, True])
def test_an_answer_to_no_prompt_records_nothing(
    seat: int, answer: Answer, insist: bool, begin: Begin
) -> None:
    """What does not fit the prompt is an error, even when insisted on: no event, no byte, no change."""
    untouched(begin(), seat, answer, DecisionError, insist=insist)


@pytest.mark.cites("193")
def test_what_the_rules_forbid_records_nothing(begin: Begin) -> None:
    """A refused decision names its rule by concept and number, and leaves no trace."""
    game = begin()
    game.decide(0, de.PlayLand(hand(game, "Forest")))
    game.decide(0, de.Pass())
    untouched(game, 1, de.PlayLand(hand(game, "Mountain", 1)), Refused)
    with pytest.raises(Refused) as caught:
        game.decide(1, de.PlayLand(hand(game, "Mountain", 1)))
    assert ("land.play", game.edition.number("land.play")) == (caught.value.rule, caught.value.number)
    assert "main phase" in caught.value.reason


def test_an_insisted_attempt_is_recorded_and_reversed(begin: Begin) -> None:
    """With `insist` a forbidden action is in the log as what it was, and the game is as before."""
    game = begin()
    game.decide(0, de.Pass())
    before = game.state
    events = game.decide(1, de.PlayLand(hand(game, "Mountain", 1)), insist=True)
    assert ["illegality-found", "action-reversed", "state-digest"] == [
        event.kind for event in events if event.kind not in ("rehandled", "shown")
    ]
    assert before.game == game.state.game
    assert game.units[-1].decision.insist


def test_asking_changes_nothing(begin: Begin) -> None:
    """Looking at the prompt, its candidates, checks and completions leaves the game as it is."""
    game = begin()
    before = (game.state, game.log_bytes)
    prompt = game.prompt
    assert prompt is not None
    for candidate in prompt.candidates:
        assert candidate.refusal == prompt.check(candidate.answer)
    prompt.complete()
    assert before == (game.state, game.log_bytes)
    assert "<Prompt act for seat 0: priority>" == repr(game.prompt)


def test_a_prompt_judges_only_answers_to_it(begin: Begin) -> None:
    """Whatever does not answer the prompt at all is an error when it is checked, not a defect."""
    prompt = begin().prompt
    assert prompt is not None
    for wrong in (de.YesNo(True), "pass", None):
        with pytest.raises(DecisionError, match=r"does not answer the prompt \(priority\)"):
            prompt.check(wrong)  # type: ignore[arg-type]


@pytest.mark.cites("R115")
def test_a_decision_and_its_events_are_one_unit(begin: Begin) -> None:
    """One accepted decision adds one unit with all its events, returned as they were recorded."""
    game = begin()
    units, length = len(game.units), len(game)
    events = game.decide(0, de.Cast(hand(game, "Spark")))
    assert units + 1 == len(game.units)
    assert length + len(events) == len(game)
    assert events == game.units[-1].events
    assert de.Cast(game.units[-1].decision.body.value[0][0]) == recorded_answer(game.units[-1].decision)


def test_time_is_metadata_of_the_unit(begin: Begin) -> None:
    """A time that an application hands in is in the log, and no state depends on it."""
    one, other = begin(), begin()
    one.decide(0, de.Pass(), time=1_700_000_000_000)
    other.decide(0, de.Pass())
    assert (1_700_000_000_000, None) == (one.units[-1].time, other.units[-1].time)
    assert one.state == other.state
    assert one.log_bytes != other.log_bytes


def test_a_game_goes_on_only_as_far_as_nobody_decides(begin: Begin) -> None:
    """After every decision either somebody is asked or the game is over."""
    game = begin()
    game.decide(0, de.Pass())
    assert game.prompt is not None
    assert 1 == game.prompt.seat
    game.decide(1, de.Concede())
    assert game.over
    assert None is game.prompt
    assert (0,) == game.state.game.winners
    untouched(game, 0, de.Pass(), DecisionError)
    untouched(game, 0, de.Concede(), DecisionError)


# ------------------------------------------------------------------------------------- looking


def test_iterating_gives_every_step(recorded: Game) -> None:
    """Steps come in order, each with its number, its unit, its event, and the state after it."""
    steps = list(recorded)
    assert len(recorded) == len(steps)
    assert list(range(1, len(steps) + 1)) == [step.seq for step in steps]
    assert [recorded.at(step.seq) for step in steps] == [step.state for step in steps]
    assert [step.seq for step in steps] == [step.state.ledger.seq for step in steps]
    assert [unit.events for unit in recorded.units] == [
        tuple(step.event for step in group)
        for _, group in itertools.groupby(steps, key=lambda step: step.unit)
    ]
    assert recorded.state is steps[-1].state


def test_any_step_can_be_looked_at(recorded: Game) -> None:
    """Step 0 is before the first event; beyond the ends there is a clear error."""
    assert INITIAL == recorded.at(0)
    assert recorded.state is recorded.at(len(recorded))
    for seq in (-1, len(recorded) + 1):
        with pytest.raises(InputError, match=f"no step {seq}"):
            recorded.at(seq)


def test_a_digest_is_of_one_step(recorded: Game) -> None:
    """The digest asked for is that of the step named, by default the last, and the seal carries it."""
    assert recorded.digest() == recorded.digest(len(recorded))
    assert 64 == len(recorded.digest(0))
    seal = list(recorded)[-1].event
    assert isinstance(seal, ev.SealedEnd)
    assert seal.digest.hex() == recorded.digest()
    with pytest.raises(CascadeError):
        recorded.digest(len(recorded) + 1)


def test_a_board_shows_names(begin: Begin) -> None:
    """The board of a game knows what its objects are called."""
    game = begin()
    assert isinstance(game.board, Board)
    assert "Runeclaw Bear" in {game.board.name(handle) for handle in game.state.game.battlefield}
    assert ("alice", "bob") == game.names


# ----------------------------------------------------------------------------- beginning, ending


@pytest.mark.parametrize("seal", [True, False])
def test_a_sealed_game_takes_nothing_more(seal: bool) -> None:
    """After the seal nothing can be recorded, not even a comment or another seal; nobody is asked."""
    game = small()
    if not seal:
        game.close()
        assert not parse_log(game.log_bytes).sealed
        return
    game.seal()
    assert None is game.prompt
    assert parse_log(game.log_bytes).sealed
    for answer in (
        de.Pass(),
        de.Comment("late"),
        de.Seal(),
        de.Concede(),
        de.Table("life", seat=0, amount=1),
    ):
        untouched(game, 0, answer, DecisionError)


def test_the_middle_of_an_action_can_be_sealed(begin: Begin) -> None:
    """A record may end anywhere; it replays to the same state."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Spark")))
    game.seal()
    assert game.digest() == Replay.of(game.log_bytes).digest()


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": {"ann": {}}},
        {"players": {"ann": {"pocket": ["Forest"]}, "bob": {}}},
        {"players": {"ann": {"hand": ["Forrest"]}, "bob": {}}},
        {"edition": "M99"},
        {"starting": 2},
        {"starting": -1},
        {"step": "lunch"},
        {"players": {"ann": {"battlefield": ["Forest"] * 2}, "bob": {}}, "tapped": {"ann": [True]}},
        {"life": (20, 20, 20)},
        {"tapped": {"eve": [True]}},
    ],
    ids=str,
)
def test_a_game_that_cannot_be_set_up_is_an_input_error(wrong: dict[str, Any]) -> None:
    """Whatever cannot be used to set up a game is named in an InputError."""
    with pytest.raises(InputError):
        small(**wrong)


def test_a_game_writes_its_log_as_it_goes(tmp_path: Path) -> None:
    """A game with a file has every unit in it; in the end the file has the bytes of a game in memory."""
    path = str(tmp_path / "game.ces")
    in_memory = small()
    with small(log=path) as game:
        for each in (game, in_memory):
            each.decide(0, de.PlayLand(each.state.player(0).hand[0]))
        assert in_memory.log_bytes == Path(path).read_bytes()
        with pytest.raises(InputError):
            _ = game.log_bytes
    in_memory.decide(0, de.Pass())
    with Game.resume(path) as again:
        assert game.state == again.state
        again.decide(0, de.Pass())
        assert in_memory.state == again.state
    assert in_memory.log_bytes == Path(path).read_bytes()
    with pytest.raises(InputError):
        small(log=path)


# --------------------------------------------------------------------------------- determinism


def play_some(game: Game) -> Game:
    """A few decisions with a draw of chance in them."""
    game.decide(de.RECORDER, de.Table("shuffle", seat=0))
    game.decide(0, de.PlayLand(game.state.player(0).hand[0]))
    game.decide(0, de.Comment("so far"))
    return game


@pytest.mark.cites("191")
def test_the_same_seed_gives_the_same_bytes() -> None:
    """Two games with the same seed and decisions have the same log, byte for byte; another seed has not."""
    one, same, other = (play_some(small(seed=seed)) for seed in ("one", b"one", "other"))
    assert one.log_bytes == same.log_bytes
    assert one.log_bytes != other.log_bytes
    assert parse_log(one.log_bytes).header.log_id != parse_log(other.log_bytes).header.log_id


def test_a_game_without_a_seed_is_unpredictable() -> None:
    """Two games that were given no seed share neither log id nor draws."""
    one, other = small(seed=None), small(seed=None)
    assert one.ctx.secrets.log_id != other.ctx.secrets.log_id
    assert one.ctx.secrets.seed != other.ctx.secrets.seed


def test_a_seed_gives_three_secrets() -> None:
    """Log id, draw seed and blinding key follow from the seed by separate labels."""
    one, other = derive(b"one"), derive(b"other")
    assert (16, 32, 32) == (len(one.log_id), len(one.seed), len(one.key))
    assert 6 == len({one.log_id, one.seed, one.key, other.log_id, other.seed, other.key})


@pytest.mark.cites("191")
def test_deciding_again_gives_the_same_log(recorded: Game) -> None:
    """Re-execution: the recorded decisions, decided again, give the same events and the same bytes."""
    first, *others = recorded.units
    setup = recorded_answer(first.decision)
    assert isinstance(setup, de.SetUp)
    players: dict[str, dict[str, list[str]]] = {name: {} for name in recorded.names}
    tapped: dict[str, tuple[bool, ...]] = {}
    for pile in setup.piles:
        players[recorded.names[pile.seat]][pile.zone] = [card.name for card in pile.cards]
        if pile.tapped:
            tapped[recorded.names[pile.seat]] = pile.tapped
    names = {name for zones in players.values() for cards in zones.values() for name in cards}
    definitions = {name: load_card(name) for name in sorted(names)}
    again = Game.new(
        players,
        cards=[Card(card.definition) for card in definitions.values()],
        edition=setup.edition,
        seed=seed_of(recorded),
        life=setup.life,
        starting=setup.starting,
        turn=setup.turn,
        step=setup.step,
        tapped=tapped,
    )
    for unit in others:
        events = again.decide(unit.decision.seat, recorded_answer(unit.decision), insist=unit.decision.insist)
        assert unit.events == events
    assert recorded.log_bytes == again.log_bytes


def seed_of(game: Game) -> str:
    """The seed of a worked game: its title, as the runner makes it."""
    games = Path(__file__).parent.parent / "fixtures" / "games"
    titles = [load(path).title for path in games.glob("*.yaml")]
    return next(f"{t}\0" for t in titles if derive(f"{t}\0".encode()).log_id == game.ctx.secrets.log_id)


# ------------------------------------------------------------------------------- malformed answers


def test_a_target_is_an_object_or_a_player(begin: Begin) -> None:
    """A target that names both an object and a player is malformed, so that no illegal object rides along."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Spark")))
    untouched(game, 0, de.Targets((Target(0, permanent(game, "Pinger"), 1),)), DecisionError)


def test_a_land_is_played_as_a_part_that_it_has(begin: Begin) -> None:
    """Playing a part of a land that does not exist is a bad decision."""
    game = begin()
    untouched(game, 0, de.PlayLand(hand(game, "Forest"), 3), DecisionError)


def test_a_permission_must_exist(begin: Begin) -> None:
    """A cast by a permission that the player does not have is not taken down as if it were one."""
    game = begin()
    untouched(game, 0, de.Cast(hand(game, "Spark"), 0, "flashback"), CascadeError)


def test_a_table_fact_cannot_break_the_game(begin: Begin) -> None:
    """Moving the very spell that is being cast is refused, or the cast ends; it never is a crash."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Spark")))
    try:
        game.decide(de.RECORDER, de.Table("move", game.state.game.stack[0], zone="graveyard"))
    except CascadeError:
        return
    assert game.prompt is not None


def test_only_permanents_are_tapped(begin: Begin) -> None:
    """The table cannot tap a card in a hand."""
    game = begin()
    untouched(game, de.RECORDER, de.Table("tap", hand(game, "Spark")), DecisionError)


def test_the_same_card_is_not_discarded_twice() -> None:
    """At cleanup each card to discard is another one."""
    game = small(players={"ann": {"hand": ["Forest"] * 9}, "bob": {}}, step="end")
    game.decide(0, de.Pass())
    game.decide(1, de.Pass())
    first, second, *_ = game.state.player(0).hand
    untouched(game, 0, de.Choose((first, first, second)), CascadeError)


def test_somebody_says_it() -> None:
    """A comment comes from a seat of the game or from its recorder."""
    untouched(small(), 17, de.Comment("boo"), DecisionError)


def test_only_the_recorder_seals() -> None:
    """A player cannot end the record of a game."""
    untouched(small(), 0, de.Seal(), DecisionError)


def test_a_table_fact_is_not_a_strangers_word() -> None:
    """A fact of the table comes from the recorder or a seat, not from nobody."""
    untouched(small(), 17, de.Table("life", seat=0, amount=1), DecisionError)


def test_the_prompt_of_a_payment_completes_legally(begin: Begin) -> None:
    """Whatever a prompt offers as a completion, its own check takes."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Everything")))
    game.decide(0, de.Modes((1,)))
    game.decide(0, de.Declare(0, (), ("R",)))
    for mountain in [h for h in game.state.game.battlefield if game.board.name(h) == "Mountain"][:2]:
        game.decide(0, de.ActivateAbility(mountain))
    game.decide(0, de.Pay(-1, tuple(unit.id for unit in game.state.player(0).pool)))
    prompt = game.prompt
    assert prompt is not None
    done = prompt.complete()
    assert None is (prompt.check(done) if isinstance(done, Answer) else None)


def test_no_completion_means_that_there_is_none(begin: Begin) -> None:
    """While a land could still be tapped to pay, a payment does not claim that it cannot go on."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Chatter")))
    assert game.prompt is not None
    assert None is not game.prompt.complete()


def test_every_step_can_be_stood_at(recorded: Game) -> None:
    """Every state but that within a reversal can be asked for its prompt, in the middle of anything."""
    for seq in range(len(recorded) + 1):
        state: State = recorded.at(seq)
        if state.frame.machine != "reversing":
            prompt = prompt_of(recorded.ctx, state)
            assert prompt is None or 0 <= prompt.seat < 2


def test_the_middle_of_a_reversal_can_be_stood_at(begin: Begin) -> None:
    """Between the finding of an illegality and its reversal nobody is asked anything."""
    game = begin()
    game.decide(0, de.Cast(hand(game, "Spark")))
    game.decide(0, de.GiveUp())
    (found,) = (step for step in game if step.event.kind == "illegality-found")
    assert None is prompt_of(game.ctx, found.state)


# ------------------------------------------------------------------------------ awkward but legal

BENCH = """
title: awkward but legal
cards:
  - name: Fountain
    type_line: Artifact
    abilities:
      - ability: activated
        cost: [{pay: mana, mana: "{0}"}]
        text: {do: [{do: add mana, mana: "{R}"}]}
  - name: Kick
    mana_cost: "{R}"
    type_line: Instant
    additional_costs: [{name: kicker, optional: yes, cost: [{pay: mana, mana: "{R/G}"}]}]
    spell: {do: [{do: gain life, amount: "1"}]}
  - name: Stuck
    type_line: Creature
    power: "1"
    toughness: "1"
    mana_cost: "{R}"
    abilities:
      - ability: triggered
        when: {event: enters, this: yes}
        text:
          choose: "1"
          modes:
            - {targets: [{what: {types: [planeswalker]}}], do: [{do: destroy}]}
            - {targets: [{what: {types: [planeswalker]}}], do: [{do: exile}]}
  - name: Both
    type_line: Creature
    power: "1"
    toughness: "1"
    mana_cost: "{R}"
    abilities:
      - ability: triggered
        when: {event: enters, this: yes}
        text:
          choose: "2"
          modes:
            - {do: [{do: gain life, amount: "1"}]}
            - {do: [{do: draw}]}
players:
  alice: {battlefield: [Fountain, Mountain x2], hand: [Kick, Stuck, Both], library: [Forest, Mountain]}
  bob: {}
play: []
"""


def resolve(game: Game, name: str) -> None:
    """Cast a creature for {R} and let it enter."""
    game.decide(0, de.ActivateAbility(permanent(game, "Mountain")))
    game.decide(0, de.Cast(hand(game, name)))
    game.decide(0, de.Pay(-1, tuple(unit.id for unit in game.state.player(0).pool)))
    game.decide(0, de.Pass())
    game.decide(1, de.Pass())


def test_a_mana_ability_may_cost_nothing(begin: Begin) -> None:
    """A mana ability whose cost is {0} adds its mana (118.5)."""
    game = begin(BENCH)
    game.decide(0, de.ActivateAbility(permanent(game, "Fountain")))
    assert 1 == len(game.state.player(0).pool)


def test_a_kicker_may_be_hybrid(begin: Begin) -> None:
    """How the hybrid symbols of a kicker are paid is declared together with the kicker (601.2b)."""
    game = begin(BENCH)
    game.decide(0, de.Cast(hand(game, "Kick")))
    game.decide(0, de.Declare(0, ("kicker",), ("R",)))
    assert game.prompt is not None
    assert "pay for Kick: {R}{R}" == game.prompt.question


def test_a_trigger_without_a_legal_mode_is_removed(begin: Begin) -> None:
    """If no mode of a triggered ability can be chosen, it is removed from the stack (603.3c)."""
    game = begin(BENCH)
    resolve(game, "Stuck")
    assert "trigger-removed" in [step.event.kind for step in game]
    assert game.prompt is not None
    assert "act" == game.prompt.kind


def test_modes_of_a_trigger_act_as_printed(begin: Begin) -> None:
    """Several modes of a trigger are followed in printed order, in whatever order they were said (700.2)."""
    game = begin(BENCH)
    resolve(game, "Both")
    game.decide(0, de.Modes((1, 0)))
    (stacked,) = game.state.game.stack
    choices = game.state.object(stacked).choices
    assert choices is not None
    assert (0, 1) == choices.modes


def test_a_damaged_log_is_not_replayed(begin: Begin) -> None:
    """A log in which one byte is another is damaged, wherever that byte is."""
    content = bytearray(begin().log_bytes)
    content[-1] ^= 1
    with pytest.raises(Damaged):
        Replay.of(bytes(content))


@pytest.mark.parametrize("nothing", [None, UNKNOWN])
def test_what_complete_gives_for_no_answer_is_no_answer(begin: Begin, nothing: Any) -> None:
    """A bot that hands on what complete() gave where it has no answer is told to look at the candidates."""
    game = begin()
    with pytest.raises(DecisionError, match=f"not {nothing!r}; the prompt's candidates hold some"):
        game.decide(0, nothing)


@pytest.mark.parametrize("read", [Replay.of, verify_bytes, lambda name: project(name, 0)])
def test_a_name_in_place_of_bytes_is_told_so(read: Callable[[Any], Any]) -> None:
    """Who gives a file's name where its bytes are wanted is told what reads names."""
    with pytest.raises(InputError, match=r"bytes are wanted, not str; of a file or a store see Replay\.open"):
        read("game.ces")


def test_a_history_says_what_it_is(recorded: Game) -> None:
    """Printed, a game and its replay say how long they are, and whether more may come."""
    assert f"<Game of {len(recorded)} events, " in repr(recorded)
    assert repr(Replay.of(recorded.log_bytes)) == repr(recorded).replace("Game", "Replay")


def test_the_log_of_a_written_game_is_elsewhere(tmp_path: Path) -> None:
    """A game that writes its log somewhere holds no bytes, and says where they are."""
    with (
        small(log=str(tmp_path / "a.ces")) as game,
        pytest.raises(InputError, match="in a file or a store; read it there"),
    ):
        game.log_bytes  # noqa: B018 - asking is what fails


def test_a_closed_game_in_memory_takes_no_decision() -> None:
    """As one in a file: what it holds stays to be read, and can be forked."""
    with Game.new({"alice": {}, "bob": {}}, cards=[], seed="closed", step="precombat main") as game:
        game.decide(0, de.Pass())
    before = game.log_bytes
    with pytest.raises(InputError, match="this log is closed; fork what it holds to go on"):
        game.decide(1, de.Pass())
    assert game.log_bytes == before
    game.fork(len(game), seed="goes on").decide(1, de.Pass())


@pytest.mark.parametrize(
    "path", sorted((FIXTURES / "cases").rglob("*.yaml"))[::12], ids=lambda path: path.stem
)
def test_a_candidate_is_judged_as_it_is_listed(path: Path) -> None:
    """Where one thing is chosen, list, check and decision agree on every candidate: none surprises a bot."""
    game, _ = play(load(path))
    seq = 0
    for number, unit in enumerate(game.units[:-1], start=2):
        seq += len(unit.events)
        state = game.at(seq)
        prompt = prompt_of(game.ctx, state)
        for candidate in prompt.candidates if prompt is not None and prompt.most == 1 else ():
            assert prompt is not None
            judged = prompt.check(candidate.answer)
            assert (judged and judged.rule) == (candidate.refusal and candidate.refusal.rule)
            decision = Decision(prompt.seat, candidate.answer)
            if candidate.allowed:
                decide(game.ctx, state, decision, game.at, number)
            else:
                with pytest.raises(Refused):
                    decide(game.ctx, state, decision, game.at, number)
