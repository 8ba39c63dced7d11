"""A whole state as a JSON-like value with stable, documented keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cascade_es.errors import InputError
from cascade_es.history import History
from cascade_es.machines.tables import TABLES
from cascade_es.rules.board import Board
from cascade_es.values.facts import NOTHING
from cascade_es.values.state import Characteristics, Choices, Frame, Obj, Pending, Player, State
from cascade_es.views.combat import attacked
from cascade_es.views.effects import in_force
from cascade_es.views.naming import UNKNOWN_CARD, Names, rule_number, symbols
from cascade_es.views.plain import one_line, plain


def state_json(history: History, seq: int) -> dict[str, Any]:
    """The state after event ``seq`` as a JSON object.

    ``seq``, ``edition``, ``sealed``, ``over``, ``winners`` (names; null while the game goes on);
    ``turn``: ``number``, ``active`` (a name), ``step``; ``priority`` (a name, or null);
    ``players``, in turn order: ``name``, ``life``, ``poison``, ``lost`` (why, or null), ``pool``
    (symbols), ``lands`` (played this turn), ``hand``, ``library`` (from the top down), ``ordered``
    (false while the library is being searched and its list says nothing), ``graveyard`` (from the
    bottom up);
    ``battlefield``, ``stack`` (top first), ``exile``, ``command``: lists of objects;
    ``frames`` (running procedures, the outermost first): ``machine``, ``state``, ``rule``, ``mark``,
    ``event``; ``pending`` (triggered abilities that wait): ``id``, ``text``, ``controller``, ``event``;
    ``effects``, ``delayed``: what is in force, as ``text`` and field by field; ``combat``: who attacks
    whom or what, whether it became ``blocked``, and its ``blockers``.

    An object has ``id``, ``name`` (null if this copy may not know), ``kind``, ``owner``,
    ``controller``; where it says something also ``tapped``, ``damage``, ``counters``, ``power``,
    ``toughness``, ``attached`` (a name), ``part`` (the index of its face), ``face_down``, ``chosen``
    (words), ``seen_by`` (names; in hidden zones); and on the stack ``source`` (a name), ``targets``
    (names), ``modes`` (from 1), ``x``, ``division``, ``declared``, ``permission``, ``free``, ``cast``.

    Raises:
        InputError: when there is no such event.
    """
    state = history.at(seq)
    board = history.board_at(seq)
    names = Names(history, seq)
    # The board of this moment alone: "before" would name what is gone already.
    names.before = board
    game = state.game
    turn = game.turn
    objects = _Objects(names, board)
    return {
        "seq": seq,
        "edition": state.ledger.edition or history.edition.date,
        "sealed": state.ledger.sealed,
        "over": state.over,
        "winners": None if game.winners is None else [names.player(seat) for seat in game.winners],
        "turn": {"number": turn.number, "active": names.player(turn.active), "step": turn.step or None},
        "priority": _priority(names, state),
        "players": [_player(names, objects, player) for player in game.players],
        "battlefield": objects.listed(game.battlefield),
        "stack": objects.listed(reversed(game.stack)),
        "exile": objects.listed(game.exile),
        "command": objects.listed(game.command),
        "frames": [_frame(history, frame) for frame in game.frames],
        "pending": [_pending(names, item) for item in game.pending],
        "effects": [{"text": in_force(names, effect), **plain(effect)} for effect in game.effects],
        "delayed": [
            {"text": names.ability(item.ability, item.source), **plain(item)} for item in game.delayed
        ],
        "combat": [
            {
                "attacker": names.object(attack.attacker) if attack.attacker else "nobody",
                "attacks": attacked(names, attack),
                "blocked": attack.blocked,
                "blockers": [names.object(blocker) for blocker in attack.blockers],
            }
            for attack in game.combat
        ],
    }


def _priority(names: Names, state: State) -> str | None:
    """Who holds priority, if somebody does and is not in the middle of an action."""
    frames = state.game.frames
    if state.over or not frames or frames[-1].machine != "priority" or frames[-1].state != "holding":
        return None
    return names.player(frames[-1].data.player)


def _player(names: Names, objects: _Objects, player: Player) -> dict[str, Any]:
    return {
        "name": names.player(player.seat),
        "life": player.life,
        "poison": player.poison,
        "lost": one_line(player.lost) or None,
        "pool": symbols(player.pool),
        "lands": player.lands,
        "hand": objects.listed(player.hand),
        "library": objects.listed(player.library),
        "ordered": player.order == NOTHING,
        "graveyard": objects.listed(player.graveyard),
    }


def _frame(history: History, frame: Frame) -> dict[str, Any]:
    table = TABLES.get(frame.machine)
    return {
        "machine": frame.machine,
        "state": frame.state,
        "rule": rule_number(history.edition, table.rule) if table is not None else None,
        "mark": frame.mark,
        "event": frame.event,
    }


def _pending(names: Names, item: Pending) -> dict[str, Any]:
    return {
        "id": item.id,
        "text": names.ability(item.ability, item.source),
        "controller": names.player(item.controller),
        "event": item.event,
    }


class _Objects:
    """The objects of one board as JSON-like values."""

    def __init__(self, names: Names, board: Board) -> None:
        self.names = names
        self.board = board

    def listed(self, handles: Iterable[int]) -> list[dict[str, Any]]:
        """Several objects."""
        return [self.one(handle) for handle in handles]

    def one(self, handle: int) -> dict[str, Any]:
        """One object; what says nothing is left out."""
        obj = self.board.state.game.objects.get(handle)
        if obj is None:
            return {"id": handle, "name": None, "kind": "unknown", "owner": None, "controller": None}
        name = self.names.object(handle)
        seen: dict[str, Any] = {
            "id": handle,
            "name": None if name == UNKNOWN_CARD else name,
            "kind": obj.kind,
            "owner": self.names.player(obj.owner),
            "controller": self.names.player(obj.controller),
        }
        extra: dict[str, Any] = {"part": obj.face}
        if obj.zone == "battlefield":
            extra |= self._permanent(obj)
        elif obj.zone == "stack":
            extra |= self._on_stack(obj)
        elif obj.zone in ("hand", "library"):
            extra["seen_by"] = self._seen_by(handle)
        return seen | {key: value for key, value in extra.items() if value or (value == 0 and key in _ZERO)}

    def _permanent(self, obj: Obj) -> dict[str, Any]:
        what = self._characteristics(obj)
        return {
            "tapped": obj.tapped,
            "damage": obj.damage,
            "counters": dict(obj.counters),
            "power": what.power,
            "toughness": what.toughness,
            "attached": self.names.object(obj.attached) if obj.attached else None,
            "land": "land" in what.types,
            "face_down": obj.face_down,
            "chosen": [one_line(word) for word in obj.chosen],
        }

    def _characteristics(self, obj: Obj) -> Characteristics:
        try:
            return self.board.characteristics(obj.id)
        except InputError:
            return Characteristics()  # this copy lacks the definition

    def _on_stack(self, obj: Obj) -> dict[str, Any]:
        choices = obj.choices or Choices()
        return {
            "source": self.names.object(obj.source) if obj.source else None,
            "targets": [self.names.target(target) for target in choices.targets],
            "modes": [mode + 1 for mode in choices.modes],
            "x": choices.x if choices.x >= 0 else None,
            "division": list(choices.division),
            "declared": [one_line(name) for name in choices.declared],
            "permission": choices.permission if choices.permission != "hand" else None,
            "free": choices.free,
            "cast": choices.cast,
        }

    def _seen_by(self, handle: int) -> list[str]:
        mask = self.board.state.ledger.knowledge.get(handle, 0)
        return [self.names.player(seat) for seat in range(len(self.names.history.names)) if mask >> seat & 1]


_ZERO = ("power", "toughness", "x")
"""Keys that say something even when they are 0."""
