"""Footprints that are true, and footprints that are not."""

from dataclasses import replace

import pytest

from nomadspec.checkers.explore.partial_order.diamonds import check_diamonds
from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.checkers.explore.partial_order.footprints import Footprint, find_footprints
from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.term import Term
from tests.checkers.explore.boards import Board
from tests.checkers.explore.partial_order.errands import ERRANDS, FIRST, SECOND

BOUNDED = ERRANDS.at()
NOTHING: frozenset[int] = frozenset()


def order_with(position: int, **changed: frozenset[int]) -> PartialOrder:
    """Let one step be said to read or write something else."""
    footprints: list[Footprint] = [*find_footprints(take_as_written(BOUNDED), ())]
    footprints[position] = replace(footprints[position], **changed)
    return PartialOrder(BOUNDED, Layout(BOUNDED), (), footprints)


def test_what_was_traced_is_true() -> None:
    check_diamonds(BOUNDED, PartialOrder(BOUNDED, Layout(BOUNDED), ()), BOUNDED.initial[0])


def test_a_step_that_writes_more_is_noticed() -> None:
    with pytest.raises(ModelError, match="Turn0 changes left"):
        check_diamonds(BOUNDED, order_with(FIRST, writes=NOTHING), BOUNDED.initial[0])


def test_a_step_that_lets_another_happen_is_noticed() -> None:
    left = frozenset({BOUNDED.frame.cell_names.index("left")})

    with pytest.raises(ModelError, match=r"Turn2 and Turn1 .* one decides whether the other is possible"):
        check_diamonds(BOUNDED, order_with(SECOND, reads=left), BOUNDED.initial[0])


@pytest.mark.usefixtures("unread_texts")
def test_steps_whose_order_matters_are_noticed() -> None:
    @rule("B-1")
    def double(s: Board, t: Board) -> None:
        """The left dial goes to its top."""
        t.require(s.above == 0)
        t.left = 2

    @rule("B-1")
    def lie(s: Board, t: Board) -> None:
        """The right dial shows the left one; a term is told something else."""
        t.require(s.above == 0)
        t.right = 1 if isinstance(s.left, Term) else s.left

    bounded = Model("liars", "a rule that lies", Board, (double, lie)).at()
    order = PartialOrder(bounded, Layout(bounded), ())

    with pytest.raises(ModelError, match=r"Double and Lie .* their order changes where they lead"):
        check_diamonds(bounded, order, bounded.initial[0])


def test_a_step_that_was_not_thought_possible_is_noticed() -> None:
    order = PartialOrder(BOUNDED, Layout(BOUNDED), ())
    cells = tuple(frozenset({value}) for value in BOUNDED.initial[0])
    never = (False,) * len(BOUNDED.instances)

    for wrong in (replace(order.facts, cells=cells), replace(order.facts, possible=never)):
        order.facts = wrong
        with pytest.raises(ModelError, match=r"Turn0 leads to a world .* not thought"):
            check_diamonds(BOUNDED, order, BOUNDED.initial[0])
