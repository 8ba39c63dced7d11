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


SAYS = "name: Test Rule\ntype_line: Enchantment\nabilities: [{ability: %s}]\n"


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
        ("to: target", "to: target 2", "'target 2': there is only 1 under 'targets'", "8:35"),
        ("amount: X", "amount: -2", "'-2' is no number here", "8:28"),
        ("amount: X", "amount: two", "'two' is no number here", "8:28"),
        ('"{X}{R}"', '"{R}"', "there is no X in the cost", "8:28"),
        ('"{X}{R}"', "{R}", "mana_cost must be text, not a map; quote text with braces", "3:12"),
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
        (
            "amount: X",
            "amount: cards in hand",
            "of whom? write 'cards in hand of you'",
            "8:28",
        ),
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


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("type_line: Instant", "types: Instant", "unknown key 'types'; it has no place here"),
        ("[{what: {types: [creature]}}]", "{what: {}}", "targets must be a list, not a map"),
        ("- {do: damage, amount: X, to: target}", "- damage", "an entry of do must be a map, not text"),
        ("create", "create", "nothing is called 'Orc' here; describe it under 'tokens'"),
        ("Instant", "Instant - Arcane", "write the long dash '—' before the subtypes"),
        ("Instant", "Legndary Instant", "'legndary' is no type or supertype; did you mean 'legendary'?"),
        ("Instant", "Creature — Bear", "a creature needs 'power'"),
        ("Instant", "Land", "only an instant or sorcery does something as 'spell'"),
        ("Instant", "Instant\npower: two", "'two' is no power; write it as printed, such as 3 or *"),
        (
            "Instant",
            "Instant\nkeywords: [protection]",
            "'protection' is none of the known keywords; say from",
        ),
    ],
)
def test_wrong_scripts_are_told_what_to_do(right: str, wrong: str, says: str) -> None:
    """A wrong shape, type line or fact is named in the words of a script, with what to write."""
    text = GOOD.replace("do: damage, amount: X, to: target", "do: create, token: Orc")
    assert says in refusal((text if right == "create" else GOOD).replace(right, wrong)).what


@pytest.mark.parametrize(
    ("ability", "says"),
    [
        (
            "static, what: {}, changes: {gain: [flyin]}",
            "'flyin' means nothing under 'gain'; did you mean 'flying'?",
        ),
        (
            "static, what: {}, changes: {cant: [atack]}",
            "unknown value 'atack'; did you mean 'attack'?",
        ),
        (
            "static, what: {}, changes: {must: [rest]}",
            "unknown value 'rest'",
        ),
        ("static, what: {}, changes: {add_types: [creatur]}", "did you mean 'creature'?"),
        (
            "static, what: {}, changes: {set_colors: [green]}",
            "'green' means nothing under 'set_colors'; known: W",
        ),
        ("static, changes: {power: 1}", "say what it changes: 'this', 'attached', 'those' or 'what'"),
        ("static, what: {}", "it changes nothing; say what under 'changes' or 'combat'"),
        (
            "triggered, when: {event: dies, chapters: [1]}, text: {}",
            "'chapters' belongs to the event 'chapter'",
        ),
        ("triggered, when: {event: dies, step: upkeep}, text: {}", "'step' belongs to the event 'step'"),
    ],
)
def test_abilities_that_would_do_nothing_are_refused(ability: str, says: str) -> None:
    """A misspelt word of a continuous effect, or none at all, would be found by nobody in play."""
    assert says in refusal(SAYS % ability).what


