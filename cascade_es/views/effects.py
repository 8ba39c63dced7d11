"""Continuous effects in words."""

from __future__ import annotations

from cascade_es.values.state import Alteration, Effect
from cascade_es.views.naming import Names
from cascade_es.views.plain import listed, one_line


def altered(a: Alteration, *, one: bool = False) -> str:
    """What an alteration makes of objects (of ``one``), layer by layer.

    >>> altered(Alteration(power=2, toughness=2, gain=("flying",)))
    'gain flying, get +2/+2'
    >>> altered(Alteration(set_types=("creature",), base_power=1, base_toughness=1, lose_all=True), one=True)
    'is creature, loses all abilities, is 1/1'
    """
    words: list[str] = []

    def say(verb: str, what: tuple[str, ...] | None) -> None:
        if what:
            words.append(f"{verb} {listed(what)}")

    say("are", a.set_types)
    say("are also", a.add_types + a.add_supertypes)
    say("are no longer", a.lose_types + a.lose_supertypes)
    say("are", a.set_subtypes)
    say("are also", a.add_subtypes)
    if a.set_colors is not None:
        words.append(f"are {listed(a.set_colors) if a.set_colors else 'colourless'}")
    say("are also", a.add_colors)
    words += ["lose all abilities"] if a.lose_all else []
    say("lose", a.lose)
    say("gain", a.gain)
    words += [f"gain {'an ability' if len(a.grants) == 1 else 'abilities'}"] if a.grants else []
    if a.base_power is not None or a.base_toughness is not None:
        words.append(f"are {_or(a.base_power)}/{_or(a.base_toughness)}")
    words += [f"get {a.power:+}/{a.toughness:+}"] if a.power or a.toughness else []
    words += ["have power and toughness switched"] if a.switch else []
    say("can't", a.cant)
    say("must", a.must)
    if one:
        words = [" ".join((_ONE.get(verb, verb), *rest)) for verb, *rest in map(str.split, words)]
    return one_line(", ".join(words))


_ONE = {"are": "is", "get": "gets", "gain": "gains", "lose": "loses", "have": "has"}


def _or(number: int | None) -> str:
    return "*" if number is None else str(number)


def in_force(n: Names, effect: Effect) -> str:
    """A lasting effect: what it does, to what, until when, and where it comes from."""
    until = f", until {effect.duration}" if effect.duration else ""
    source = n.object(effect.source)
    if effect.alter is None:
        return one_line(f"an effect of {source}{until}")
    one = len(effect.objects) == 1
    control = effect.alter.control
    words = altered(effect.alter, one=one)
    if control is not None:
        held = f"{'is' if one else 'are'} controlled by {n.player(control)}"
        words = f"{held}, {words}" if words else held
    return one_line(f"{n.objects(effect.objects)} {words}{until} ({source})")
