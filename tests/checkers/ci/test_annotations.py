"""Annotations of GitHub Actions: a line each, of which no text begins another."""

from nomadspec.checkers.ci.annotations import list_annotations
from tests.checkers.ci.cases import make_outcomes


def test_each_is_one_line_whatever_the_names_are() -> None:
    lines = list_annotations(make_outcomes())

    assert 2 == len(lines)
    assert [] == [line for line in lines if "\n" in line or "\x1b" in line]


def test_a_comma_or_colon_ends_no_property() -> None:
    (first, _) = list_annotations(make_outcomes("a,b: c%"))

    assert (
        "::error file=a%2Cb%3A c%25/x.py,line=7,title=a%2Cb%3A c%25%3A a%2Cb%3A c%250::a,b: c%25%0Aa,b: c%25"
        == first
    )


def test_there_are_no_more_than_are_shown() -> None:
    lines = list_annotations(make_outcomes("x", many=30))

    assert (10, "::error title=nomadspec verify::and 22 more, see the summary") == (len(lines), lines[-1])
