"""Cards with several parts: what copies of them are, what a fused spell says, what a cast puts on record."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cascade_es import Game
from cascade_es.rules.board import Board
from cascade_es.rules.operations.faces import can_transform
from cascade_es.rules.permission import begin_cast
from cascade_es.rules.printed import FUSED, copiable_values, face_at
from cascade_es.scenarios import runner
from cascade_es.scenarios.cardfiles import load_card
from cascade_es.scenarios.grammar import parse
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.state import Base, Characteristics, Link, Obj


def play(battlefield: str, said: str = "- pass", hand: str = "") -> Game:
    """A game with these permanents, after these decisions."""
    alice = f"  alice:\n    battlefield: [{battlefield}]\n    hand: [{hand}]\n"
    bob = "  bob: {battlefield: [Sol Ring, Phyrexian Arena]}\n"
    scenario = parse(f"title: t\nplayers:\n{alice}{bob}play:\n{said}\n")
    return runner.play(scenario)[0]


def permanent(game: Game, name: str) -> Obj:
    """A permanent by a name of its card."""
    for handle in game.state.game.battlefield:
        obj = game.state.object(handle)
        if obj.ref is not None and obj.ref.name == name:
            return obj
    raise AssertionError(name)


def as_copy(game: Game, what: Obj, of: Obj) -> tuple[Board, Obj]:
    """The same game, in which one permanent has the copiable values of another (707.2)."""
    copy = replace(what, base=Base(of.card, of.face))
    objects = game.state.game.objects.set(what.id, copy)
    return Board(game.ctx, replace(game.state, game=replace(game.state.game, objects=objects))), copy


BACK = "Delver of Secrets // Insectile Aberration"
HUNT = "Huntmaster of the Fells // Ravager of the Fells"


@pytest.mark.cites("B8")
@pytest.mark.parametrize("copier", ["Runeclaw Bear", BACK])
def test_a_copy_of_a_back_has_mana_value_0(copier: str) -> None:
    """202.3b: also where what copies it is a double-faced card itself."""
    game = play(f"{copier}, {HUNT}")
    back = replace(permanent(game, HUNT), face=1)
    board, copy = as_copy(game, permanent(game, copier), back)
    assert board.characteristics(copy.id).name == "Ravager of the Fells"
    assert board.characteristics(copy.id).mana_value == 0
    front = as_copy(game, permanent(game, copier), permanent(game, HUNT))
    assert front[0].characteristics(copy.id).mana_value == 4


@pytest.mark.cites("K8")
def test_only_what_is_a_double_faced_card_transforms() -> None:
    """712.9: a card with one face that copies one does not; a double-faced card that copies a bear does."""
    game = play(f"Runeclaw Bear, {HUNT}")
    bear, hunt = permanent(game, "Runeclaw Bear"), permanent(game, HUNT)
    assert can_transform(*as_copy(game, hunt, bear))
    assert not can_transform(*as_copy(game, bear, hunt))
    assert can_transform(*as_copy(game, bear, hunt)[:1], hunt)


@pytest.mark.cites("D15")
@pytest.mark.parametrize("zone", ["stack", "battlefield"])
def test_a_copy_of_a_prototype_has_its_values(zone: str) -> None:
    """718.3c, d: a prototyped spell or permanent is copied as such."""
    game = play("Blitz Automaton")
    obj = replace(permanent(game, "Blitz Automaton"), face=1, zone=zone)
    definition = load_card("Blitz Automaton").definition
    what = copiable_values(game.ctx, definition, 1, obj)
    assert (what.mana_value, what.colors, what.power, what.toughness) == (3, ("R",), 3, 2)
    assert (what.types, what.keywords) == (("artifact", "creature"), ("haste",))


@pytest.mark.cites("A6")
def test_a_face_down_permanent_is_a_2_2_whatever_it_is() -> None:
    """708.2: for its abilities too, and for those who do not know which card it is."""
    game = play("Vault Skirge")
    obj = replace(permanent(game, "Vault Skirge"), face_down=True)
    objects = game.state.game.objects.set(obj.id, obj)
    board = Board(game.ctx, replace(game.state, game=replace(game.state.game, objects=objects)))
    assert board.characteristics(obj.id) == Characteristics(types=("creature",), power=2, toughness=2)
    assert board.abilities(obj.id) == ()


@pytest.mark.cites("51")
def test_the_targets_of_the_right_half_come_after_those_of_the_left() -> None:
    """702.102d: one text, in which each instruction still means its own half's targets."""
    definition = load_card("Far // Away").definition
    text = face_at(definition, FUSED).spell
    assert text is not None
    far, away = text.do
    assert isinstance(far, sc.Put)
    assert isinstance(away, sc.LoseLife)
    assert (far.what, far.to, away.who) == ("target", "hand", "target 2")
    assert len(text.targets) == 2


