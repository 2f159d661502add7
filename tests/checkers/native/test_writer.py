"""Terms as machine code: the value that their few lines of Python give, for any term."""

from array import array
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from nomadspec.checkers.native.words import WideError, Words
from nomadspec.checkers.native.writer import Writer, signed
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import all_of, any_of, as_number, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.term import Term
from nomadspec.model.language.world import World, field, index, size
from tests.checkers.native.calling import address_of, compile_function, put_words
from tests.model.language.evaluate import evaluate


class Desk(World):
    """Cells of many widths, over several words."""

    count = size(10, "how many places")
    ten = index("place", count, "places")
    wide = field(ten, upto((1 << 20) - 3), init=0, about="wide cells")
    flat = field(ten, upto(0), init=0, about="cells without bits")
    narrow = field(ten, upto(2), init=0, about="narrow cells")
    flag = field(ten, FLAG, init=False, about="flags")


BOUNDED: Final[BoundedModel] = Model("desk", "cells", Desk, ()).at()
LAYOUT: Final = Layout(BOUNDED)
WORDS: Final = Words(LAYOUT)
INTERVALS: Final = BOUNDED.frame.intervals
NUMBERS: Final = [term for term in BOUNDED.cell_terms if not term.is_flag]
FLAGS: Final = [term for term in BOUNDED.cell_terms if term.is_flag]
NUMBER_CELLS: Final = [cell for cell, interval in enumerate(INTERVALS) if not interval.is_flag]
FLAG_CELLS: Final = [cell for cell, interval in enumerate(INTERVALS) if interval.is_flag]


def draw_number(random: Random, depth: int) -> Any:
    if depth == 0 or random.random() < 0.1:
        return random.choice([random.choice(NUMBERS), random.randint(-3, 3)])
    less = depth - 1
    makers: list[Callable[[], Any]] = [
        lambda: draw_number(random, less) + draw_number(random, less),
        lambda: draw_number(random, less) - draw_number(random, less),
        lambda: draw_number(random, less) * random.randint(-2, 3),
        lambda: ite(draw_flag(random, less), draw_number(random, less), draw_number(random, less)),
        lambda: as_number(draw_flag(random, less)),
    ]
    return random.choice(makers)()


def draw_flag(random: Random, depth: int) -> Any:
    if depth == 0:
        return random.choice(FLAGS)
    less = depth - 1
    many = range(random.randint(2, 4))
    makers: list[Callable[[], Any]] = [
        lambda: all_of(*(draw_flag(random, less) for _ in many)),
        lambda: any_of(*(draw_flag(random, less) for _ in many)),
        lambda: not_(draw_flag(random, less)),
        lambda: draw_number(random, less) == draw_number(random, less),
        lambda: draw_number(random, less) <= draw_number(random, less),
        lambda: random.choice(NUMBERS) == random.randint(-1, 3),
        lambda: draw_flag(random, less) == draw_flag(random, less),
        lambda: ite(draw_flag(random, less), draw_flag(random, less), draw_flag(random, less)),
    ]
    return random.choice(makers)()


def draw_worlds(random: Random, count: int) -> Iterator[tuple[int, ...]]:
    for _ in range(count):
        yield tuple(
            random.choice([interval.low, interval.high, random.randint(interval.low, interval.high)])
            for interval in INTERVALS
        )


def begin() -> Writer:
    writer = Writer(WORDS, INTERVALS)
    writer.begin("entry")
    pointers = [writer.let(f"getelementptr i64, ptr %world, i64 {at}") for at in range(WORDS.count)]
    writer.load([writer.let(f"load i64, ptr {pointer}") for pointer in pointers])
    return writer


def write_values(terms: list[Any]) -> str:
    """Write a function that computes all terms of a world."""
    writer = begin()
    for at, term in enumerate(terms):
        is_flag = isinstance(term, bool) or (isinstance(term, Term) and term.is_flag)
        value = writer.let(f"zext i1 {writer.flag(term)} to i64") if is_flag else writer.number(term)
        writer.do(f"store i64 {value}, ptr {writer.let(f'getelementptr i64, ptr %result, i64 {at}')}")
    writer.do("ret i64 0")
    return "\n".join(["define i64 @compute(ptr %world, ptr %result) {", *writer.lines, "}"])


