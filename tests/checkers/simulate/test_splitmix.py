"""Random numbers are the same everywhere."""

from collections import Counter

import pytest

from nomadspec.checkers.simulate.splitmix import SplitMix64, check_seed, generator_of, mix
from nomadspec.model.errors import UsageError


def test_the_published_sequence_comes_out() -> None:
    numbers = SplitMix64(1234567)

    assert [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ] == [numbers.next_bits() for _ in range(5)]


def test_numbers_below_a_bound_come_evenly() -> None:
    numbers = generator_of(seed=5, walk=0)
    drawn = Counter(numbers.below(3) for _ in range(3000))

    assert {0, 1, 2} == set(drawn)
    assert all(900 < times < 1100 for times in drawn.values())


def test_the_largest_bound_is_not_exceeded() -> None:
    numbers = SplitMix64(0)

    assert all(numbers.below(1) == 0 for _ in range(100))


def test_no_two_walks_of_a_few_seeds_begin_alike() -> None:
    begun = {generator_of(seed, walk).next_bits() for seed in range(20) for walk in range(50)}

    assert 1000 == len(begun)


def test_mixing_stays_within_64_bits() -> None:
    assert all(0 <= mix(number) < 1 << 64 for number in (0, 1, (1 << 64) - 1))


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_that_does_not_fit_is_refused(seed: int) -> None:
    with pytest.raises(UsageError, match="from 0 to"):
        check_seed(seed)