def test_every_field_with_few_values_lists_them() -> None:
    """A wrong operation, cost, event or zone is told what there is."""
    assert "known: " in refusal(GOOD.replace("do: damage", "do: xyzzy")).what
    assert "known: " in refusal(GOOD.replace("{types: [creature]}", "{is: [xyzzy]}")).what


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
        (
            "{ability: cost, less: '{1}', condition: {count: some}}",
            "'some' is no number",
        ),
        (
            "{ability: cost, less: '{1}', condition: {exists: that}}",
            "'that' means nothing here; known: this",
        ),
        (
            "{ability: cost, less: '{1}', condition: {at_least: foo}}",
            "'foo' is no number here",
        ),
        ("{ability: cost, less: '{1}', condition: {spent: red}}", "mana"),
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


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("gain: [fliyng]", "'fliyng' means nothing under 'gain'; did you mean 'flying'?"),
        ("add_types: [artefact]", "did you mean 'artifact'?"),
        ("set_colors: [red]", "'red' means nothing under"),
        ("cant: [atack]", "did you mean 'attack'?"),
        ("must: [untap]", "unknown value 'untap'"),
        ("power: much", "'much' is no number here"),
        ('power: ""', "'' is no number here"),
        ("power: 99999999999999999999", "is no number here"),
        ("base_power: power of target", "'power of target' means nothing to a static ability"),
        ("control: yuo", "a static ability gives control to 'you'"),
        ("control: you", "gives control only of what this is attached to"),
        ("grant: [zz]", "nothing is called 'zz' here"),
    ],
)
def test_every_word_of_a_change_means_something(changes: str, says: str) -> None:
    """A misspelt word of a continuous effect would change nothing, and nobody would notice."""
    ability = f"{{ability: static, what: {{types: [creature]}}, changes: {{{changes}}}}}"
    text = f"name: Test\ntype_line: Enchantment\nabilities: [{ability}]\n"
    assert says in str(refusal(text))


@pytest.mark.parametrize(
    ("ability", "says"),
    [
        ("when: {event: dies, how: [exploded]}, instead: {to: exile}", "unknown value 'exploded'"),
        ("when: {event: damage, amount: many}, instead: {prevent: all}", "'many' compares nothing"),
        ("when: {event: step, step: lunch}, instead: {nothing: yes}", "unknown value 'lunch'"),
        ('when: {event: mana}, instead: {mana: "{Q}"}', "unknown mana symbol"),
        ("when: {event: enters, this: yes}, instead: {face: up}", "'up' is no face"),
        ("when: {event: enters, this: yes}, instead: {choose: [{}]}", "'among' those that are given"),
        ("when: {event: moves, this: yes}, instead: {to: stack}", "nothing goes to the stack instead"),
        (
            "when: {event: draw}, condition: {controls: {}, count: many}, instead: {nothing: yes}",
            "'many' is no number",
        ),
    ],
)
def test_every_word_of_a_replacement_means_something(ability: str, says: str) -> None:
    """What a replacement effect looks for must be able to happen."""
    text = f"name: Test\ntype_line: Enchantment\nabilities: [{{ability: replacement, {ability}}}]\n"
    assert says in str(refusal(text))


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        ("do: later, ability: a", "'a' is no triggered ability"),
        ("do: shield, ability: a, those: [you]", "'a' is no replacement ability"),
        ("do: let, bind: you, be: 3", "'you' means something already"),
        ("do: put, what: this, to: stack", "nothing is put onto the stack this way"),
        ("do: draw, amount: {deeds: danced}", "unknown value 'danced'"),
        ("do: draw, amount: power of nobody", "'nobody' means nothing"),
    ],
)
def test_operations_begin_what_they_can(operation: str, says: str) -> None:
    """An operation calls abilities of its kind, and binds names that mean nothing yet."""
    text = (
        "name: Test\ntype_line: Sorcery\n"
        f"spell: {{do: [{{{operation}}}]}}\n"
        "granted: [{ability: static, name: a, what: {}, changes: {power: 1}}]\n"
    )
    assert says in str(refusal(text))


INSTEAD = "replacement, when: {event: %s}, instead: {%s}"


