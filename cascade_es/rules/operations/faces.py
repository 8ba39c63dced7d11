"""Operations that turn permanents over: transform, flip, face down and up; and the doors of Rooms."""

from __future__ import annotations

from msgspec.structs import replace

from cascade_es.rules import replacement, special
from cascade_es.rules.board import Board
from cascade_es.rules.filters import objects
from cascade_es.rules.printed import DOUBLE_FACED, type_line
from cascade_es.rules.running import Bound, Running, runs
from cascade_es.rules.work import Work
from cascade_es.rules.would import WouldTurnUp
from cascade_es.rules.zones import batch, move_together
from cascade_es.values import events as ev
from cascade_es.values import script as sc
from cascade_es.values.decisions import Answer
from cascade_es.values.facts import EVERYONE, CardRef
from cascade_es.values.state import AskingData, LastKnown, Obj

TRANSFORMED = "transformed"
"""The word under which the history of a turn knows that a permanent transformed."""


def card_of(board: Board, obj: Obj) -> sc.Definition | None:
    """What represents a permanent: its own card, whatever it copies (712.9); or what a token is."""
    fact = obj.base.card if obj.kind == "token" and obj.base is not None else obj.card
    return board.ctx.cards.definition(fact.value) if isinstance(fact.value, CardRef) else None


def can_transform(board: Board, obj: Obj) -> bool:
    """701.27a, c, d: a transforming double-faced card whose other face is that of a permanent.

    Face down it is no such card: that it turned over would tell what it is.
    """
    definition = None if obj.face_down else card_of(board, obj)
    if obj.zone != "battlefield" or definition is None or definition.layout != "transform":
        return False
    up = obj.base.face if obj.kind == "token" and obj.base is not None else obj.face
    other = definition.faces[1 - up] if up in (0, 1) else None
    return other is not None and not {"instant", "sorcery"} & set(type_line(other.type_line)[1])


@runs(sc.Transform)
def _transform(w: Work, r: Running, op: sc.Transform, given: Answer | None) -> Bound:
    if op.all is not None:
        chosen = tuple(objects(r.board, op.all, r.you, r.this))
    else:
        chosen = r.objects(op.what)
    with batch(w):
        for handle in chosen:
            obj = w.state.object(handle)
            if not can_transform(r.board, obj) or _has_transformed(r, handle):
                continue
            if obj.kind == "token" and obj.base is not None:
                w.emit(ev.BecameCopy, "transform", handle, replace(obj.base, face=1 - obj.base.face))
            else:
                w.emit(ev.FaceChanged, "transform", handle, 1 - obj.face, obj.face_down)
            w.emit(ev.Noted, "transform", obj.controller, handle, TRANSFORMED)
    return ()


def _has_transformed(r: Running, handle: int) -> bool:
    """701.27f: whether it has transformed since this ability of its own was put on the stack."""
    ability = r.obj.ability
    if ability is None or handle != r.this or is_delayed(r.board.ability(ability)):
        return False
    return any(
        deed.kind == TRANSFORMED and deed.object == handle and deed.event > r.obj.event
        for deed in r.board.state.game.history
    )


def is_delayed(ability: sc.Ability | None) -> bool:
    """Whether it is a delayed triggered ability: one that an effect has created, by its name (603.7)."""
    return isinstance(ability, sc.Triggered) and bool(ability.name) and ability.when.event != "done"


