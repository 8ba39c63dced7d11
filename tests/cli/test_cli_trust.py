"""``head``, ``keygen``, ``recover``, and what ``verify`` holds a log against."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from cascade_es import Game
from cascade_es.errors import Damaged, InputError
from cascade_es.log import Recovered, parse_log, read_frames, recover
from cascade_es.verify import verify

from .conftest import Run


@pytest.fixture
def log(logs: dict[str, Path], tmp_path: Path) -> Path:
    """A log of one's own."""
    path = tmp_path / "a.ces"
    path.write_bytes(logs["krosan-grip"].read_bytes())
    return path


def shortened(log: Path, frames: int) -> Path:
    """The same log with only its first frames."""
    content = log.read_bytes()
    path = log.with_name(f"{frames}.ces")
    path.write_bytes(content[: list(read_frames(content))[frames].offset])
    return path


def test_a_head_is_four_lines(cli: Run, log: Path) -> None:
    """The head of a log is printed as the lines that a file of it holds."""
    result = cli("head", log)
    verdict = verify(log)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "cascade-es head 1"
    assert lines[2:] == [f"frames {verdict.frames}", f"hash {verdict.head}"]
    found = json.loads(cli("head", log, "--json").stdout)
    assert found["hash"] == verdict.head
    assert found["signature"] == ""


def test_verify_against_a_head(cli: Run, log: Path) -> None:
    """A log that is the remembered one or has grown is fine; a shortened one is a finding, though whole."""
    kept = log.with_name("a.head")
    early = shortened(log, 4)
    assert cli("head", early, "--out", kept).exit_code == 0
    assert cli("verify", log, "--head", kept).exit_code == 0
    assert "grown" in cli("verify", log, "--head", kept).stdout
    result = cli("verify", shortened(log, 3), "--open", "--head", kept)
    assert result.exit_code == 1
    assert "shortened" in result.stdout
    assert "covers 4 frames, and only 3 are left" in result.stdout
    assert "give --open" not in result.stdout  # it was given; that is not what is wrong
    (item,) = json.loads(cli("verify", log, "--head", kept, "--json").stdout)["verdicts"]
    assert item["against"][0]["word"] == "grown"
    assert item["good"] is True


def test_damage_and_a_head(cli: Run, log: Path) -> None:
    """Of a damaged log the frames before the damage are still compared."""
    kept = log.with_name("a.head")
    cli("head", log, "--out", kept)
    torn = log.with_name("torn.ces")
    torn.write_bytes(log.read_bytes()[:-5])
    result = cli("verify", torn, "--head", kept)
    assert result.exit_code == 1
    assert "not-reached" in result.stdout
    assert cli("head", torn).exit_code == 1


def test_a_kept_head_only_moves_forward(cli: Run, log: Path) -> None:
    """The head in a file is replaced when the log has grown; a log that lost something leaves it there."""
    kept = log.with_name("a.head")
    early = shortened(log, 4)
    cli("head", early, "--out", kept)
    assert "grown" in cli("head", log, "--out", kept).stdout
    content = kept.read_bytes()
    result = cli("head", early, "--out", kept)
    assert result.exit_code == 1
    assert "only 4 are left" in result.stdout
    assert kept.read_bytes() == content
    foreign = log.with_name("letter")
    foreign.write_text("dear all")
    assert cli("head", log, "--out", foreign).exit_code == 2
    assert foreign.read_text() == "dear all"


def test_signed_heads(cli: Run, log: Path) -> None:
    """A head that the key has signed is good; one without, with another's, or changed is a finding."""
    folder = log.parent
    for name in ("k", "other"):
        assert cli("keygen", folder / f"{name}.pem").exit_code == 0
    assert stat.S_IMODE((folder / "k.pem").stat().st_mode) == 0o600
    assert cli("keygen", folder / "k.pem").exit_code == 2
    kept, bare = folder / "a.head", folder / "bare.head"
    assert cli("head", log, "--out", kept, "--sign", folder / "k.pem").exit_code == 0
    cli("head", log, "--out", bare)
    public, other = folder / "k.pub.pem", folder / "other.pub.pem"
    assert cli("verify", log, "--head", kept, "--key", public).exit_code == 0
    unchecked = cli("verify", log, "--head", kept)
    assert "its signature was not checked: give --key" in unchecked.stdout
    assert "not checked" not in cli("verify", log, "--head", bare).stdout
    for head, key, word in ((bare, public, "unsigned"), (kept, other, "bad-signature")):
        result = cli("verify", log, "--head", head, "--key", key)
        assert result.exit_code == 1
        assert word in result.stdout
    changed = folder / "changed.head"
    changed.write_text(kept.read_text().replace("frames ", "frames 1"))
    assert "bad-signature" in cli("verify", log, "--head", changed, "--key", public).stdout
    # Only who has the key can move a signed head.
    assert cli("head", log, "--out", kept).exit_code == 2
    assert cli("head", log, "--out", kept, "--sign", folder / "other.pem").exit_code == 2
    assert cli("head", log, "--out", kept, "--sign", folder / "k.pem").exit_code == 0


