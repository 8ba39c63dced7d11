"""Hidden cards that players may see because of an effect: the top card of a library (401.5, 601.3f)."""

from __future__ import annotations

from typing import Final

from cascade_es.rules.filters import speaks_to
from cascade_es.rules.hidden import seat_mask
from cascade_es.rules.standing import standing, true_now
from cascade_es.rules.work import Work
from cascade_es.values import events as ev
from cascade_es.values.facts import EVERYONE, sees
from cascade_es.values.script import Permission

OPEN: Final = ("turn", "priority", "stacking", "resolving", "cascading", "offering")
"""Where a new top card is seen at once: not in the middle of a cast or an activation (401.5)."""


def show(w: Work) -> bool:
    """Show the top cards that are played with revealed, or may be looked at; whether there was any to show.

    It is asked between the steps of the rules, but never in the middle of a cast: a new top card is not seen
    before the spell has become cast (401.5).
    """
    board = w.board
    for item in standing(board, Permission):
        record = item.record
        if not record.knowing or not true_now(board, record, item):
            continue
        audience = EVERYONE if record.knowing == "revealed" else seat_mask(item.controller)
        for player in w.state.game.players:
            if not speaks_to(record.of, item.controller, player.seat):
                continue
            for handle in player.library[:1]:
                card = w.state.object(handle).card
                unseen = (
                    card.audience != EVERYONE
                    if audience == EVERYONE
                    else not sees(card.audience, item.controller)
                )
                if unseen and not player.order.sealed:
                    w.emit(ev.Shown, "library.top", audience, (handle,), (card.shown_to(audience),))
                    return True
    return False
