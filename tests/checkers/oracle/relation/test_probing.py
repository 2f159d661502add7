"""A probing run places what was recorded, and learns how every node would fare in every search."""

from collections.abc import Callable

from nomadspec.checkers.oracle.relation.decision_tree import Script
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.probing import Following, Probe
from nomadspec.checkers.oracle.relation.pursuit import Knowledge
from nomadspec.model.cluster.entities import AllocMetric, Node, Plan
from nomadspec.model.cluster.scheduler.reasons import Requested, Scored
from tests.model.cluster.scheduler.made import make_alloc, make_job, make_node

NODES = [make_node(name) for name in "abc"]
PLACED = make_alloc("x", create_index=0, node_id="b", metrics=AllocMetric(nodes_evaluated=1))
PLAN = Plan(job=make_job(), node_allocation={"b": (PLACED,)})
REQUEST = Requested(group="web", alloc_name="j.web[0]")


def make_probe() -> Probe:
    return Probe([PLAN], MapOrders())


def score(node: Node) -> Scored:
    return Scored(node_id=node.id, scores={}, norm_score=0.5)


def examine_for(probe: Probe) -> Callable[[Node], object]:
    return lambda node: probe.note_visit(score(node))


def test_every_search_meets_the_recorded_node_after_all_were_examined() -> None:
    probe = make_probe()
    probe.note_requests([REQUEST])
    order = probe.next_node_order(NODES)
    probe.begin_request(REQUEST)
    probe.begin_search(examine_for(probe))

    assert [node.id for node in order] == ["b", "b", "b"]
    probe.note_visit(score(order[0]))
    probe.end_selection("web", "j.web[0]", "b")
    (stretch,) = probe.orders[0].stretches
    assert stretch.verdicts.keys() == {"a", "b", "c"}
    assert (stretch.alloc, stretch.limit, stretch.is_aside) == (PLACED, 1, False)


def test_a_search_that_asks_nobody_of_the_order_stands_aside() -> None:
    """RANK-13."""
    probe = make_probe()
    probe.note_requests([REQUEST])
    probe.next_node_order(NODES)
    probe.begin_request(REQUEST)
    probe.begin_search(examine_for(probe))
    probe.end_selection("web", "j.web[0]", "")

    (stretch,) = probe.orders[0].stretches
    assert (stretch.alloc, stretch.is_aside) == (None, True)


def test_nothing_is_probed_before_anything_was_asked_for() -> None:
    probe = make_probe()
    probe.begin_search(examine_for(probe))
    probe.end_selection("web", "j.web[0]", "b")

    assert probe.orders == []


def test_orders_that_are_given_are_followed() -> None:
    given = NODES[::-1]
    following = Following([PLAN], Script(), Knowledge(), MapOrders()).follow(iter([given]))
    following.note_requests([REQUEST])

    assert following.next_node_order(NODES) == given
    assert len(following.next_node_order(NODES)) == 3
