"""Filters, references, numbers and conditions of scripts, judged against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from cascade_es.rules.printed import PERMANENT_TYPES, cost_of
from cascade_es.values.script import Amount, Condition, Count, Filter
from cascade_es.values.state import Characteristics, Deed, Obj, Target

if TYPE_CHECKING:
    from cascade_es.rules.board import Board


def compares(text: str, value: int | None) -> bool:
    """Whether a number agrees with "3", "<=3" or ">=3".

    >>> compares("<=3", 2), compares(">=3", 2), compares("2", 2)
    (True, False, True)
    """
    if value is None:
        return False
    if text.startswith("<="):
        return value <= int(text[2:])
    if text.startswith(">="):
        return value >= int(text[2:])
    return value == int(text)


def speaks_to(who: str, you: int, seat: int) -> bool:
    """Whether "you", "opponent" or anybody ("") means a player, said by another."""
    return not who or (seat == you) == (who == "you")


def agrees(filter_: Filter, what: Characteristics) -> bool:
    """Whether characteristics alone agree with a filter."""
    f = filter_
    if f.types and not any(item in what.types for item in f.types):
        return False
    if f.all_types and not all(item in what.types for item in f.all_types):
        return False
    if any(item in what.types for item in f.not_types):
        return False
    if f.supertypes and not any(item in what.supertypes for item in f.supertypes):
        return False
    if any(item in what.supertypes for item in f.not_supertypes):
        return False
    if f.subtypes and not any(item in what.subtypes for item in f.subtypes):
        return False
    if f.colors and not any(item in what.colors for item in f.colors):
        return False
    if any(item in what.colors for item in f.not_colors):
        return False
    if f.keywords and not any(item in what.keywords for item in f.keywords):
        return False
    if f.name and f.name != what.name and f.name not in what.names:
        return False
    values = what.mana_values or (what.mana_value,)
    if f.mana_value and not any(compares(f.mana_value, value) for value in values):
        return False
    if any(item in what.subtypes for item in f.not_subtypes):
        return False
    if any(item in what.keywords for item in f.not_keywords):
        return False
    if f.toughness and not compares(f.toughness, what.toughness):
        return False
    return not (f.power and not compares(f.power, what.power))


ANYWHERE = ("permanent", "spell", "card")
UNSAID = Filter().is_


_BY_NATURE: Final = (
    *("types", "all_types", "not_types", "supertypes", "not_supertypes", "subtypes", "not_subtypes"),
    *("colors", "not_colors", "keywords", "not_keywords", "name", "mana_value", "power", "toughness"),
    *("same_name", "shares_color"),
)
"""What only somebody who sees the card can judge; the rest of a filter is about where it is, and how."""


def looks_at_cards(f: Filter) -> bool:
    """Whether a filter, or an alternative in it, asks what an object is.

    >>> looks_at_cards(Filter(types=("creature",))), looks_at_cards(Filter(is_=("card",), zone="hand"))
    (True, False)
    """
    return any(getattr(f, field) for field in _BY_NATURE) or any(map(looks_at_cards, f.any))


def as_source(f: Filter) -> Filter:
    """A filter for sources of damage: where it does not say so they need not be permanents (609.7a)."""
    return replace(f, is_=ANYWHERE if f.is_ == UNSAID else f.is_, any=tuple(map(as_source, f.any)))


def _is(kind: str, obj: Obj, f: Filter) -> bool:
    if kind == "permanent":
        return obj.zone == "battlefield"
    if kind == "spell":
        return obj.zone == "stack" and obj.kind != "ability"
    if kind == "ability":
        return obj.zone == "stack" and obj.kind == "ability"
    if kind == "card":
        return obj.kind == "card" and obj.zone == (f.zone or obj.zone)
    return False


def matches(board: Board, f: Filter, handle: int, you: int, this: int = 0) -> bool:
    """Whether an object agrees with a filter, as ``you`` (a seat) and ``this`` (an id) see it."""
    obj = board.find(handle)
    if obj is None or (f.other and handle == this):
        return False
    if f.any and not any(matches(board, alternative, handle, you, this) for alternative in f.any):
        return False
    if not any(_is(kind, obj, f) for kind in f.is_) and not f.any:
        return False
    if not speaks_to(f.controller, you, obj.controller):
        return False
    if f.tapped is not None and obj.tapped != f.tapped:
        return False
    if f.token is not None and (obj.kind == "token") != f.token:
        return False
    if f.attacking is not None and attacking(board, handle) != f.attacking:
        return False
    if f.blocking is not None and blocking(board, handle) != f.blocking:
        return False
    if f.counter and not dict(obj.counters).get(f.counter):
        return False
    if f.did and not any(d.kind == f.did and d.object == handle for d in board.state.game.history):
        return False
    if f.cast is not None and (obj.choices is not None and obj.choices.cast) != f.cast:
        return False
    if f.this and handle != this:
        return False
    if f.shares_color and not set(board.characteristics(this).colors) & set(
        board.characteristics(handle).colors
    ):
        return False
    if f.same_name is not None and not _namesake(board, f.same_name, handle, you, this):
        return False
    if (f.targets or f.targets_only or f.target_count) and not _targeting(board, f, obj, you, this):
        return False
    return agrees(f, board.characteristics(handle))


def _namesake(board: Board, f: Filter, handle: int, you: int, this: int) -> bool:
    """Whether another object that agrees with a filter has a name of this one (201.2)."""

    def names(other: int) -> set[str]:
        what = board.characteristics(other)
        return {name for name in (what.name, *what.names) if name}

    mine = names(handle)
    return any(names(other) & mine for other in objects(board, f, you, this) if other != handle)


def _targeting(board: Board, f: Filter, obj: Obj, you: int, this: int) -> bool:
    """Whether a spell or ability has such targets: what was chosen for it (115.9)."""
    chosen = obj.choices.targets if obj.choices is not None and obj.zone == "stack" else ()
    if f.target_count and not compares(f.target_count, len(chosen)):
        return False

    def fits(what: Filter, target: Target) -> bool:
        if target.seat >= 0:
            return matches_player(what, target.seat, you)
        return matches(board, what, target.object, you, this)

    if f.targets is not None and not any(fits(f.targets, target) for target in chosen):
        return False
    if f.targets_only is None:
        return True
    single = len({(target.object, target.seat) for target in chosen}) == 1
    return single and fits(f.targets_only, chosen[0])


def matches_player(f: Filter, seat: int, you: int) -> bool:
    """Whether a player agrees with a filter."""
    if any(matches_player(alternative, seat, you) for alternative in f.any):
        return True
    return "player" in f.is_ and speaks_to(f.controller, you, seat)


def objects(board: Board, f: Filter, you: int, this: int = 0) -> Iterator[int]:
    """All objects that agree with a filter, in the order of their zones."""
    game = board.state.game
    kinds = set(f.is_) if not f.any else {kind for item in (f, *f.any) for kind in item.is_}
    candidates: list[int] = []
    if "permanent" in kinds:
        candidates.extend(game.battlefield)
    if kinds & {"spell", "ability"}:
        candidates.extend(game.stack)
    if "card" in kinds:
        zones = {item.zone for item in (f, *f.any) if "card" in item.is_ and item.zone}
        for player in game.players:
            for zone in ("graveyard", "hand", "library"):
                if zone in zones:
                    candidates.extend(getattr(player, zone))
        for zone in ("exile", "command"):
            if zone in zones:
                candidates.extend(getattr(game, zone))
    return (handle for handle in candidates if matches(board, f, handle, you, this))


def attacking(board: Board, handle: int) -> bool:
    """Whether a creature is attacking."""
    return any(attack.attacker == handle for attack in board.state.game.combat)


def blocking(board: Board, handle: int) -> bool:
    """Whether a creature is blocking."""
    return any(handle in attack.blockers for attack in board.state.game.combat)


COMBAT_DEEDS = ("attacked", "blocked", "combat-damage")


def counted(board: Board, count: Count, you: int, this: int, before: tuple[int, ...] = ()) -> int:
    """A number that the game decides; ``before`` is the spell that a count of earlier deeds ends at."""
    found = 0
    if count.deeds:
        done = tuple(_deeds(board, count, you, this, before or (this,)))
        # A creature that attacks twice is one creature, and still one when it is a creature no more (608.2i).
        found += len({deed.object for deed in done}) if count.deeds in COMBAT_DEEDS else len(done)
    if count.paid:
        found += board.choices(this).declared.count(count.paid)
    if count.of is not None:
        found += sum(1 for _ in objects(board, count.of, you, this))
    return int(count.times) * found + int(count.plus)


def _deeds(board: Board, count: Count, you: int, this: int, before: tuple[int, ...]) -> Iterator[Deed]:
    for deed in board.state.game.history:
        if deed.kind != count.deeds:
            continue
        if count.before and deed.object in before:
            return
        if not speaks_to(count.by, you, deed.player):
            continue
        if count.matching is None or matches(board, count.matching, deed.object, you, this):
            yield deed


def property_of(board: Board, name: str, handle: int) -> int:
    """A number that an object has, or last had; how many counters of a kind it has."""
    what = board.characteristics(handle)
    if name == "power":
        return what.power or 0
    if name == "toughness":
        return what.toughness or 0
    if name == "mana value":
        return what.mana_value
    obj = board.find(handle)
    return dict(obj.counters).get(name.removesuffix(" counters"), 0) if obj is not None else 0


def amount_of(board: Board, amount: Amount, you: int, this: int, that: int = 0) -> int:
    """A number in the text of an ability that is not on the stack: of a condition, a static ability.

    ``that`` is the object that a static ability changes.
    """
    if isinstance(amount, Count):
        return counted(board, amount, you, this)
    if amount.lstrip("+-").isdigit():
        return int(amount)
    if amount[0] in "+-":
        return amount_of(board, amount[1:], you, this, that) * (-1 if amount[0] == "-" else 1)
    name, of, reference = amount.partition(" of ")
    if of and reference == "you":
        player = board.state.player(you)
        return player.life if name == "life" else len(getattr(player, name.removeprefix("cards in ")))
    if of and reference == "that":
        return property_of(board, name, that) if that else 0
    obj = board.find(this)
    if amount == "X":
        return max(board.choices(this).x, 0)  # 107.3m: the X of the spell that became this permanent
    if of and reference in ("this", "attached") and obj is not None:
        return property_of(board, name, this if reference == "this" else obj.attached)
    return 0


Meant = Callable[[str], tuple[int, ...]]
Valued = Callable[[Amount], int]


def holds(
    board: Board,
    condition: Condition,
    you: int,
    this: int,
    declared: tuple[str, ...] = (),
    *,
    meant: Meant | None = None,
    number: Valued | None = None,
) -> bool:
    """Whether a condition holds now.

    ``meant`` and ``number`` know what else its words can mean: what a trigger is about, what an effect has
    bound.  A player that a word means is a negative number.
    """
    known = meant or (lambda text: (this,) if text == "this" else ())
    valued = number or (lambda amount: amount_of(board, amount, you, this))
    return _holds(board, condition, you, this, declared, known, valued) != condition.negate


def about_words(this: int, about: tuple[int, ...]) -> Meant:
    """What the words of an intervening "if" mean (603.4): the ability may ask about its event."""
    return lambda text: {"this": (this,), "that": about[:1], "those": about[3:]}.get(text, ())


def _exists(board: Board, c: Condition, you: int, this: int, meant: tuple[int, ...]) -> bool:
    """Whether anything of that is still there, or, as it last was, agrees with what is asked (608.2h)."""
    if c.matches is None:
        return any(handle < 0 or handle in board.state.game.objects for handle in meant)
    return any(
        handle < 0 or (handle > 0 and matches(board, c.matches, handle, you, this)) for handle in meant
    )


def _holds(
    board: Board, c: Condition, you: int, this: int, declared: tuple[str, ...], meant: Meant, number: Valued
) -> bool:
    if c.exists and not _exists(board, c, you, this, meant(c.exists)):
        return False
    turn = board.state.game.turn
    if c.paid and c.paid not in declared:
        return False
    if not speaks_to(c.active, you, turn.active):
        return False
    if c.steps and turn.step not in c.steps:
        return False
    if c.controls is not None:
        found = sum(
            1 for h in objects(board, c.controls, you, this) if board.state.object(h).controller == you
        )
        if found < int(c.count):
            return False
    if c.at_least is not None and number(c.at_least) < int(c.number):
        return False
    if c.cast is not None and board.choices(this).cast != c.cast:
        return False
    if c.spent:
        paid = [unit.type for unit in board.choices(this).spent]
        wanted = cost_of(c.spent).symbols
        if any(paid.count(symbol) < wanted.count(symbol) for symbol in wanted):
            return False
    return not (c.delirium and len(graveyard_types(board, you)) < 4)


def graveyard_types(board: Board, seat: int) -> tuple[str, ...]:
    """The card types among cards in a graveyard (delirium counts them)."""
    seen: dict[str, None] = {}
    for handle in board.state.player(seat).graveyard:
        seen.update(dict.fromkeys(board.characteristics(handle).types))
    return tuple(seen)


def protected_from(board: Board, handle: int, source: int, what: Characteristics | None = None) -> bool:
    """Whether a permanent has protection from a source, by one of the source's qualities (702.16).

    ``what`` are the source's characteristics if it is not yet what it will be: the copy of a spell.
    """
    words = [w for w in board.characteristics(handle).keywords if w.startswith("protection from ")]
    if not words:
        return False
    found = what if what is not None else board.characteristics(source)
    named = (word.removeprefix("protection from ") for word in words)
    return any(_quality(board, word, handle, source, found) for word in named)


def _quality(board: Board, word: str, handle: int, source: int, what: Characteristics) -> bool:
    """Whether a source has a quality, which may be one that was chosen, or whose it is."""
    me, other = board.find(handle), board.find(source)
    if word in ("opponents", "each opponent"):
        return me is not None and other is not None and me.controller != other.controller
    if word in ("chosen", "the chosen color", "the chosen type"):
        chosen = me.chosen if me is not None else ()
        return any(item in (*what.colors, *what.types, *what.subtypes) for item in chosen)
    return has_quality(what, word)


COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def has_quality(what: Characteristics, quality: str) -> bool:
    """Whether a source has the quality that protection names (702.16a): a colour, a type, ….

    >>> red = Characteristics(colors=("R",), types=("sorcery",))
    >>> has_quality(red, "red"), has_quality(red, "sorceries"), has_quality(red, "multicolored")
    (True, True, False)
    """
    if quality in COLOR_WORDS:
        return COLOR_WORDS[quality] in what.colors
    many = {"multicolored": (2, 5), "monocolored": (1, 1), "all colors": (1, 5), "each color": (1, 5)}
    if quality in many:
        least, most = many[quality]
        return least <= len(what.colors) <= most
    one = {"sorceries": "sorcery"}.get(quality, quality.removesuffix("s"))
    words = (*what.types, *what.supertypes, *what.subtypes)
    return quality == "everything" or quality in words or one in words


def is_permanent_card(what: Characteristics) -> bool:
    """Whether a spell with these characteristics becomes a permanent (110.4a)."""
    return any(item in PERMANENT_TYPES for item in what.types)
