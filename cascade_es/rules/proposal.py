"""Casting spells and activating abilities, from the announcement to the end (601.2, 602.2).

One procedure serves both (602.2b).  Its machine says in which order the steps come; this module says
what each step asks and when it is illegal.  An illegal step ends in a reversal to the mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import msgspec

from cascade_es.errors import DecisionError
from cascade_es.evolve import HIDDEN
from cascade_es.rules import costs, permission, targets
from cascade_es.rules.board import Board
from cascade_es.rules.hidden import leave, mix_hand, reveal, seat_mask
from cascade_es.rules.reversal import reverse
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Declare, Divide, Modes, Targets
from cascade_es.values.facts import EVERYONE
from cascade_es.values.mana import options
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import AbilityRef, CastingData, Frame, Obj, Target

# ------------------------------------------------------------------------------- beginning it


def announce(
    w: Work,
    seat: int,
    handle: int,
    part: int,
    allowed_by: str,
    *,
    ground: int = 0,
    free: bool = False,
    limit: int = -1,
    mark: int = -1,
    exiled: bool = False,
) -> None:
    """601.2a: the card moves to the stack and is a spell from now on."""
    obj = w.state.object(handle)
    old = leave(w, handle)
    card = w.state.object(old).card.shown_to(EVERYONE)
    w.emit(
        ev.Announce,
        "cast.announce",
        seat,
        old,
        w.new_id(),
        card,
        part,
        allowed_by or obj.zone,
        ground,
        free,
        limit,
        w.mark if mark < 0 else mark,
        obj.zone,
        exiled,
        auto=False,
    )


def activate(w: Work, seat: int, source: int, ability: AbilityRef) -> None:
    """602.2a: the ability is created on the stack; a card in a hidden zone that has it is revealed."""
    if w.state.object(source).zone in HIDDEN:
        (source,) = reveal(w, (source,), "activate.announce")
        ability = msgspec.structs.replace(ability, card=w.state.object(source).card)
    w.emit(ev.Activate, "activate.announce", seat, source, ability, w.new_id(), w.mark, auto=False)


# ------------------------------------------------------------------------------------ prompts


def _object(board: Board, frame: Frame) -> Obj:
    data: CastingData = frame.data
    return board.state.object(data.object)


def modes_wanted(board: Board, obj: Obj) -> bool:
    """Whether modes must be announced."""
    return bool(board.text(obj).modes)


def declaration_wanted(board: Board, obj: Obj) -> bool:
    """Whether there is anything to declare in 601.2b besides modes."""
    optional = any(cost.optional or len(cost.either) > 1 for cost in costs.additional(board, obj))
    return optional or chooses_x(board, obj) or bool(costs.symbols_to_choose(board, obj))


def chooses_x(board: Board, obj: Obj) -> bool:
    """Whether the value of X is the player's to choose: it is 0 for a mana cost that is not paid (107.3b)."""
    locked = board.choices(obj.id).free and costs.x_in_mana_cost(board, obj)
    return costs.variable(board, obj) and not locked


def targets_wanted(board: Board, obj: Obj) -> bool:
    """Whether any target must or may be chosen."""
    return any(targets.bounds(board, obj, item)[1] > 0 for item in targets.instances(board, obj))


def division_wanted(board: Board, obj: Obj) -> bool:
    """Whether an effect must be divided among several targets (601.2d)."""
    return bool(board.text(obj).divide) and bool(board.choices(obj.id).targets)


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """What the proposal asks in its present state, if anything."""
    obj = _object(board, frame)
    state = frame.state
    if state == "announced" and modes_wanted(board, obj):
        asked = modes_prompt(board, obj)
        return asked if asked.complete() is not None else None
    if state in ("announced", "modes") and declaration_wanted(board, obj):
        return _declaration(board, obj)
    if state == "costs declared" and targets_wanted(board, obj):
        return targets.prompt(board, obj) if targets.complete(board, obj) is not None else None
    if state == "targets" and division_wanted(board, obj):
        return division_prompt(board, obj)
    return None


