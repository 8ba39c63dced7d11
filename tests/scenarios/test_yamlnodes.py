"""The strict YAML reader: strings only, every node placed, every refusal one clear line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cascade_es.errors import InputError
from cascade_es.scenarios import yamlnodes as y
from cascade_es.scenarios.yamlreader import MAX_DEPTH, MAX_SIZE, read, read_file


def refusal(source: str) -> str:
    with pytest.raises(InputError) as caught:
        read(source, "game.yaml")
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert re.match(r"game\.yaml:\d+:\d+: ", message)
    return message


def file_refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_file(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def wanted(call: Callable[[y.Node, str], object], source: str) -> str:
    with pytest.raises(InputError) as caught:
        call(read(source, "game.yaml"), "cost")
    assert caught.value.where == "game.yaml:1:1"
    return caught.value.what


# ------------------------------------------------------------------------------------------------ nodes


@pytest.mark.parametrize(
    "word", ["no", "Yes", "1.0", "007", "0x1F", "1_000", "12:30", "2024-01-01", ".inf", "NULL"]
)
def test_scalars_are_strings(word: str) -> None:
    """A plain scalar is the string that was written, whatever other loaders make of it."""
    assert y.builtins(read(f"a: {word}", "game.yaml")) == {"a": word}


@pytest.mark.parametrize("word", ["", "~", "null"])
def test_null_is_plain_only(word: str) -> None:
    """Nothing, a tilde and ``null`` are Null when plain and Text when quoted."""
    assert y.builtins(read(f"a: {word}", "game.yaml")) == {"a": None}
    assert y.builtins(read(f"a: '{word}'", "game.yaml")) == {"a": word}
    assert y.builtins(read(f'a: "{word}"', "game.yaml")) == {"a": word}


def test_every_node_has_its_place() -> None:
    """Keys, values, lists and maps carry line and column counted from 1."""
    tree = read("# a comment\na:\n  - x\n  - {b: 'é', c: }\n", "game.yaml")
    assert isinstance(tree, y.Map)
    assert str(tree.place) == "game.yaml:2:1"
    assert not tree.flow
    key, items = tree.entries[0]
    assert str(key.place) == "game.yaml:2:1"
    assert isinstance(items, y.Seq)
    assert str(items.place) == "game.yaml:3:3"
    inner = items.items[1]
    assert isinstance(inner, y.Map)
    assert inner.flow
    assert str(inner.place) == "game.yaml:4:5"
    assert str(inner.entries[0][1].place) == "game.yaml:4:9"
    assert isinstance(inner.get("c"), y.Null)
    assert inner.get("d") is None


def test_root_may_be_anything() -> None:
    """A document may be a text, a list, a map or an explicit null."""
    assert y.builtins(read("Forest", "f")) == "Forest"
    assert y.builtins(read("---\n- a\n...\n", "f")) == ["a"]
    assert y.builtins(read("{}", "f")) == {}
    assert y.builtins(read("~", "f")) is None


def test_byte_order_mark_is_skipped() -> None:
    """A leading byte order mark is no part of the text and moves no column."""
    tree = read("\ufeffa: b", "game.yaml")
    assert y.builtins(tree) == {"a": "b"}
    assert str(y.locate(tree, ["a"])) == "game.yaml:1:4"


def test_literal_blocks_keep_their_lines() -> None:
    """A literal block is one text with its line ends."""
    assert y.builtins(read("a: |\n  x: {G}\n  y\n", "f")) == {"a": "x: {G}\ny\n"}


# --------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("source", ["", "\n\n", "# only\n# comments\n", "---\n", "---\n...\n", "\ufeff"])
def test_empty_is_refused(source: str) -> None:
    """A file without content is said to be empty."""
    assert "empty" in refusal(source)


@pytest.mark.parametrize(
    ("source", "where", "says"),
    [
        ("a: 1\n---\nb: 2", "2:1", "second document"),
        ("a: 1\n---\n", "2:1", "second document"),
        ("a: !x 1", "1:4", "tags ('!x')"),
        ("a: !!int 1", "1:4", "tags ('tag:yaml.org,2002:int')"),
        ("a: !!python/object:os.system []", "1:4", "tags"),
        ("a: ! b", "1:4", "tags"),
        ("!x a: 1", "1:1", "tags"),
        ("a: &n 1", "1:4", "anchors"),
        ("a: &n [1]", "1:4", "anchors"),
        ("a: [x, *n]", "1:8", "aliases"),
        ("*n : 1", "1:1", "aliases"),
        ("a: 1\n<<: {b: 2}", "2:1", "merge keys"),
        ("a: 1\nb: 2\na: 3", "3:1", "duplicate key 'a'; it first stands at line 1, column 1"),
        ("{a: 1, 'a': 2}", "1:8", "duplicate key 'a'"),
        ("? [a]\n: b", "1:3", "a key must be text, not a list"),
        ("? {a: b}\n: b", "1:3", "a key must be text, not a map"),
        ("~: b", "1:1", "a key is missing"),
        ("?\n: b", "1:2", "a key is missing"),
        (": b", "1:1", "broken YAML"),
        ("a: 1\nb: x\x07y", "2:5", "U+0007"),
        ("a\x00", "1:2", "U+0000"),
        ("a: 1\r\nb: \x85", "2:4", "U+0085"),
        ("a: \u2028", "1:4", "U+2028"),
        ("a: \ud800", "1:4", "U+D800"),
        ('a: "\\e[31m"', "1:4", "U+001B"),
        ('a: "\\ud800"', "1:4", "U+D800"),
        ('a: "\\UFFFFFFFF"', "1:7", "broken YAML"),
        ("a: 'x", "1:6", "broken YAML"),
        ("a: [1, 2\nb: 3", "2:2", "broken YAML"),
        ("a:\n\t- b", "2:1", "indent with spaces"),
        ("text: Flash: yes", "1:12", "quote text that contains ': '"),
        ("power: *", "1:9", "quote text that begins with '*'"),
        ("power: @", "1:8", "quote text that begins with this character"),
        ("a: &", "1:5", "quote text that begins with '&'"),
        ("%YAML 9.9\n---\na", "1:1", "broken YAML"),
        ("%YAML " + "9" * 5000 + ".1\n---\na", "1:7", "broken YAML"),
    ],
)
def test_refusals(source: str, where: str, says: str) -> None:
    """What is not read is refused at its place, with the reason, on one line."""
    message = refusal(source)
    assert message.startswith(f"game.yaml:{where}: ")
    assert says in message


def test_quoted_merge_key_is_a_key() -> None:
    """Only the plain ``<<`` is a merge key."""
    assert y.builtins(read("'<<': a", "f")) == {"<<": "a"}


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("cost: {3}{B}", '"{3}{B}"'),
        ("name: x\ncost: {2/W}{2/W}  # hybrid", '"{2/W}{2/W}"'),
        ("text: {T}: Add {G}.", '"{T}"'),
        ("text: {T}, Sacrifice it: Draw.", '"{T}"'),
        ("{G}: x", '"{G}"'),
        ("a: {{G}}", '"{G}"'),
        ("a: [Add {G}]", '"{G}"'),
    ],
)
def test_unquoted_mana_is_told_to_be_quoted(source: str, quoted: str) -> None:
    """Where unquoted braces break the YAML, the message shows them quoted."""
    assert f"quote text with braces: {quoted}" in refusal(source)


def test_quoted_mana_is_not_blamed() -> None:
    """Braces that are quoted already, or in a comment, are not blamed for another fault."""
    assert "braces" not in refusal("""a: ["{G}" '{B}' # {R}""")


@pytest.mark.parametrize(
    "source", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000, "[{" * 400]
)
def test_deep_nesting_is_refused(source: str) -> None:
    """Hostile nesting is an InputError, never a RecursionError."""
    refusal(source)


