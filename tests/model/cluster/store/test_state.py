"""Building a state, looking things up in it, and the order of what it lists."""

from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.cluster.store import State


def test_an_empty_state_has_no_index() -> None:
    assert State().latest_index == 0
    assert State().index_of("nodes", "allocs") == 0


def test_indexes_are_the_greatest_of_the_objects() -> None:
    state = State.of(nodes=[Node(id="a", modify_index=4), Node(id="b", modify_index=7)], indexes={"evals": 9})

    assert 7 == state.index_of("nodes")
    assert 9 == state.latest_index


def test_allocs_are_found_by_node_job_eval_and_deployment_in_the_order_of_their_ids() -> None:
    """OBJ-010."""
    alloc = Allocation(id="b", node_id="n", namespace="x", job_id="j", eval_id="e", deployment_id="d")
    other = Allocation(id="a", node_id="n", namespace="y", job_id="j", eval_id="e")
    state = State.of(allocs=[alloc, other])

    assert (other, alloc) == state.list_allocs_of_node("n")
    assert (alloc,) == state.list_allocs_of_job("x", "j")
    assert (other, alloc) == state.list_allocs_of_eval("e")
    assert (alloc,) == state.list_allocs_of_deployment("d")
    assert () == state.list_allocs_of_deployment("")


def test_versions_come_newest_first_and_jobs_without_any_are_their_own() -> None:
    old, new = Job(id="j", namespace="x", version=1), Job(id="j", namespace="x", version=2)
    lone = Job(id="l", namespace="x")

    assert (new, old) == State.of(jobs=[new], job_versions=[old, new]).list_job_versions("x", "j")
    assert old is State.of(jobs=[new], job_versions=[old, new]).find_job_version("x", "j", 1)
    assert (lone,) == State.of(jobs=[lone]).list_job_versions("x", "l")


def test_evals_are_listed_in_the_order_of_their_creation() -> None:
    """LEADER-02: by the index of the creation, then by ID."""
    first, second = Evaluation(id="z", create_index=3), Evaluation(id="a", create_index=5)
    tied = Evaluation(id="b", create_index=5)

    assert (first, second, tied) == State.of(evals=[tied, second, first]).list_evals()


def test_the_latest_deployment_is_the_one_created_last() -> None:
    """OBJ-276."""
    old = Deployment(id="z", namespace="x", job_id="j", create_index=3)
    new = Deployment(id="a", namespace="x", job_id="j", create_index=5)

    assert new is State.of(deployments=[old, new]).find_latest_deployment("x", "j")
    assert State().find_latest_deployment("x", "j") is None


def test_children_are_found_by_their_parent() -> None:
    parent = Job(id="p", namespace="x")
    child = Job(id="p/dispatch-1", namespace="x", parent_id="p")

    assert (child,) == State.of(jobs=[parent, child]).list_children("x", "p")


def test_allocs_of_a_node_that_are_not_terminal_come_first() -> None:
    """TRIG-29."""
    statuses = {"a": "complete", "b": "running", "c": "failed", "d": "pending"}
    allocs = [Allocation(id=name, node_id="n", client_status=status) for name, status in statuses.items()]

    listed = State.of(allocs=allocs).list_allocs_of_node("n")

    assert ["b", "d", "a", "c"] == [alloc.id for alloc in listed]
