"""Guesses of how many worlds there are, from the levels of searches whose end is known."""

import pytest

from nomadspec.checkers.explore.growth import guess_total

TWO_PHASES = (1, 11, 55, 170, 375, 652, 962, 1250, 1425, 1390, 1131, 753, 405, 175, 60, 15, 2)
SEVEN = (
    1, 15, 105, 462, 1456, 3570, 7259, 12861, 20449, 29372, 37772, 42924, 42651, 36785, 27371, 17447, 9436,
    4277, 1603, 490, 119, 21, 2,
)  # fmt: skip
FLIP = (
    1, 6, 38, 120, 402, 1178, 2496, 3876, 5584, 9906, 20081, 29556, 31590, 32280, 43538, 64554, 71056, 61058,
    56498, 69712, 81557, 73944, 59228, 58284, 71820, 74768, 59360, 41256, 34780, 36408, 31544, 22016, 14176,
    12320, 13744, 11360, 6744, 2720, 416,
)  # fmt: skip


@pytest.mark.parametrize("levels", [TWO_PHASES, SEVEN, FLIP])
def test_the_truth_lies_in_most_ranges(levels: tuple[int, ...]) -> None:
    whole = sum(levels)
    guesses = [guess_total(levels[:known]) for known in range(9, len(levels) - 3)]
    met = [
        one is not None and one.low <= whole and (one.high is None or one.high >= whole) for one in guesses
    ]

    assert met.count(True) >= 0.75 * len(met)


@pytest.mark.parametrize("levels", [SEVEN, FLIP])
def test_a_range_is_narrow_once_most_is_known(levels: tuple[int, ...]) -> None:
    guess = guess_total(levels[:-6])

    assert guess is not None
    assert guess.high is not None
    assert guess.high < 1.2 * guess.low
    assert len(levels) - 6 < guess.levels < len(levels) + 15


def test_few_levels_tell_nothing() -> None:
    assert guess_total(TWO_PHASES[:7]) is None
    assert guess_total(()) is None
    assert guess_total((*TWO_PHASES[:9], 0, 3)) is None
    assert guess_total((*TWO_PHASES[:9], -2, 3)) is None


@pytest.mark.parametrize(
    "levels", [[2**level for level in range(12)], [5 * level + 1 for level in range(5)] * 3]
)
def test_no_end_is_invented_where_growth_does_not_slow_down(levels: list[int]) -> None:
    guess = guess_total(levels)

    assert guess is not None
    assert guess.high is None or guess.high > 2 * sum(levels)