def test_depth_limit_is_exact() -> None:
    """As many levels as allowed are read, one more is refused at its place."""
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert isinstance(read(deepest, "f"), y.Seq)
    message = refusal(f"[{deepest}]")
    assert message.startswith(f"game.yaml:1:{MAX_DEPTH + 1}: nested deeper than {MAX_DEPTH} levels")


def test_size_limit_is_exact(tmp_path: Path) -> None:
    """A file of the greatest size is read, one byte more is refused."""
    path = tmp_path / "big.yaml"
    path.write_text("a\n" + "#" * (MAX_SIZE - 2), encoding="utf-8")
    assert y.builtins(read_file(path)) == "a"
    path.write_text("a\n" + "#" * (MAX_SIZE - 1), encoding="utf-8")
    assert "larger than" in file_refusal(path)
    with pytest.raises(InputError, match="longer than"):
        read("#" * (MAX_SIZE + 1), "big.yaml")


# ------------------------------------------------------------------------------------------------ files


def test_file_is_read_with_its_name(tmp_path: Path) -> None:
    """The places of a file's nodes carry the path as given."""
    path = tmp_path / "game.yaml"
    path.write_text("a: Æther\n", encoding="utf-8")
    assert y.builtins(read_file(path)) == {"a": "Æther"}
    assert str(y.locate(read_file(path), ["a"])) == f"{path}:1:4"


