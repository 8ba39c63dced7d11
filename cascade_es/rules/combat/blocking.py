"""Declaring blockers (509.1): each defending player in turn decides for the creatures that attack them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from cascade_es.errors import DecisionError
from cascade_es.rules.board import Board
from cascade_es.rules.combat.members import any_blockers, attack_on, fighter
from cascade_es.rules.combat.requirements import BUDGET, Rule, add_costs, rules
from cascade_es.rules.filters import COLOR_WORDS, matches, protected_from
from cascade_es.rules.work import Work
from cascade_es.rules.zones import batch
from cascade_es.values import events as ev
from cascade_es.values.decisions import Answer, Block, Blocker
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import AskingData, Attack, BlockingData, Frame
from cascade_es.values.state import Block as Blocking

Blocks = tuple[tuple[int, tuple[int, ...]], ...]
"""Blockers with what each of them blocks."""

LANDWALK = {"plainswalk": "Plains", "islandwalk": "Island", "swampwalk": "Swamp"} | {
    "mountainwalk": "Mountain",
    "forestwalk": "Forest",
}
RESTRICTED = "combat.block.restricted"


def defenders(board: Board) -> tuple[int, ...]:
    """The players who are attacked, in turn order from the active player (509.1, 802.4)."""
    attacked = {attack.seat for attack in board.state.game.combat if attack.attacker}
    return tuple(seat for seat in board.seats() if seat in attacked)


def unable(board: Board, handle: int, seat: int) -> Refusal | None:
    """Why a permanent cannot be chosen to block, whatever it would block (509.1a–b)."""
    name = board.name(handle)
    if not fighter(board, handle):
        return Refusal("combat.block.who", f"{name} is not a creature that could block")
    obj = board.state.object(handle)
    if obj.controller != seat:
        return Refusal("combat.block.who", f"{name} is controlled by somebody else")
    if obj.tapped:
        return Refusal("combat.block.who", f"{name} is tapped")
    if "block" in board.characteristics(handle).cant:
        return Refusal(RESTRICTED, f"{name} cannot block")
    return None


def evades(board: Board, attacker: int, blocker: int) -> str:
    """Why a creature cannot be blocked by another, by its own characteristics; "" when it can (509.1b)."""
    a, b = board.characteristics(attacker), board.characteristics(blocker)
    seat = board.state.object(blocker).controller
    if "be blocked" in a.cant:
        return "it cannot be blocked"
    if "flying" in a.keywords and not {"flying", "reach"} & set(b.keywords):
        return "flying"  # 702.9b
    for keyword in ("shadow", "horsemanship"):
        if keyword in a.keywords and keyword not in b.keywords:
            return keyword
    if "shadow" in b.keywords and "shadow" not in a.keywords:
        return "a creature with shadow blocks only creatures with shadow"  # 702.28b
    if "fear" in a.keywords and "artifact" not in b.types and COLOR_WORDS["black"] not in b.colors:
        return "fear"
    if "intimidate" in a.keywords and "artifact" not in b.types and not set(a.colors) & set(b.colors):
        return "intimidate"
    if "skulk" in a.keywords and (b.power or 0) > (a.power or 0):
        return "skulk"
    if protected_from(board, attacker, blocker):
        return "protection"  # 702.16f
    for keyword, kind in LANDWALK.items():
        if keyword in a.keywords and any(
            kind in board.characteristics(handle).subtypes and board.state.object(handle).controller == seat
            for handle in board.state.game.battlefield
        ):
            return keyword  # 702.14c
    return ""


class Judge:
    """One declaration of blockers is weighed against the restrictions and requirements in force."""

    def __init__(self, board: Board, seat: int) -> None:
        self.board = board
        self.seat = seat
        self.rules = rules(board, "block")
        self.attackers = tuple(a.attacker for a in board.state.game.combat if a.attacker and a.seat == seat)
        self.able = tuple(h for h in board.state.game.battlefield if unable(board, h, seat) is None)

    def pair(self, blocker: int, attacker: int) -> Refusal | None:
        """Why a creature cannot block another, whatever else blocks."""
        board = self.board
        if attacker not in self.attackers:
            return Refusal("combat.block.who", f"{board.open_name(attacker)} is not attacking that player")
        why = evades(board, attacker, blocker)
        for rule in self.rules:
            by, only, said = rule.text.by, rule.text.only, (rule.you, rule.source)
            no = by is not None and rule.about(board, attacker) and matches(board, by, blocker, *said)
            no = no or (rule.text.cant and rule.about(board, blocker))
            if only is not None and rule.about(board, blocker):
                no = no or not matches(board, only, attacker, *said)
            if no:
                why = why or f"{board.name(rule.source)} says so"
        if why:
            return Refusal(RESTRICTED, f"{board.name(blocker)} cannot block {board.name(attacker)}: {why}")
        return None

    def capacity(self, blocker: int) -> int:
        """How many attackers a creature can block: one, unless something lets it block more (509.1b)."""
        more = [r.text.additional for r in self.rules if r.text.additional and r.about(self.board, blocker)]
        return len(self.attackers) if "any" in more else 1 + sum(int(item) for item in more)

    def taxed(self, blocker: int) -> list[Rule]:
        """The texts that ask a cost for a creature to block."""
        return [rule for rule in self.rules if rule.text.cost and rule.about(self.board, blocker)]

    def restricted(self, blocks: Blocks) -> Refusal | None:
        """509.1b: a restriction that a declaration breaks."""
        board = self.board
        for blocker, attackers in blocks:
            if (wrong := unable(board, blocker, self.seat)) is not None:
                return wrong
            for attacker in attackers:
                if (wrong := self.pair(blocker, attacker)) is not None:
                    return wrong
            if len(attackers) > self.capacity(blocker):
                return Refusal(
                    "combat.block.who", f"{board.name(blocker)} cannot block {len(attackers)} attackers"
                )
        return self.together(blocks)

    def together(self, blocks: Blocks) -> Refusal | None:
        """A restriction on blockers taken together."""
        board = self.board
        alone = len(blocks) == 1 and not any_blockers(board)
        if alone and "block alone" in board.characteristics(blocks[0][0]).cant:
            return Refusal(RESTRICTED, f"{board.name(blocks[0][0])} cannot block alone")
        for attacker in self.attackers:
            number = sum(1 for _, attackers in blocks if attacker in attackers)
            what, name = board.characteristics(attacker), board.name(attacker)
            if number == 1 and "menace" in what.keywords:
                return Refusal(RESTRICTED, f"{name} cannot be blocked except by two or more (menace)")
            if number > 1 and "be blocked by two" in what.cant:
                return Refusal(RESTRICTED, f"{name} cannot be blocked by more than one creature")
            for rule in self.rules:
                least = rule.text.least
                if least and 0 < number < int(least) and rule.about(board, attacker):
                    return Refusal(RESTRICTED, f"{name} cannot be blocked except by {least} or more")
        there = any_blockers(board)
        for rule in self.rules:
            if rule.text.most:
                chosen = (*there, *(blocker for blocker, _ in blocks))
                if sum(1 for handle in chosen if rule.about(board, handle)) > int(rule.text.most):
                    name = board.name(rule.source)
                    return Refusal(RESTRICTED, f"{name} lets no more than {rule.text.most} block")
        return None

    # ------------------------------------------------------------------------------ requirements

    def obeyed(self, blocks: Blocks) -> int:
        """How many requirements a declaration obeys."""
        board = self.board
        number = sum(board.characteristics(blocker).must.count("block") for blocker, _ in blocks)
        for attacker in self.attackers:
            must = board.characteristics(attacker).must
            count = sum(1 for _, attackers in blocks if attacker in attackers)
            number += must.count("be blocked") * (count > 0) + must.count("be blocked by all") * count
        return number

    def best(self) -> Blocks:
        """A declaration that obeys as many requirements as possible, without costs and restrictions.

        Creatures that no requirement asks for count as well: two must block what has menace (509.1c).
        """
        board = self.board
        asking = [
            h
            for h in self.attackers
            if {"be blocked", "be blocked by all"} & set(board.characteristics(h).must)
        ]
        options: dict[int, list[tuple[int, ...]]] = {}
        for blocker in self.able:
            can = [h for h in self.attackers if self.pair(blocker, h) is None]
            if can and not self.taxed(blocker):
                options[blocker] = self._options(blocker, can)
        due = any("block" in board.characteristics(handle).must for handle in options)
        if not asking and not due:
            return ()
        order = sorted(options, key=lambda handle: "block" not in board.characteristics(handle).must)
        best: Blocks = ()
        budget = BUDGET
        promise = [self._promise(handle, options[handle]) for handle in order]
        once = sum(board.characteristics(handle).must.count("be blocked") for handle in asking)

        def search(index: int, blocks: Blocks) -> None:
            nonlocal best, budget
            budget -= 1
            reach = self.obeyed(blocks) + sum(promise[index:]) + once
            if budget < 0 or reach <= self.obeyed(best):
                return
            if self.obeyed(blocks) > self.obeyed(best) and self.together(blocks) is None:
                best = blocks
            if index == len(order):
                return
            for attackers in options[order[index]]:
                search(index + 1, (*blocks, (order[index], attackers)))
            search(index + 1, blocks)

        search(0, ())
        return best

    def _promise(self, blocker: int, options: list[tuple[int, ...]]) -> int:
        """The most requirements that a creature's block could obey by itself."""
        own = self.board.characteristics(blocker).must.count("block")
        lured = (
            sum(self.board.characteristics(h).must.count("be blocked by all") for h in chosen)
            for chosen in options
        )
        return own + max(lured, default=0)

    def _options(self, blocker: int, can: list[int]) -> list[tuple[int, ...]]:
        most = min(self.capacity(blocker), len(can), 4)
        return [chosen for size in range(most, 0, -1) for chosen in combinations(can, size)]

    def judge(self, blocks: Blocks) -> Refusal | None:
        """509.1b–c: why a declaration is illegal."""
        wrong = self.restricted(blocks)
        if wrong is not None:
            return wrong
        best = self.best()
        if self.obeyed(blocks) < self.obeyed(best):
            there = dict(blocks)
            blocker, attackers = next((item for item in best if there.get(item[0]) != item[1]), best[0])
            return Refusal(
                "combat.block.required",
                f"more could be done that must be: {self.board.name(blocker)} blocks "
                f"{self.board.name(attackers[0])}",
            )
        return None