def check_modes(board: Board, obj: Obj, modes: tuple[int, ...]) -> Refusal | None:
    """Judge chosen modes (700.2)."""
    text = board.text(obj)
    if any(not 0 <= mode < len(text.modes) for mode in modes):
        raise DecisionError(f"{board.name(obj.id)} has {len(text.modes)} modes")
    if len(set(modes)) < len(modes) or len(modes) != int(text.choose):
        return Refusal("cast.modes", f"{text.choose} different mode(s) must be chosen")
    for mode in modes:
        for instance in text.modes[mode].targets:
            least, _ = targets.bounds(board, obj, instance)
            found = list(targets.candidates(board, obj, 0, instance))
            if len(found) < least:
                return Refusal("cast.modes", f"mode {mode + 1} has no legal target")  # 700.2a
    return None


def modes_prompt(board: Board, obj: Obj) -> Prompt:
    text = board.text(obj)

    def listed() -> Iterator[Candidate]:
        for mode in range(len(text.modes)):
            wrong = check_modes(board, obj, (mode,)) if text.choose == "1" else None
            yield Candidate(Modes((mode,)), f"mode {mode + 1}", wrong)

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Modes)
        # Modes act in the order in which they are printed (700.2).
        return check_modes(board, obj, answer.modes)

    number = int(text.choose)

    def finish() -> Modes | None:
        for modes in combinations(range(len(text.modes)), number):
            if check_modes(board, obj, modes) is None:
                return Modes(modes)
        return None

    return Prompt(
        obj.controller,
        "choose",
        f"modes of {board.name(obj.id)}",
        "cast.modes",
        answers=(Modes,),
        candidates=listed,
        check=judge,
        complete=finish,
        least=number,
        most=number,
    )


def check_declaration(board: Board, obj: Obj, answer: Declare) -> Refusal | None:
    """Judge a declaration of X, optional costs and ways to pay."""
    known: dict[str, int] = {}
    once: list[str] = []
    for number, cost in enumerate(costs.additional(board, obj)):
        known[cost.name or f"cost {number}"] = len(cost.either)
        once += [] if cost.repeat else [cost.name or f"cost {number}"]
    if any(answer.declared.count(word) > 1 for word in once):
        raise DecisionError("a cost was declared twice that can be paid only once")
    for word in answer.declared:
        name, _, way = word.rpartition(":") if ":" in word else (word, "", "")
        if name not in known or (way and not (way.isdigit() and int(way) < known[name])):
            raise DecisionError(f"{board.name(obj.id)} has no cost '{word}' to declare")
    if answer.x < 0:
        raise DecisionError("X cannot be negative")
    if answer.x and not costs.variable(board, obj):
        raise DecisionError(f"there is no X in the cost of {board.name(obj.id)}")
    if answer.x and not chooses_x(board, obj):
        return Refusal("cost.x-zero", "without paying its mana cost, the only legal choice for X is 0")
    symbols = costs.symbols_to_choose(board, obj, answer.declared)
    if len(answer.ways) != len(symbols) or any(
        way not in options(symbol) for way, symbol in zip(answer.ways, symbols, strict=False)
    ):
        wanted = ", ".join("{" + symbol + "}" for symbol in symbols) or "no symbol"
        raise DecisionError(f"one way to pay each of these must be named: {wanted}")
    return None


def declarations(board: Board, obj: Obj) -> Iterator[tuple[str, ...]]:
    """Every set of optional costs that may be declared, with each way of an either-or cost."""
    choices: list[tuple[str, ...]] = []
    for number, cost in enumerate(costs.additional(board, obj)):
        name = cost.name or f"cost {number}"
        ways = tuple(f"{name}:{way}" for way in range(len(cost.either))) if len(cost.either) > 1 else ()
        if cost.optional:
            choices.append(("", name))
        if ways:
            choices.append(ways)
    for chosen in product(*choices):
        yield tuple(word for word in chosen if word)


