"""What things are called: in the state before an event, in the state after it, or as they last were.

An object's id tells nothing, so a sentence needs the game on both sides of its event: what moved is
still there before it, what came into being is there after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cascade_es.editions import Edition
from cascade_es.errors import InputError
from cascade_es.history import History
from cascade_es.rules.board import Board
from cascade_es.values.decisions import RECORDER
from cascade_es.values.facts import EVERYONE, CardRef, Fact
from cascade_es.values.mana import Unit
from cascade_es.values.state import AbilityRef, Obj, Target
from cascade_es.views.plain import listed, one_line

UNKNOWN_CARD: Final = "a card"
"""What a card is called whose name is sealed to this copy."""

_LOOK_BACK: Final = 200
"""How many events back an id is looked for that names nothing any more."""

_WHERE: Final = {
    "library": "in {}'s library",
    "hand": "in {}'s hand",
    "graveyard": "in {}'s graveyard",
    "battlefield": "on the battlefield",
    "stack": "on the stack",
    "exile": "in exile",
    "command": "in the command zone",
}
_FROM: Final = {
    "library": "from {}'s library",
    "hand": "from {}'s hand",
    "graveyard": "from {}'s graveyard",
    "battlefield": "from the battlefield",
    "stack": "from the stack",
    "exile": "from exile",
    "command": "from the command zone",
}


def rule_number(edition: Edition, concept: str) -> str:
    """What an edition calls a rule; the concept itself where it has no number for it.

    >>> from cascade_es.editions import NEWEST
    >>> rule_number(NEWEST, "cast.pay"), rule_number(NEWEST, "no such concept")
    ('601.2h', 'no such concept')
    """
    try:
        number = edition.number(concept)
    except KeyError:
        return one_line(concept)
    return number if number != "–" else concept


def step_name(step: str) -> str:
    """A step or phase in a sentence.

    >>> step_name("upkeep"), step_name("precombat main")
    ('the upkeep step', 'the precombat main phase')
    """
    if not step:
        return "no step"
    return f"the {step} {'phase' if step.endswith('main') else 'step'}"


class Names:
    """The names of one moment: after event ``seq``, and just before it."""

    def __init__(self, history: History, seq: int) -> None:
        self.history = history
        self.after = history.board_at(seq)
        self.before = history.board_at(max(seq - 1, 0))

    # -------------------------------------------------------------------------------- players

    def player(self, seat: int) -> str:
        """A player by seat; the recorder is "the table"."""
        if seat == RECORDER or not 0 <= seat < len(self.history.names):
            return "the table"
        return one_line(self.history.names[seat])

    def seats(self, mask: int) -> str:
        """The players of a bit mask."""
        if mask == EVERYONE or mask == (1 << len(self.history.names)) - 1:
            return "everyone"
        return listed([self.player(seat) for seat in range(len(self.history.names)) if mask >> seat & 1])

    def number(self, concept: str) -> str:
        """The number of a rule in the game's edition."""
        return rule_number(self.history.edition, concept)

    # -------------------------------------------------------------------------------- objects

    def find(self, handle: int) -> Obj | None:
        """An object: before the event, else after it, else as it last was."""
        for board in (self.before, self.after):
            obj = board.state.game.objects.get(handle)
            if obj is not None:
                return obj
        return self.before.find(handle) or self.after.find(handle)

    def object(self, handle: int) -> str:
        """The name of an object or ability."""
        for board in (self.before, self.after):
            obj = board.find(handle)
            if obj is not None:
                name = self._name(board, obj)
                if name != UNKNOWN_CARD:
                    return name
        if self.find(handle) is not None:
            return UNKNOWN_CARD
        return self._formerly(handle)

    def _formerly(self, handle: int) -> str:
        """The name of what had this id a while ago: costs are named by what was used up for them."""
        now = self.before.state.ledger.seq
        for seq in range(now - 1, max(now - _LOOK_BACK, 0), -1):
            obj = self.history.at(seq).game.objects.get(handle)
            if obj is not None:
                return self._name(self.history.board_at(seq), obj)
        return f"object {handle}"

    def _name(self, board: Board, obj: Obj) -> str:
        if obj.ability is not None:
            # The source of an ability is a card or a token; a damaged log may say anything, even a circle.
            source = self.find(obj.source)
            return self.ability(obj.ability, 0 if source is not None and source.ability else obj.source)
        try:
            name = board.name(obj.id)
        except InputError:
            # The card is known, but this copy lacks its definition.
            name = obj.ref.name if obj.ref is not None else UNKNOWN_CARD
        return one_line(name)

    def objects(self, handles: Iterable[int]) -> str:
        """Several objects in a sentence."""
        return listed([self.object(handle) for handle in handles])

    def ability(self, ref: AbilityRef, source: int) -> str:
        """An ability by its keyword, or by its source."""
        name = self.object(source) if source else "nothing"
        keyword = one_line(ref.keyword)
        if keyword and keyword[0].isupper():  # the mana ability of a basic land type
            return f"{name}'s mana ability"
        return f"{name}'s {keyword} ability" if keyword else f"{name}'s ability"

    def card(self, fact: Fact, part: int = -1) -> str:
        """The name of a card, or of one of its parts."""
        if not isinstance(fact.value, CardRef):
            return UNKNOWN_CARD
        if part >= 0:
            try:
                faces = self.history.ctx.cards.definition(fact.value).faces
            except InputError:
                faces = ()
            if part < len(faces):
                return one_line(faces[part].name)
        return one_line(fact.value.name)

    def target(self, target: Target) -> str:
        """A target: an object or a player."""
        return self.player(target.seat) if target.seat >= 0 else self.object(target.object)

    # ---------------------------------------------------------------------------------- zones

    def where(self, zone: str, owner: int) -> str:
        """In a zone."""
        return _WHERE.get(zone, "in {}'s " + zone).format(self.player(owner))

    def from_zone(self, obj: Obj | None, reader: int = -1) -> str:
        """From the zone that an object is in; the reader's own zones are "their" zones."""
        if obj is None:
            return "from somewhere"
        phrase = _FROM.get(obj.zone, "from {}'s " + obj.zone)
        if obj.owner == reader:
            return phrase.replace("{}'s", "their")
        return phrase.format(self.player(obj.owner))


def symbols(units: Iterable[Unit]) -> str:
    """Mana as symbols.

    >>> symbols([Unit(1, "R", 0, 0), Unit(2, "G", 0, 0)])
    '{R}{G}'
    """
    return "".join(f"{{{unit.type}}}" for unit in units)
