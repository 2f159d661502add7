"""Shuffles are the same, whether their numbers are drawn one by one or many at a time."""

from random import Random

import pytest

from nomadspec.model.cluster.scheduler.draws import shuffle, shuffle_many, shuffle_one_by_one

LENGTHS = (0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 258, 512, 513, 514, 1000)


@pytest.mark.parametrize("length", LENGTHS)
def test_many_numbers_at_a_time_shuffle_as_one_by_one(length: int) -> None:
    draws = (0, 1, 2**64 - 1, *(Random(length).getrandbits(64) for _ in range(5)))

    for draw in draws:
        slowly = shuffle_one_by_one(list(range(length)), draw)
        assert slowly == shuffle_many(list(range(length)), draw)
        assert slowly == shuffle(list(range(length)), draw)


def test_a_shuffle_follows_from_its_number() -> None:
    assert ["a", "e", "d", "b", "c"] == shuffle(list("abcde"), 12345)