def check(board: Board, seat: int, given: Answer) -> Refusal | None:
    """Judge a declaration of blockers."""
    assert isinstance(given, Block)
    return Judge(board, seat).judge(pairs(board, given))


def pairs(board: Board, given: Block) -> Blocks:
    """The blockers with what each of them blocks.

    Raises:
        DecisionError: when something named is not there, or named twice.
    """
    found: dict[int, list[int]] = {}
    for item in given.blockers:
        for handle in (item.blocker, item.attacker):
            if handle not in board.state.game.battlefield:
                raise DecisionError(f"there is no permanent {handle} in this combat")
        if attack_on(board, item.attacker) is None:
            raise DecisionError(f"{board.name(item.attacker)} is not attacking")
        if item.attacker in found.setdefault(item.blocker, []):
            raise DecisionError("the same block was named twice")
        found[item.blocker].append(item.attacker)
    return tuple((blocker, tuple(attackers)) for blocker, attackers in found.items())


# --------------------------------------------------------------------------------------- procedure


def prompt(board: Board, frame: Frame) -> Prompt | None:
    """Ask a defending player who has a creature that could block something."""
    data: BlockingData = frame.data
    if frame.state != "choosing" or data.player < 0 or board.state.player(data.player).lost:
        return None
    judge = Judge(board, data.player)
    if not any(judge.pair(b, a) is None for b in judge.able for a in judge.attackers):
        return None

    def listed() -> Iterator[Candidate]:
        yield Candidate(Block(), "no block", check(board, data.player, Block()))
        for blocker in board.state.game.battlefield:
            if not fighter(board, blocker) or board.state.object(blocker).controller != data.player:
                continue
            for attacker in judge.attackers:
                refusal = unable(board, blocker, data.player) or judge.pair(blocker, attacker)
                text = f"{board.name(blocker)} blocks {board.name(attacker)}"
                yield Candidate(Block((Blocker(blocker, attacker),)), text, refusal)

    def finish() -> Block:
        best = judge.best()
        return Block(tuple(Blocker(blocker, attacker) for blocker, group in best for attacker in group))

    return Prompt(
        data.player,
        "block",
        "declare blockers",
        "combat.block",
        answers=(Block,),
        candidates=listed,
        check=lambda answer: check(board, data.player, answer),
        complete=finish,
        least=0,
        most=len(board.state.game.battlefield),
    )


