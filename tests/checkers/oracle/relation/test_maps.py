"""Maps are visited as told, and else sorted or shuffled."""

from math import factorial

import pytest

from nomadspec.checkers.oracle.relation.maps import MapOrders, MapVisit, list_orders

VISIT = MapVisit(0, ("a", "b", "c"), 0)


def test_maps_are_sorted_either_way() -> None:
    assert MapOrders().order(0, "bca") == ["a", "b", "c"]
    assert MapOrders(is_descending=True).order(0, "bca") == ["c", "b", "a"]
    assert MapOrders().order(0, "bca", lambda key: -(key == "b")) == ["b", "a", "c"]


def test_a_visit_is_made_as_told_and_only_that() -> None:
    maps = MapOrders().with_told({VISIT: ("b", "c", "a")})

    assert maps.order(0, "abc") == ["b", "c", "a"]
    assert maps.order(0, "abc") == ["a", "b", "c"]
    assert maps.order(1, "abc") == ["a", "b", "c"]
    assert maps.used[VISIT] == ("b", "c", "a")
    assert maps.again().order(0, "abc") == ["b", "c", "a"]


def test_one_key_is_no_choice() -> None:
    maps = MapOrders()

    assert maps.order(0, "a") == ["a"]
    assert not maps.used


def test_a_seed_shuffles_each_visit_by_itself() -> None:
    maps = MapOrders(seed=1)
    first = [maps.order(0, range(9)) for _ in range(5)]
    again = maps.again()

    assert len({tuple(order) for order in first}) > 1
    assert first == [again.order(0, range(9)) for _ in range(5)]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_all_orders_of_a_small_map_are_listed(size: int) -> None:
    orders = list(list_orders(MapVisit(0, tuple("abcd"[:size]), 0)))

    assert len(orders) == len(set(orders)) == factorial(size)


def test_of_a_large_map_each_key_comes_first_once() -> None:
    keys = tuple("abcdefgh")
    orders = list(list_orders(MapVisit(0, keys, 0)))

    assert {order[0] for order in orders} == set(keys)
    assert all(sorted(order) == list(keys) for order in orders)
    assert len(orders) < 40
