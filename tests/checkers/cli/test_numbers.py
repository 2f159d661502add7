"""Numbers on the command line."""

import click
import pytest

from nomadspec.checkers.cli.numbers import FiniteRange, read_count
from tests.checkers.cli.calling import call


def test_a_number_between_bounds_is_read() -> None:
    assert 0.5 == FiniteRange(0, 1).convert("0.5", None, None)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "2", "x"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        FiniteRange(0, 1).convert(text, None, None)


def test_a_count_is_read_with_spaces_around_it_or_without() -> None:
    assert [4, 4] == [read_count("4"), read_count(" 4 ")]


@pytest.mark.parametrize("text", ["", " ", "-1", "4.0", "1 0", "1_0", "\u0663", "\u00b2", "9" * 5000])
def test_what_is_no_count_is_none(text: str) -> None:
    assert read_count(text) is None


@pytest.mark.parametrize("verb", ["explore", "simulate", "prove", "mutants"])
def test_a_time_that_never_ends_is_refused(verb: str) -> None:
    called = call(verb, "--model", "2pc", "--time", "nan")

    assert 2 == called.code
    assert "'nan' is no number that ends" in called.err
