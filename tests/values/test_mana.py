"""Mana costs, prices and payment (CR 106, 107.4, 118.7, 202)."""

from __future__ import annotations

from itertools import combinations, permutations, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascade_es.errors import InputError
from cascade_es.values.mana import (
    COLORS,
    TYPES,
    ManaCost,
    Price,
    Unit,
    choose_units,
    options,
    parse_cost,
    pays,
    price,
    produce_options,
)

PAIRS = ("W/U", "W/B", "U/B", "U/R", "B/R", "B/G", "R/G", "R/W", "G/W", "G/U")
SYMBOLS = (
    *("0", "1", "3", "15", *TYPES, "S", "X", "Y", "Z", *PAIRS),
    *(f"{first}/{color}" for first in "2C" for color in COLORS),
    *(f"{color}/P" for color in (*COLORS, *PAIRS)),
)
NO_MANA = (0, 0, 0, 0, 0, 0)

# The same examples in every run, however slow the machine.
repeatable = settings(derandomize=True, deadline=None, database=None)

Source = tuple[int, tuple[str, ...], bool]

costs = st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=6).map(lambda s: ManaCost(tuple(s)))


@st.composite
def small_prices(draw: st.DrawFn) -> Price:
    """Prices of at most five mana over few types, so that small pools often just pay them."""
    parts = draw(st.lists(st.sampled_from(("W", "W", "U", "C", "S", "1", "1")), max_size=5))
    w, u, c = (parts.count(t) for t in ("W", "U", "C"))
    return Price(parts.count("1"), (w, u, 0, 0, 0, c), parts.count("S"))


@st.composite
def small_pools(draw: st.DrawFn, most: int = 6) -> tuple[Unit, ...]:
    """Pools of at most ``most`` mana; the restriction "no" makes a unit unusable in these tests."""
    row = st.tuples(st.sampled_from("WUC"), st.booleans(), st.sampled_from(((), (), ("yes",), ("no",))))
    return tuple(
        Unit(i, mana_type, 100 + i, 0, snow, restrictions)
        for i, (mana_type, snow, restrictions) in enumerate(draw(st.lists(row, max_size=most)))
    )


@st.composite
def small_sources(draw: st.DrawFn) -> tuple[Source, ...]:
    """At most four sources of one to three types each; now and then one that makes nothing."""
    types = st.lists(st.sampled_from("WUC"), max_size=3, unique=True).map(tuple)
    rows = draw(st.lists(st.tuples(types, st.booleans()), max_size=4))
    return tuple((10 + i, made, snow) for i, (made, snow) in enumerate(rows))


def usable(unit: Unit) -> bool:
    return "no" not in unit.restrictions


def brute_pays(due: Price, units: tuple[Unit, ...]) -> bool:
    """The definition: some order of the units pays the symbols of the price one by one."""
    symbols = [t for t, n in zip(TYPES, due.typed, strict=True) for _ in range(n)]
    symbols += ["S"] * due.snow + ["1"] * due.generic
    if len(symbols) != len(units):
        return False
    return any(
        all(s == "1" or (s == "S" and u.snow) or s == u.type for s, u in zip(symbols, order, strict=True))
        for order in permutations(units)
    )


def brute_choice_exists(due: Price, units: tuple[Unit, ...]) -> bool:
    return due.total <= len(units) and any(brute_pays(due, some) for some in combinations(units, due.total))


def tapped(taps: tuple[tuple[int, str], ...], sources: tuple[Source, ...]) -> tuple[Unit, ...]:
    snow = {source: is_snow for source, _, is_snow in sources}
    return tuple(Unit(1000 + i, t, source, 0, snow[source]) for i, (source, t) in enumerate(taps))


def brute_fewest_taps(due: Price, sources: tuple[Source, ...], pool: tuple[Unit, ...]) -> int | None:
    for count in range(len(sources) + 1):
        for some in combinations(sources, count):
            for types in product(*(made for _, made, _ in some)):
                taps = tuple((source[0], t) for source, t in zip(some, types, strict=True))
                if brute_choice_exists(due, pool + tapped(taps, sources)):
                    return count
    return None