def test_wrong_keys_and_heads_are_wrong_use(cli: Run, log: Path) -> None:
    """A key or head that is none, and options without what they are about, end with 2 and one line."""
    cli("keygen", log.with_name("k.pem"))
    kept = log.with_name("a.head")
    cli("head", log, "--out", kept)
    for words in (
        ("verify", log, "--head", log),
        ("verify", log, "--head", "missing"),
        ("verify", log, "--head", kept, "--key", log),
        ("verify", log, "--head", kept, "--key", log.with_name("k.pem")),
        ("verify", log, "--key", log.with_name("k.pub.pem")),
        ("verify", log, log, "--head", kept),
        ("verify", log, "--parent", "missing"),
        ("head", log, "--sign", log.with_name("k.pub.pem")),
        ("head", "missing"),
    ):
        result = cli(*words)
        assert result.exit_code == 2, words
        assert len(result.stderr.splitlines()) == 1


def test_without_the_extra(cli: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where signatures are not installed, one line says what to install, and all else works."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    result = cli("keygen", log.with_name("k.pem"))
    assert result.exit_code == 2
    assert "cascade-es[signatures]" in result.stderr
    assert cli("head", log).exit_code == 0


def test_no_fork_of_that_log(cli: Run, log: Path) -> None:
    """A log that does not go on from the log that was named is a finding."""
    result = cli("verify", log, "--parent", log)
    assert result.exit_code == 1
    assert "says that it is no fork" in result.stdout


def test_fail_fast(cli: Run, log: Path) -> None:
    """All logs are verified and their findings collected; with --fail-fast the first finding ends it."""
    torn = log.with_name("torn.ces")
    torn.write_bytes(log.read_bytes()[:-5])
    assert len(cli("verify", log, torn, log).stdout.splitlines()) == 3
    result = cli("verify", "--fail-fast", log, torn, log)
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    (_, item) = json.loads(cli("verify", "--fail-fast", "--json", log, torn, log).stdout)["verdicts"]
    assert item["kind"] == "cut"


# -------------------------------------------------------------------------------------- recovery


@pytest.mark.cites("R125", "R148")
def test_recover_what_is_whole(cli: Run, log: Path) -> None:
    """All frames before the damage are in the new file, the rest is reported, the old file is untouched."""
    content = log.read_bytes()
    frames = list(read_frames(content))
    bad = bytearray(content)
    bad[frames[3].offset + 60] ^= 1
    log.write_bytes(bad)
    out = log.with_name("out.ces")
    result = cli("recover", log, "--out", out)
    assert result.exit_code == 1
    assert out.read_bytes() == content[: frames[3].offset]
    assert log.read_bytes() == bad
    behind = len(frames) - 3
    assert f"{behind} frames, {behind - 1} of them undamaged" in result.stdout
    assert f"damaged (checksum) at frame 3, byte {frames[3].offset}" in result.stdout
    assert cli("verify", "--open", out).exit_code == 0
    assert cli("recover", log, "--out", out).exit_code == 2


def test_recover_as_json(cli: Run, log: Path) -> None:
    """A whole log is copied and ends with 0; the report has its numbers either way."""
    out = log.with_name("out.ces")
    found = json.loads(cli("recover", log, "--out", out, "--json").stdout)
    assert (found["whole"], found["dropped_frames"], found["kind"]) == (True, 0, "")
    assert found["bytes"] == len(log.read_bytes())
    torn = log.with_name("torn.ces")
    torn.write_bytes(log.read_bytes()[:-5])
    result = cli("recover", torn, "--out", log.with_name("out2.ces"), "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (found["whole"], found["dropped_frames"], found["kind"]) == (False, 1, "cut")
    assert found["bytes"] + found["dropped_bytes"] == len(log.read_bytes()) - 5


def test_every_cut_is_recovered(log: Path) -> None:
    """Wherever a log was cut, all whole frames before are recovered, and nothing else."""
    content = log.read_bytes()
    borders = [frame.offset for frame in read_frames(content)][1:]
    torn = log.with_name("torn.ces")
    for size in range(1, len(content), 37):
        torn.write_bytes(content[:size])
        out = log.with_name(f"{size}.out")
        kept = [border for border in borders if border <= size]
        if not kept:
            with pytest.raises(Damaged, match=r"\(cut\) at frame 0"):
                recover(torn, out)
            assert not out.exists()
            continue
        found = recover(torn, out)
        assert out.read_bytes() == content[: kept[-1]]
        assert (found.bytes, found.dropped_bytes) == (kept[-1], size - kept[-1])


def test_a_whole_log_is_recovered_as_it_is(log: Path) -> None:
    """Nothing is dropped, nothing is wrong, and the new file is a copy."""
    out = log.with_name("copy.ces")
    found = recover(log, out)
    assert out.read_bytes() == log.read_bytes()
    whole = parse_log(log.read_bytes())
    head = whole.head
    assert found == Recovered(head.frames, len(log.read_bytes()), head.hash.hex(), whole.sealed)
    assert (found.dropped_frames, found.dropped_bytes, found.dropped_whole) == (0, 0, 0)
    assert (found.whole, found.frame, found.offset) == (True, -1, -1)


def test_what_cannot_be_recovered(cli: Run, log: Path) -> None:
    """Nothing is written where there is no log, no way to write, or something already."""
    folder = log.parent
    for words in (("missing", folder / "out"), (log, folder / "no" / "out"), (folder, folder / "out")):
        result = cli("recover", words[0], "--out", words[1])
        assert result.exit_code == 2
        assert not (folder / "out").exists()
    with pytest.raises(InputError, match="exists already"):
        recover(log, log)
    log.write_bytes(log.read_bytes()[:40])
    assert cli("recover", log, "--out", folder / "out").exit_code == 1
    assert not (folder / "out").exists()


def test_run_takes_a_durability(cli: Run, tmp_path: Path) -> None:
    """A scenario's log is written with any durability, always the same; an unknown name is wrong use."""
    game = Path(__file__).parents[2] / "fixtures" / "games" / "krosan-grip.yaml"
    written = set()
    for name in ("every-decision", "every-4", "on-close", "unsafe-never"):
        path = tmp_path / f"{name}.ces"
        assert cli("run", game, "--log", path, "--durability", name).exit_code == 0
        written.add(path.read_bytes())
    assert len(written) == 1
    result = cli("run", game, "--durability", "sometimes")
    assert result.exit_code == 2
    assert "--durability: unknown durability 'sometimes'; choose every-decision" in result.stderr


def test_replacing_a_head_takes_nothing_else(cli: Run, log: Path) -> None:
    """Whatever lies beside a head stays there when the head is replaced, whatever it is called."""
    kept = log.with_name("a.head")
    cli("head", shortened(log, 4), "--out", kept)
    other = log.with_name("a.head.new")
    other.write_text("mine", encoding="utf-8")
    assert cli("head", log, "--out", kept).exit_code == 0
    assert other.read_text(encoding="utf-8") == "mine"
    assert cli("verify", log, "--head", kept).exit_code == 0


def test_a_key_without_a_name(cli: Run) -> None:
    """A name of no letters is wrong use like any other."""
    result = cli("keygen", "")
    assert result.exit_code == 2
    assert "name a file" in result.stderr


def test_a_folder_is_verified_whole(cli: Run, log: Path, tmp_path: Path) -> None:
    """Every .ces file of a folder is verified, and what cannot be read is said and does not stop it."""
    folder = tmp_path / "round 1"
    folder.mkdir()
    for name in ("a.ces", "d.ces"):
        (folder / name).write_bytes(log.read_bytes())
    (folder / "b.ces").write_bytes(b"something else")
    (folder / "c.ces").write_bytes(log.read_bytes()[:-5])
    (folder / "notes.txt").write_text("no log", encoding="utf-8")
    result = cli("verify", folder, "--json")
    assert result.exit_code == 2
    found = {Path(item["log"]).name: item["word"] for item in json.loads(result.stdout)["verdicts"]}
    assert found == {"a.ces": "exact", "b.ces": "unreadable", "c.ces": "damaged", "d.ces": "exact"}
    (folder / "b.ces").unlink()
    assert cli("verify", folder).exit_code == 1


def test_recover_is_for_files(cli: Run, tmp_path: Path) -> None:
    """A store cannot hold half a frame; who names one is told so."""
    result = cli("recover", "sqlite:///games.db", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "recover takes a file" in result.stderr


def test_open_is_not_advised_twice(cli: Run, log: Path) -> None:
    """Who gave --open is not told to give it, whatever else is found."""
    open_log, head = shortened(log, 5), log.with_name("head")
    assert cli("head", log, "--out", head).exit_code == 0
    assert "give --open" in cli("verify", open_log).stdout
    result = cli("verify", open_log, "--open", "--head", head)
    assert result.exit_code == 1
    assert "give --open" not in result.stdout


def test_what_was_recovered_goes_on(cli: Run, log: Path) -> None:
    """A log that was torn in the midst of a frame is recovered, resumed, and played on from there."""
    whole, again = shortened(log, 5).read_bytes(), log.with_name("again.ces")
    torn = log.with_name("torn.ces")
    torn.write_bytes(whole + log.read_bytes()[len(whole) : len(whole) + 50])
    assert cli("recover", torn, "--out", again).exit_code == 1
    assert again.read_bytes() == whole
    with Game.resume(str(again)) as game:
        before = len(game)
        prompt = game.prompt
        assert prompt is not None
        game.decide(prompt.seat, prompt.allowed[0].answer)
        assert len(game) > before
    assert cli("verify", again, "--open").exit_code == 0


def test_a_head_does_not_replace_something_else(cli: Run, log: Path) -> None:
    """What is no head stays where --out names it, and the error says to choose another name."""
    before = log.read_bytes()
    result = cli("head", log, "--out", log)
    assert result.exit_code == 2
    assert "not a head; it was left alone; choose another name" in result.stderr
    assert log.read_bytes() == before
