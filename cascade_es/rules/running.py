"""What every operation uses: the running effect, its numbers and references, and the two registries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from cascade_es.errors import DecisionError, InputError
from cascade_es.evolve import HIDDEN
from cascade_es.rules.attaching import enchanted
from cascade_es.rules.board import Board
from cascade_es.rules.filters import counted, holds, property_of
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer, Choose, YesNo
from cascade_es.values.facts import Fact
from cascade_es.values.prompts import Candidate, Prompt, Refusal
from cascade_es.values.state import AbilityRef, Frame, Obj, ResolvingData, Target

Block = tuple[sc.Operation, ...]
Bound = tuple[tuple[str, tuple[int, ...]], ...]


def player_word(seat: int) -> int:
    """A player as a name can be bound to them: negative, so that no seat is taken for an object; and back."""
    return -1 - seat


def loop_name(op: sc.ForEach) -> str:
    """The name under which a loop keeps what is still to come."""
    return f"rest: {op.bind}"


def declined_name(data: ResolvingData) -> str:
    """The name under which a payment remembers who would not pay."""
    return f"declined: {'.'.join(map(str, data.path))}"


def lacks_information(r: Running, op: sc.Operation) -> bool:
    """608.2b: nothing can be learnt from an illegal target, and what needs to know it does not happen."""
    condition = getattr(op, "condition", None)
    texts = [getattr(op, name) for name in op.__struct_fields__]
    texts += [condition.at_least, condition.exists] if condition is not None else []
    for text in texts:
        word = text.rpartition(" of ")[2] if isinstance(text, str) and " of target" in text else ""
        if word and not r.targets(word) and r.was_chosen(word):
            return True
    return False


class Running:
    """An effect at one instruction: its object, what it has bound, and how to look at the game."""

    def __init__(self, board: Board, data: ResolvingData, obj: Obj | None = None) -> None:
        """``obj`` stands for the object where there is none: what does not use the stack (605.4a, 614.6)."""
        self.board = board
        self.data = data
        found = obj or board.find(data.object)
        assert found is not None
        self.obj: Obj = found

    @property
    def you(self) -> int:
        """The controller of the effect."""
        return self.obj.controller

    @property
    def this(self) -> int:
        """The object that the text calls by its name: a spell itself, or an ability's source."""
        return self.obj.source or self.obj.id

    @property
    def home(self) -> tuple[Fact, int] | None:
        """The card and face on which the running text stands, if we know it."""
        if self.obj.ability is None:
            return self.board.home(self.obj)
        return (self.obj.ability.card, self.obj.ability.face) if self.obj.ability.card.known else None

    def number(self, amount: sc.Amount) -> int:
        """A number of the script."""
        if isinstance(amount, sc.Count):
            before = self.meant(amount.before) if amount.before else ()
            return counted(self.board, amount, self.you, self.this, before)
        if amount.lstrip("+-").isdigit():
            return int(amount)
        if amount[0] in "+-":
            return self.number(amount[1:]) * (-1 if amount[0] == "-" else 1)
        name, of, reference = amount.partition(" of ")
        if of:
            return self._property(name, reference)
        if amount == "that much":
            return self.obj.about[2] if len(self.obj.about) > 2 else 0
        if amount == "X":
            x = self.board.choices(self.obj.id).x
            if x < 0 and self.obj.source:
                x = self.board.choices(self.obj.source).x  # 107.3m: the X of the spell that it was
            return max(x, 0)
        bound = self.data.values(amount)
        if bound is None:
            raise DecisionError(f"'{amount}' is no number here")
        return bound[0] if len(bound) == 1 else len(bound)

    def _property(self, name: str, reference: str) -> int:
        """ "power of target", "life of you", "cards in hand of that player": 0 of what is not there."""
        if name in ("life", "cards in hand", "cards in library", "cards in graveyard"):
            for player in (self.board.state.player(seat) for seat in self.players(reference)):
                zone = name.removeprefix("cards in ")
                return player.life if name == "life" else len(getattr(player, zone))
            return 0
        for handle in self.meant(reference):
            # 608.2h: what is gone is asked as it last existed.
            return property_of(self.board, name, handle)
        return 0

    # ---------------------------------------------------------------------------- references

    def sources(self, text: str) -> tuple[int, ...]:
        """What deals damage: this, or another object, as it is or last was (608.2h, 113.7a)."""
        return (self.this,) if text == "this" else self.meant(text)

    def targets(self, text: str) -> tuple[Target, ...]:
        """The targets of one instance of the word ("targets": of all) that are still legal (608.2b)."""
        slot = self._first_slot() + (int(text.split()[1]) - 1 if " " in text else 0)
        chosen = self.board.choices(self.obj.id).targets
        legal = self.data.legal or (True,) * len(chosen)
        every = text == "targets"
        return tuple(t for t, good in zip(chosen, legal, strict=True) if good and (every or t.slot == slot))

    def was_chosen(self, text: str) -> bool:
        """Whether that instance of the word got any target at all, legal or not."""
        slot = self._first_slot() + (int(text.split()[1]) - 1 if " " in text else 0)
        return any(target.slot == slot for target in self.board.choices(self.obj.id).targets)

    def _first_slot(self) -> int:
        """Each mode has instances of "target" of its own: the first one of the mode being followed."""
        text = self.board.text(self.obj)
        slot = place = 0
        for mode in self.board.choices(self.obj.id).modes if text.modes else ():
            place += len(text.modes[mode].do)
            if self.data.path[0] < place:
                break
            slot += len(text.modes[mode].targets)
        return slot

    def objects(self, text: str, *, again: bool = False) -> tuple[int, ...]:
        """The objects that a reference means, as far as they are still there, each once.

        ``again``: one that is the target of several words is meant by each of them (115.3, 601.2c): it is
        dealt damage by each, but destroyed only once.
        """
        if text.startswith("target"):
            found = tuple(target.object for target in self.targets(text) if target.object)
        elif text == "this":
            found = (self._followed(self.this),)
        elif text == "that":
            found = tuple(self._followed(handle) for handle in self.obj.about[:1])
        elif text == "those":
            found = self.obj.about[3:]
        elif text == "exiled with this":
            links = [link for link in self.board.state.game.links if link.source == self.this]
            found = tuple(handle for link in links if link.role == "exiled" for handle in link.objects)
        elif text.startswith("top "):
            number, _, whose = text.removeprefix("top ").rpartition("of ")
            most = int(number or 1)
            found = tuple(h for s in self.players(whose) for h in self.board.state.player(s).library[:most])
        elif text == "used":
            found = self.board.choices(self.obj.id).used
        elif text == "attached":
            host = self.board.find(self.this)
            found = (host.attached,) if host is not None and host.attached else ()
        else:
            found = self.data.values(text) or ()
        there = tuple(handle for handle in found if handle in self.board.state.game.objects)
        return there if again else tuple(dict.fromkeys(there))

    def players(self, text: str) -> tuple[int, ...]:
        """The players that a reference means, in turn order from the active player."""
        seats = self.board.seats()
        if text == "you":
            return (self.you,)
        if text in ("opponent", "each opponent"):
            return tuple(seat for seat in seats if seat != self.you)
        if text == "each player":
            return seats
        if text == "each other player":
            # Other than the player whom it is about, or else than you.
            return tuple(seat for seat in seats if seat not in (self.obj.about[1:2] or (self.you,)))
        if text == "that player":
            return tuple(seat for seat in self.obj.about[1:2] if seat in seats)
        if text.startswith("owner of "):
            owned = (self.board.find(handle) for handle in self.meant(text.removeprefix("owner of ")))
            return tuple(dict.fromkeys(obj.owner for obj in owned if obj is not None))
        if text.startswith("controller of "):
            return tuple(
                dict.fromkeys(
                    obj.controller
                    for handle in self.meant(text.removeprefix("controller of "))
                    if (obj := self.board.find(handle)) is not None
                )
            )
        if text.startswith("target"):
            return tuple(target.seat for target in self.targets(text) if target.seat >= 0)
        if text == "attached":
            return tuple(seat for seat in (enchanted(self.board, self.this),) if seat in seats)
        bound = (player_word(word) for word in self.data.values(text) or () if word < 0)
        return tuple(seat for seat in bound if seat in seats)

    def _followed(self, handle: int) -> int:
        """400.7e: an ability that triggered as an object changed zones finds it where it went in public."""
        game = self.board.state.game
        if handle in game.objects or self.obj.ability is None:
            return handle
        if handle not in game.last_known:
            return self._in_hand(handle)
        ability = self.board.ability(self.obj.ability)
        if not isinstance(ability, sc.Triggered) or handle != self.obj.about[0]:
            return handle
        if not {ability.when.event, *ability.when.also} & {"dies", "leaves", "sacrificed"}:
            return handle
        successor = game.last_known[handle].successor
        there = game.objects.get(successor)
        return successor if there is not None and there.zone not in HIDDEN else handle

    def _in_hand(self, handle: int) -> int:
        """A card that has stayed in a hand, whose cards have got fresh ids since its ability was begun."""
        for player in self.board.state.game.players:
            for there in player.hand:
                origin = there
                while origin and origin != handle:
                    origin = self.board.state.ledger.mixed(origin)
                if origin:
                    return there
        return handle

    def meant(self, text: str) -> tuple[int, ...]:
        """The objects that a reference means, whether or not they are still there (608.2h)."""
        if text.startswith("target"):
            return tuple(target.object for target in self.targets(text) if target.object)
        if text == "those":
            return self.obj.about[3:]
        if text == "exiled with this" or text.startswith("top "):
            return self.objects(text)
        if text in ("that", "used"):
            return self.obj.about[:1] if text == "that" else self.board.choices(self.obj.id).used
        return (self.this,) if text == "this" else self.data.values(text) or ()


