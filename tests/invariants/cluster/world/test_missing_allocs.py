from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.invariants.cluster.world.missing_allocs import find_excuse
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    DeploymentStatus,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
)
from nomadspec.model.cluster.entities.allocation import DesiredTransition
from nomadspec.model.cluster.world import World
from tests.invariants.cluster.world.planted import RUNNING, change, play

STOPPED = {"desired_status": "stop", "client_status": "complete"}
FAILED = {"client_status": "failed"}


def _count_forgotten(world: World) -> int | None:
    (job,) = world.state.jobs.values()
    return find_excuse(world, job, job.task_groups[0])


def _lose_one(status: str, **values: Any) -> World:
    """Lose an allocation of a deployment with this status; no evaluation looks at its job."""
    return change(change(play(RUNNING), "deployments", status=status), "allocs", **values)


def _try_canaries(world: World, *, promoted: bool) -> World:
    (deployment,) = world.state.deployments.values()
    ((name, state),) = deployment.task_groups.items()
    assert state is not None
    return change(
        world, "deployments", task_groups={name: replace(state, desired_canaries=1, promoted=promoted)}
    )


@pytest.mark.parametrize("status", ["running", "successful", "cancelled", "blocked", "unblocking"])
def test_a_deployment_that_halts_nothing_excuses_no_missing_allocation(status: str) -> None:
    """REC-11, REC-82."""
    assert status in {*DeploymentStatus}
    assert _count_forgotten(_lose_one(status, **STOPPED)) == 1


@pytest.mark.parametrize("status", ["paused", "pending", "initializing", "failed"])
def test_a_deployment_that_halts_placements_excuses_them(status: str) -> None:
    """REC-11, REC-82."""
    assert _count_forgotten(_lose_one(status, **STOPPED)) is None


@pytest.mark.parametrize(("deployment", "found"), [("collected", None), ("", 1)])
def test_a_deployment_that_was_collected_may_have_failed(deployment: str, found: int | None) -> None:
    """GC-40, REC-82: the last evaluation of the job was about it, and nothing else tells what came of it."""
    world = _lose_one("successful", **STOPPED)
    (job,) = world.state.jobs.values()
    evals = world.state.list_evals_of_job(job.namespace, job.id)
    last = max(evals, key=lambda one: one.create_index)
    position = sorted(world.state.evals).index(last.id)

    assert found == _count_forgotten(change(world, "evals", position, deployment_id=deployment))


@pytest.mark.parametrize("status", ["paused", "failed"])
def test_a_deployment_of_another_version_excuses_nothing(status: str) -> None:
    """REC-07, REC-08."""
    world = change(_lose_one(status, **STOPPED), "deployments", job_version=7)

    assert _count_forgotten(world) == 1


def test_canaries_halt_a_group_until_they_are_promoted() -> None:
    """REC-18, REC-82."""
    world = _lose_one("running", **STOPPED)

    assert _count_forgotten(_try_canaries(world, promoted=False)) is None
    assert _count_forgotten(_try_canaries(world, promoted=True)) == 1


def test_a_failed_allocation_waits_while_its_deployment_goes_on() -> None:
    """RESCHED-15."""
    asked = DesiredTransition(reschedule=True)

    assert _count_forgotten(_lose_one("running", **FAILED)) is None
    assert _count_forgotten(_lose_one("running", **FAILED, desired_transition=asked)) == 1
    assert _count_forgotten(_lose_one("running", **FAILED, deployment_id="another")) == 1
    assert _count_forgotten(_lose_one("successful", **FAILED)) == 1


def test_attempts_are_used_up_as_of_the_failure_and_not_as_of_now() -> None:
    """RESCHED-10, RESCHED-26: an interval that passes after the failure gives no attempt back."""
    world = _lose_one("successful", **FAILED)
    failed = next(alloc for alloc in world.state.list_allocs() if alloc.client_status == "failed")
    assert failed.job is not None
    (group,) = failed.job.task_groups
    once = ReschedulePolicy(attempts=1, interval_ns=3600 * NS_PER_S, delay_ns=5 * NS_PER_S)
    job = replace(failed.job, task_groups=(replace(group, reschedule_policy=once),))
    before_ns = failed.modify_time_ns - 60 * NS_PER_S
    spent = RescheduleTracker(events=(RescheduleEvent(reschedule_time_ns=before_ns),))
    old = RescheduleTracker(events=(RescheduleEvent(reschedule_time_ns=before_ns - once.interval_ns),))
    later = replace(world, now_ns=world.now_ns + 2 * once.interval_ns)

    assert (
        _count_forgotten(change(later, "allocs", job=job, reschedule_tracker=spent, task_states={})) is None
    )
    assert _count_forgotten(change(later, "allocs", job=job, reschedule_tracker=old, task_states={})) == 1
