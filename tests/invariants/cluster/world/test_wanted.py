from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.invariants.cluster.world.wanted import find_excuse
from nomadspec.model.cluster.entities import DeploymentStatus
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
