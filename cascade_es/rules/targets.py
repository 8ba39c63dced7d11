"""Targets: which are required, which are legal, and whether they still are (115, 601.2c, 608.2b)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.filters import has_quality, matches, matches_player, objects
from cascade_es.values.decisions import Answer, Targets
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.script import Filter
from cascade_es.values.script import Target as Instance
from cascade_es.values.state import Characteristics, Choices, Obj, Target


def instances(board: Board, obj: Obj) -> tuple[Instance, ...]:
    """The instances of the word "target" that apply: those of the chosen modes (700.2c)."""
    text = board.text(obj)
    if not text.modes:
        return text.targets
    chosen = obj.choices.modes if obj.choices is not None else ()
    return tuple(target for mode in chosen for target in text.modes[mode].targets)


def bounds(board: Board, obj: Obj, instance: Instance) -> tuple[int, int]:
    """The least and the greatest number of targets that one instance takes."""
    choices = obj.choices or Choices()
    if instance.paid and instance.paid not in choices.declared:
        return 0, 0
    x = choices.x
    count = max(x, 0) if instance.count == "X" else int(instance.count)
    if instance.least:
        return int(instance.least), count
    return (0 if instance.up_to else count), count


def wanted(board: Board, obj: Obj, instance: Instance) -> Filter:
    """What an instance asks for, with the value of X in it: of the spell, or of what became its source."""
    x = obj.choices.x if obj.choices is not None else -1
    return _with_x(instance.what, board.choices(obj.source).x if x < 0 and obj.source else x)


def _with_x(what: Filter, x: int) -> Filter:
    if not what.mana_value.endswith("X") and not what.any:
        return what
    return replace(
        what,
        mana_value=what.mana_value.replace("X", str(max(x, 0))),
        any=tuple(_with_x(item, x) for item in what.any),
    )


def legal(board: Board, obj: Obj, instance: Instance, target: Target) -> bool:
    """Whether a target is legal for an instance now."""
    you = obj.controller
    what = wanted(board, obj, instance)
    if target.seat >= 0:
        return matches_player(what, target.seat, you) and not board.state.player(target.seat).lost
    if target.object == obj.id:
        return False  # 115.5: a spell or ability on the stack is an illegal target for itself
    if target.object not in board.state.game.objects:
        return False
    if not matches(board, what, target.object, you, obj.source or obj.id):
        return False
    keywords = board.characteristics(target.object).keywords
    if board.state.object(target.object).zone != "battlefield":
        return True
    if "shroud" in keywords:
        return False  # 702.18a
    if any(word.startswith(PROTECTION) for word in keywords) and protected(board, obj, keywords):
        return False  # 702.16b
    return not ("hexproof" in keywords and board.state.object(target.object).controller != you)  # 702.11b


PROTECTION: Final = "protection from "


def protected(board: Board, obj: Obj, keywords: tuple[str, ...]) -> bool:
    """Whether protection keeps a permanent from being targeted: by a quality of the source (702.16)."""
    what = qualities(board, obj)
    named = (word.removeprefix(PROTECTION) for word in keywords if word.startswith(PROTECTION))
    return any(has_quality(what, quality) for quality in named)


def qualities(board: Board, obj: Obj) -> Characteristics:
    """What a spell is, or an ability's source; of a copy that is yet to be made: as it will be."""
    if obj.source:
        return board.characteristics(obj.source)
    what = board.characteristics(abs(obj.id))
    if obj.id < 0 and obj.base is not None:
        for change in obj.base.changes:
            if change.set_colors is not None:
                what = replace(what, colors=change.set_colors)
    return what


def candidates(board: Board, obj: Obj, slot: int, instance: Instance) -> Iterator[Target]:
    """All legal targets for one instance, players first."""
    for player in board.state.game.players:
        target = Target(slot, seat=player.seat)
        if legal(board, obj, instance, target):
            yield target
    for handle in objects(board, wanted(board, obj, instance), obj.controller, obj.source or obj.id):
        target = Target(slot, object=handle)
        if legal(board, obj, instance, target):
            yield target