def write_ways(terms: list[Any], *, goes_on: bool) -> str:
    """Write a function that looks at terms part by part, and again at the whole where it has gone on."""
    writer = begin()
    for at, term in enumerate(terms):
        place = writer.let(f"getelementptr i64, ptr %result, i64 {at}")
        holds, fails, after = (writer.name(stem) for stem in ("holds", "fails", "after"))
        with writer.scope():
            writer.ensure(term, holds, fails, goes_on=goes_on)
            writer.begin(holds if goes_on else fails)
            again = writer.let(f"zext i1 {writer.flag(term)} to i64")
            writer.do(f"store i64 {writer.let(f'add i64 {again}, {int(goes_on)}')}, ptr {place}")
            writer.go(after)
        writer.begin(fails if goes_on else holds)
        writer.do(f"store i64 {0 if goes_on else 2}, ptr {place}")
        writer.go(after)
        writer.begin(after)
    writer.do("ret i64 0")
    return "\n".join(["define i64 @compute(ptr %world, ptr %result) {", *writer.lines, "}"])


def compute(lines: str, worlds: list[tuple[int, ...]], count: int) -> list[list[int]]:
    compiled = compile_function(lines, "compute", 2)
    result, found = array("q", bytes(8 * count)), []
    for cells in worlds:
        words = put_words(WORDS.split(LAYOUT.pack(cells)))
        compiled.call(address_of(words), result.buffer_info()[0])
        found.append(result.tolist())
    return found


@pytest.mark.parametrize("seed", range(3))
def test_random_terms_have_their_value(seed: int) -> None:
    random = Random(seed)
    terms = [draw(random, random.randint(1, 4)) for draw in (draw_number, draw_flag) for _ in range(60)]
    worlds = list(draw_worlds(random, 40))

    expected = [[int(evaluate(term, cells)) for term in terms] for cells in worlds]

    assert WORDS.count > 3
    assert expected == compute(write_values(terms), worlds, len(terms))


@pytest.mark.parametrize("goes_on", [True, False])
def test_random_flags_are_looked_at_part_by_part(goes_on: bool) -> None:
    random = Random(7)
    drawn = (draw_flag(random, random.randint(2, 5)) for _ in range(80))
    terms = [term for term in drawn if isinstance(term, Term)]
    worlds = list(draw_worlds(random, 60))

    expected = [[2 * evaluate(term, cells) for term in terms] for cells in worlds]

    assert expected == compute(write_ways(terms, goes_on=goes_on), worlds, len(terms))


def test_terms_may_be_deep() -> None:
    number: Any = 0
    flag: Any = FLAGS[0]
    for at in range(3000):
        number = ite(FLAGS[at % 10], number + NUMBERS[at % 10], at)
        flag = (any_of, all_of)[at % 2](FLAGS[at % 7], NUMBERS[20 + at % 10] == at % 2, not_(flag))
    worlds = list(draw_worlds(Random(1), 2))

    found = compute(write_values([number, flag]), worlds, 2)
    ways = compute(write_ways([flag], goes_on=True), worlds, 1)

    for cells, (value, holds), (twice,) in zip(worlds, found, ways, strict=True):
        flags, numbers = [cells[at] for at in FLAG_CELLS], [cells[at] for at in NUMBER_CELLS]
        plain, decided = 0, flags[0]
        for at in range(3000):
            plain = plain + numbers[at % 10] if flags[at % 10] else at
            parts = (flags[at % 7], numbers[20 + at % 10] == at % 2, not decided)
            decided = all(parts) if at % 2 else any(parts)
        assert (plain, int(decided), 2 * int(decided)) == (value, holds, twice)


def test_numbers_beyond_a_word_are_refused() -> None:
    with pytest.raises(WideError):
        begin().number(NUMBERS[0] * (1 << 60) * 4)


def test_bits_are_written_as_signed_numbers() -> None:
    assert [0, 5, -1, -(1 << 63)] == [signed(bits) for bits in (0, 5, (1 << 64) - 1, 1 << 63)]