class Again(msgspec.Struct, frozen=True):
    """The instruction is not done: somebody else must choose as well; what has been chosen is bound."""

    bound: Bound


Run = Callable[[Work, Running, Any, Answer | None], Bound | Again]
Ask = Callable[[Running, Any], Prompt | None]

RUN: Final[dict[type, Run]] = {}
ASK: Final[dict[type, Ask]] = {}


def runs(kind: type) -> Callable[[Run], Run]:
    """Register how an operation is carried out."""

    def register(function: Run) -> Run:
        RUN[kind] = function
        return function

    return register


def asks(kind: type) -> Callable[[Ask], Ask]:
    """Register what an operation asks, if anything."""

    def register(function: Ask) -> Ask:
        ASK[kind] = function
        return function

    return register


def choosing(
    board: Board,
    seat: int,
    among: tuple[int, ...],
    least: int,
    most: int,
    question: str,
    rule: str,
    *,
    secret: bool = False,
) -> Prompt:
    """A choice of objects; ``secret`` is whether only the chooser may know how many could be chosen."""

    def listed() -> Iterator[Candidate]:
        for handle in among:
            yield Candidate(Choose((handle,)), board.name(handle))

    def judge(answer: Answer) -> Refusal | None:
        assert isinstance(answer, Choose)
        if len(set(answer.picks)) < len(answer.picks):
            raise DecisionError("the same object was chosen twice")
        for pick in answer.picks:
            if board.find(pick) is None:
                raise DecisionError(f"there is no object {pick}")
            if pick not in among:
                return Refusal(rule, f"{board.open_name(pick)} cannot be chosen")
        return wrong_number(len(answer.picks), least, most, rule, secret=secret)

    return Prompt(
        seat,
        "choose",
        question,
        rule,
        answers=(Choose,),
        candidates=listed,
        check=judge,
        complete=lambda: Choose(among[: max(least, min(most, 1))]),
        least=least,
        most=most,
    )