# ManaCost


@pytest.mark.cites("B7")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{3}{U}{U}", 5),
        ("{1}{W/U}{W/U}", 3),
        ("{2/B}{2/B}{2/B}", 6),
        ("{1}{W/P}{W/P}", 3),
        ("{C/W}{S}{C}{G/U/P}", 4),
        ("{0}", 0),
        ("{15}", 15),
    ],
)
def test_mana_value_counts_all_mana_whatever_its_type(text: str, value: int) -> None:
    """The mana value is the total amount of mana in the cost, hybrids by their largest half."""
    assert parse_cost(text).mana_value() == value


def test_mana_value_counts_each_x_at_its_value() -> None:
    """X counts as 0 off the stack and as the chosen number, once for each X, on it."""
    cost = parse_cost("{X}{X}{R}")
    assert (cost.mana_value(), cost.mana_value(x=3)) == (1, 7)


@repeatable
@given(cost=costs)
def test_text_of_a_cost_parses_to_the_same_cost(cost: ManaCost) -> None:
    """Writing a cost and reading it back gives the same cost."""
    assert parse_cost(str(cost)) == cost


@repeatable
@given(cost=costs)
def test_spelling_of_a_symbol_does_not_matter(cost: ManaCost) -> None:
    """Lower case and swapped halves are read as the printed symbol."""
    swapped = "".join("{" + "/".join(reversed(s.lower().split("/"))) + "}" for s in cost.symbols)
    assert parse_cost(swapped) == cost


@repeatable
@given(cost=costs)
def test_cost_survives_the_codec(cost: ManaCost) -> None:
    """A cost that is encoded and decoded is the same cost."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(cost), type=ManaCost) == cost


@pytest.mark.parametrize(
    ("text", "colors"),
    [
        ("{3}{R}{B}", ("B", "R")),
        ("{G/U}", ("U", "G")),
        ("{2/W}{C/R}", ("W", "R")),
        ("{B/P}{R/G/P}", ("B", "R", "G")),
        ("{X}{4}{C}{S}", ()),
    ],
)
def test_colors_are_those_of_all_symbols_in_wubrg_order(text: str, colors: tuple[str, ...]) -> None:
    """A cost has every colour of its symbols, both halves of hybrids included, in WUBRG order."""
    assert parse_cost(text).colors == colors


def test_variables_are_listed_once() -> None:
    """A cost tells which variables need a value, each once."""
    assert parse_cost("{X}{X}{R}").variables == ("X",)
    assert parse_cost("{Z}{X}").variables == ("X", "Z")
    assert parse_cost("{R}").variables == ()


@pytest.mark.parametrize(
    "raw",
    [
        "Q",
        "P",
        "HW",
        "½",
        "∞",
        "",
        "01",
        "W/W",
        "W/U/B",
        "2/C",
        "3/W",
        "C/P",
        "2/W/P",
        "ſ",
        "٣",
        "Q\n",
        "1000000",
    ],
)
def test_unknown_symbols_are_refused_in_one_line(raw: str) -> None:
    """A symbol that is none of the game's is refused with its name, its place and the alternatives."""
    with pytest.raises(InputError, match=r"^a\.yaml:3: unknown mana symbol \{.*\}; use ") as error:
        parse_cost("{1}{" + raw + "}", where="a.yaml:3")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["3BR", "{3}B", " {3}", "{3} {B}", "{3", "{{3}}", "3}"])
def test_text_outside_braces_is_refused(text: str) -> None:
    """Text that is not symbols in braces is refused with an example of what is."""
    with pytest.raises(InputError, match=r"is no mana cost; write every symbol in braces"):
        parse_cost(text)


def test_empty_text_is_not_a_cost() -> None:
    """Having no mana cost differs from {0}, and the error says how it is written."""
    with pytest.raises(InputError, match=r"^here: .*no mana cost is written as null"):
        parse_cost("", where="here")
    with pytest.raises(InputError, match="no mana cost is written as null"):
        ManaCost(())


