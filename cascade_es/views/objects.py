"""Sentences for what becomes of objects: effects, control, copies, tokens, faces, choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cascade_es.values import events as ev
from cascade_es.values.asking import AskingData
from cascade_es.values.facts import CardRef
from cascade_es.values.state import Base
from cascade_es.views.effects import in_force
from cascade_es.views.naming import Names
from cascade_es.views.plain import count, listed, one_line

OBJECTS: Final[dict[str, Callable[[Names, Any], str]]] = {}
"""What makes a sentence of an event about objects and effects, by kind."""

_Sentence = Callable[[Names, Any], str]


def _says(kind: type[ev.Event]) -> Callable[[_Sentence], _Sentence]:
    def register(sentence: _Sentence) -> _Sentence:
        OBJECTS[kind.kind] = sentence
        return sentence

    return register


def _called(base: Base | None) -> str:
    found = base.card.value if base is not None else None
    return found.name if isinstance(found, CardRef) else "itself"


@_says(ev.EffectBegun)
def _effect_begun(n: Names, e: ev.EffectBegun) -> str:
    source = n.object(e.effect.source)
    if e.effect.alter is not None:
        return in_force(n, e.effect)
    until = f", until {e.effect.duration}" if e.effect.duration else ""
    return f"an effect of {source} begins{until}"


@_says(ev.EffectChanged)
def _effect_changed(n: Names, e: ev.EffectChanged) -> str:
    return "part of an effect is used up"


@_says(ev.EffectsEnded)
def _effects_ended(n: Names, e: ev.EffectsEnded) -> str:
    return f"{count(len(e.ids), 'effect')} {'ends' if len(e.ids) == 1 else 'end'}"


@_says(ev.ControllerChanged)
def _controller_changed(n: Names, e: ev.ControllerChanged) -> str:
    return f"{n.player(e.controller)} controls {n.object(e.object)} from now on"


@_says(ev.TokenCreated)
def _token_created(n: Names, e: ev.TokenCreated) -> str:
    return f"a token enters the battlefield under {n.player(e.owner)}'s control"


@_says(ev.Copied)
def _copied(n: Names, e: ev.Copied) -> str:
    return f"a copy of {n.object(e.original)} is put on the stack under {n.player(e.controller)}'s control"


@_says(ev.CardCopied)
def _card_copied(n: Names, e: ev.CardCopied) -> str:
    return f"a copy of {n.object(e.original)} is created"


@_says(ev.Retargeted)
def _retargeted(n: Names, e: ev.Retargeted) -> str:
    chosen = [n.player(t.seat) if t.seat >= 0 else n.object(t.object) for t in e.targets]
    return f"{n.object(e.object)} now targets {listed(chosen)}"


@_says(ev.BecameCopy)
def _became_copy(n: Names, e: ev.BecameCopy) -> str:
    return f"{n.object(e.object)} becomes a copy of {_called(e.base)}"


@_says(ev.BecameToken)
def _became_token(n: Names, e: ev.BecameToken) -> str:
    return f"{n.object(e.object)} is a token"


@_says(ev.FaceChanged)
def _face_changed(n: Names, e: ev.FaceChanged) -> str:
    return f"{n.object(e.object)} is turned {'face down' if e.face_down else 'over'}"


@_says(ev.Melded)
def _melded(n: Names, e: ev.Melded) -> str:
    return f"{n.objects(e.olds)} meld into {n.object(e.new)}"


@_says(ev.Parted)
def _parted(n: Names, e: ev.Parted) -> str:
    return f"{n.object(e.new)}, another card of {n.object(e.old)}, is put into {one_line(e.zone)}"


@_says(ev.DoorUnlocked)
def _door_unlocked(n: Names, e: ev.DoorUnlocked) -> str:
    return f"a door of {n.object(e.object)} is unlocked"


@_says(ev.Attached)
def _attached(n: Names, e: ev.Attached) -> str:
    if not e.to:
        return f"{n.object(e.object)} becomes unattached"
    return f"{n.object(e.object)} becomes attached to {n.object(e.to)}"


@_says(ev.WordChosen)
def _word_chosen(n: Names, e: ev.WordChosen) -> str:
    return f"{listed(list(e.words))} is chosen for {n.object(e.object)}"


@_says(ev.PlayerCountersChanged)
def _player_counters(n: Names, e: ev.PlayerCountersChanged) -> str:
    verb = "gets" if e.amount >= 0 else "loses"
    return f"{n.player(e.player)} {verb} {count(abs(e.amount), f'{e.counter} counter')}"


@_says(ev.Replaced)
def _replaced(n: Names, e: ev.Replaced) -> str:
    return f"because of {n.object(e.source)} something else happens: {e.instead}"


@_says(ev.DelayedCreated)
def _delayed_created(n: Names, e: ev.DelayedCreated) -> str:
    return f"an ability of {n.object(e.delayed.source)} will trigger later"


@_says(ev.DelayedEnded)
def _delayed_ended(n: Names, e: ev.DelayedEnded) -> str:
    return "a delayed ability is over" if len(e.ids) == 1 else f"{len(e.ids)} delayed abilities are over"


@_says(ev.Linked)
def _linked(n: Names, e: ev.Linked) -> str:
    return f"{n.object(e.source)} remembers {listed([n.object(item) for item in e.objects])}"


@_says(ev.ChoiceAsked)
def _choice_asked(n: Names, e: ev.ChoiceAsked) -> str:
    return f"{n.player(e.player)} must choose first: {e.question}"


@_says(ev.ChoiceMade)
def _choice_made(n: Names, e: ev.ChoiceMade) -> str:
    if e.anew:
        return "a player has left, so all is chosen anew"
    frames, picks = n.before.state.game.frames, e.picks.value
    asked = frames[-1].data if frames else None
    plain = isinstance(picks, tuple) and all(type(pick) is int for pick in picks)
    if not isinstance(asked, AskingData) or not plain or asked.sort == "targets":
        return f"{n.player(e.player)} has chosen"
    if asked.sort == "yes-no":
        return f"{n.player(e.player)} says {'yes' if picks == (1,) else 'no'}"
    words = asked.words
    names = [words[pick] if 0 <= pick < len(words) else n.object(pick) for pick in picks]
    return f"{n.player(e.player)} has chosen {listed(names)}"


@_says(ev.Noted)
def _noted(n: Names, e: ev.Noted) -> str:
    only = "" if e.rule == "transform" else ", which it does only once"
    return f"{n.object(e.object)} has {one_line(e.word).split(' ')[0]} this turn{only}"


@_says(ev.ManaTriggered)
def _mana_triggered(n: Names, e: ev.ManaTriggered) -> str:
    return f"an ability of {n.object(e.source)} triggers and adds mana at once"
