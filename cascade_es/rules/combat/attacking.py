"""Declaring attackers (508.1): a turn-based action that the active player decides.

A declaration that breaks a restriction, or obeys fewer requirements than it could, is illegal; so is one
whose costs cannot be paid in full.  Then the game is back before the declaration, and a legal one follows.
"""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.combat.members import attackable, fighter
from cascade_es.rules.combat.requirements import BUDGET, Rule, add_costs, rules
from cascade_es.rules.permission import sick
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Attack, Attacker
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import Attack as Attacking
from cascade_es.values.state import AttackingData, Frame

What = tuple[int, int]
"""What is attacked: a seat, and the planeswalker or battle (0: the player)."""


def possible(board: Board) -> bool:
    """Whether the active player has a creature that could attack, whatever it costs."""
    return bool(attackable(board)) and any(
        unable(board, handle) is None for handle in board.state.game.battlefield
    )


def unable(board: Board, handle: int) -> Refusal | None:
    """Why a permanent cannot be chosen to attack, whatever else attacks (508.1a, 508.1c)."""
    obj = board.state.object(handle)
    name = board.name(handle)
    who = "combat.attack.who"
    if not fighter(board, handle):
        return Refusal(who, f"{name} is not a creature that could attack")
    if obj.controller != board.state.game.turn.active:
        return Refusal(who, f"{name} is controlled by somebody else")
    if obj.tapped:
        return Refusal(who, f"{name} is tapped")
    if sick(board, obj):
        return Refusal(who, f"{name} has not been under control since the turn began")
    what = board.characteristics(handle)
    if "defender" in what.keywords:
        return Refusal("combat.attack.restricted", f"{name} has defender")
    if "attack" in what.cant:
        return Refusal("combat.attack.restricted", f"{name} cannot attack")
    return None


# --------------------------------------------------------------------------------------- judging


