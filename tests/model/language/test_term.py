import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
    as_number,
    exists,
    for_all,
    iff,
    implies,
    ite,
    maximum,
    minimum,
    none_of,
    not_,
    one_of,
    total,
)
from nomadspec.model.language.term import Term, TermTable
from tests.model.language.evaluate import evaluate
from tests.model.language.toys import compile_text

INTERVALS = [(0, 3), (-2, 1), (1, 1), (0, 1), (-1, 4)]
"""The numbers; after them come as many flags."""
FLAGS = 4

Text: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""An expression as data: a function of its parts, which are texts, constants or cells."""


def make_cells() -> tuple[Term, ...]:
    """Make the terms of the cells that texts speak of."""
    table = TermTable()
    numbers = [table.cell(at, low, high, is_flag=False) for at, (low, high) in enumerate(INTERVALS)]
    flags = [table.cell(len(INTERVALS) + at, 0, 1, is_flag=True) for at in range(FLAGS)]
    return (*numbers, *flags)


def say(text: Any, cells: Sequence[Any]) -> Any:
    """Run a text on cells, be they values or terms."""
    if isinstance(text, tuple):
        make, parts = text
        return make(*[say(part, cells) for part in parts])
    return cells[text.at] if isinstance(text, Cell) else text


class Cell:
    """A place in the world."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __repr__(self) -> str:
        return f"cell {self.at}"


def texts_of(numbers: st.SearchStrategy[Any], flags: st.SearchStrategy[Any], *, is_flag: bool) -> Any:
    """Combine texts by one more operator."""

    def using(make: Callable[..., Any], *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Text]:
        return st.tuples(st.just(make), st.tuples(*parts))

    def listing(make: Callable[..., Any], part: st.SearchStrategy[Any]) -> st.SearchStrategy[Text]:
        return st.tuples(st.just(make), st.lists(part, max_size=4).map(tuple))

    constants = st.integers(-3, 4)
    if not is_flag:
        return st.one_of(
            using(lambda a, b: a + b, numbers, numbers),
            using(lambda a, b: a - b, numbers, numbers),
            using(lambda a, b: a + b, numbers, constants),
            using(lambda a, b: b - a, numbers, constants),
            using(lambda a, b: a * b, numbers, constants),
            using(lambda a: -a, numbers),
            using(as_number, flags),
            using(minimum, numbers, numbers),
            using(maximum, numbers, numbers),
            using(ite, flags, numbers, numbers),
            listing(lambda *parts: total(iter(parts)), st.one_of(numbers, flags)),
        )
    return st.one_of(
        using(lambda a, b: a == b, numbers, numbers),
        using(lambda a, b: a != b, numbers, constants),
        using(lambda a, b: a <= b, numbers, numbers),
        using(lambda a, b: a < b, numbers, constants),
        using(lambda a, b: a >= b, numbers, constants),
        using(lambda a, b: a > b, numbers, numbers),
        using(lambda a, b: a == b, flags, flags),
        using(lambda a, b: a != b, flags, flags),
        using(iff, flags, flags),
        using(implies, flags, flags),
        using(not_, flags),
        using(ite, flags, flags, flags),
        using(one_of, numbers, constants, constants),
        listing(all_of, flags),
        listing(any_of, flags),
        listing(none_of, flags),
        listing(lambda *parts: for_all(iter(parts)), flags),
        listing(lambda *parts: exists(iter(parts)), flags),
    )


def nest(depth: int, *, is_flag: bool) -> st.SearchStrategy[Any]:
    """Make texts of at most this depth."""
    if is_flag:
        leaves = st.one_of(st.booleans(), st.integers(len(INTERVALS), len(INTERVALS) + FLAGS - 1).map(Cell))
    else:
        leaves = st.one_of(st.integers(-3, 4), st.integers(0, len(INTERVALS) - 1).map(Cell))
    if not depth:
        return leaves
    numbers, flags = nest(depth - 1, is_flag=False), nest(depth - 1, is_flag=True)
    return st.one_of(leaves, texts_of(numbers, flags, is_flag=is_flag))


NUMBERS = [st.integers(low, high) for low, high in INTERVALS]
WORLDS = st.tuples(*NUMBERS, *[st.booleans()] * FLAGS)
TEXTS = st.one_of(nest(3, is_flag=False), nest(3, is_flag=True))


