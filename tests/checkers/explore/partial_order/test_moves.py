"""Which values a step can leave in a cell, for each value before it."""

from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.checkers.explore.partial_order.moves import Moves, find_moves
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import all_of, any_of, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field
from tests.checkers.explore.partial_order.errands import ERRANDS, FIRST
from tests.checkers.native.models import SHELF


class Bench(World):
    """Two numbers, two flags, and a number that is too wide to be followed."""

    number = field(upto(3), init=0, about="a number")
    other = field(upto(1), init=0, about="another one")
    is_on = field(FLAG, init=False, about="a flag")
    is_apart = field(FLAG, init=False, about="another one")


@rule("M-1")
def work(s: Bench, t: Bench) -> None:
    """Each cell changes in its own way."""
    t.require(s.number <= 2)
    t.number = ite(s.number == 1, 3, ite(s.is_apart, s.number + 1, s.other))
    t.other = 1 - s.other
    t.is_on = any_of(s.is_on, s.is_apart)
    t.is_apart = all_of(s.is_apart, not_(s.is_on))


BENCH = Model("bench", "a bench", Bench, (work,)).at()
(TRACED,) = BENCH.traced


def moves_of(name: str) -> Moves | None:
    return find_moves(TRACED, take_as_written(BENCH))[BENCH.frame.placed[name].base]


def test_branches_are_taken_where_the_cell_decides() -> None:
    assert (0b0011, 0b1000, 0b1011, 0) == moves_of("number")


def test_what_reads_the_cell_alone_is_known() -> None:
    assert (0b10, 0b01) == moves_of("other")


def test_flags_that_are_kept_or_cleared_move_one_way() -> None:
    assert (0b11, 0b10) == moves_of("is_on")
    assert (0b01, 0b11) == moves_of("is_apart")


def test_a_guard_says_where_a_move_begins() -> None:
    bounded = ERRANDS.at()

    assert [(0b10, 0, 0)] == list(find_moves(bounded.traced[FIRST], take_as_written(bounded)).values())


def test_wide_cells_are_not_followed() -> None:
    bounded = SHELF.at("wide")
    fill = next(one for one in bounded.traced if one.instance.rule.name == "Fill")

    assert find_moves(fill, take_as_written(bounded))[bounded.frame.placed["content"].base] is None