def test_unusable_files_are_refused(tmp_path: Path) -> None:
    """A missing file, a directory, and a path that cannot be are each said so."""
    assert file_refusal(tmp_path / "none.yaml") == f"{tmp_path}/none.yaml: no such file; check the path"
    assert "this is a directory" in file_refusal(tmp_path)
    assert "cannot be read" in file_refusal(tmp_path / ("x" * 5000))
    assert "cannot be read" in file_refusal(Path("a\0b"))
    spaced = tmp_path / "a  b\n.yaml"
    assert file_refusal(spaced) == f"{tmp_path}/a  b\\n.yaml: no such file; check the path"
    (tmp_path / "plain").write_text("a", encoding="utf-8")
    assert "cannot be read" in file_refusal(tmp_path / "plain" / "game.yaml")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a: b\nc: \xc3\xa9\xff", ":2:5: byte 0xff is not UTF-8"),
        ("a: b".encode("utf-16"), ":1:1: byte 0xff is not UTF-8"),
        (b"a\x00b", ":1:2: character U+0000"),
        (b"", ":1:1: the file is empty"),
    ],
)
def test_binary_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    """Bytes that are no UTF-8 text are refused at the first that is wrong."""
    path = tmp_path / "game.yaml"
    path.write_bytes(data)
    assert says in file_refusal(path)


# ---------------------------------------------------------------------------------------------- helpers


def test_text_wants_a_scalar() -> None:
    """``text`` refuses lists, maps and nothing, and knows an unquoted mana symbol."""
    assert y.text(read("'{G}'", "f"), "cost") == "{G}"
    assert wanted(y.text, "{G}") == 'cost must be text, not a map; quote text with braces: "{G}"'
    assert wanted(y.text, "[a]") == "cost must be text, not a list; write a single value"
    assert "braces" not in wanted(y.text, "G:")
    assert "braces" not in wanted(y.text, "{G: 1}")
    assert "nothing is given" in wanted(y.text, "~")


def test_lists() -> None:
    """``seq`` takes lists only; ``one_or_many`` also a single text or map; neither takes nothing."""
    many = read("[a, b]", "f")
    one = read("a", "f")
    a_map = read("a: b", "f")
    assert len(y.seq(many, "cards")) == len(y.one_or_many(many, "cards")) == 2
    assert y.one_or_many(one, "cards") == (one,)
    assert y.one_or_many(a_map, "cards") == (a_map,)
    assert "must be a list, not the text 'a'" in wanted(y.seq, "a")
    assert "must be a list, not a map" in wanted(y.seq, "a: b")
    assert "must be a list, not nothing" in wanted(y.seq, "~")
    assert "[]" in wanted(y.one_or_many, "~")


def test_mapping_wants_a_map() -> None:
    """``mapping`` gives the map back and refuses the rest."""
    node = read("a: b", "f")
    assert y.mapping(node, "it") is node
    assert "must be a map, not a list" in wanted(y.mapping, "[a]")
    assert "must be a map, not nothing" in wanted(y.mapping, "~")
    assert len(wanted(y.mapping, "x" * 5000)) < 200


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("+7", 7), ("-3", -3), ("'20'", 20), ("007", 7)])
def test_integers(word: str, number: int) -> None:
    """Decimal digits with an optional sign are a whole number."""
    assert y.integer(read(word, "f"), "life") == number


@pytest.mark.parametrize(
    "word", ["1.0", "1_000", "0x1F", "X", "٣", "'1 '", "'1\n\n'", "~", "[1]", "9" * 5000, "''"]
)
def test_no_integers(word: str) -> None:
    """Everything else is refused as a number, however long."""
    assert wanted(y.integer, word).startswith("cost must ")


def test_least_integer() -> None:
    """A number below the least is refused, the least itself is not."""
    node = read("0", "f")
    assert y.integer(node, "seed", least=0) == 0
    with pytest.raises(InputError, match=r"^f:1:1: seed must be at least 1, not 0$"):
        y.integer(node, "seed", least=1)


