"""The entry in which clients tell how their allocations are: ALLOC-09, FSM-20..24."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    AllocNetworkStatus,
    AllocState,
    Evaluation,
    Node,
    TaskState,
)
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.handed_to_leader import (
    DropWaiting,
    Enqueue,
    UnblockClassAndQuota,
    UnblockNode,
)
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.store.made import KEY, do, make_alloc, make_eval, make_job, need, register, with_rows

UNKNOWN = (AllocState(value="unknown", time_ns=1),)


def begin(*allocs: Allocation, evals: tuple[Evaluation, ...] = ()) -> State:
    draft = Draft.of(with_rows(register(), allocs, evals), 3, profile=NOMAD_2_0)
    draft.put(Node(id="n1", computed_class="big", modify_index=3))
    return draft.finish()


def report(
    state: State, *updates: Allocation, evals: tuple[Evaluation, ...] = (), profile: Profile = NOMAD_2_0
) -> Applied:
    return do(state, AllocClientUpdate(alloc=updates, evals=evals), profile=profile)


def make_update(status: str = "running", **fields: object) -> Allocation:
    return replace(Allocation(id="a1", node_id="n1", client_status=status, modify_time_ns=7), **fields)


def test_what_clients_own_is_replaced_and_the_rest_stays() -> None:
    """OBJ-406, OBJ-220."""
    update = make_update(
        client_description="up",
        task_states={"t": TaskState(state="running")},
        network_status=AllocNetworkStatus(address="1.2.3.4"),
        desired_status="stop",
    )
    alloc = need(report(begin(make_alloc(alloc_modify_index=4)), update).state.find_alloc("a1"))

    assert ("running", "up", 10, 4, 7, "run") == (
        alloc.client_status,
        alloc.client_description,
        alloc.modify_index,
        alloc.alloc_modify_index,
        alloc.modify_time_ns,
        alloc.desired_status,
    )
    assert (update.task_states, update.network_status) == (alloc.task_states, alloc.network_status)


@pytest.mark.parametrize(
    ("stored", "told", "kept"),
    [
        (None, AllocDeploymentStatus(canary=True), AllocDeploymentStatus(canary=True, modify_index=10)),
        (AllocDeploymentStatus(canary=True), None, AllocDeploymentStatus(canary=True)),
        (
            AllocDeploymentStatus(canary=True),
            AllocDeploymentStatus(healthy=True, timestamp_ns=5),
            AllocDeploymentStatus(healthy=True, timestamp_ns=5, canary=True, modify_index=10),
        ),
        (
            AllocDeploymentStatus(healthy=True, timestamp_ns=4),
            AllocDeploymentStatus(healthy=True, timestamp_ns=5),
            AllocDeploymentStatus(healthy=True, timestamp_ns=4),
        ),
        (
            AllocDeploymentStatus(healthy=True, timestamp_ns=4),
            AllocDeploymentStatus(timestamp_ns=5),
            AllocDeploymentStatus(healthy=True, timestamp_ns=4),
        ),
    ],
)
def test_health_is_merged(
    stored: AllocDeploymentStatus | None,
    told: AllocDeploymentStatus | None,
    kept: AllocDeploymentStatus | None,
) -> None:
    """OBJ-256."""
    state = report(begin(make_alloc(deployment_status=stored)), make_update(deployment_status=told)).state

    assert kept == need(state.find_alloc("a1")).deployment_status


def test_the_node_remembers_the_update_without_moving_its_index() -> None:
    """OBJ-417, OBJ-160."""
    state = report(begin(make_alloc()), make_update()).state
    node = need(state.find_node("n1"))

    assert (10, 3) == (node.last_alloc_update_index, node.modify_index)
    assert 10 == state.index_of("nodes")


def test_unknown_allocs_are_skipped_and_their_node_is_marked() -> None:
    state = report(begin(), make_update()).state

    assert 0 == len(state.allocs)
    assert (10, 10) == (state.index_of("allocs"), need(state.find_node("n1")).last_alloc_update_index)


def test_an_update_that_cannot_be_counted_is_dropped_and_the_rest_goes_on() -> None:
    """OBJ-406."""
    state = begin(make_alloc(task_group="gone"), make_alloc(id="a2"))
    after = report(state, make_update(), make_update(id="a2")).state

    assert ("pending", "running") == (
        need(after.find_alloc("a1")).client_status,
        need(after.find_alloc("a2")).client_status,
    )


def test_an_entry_without_allocs_does_nothing() -> None:
    """FSM-20."""
    state = begin()

    assert state == report(state, evals=(make_eval(),)).state


def test_the_status_of_the_job_follows() -> None:
    assert "running" == need(report(begin(make_alloc()), make_update()).state.find_job(*KEY)).status


def test_ended_allocs_free_capacity_after_evaluations_are_handed_over() -> None:
    """FSM-21, FSM-22."""
    applied = report(begin(make_alloc()), make_update("complete"), evals=(make_eval(),))

    assert [Enqueue, UnblockClassAndQuota, UnblockNode] == [type(thing) for thing in applied.handed]
    assert UnblockClassAndQuota("big", "", 10) == applied.handed[1]


@pytest.mark.parametrize("status", ["running", "lost", "unknown"])
def test_others_free_nothing(status: str) -> None:
    assert () == report(begin(make_alloc()), make_update(status)).handed


def test_a_node_that_is_gone_ends_what_is_handed_over() -> None:
    """FSM-22."""
    updates = (make_update("complete", node_id="gone"), make_update("complete"))

    assert () == report(begin(make_alloc()), *updates).handed


def make_waiting(**fields: object) -> Allocation:
    return replace(make_alloc(client_status="unknown", alloc_states=UNKNOWN, followup_eval_id="f"), **fields)


FOLLOW_UP = make_eval(id="f", wait_until_ns=99, modify_time_ns=5)


@pytest.mark.parametrize("status", ["running", "complete", "failed"])
def test_a_reconnect_calls_the_follow_up_off(status: str) -> None:
    """FSM-23, FSM-24, EVAL-45, OBJ-226."""
    applied = report(begin(make_waiting(), evals=(FOLLOW_UP,)), make_update(status))
    follow_up = need(applied.state.find_eval("f"))

    assert "" == need(applied.state.find_alloc("a1")).followup_eval_id
    assert ("canceled", "allocs reconnected", 10, 5) == (
        follow_up.status,
        follow_up.status_description,
        follow_up.modify_index,
        follow_up.modify_time_ns,
    )
    assert DropWaiting(follow_up) == applied.handed[-1]


@pytest.mark.parametrize(
    ("stored", "update"),
    [
        (make_waiting(alloc_states=()), make_update()),
        (make_waiting(followup_eval_id=""), make_update()),
        (make_waiting(), make_update("pending")),
    ],
)
def test_what_is_no_reconnect(stored: Allocation, update: Allocation) -> None:
    applied = report(begin(stored, evals=(FOLLOW_UP,)), update)

    assert "pending" == need(applied.state.find_eval("f")).status
    assert stored.followup_eval_id == need(applied.state.find_alloc("a1")).followup_eval_id
    assert () == applied.handed


def test_a_follow_up_that_others_wait_for_is_called_off_but_not_as_intended() -> None:
    """02/S3."""
    state = begin(make_waiting(), make_waiting(id="a2"), evals=(FOLLOW_UP,))

    assert "canceled" == need(report(state, make_update()).state.find_eval("f")).status
    assert "pending" == need(report(state, make_update(), profile=INTENDED).state.find_eval("f")).status
    named = make_update(namespace="default")
    assert "pending" == need(report(state, named).state.find_eval("f")).status


def test_a_follow_up_that_is_over_is_called_off_but_not_as_intended() -> None:
    """X-07."""
    state = begin(make_waiting(), evals=(replace(FOLLOW_UP, status="complete"),))

    assert "canceled" == need(report(state, make_update()).state.find_eval("f")).status
    assert "complete" == need(report(state, make_update(), profile=INTENDED).state.find_eval("f")).status


def test_a_follow_up_that_is_gone_is_no_matter() -> None:
    applied = report(begin(make_waiting()), make_update())

    assert (None, ()) == (applied.error, applied.handed)
    assert make_job().id == need(need(applied.state.find_alloc("a1")).job).id
