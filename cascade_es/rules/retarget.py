"""Changing targets of what is on the stack, and choosing them for a copy (115.7, 707.10c).

How many targets there are, which instance of "target" each is for, and how an effect is divided never
change (115.7f); modes do not either (700.2f).  So a choice is one object or player for each target there
is, in order, and only the whole of it is judged (115.7e).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from cascade_es.errors import DecisionError
from cascade_es.rules import targets
from cascade_es.rules.board import Board
from cascade_es.rules.copies import as_copied
from cascade_es.values.decisions import Answer, Decline, Targets
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import AskingData, Obj, Target

RULE = "target.change"

NEW = "new"
"""Choose new targets: any number of them may be changed (115.7d)."""
ALL = "all"
"""Change the target(s): each to another legal one, or none of them (115.7a)."""
ONE = "one"
"""Change a target: one of them, to another legal one (115.7b)."""
ANY = "any"
"""Change any targets (115.7c)."""


def question(board: Board, handle: int, seat: int, how: str) -> AskingData:
    """What is asked: new targets for an object on the stack."""
    return AskingData(seat, "targets", f"new targets for {board.name(handle)}", (handle,), (how,), 0, 0)


def question_of_copy(
    board: Board, handle: int, seat: int, colors: tuple[str, ...] | None = None
) -> AskingData:
    """What is asked: targets for the copy of an object that this player is about to make."""
    words = (NEW, "copy") if colors is None else (NEW, "copy of", *colors)
    wanted = f"new targets for the copy of {board.name(handle)}"
    return AskingData(seat, "targets", wanted, (handle,), words, 0, 0)


def subject(board: Board, a: AskingData) -> Obj:
    """For what targets are chosen: the object, or the copy as it would be."""
    obj = board.find(a.objects[0])
    assert obj is not None
    if len(a.words) == 1:
        return obj
    return as_copied(obj, a.player, None if a.words[1] == "copy" else a.words[2:])


def chosen(obj: Obj) -> tuple[Target, ...]:
    """The targets that an object has now."""
    return obj.choices.targets if obj.choices is not None else ()


def alternatives(board: Board, obj: Obj, place: int) -> Iterator[Target]:
    """Other legal targets in the place of one."""
    old = chosen(obj)[place]
    instance = targets.instances(board, obj)[old.slot]
    for target in targets.candidates(board, obj, old.slot, instance):
        if target != old:
            yield target


def open_to_change(board: Board, obj: Obj) -> bool:
    """Whether anything could be changed at all."""
    return any(True for place in range(len(chosen(obj))) for _ in alternatives(board, obj, place))


def check(board: Board, obj: Obj, how: str, new: tuple[Target, ...]) -> Refusal | None:
    """Judge a whole choice: what is changed must be legal, what is not may be illegal already."""
    old = chosen(obj)
    if [target.slot for target in new] != [target.slot for target in old]:
        raise _other_shape(obj)
    instances = targets.instances(board, obj)
    changed = [target != before for target, before in zip(new, old, strict=True)]
    for place, target in enumerate(new):
        if not changed[place]:
            continue
        if not targets.legal(board, obj, instances[target.slot], target):
            return Refusal(RULE, f"{targets.describe(board, target)} is not a legal target")
        if any(other == target for number, other in enumerate(new) if number != place):
            # 115.3, for one instance of "target"; the others have slots of their own.
            return Refusal("target.same", "the same target was chosen twice for one instance of 'target'")
    if any(changed) and (wrong := targets.clash(board, obj, new)) is not None:
        return wrong
    if how == ALL and not all(changed) and (any(changed) or complete(board, obj, how) != old):
        return Refusal(RULE, "every target must be changed to another legal target")
    if how == ONE and sum(changed) != 1 and (any(changed) or complete(board, obj, how) != old):
        return Refusal(RULE, "exactly one target must be changed to another legal target")
    return None


def complete(board: Board, obj: Obj, how: str) -> tuple[Target, ...]:
    """A legal choice that changes no more than it must."""
    old = chosen(obj)
    if how == ONE:
        for place in range(len(old)):
            for target in alternatives(board, obj, place):
                new = (*old[:place], target, *old[place + 1 :])
                if new.count(target) == 1:
                    return new
    if how == ALL:
        return _every(board, obj, ()) or old
    return old


def _every(board: Board, obj: Obj, begun: tuple[Target, ...]) -> tuple[Target, ...] | None:
    if len(begun) == len(chosen(obj)):
        return begun
    for target in alternatives(board, obj, len(begun)):
        if target not in begun and (whole := _every(board, obj, (*begun, target))) is not None:
            return whole
    return None


def changed_to(obj: Obj, place: int, object_: int = 0, seat: int = -1) -> tuple[Target, ...]:
    """The targets with one of them changed."""
    old = chosen(obj)
    return (*old[:place], replace(old[place], object=object_, seat=seat), *old[place + 1 :])


# ------------------------------------------------------------------------------------- the question


def prompt(board: Board, a: AskingData) -> Prompt:
    """Ask for the targets; to decline is to leave them."""
    obj = subject(board, a)
    how = a.words[0]

    def listed() -> Iterator[Candidate]:
        for place, old in enumerate(chosen(obj)):
            for target in alternatives(board, obj, place):
                yield Candidate(Targets((target,)), f"{_name(board, target)} for {_name(board, old)}")
        yield Candidate(Decline(), "leave them", check(board, obj, how, chosen(obj)))

    def judge(answer: Answer) -> Refusal | None:
        return check(board, obj, how, decoded(obj, picked(answer, obj)))

    def finish() -> Answer:
        found = complete(board, obj, how)
        return Decline() if found == chosen(obj) else Targets(found)

    return Prompt(
        a.player,
        "choose",
        a.question,
        RULE,
        answers=(Targets, Decline),
        candidates=listed,
        check=judge,
        complete=finish,
        least=0,
        most=len(chosen(obj)),
    )


def _name(board: Board, target: Target) -> str:
    return targets.describe(board, target)


def picked(answer: Answer, obj: Obj) -> tuple[int, ...]:
    """An answer as numbers, one for each target: an object by id, or a player as -1 less the seat."""
    if isinstance(answer, Decline):
        return encoded(chosen(obj))
    assert isinstance(answer, Targets)
    new = tuple(sorted(answer.targets, key=lambda target: target.slot))
    if [target.slot for target in new] != [target.slot for target in chosen(obj)]:
        raise _other_shape(obj)
    return encoded(new)


def _other_shape(obj: Obj) -> DecisionError:
    return DecisionError(f"{len(chosen(obj))} target(s) must be named, one for each that there is, in order")


def encoded(new: tuple[Target, ...]) -> tuple[int, ...]:
    """Targets as numbers."""
    return tuple(target.object or -1 - target.seat for target in new)


def decoded(obj: Obj, picks: tuple[int, ...]) -> tuple[Target, ...]:
    """Numbers as targets, each in the place of one that there is.

    Raises:
        DecisionError: when there are more or fewer.
    """
    old = chosen(obj)
    if len(picks) != len(old):
        raise _other_shape(obj)
    return tuple(
        replace(target, object=max(pick, 0), seat=-1 if pick > 0 else -1 - pick)
        for target, pick in zip(old, picks, strict=True)
    )
