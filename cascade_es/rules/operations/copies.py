"""Operations that copy what is on the stack, change its targets, and copy cards (707.10, 115.7, 707.12)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from cascade_es.evolve import HIDDEN
from cascade_es.rules import copies, retarget, targets
from cascade_es.rules.filters import matches_player, objects
from cascade_es.rules.operations.effects import alteration
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.state import AskingData, Obj, Target

Plan = tuple[Obj, int, tuple[Target, ...]]
"""A copy to be made: of what, by whom, with which targets."""


@runs(sc.Copy)
def _copy(w: Work, r: Running, op: sc.Copy, given: Answer | None) -> Bound:
    """Everything is chosen first, in turn order; then the copies are put on the stack (707.10c, 101.4)."""
    plans: list[Plan] = []
    for original in _originals(r, op):
        for seat in r.players(op.who):
            plans += _plans(w, r, op, original, seat)
    change = alteration(r, op.changes) if op.changes is not None else None
    with batch(w):
        made = tuple(
            copies.put_on_stack(w, original, seat, chosen, change) for original, seat, chosen in plans
        )
    return ((op.bind, made),) if op.bind else ()


def _originals(r: Running, op: sc.Copy) -> Iterator[Obj]:
    """What is copied: what is on the stack, or was when it last existed (608.2h)."""
    if op.all is not None:
        found = tuple(objects(r.board, op.all, r.you, r.this))
    else:
        found = r.objects(op.what) if op.what.startswith("target") else r.meant(op.what)
    for handle in found:
        obj = r.board.find(handle)
        if obj is not None and obj.zone == "stack":
            yield obj


def _plans(w: Work, r: Running, op: sc.Copy, original: Obj, seat: int) -> Iterator[Plan]:
    colors = op.changes.set_colors if op.changes is not None else None
    here = copies.as_copied(original, seat, colors)
    if op.each is not None:
        for chosen in _each(w, r, op.each, here):
            yield original, seat, chosen
        return
    for _ in range(r.number(op.count)):
        now = retarget.chosen(here)
        if op.to:
            found = _fixed(w, r, op.to, here)
            if found is None:
                continue  # 707.10e: what could not be targeted is not copied for
            now = found
        elif op.new_targets and retarget.open_to_change(w.board, here):
            asked = retarget.question_of_copy(w.board, original.id, seat, colors)
            now = retarget.decoded(here, w.ask(asked, "copy.targets"))
        yield original, seat, now


def _all_at(w: Work, here: Obj, object_: int, seat: int) -> tuple[Target, ...] | None:
    """The copy's targets if all of them are one object or player; None if that is not legal for each."""
    old = retarget.chosen(here)
    if len({target.slot for target in old}) < len(old):
        return None  # one instance of "target" cannot take the same one twice (115.3)
    instances = targets.instances(w.board, here)
    new = tuple(replace(target, object=object_, seat=seat) for target in old)
    good = all(targets.legal(w.board, here, instances[target.slot], target) for target in new)
    return new if good and new else None


def _each(w: Work, r: Running, what: sc.Filter, here: Obj) -> tuple[tuple[Target, ...], ...]:
    """One copy for each other thing that the original could target, in its controller's order (707.10d)."""
    taken = {(target.object, target.seat) for target in retarget.chosen(here)}
    wanted = [(0, seat) for seat in r.board.seats() if matches_player(what, seat, r.you)]
    wanted += [(handle, -1) for handle in objects(r.board, what, r.you, r.this)]
    found = [
        (pair, new) for pair in wanted if pair not in taken and (new := _all_at(w, here, *pair)) is not None
    ]
    if len(found) > 1:
        words = tuple(targets.describe(r.board, Target(0, handle, seat)) for (handle, seat), _ in found)
        name = r.board.name(r.obj.id)
        asked = AskingData(
            here.controller,
            "order",
            f"{name}: order of the copies; the first is put on the stack first and resolves last",
            (),
            words,
            len(words),
            len(words),
        )
        found = [found[index] for index in w.ask(asked, "copy.each")]
    return tuple(new for _, new in found)


def _fixed(w: Work, r: Running, to: str, here: Obj) -> tuple[Target, ...] | None:
    """The copy's targets where the effect names what it targets; None if that is illegal (707.10e)."""
    meant = r.objects(to)
    pairs = [(handle, -1) for handle in meant] or [(0, seat) for seat in r.players(to)]
    good = [(pair, new) for pair in pairs if (new := _all_at(w, here, *pair)) is not None]
    if len(good) > 1:
        among = tuple(handle for (handle, _), _ in good)
        asked = AskingData(here.controller, "choose", "what the copy targets", among)
        (pick,) = w.ask(asked, "copy.specified")
        return next(new for (handle, _), new in good if handle == pick)
    return good[0][1] if good else None


# ----------------------------------------------------------------------------------- changing targets


@runs(sc.ChangeTargets)
def _change_targets(w: Work, r: Running, op: sc.ChangeTargets, given: Answer | None) -> Bound:
    changed: list[tuple[int, tuple[Target, ...]]] = []
    seat = (*r.players(op.who), r.you)[0]
    for handle in r.objects(op.what):
        obj = r.board.state.object(handle)
        old = retarget.chosen(obj)
        if obj.zone != "stack" or not old:
            continue
        new = old
        if op.to:
            new = _towards(w, r, op, obj, seat)
        elif retarget.open_to_change(r.board, obj):
            new = retarget.decoded(
                obj, w.ask(retarget.question(r.board, handle, seat, op.how), retarget.RULE)
            )
        if new != old:
            changed.append((handle, new))
    if changed:
        with batch(w):
            for handle, new in changed:
                w.emit(ev.Retargeted, retarget.RULE, handle, new)
    return ()


def _towards(w: Work, r: Running, op: sc.ChangeTargets, obj: Obj, seat: int) -> tuple[Target, ...]:
    """The targets after a change to something named by the effect: all of them, or one of them."""
    old = retarget.chosen(obj)
    meant = r.objects(op.to)
    pairs = [(handle, -1) for handle in meant] or [(0, other) for other in r.players(op.to)]
    if not pairs:
        return old
    object_, other = pairs[0]
    if op.how == retarget.ALL:
        new = tuple(replace(target, object=object_, seat=other) for target in old)
        return new if retarget.check(r.board, obj, retarget.ALL, new) is None else old
    ways = [
        (place, new)
        for place in range(len(old))
        if (new := retarget.changed_to(obj, place, object_, other)) != old
        and retarget.check(r.board, obj, retarget.ANY, new) is None
    ]
    if len(ways) > 1:
        words = tuple(targets.describe(r.board, old[place]) for place, _ in ways)
        asked = AskingData(seat, "option", f"which target of {r.board.name(obj.id)} is changed", (), words)
        (pick,) = w.ask(asked, retarget.RULE)
        return ways[pick][1]
    return ways[0][1] if ways else old


# ------------------------------------------------------------------------------------ copies of cards


@runs(sc.CopyCard)
def _copy_card(w: Work, r: Running, op: sc.CopyCard, given: Answer | None) -> Bound:
    """707.12: the copy is where the card is until it is cast; uncast it ceases to exist (704.5e)."""
    made: list[int] = []
    with batch(w):
        for handle in r.objects(op.what):
            obj = w.state.object(handle)
            if obj.zone in HIDDEN:
                continue
            made.append(w.new_id())
            w.emit(ev.CardCopied, "copy.cast", handle, made[-1], r.you, obj.zone, obj.card)
    return ((op.bind, tuple(made)),)
