"""Mana: the cost that is printed, the price that is paid, and the units that pay it.

A :class:`ManaCost` is what a card says (CR 202.1).  Once the value of X and the way to pay each
hybrid and Phyrexian symbol are chosen (601.2b), :func:`price` turns it into a :class:`Price`, which
effects may raise and lower (601.2f, 118.7).  A :class:`Unit` is one mana in a pool (106.4), and
:func:`choose_units` and :func:`produce_options` find the mana that pays a price (601.2g–h).

Everything here is a frozen value or a pure function, and every choice follows the order of its
arguments: the same arguments always give the same answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from cascade_es.errors import InputError

__all__ = [
    "COLORS",
    "LIFE",
    "TYPES",
    "ManaCost",
    "Price",
    "Typed",
    "Unit",
    "choose_units",
    "options",
    "parse_cost",
    "pays",
    "price",
    "produce_options",
]

TYPES = ("W", "U", "B", "R", "G", "C")
"""The six types of mana (106.1b): white, blue, black, red, green, colourless."""

COLORS = ("W", "U", "B", "R", "G")
"""The five colours in their usual order (105.1)."""

LIFE = "life"
"""The way to pay a Phyrexian symbol that spends 2 life instead of mana (107.4f)."""

Typed = tuple[int, int, int, int, int, int]
"""One amount of mana for each of :data:`TYPES`, in that order."""

# The halves of two-coloured symbols in the order in which they are printed.
_PAIRS = ("W/U", "W/B", "U/B", "U/R", "B/R", "B/G", "R/G", "R/W", "G/W", "G/U")
_VARIABLES = ("X", "Y", "Z")

# Symbols with several ways of payment, and those ways in printed order (107.4e–f).
_WAYS: dict[str, tuple[str, ...]] = {
    **{pair: tuple(pair.split("/")) for pair in _PAIRS},
    **{f"2/{color}": ("2", color) for color in COLORS},
    **{f"C/{color}": ("C", color) for color in COLORS},
    **{f"{color}/P": (color, LIFE) for color in COLORS},
    **{f"{pair}/P": (*pair.split("/"), LIFE) for pair in _PAIRS},
}

# Parts in any order -> the printed order, so that {U/W} and {W/U} are one symbol.
_PRINTED = {tuple(sorted(symbol.split("/"))): symbol for symbol in (*TYPES, *_VARIABLES, "S", *_WAYS)}

# The largest printed number is 16; six digits leave room for anything an effect could set.
_GENERIC = re.compile(r"0|[1-9][0-9]{0,5}")
_BRACED = re.compile(r"\{([^{}]*)\}")


def _canonical(raw: str, where: str = "") -> str:
    symbol = raw.upper()
    # str.upper maps some letters outside ASCII onto ASCII ones; those are not mana symbols.
    if raw.isascii():
        if _GENERIC.fullmatch(symbol):
            return symbol
        printed = _PRINTED.get(tuple(sorted(symbol.split("/"))))
        if printed is not None:
            return printed
    raise InputError(
        # repr keeps a stray line break from splitting the message
        f"unknown mana symbol {{{repr(raw)[1:-1]}}}; use a number without leading zeros, "
        "W U B R G C S X Y Z, or a hybrid or Phyrexian symbol such as {W/U}, {2/W}, {C/W}, {W/P}, {G/U/P}",
        where=where,
    )


def _not_negative(name: str, amount: int) -> int:
    if amount < 0:
        raise InputError(f"{name} is {amount}; give zero or more")
    return amount


def _type_index(mana_type: str) -> int:
    if mana_type not in TYPES:
        raise InputError(f"unknown mana type {mana_type!r}; use one of W U B R G C")
    return TYPES.index(mana_type)


def _typed(amounts: Iterable[int]) -> Typed:
    w, u, b, r, g, c = amounts
    return (w, u, b, r, g, c)


class ManaCost(msgspec.Struct, frozen=True, array_like=True):
    """The mana symbols of a cost in printed order, without braces, in canonical spelling.

    A value of this class always has at least one symbol: an object without a mana cost (202.1b)
    has ``None`` in its place.  Raises :class:`InputError` for a symbol that is unknown or not in
    canonical spelling, and for no symbols at all; :func:`parse_cost` also takes other spellings.

    >>> cost = ManaCost(("3", "B", "R"))
    >>> str(cost), cost.mana_value(), cost.colors
    ('{3}{B}{R}', 5, ('B', 'R'))
    """

    symbols: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.symbols:
            raise InputError("a mana cost has at least one symbol; no mana cost is written as null")
        for symbol in self.symbols:
            printed = _canonical(symbol)
            if printed != symbol:
                raise InputError(f"mana symbol {{{symbol}}} is not canonical; write {{{printed}}}")

    def __str__(self) -> str:
        return "".join(f"{{{symbol}}}" for symbol in self.symbols)

    def mana_value(self, x: int = 0) -> int:
        """The mana value (202.3), with ``x`` for each variable symbol.

        ``x`` is the chosen value on the stack and 0 everywhere else (202.3e).  A hybrid symbol
        counts as its largest half (202.3f), a Phyrexian symbol as 1 (202.3g).  Raises
        :class:`InputError` when ``x`` is negative.

        >>> parse_cost("{X}{2/B}{G/U/P}").mana_value(x=4)
        7
        """
        _not_negative("x", x)
        value = 0
        for symbol in self.symbols:
            if symbol in _VARIABLES:
                value += x
            elif symbol.startswith("2/"):
                value += 2
            elif symbol.isdigit():
                value += int(symbol)
            else:
                value += 1
        return value

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours of an object with this mana cost, in WUBRG order (105.2, 202.2).

        Hybrid and Phyrexian symbols have all their colours, however they are paid (202.2d).

        >>> parse_cost("{1}{G/U}{W/P}").colors
        ('W', 'U', 'G')
        """
        # No symbol but a coloured one has a colour's letter in it.
        return tuple(color for color in COLORS if any(color in symbol for symbol in self.symbols))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables whose value must be chosen (107.3), each once: ``("X",)`` or ``()``.

        >>> parse_cost("{X}{X}{R}").variables
        ('X',)
        """
        return tuple(variable for variable in _VARIABLES if variable in self.symbols)


def parse_cost(text: str, where: str = "") -> ManaCost:
    """Read a mana cost from its symbols in braces; lower case and swapped halves are accepted.

    ``where`` names the place of ``text`` for the error.  Raises :class:`InputError` for an unknown
    symbol, for text outside braces, and for no symbols: an object that has no mana cost (202.1b)
    is not one that costs {0}.

    >>> parse_cost("{3}{b}{w/r}").symbols
    ('3', 'B', 'R/W')
    """
    if not text:
        raise InputError("a mana cost has at least one symbol; no mana cost is written as null", where=where)
    raws = _BRACED.findall(text)
    if "".join(f"{{{raw}}}" for raw in raws) != text:
        raise InputError(
            f"{text!r} is no mana cost; write every symbol in braces, such as {{3}}{{B}}{{R}}", where=where
        )
    return ManaCost(tuple(_canonical(raw, where) for raw in raws))


def options(symbol: str) -> tuple[str, ...]:
    """The concrete ways to pay a symbol, in printed order; one of them is chosen in 601.2b.

    A way is a type of mana, a generic number, or ``"life"`` for 2 life (107.4e–f).  A symbol that
    can be paid in one way only is its own way.  Raises :class:`InputError` for an unknown symbol.

    >>> options("2/B"), options("G/U/P"), options("W")
    (('2', 'B'), ('G', 'U', 'life'), ('W',))
    """
    printed = _canonical(symbol)
    return _WAYS.get(printed, (printed,))


class Price(msgspec.Struct, frozen=True, array_like=True):
    """A concrete amount to be paid: nothing in it is left to choose.

    ``generic`` is mana of any type, ``typed`` the amounts of :data:`TYPES` in that order, ``snow``
    mana of any type from snow sources (107.4h), all counted in mana; ``life`` is counted in points
    of life.  Raises :class:`InputError` when an amount is negative.

    >>> print(Price(generic=2, typed=(0, 0, 1, 1, 0, 0)))
    {2}{B}{R}
    """

    generic: int = 0
    typed: Typed = (0, 0, 0, 0, 0, 0)
    snow: int = 0
    life: int = 0

    def __post_init__(self) -> None:
        if self.generic < 0 or self.snow < 0 or self.life < 0 or min(self.typed) < 0:
            raise InputError("a price has a negative amount; give zero or more of each")

    def plus(self, other: Price) -> Price:
        """The sum of two prices.

        >>> str(Price(1).plus(Price(2, (0, 1, 0, 0, 0, 0))))
        '{3}{U}'
        """
        return Price(
            self.generic + other.generic,
            _typed(a + b for a, b in zip(self.typed, other.typed, strict=True)),
            self.snow + other.snow,
            self.life + other.life,
        )

    def less(self, by: Price) -> Price:
        """This price reduced by another one, no part of it below zero (118.7).

        A reduction in generic mana touches nothing else (118.7a), and one by snow mana is one in generic
        mana; what a reduction of one type finds nothing of comes off the generic part (118.7b-d).

        >>> blue = Price(3, (0, 1, 0, 0, 0, 0))
        >>> str(blue.less(Price(9))), str(blue.less(Price(0, (0, 2, 0, 0, 0, 0))))
        ('{U}', '{2}')
        """
        taken = [min(have, want) for have, want in zip(self.typed, by.typed, strict=True)]
        generic = by.generic + by.snow + sum(by.typed) - sum(taken)
        typed = _typed(have - gone for have, gone in zip(self.typed, taken, strict=True))
        return msgspec.structs.replace(self, generic=max(self.generic - generic, 0), typed=typed)

    def at_least(self, n: int) -> Price:
        """This price with so much more generic mana that it is at least ``n`` mana in total.

        >>> str(Price(0, (0, 0, 0, 1, 0, 0)).at_least(3))
        '{2}{R}'
        """
        return self.plus(Price(max(0, n - self.total)))

    @property
    def has_mana(self) -> bool:
        """Whether any mana is to be paid."""
        return self.total > 0

    @property
    def total(self) -> int:
        """How many mana are to be paid; life does not count."""
        return self.generic + sum(self.typed) + self.snow

    def __str__(self) -> str:
        """The mana as symbols, then the life; a price of nothing is {0} (118.7).

        >>> str(Price()), str(Price(1, snow=1, life=2)), str(Price(life=4))
        ('{0}', '{1}{S} and 2 life', '4 life')
        """
        mana = f"{{{self.generic}}}" if self.generic else ""
        mana += _repeated("{S}", self.snow)
        mana += "".join(_repeated(f"{{{t}}}", n) for t, n in zip(TYPES, self.typed, strict=True))
        if self.life:
            return f"{mana} and {self.life} life" if mana else f"{self.life} life"
        return mana or "{0}"


def _repeated(symbol: str, times: int) -> str:
    """A symbol so many times; more than any card asks for are only counted."""
    return symbol * times if times <= 40 else f"{times} x {symbol}"


def price(cost: ManaCost, x: int = 0, picks: tuple[str, ...] = ()) -> Price:
    """What a cost asks for, given the value of its variables and the chosen ways of payment.

    ``x`` stands for every variable symbol (107.3a).  ``picks`` has one of :func:`options` for each
    symbol that has several ways of payment, in printed order (601.2b).  Raises :class:`InputError`
    when ``x`` is negative and when a pick is missing, does not fit its symbol, or is left over.

    >>> str(price(parse_cost("{X}{2/B}{W/P}"), x=1, picks=("2", "life")))
    '{3} and 2 life'
    """
    _not_negative("x", x)
    generic = snow = life = used = 0
    typed = [0, 0, 0, 0, 0, 0]
    for symbol in cost.symbols:
        way = symbol
        ways = _WAYS.get(symbol)
        if ways is not None:
            allowed = " or ".join(ways)
            if used == len(picks):
                raise InputError(f"no pick for {{{symbol}}}, symbol with a choice {used + 1}; pick {allowed}")
            way = picks[used]
            used += 1
            if way not in ways:
                raise InputError(f"pick {way!r} does not pay {{{symbol}}}; pick {allowed}")
        if way in _VARIABLES:
            generic += x
        elif way in TYPES:
            typed[TYPES.index(way)] += 1
        elif way == "S":
            snow += 1
        elif way == LIFE:
            life += 2  # 107.4f
        else:
            generic += int(way)
    if used < len(picks):
        raise InputError(f"{len(picks)} picks for {cost}, which has {used} to make; leave out the rest")
    return Price(generic, _typed(typed), snow, life)


class Unit(msgspec.Struct, frozen=True, array_like=True):
    """One mana in a pool (106.4); a pool is a tuple of units with distinct ids.

    ``type`` is one of :data:`TYPES`, ``source`` the id of the object that produced it (106.3),
    ``event`` the number of the event that did, ``snow`` whether that source was snow (107.4h).
    ``restrictions`` say what it may be spent on, ``riders`` what happens when it is spent (106.6);
    both are words that the caller gives a meaning.  Raises :class:`InputError` for an unknown type.

    >>> Unit(1, "G", source=7, event=3).type
    'G'
    """

    id: int
    type: str
    source: int
    event: int
    snow: bool = False
    restrictions: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _type_index(self.type)


def _any_use(unit: Unit) -> bool:
    return True


def pays(price: Price, units: tuple[Unit, ...], usable: Callable[[Unit], bool] = _any_use) -> bool:
    """Whether exactly these units pay exactly the mana of this price: none over, none missing.

    ``usable`` tells whether a unit's restrictions allow this payment (106.6).  The same unit twice
    pays nothing.

    >>> forest, island = Unit(1, "G", 7, 3), Unit(2, "U", 8, 4)
    >>> pays(Price(1, (0, 0, 0, 0, 1, 0)), (forest, island)), pays(Price(1), (forest, island))
    (True, False)
    """
    if len(units) != price.total or len({unit.id for unit in units}) != len(units):
        return False
    if not all(usable(unit) for unit in units):
        return False
    # A unit has one type, so the typed parts do not compete with each other: it is enough to
    # count.  Snow mana beyond what its type asks for is free to pay for {S}.
    spare_snow = 0
    for index, mana_type in enumerate(TYPES):
        beyond = sum(unit.type == mana_type for unit in units) - price.typed[index]
        if beyond < 0:
            return False
        spare_snow += min(beyond, sum(unit.type == mana_type and unit.snow for unit in units))
    return spare_snow >= price.snow


def choose_units(
    price: Price, units: tuple[Unit, ...], usable: Callable[[Unit], bool] = _any_use
) -> tuple[Unit, ...] | None:
    """One way to pay the mana of a price from a pool, in pool order; None when there is none.

    It spends what is least useful later: typed parts take non-snow units first, generic mana takes
    restricted units first, then non-snow, then colourless, then the type of which most is left.
    ``usable`` tells whether a unit's restrictions allow this payment (106.6).

    >>> pool = (Unit(1, "G", 7, 3), Unit(2, "U", 8, 4), Unit(3, "G", 9, 5))
    >>> [unit.id for unit in choose_units(Price(1, (0, 1, 0, 0, 0, 0)), pool)]
    [1, 2]
    >>> choose_units(Price(0, (1, 0, 0, 0, 0, 0)), pool) is None
    True
    """
    left = [unit for unit in units if usable(unit)]
    if len(left) < price.total:
        return None
    chosen: list[Unit] = []

    for index, mana_type in enumerate(TYPES):
        wanted = price.typed[index]
        # Non-snow first is needed, not only frugal: it keeps all the snow mana it can for {S}.
        # The sort is stable, so equals stay in pool order.
        fitting = sorted(
            (unit for unit in left if unit.type == mana_type),
            key=lambda unit: (unit.snow, not unit.restrictions),
        )
        if len(fitting) < wanted:
            return None
        chosen += fitting[:wanted]
        for unit in fitting[:wanted]:
            left.remove(unit)

    # {S} next, while no snow mana has been spent on generic mana; then anything pays the rest.
    for amount, snow_only in ((price.snow, True), (price.generic, False)):
        for _ in range(amount):
            fitting = [unit for unit in left if unit.snow or not snow_only]
            if not fitting:
                return None
            unit = min(fitting, key=_thrift(left))
            chosen.append(unit)
            left.remove(unit)

    spent = {unit.id for unit in chosen}
    return tuple(unit for unit in units if unit.id in spent)


def _thrift(left: list[Unit]) -> Callable[[Unit], tuple[bool, bool, bool, int]]:
    """The key that puts the unit least useful later first, given what is left of the pool."""
    amounts = Counter(unit.type for unit in left)
    return lambda unit: (not unit.restrictions, unit.snow, unit.type != "C", -amounts[unit.type])


def produce_options(
    price: Price,
    sources: tuple[tuple[int, tuple[str, ...], bool], ...],
    pool: tuple[Unit, ...],
) -> tuple[tuple[int, str], ...] | None:
    """The fewest sources to tap, and for which mana, so that the pool can pay a price.

    Each of ``sources`` is (id, the types of which it makes one mana, whether it is snow) and is
    used at most once; put all types of a source into one entry.  Every unit of ``pool`` counts as
    usable.  The answer is pairs (source id, type), the least flexible source first: fewer types
    before more, non-snow before snow, then in the order given.  It is ``()`` when the pool
    is enough and None when all sources together are not.  Raises :class:`InputError` for an
    unknown type.

    >>> lands = ((10, ("W", "U"), False), (11, ("U",), False), (12, ("G",), False))
    >>> produce_options(Price(0, (1, 1, 0, 0, 0, 0)), lands, ())
    ((11, 'U'), (10, 'W'))
    """
    # A matching between makers of mana and the parts of the price; a part of size n is one node
    # that takes n makers.  The parts are TYPES, then snow, then generic.
    snow_part, generic_part = len(TYPES), len(TYPES) + 1
    sizes = (*price.typed, price.snow, price.generic)

    def reach(types: tuple[str, ...], snow: bool) -> tuple[int, ...]:
        typed = tuple(_type_index(t) for t in types)
        return (*typed, snow_part, generic_part) if snow else (*typed, generic_part)

    able = [source for source in sources if source[1]]
    able.sort(key=lambda source: (len(set(source[1])), source[2]))
    parts_of = [reach((unit.type,), unit.snow) for unit in pool]
    parts_of += [reach(types, snow) for _, types, snow in able]
    takers: list[list[int]] = [[] for _ in sizes]  # part -> the makers that pay it

    def place(maker: int, seen: set[int]) -> bool:
        """Find a part for a maker, moving others along an augmenting path if need be."""
        for part in parts_of[maker]:
            if part in seen:
                continue
            seen.add(part)
            if len(takers[part]) < sizes[part]:
                takers[part].append(maker)
                return True
            for at, other in enumerate(takers[part]):
                if place(other, seen):
                    takers[part][at] = maker
                    return True
        return False

    # A maker once placed stays in use, and the sets of makers that can be placed together form a
    # matroid.  So taking makers greedily in order of preference, the pool before any source, is
    # optimal: it leaves the price unpaid only if it cannot be paid, and taps as few sources as can be.
    for maker in range(len(parts_of)):
        place(maker, set())
    if sum(map(len, takers)) < price.total:
        return None

    part_of = {maker: part for part, makers in enumerate(takers) for maker in makers}
    taps: list[tuple[int, str]] = []
    for maker, (source, types, _) in enumerate(able, start=len(pool)):
        part = part_of.get(maker)
        if part is not None:
            # Where any type will do, the first that the source lists.
            taps.append((source, TYPES[part] if part < snow_part else types[0]))
    return tuple(taps)