@settings(max_examples=200)
@given(TEXTS, WORLDS, WORLDS)
def test_folding_never_changes_a_value(text: Any, cells: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert_folded_well(text, cells, other)


@pytest.mark.deep
@settings(max_examples=5_000)
@given(TEXTS, WORLDS, WORLDS)
def test_folding_changes_no_value_of_many(text: Any, cells: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert_folded_well(text, cells, other)


def assert_folded_well(text: Any, cells: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    term = say(text, make_cells())
    expected = say(text, cells)
    low, high = (term.low, term.high) if isinstance(term, Term) else (term, term)
    reads = term.reads if isinstance(term, Term) else frozenset()
    unread = [cells[at] if at in reads else other[at] for at in range(len(cells))]

    assert expected == evaluate(term, cells)
    assert isinstance(expected, bool) == (term.is_flag if isinstance(term, Term) else isinstance(term, bool))
    assert low <= expected <= high
    assert expected == say(text, unread)


@settings(max_examples=100)
@given(TEXTS)
def test_equal_text_is_the_same_term(text: Any) -> None:
    cells = make_cells()
    one, same = say(text, cells), say(text, cells)

    assert one is same or (not isinstance(one, Term) and one == same)


# what folds


def fold(expression: str) -> Any:
    """Build an expression of the numbers x, y, z and the flags p, q, r."""
    cells = make_cells()
    return compile_text("value(x, y, z, p, q, r)", f"return {expression}")(
        cells[0], cells[1], cells[4], *cells[5:8]
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x == x", "True"),
        ("x != x", "False"),
        ("x == 7", "False"),
        ("x <= 3", "True"),
        ("x > 3", "False"),
        ("x <= x", "True"),
        ("x < 3", "le(add(c0, 1), 3)"),
        ("x == 1", "eq(c0, 1)"),
        ("1 == x", "eq(c0, 1)"),
        ("x + 1 == 2", "eq(c0, 1)"),
        ("x == y", "eq(c0, c1)"),
        ("y == x", "eq(c0, c1)"),
        ("p == True", "c5"),
        ("p == False", "not(c5)"),
        ("not_(not_(p))", "c5"),
        ("x + 0", "c0"),
        ("x * 1", "c0"),
        ("x * 0", "0"),
        ("x - x", "0"),
        ("-x + x", "0"),
        ("0 - (0 - x)", "c0"),
        ("-2 * x", "mul(c0, -2)"),
        ("x + 1 + 2", "add(c0, 3)"),
        ("x + 1 - 1", "c0"),
        ("(x + 1) + (y + 2)", "add(add(c0, c1), 3)"),
        ("x + 1 - x - 1", "0"),
        ("5 - x", "add(neg(c0), 5)"),
        ("p + 1", "add(number(c5), 1)"),
        ("x * True", "c0"),
        ("all_of(p, q, p)", "and(c5, c6)"),
        ("all_of(p, all_of(q, r))", "and(c5, c6, c7)"),
        ("all_of(p, not_(p))", "False"),
        ("all_of(x == 1, x == 2)", "False"),
        ("all_of(x == 1, y == 1)", "and(eq(c0, 1), eq(c1, 1))"),
        ("any_of(p, not_(p))", "True"),
        ("any_of(p, q, p)", "or(c5, c6)"),
        ("any_of(p, p)", "c5"),
        ("all_of()", "True"),
        ("any_of()", "False"),
        ("ite(p, x, x)", "c0"),
        ("ite(not_(p), x, y)", "ite(c5, c1, c0)"),
        ("ite(p, x, ite(p, z, y))", "ite(c5, c0, c1)"),
        ("ite(p, ite(p, x, z), y)", "ite(c5, c0, c1)"),
        ("ite(p, ite(p, x, z), x)", "c0"),
        ("ite(p, True, False)", "c5"),
        ("ite(p, False, True)", "not(c5)"),
        ("ite(p, True, q)", "or(c5, c6)"),
        ("ite(p, False, q)", "and(not(c5), c6)"),
        ("ite(p, q, True)", "or(not(c5), c6)"),
        ("ite(p, q, False)", "and(c5, c6)"),
        ("ite(p, q, r)", "ite(c5, c6, c7)"),
        ("ite(p, 1, 2) == 1", "c5"),
        ("ite(p, 1, 2) == 3", "False"),
        ("ite(p, x, y) == 1", "eq(ite(c5, c0, c1), 1)"),
        ("ite(p, 7, x) == 3", "and(not(c5), eq(c0, 3))"),
        ("one_of(x, 1, Mood.GONE)", "or(eq(c0, 1), eq(c0, 2))"),
    ],
)
def test_what_folds(expression: str, expected: str) -> None:
    assert expected == repr(fold(expression))


def test_reads_are_the_cells_of_the_text() -> None:
    assert {0, 1, 5} == fold("ite(p, x, y)").reads


def test_cells_of_other_kinds_are_other_terms() -> None:
    table = TermTable()
    one, other = table.cell(0, 0, 1, is_flag=False), table.cell(0, 0, 1, is_flag=True)

    assert one.id != other.id
    assert other is table.cell(0, 0, 1, is_flag=True)


# what is refused


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("1 if p else 2", "branch on a value"),
        ("p and q", "branch on a value"),
        ("not p", "branch on a value"),
        ("0 < x < 3", "branch on a value"),
        ("max(x, y)", "branch on a value"),
        ("x in (1, 2)", "branch on a value"),
        ("any([p])", "branch on a value"),
        ("hash(x)", "look up a value"),
        ("x in {1, 2}", "look up a value"),
        ("{0: 1}[x]", "look up a value"),
        ("[1, 2][x]", "index a Python list or range by a value"),
        ("range(x)", "index a Python list or range by a value"),
        ("int(x)", "make a Python number of a value"),
        ("list(x)", "iterate over a value"),
        ("x[0]", "index a value"),
        ("str(x)", "write as text a value"),
        ("f'{x}'", "write as text a value"),
        ("p & q", "use & | ^ ~ on a value"),
        ("True | p", "use & | ^ ~ on a value"),
        ("p ^ q", "use & | ^ ~ on a value"),
        ("~p", "use & | ^ ~ on a value"),
        ("x // 2", "divide a value"),
        ("7 % x", "divide a value"),
        ("x / 2", "divide a value"),
        ("p == 1", "A flag was compared with a number"),
        ("x == p", "A flag was compared with a number"),
        ("x == True", "A flag was compared with a number"),
        ("x == 'a'", "combined with 'a', which is neither a flag nor a number"),
        ("x != None", "combined with None, which is neither"),
        ("x * 1.5", "combined with 1.5"),
        ("x * y", "may multiply by a constant or a size only"),
        ("not_(x)", "A number stands where a flag was expected"),
        ("all_of(p, x)", "A number stands where a flag was expected"),
        ("all_of(p, 1)", "A number stands where a flag was expected"),
        ("iff(x, y)", "A number stands where a flag was expected"),
        ("ite(x, 1, 2)", "A number stands where a flag was expected"),
        ("ite(p, q, 1)", "ite chooses between two flags or between two numbers"),
        ("ite(p, 1, q)", "ite chooses between two flags or between two numbers"),
        ("ite(p, 1, True)", "ite chooses between two flags or between two numbers"),
    ],
)
def test_a_slip_is_taught(expression: str, problem: str) -> None:
    with pytest.raises(StyleError, match=re.escape(problem)):
        fold(expression)


def test_what_is_put_together_is_seen_beside_its_opposite() -> None:
    table = TermTable()
    one: Value
    other: Value
    one, other = (table.cell(position, 0, 1, is_flag=True) for position in range(2))
    both, either = all_of(one, other), any_of(one, other)

    assert all_of(both, not_(both)) is False
    assert any_of(either, not_(either)) is True
    assert all_of(other, not_(both), one) is False
    assert any_of(not_(either), one, other) is True
    assert all_of(one, not_(both)) is not False


def test_a_number_is_compared_with_itself_and_more() -> None:
    number = TermTable().cell(0, 0, 3, is_flag=False)

    assert (number < number) is False  # noqa: PLR0124 -- what folds is the point
    assert (number + 1 <= number) is False
    assert (number + 1 <= number + 2) is True
