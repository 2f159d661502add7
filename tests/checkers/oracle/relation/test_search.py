"""A search finds orders of nodes that lead to what was recorded, and says why there are none."""

from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.search import Found, OrderSearch
from tests.checkers.oracle.relation.made_calls import find_document, make_call


def make_search(document: dict[str, Any]) -> tuple[OrderSearch, MapOrders]:
    maps = MapOrders(is_descending=document["choices"]["map_order"] == "desc")
    return OrderSearch(make_call(document)), maps


def first_placed(document: dict[str, Any]) -> dict[str, Any]:
    by_node = document["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    return next(each for allocs in by_node.values() for each in allocs if not each.get("CreateIndex"))


@pytest.mark.parametrize("file", ["service-00", "large-00"])
def test_orders_are_found(file: str) -> None:
    search, maps = make_search(find_document(file=file))

    assert search.examine(maps).facts == {}
    assert search.search(maps) is Found.FOUND


def test_a_call_without_orders_is_made_once() -> None:
    document = find_document(file="system-00", nodes=0)
    search, maps = make_search(document)

    assert search.search(maps) is Found.FOUND
    document["outcome"]["error"] = "x"
    search, maps = make_search(document)
    assert search.search(maps) is Found.NONE


@pytest.mark.parametrize("file", ["service-00", "large-00"])
def test_metrics_that_no_order_leads_to_are_told(file: str) -> None:
    """FEAS-86."""
    changed = deepcopy(find_document(file=file))
    first_placed(changed)["Metrics"]["NodesEvaluated"] += 1
    search, maps = make_search(changed)

    assert search.examine(maps).facts
    assert search.search(maps) is not Found.FOUND
    assert [difference.rule for difference in search.explain()] or search.breaches
