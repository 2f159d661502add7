"""Numbers on the command line."""

import click
import pytest

from nomadspec.checkers.cli.numbers import COUNT, FiniteRange, WholeRange, read_count
from tests.checkers.cli.calling import call


def test_a_number_between_bounds_is_read() -> None:
    assert 0.5 == FiniteRange(0, 1).convert("0.5", None, None)


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        (WholeRange(0), "abc", "'abc' should be a whole number, 0 or more, in plain digits"),
        (WholeRange(0), "-1", "'-1' should be a whole number, 0 or more"),
        (WholeRange(1, 64), "1.5", "'1.5' should be a whole number from 1 to 64, in plain digits"),
        (WholeRange(1, 64), "65", "'65' should be a whole number from 1 to 64"),
        (FiniteRange(0, min_open=True), "x", "'x' should be a number above 0, in plain digits such as 0.5"),
        (FiniteRange(0, 1, min_open=True), "0", "'0' should be a number above 0, at most 1"),
        (FiniteRange(0, 100), "101", "'101' should be a number from 0 to 100"),
    ],
)
def test_a_number_that_is_none_is_answered_with_what_is_wanted(
    kind: click.ParamType[float], text: str, wanted: str
) -> None:
    with pytest.raises(click.BadParameter) as refused:
        kind.convert(text, None, None)

    assert wanted == refused.value.message


def test_a_whole_number_between_bounds_is_read() -> None:
    assert [1, 64] == [WholeRange(1, 64).convert(text, None, None) for text in ("1", "64")]


@pytest.mark.parametrize("text", ["1_0", "\u0661", "+1", "\uff11", "9" * 5000])
@pytest.mark.parametrize("kind", [WholeRange(0, 99), FiniteRange(0, 99)])
def test_what_python_would_read_besides_plain_digits_is_refused(
    kind: click.ParamType[float], text: str
) -> None:
    with pytest.raises(click.BadParameter):
        kind.convert(text, None, None)


@pytest.mark.parametrize("words", [("--depth", "\u0663"), ("--time", "1_0"), ("--workers", "1_0")])
def test_a_search_is_not_begun_with_such_a_number(words: tuple[str, str]) -> None:
    called = call("explore", "--model", "2pc", *words)

    assert 2 == called.code
    assert f"Invalid value for '{words[0]}': '{words[1]}' should be a " in called.err
    assert ", in plain digits" in called.err


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "2", "x"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        FiniteRange(0, 1).convert(text, None, None)


def test_a_count_is_read_with_spaces_around_it_or_without() -> None:
    assert [4, 4] == [read_count("4"), read_count(" 4 ")]


@pytest.mark.parametrize("text", ["", " ", "-1", "4.0", "1 0", "1_0", "\u0663", "\u00b2", "9" * 5000])
def test_what_is_no_count_is_none(text: str) -> None:
    assert read_count(text) is None


def test_the_most_that_a_count_can_be_is_what_a_message_says() -> None:
    most = COUNT.rpartition(" ")[2].replace(",", "")

    assert int(most) == read_count(most)
    assert read_count(str(int(most) + 1)) is None


@pytest.mark.parametrize("verb", ["explore", "simulate", "prove", "mutants"])
def test_a_time_that_never_ends_is_refused(verb: str) -> None:
    called = call(verb, "--model", "2pc", "--time", "nan")

    assert 2 == called.code
    assert "'nan' is no number that ends" in called.err