@pytest.mark.cites("59", "F14")
def test_what_allowed_a_cast_is_on_record() -> None:
    """The permission and the object that gives it stand in the event of 601.2a."""
    said = """
- alice: cast Wear // Tear
  permission: Omniscience
  targets: [Sol Ring, Phyrexian Arena]
"""
    game = play("Omniscience", said, "Wear // Tear")
    (announced,) = [step.event for step in game.since(0) if isinstance(step.event, ev.Announce)]
    assert announced.permission == "Omniscience"
    assert announced.ground == permanent(game, "Omniscience").id
    assert (announced.part, announced.free, announced.origin) == (FUSED, True, "hand")


@pytest.mark.cites("S4.18")
def test_a_chosen_name_forbids_the_half_that_has_it() -> None:
    """Of a card's two names one is chosen: the other half may be cast, the fused spell has both names."""
    text = """title: t
cards:
  - name: Test Mage
    type_line: Artifact
    abilities: [{ability: prohibition, chosen: yes}]
players:
  alice: {battlefield: [Test Mage], hand: [Wear // Tear]}
  bob: {}
play: [pass]
"""
    game = runner.start(parse(text))
    mage = replace(permanent(game, "Test Mage"), chosen=("Wear",))
    objects = game.state.game.objects.set(mage.id, mage)
    board = Board(game.ctx, replace(game.state, game=replace(game.state.game, objects=objects)))
    card = game.state.object(game.state.player(0).hand[0])
    refusals = [begin_cast(board, 0, card, part) for part in (0, 1, FUSED)]
    assert [refusal is None for refusal in refusals] == [False, True, False]


@pytest.mark.cites("F8")
def test_cards_that_an_object_remembers_may_be_played() -> None:
    """607.2: "cards exiled with this" are those that the object is linked to, no others."""
    text = """title: t
cards:
  - name: Test Keeper
    type_line: Artifact
    abilities: [{ability: permission, allow: play, linked: yes}]
players:
  alice: {battlefield: [Test Keeper], exile: [Shock, Shock]}
  bob: {}
play: [pass]
"""
    game = runner.start(parse(text))
    keeper = permanent(game, "Test Keeper")
    first, second = (game.state.object(handle) for handle in game.state.game.exile)
    changed = replace(game.state.game, links=(Link(keeper.id, (first.id,), "exiled with"),))
    board = Board(game.ctx, replace(game.state, game=changed))
    assert begin_cast(board, 0, first, 0) is None
    refused = begin_cast(board, 0, second, 0)
    assert refused is not None
    assert refused.rule == "cast.permission"


def test_the_prompt_lists_every_way_to_cast_a_card() -> None:
    """Each part by each permission; what nothing allows is not there at all."""
    text = """title: t
players:
  alice: {battlefield: [Omniscience], hand: [Wear // Tear], graveyard: [Spring // Mind, Shock]}
  bob: {}
play: [pass]
"""
    game = runner.start(parse(text))
    prompt = game.prompt
    assert prompt is not None
    listed = [candidate.text for candidate in prompt.candidates if candidate.text.startswith("cast")]
    assert listed == [
        "cast Wear",
        "cast Wear (Omniscience)",
        "cast Tear",
        "cast Tear (Omniscience)",
        "cast Wear // Tear",
        "cast Wear // Tear (Omniscience)",
        "cast Mind (aftermath)",
    ]
