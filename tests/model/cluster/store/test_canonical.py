"""What the state machine fills in before it stores an object."""

from nomadspec.model.cluster.entities import DrainStrategy, Node, NodePool, WorkloadIdentity
from nomadspec.model.cluster.store.canonical import (
    DEFAULT_IDENTITY,
    canonicalize_job,
    canonicalize_node,
    canonicalize_node_pool,
)
from tests.model.cluster.store.made import make_job


def test_tasks_get_a_default_identity_and_keep_their_own() -> None:
    job = canonicalize_job(make_job())

    assert DEFAULT_IDENTITY == job.task_groups[0].tasks[0].identity
    assert job is canonicalize_job(job)


def test_a_node_gets_a_pool_and_is_open_unless_it_drains() -> None:
    """OBJ-163."""
    node = canonicalize_node(Node())

    assert ("default", "eligible") == (node.node_pool, node.scheduling_eligibility)
    assert "ineligible" == canonicalize_node(Node(scheduling_eligibility="ineligible")).scheduling_eligibility
    assert "ineligible" == canonicalize_node(Node(drain_strategy=DrainStrategy())).scheduling_eligibility


def test_identities_of_a_pool_live_a_day_unless_it_says_otherwise() -> None:
    """OBJ-167."""
    assert 86_400_000_000_000 == canonicalize_node_pool(NodePool()).node_identity_ttl_ns
    assert 5 == canonicalize_node_pool(NodePool(node_identity_ttl_ns=5)).node_identity_ttl_ns
    assert WorkloadIdentity() != DEFAULT_IDENTITY
