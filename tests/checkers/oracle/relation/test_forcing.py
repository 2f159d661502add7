"""Where everything is placed as recorded, all that no order touches is as recorded."""

from copy import deepcopy

from nomadspec.checkers.oracle.relation.forcing import Forced, force
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.model.cluster.entities import DriverInfo, Node, Plan
from nomadspec.model.cluster.scheduler.reasons import Requested
from tests.checkers.oracle.relation.made_calls import find_document, make_call
from tests.model.cluster.scheduler.made import make_alloc, make_job, make_node

REQUEST = Requested(group="web", alloc_name="j.web[0]")


def make_forced(*, has_claims: bool = False) -> Forced:
    placed = make_alloc("x", create_index=0, node_id="b")
    return Forced(
        [Plan(job=make_job(), node_allocation={"b": (placed,)})], MapOrders(), has_claims=has_claims
    )


def test_a_recorded_call_misses_nothing() -> None:
    document = find_document()
    call = make_call(document)
    maps = MapOrders(is_descending=document["choices"]["map_order"] == "desc")

    assert force(call, maps).list_misses(call.facts) == set()


def test_a_name_that_was_not_given_is_missed() -> None:
    """GENERIC-36."""
    document = deepcopy(find_document())
    by_node = document["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    alloc = next(each for allocs in by_node.values() for each in allocs if not each.get("CreateIndex"))
    alloc["Name"] += "x"
    call = make_call(document)

    assert force(call, MapOrders()).list_misses(call.facts)


def test_every_place_is_that_of_the_recorded_node() -> None:
    forced = make_forced()
    forced.note_requests([REQUEST])
    order = forced.next_node_order([make_node(name) for name in "abc"])
    forced.begin_request(REQUEST)

    assert [node.id for node in order] == ["b", "b", "b"]
    assert forced.requests == {0: [REQUEST]}


def test_mates_that_may_decide_are_checked_before() -> None:
    """FEAS-22, FEAS-67."""
    ill = {"docker": DriverInfo(detected=True, healthy=False)}
    mates = [make_node("a", computed_class="v1:1", drivers=ill), make_node("b", computed_class="v1:1")]
    for has_claims, last in ((False, make_node("c", computed_class="v1:2")), (True, make_node("0"))):
        forced, checked = make_forced(has_claims=has_claims), list[Node]()
        forced.note_requests([REQUEST])
        forced.next_node_order([*mates, last])
        forced.begin_request(REQUEST)
        forced.begin_search(checked.append)
        assert [node.id for node in checked] == (["0", "a"] if has_claims else ["a"])
