"""What events change of objects and effects: control, copies, tokens, faces, attachments, combat."""

from __future__ import annotations

from msgspec.structs import replace

from cascade_es.evolve.draft import HIDDEN, Draft, Recall, on
from cascade_es.values import events as ev
from cascade_es.values.facts import NOTHING
from cascade_es.values.state import Link, Obj


@on(ev.EffectBegun)
def _effect_begun(d: Draft, e: ev.EffectBegun, recall: Recall) -> None:
    d.claim(e.effect.id)
    d.put("effects", (*d.game.effects, replace(e.effect, stamp=d.stamp())))


@on(ev.EffectChanged)
def _effect_changed(d: Draft, e: ev.EffectChanged, recall: Recall) -> None:
    if not any(effect.id == e.id for effect in d.game.effects):
        raise ValueError(f"there is no effect {e.id}")
    d.put(
        "effects",
        tuple(replace(effect, about=e.about) if effect.id == e.id else effect for effect in d.game.effects),
    )


@on(ev.EffectsEnded)
def _effects_ended(d: Draft, e: ev.EffectsEnded, recall: Recall) -> None:
    d.put("effects", tuple(effect for effect in d.game.effects if effect.id not in e.ids))


@on(ev.ControllerChanged)
def _controller_changed(d: Draft, e: ev.ControllerChanged, recall: Recall) -> None:
    obj = d.object(e.object)
    held = obj.controller if obj.held < 0 else obj.held
    d.set_object(e.object, controller=e.controller, held=held, since=d.game.turn.number)


@on(ev.TokenCreated)
def _token_created(d: Draft, e: ev.TokenCreated, recall: Recall) -> None:
    turn = d.game.turn.number
    d.add(
        Obj(
            e.new,
            "token",
            "battlefield",
            e.owner,
            e.owner,
            NOTHING,
            since=turn,
            tapped=e.tapped,
            attached=e.attached,
            base=e.base,
        )
    )


@on(ev.Copied)
def _copied(d: Draft, e: ev.Copied, recall: Recall) -> None:
    old = recall_object(d, e.original)
    kind = "ability" if old.kind == "ability" else "copy"
    d.add(
        Obj(
            e.new,
            kind,
            "stack",
            e.controller,
            e.controller,
            e.card,
            face=old.face,
            source=old.source,
            ability=old.ability,
            about=old.about,
            choices=e.choices,
            base=e.base,
        )
    )


def recall_object(d: Draft, handle: int) -> Obj:
    """An object as it is, or as it last was (608.2h)."""
    found = d.game.objects.get(handle)
    if found is None:
        found = d.game.last_known[handle].object
    obj: Obj = found
    return obj


@on(ev.CardCopied)
def _card_copied(d: Draft, e: ev.CardCopied, recall: Recall) -> None:
    if e.zone in HIDDEN:
        raise ValueError("a copy of a card is not created in a hidden zone")
    d.add(Obj(e.new, "copy", e.zone, e.owner, e.owner, e.card))


@on(ev.Retargeted)
def _retargeted(d: Draft, e: ev.Retargeted, recall: Recall) -> None:
    d.set_choices(e.object, targets=e.targets)


@on(ev.BecameCopy)
def _became_copy(d: Draft, e: ev.BecameCopy, recall: Recall) -> None:
    if e.rule == "transform":
        d.set_object(e.object, base=e.base, stamp=d.stamp())  # 613.7g: a token turns over like a card
    else:
        d.set_object(e.object, base=e.base)


@on(ev.FaceChanged)
def _face_changed(d: Draft, e: ev.FaceChanged, recall: Recall) -> None:
    # 613.7f-g: it gets a new timestamp as it is turned over; a permanent that flips does not.
    stamp = {} if e.rule == "flip" else {"stamp": d.stamp()}
    d.set_object(e.object, face=e.face, face_down=e.face_down, **stamp)


@on(ev.Melded)
def _melded(d: Draft, e: ev.Melded, recall: Recall) -> None:
    owner = d.object(e.olds[0]).owner
    for handle, last in zip(e.olds, e.last, strict=True):
        d.take(handle)
        d.remember(last, e.new)
    turn = d.game.turn.number
    d.add(
        Obj(
            e.new,
            "card",
            "battlefield",
            owner,
            e.controller,
            e.card,
            face=1,
            since=turn,
            others=e.others,
        )
    )


@on(ev.Parted)
def _parted(d: Draft, e: ev.Parted, recall: Recall) -> None:
    d.add(Obj(e.new, "card", e.zone, e.owner, e.owner, e.card), e.position)
    d.alias(e.new, e.old)


@on(ev.DoorUnlocked)
def _door_unlocked(d: Draft, e: ev.DoorUnlocked, recall: Recall) -> None:
    d.set_object(e.object, doors=tuple(sorted({*d.object(e.object).doors, e.door})))


@on(ev.Attached)
def _attached(d: Draft, e: ev.Attached, recall: Recall) -> None:
    # 701.3c: it gets a new timestamp as it becomes attached.
    stamp = {"stamp": d.stamp()} if e.to else {}
    d.set_object(e.object, attached=e.to, **stamp)


@on(ev.WordChosen)
def _word_chosen(d: Draft, e: ev.WordChosen, recall: Recall) -> None:
    d.set_object(e.object, chosen=d.object(e.object).chosen + e.words)


@on(ev.PlayerCountersChanged)
def _player_counters(d: Draft, e: ev.PlayerCountersChanged, recall: Recall) -> None:
    player = d.player(e.player)
    if e.counter == "poison":
        d.set_player(e.player, poison=player.poison + e.amount)
        return
    counters = dict(player.counters)
    counters[e.counter] = counters.get(e.counter, 0) + e.amount
    d.set_player(e.player, counters=tuple(sorted((k, n) for k, n in counters.items() if n > 0)))


@on(ev.DelayedCreated)
def _delayed_created(d: Draft, e: ev.DelayedCreated, recall: Recall) -> None:
    d.claim(e.delayed.id)
    d.put("delayed", (*d.game.delayed, e.delayed))


@on(ev.DelayedEnded)
def _delayed_ended(d: Draft, e: ev.DelayedEnded, recall: Recall) -> None:
    d.put("delayed", tuple(item for item in d.game.delayed if item.id not in e.ids))


@on(ev.Linked)
def _linked(d: Draft, e: ev.Linked, recall: Recall) -> None:
    d.put("links", (*d.game.links, Link(e.source, e.objects, e.role)))


@on(ev.BecameToken)
def _became_token(d: Draft, e: ev.BecameToken, recall: Recall) -> None:
    d.set_object(e.object, kind="token")


@on(ev.Noted)
def _noted(d: Draft, e: ev.Noted, recall: Recall) -> None:
    d.deed(e.word, e.player, e.object)