@pytest.mark.parametrize(
    ("event", "instead", "says"),
    [
        ("draw", "nothing: yes, do: [{do: draw}, {do: discard}]", "nothing can be chosen here"),
        ("draw", "do: [{do: discard}]", "nothing can be chosen here"),
        ("discard", "nothing: yes, do: [{do: shuffle}, {do: may, then: []}]", "nothing can be chosen here"),
        ("shuffle", "do: [{do: choose player, among: each player, bind: one}]", "nothing can be chosen here"),
        ("face up", "do: [{do: choose, what: {types: [land]}, bind: it}]", "nothing can be chosen here"),
        ("dies", "to: library, place: shuffled, do: [{do: discard}]", "nothing can be chosen here"),
        (
            "dies",
            "do: [{do: may, then: [{do: reveal hand}]}, {do: add mana, choose: ['{R}', '{G}']}]",
            "nothing can be chosen here",
        ),
        ("draw", "nothing: yes, do: [{do: search}]", "only what resolves can do that"),
        ("draw", "nothing: yes, do: [{do: cascade}]", "only what resolves can do that"),
        ("draw", "nothing: yes, do: [{do: cast, from: hand}]", "only what resolves can do that"),
    ],
)
def test_part_of_an_event_asks_nothing_afterwards(event: str, instead: str, says: str) -> None:
    """An event happens at once: nothing in it is chosen by what it shows first."""
    assert says in refusal(SAYS % (INSTEAD % (event, instead))).what


@pytest.mark.parametrize(
    ("event", "instead"),
    [
        ("draw", "nothing: yes, do: [{do: discard}, {do: draw}]"),
        ("draw", "nothing: yes, do: [{do: may, then: [{do: draw}], otherwise: [{do: discard}]}]"),
        ("face up", "nothing: yes, do: [{do: may, then: [{do: mill, amount: 1}]}]"),
    ],
)
def test_part_of_an_event_may_ask_beforehand(event: str, instead: str) -> None:
    """What is asked before anything is seen can be asked, in each branch."""
    assert definition_of(read(SAYS % (INSTEAD % (event, instead)), "test.yaml")).name == "Test Rule"


@pytest.mark.parametrize(
    "ability",
    [
        "static, zones: [hand], what: {types: [creature]}, changes: {power: 1}",
        "prohibition, zones: [library], forbid: [cast]",
        "cost, zones: [hand], what: {is: [spell]}, less: '{1}'",
        "static, what: {types: [land]}, changes: {power: {of: {is: [card], zone: hand, types: [land]}}}",
        "cost, less: '{1}', condition: {controls: {is: [card], zone: library, types: [land]}}",
        "static, this: yes, condition: {controls: {any: [{is: [card], zone: hand, types: [land]}]}},"
        " changes: {power: 1}",
        "static, this: yes, condition: {controls: {zone: hand, any: [{is: [card], types: [land]}]}},"
        " changes: {power: 1}",
        "static, what: {same_name: {is: [card], zone: hand}}, changes: {power: 1}",
        "permission, allow: cast, this: yes, condition: {controls: {is: [card], zone: hand, types: [land]}}",
        "triggered, when: {event: step, step: upkeep},"
        " condition: {controls: {is: [card], zone: hand, types: [land]}}, text: {do: [{do: draw}]}",
        "activated, cost: [{pay: tap}], only: {controls: {is: [card], zone: hand, types: [land]}},"
        " text: {do: [{do: draw}]}",
        "replacement, when: {event: draw}, instead: {nothing: yes},"
        " condition: {controls: {is: [card], zone: hand, types: [land]}}",
    ],
)
def test_what_is_hidden_changes_nothing_in_the_open(ability: str) -> None:
    """A static ability neither works from a hidden card on others nor counts what cards are hidden.

    Nor is what cards are hidden the condition of anything that happens in the sight of all.
    """
    assert "is hidden, and " in refusal(SAYS % ability).what


def test_how_many_cards_are_hidden_may_count() -> None:
    """Everybody sees how many cards a hand has, and a card may change itself in it."""
    for ability in (
        "static, what: {types: [land]}, changes: {power: {of: {is: [card], zone: hand, controller: you}}}",
        "static, zones: [hand], this: yes, changes: {add_types: [artifact]}",
        "static, what: {types: [land]}, changes: {power: {of: {is: [card], zone: hand,"
        " any: [{is: [card], controller: you}, {is: [card], controller: opponent}]}}}",
        "static, what: {types: [land]}, changes: {power: {of: {is: [card],"
        " any: [{is: [card], zone: hand}, {is: [card], zone: graveyard, types: [land]}]}}}",
    ):
        assert definition_of(read(SAYS % ability, "test.yaml")).name == "Test Rule"