def test_cost_holds_canonical_symbols_only() -> None:
    """Two costs are equal exactly when their symbols are, so other spellings are refused."""
    with pytest.raises(InputError, match=r"\{U/W\} is not canonical; write \{W/U\}"):
        ManaCost(("U/W",))


# options, price


@pytest.mark.parametrize(
    ("symbol", "ways"),
    [
        ("W/U", ("W", "U")),
        ("2/B", ("2", "B")),
        ("C/W", ("C", "W")),
        ("W/P", ("W", "life")),
        ("G/U/P", ("G", "U", "life")),
        ("W", ("W",)),
        ("3", ("3",)),
        ("S", ("S",)),
        ("X", ("X",)),
    ],
)
def test_options_are_the_ways_to_pay_a_symbol(symbol: str, ways: tuple[str, ...]) -> None:
    """A hybrid or Phyrexian symbol has its printed ways of payment, any other has itself."""
    assert options(symbol) == ways


def test_options_of_an_unknown_symbol_are_refused() -> None:
    """There are no ways to pay a symbol that does not exist."""
    with pytest.raises(InputError, match=r"unknown mana symbol \{Q\}"):
        options("Q")


@pytest.mark.cites("A12")
@pytest.mark.parametrize(
    ("picks", "text"),
    [(("G", "G"), "{G}{G}"), (("G", "W"), "{W}{G}"), (("W", "G"), "{W}{G}"), (("W", "W"), "{W}{W}")],
)
def test_each_hybrid_symbol_is_chosen_on_its_own(picks: tuple[str, ...], text: str) -> None:
    """{G/W}{G/W} is paid with GG, GW or WW, and with nothing else."""
    due = price(parse_cost("{G/W}{G/W}"), picks=picks)
    assert str(due) == text
    for types in product(TYPES, repeat=2):
        units = (Unit(1, types[0], 0, 0), Unit(2, types[1], 0, 0))
        assert pays(due, units) == (sorted(types) == sorted(picks))


def test_price_adds_up_every_kind_of_symbol() -> None:
    """A price has the generic, typed, snow and life amounts of all symbols, X at its value."""
    cost = parse_cost("{X}{X}{1}{2/B}{C/W}{W/P}{G/U/P}{S}{R}")
    due = price(cost, x=2, picks=("2", "C", "life", "U"))
    assert due == Price(7, (0, 1, 0, 1, 0, 1), 1, 2)
    assert str(due) == "{7}{S}{U}{R}{C} and 2 life"


@repeatable
@given(cost=costs, x=st.integers(0, 9))
def test_price_by_the_first_ways_is_the_mana_value(cost: ManaCost, x: int) -> None:
    """Paid in the way printed first, every symbol costs as much mana as its mana value."""
    picks = tuple(options(symbol)[0] for symbol in cost.symbols if len(options(symbol)) > 1)
    assert price(cost, x, picks).total == cost.mana_value(x)


@pytest.mark.parametrize(
    ("picks", "message"),
    [
        ((), r"no pick for \{W/U\}, symbol with a choice 1; pick W or U"),
        (("U",), r"no pick for \{B/P\}, symbol with a choice 2; pick B or life"),
        (("G", "B"), r"pick 'G' does not pay \{W/U\}; pick W or U"),
        (("W", "B", "B"), r"3 picks for \{1\}\{W/U\}\{B/P\}, which has 2 to make"),
    ],
)
def test_picks_must_fit_the_symbols(picks: tuple[str, ...], message: str) -> None:
    """A pick that is missing, wrong or left over is refused with what to pick."""
    with pytest.raises(InputError, match=message):
        price(parse_cost("{1}{W/U}{B/P}"), picks=picks)


def test_negative_amounts_are_refused() -> None:
    """No amount of mana is negative."""
    for attempt in (
        lambda: Price(-1),
        lambda: Price(0, (0, 0, 0, 0, -1, 0)),
        lambda: price(parse_cost("{X}"), x=-1),
        lambda: parse_cost("{X}").mana_value(-1),
    ):
        with pytest.raises(InputError, match="give zero or more"):
            attempt()


