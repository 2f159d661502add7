"""The cache of two queues."""

from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.components.two_queue_cache import TwoQueues, look_up, put


def fill(*keys: str, capacity: int = 4) -> TwoQueues[str]:
    cache: TwoQueues[str] = TwoQueues(capacity=capacity)
    for key in keys:
        cache = put(cache, key, key.upper())
    return cache


def test_what_was_used_once_goes_first() -> None:
    _, cache = look_up(fill("a", "b", "c", "d"), "a")
    cache = put(cache, "e", "E")

    assert (("c", "d", "e"), ("a",), ("b",)) == (cache.once, cache.often, cache.gone)


def test_what_comes_back_is_used_often() -> None:
    cache = put(fill("a", "b", "c", "d", "e"), "a", "again")

    assert ("a",) == cache.often
    assert "again" == look_up(cache, "a")[0]


def test_a_miss_changes_nothing() -> None:
    cache = fill("a")

    assert (None, cache) == look_up(cache, "z")


def test_what_is_used_often_goes_where_nothing_else_is_there() -> None:
    cache = fill("a", "b", "c", "d")
    for key in "abcd":
        _, cache = look_up(cache, key)

    assert (("e",), ("b", "c", "d"), ()) == (
        put(cache, "e", "E").once,
        put(cache, "e", "E").often,
        cache.gone,
    )


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), max_size=60))
def test_it_never_holds_more_than_it_may(uses: list[tuple[bool, str]]) -> None:
    cache: TwoQueues[str] = TwoQueues(capacity=4)
    for is_put, key in uses:
        cache = put(cache, key, key) if is_put else look_up(cache, key)[1]

        assert sorted((*cache.once, *cache.often)) == sorted(cache.values)
        assert len(cache.values) <= 4
        assert len(cache.gone) <= 2
        assert not set(cache.gone) & set(cache.values)