@runs(sc.Flip)
def _flip(w: Work, r: Running, op: sc.Flip, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            obj = w.state.object(handle)
            definition = None if obj.face_down else card_of(w.board, obj)
            # 710.4: flipping is one way; what is not a flip card, or has flipped, does nothing.
            if obj.zone == "battlefield" and obj.face == 0 and definition and definition.layout == "flip":
                w.emit(ev.FaceChanged, "flip", handle, 1, obj.face_down)
    return ()


@runs(sc.TurnFaceDown)
def _face_down(w: Work, r: Running, op: sc.TurnFaceDown, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            obj = w.state.object(handle)
            definition = card_of(w.board, obj)
            double = definition is not None and definition.layout in DOUBLE_FACED
            # 712.15: a double-faced permanent can't be turned face down.
            if obj.zone == "battlefield" and not obj.face_down and not double:
                w.emit(ev.FaceChanged, "face-down", handle, obj.face, True)
    return ()


@runs(sc.TurnFaceUp)
def _face_up(w: Work, r: Running, op: sc.TurnFaceUp, given: Answer | None) -> Bound:
    with batch(w):
        for handle in r.objects(op.what):
            turn_face_up(w, handle)
    return ()


def turn_face_up(w: Work, handle: int) -> None:
    """708.7: everybody sees what it is; an instant or sorcery card is only shown, and stays as it is."""
    obj = w.state.object(handle)
    if obj.zone != "battlefield" or not obj.face_down:
        return
    final = replacement.replace(w, (WouldTurnUp(handle=handle),))
    if not any(isinstance(p, WouldTurnUp) for p in final):
        replacement.follow(w, final)
        return
    if obj.card.audience != EVERYONE:
        w.emit(ev.Shown, "face-down", EVERYONE, (handle,), (obj.card.shown_to(EVERYONE),))
    definition = card_of(w.board, obj)
    if definition is not None and {"instant", "sorcery"} & set(type_line(definition.faces[0].type_line)[1]):
        return
    w.emit(ev.FaceChanged, "face-down", handle, obj.face, False)
    replacement.follow(w, final)


@runs(sc.UnlockDoor)
def _unlock(w: Work, r: Running, op: sc.UnlockDoor, given: Answer | None) -> Bound:
    chosen = []
    for handle in r.objects(op.what):
        obj = w.state.object(handle)
        doors = special.locked(r.board, obj)
        if len(doors) > 1:
            definition = special.room(r.board, obj)
            assert definition is not None
            names = tuple(definition.faces[door].name for door in doors)
            asked = AskingData(r.you, "option", f"which door of {definition.name}", (), names)
            doors = (doors[w.ask(asked, "room.unlock")[0]],)
        chosen += [(handle, door) for door in doors]
    with batch(w):
        for handle, door in chosen:
            w.emit(ev.DoorUnlocked, "room.unlock", handle, door)
    return ()


@runs(sc.Meld)
def _meld(w: Work, r: Running, op: sc.Meld, given: Answer | None) -> Bound:
    pair = [handle for handle in (r.this, _partner(r, op.partner)) if _mine(r, handle)]
    if len(pair) < 2:
        return ()
    faces = [card_of(w.board, w.state.object(handle)) for handle in pair]
    exiled = move_together(w, pair, "exile", "exile", "exiled")
    if any(w.state.game.objects.get(handle) is None for handle in exiled):
        return ()
    cards = [w.state.object(handle).card for handle in exiled]
    # The face that both cards' backs make up is written on one of them; 701.42c: others stay exiled.
    found = [card for card, face in zip(cards, faces, strict=True) if face and len(face.faces) == 2]
    if not all(face is not None and face.layout == "meld" for face in faces) or not found:
        return ()
    last = tuple(LastKnown(w.state.object(h), w.board.characteristics(h)) for h in exiled)
    others = tuple(card for card in cards if card is not found[0])
    with batch(w):
        w.emit(ev.Melded, "meld", exiled, w.new_id(), r.you, found[0], others, last)
    return ()


def _partner(r: Running, name: str) -> int:
    wanted = sc.Filter(name=name, controller="you")
    return next((h for h in objects(r.board, wanted, r.you, r.this) if _mine(r, h) and h != r.this), 0)


def _mine(r: Running, handle: int) -> bool:
    obj = r.board.state.game.objects.get(handle)
    return (
        obj is not None
        and obj.zone == "battlefield"
        and obj.kind == "card"
        and obj.controller == obj.owner == r.you
    )