# Price


def test_generic_reductions_leave_the_rest_alone() -> None:
    """A generic reduction lowers generic mana, no other part, and never below zero."""
    due = Price(2, (0, 0, 1, 0, 0, 1), 1, 2)
    assert due.less(Price(1)) == Price(1, due.typed, 1, 2)
    assert due.less(Price(9)) == Price(0, due.typed, 1, 2)


@pytest.mark.parametrize(
    ("color", "n", "text"),
    [
        ("B", 1, "{2}{B}{C}"),
        ("B", 3, "{1}{C}"),
        ("W", 1, "{1}{B}{B}{C}"),
        ("W", 5, "{B}{B}{C}"),
        ("C", 2, "{1}{B}{B}"),
        ("B", 0, "{2}{B}{B}{C}"),
    ],
)
def test_typed_reductions_spill_into_generic(color: str, n: int, text: str) -> None:
    """A reduction by one type lowers that type first and generic mana by what is left of it."""
    by = price(parse_cost(f"{{{color}}}" * n)) if n else Price()
    assert str(Price(2, (0, 0, 2, 0, 0, 1)).less(by)) == text


def test_minimum_raises_generic_only_as_far_as_needed() -> None:
    """A minimum adds generic mana up to the total and leaves a dearer price alone."""
    assert str(Price(0, (0, 0, 0, 1, 0, 0), 1).at_least(3)) == "{1}{S}{R}"
    assert Price(4).at_least(3) == Price(4)
    assert Price(life=2).at_least(3) == Price(3, life=2)


def test_price_tells_whether_it_asks_for_mana() -> None:
    """Life is no mana, and a price of nothing is written {0}."""
    assert Price(1).plus(Price(1)).has_mana
    assert not Price(life=2).has_mana
    assert str(Price()) == "{0}"


# pays, choose_units


def test_unit_has_one_of_six_types() -> None:
    """Mana has one of the six types; a symbol that is no type is refused."""
    with pytest.raises(InputError, match="unknown mana type 'X'"):
        Unit(1, "X", 0, 0)


def test_one_unit_is_not_spent_twice() -> None:
    """The same mana given twice pays nothing."""
    unit = Unit(1, "G", 0, 0)
    assert not pays(Price(2), (unit, unit))


def test_one_snow_mana_does_not_pay_for_its_type_and_for_snow() -> None:
    """A snow mana that its type needs is not free to pay for {S}."""
    snowy, plain = Unit(1, "G", 0, 0, snow=True), Unit(2, "U", 0, 0)
    assert not pays(Price(0, (0, 0, 0, 0, 1, 0), 1), (snowy, plain))
    assert pays(Price(1, NO_MANA, 1), (snowy, plain))


@repeatable
@given(due=small_prices(), units=small_pools(most=5))
def test_pays_agrees_with_its_definition(due: Price, units: tuple[Unit, ...]) -> None:
    """Units pay a price exactly when they are usable and some order of them pays every symbol."""
    assert pays(due, units, usable) == (all(map(usable, units)) and brute_pays(due, units))


@repeatable
@given(due=small_prices(), pool=small_pools())
def test_choice_is_found_exactly_when_there_is_one(due: Price, pool: tuple[Unit, ...]) -> None:
    """A choice pays the price from the pool in pool order, and there is none only if none exists."""
    chosen = choose_units(due, pool, usable)
    assert (chosen is not None) == brute_choice_exists(due, tuple(filter(usable, pool)))
    if chosen is not None:
        assert pays(due, chosen, usable)
        assert chosen == tuple(unit for unit in pool if unit in chosen)