def _declaration(board: Board, obj: Obj) -> Prompt:
    words = ["the value of X"] if chooses_x(board, obj) else []
    words += ["optional costs"] if any(True for names in declarations(board, obj) if names) else []
    words += ["how to pay each symbol"] if costs.symbols_to_choose(board, obj) else []
    asked = " and ".join(words) or "costs"
    symbols = costs.symbols_to_choose(board, obj)

    def listed() -> Iterator[Candidate]:
        for declared in declarations(board, obj):
            wanted = costs.symbols_to_choose(board, obj, declared)
            for ways in product(*(options(symbol) for symbol in wanted)):
                text = " ".join((*declared, *ways)) or "nothing optional"
                yield Candidate(Declare(0, declared, ways), text)

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Declare)
        return check_declaration(board, obj, answer)

    return Prompt(
        obj.controller,
        "declare",
        f"{asked} for {board.name(obj.id)}",
        "cast.costs",
        answers=(Declare,),
        candidates=listed,
        check=judge,
        complete=lambda: Declare(0, (), tuple(options(symbol)[0] for symbol in symbols)),
    )


def division_prompt(board: Board, obj: Obj) -> Prompt:
    """Ask how an effect is divided among its targets (601.2d, 603.3d)."""
    amount = targets.divided(board, obj) or 0
    count = len(board.choices(obj.id).targets)

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Divide)
        if len(answer.amounts) != count:
            raise DecisionError(f"{count} amounts must be named, one for each target in order")
        if sum(answer.amounts) != amount or min(answer.amounts) < 1:
            return Refusal("cast.divide", f"{amount} must be divided so that every target gets at least 1")
        return None

    def finish() -> Divide | None:
        return Divide((amount - count + 1, *(1,) * (count - 1))) if amount >= count else None

    return Prompt(
        obj.controller,
        "divide",
        f"divide {amount} among {count} targets",
        "cast.divide",
        answers=(Divide,),
        candidates=lambda: iter(()),
        check=judge,
        complete=finish,
        least=count,
        most=count,
    )


