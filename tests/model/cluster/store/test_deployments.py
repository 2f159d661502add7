"""Entries about deployments: status, promotion, health, deletion."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    DeploymentStatusUpdate,
)
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.handed_to_leader import Enqueue
from nomadspec.model.cluster.store.requests import (
    DeploymentAllocHealth,
    DeploymentDelete,
    DeploymentPromote,
    DeploymentUpdateStatus,
)
from tests.model.cluster.store.made import (
    KEY,
    NOW_NS,
    do,
    make_alloc,
    make_deployment,
    make_eval,
    make_job,
    need,
    register,
    with_rows,
)

FAILED = DeploymentStatusUpdate(deployment_id="d1", status="failed", updated_at_ns=5)


def make_canary(name: str = "c1", healthy: bool | None = True, **fields: object) -> Allocation:
    status = AllocDeploymentStatus(healthy=healthy, canary=True)
    return make_alloc(id=name, deployment_id="d1", deployment_status=status, **fields)


def make_canaries(**fields: object) -> DeploymentState:
    return replace(DeploymentState(desired_canaries=1, placed_canaries=("c1",)), **fields)


def begin(state: DeploymentState | None = None, *allocs: Allocation, **fields: object) -> State:
    deployment = make_deployment(state or make_canaries(), **fields)
    return with_rows(register(), allocs, deployments=(deployment,))


def promote(state: State, **fields: object) -> Applied:
    request = replace(
        DeploymentPromote(deployment_id="d1", all=True, promoted_at_ns=8, eval=make_eval()), **fields
    )
    return do(state, request)


def read_deployment(applied: Applied) -> Deployment:
    return need(applied.state.find_deployment("d1"))


def test_a_failure_rolls_the_job_back_in_the_same_entry() -> None:
    """DEP-61."""
    request = DeploymentUpdateStatus(deployment_update=FAILED, job=make_job(stable=True), eval=make_eval())
    applied = do(begin(), request)
    job = need(applied.state.find_job(*KEY))

    assert ("failed", 1, True, 2) == (
        read_deployment(applied).status,
        job.version,
        job.stable,
        job.create_index,
    )
    assert [Enqueue] == [type(thing) for thing in applied.handed]
    assert 1 == len(applied.transactions)


def test_the_status_of_the_job_does_not_follow_the_evaluation() -> None:
    """DEP-30."""
    state = do(begin(status="paused"), DeploymentUpdateStatus(eval=make_eval())).state

    assert "pending" == need(state.find_job(*KEY)).status
    assert 2 == need(state.find_job(*KEY)).modify_index


def test_a_promotion_ends_the_canaries_and_restarts_the_clock_by_the_server() -> None:
    """DEP-28, 01/S14."""
    timed = make_canaries(progress_deadline_ns=100, require_progress_by_ns=5)
    applied = promote(begin(timed, make_canary(), status_description="waits"))
    deployment, canary = read_deployment(applied), need(applied.state.find_alloc("c1"))
    group = need(deployment.task_groups["g"])

    assert (True, NOW_NS + 100) == (group.promoted, group.require_progress_by_ns)
    assert ("Deployment is running", 8) == (deployment.status_description, deployment.modify_time_ns)
    assert not need(canary.deployment_status).canary
    assert (10, 10, 10) == (
        canary.modify_index,
        canary.alloc_modify_index,
        need(canary.deployment_status).modify_index,
    )


def test_a_clock_that_does_not_run_is_not_started() -> None:
    applied = promote(begin(make_canaries(progress_deadline_ns=100), make_canary()))

    assert 0 == need(read_deployment(applied).task_groups["g"]).require_progress_by_ns


@pytest.mark.parametrize(
    "canary",
    [
        make_canary(healthy=None),
        make_canary(healthy=False),
        make_canary(desired_status="stop"),
        make_canary(name="unlisted"),
    ],
)
def test_too_few_healthy_canaries_are_told_by_group(canary: Allocation) -> None:
    """DEP-27."""
    applied = promote(begin(None, canary))

    assert '1 error occurred:\n\t* Task group "g" has 0/1 healthy allocations\n\n' == applied.error
    assert 0 == len(applied.state.evals)


def test_several_groups_are_told_together() -> None:
    state = begin(task_groups={"b": make_canaries(), "a": make_canaries()})

    assert need(promote(state).error).startswith('2 errors occurred:\n\t* Task group "a"')


def test_only_the_named_groups_are_promoted_and_names_that_are_not_there_are_ignored() -> None:
    """DEP-27, DEP-28."""
    state = begin(
        None, make_canary(), task_groups={"g": make_canaries(), "h": make_canaries(placed_canaries=())}
    )
    applied = promote(state, all=False, groups=("g", "missing"))
    groups = read_deployment(applied).task_groups

    assert (True, False) == (need(groups["g"]).promoted, need(groups["h"]).promoted)
    assert "" == read_deployment(applied).status_description


def test_no_group_at_all_still_makes_the_evaluation() -> None:
    """DEP-28."""
    assert 1 == len(promote(begin(), all=False).state.evals)


def set_health(state: State, **fields: object) -> Applied:
    return do(state, replace(DeploymentAllocHealth(deployment_id="d1", timestamp_ns=70), **fields))


def test_health_is_set_and_counted_and_the_client_is_not_told() -> None:
    """DEP-29, OBJ-412."""
    applied = set_health(begin(None, make_canary(healthy=None)), healthy_allocation_ids=("c1",))
    alloc = need(applied.state.find_alloc("c1"))
    status = need(alloc.deployment_status)

    assert (True, 70, 10, True) == (status.healthy, status.timestamp_ns, status.modify_index, status.canary)
    assert (10, 0, 70) == (alloc.modify_index, alloc.alloc_modify_index, alloc.modify_time_ns)
    assert 1 == need(read_deployment(applied).task_groups["g"]).healthy_allocs


def test_one_in_both_lists_ends_unhealthy() -> None:
    applied = set_health(
        begin(None, make_alloc(id="c1", deployment_id="d1")),
        healthy_allocation_ids=("c1",),
        unhealthy_allocation_ids=("c1",),
        deployment_update=FAILED,
        job=make_job(),
        eval=make_eval(),
    )

    assert need(need(applied.state.find_alloc("c1")).deployment_status).healthy is False
    assert ("failed", 1) == (read_deployment(applied).status, need(applied.state.find_job(*KEY)).version)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gone", 'unknown alloc "gone"'),
        ("stranger", 'alloc "stranger" is not part of deployment "d1"'),
    ],
)
def test_an_alloc_from_elsewhere_refuses_the_whole_request(name: str, text: str) -> None:
    """DEP-29."""
    state = begin(None, make_canary(healthy=None), make_alloc(id="stranger"))
    applied = set_health(state, healthy_allocation_ids=("c1", name))

    assert (text, state) == (applied.error, applied.state)


def test_deletion_skips_what_is_missing() -> None:
    """GC-93."""
    assert 0 == len(do(begin(), DeploymentDelete(deployments=("gone", "d1"))).state.deployments)
    assert 0 == do(register(), DeploymentDelete()).state.index_of("deployment")
