"""Replacement and prevention: what must hold whatever the effects are (614–616)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es.errors import InputError
from cascade_es.scenarios.runner import run_file

CHANGES: dict[str, tuple[str, Callable[[int], int]]] = {
    "Test Double": ("times: 2", lambda n: n * 2),
    "Test Guard": ("prevent: 1", lambda n: max(n - 1, 0)),
    "Test Plus": ("plus: 2", lambda n: n + 2),
    "Test Half": ("halve: down", lambda n: n // 2),
}
"""Effects on damage, and what each makes of a number."""

HEAD = """title: A made-up game about damage, {number}
cards:
{cards}
  - name: Test Bolt
    mana_cost: "{{R}}"
    type_line: Instant
    spell: {{targets: [{{what: {{is: [player]}}}}], do: [{{do: damage, amount: {amount}}}]}}
players:
  alice:
    battlefield: [Mountain]
    hand: [Test Bolt]
  bob:
    life: 400
    battlefield: [{names}]
turn: alice, precombat main
play:
  - alice: cast Test Bolt
    targets: [bob]
  - pass
{answers}
"""

CARD = """  - name: {name}
    mana_cost: "{{W}}"
    type_line: Enchantment
    abilities:
      - {{ability: replacement, when: {{event: damage, who: you}}, instead: {{{change}}}}}
"""


def outcomes(names: list[str], amount: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every order of some effects, and the damage that is dealt in it; 0 damage is no event any more."""
    for order in permutations(names):
        left, used = amount, []
        for name in order:
            if left:
                left = CHANGES[name][1](left)
                used.append(name)
        yield tuple(used), left


@settings(max_examples=12, deadline=None)
@given(st.sets(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=3), st.integers(1, 9), st.data())
def test_each_effect_applies_once_in_the_order_chosen(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], amount: int, data: st.DataObject
) -> None:
    """The affected player chooses the order (616.1); each effect applies once (614.5); none, to no damage."""
    order, dealt = data.draw(st.sampled_from(sorted(outcomes(sorted(names), amount))))
    left = len(names)
    answers = []
    for name in order:
        if left > 1:
            answers.append(f"  - bob: choose {name}")
        left -= 1
    answers.append(f"  - expect: {{bob.life: {400 - dealt}}}")
    cards = "".join(CARD.format(name=name, change=CHANGES[name][0]) for name in sorted(names))
    text = HEAD.format(
        number=amount,
        cards=cards.rstrip("\n"),
        amount=amount,
        names=", ".join(sorted(names)),
        answers="\n".join(answers),
    )
    path = tmp_path_factory.mktemp("damage") / "game.yaml"
    path.write_text(text, encoding="utf-8")

    game, result = run_file(path)

    assert result.problem is None, text
    replaced = sum(1 for step in game.since(0) if step.event.kind == "replaced")
    assert replaced == len(order)


BAD = {
    "nothing happens instead": "when: {event: dies}",
    "'times' is no part of 'dies'": "when: {event: dies}, instead: {times: 2}",
    "'to' is no part of 'damage'": "when: {event: damage}, instead: {to: exile}",
    "means nothing": "when: {event: damage}, instead: {redirect: nobody}",
    "is no number here": "when: {event: damage}, instead: {prevent: some}",
    "unknown value": "when: {event: dances}, instead: {nothing: yes}",
}


@pytest.mark.parametrize("wrong", BAD)
def test_a_replacement_that_means_nothing_is_refused(wrong: str, tmp_path: Path) -> None:
    """A script says what is wrong with it, rather than doing nothing in a game."""
    card = CARD.replace("when: {{event: damage, who: you}}, instead: {{{change}}}", "{change}")
    text = HEAD.format(
        number=0,
        cards=card.format(name="Test Wrong", change=BAD[wrong]).rstrip("\n"),
        amount=1,
        names="Test Wrong",
        answers="",
    )
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=wrong):
        run_file(path)


def test_without_such_a_card_nobody_looks_for_replacement_effects(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A game in which no card replaces anything pays next to nothing for it."""
    from cascade_es.rules import watching

    def looked(*_: object) -> None:
        raise AssertionError("somebody looked")

    monkeypatch.setattr(watching, "watchers", looked)
    path = tmp_path / "game.yaml"
    path.write_text(
        HEAD.format(number=1, cards="", amount=3, names="Forest", answers="  - expect: {bob.life: 397}"),
        encoding="utf-8",
    )

    _, result = run_file(path)

    assert result.problem is None