def check(board: Board, obj: Obj, chosen: tuple[Target, ...]) -> Refusal | None:
    """Judge a whole choice of targets."""
    slots = instances(board, obj)
    for target in chosen:
        if bool(target.object) == (target.seat >= 0):
            raise DecisionError("a target is either an object or a player")
        if not 0 <= target.slot < len(slots):
            raise DecisionError(f"{board.name(obj.id)} has no instance {target.slot} of 'target'")
        if target.seat < 0 and board.find(target.object) is None:
            raise DecisionError(f"there is no object {target.object}")
        if target.seat >= len(board.state.game.players):
            raise DecisionError(f"there is no player in seat {target.seat}")
    for slot, instance in enumerate(slots):
        mine = [target for target in chosen if target.slot == slot]
        least, most = bounds(board, obj, instance)
        for target in mine:
            if not legal(board, obj, instance, target):
                return Refusal("cast.targets", f"{describe(board, target)} is not a legal target")
        if len({(target.object, target.seat) for target in mine}) < len(mine):
            # 115.3: one instance of "target" cannot take the same object or player twice.
            return Refusal("target.same", "the same target was chosen twice for one instance of 'target'")
        if not least <= len(mine) <= most:
            number = str(most) if least == most else f"{least} to {most}"
            return Refusal("cast.targets", f"{number} target(s) must be chosen, not {len(mine)}")
    if (wrong := clash(board, obj, chosen)) is not None:
        return wrong
    share = divided(board, obj)
    if share is not None and len(chosen) > share:
        # 601.2d: every target will get at least 1 of what is divided.
        return Refusal("cast.targets", f"{share} cannot be divided among {len(chosen)} targets")
    return None


def clash(board: Board, obj: Obj, chosen: tuple[Target, ...]) -> Refusal | None:
    """Whether "another target" is a target of an earlier instance: only the whole choice tells (115.7e)."""
    slots = instances(board, obj)
    for target in chosen:
        if not slots[target.slot].another:
            continue
        for before in chosen:
            if before.slot < target.slot and (before.object, before.seat) == (target.object, target.seat):
                return Refusal("target.same", f"{describe(board, target)} is a target already")
    return None


def divided(board: Board, obj: Obj) -> int | None:
    """How much is divided among the targets; None where nothing is."""
    text = board.text(obj).divide
    if not text:
        return None
    x = obj.choices.x if obj.choices is not None else 0
    return max(x, 0) if text == "X" else int(text)


def complete(board: Board, obj: Obj) -> Targets | None:
    """One legal choice: the first candidates of each instance; None proves that there is none."""
    chosen: list[Target] = []
    share = divided(board, obj)
    for slot, instance in enumerate(instances(board, obj)):
        least, most = bounds(board, obj, instance)
        most = most if share is None else max(least, min(most, share - len(chosen)))
        taken = [(t.object, t.seat) for t in chosen] if instance.another else []
        fit = (t for t in candidates(board, obj, slot, instance) if (t.object, t.seat) not in taken)
        found = [target for _, target in zip(range(most), fit, strict=False)]
        if len(found) < least:
            return None
        chosen += found
    if share is not None and len(chosen) > share:
        return None
    return Targets(tuple(chosen))


def describe(board: Board, target: Target) -> str:
    """A target in words."""
    return f"player {target.seat + 1}" if target.seat >= 0 else board.open_name(target.object)


def prompt(board: Board, obj: Obj) -> Prompt:
    """Ask for the targets of a spell or ability."""

    def listed() -> Iterator[Candidate]:
        for slot, instance in enumerate(instances(board, obj)):
            for target in candidates(board, obj, slot, instance):
                yield Candidate(Targets((target,)), describe(board, target))

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Targets)
        return check(board, obj, answer.targets)

    least, most = 0, 0
    for instance in instances(board, obj):
        low, high = bounds(board, obj, instance)
        least, most = least + low, most + high
    return Prompt(
        obj.controller,
        "choose",
        f"targets for {board.name(obj.id)}",
        "cast.targets",
        answers=(Targets,),
        candidates=listed,
        check=judge,
        complete=lambda: complete(board, obj),
        least=least,
        most=most,
    )


def still_legal(board: Board, obj: Obj) -> tuple[bool, ...]:
    """Which targets are still legal as a resolution begins (608.2b)."""
    slots = instances(board, obj)
    return tuple(legal(board, obj, slots[target.slot], target) for target in board.choices(obj.id).targets)