class Judge:
    """One declaration of attackers is weighed against the restrictions and requirements in force."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules = rules(board, "attack")
        self.what = attackable(board)

    def restricted(self, chosen: tuple[tuple[int, What], ...]) -> Refusal | None:
        """508.1c: a restriction that a declaration breaks."""
        board = self.board
        for handle, what in chosen:
            if (wrong := unable(board, handle) or self.forbidden(handle, what)) is not None:
                return wrong
        if len(chosen) == 1 and "attack alone" in board.characteristics(chosen[0][0]).cant:
            return Refusal("combat.attack.restricted", f"{board.name(chosen[0][0])} cannot attack alone")
        return self.too_many(chosen)

    def forbidden(self, handle: int, what: What) -> Refusal | None:
        """A text that forbids this creature to attack that."""
        for rule in self.rules:
            if rule.text.cant and rule.attack(self.board, handle, what):
                name = self.board.name(handle)
                return Refusal(
                    "combat.attack.restricted", f"{name} cannot attack so: {self.board.name(rule.source)}"
                )
        return None

    def too_many(self, chosen: tuple[tuple[int, What], ...]) -> Refusal | None:
        """A limit that a declaration exceeds."""
        for rule in self.rules:
            if not rule.text.most:
                continue
            number = sum(1 for handle, what in chosen if rule.attack(self.board, handle, what))
            if number > int(rule.text.most):
                name = self.board.name(rule.source)
                return Refusal(
                    "combat.attack.restricted", f"{name} lets no more than {rule.text.most} attack"
                )
        return None

    def taxed(self, handle: int, what: What) -> list[Rule]:
        """The texts that ask a cost for a creature attacking that."""
        return [rule for rule in self.rules if rule.text.cost and rule.attack(self.board, handle, what)]

    def wanted(self, handle: int, what: What) -> int:
        """How many requirements a creature obeys by attacking that."""
        said = sum(1 for rule in self.rules if rule.text.must and rule.attack(self.board, handle, what))
        return said + self.board.characteristics(handle).must.count("attack")

    def obeyed(self, chosen: tuple[tuple[int, What], ...]) -> int:
        """How many requirements a declaration obeys."""
        return sum(self.wanted(handle, what) for handle, what in chosen)

    def best(self) -> tuple[tuple[int, What], ...]:
        """A declaration that obeys as many requirements as possible, without costs and restrictions.

        508.1d: nobody has to pay a cost for a requirement.
        """
        free: dict[int, list[What]] = {}
        for handle in self.board.state.game.battlefield:
            if unable(self.board, handle) is None:
                options = [
                    what
                    for what in self.what
                    if not self.taxed(handle, what) and self.forbidden(handle, what) is None
                ]
                if options:
                    # What obeys most comes first, so that the first declaration found is mostly the best.
                    free[handle] = sorted(options, key=lambda what: -self.wanted(handle, what))
        due = [handle for handle in free if self.wanted(handle, free[handle][0])]
        if not due:
            return ()
        most = [self.wanted(handle, free[handle][0]) for handle in due]
        total = sum(most)
        best: tuple[tuple[int, What], ...] = ()
        budget = BUDGET

        def search(index: int, chosen: tuple[tuple[int, What], ...]) -> None:
            nonlocal best, budget
            budget -= 1
            reach = self.obeyed(chosen) + sum(most[index:])
            if budget < 0 or self.obeyed(best) == total or reach <= self.obeyed(best):
                return
            if index == len(due):
                whole = self._company(chosen, free)
                if whole and self.obeyed(whole) > self.obeyed(best):
                    best = whole
                return
            for what in free[due[index]]:
                more = (*chosen, (due[index], what))
                if self.too_many(more) is None:
                    search(index + 1, more)
            search(index + 1, chosen)

        search(0, ())
        return best

    def _company(
        self, chosen: tuple[tuple[int, What], ...], free: dict[int, list[What]]
    ) -> tuple[tuple[int, What], ...]:
        """The declaration, with another creature if one may not attack alone; () when that cannot be."""
        if self.restricted(chosen) is None:
            return chosen
        for handle, options in free.items():
            if handle not in (item for item, _ in chosen):
                for what in options:
                    if self.restricted((*chosen, (handle, what))) is None:
                        return (*chosen, (handle, what))
        return ()

    def judge(self, chosen: tuple[tuple[int, What], ...]) -> Refusal | None:
        """508.1c–d: why a declaration is illegal."""
        wrong = self.restricted(chosen)
        if wrong is not None:
            return wrong
        best = self.best()
        if self.obeyed(chosen) < self.obeyed(best):
            handle, what = next((item for item in best if item not in chosen and self.wanted(*item)), best[0])
            target = self.board.name(what[1]) if what[1] else f"player {what[0] + 1}"
            name = self.board.name(handle)
            return Refusal("combat.attack.required", f"{name} must attack if able: {target}, for example")
        return None


def pairs(given: Attack) -> tuple[tuple[int, What], ...]:
    """The creatures and what they attack."""
    return tuple((item.attacker, (item.seat, item.object)) for item in given.attackers)


def check(board: Board, given: Answer) -> Refusal | None:
    """Judge a declaration of attackers."""
    assert isinstance(given, Attack)
    seen: set[int] = set()
    for item in given.attackers:
        if item.attacker in seen:
            raise DecisionError("a creature was chosen twice")
        seen.add(item.attacker)
        if item.attacker not in board.state.game.battlefield:
            raise DecisionError(f"there is no permanent {item.attacker} to attack with")
        if not 0 <= item.seat < len(board.state.game.players):
            raise DecisionError(f"there is no player in seat {item.seat}")
        if (item.seat, item.object) not in attackable(board):
            what = board.open_name(item.object) if item.object else "that player"
            return Refusal("combat.attack.what", f"{what} cannot be attacked by {board.name(item.attacker)}")
    return Judge(board).judge(pairs(given))


# --------------------------------------------------------------------------------------- procedure


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask which creatures attack what."""
    data: AttackingData = frame.data
    if frame.state != "choosing":
        return None

    def listed() -> Iterator[Candidate]:
        yield Candidate(Attack(), "no attack", check(board, Attack()))
        judge = Judge(board)
        for handle in board.state.game.battlefield:
            if not fighter(board, handle) or board.state.object(handle).controller != data.player:
                continue
            for what in judge.what:
                target = board.name(what[1]) if what[1] else f"player {what[0] + 1}"
                tax = judge.taxed(handle, what)
                cost = f" for {add_costs([rule.text.cost for rule in tax])}" if tax else ""
                yield Candidate(
                    Attack((Attacker(handle, *what),)),
                    f"{board.name(handle)} attacks {target}{cost}",
                    unable(board, handle) or judge.forbidden(handle, what),
                )

    return Prompt(
        data.player,
        "attack",
        "declare attackers",
        "combat.attack",
        answers=(Attack,),
        candidates=listed,
        check=lambda answer: check(board, answer),
        complete=lambda: Attack(tuple(Attacker(handle, *what) for handle, what in Judge(board).best())),
        least=0,
        most=len(board.state.game.battlefield),
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Choose the attackers and tap them (508.1a–f): tapping is no cost, and vigilance leaves it out."""
    assert isinstance(given, Attack)
    attacks = tuple(Attacking(item.attacker, item.seat, item.object) for item in given.attackers)
    player = frame.data.player
    w.emit(ev.AttackersChosen, "combat.attack", player, attacks, auto=False)
    tapped = tuple(
        item.attacker
        for item in attacks
        if not w.state.object(item.attacker).tapped
        and "vigilance" not in w.board.characteristics(item.attacker).keywords
    )
    if tapped:
        with batch(w):
            w.emit(ev.Tapped, "combat.attack.tap", tapped)


def step(w: Work, frame: Frame) -> None:
    """Pay the costs, then the chosen creatures become attacking creatures (508.1g–k)."""
    data: AttackingData = frame.data
    if frame.state == "chosen":
        judge = Judge(w.board)
        texts = [
            rule.text.cost
            for attack in data.attacks
            for rule in judge.taxed(attack.attacker, (attack.seat, attack.object))
        ]
        total = add_costs(texts)
        if total.has_mana:
            w.emit(ev.PaymentBegun, "combat.attack.mana", data.player, 0, total, (), 0)
            return
    still = tuple(
        attack
        for attack in data.attacks
        if fighter(w.board, attack.attacker) and w.state.object(attack.attacker).controller == data.player
    )
    with batch(w):
        w.emit(ev.AttackersDeclared, "combat.attack.become", data.player, still)
