"""A script that means nothing is refused at its place."""

from __future__ import annotations

import pytest

from cascade_es import InputError
from cascade_es.scenarios.cardfiles import definition_of
from cascade_es.scenarios.yamlreader import read

GOOD = """
name: Test Bolt
mana_cost: "{X}{R}"
type_line: Instant
spell:
  targets: [{what: {types: [creature]}}]
  do:
    - {do: damage, amount: X, to: target}
"""


def refusal(text: str) -> InputError:
    """What is said of a script."""
    with pytest.raises(InputError) as caught:
        definition_of(read(text, "test.yaml"))
    return caught.value


def test_a_good_script_is_read() -> None:
    """The script that the wrong ones are made of is right itself."""
    assert definition_of(read(GOOD, "test.yaml")).name == "Test Bolt"


@pytest.mark.parametrize(
    ("right", "wrong", "says", "where"),
    [
        ("to: target", "to: taget", "'taget' means nothing; did you mean 'target'?", "8:35"),
        ("to: target", "to: bob", "'bob' means nothing; known: target, this, that, used", "8:35"),
        ("to: target", "to: target 2", "there are 1 instances of 'target' here", "8:35"),
        ("amount: X", "amount: -2", "'-2' is no number here", "8:28"),
        ("amount: X", "amount: two", "'two' is no number here", "8:28"),
        ('"{X}{R}"', '"{R}"', "there is no X in the cost", "8:28"),
        ('"{X}{R}"', "{R}", "mana_cost must not be a map; quote text with braces", "3:12"),
        ('"{X}{R}"', '"{Q}"', "unknown mana symbol", "3:12"),
        ("[creature]", "[creatur]", "did you mean 'creature'?", "6:29"),
        ("types: [creature]", 'mana_value: "=3"', "'=3' compares nothing; write 3, <=3 or >=3", "6:33"),
        ("do: damage", "do: dmg", "unknown value 'dmg'", "8:12"),
        ("amount: X", "amonut: X", "unknown key 'amonut'; did you mean 'amount'?", "8:"),
        ("Instant", "Sorcerer", "'Sorcerer' names no card type", "4:12"),
        ("type_line: Instant", "types: Instant", "unknown key 'types'", "4:"),
        ("name: Test Bolt\n", "", "'name' is missing", "2:1"),
        ("Instant", "Instant\nkeywords: [cascad]", "did you mean 'cascade'?", "5:12"),
        ("Instant", "Instant\nkeywords: [casualty]", "'casualty' is none of the known", "5:12"),
        ("Instant", "Instant\nkeywords: [replicate U]", "'replicate U' is none of the known", "5:12"),
        ("do: damage, amount: X, to: target", "do: copy, what: thta", "did you mean 'that'?", "8:24"),
        ("do: damage, amount: X, to: target", "do: create", "say either 'token' or 'copy'", "8:"),
        ("do: damage, amount: X, to: target", "do: create, token: Orc", "nothing is called 'Orc' here", "8:"),
        ("do: damage, amount: X, to: target", "do: copy, to: this, each: {}", "either 'each' or 'to'", "8:"),
        ("do: damage, amount: X, to: target", "do: become copy, of: bob", "'bob' means nothing", "8:"),
        ("do: damage, amount: X, to: target", "do: change targets, how: some", "unknown value 'some'", "8:"),
        (
            "do: damage, amount: X, to: target",
            "do: copy, count: {deeds: spell-cast, before: bob}",
            "'bob' means nothing",
            "8:",
        ),
        (
            "to: target}",
            "to: target}\n    - {do: tap}\n    - {do: put, what: fond, to: hand}",
            "'fond' means nothing",
            "10:",
        ),
    ],
)
def test_wrong_scripts_are_refused(right: str, wrong: str, says: str, where: str) -> None:
    """Each word that means nothing is named with its place and, where one is near, a suggestion."""
    assert right in GOOD

    error = refusal(GOOD.replace(right, wrong))

    assert says in error.what
    assert error.where.startswith(f"test.yaml:{where}")


