"""What abilities trigger on in combat (508.3, 509.3)."""

from __future__ import annotations

from collections.abc import Iterator

from cascade_es.values import events as ev
from cascade_es.values.state import State

Happened = tuple[str, int, int, tuple[int, ...]]
"""The name of a trigger event, the object it happened to, the player it is about, other objects."""


def happened(event: ev.AttackersDeclared | ev.BlockingEnded, after: State) -> Iterator[Happened]:
    """What a declaration of attackers, or the end of declaring blockers, is as triggers see it.

    What attacks, becomes blocked or is not blocked is about the defending player; what blocks, about its
    controller.  What is put onto the battlefield attacking or blocking never attacked or blocked (508.3a).
    """
    if isinstance(event, ev.AttackersDeclared):
        if event.attacks:
            yield "you attack", 0, event.player, tuple(attack.attacker for attack in event.attacks)
        for attack in event.attacks:
            yield "attacks", attack.attacker, attack.seat, (attack.object,) if attack.object else ()
        if len(event.attacks) == 1:
            yield "attacks alone", event.attacks[0].attacker, event.attacks[0].seat, ()  # 506.5
        return
    objects = after.game.objects
    blocked: dict[int, list[int]] = {}
    for attack in event.attacks:
        for handle in attack.blockers:
            blocked.setdefault(handle, []).append(attack.attacker)
    for handle, attackers in blocked.items():
        yield "blocks", handle, objects[handle].controller, tuple(attackers)
    for attack in event.attacks:
        if attack.attacker:
            name = "becomes blocked" if attack.blocked else "is not blocked"
            yield name, attack.attacker, attack.seat, attack.blockers