def wrong_number(chosen: int, least: int, most: int, rule: str, *, secret: bool) -> Refusal | None:
    """Whether too few or too many are chosen; a reason that everybody hears tells no secret numbers."""
    if least <= chosen <= most:
        return None
    wanted = str(most) if least == most else f"{least} to {most}"
    return Refusal(rule, f"{'another number' if secret else wanted} must be chosen, not {chosen}")


# ------------------------------------------------------------------------------ instructions


def program(board: Board, obj: Obj) -> Block:
    """The instructions of a spell or ability: those of its chosen modes, in printed order."""
    text = board.text(obj)
    if not text.modes:
        return text.do
    return tuple(op for mode in board.choices(obj.id).modes for op in text.modes[mode].do)


def block_at(whole: Block, path: tuple[int, ...]) -> Block:
    """The block in which a path ends."""
    block = whole
    for depth in range(0, len(path) - 1, 2):
        op = block[path[depth]]
        assert isinstance(op, sc.May | sc.If | sc.Pay | sc.ForEach)
        block = op.otherwise if path[depth + 1] and not isinstance(op, sc.ForEach) else op.then
    return block


def current(board: Board, frame: Frame) -> sc.Operation | None:
    """The instruction at which a resolution stands; None at its end."""
    data: ResolvingData = frame.data
    obj = board.find(data.object)
    assert obj is not None
    block = block_at(program(board, obj), data.path)
    return block[data.path[-1]] if data.path[-1] < len(block) else None


