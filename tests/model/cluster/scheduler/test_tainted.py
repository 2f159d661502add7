"""Tainted nodes are found, and what was being stopped on lost ones is marked."""

import pytest

from nomadspec.model.cluster.entities import DrainStrategy, Node
from nomadspec.model.cluster.scheduler.tainted import find_tainted, stop_lost
from tests.model.cluster.scheduler.made import make_alloc, make_context, make_node, make_snapshot

DRAIN = DrainStrategy()


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (make_node(), False),
        (make_node(scheduling_eligibility="ineligible"), False),
        (make_node(status="initializing"), False),
        (make_node(drain_strategy=DRAIN), True),
        (make_node(status="initializing", drain_strategy=DRAIN), True),
        (make_node(status="down"), True),
        (make_node(status="disconnected"), True),
    ],
    ids=range(7),
)
def test_a_node_is_tainted_by_its_status_or_drain(node: Node, expected: bool) -> None:
    """GENERIC-13, NODE-02."""
    tainted = find_tainted(make_snapshot(node), [make_alloc()])

    assert tainted == ({"n1": node} if expected else {})


def test_a_node_that_is_gone_is_tainted() -> None:
    """GENERIC-13."""
    assert find_tainted(make_snapshot(), [make_alloc()]) == {"n1": None}


@pytest.mark.parametrize(
    ("desired", "client", "node", "expected"),
    [
        ("stop", "running", None, True),
        ("evict", "pending", make_node(status="down"), True),
        ("stop", "unknown", None, False),
        ("stop", "complete", None, False),
        ("run", "running", None, False),
        ("stop", "running", make_node(status="disconnected"), False),
        ("stop", "running", make_node(drain_strategy=DRAIN), False),
        ("stop", "running", make_node(), False),
    ],
    ids=range(8),
)
def test_what_was_being_stopped_on_a_lost_node_is_lost(
    desired: str, client: str, node: Node | None, expected: bool
) -> None:
    """GENERIC-14, SYSTEM-13."""
    snapshot = make_snapshot(*([node] if node else []))
    alloc = make_alloc(desired_status=desired, client_status=client)
    plan = make_context(snapshot).plan

    stop_lost(plan, [alloc], find_tainted(snapshot, [alloc]))

    stops = [stop.client_status for stop in plan.node_update.get("n1", ())]
    assert stops == (["lost"] if expected else [])