def answer(w: Work, frame: Frame, given: Answer) -> None:
    """Choose the blockers (509.1a)."""
    assert isinstance(given, Block)
    blocks = tuple(Blocking(blocker, attackers) for blocker, attackers in pairs(w.board, given))
    w.emit(ev.BlockersChosen, "combat.block", frame.data.player, blocks, auto=False)


def step(w: Work, frame: Frame) -> None:
    """Pay the costs, then the chosen creatures become blocking; at last all is settled (509.1d–h)."""
    data: BlockingData = frame.data
    if data.player < 0:
        _finish(w)
        return
    if frame.state == "chosen":
        judge = Judge(w.board, data.player)
        total = add_costs([rule.text.cost for block in data.blocks for rule in judge.taxed(block.blocker)])
        if total.has_mana:
            w.emit(ev.PaymentBegun, "combat.block.mana", data.player, 0, total, (), 0)
            return
    still = tuple(
        block
        for block in data.blocks
        if fighter(w.board, block.blocker) and w.state.object(block.blocker).controller == data.player
    )
    attacks = tuple(_blocked(attack, still) for attack in w.state.game.combat)
    w.emit(ev.BlockersDeclared, "combat.block.become", data.player, still, attacks)


def _blocked(attack: Attack, blocks: tuple[Blocking, ...]) -> Attack:
    blockers = tuple(block.blocker for block in blocks if attack.attacker in block.attackers)
    if not blockers:
        return attack
    return replace(attack, blocked=True, blockers=attack.blockers + blockers)


def _finish(w: Work) -> None:
    """509.2: where an edition orders damage, the active player orders the blockers of each attacker."""
    attacks = list(w.state.game.combat)
    if ordered(w.board):
        for index, attack in enumerate(attacks):
            if attack.attacker and len(attack.blockers) > 1:
                question = f"the order in which {w.board.name(attack.attacker)} damages its blockers"
                active = w.state.game.turn.active
                if not w.state.player(active).lost:
                    size = len(attack.blockers)
                    asked = AskingData(active, "order", question, attack.blockers, (), size, size)
                    attacks[index] = replace(attack, blockers=w.ask(asked, "combat.order"))
    # Triggers look at combat as it is once all have declared.
    with batch(w):
        w.emit(ev.BlockingEnded, "combat.block.become", tuple(attacks))


def ordered(board: Board) -> bool:
    """Whether this edition has an order of combat damage assignment (from 2009-07 to 2024-11)."""
    edition = board.ctx.edition
    return edition.has("damage-assignment-order") and not edition.has("free-damage-assignment")
