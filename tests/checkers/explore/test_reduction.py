"""Reductions by name."""

import pytest

from nomadspec.checkers.explore.reduction import (
    REDUCTIONS,
    does_leave_steps,
    does_rename,
    make_reduction,
)
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.errors import UnknownNameError
from tests.checkers.explore.models import GRID


def test_without_reduction_a_world_stands_for_itself() -> None:
    bounded = GRID.at()

    assert 0b100110 == make_reduction("none", bounded, Layout(bounded)).canonical(0b100110)


def test_under_symmetry_one_world_stands_for_many() -> None:
    bounded = GRID.at()
    symmetry = make_reduction("symmetry", bounded, Layout(bounded))

    assert 1 == len({symmetry.canonical(1 << square) for square in range(6)})


def test_an_unknown_reduction_is_refused() -> None:
    bounded = GRID.at()

    with pytest.raises(
        UnknownNameError,
        match=r"no reduction named 'half'; known are none, partial-order, symmetry, symmetry.partial-order",
    ):
        make_reduction("half", bounded, Layout(bounded))


def test_names_say_what_is_left_out() -> None:
    assert [False, True, False, True] == [does_rename(name) for name in REDUCTIONS]
    assert [False, False, True, True] == [does_leave_steps(name) for name in REDUCTIONS]