@pytest.mark.parametrize(
    ("due", "pool", "ids"),
    [
        pytest.param(
            Price(0, (0, 0, 0, 0, 1, 0)),
            (Unit(1, "G", 0, 0, True), Unit(2, "G", 0, 0), Unit(3, "G", 0, 0, False, ("elves",))),
            [3],
            id="typed: non-snow, then restricted",
        ),
        pytest.param(
            Price(1),
            (Unit(1, "C", 0, 0), Unit(2, "G", 0, 0, True, ("elves",))),
            [2],
            id="generic: restricted before all others",
        ),
        pytest.param(
            Price(1), (Unit(1, "C", 0, 0, True), Unit(2, "G", 0, 0)), [2], id="generic: non-snow before snow"
        ),
        pytest.param(Price(1), (Unit(1, "G", 0, 0), Unit(2, "C", 0, 0)), [2], id="generic: colourless first"),
        pytest.param(
            Price(2),
            (Unit(1, "W", 0, 0), *(Unit(i, "U", 0, 0) for i in (2, 3, 4))),
            [2, 3],
            id="generic: the most abundant type",
        ),
    ],
)
def test_choice_keeps_what_is_most_useful(due: Price, pool: tuple[Unit, ...], ids: list[int]) -> None:
    """Among several choices the units least useful later are spent."""
    chosen = choose_units(due, pool)
    assert chosen is not None
    assert [unit.id for unit in chosen] == ids


def test_choice_from_a_large_pool_does_not_search() -> None:
    """A pool of sixty mana is paid from without trying combinations, even if it falls short by one."""
    pool = tuple(Unit(i, TYPES[i % 6], 0, 0, i % 4 == 0) for i in range(60))
    due = Price(20, (5, 5, 5, 5, 5, 5), 10)
    chosen = choose_units(due, pool)
    assert chosen is not None
    assert pays(due, chosen)
    assert choose_units(Price(0, NO_MANA, 16), pool) is None


# produce_options


@repeatable
@given(due=small_prices(), sources=small_sources(), pool=small_pools(most=3))
def test_production_is_found_exactly_when_there_is_one(
    due: Price, sources: tuple[Source, ...], pool: tuple[Unit, ...]
) -> None:
    """The taps make the price payable, are as few as can be, and are missing only if none suffice."""
    taps = produce_options(due, sources, pool)
    fewest = brute_fewest_taps(due, sources, pool)
    assert (None if taps is None else len(taps)) == fewest
    if taps is not None:
        made = {source: types for source, types, _ in sources}
        assert len({source for source, _ in taps}) == len(taps)
        assert all(mana_type in made[source] for source, mana_type in taps)
        assert choose_units(due, pool + tapped(taps, sources)) is not None


def test_production_taps_the_least_flexible_sources_first() -> None:
    """Sources with fewer types are tapped first, then non-snow ones, then those given first."""
    sources: tuple[Source, ...] = (
        (1, ("W", "U", "B", "R", "G"), False),
        (2, ("W",), True),
        (3, ("G",), False),
        (4, ("U",), False),
    )
    assert produce_options(Price(1), sources, ()) == ((3, "G"),)
    assert produce_options(Price(3), sources, ()) == ((3, "G"), (4, "U"), (2, "W"))
    assert produce_options(Price(1, (0, 0, 1, 0, 0, 0)), sources, ()) == ((3, "G"), (1, "B"))


def test_production_uses_the_pool_before_any_source() -> None:
    """Nothing is tapped when the pool is enough."""
    assert produce_options(Price(1), ((1, ("W",), False),), (Unit(1, "G", 0, 0),)) == ()


def test_production_moves_a_flexible_source_to_where_it_is_needed() -> None:
    """A source that could pay several symbols pays the one that no other source can."""
    sources: tuple[Source, ...] = ((1, ("W", "U"), False), (2, ("U", "B"), False), (3, ("W", "B"), False))
    taps = produce_options(Price(0, (2, 1, 0, 0, 0, 0)), sources, ())
    assert taps == ((1, "W"), (2, "U"), (3, "W"))


def test_production_refuses_types_that_are_none() -> None:
    """A source makes mana of the six types only."""
    with pytest.raises(InputError, match="unknown mana type 'Q'"):
        produce_options(Price(1), ((1, ("Q",), False),), ())