def branch(w: Work, r: Running, op: sc.May | sc.If, given: Answer | None) -> tuple[sc.Operation, ...]:
    """The instructions that a "may" or an "if" leads to."""
    if isinstance(op, sc.May):
        yes = isinstance(given, YesNo) and given.yes
        if yes and (word := once(r)):
            w.emit(ev.Noted, "trigger.occurs", r.you, r.this, word)
        return op.then if yes else op.otherwise
    return op.then if _is_so(r, op.condition) else op.otherwise


def _is_so(r: Running, c: sc.Condition) -> bool:
    """Whether a condition holds in the midst of an effect, which knows what names are bound to."""

    def meant(text: str) -> tuple[int, ...]:
        return r.objects(text) or tuple(player_word(seat) for seat in r.players(text))

    declared = r.board.choices(r.obj.id).declared
    return holds(r.board, c, r.you, r.this, declared, meant=meant, number=r.number)


def at_once(w: Work, r: Running, op: sc.Operation, given: Answer | None) -> Bound | Again:
    """Carry out an instruction of what does not use the stack, with what was chosen for it.

    Raises:
        InputError: when it is one that can be followed only while something resolves.
    """
    if isinstance(op, sc.If):
        for inner in branch(w, r, op, None):
            at_once(w, r, inner, None)
        return ()
    if type(op) not in RUN:
        word = type(op).__struct_config__.tag
        raise InputError(f"'{word}' can be followed only by what uses the stack; mend the script")
    return RUN[type(op)](w, r, op, given)


# --------------------------------------------------------------------------------- once each turn


def deed_of(ref: AbilityRef, what: str) -> str:
    """The word under which the history of a turn knows that an ability triggered, or did what it may."""
    return f"{what} {ref.keyword or f'{ref.face}.{ref.index}'}"


def done_this_turn(board: Board, source: int, word: str) -> bool:
    """Whether the history of this turn has such a line about an object."""
    return any(deed.kind == word and deed.object == source for deed in board.state.game.history)


def once(r: Running) -> str:
    """603.2h: the word for "do this only once each turn", if this ability says so."""
    ability = r.board.ability(r.obj.ability) if r.obj.ability is not None else None
    limited = isinstance(ability, sc.Triggered) and ability.limit == "do once each turn"
    return deed_of(r.obj.ability, "done") if limited and r.obj.ability is not None else ""
