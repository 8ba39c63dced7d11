"""A whole state as text, from the very value that programs get: the two cannot disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cascade_es.history import History
from cascade_es.views.board import state_json
from cascade_es.views.naming import UNKNOWN_CARD, step_name
from cascade_es.views.plain import count, one_line

Line = list[tuple[str, str]]
"""A line: pieces of text, each with the role that it plays ("" for plain; else dim, strong, …)."""

_LABEL = 12


def state_lines(history: History, seq: int) -> list[Line]:
    """The board after event ``seq``, line by line; see :func:`render`."""
    return render(state_json(history, seq))


def render(seen: dict[str, Any]) -> list[Line]:
    """The lines of a state's JSON object (:func:`~cascade_es.views.board.state_json`)."""
    lines = [_head(seen), []]
    for player in seen["players"]:
        lines += _player(seen, player)
        lines.append([])
    lines += _labelled("stack", [_stacked(item) for item in seen["stack"]], " (empty)")
    if seen["exile"]:
        lines += _labelled("exile", [", ".join(_grouped(seen["exile"]))])
    if seen["command"]:
        lines += _labelled("command", [", ".join(_grouped(seen["command"]))])
    waiting = [
        f"{item['text']} ({item['controller']}, since event {item['event']})" for item in seen["pending"]
    ]
    if waiting:
        lines += _labelled("triggers", waiting)
    if seen["effects"] or seen["delayed"]:
        in_force = [item["text"] for item in seen["effects"]]
        in_force += [f"{item['text']} will trigger later" for item in seen["delayed"]]
        lines += _labelled("effects", in_force)
    if seen["combat"]:
        lines += _labelled("combat", [_attack(item) for item in seen["combat"]])
    lines += _labelled("procedures", [_frame(frame) for frame in reversed(seen["frames"])], "none")
    return lines


def _attack(item: dict[str, Any]) -> str:
    words = f"{item['attacker']} attacks {item['attacks']}"
    if item["blockers"]:
        return f"{words}, blocked by {', '.join(item['blockers'])}"
    return f"{words}, blocked" if item["blocked"] else words


def _head(seen: dict[str, Any]) -> Line:
    turn = seen["turn"]
    if turn["number"]:
        where = (
            f"turn {turn['number']}, {turn['active']}'s {step_name(turn['step'] or '').removeprefix('the ')}"
        )
    else:
        where = "before the first turn"
    line = [(f"after event {seen['seq']}: ", "dim"), (where, "strong")]
    if seen["over"]:
        winners = ", ".join(seen["winners"])
        line.append((f"; the game is over: {f'{winners} won' if winners else 'a draw'}", "strong"))
    elif seen["priority"] is not None:
        line += [("; ", ""), (seen["priority"], "player"), (" has priority", "")]
    else:
        line.append(("; nobody has priority", "dim"))
    if seen["sealed"]:
        line.append(("; the record is sealed", "dim"))
    return line


def _player(seen: dict[str, Any], player: dict[str, Any]) -> list[Line]:
    head: Line = [(player["name"], "player"), (f"  {player['life']} life", "strong")]
    if player["poison"]:
        head.append((f"  {player['poison']} poison", "bad"))
    if player["pool"]:
        head.append((f"  pool {player['pool']}", "good"))
    library = count(len(player["library"]), "card")
    head.append((f"  library {library}{'' if player['ordered'] else ' (being searched)'}", "dim"))
    if player["lands"]:
        head.append((f"  {count(player['lands'], 'land')} played", "dim"))
    if player["lost"]:
        head.append((f"  has lost: {player['lost']}", "bad"))
    lines = [head]
    own = [item for item in seen["battlefield"] if item["controller"] == player["name"]]
    lines += _zone("hand", player["hand"])
    lines += _zone("lands", [item for item in own if item.get("land")])
    lines += _zone("permanents", [item for item in own if not item.get("land")])
    lines += _zone("graveyard", player["graveyard"])
    return lines


def _zone(label: str, items: Sequence[dict[str, Any]]) -> list[Line]:
    if not items:
        return []
    unknown = all(item["name"] is None for item in items)
    text = count(len(items), "card") if unknown else ", ".join(_grouped(items))
    return _labelled(label, [text])


def _labelled(label: str, rows: Sequence[str], empty: str = "") -> list[Line]:
    if not rows:
        return [[(f"  {label:<{_LABEL}}", "label"), (empty.strip(), "dim")]] if empty else []
    lines: list[Line] = [[(f"  {label:<{_LABEL}}", "label"), (rows[0], "")]]
    return lines + [[(" " * (_LABEL + 2), ""), (row, "")] for row in rows[1:]]


def _grouped(items: Sequence[dict[str, Any]]) -> list[str]:
    """Objects in words; equal ones are counted, in the order of their first."""
    seen: dict[tuple[str, str], int] = {}
    for item in items:
        words = _object(item)
        seen[words] = seen.get(words, 0) + 1
    return [
        name + (f" x{number}" if number > 1 else "") + (f" ({notes})" if notes else "")
        for (name, notes), number in seen.items()
    ]


def _object(item: dict[str, Any]) -> tuple[str, str]:
    """An object's name (with power and toughness), and what is to be said about it."""
    words: str = item["name"] or UNKNOWN_CARD
    if item.get("power") is not None:
        words += f" {item['power']}/{item.get('toughness', '-')}"
    notes = [item["kind"]] if item["kind"] in ("token", "copy") else []
    notes += ["tapped"] if item.get("tapped") else []
    notes += ["face down"] if item.get("face_down") else []
    notes += item.get("chosen", [])
    if item.get("damage"):
        notes.append(f"{item['damage']} damage")
    notes += [f"{number} {one_line(name)}" for name, number in sorted(item.get("counters", {}).items())]
    if item.get("attached"):
        notes.append(f"on {item['attached']}")
    if item["owner"] != item["controller"]:
        notes.append(f"owned by {item['owner']}")
    return words, ", ".join(notes)


def _stacked(item: dict[str, Any]) -> str:
    words = f"{item['name'] or UNKNOWN_CARD} ({item['controller']}"
    if item.get("modes"):
        words += f"; modes {', '.join(map(str, item['modes']))}"
    if item.get("x") is not None:
        words += f"; X = {item['x']}"
    if item.get("declared"):
        words += f"; {', '.join(item['declared'])}"
    if item.get("free"):
        words += "; free"
    words += ")"
    targets = item.get("targets", [])
    if item.get("division"):
        targets = [f"{n} to {name}" for n, name in zip(item["division"], targets, strict=False)]
    return f"{words} -> {', '.join(targets)}" if targets else words


def _frame(frame: dict[str, Any]) -> str:
    since = f"since event {frame['event']}" if frame["event"] else "since the beginning"
    return f"{frame['machine']}: {frame['state']} ({frame['rule']}, {since})"
