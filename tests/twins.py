"""Twins of a game: the same decisions, while the cards that a viewer never came to know are others.

The cards of hidden zones first get names of their own, so that whether a viewer's copy tells of a card can
be seen by looking for its name.  Those of which it does not tell are then replaced by cards of another
kind.  Where the very same decisions can still be made, that viewer's copies of both games must agree; and
what the viewer decides can always be decided, since it is asked by what they see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgpack
import msgspec
from msgspec.structs import replace

from cascade_es import CascadeError, Game, project
from cascade_es.cards import Card
from cascade_es.log import parse_log
from cascade_es.rules.decide import recorded_answer
from cascade_es.values import decisions as de
from cascade_es.values.script import Definition

Spot = tuple[int, int]
"""A card of the set-up: its pile, and its place in it."""

STRANGERS: tuple[dict[str, Any], ...] = (
    {"type_line": "Land"},
    {"type_line": "Creature — Bear", "mana_cost": "{1}{G}", "power": "2", "toughness": "2"},
    {"type_line": "Instant", "mana_cost": "{R}"},
    {"type_line": "Legendary Enchantment", "mana_cost": "{7}{U}{U}"},
)
"""What hidden cards are replaced by: one of each kind that something in a game could ask about."""


def skeleton(view: bytes) -> bytes:
    """The bytes of a view without commitments, salts and hash values; everything else as it is."""
    frames = []
    for frame in parse_log(view).frames:
        payload = msgpack.unpackb(frame.payload, use_list=False, raw=False)
        openings = msgpack.unpackb(frame.openings or b"\x90", use_list=False, raw=False)
        if openings:
            salted = tuple((place, ordinal, content) for place, ordinal, _, content in openings[0])
            openings = (salted, *openings[1:])
        frames.append((_blank(payload), openings))
    packed: bytes = msgpack.packb(frames, use_bin_type=True)
    return packed


def _blank(value: Any) -> Any:
    if isinstance(value, bytes) and len(value) == 32:
        return b"#"
    return tuple(_blank(item) for item in value) if isinstance(value, tuple) else value


class Twins:
    """All that a recorded game can be compared with; ``seed`` is the one that it was made with."""

    def __init__(self, game: Game, seed: str | bytes) -> None:
        self.names = game.names
        self.seed = seed
        said, *self.decisions = [unit.decision for unit in game.units]
        setup = recorded_answer(said)
        assert isinstance(setup, de.SetUp)
        self.setup = setup
        self.cards = {
            ref.name: Card(game.ctx.cards.definition(ref)) for pile in setup.piles for ref in pile.cards
        }
        self.hidden: dict[Spot, str] = {}
        renamed = {}
        for at, pile in enumerate(setup.piles):
            for place, ref in enumerate(pile.cards if pile.zone in ("library", "hand") else ()):
                name = f"Zq{len(self.hidden):03}qZ"
                self.hidden[at, place] = name
                renamed[name] = _renamed(self.cards[ref.name], name)
        self.cards.update(renamed)

    def compared(
        self, kinds: Sequence[int] = range(len(STRANGERS))
    ) -> Iterator[tuple[int | None, str, bool]]:
        """For each viewer and kind of stranger: what was replaced, and whether the viewer's copies agree.

        What cannot be replaced, because somebody else's decision would not be allowed then, is left out.
        """
        named, _ = self.played({})
        if named is None:
            return
        for viewer in (None, *range(len(self.names))):
            view = project(named, viewer)
            told = b"".join(frame.payload + frame.openings for frame in parse_log(view).frames[1:])
            unknown = [spot for spot, name in self.hidden.items() if name.encode() not in told]
            for kind in kinds if unknown else ():
                everything = dict.fromkeys(unknown, kind)
                played = [(everything, *self.played(everything))]
                if played[0][1] is None:
                    played += [(one, *self.played(one)) for one in ({spot: kind} for spot in unknown)]
                for strangers, other, refused in played:
                    if other is not None:
                        yield viewer, self._told(strangers), agree(view, project(other, viewer))
                    elif refused is not None and refused == viewer:
                        yield viewer, self._told(strangers), False

    def _told(self, strangers: dict[Spot, int]) -> str:
        spots = [f"{self.setup.piles[at].cards[place].name} ({at}.{place})" for at, place in strangers]
        return f"{', '.join(spots)} as {STRANGERS[next(iter(strangers.values()))]['type_line']}"

    def played(self, strangers: dict[Spot, int]) -> tuple[bytes | None, int | None]:
        """The log of the same decisions with strangers in some spots, or whose decision cannot be made."""
        names = {
            spot: name.replace("Z", "V") if spot in strangers else name for spot, name in self.hidden.items()
        }
        cards = [*self.cards.values(), *(_stranger(names[spot], kind) for spot, kind in strangers.items())]
        zones: dict[str, dict[str, list[str]]] = {name: {} for name in self.names}
        tapped: dict[str, Sequence[bool]] = {}
        for at, pile in enumerate(self.setup.piles):
            listed = [names.get((at, place), ref.name) for place, ref in enumerate(pile.cards)]
            zones[self.names[pile.seat]][pile.zone] = listed
            if pile.tapped:
                tapped[self.names[pile.seat]] = pile.tapped
        setup = self.setup
        try:
            game = Game.new(
                zones,
                cards=cards,
                edition=setup.edition,
                seed=self.seed,
                life=setup.life,
                starting=setup.starting,
                shuffle=setup.shuffle,
                hands=setup.hands,
                turn=setup.turn,
                step=setup.step,
                tapped=tapped,
            )
        except CascadeError:
            return None, None
        for said in self.decisions:
            try:
                game.decide(said.seat, recorded_answer(said), insist=said.insist)
            except CascadeError:
                return None, said.seat
        return game.log_bytes, None


def _renamed(card: Card, name: str) -> Card:
    was = card.definition
    faces = tuple(replace(face, name=name) if face.name == was.name else face for face in was.faces)
    return Card(replace(was, name=name, faces=faces))


def _stranger(name: str, kind: int) -> Card:
    return Card(msgspec.convert({"name": name, "faces": ({"name": name, **STRANGERS[kind]},)}, Definition))


def agree(one: bytes, other: bytes) -> bool:
    """The header is left out: its deck lists are what was changed."""
    first, second = (msgpack.unpackb(skeleton(view), use_list=False)[1:] for view in (one, other))
    return bool(first == second)
