import pytest

from nomadspec.model.cluster.constraints.regex_characters import CharacterSet, compute_range
from nomadspec.model.cluster.constraints.regex_program import (
    Check,
    Place,
    Program,
    Take,
    is_match,
    join_choices,
    repeat,
)


def take(character: str) -> Program:
    return (Take(CharacterSet((compute_range(character, character),))),)


BEGIN, END = (Check(Place.TEXT_BEGIN),), (Check(Place.TEXT_END),)


def test_a_program_matches_anywhere() -> None:
    assert is_match(take("b"), "abc")
    assert not is_match(take("d"), "abc")
    assert is_match((), "")


@pytest.mark.parametrize(("text", "expected"), [("a", True), ("b", True), ("c", True), ("d", False)])
def test_any_choice_will_do(text: str, expected: bool) -> None:
    assert expected == is_match(join_choices([take("a"), take("b"), take("c")]), text)


@pytest.mark.parametrize(
    ("least", "most", "counts"),
    [(0, None, [0, 1, 2, 3]), (2, None, [2, 3]), (1, 2, [1, 2]), (0, 0, [0]), (2, 2, [2])],
)
def test_repetition_counts(least: int, most: int | None, counts: list[int]) -> None:
    program = (*BEGIN, *repeat(take("a"), least, most), *END)

    assert counts == [count for count in range(4) if is_match(program, "a" * count)]


def test_repeating_nothing_ends() -> None:
    assert is_match(repeat(repeat((), 0, None), 1, None), "a")


def test_work_does_not_grow_with_the_ways_to_match() -> None:
    nested = repeat(repeat(take("a"), 0, None), 0, None)

    assert not is_match((*BEGIN, *nested, *take("b")), "a" * 500)


@pytest.mark.parametrize(
    ("place", "places"),
    [
        (Place.TEXT_BEGIN, [0]),
        (Place.TEXT_END, [4]),
        (Place.LINE_BEGIN, [0, 2]),
        (Place.LINE_END, [1, 4]),
        (Place.WORD_EDGE, [0, 1, 2, 3]),
        (Place.NO_WORD_EDGE, [4]),
    ],
)
def test_places_between_characters(place: Place, places: list[int]) -> None:
    text = "a\nb-"
    anything: Program = (Take(CharacterSet((), negated=True)),)
    found = [
        at
        for at in range(5)
        if is_match((*BEGIN, *anything * at, Check(place), *anything * (4 - at), *END), text)
    ]

    assert places == found