def test_booleans() -> None:
    """Yes, no, true and false are booleans in any case; nothing else is."""
    for word in ("yes", "YES", "True", "'true'"):
        assert y.boolean(read(word, "f"), "foil") is True
    for word in ("no", "No", "FALSE"):
        assert y.boolean(read(word, "f"), "foil") is False
    for word in ("on", "1", "y", "~", "[yes]"):
        assert "must be yes or no" in wanted(y.boolean, word)


def test_expect_keys() -> None:
    """Unknown keys are refused where they stand with a guess, missing keys where the map begins."""
    node = y.mapping(read("seed: 1\nTITEL: x", "f"), "it")
    with pytest.raises(InputError) as caught:
        y.expect_keys(node, ["title", "seed"], what="the scenario")
    assert str(caught.value) == (
        "f:2:1: unknown key 'TITEL' in the scenario; did you mean 'title'? known keys: title, seed"
    )
    with pytest.raises(InputError, match=r"unknown key 'seed' in the player; known keys: x$"):
        y.expect_keys(node, ["x"], what="the player")
    with pytest.raises(InputError, match=r"^f:1:1: the scenario lacks the key 'turn'; add it$"):
        y.expect_keys(node, ["TITEL", "seed"], ["seed", "turn"], what="the scenario")
    with pytest.raises(InputError, match=r"lacks the keys 'a', 'b'; add them$"):
        y.expect_keys(node, ["TITEL", "seed"], ["a", "b"], what="the scenario")
    y.expect_keys(node, ["TITEL"], ["seed"], what="the scenario")


def test_suggest() -> None:
    """The most similar known word is suggested whatever the case, or none."""
    assert y.suggest("FORREST", ["Island", "Forest"]) == "; did you mean 'Forest'?"
    assert y.suggest("xyzzy", ["Island", "Forest"]) == ""
    assert y.suggest("", []) == ""
    assert y.suggest("f" * 1_000_000, ["Forest"]) == ""


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ([], "f:1:1"),
        (["a"], "f:2:3"),
        (["a", 1], "f:3:5"),
        (["a", 1, "b"], "f:3:8"),
        (["a", 1, "b", "deeper"], "f:3:8"),
        (["a", 2], "f:2:3"),
        (["a", -1], "f:2:3"),
        (["a", "x"], "f:2:3"),
        (["c", 0], "f:1:1"),
        ([7], "f:4:4"),
    ],
)
def test_locate(path: list[str | int], where: str) -> None:
    """A path finds the place of its node, or of the nearest ancestor that exists."""
    assert str(y.locate(read("a:\n  - x\n  - b: y\n7: z", "f"), path)) == where


# ------------------------------------------------------------------------------------------------- fuzz

ALPHABET = st.sampled_from(
    [*"{}[]:,-?&*!|>'\"%@`#~<=\\/ \t\n\r\x00\x85\ufeffaGTUuxe0123", "---", "...", "\n  ", ": ", "- "]
)
YAMLISH = st.lists(ALPHABET, max_size=60).map("".join)


def only_node_or_refusal(call: Callable[[], y.Node]) -> None:
    refused: InputError | None = None
    try:
        node = call()
    except InputError as error:
        refused = error
    if refused is None:
        y.builtins(node)
        assert y.locate(node, []) == node.place
    else:
        assert refused.where
        assert str(refused).isprintable()


@settings(max_examples=400)
@given(st.one_of(st.text(), YAMLISH))
@example('"\\UFFFFFFFF"')
@example("%YAML 1.1\n---\n")
@example("!<%ff>")
def test_any_text_is_a_node_or_a_refusal(source: str) -> None:
    """Whatever the text, reading it gives a node or an InputError of one line."""
    only_node_or_refusal(lambda: read(source, "fuzz.yaml"))


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(), YAMLISH.map(lambda s: s.encode("utf-8"))))
def test_any_bytes_are_a_node_or_a_refusal(tmp_path: Path, data: bytes) -> None:
    """Whatever the bytes of a file, reading it gives a node or an InputError of one line."""
    path = tmp_path / "fuzz.yaml"
    path.write_bytes(data)
    only_node_or_refusal(lambda: read_file(path))


PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["Cc"]), max_size=12)
TREES = st.recursive(
    st.none() | PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
    max_leaves=12,
)


def flow(value: object) -> str:
    if value is None:
        return "~"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return "'" + str(value).replace("'", "''") + "'"


@given(TREES)
def test_what_is_written_is_read(value: object) -> None:
    """A tree written with all its texts quoted is read back unchanged."""
    assert y.builtins(read(flow(value), "f")) == value