# ------------------------------------------------------------------------------------ answers


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Record what was announced; the next steps follow by themselves."""
    handle = frame.data.object
    if isinstance(given, Modes):
        w.emit(ev.ChooseModes, "cast.modes", handle, tuple(sorted(given.modes)), auto=False)
    elif isinstance(given, Declare):
        x = given.x if costs.variable(w.board, _object(w.board, frame)) else -1
        w.emit(ev.CostsDeclared, "cast.costs", handle, x, given.declared, given.ways, auto=False)
    elif isinstance(given, Targets):
        with batch(w):
            w.emit(ev.TargetsChosen, "cast.targets", handle, _sorted(given), auto=False)
    elif isinstance(given, Divide):
        w.emit(ev.EffectDivided, "cast.divide", handle, given.amounts, auto=False)


def _sorted(given: Targets) -> tuple[Target, ...]:
    return tuple(sorted(given.targets, key=lambda target: target.slot))


# -------------------------------------------------------------------------------------- steps


def step(w: Work, frame: Frame) -> None:
    """Take the next step that needs no decision."""
    board = w.board
    obj = _object(board, frame)
    state = frame.state
    if state == "announced" and modes_wanted(board, obj):
        reverse(w, frame.data.player, frame.mark, Refusal("cast.modes", "no mode can be chosen"))
    elif state in ("announced", "modes"):
        x = 0 if costs.variable(board, obj) else -1
        w.emit(ev.CostsDeclared, "cast.costs", obj.id, x, (), ())
    elif state == "costs declared" and targets_wanted(board, obj):
        reverse(w, frame.data.player, frame.mark, Refusal("cast.targets", "there is no legal target"))
    elif state in ("costs declared", "targets", "divided"):
        _check(w, frame, obj)
    elif state == "checked":
        _lock(w, obj)
    elif state == "locked":
        price, parts = frame.data.price, frame.data.parts
        if price.has_mana or parts:
            w.emit(ev.PaymentBegun, "cast.mana", frame.data.player, obj.id, price, parts)
        else:
            _become_cast(w, frame, obj)
    else:
        _become_cast(w, frame, obj)


def _check(w: Work, frame: Frame, obj: Obj) -> None:
    """601.2e: can the proposed spell legally be cast?"""
    wrong = illegal_proposal(w.board, obj)
    if wrong is None and obj.kind != "ability" and w.ctx.edition.has("legality-check"):
        wrong = _forbidden(w, frame, obj)
    if wrong is not None:
        reverse(w, frame.data.player, frame.mark, wrong)
    elif w.ctx.edition.has("legality-check"):
        w.emit(ev.ProposalChecked, "cast.check", obj.id)
    else:
        _lock(w, obj)


def _forbidden(w: Work, frame: Frame, obj: Obj) -> Refusal | None:
    """Whether what was announced loses the permission or meets a prohibition (601.2e, 601.3a, 601.6)."""
    before = w.recall(frame.mark)
    handle = obj.id
    while handle not in before.game.objects and w.state.ledger.former(handle):
        handle = w.state.ledger.former(handle)
    card = before.game.objects.get(handle)
    if card is None or not w.board.choices(obj.id).origin:
        return None
    timing = frame.data.had_priority
    below = w.state.game.frames[-2]
    if below.machine == "offering":
        from cascade_es.rules import offering

        what = w.board.characteristics(obj.id)
        if not offering.still_fits(w.board, below.data, what):
            return Refusal("cast.permission-lost", f"{what.name} as proposed may not be cast this way")
    return permission.illegal_now(Board(w.ctx, before), w.board, frame.data.player, card, obj, timing=timing)


def illegal_proposal(board: Board, obj: Obj) -> Refusal | None:
    """Why the proposal as a whole is illegal, if it is."""
    choices = board.choices(obj.id)
    if targets_wanted(board, obj) and (wrong := targets.check(board, obj, choices.targets)) is not None:
        return wrong
    limit = choices.limit
    if limit >= 0 and board.ctx.edition.has("resulting-mana-value"):
        # 702.85a since 2021-02-15: the resulting spell must be below the limit, not only its card.
        value = board.characteristics(obj.id).mana_value
        if value >= limit:
            return Refusal("cascade", f"the spell's mana value is {value}, which is not less than {limit}")
    return None


def _lock(w: Work, obj: Obj) -> None:
    """601.2f: from now on nothing changes the total cost."""
    price, parts = costs.total(w.board, obj)
    w.emit(ev.CostLocked, "cast.total", obj.id, price, parts)


def _become_cast(w: Work, frame: Frame, obj: Obj) -> None:
    """601.2i: the spell becomes cast; what triggers on that triggers now."""
    seat = frame.data.player
    with batch(w):
        if obj.kind == "ability":
            w.emit(ev.AbilityActivated, "activate", seat, obj.id)
        else:
            w.emit(ev.SpellCast, "cast.done", seat, obj.id)
    drawn = False
    for handle in w.state.player(seat).hand:
        # 121.8: what was drawn in the middle of the cast may be looked at now.
        card = w.state.object(handle).card
        if card.sealed and not card.audience & seat_mask(seat):
            drawn = True
            w.emit(ev.Shown, "draw.mid-cast", seat_mask(seat), (handle,), (card.shown_to(seat_mask(seat)),))
    if drawn:
        mix_hand(w, seat)


def insist(w: Work, seat: int, refusal: Refusal) -> None:
    """A forbidden beginning that was insisted on: it has been recorded, and is reversed."""
    frame = w.state.frame
    reverse(w, seat, frame.mark, refusal)


__all__ = [
    "activate",
    "announce",
    "answer",
    "check_declaration",
    "check_modes",
    "insist",
    "permission",
    "prompt",
    "step",
]