def test_every_field_with_few_values_lists_them() -> None:
    """A wrong operation, cost, event or zone is told what there is."""
    assert "known: " in refusal(GOOD.replace("do: damage", "do: xyzzy")).what
    assert "known: " in refusal(GOOD.replace("{types: [creature]}", "{is: [xyzzy]}")).what


SAYS = "name: Test Rule\ntype_line: Enchantment\nabilities: [{ability: %s}]\n"


ABILITY = """
name: Test Rock
type_line: Artifact
abilities:
  - %s
granted: [{ability: triggered, name: later, when: {event: dies, this: yes}, text: {do: [{do: draw}]}}]
"""


@pytest.mark.parametrize(
    ("ability", "says"),
    [
        ("{ability: static, this: yes, changes: {power: twelve}}", "'twelve' is no number here"),
        ("{ability: static, this: yes, changes: {power: power of thsi}}", "did you mean 'this'?"),
        ("{ability: static, this: yes, changes: {cant: [atack]}}", "did you mean 'attack'?"),
        ("{ability: static, this: yes, condition: {count: some}}", "'some' is no number"),
        ("{ability: static, this: yes, condition: {exists: that}}", "'that' means nothing here; known: this"),
        ("{ability: static, this: yes, condition: {at_least: foo}}", "'foo' is no number here"),
        ("{ability: static, this: yes, condition: {spent: red}}", "mana"),
        ("{ability: static, this: yes, changes: {power: {deeds: spel-cast}}}", "did you mean 'spell-cast'?"),
        ("{ability: cost, less: '{1}', times: many}", "'many' is no number here"),
        (
            "{ability: replacement, when: {event: damage, amount: lots}, instead: {nothing: yes}}",
            "'lots' compares nothing",
        ),
        (
            "{ability: replacement, when: {event: moves, how: [eaten]}, instead: {nothing: yes}}",
            "unknown value 'eaten'",
        ),
        (
            "{ability: replacement, when: {event: dies}, instead: {do: [{do: pay, cost: [], then: []}]}}",
            "only what resolves can do that",
        ),
        (
            "{ability: triggered, when: {event: dies}, condition: {exists: target}, text: {do: []}}",
            "'target' means nothing here; known: this, that, those",
        ),
    ],
)
def test_wrong_abilities_are_refused(ability: str, says: str) -> None:
    """Numbers, words and conditions of abilities are checked as those of instructions are."""
    assert says in str(refusal(ABILITY % ability))


@pytest.mark.parametrize(
    ("ability", "says"),
    [
        ("permission", "say what is allowed, or what may be known"),
        ("permission, allow: cast", "say from where: 'from', 'this', 'those' or 'linked'"),
        ("permission, allow: fly, from: hand", "unknown value 'fly'"),
        ("permission, allow: cast, from: pocket", "unknown value 'pocket'"),
        ("permission, allow: cast, from: hand, knowing: revealed", "only the top card of a library"),
        ("prohibition, forbid: [blink]", "unknown value 'blink'"),
        ("prohibition, more_than: many", "'many' is no number here"),
        ("prohibition, what: {types: [creatur]}", "did you mean 'creature'?"),
    ],
)
def test_wrong_permissions_are_refused(ability: str, says: str) -> None:
    """A permission that allows nothing, from nowhere, or what does not exist, is refused."""
    assert says in refusal(SAYS % ability).what


def test_a_layout_has_its_number_of_faces() -> None:
    """A split card has two halves, and a normal card one face."""
    face = "{name: A, type_line: Instant}"
    text = "name: Test // Card\nlayout: %s\nfaces: [%s]\n"
    assert "has 2 face(s)" in refusal(text % ("split", face)).what
    assert "has 1 face(s)" in refusal(text % ("normal", f"{face}, {face}")).what
    cast = "name: A\ntype_line: Instant\nspell: {do: [{do: cast}]}\n"
    assert "say which cards" in refusal(cast).what
