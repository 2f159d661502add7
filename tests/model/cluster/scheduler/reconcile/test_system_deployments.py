"""The deployments of a system job while its nodes are visited."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Deployment, DeploymentState, Job, Multiregion
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.reconcile.system_deployments import (
    SystemDeployments,
    Visited,
    begin_state,
    has_old_client,
    is_trying,
)
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.scheduler.fleet import (
    make_deployment,
    make_fleet_group,
    make_fleet_job,
    make_host,
    make_old,
    make_resident,
    roll,
)
from tests.model.cluster.scheduler.made import NOW_NS

WEB = make_fleet_group(update=roll(1, 50, auto_revert=True, auto_promote=True, progress_deadline_ns=9))
JOB = make_fleet_job(WEB)
OLD = make_old(JOB)
EMPTY = Visited()


def follow(start: Deployment | None, job: Job | None = JOB) -> SystemDeployments:
    return SystemDeployments(job, start, NOW_NS, ReplayedChoices(ids=["new"]), profile=NOMAD_2_0)


def list_updates(deployments: SystemDeployments) -> list[tuple[str, str, str]]:
    return [(each.deployment_id, each.status, each.status_description) for each in deployments.updates]


def test_each_node_cancels_the_deployment_of_a_stopped_job() -> None:
    """SYSDEP-05."""
    start = make_deployment(JOB)
    for job in (replace(JOB, stop=True), None):
        deployments = follow(start, job)
        deployments.retire()
        deployments.retire()

        assert list_updates(deployments) == [("d1", "cancelled", "Cancelled because job is stopped")] * 2
        assert deployments.current is start


def test_one_that_has_ended_is_not_cancelled() -> None:
    """SYSDEP-05."""
    deployments = follow(make_deployment(JOB, "successful"), None)
    deployments.retire()

    assert list_updates(deployments) == []
    assert deployments.current is not None


@pytest.mark.parametrize(
    ("deployed", "status", "is_kept", "updates"),
    [
        (OLD, "running", False, 1),
        (replace(JOB, create_index=1), "paused", False, 1),
        (OLD, "successful", False, 0),
        (JOB, "successful", False, 0),
        (OLD, "failed", True, 0),
        (OLD, "cancelled", True, 0),
        (JOB, "running", True, 0),
        (JOB, "blocked", True, 0),
    ],
)
def test_what_is_over_makes_room(deployed: Job, status: str, *, is_kept: bool, updates: int) -> None:
    """SYSDEP-05, 05/S2: a failed one stays, whatever version it was of."""
    start = make_deployment(deployed, status)
    deployments = follow(start)
    deployments.retire()
    deployments.retire()

    assert (deployments.current is start) is is_kept
    assert (deployments.old is start) is not is_kept
    assert (
        list_updates(deployments) == [("d1", "cancelled", "Cancelled due to newer version of job")] * updates
    )


@pytest.mark.parametrize(("deployed", "is_kept"), [(OLD, False), (JOB, True)])
def test_a_failed_one_should_be_over_with_its_version(deployed: Job, *, is_kept: bool) -> None:
    """05/S2."""
    start = make_deployment(deployed, "failed")
    deployments = SystemDeployments(JOB, start, NOW_NS, ReplayedChoices(), profile=INTENDED)
    deployments.retire()

    assert (deployments.current is start) is is_kept


@pytest.mark.parametrize(
    ("current", "group", "is_canary"),
    [
        (None, WEB, True),
        (make_deployment(JOB, web=DeploymentState()), WEB, True),
        (make_deployment(JOB, web=DeploymentState(promoted=True)), WEB, False),
        (make_deployment(JOB, web=None), WEB, False),
        (make_deployment(JOB), WEB, False),
        (None, make_fleet_group(update=roll(1)), False),
        (None, make_fleet_group(update=roll(0, 50)), False),
        (None, make_fleet_group(), False),
    ],
)
def test_an_update_may_be_that_of_a_canary(
    current: Deployment | None, group: Any, *, is_canary: bool
) -> None:
    """NODE-17."""
    assert follow(current).is_unpromoted(group) is is_canary


def test_the_first_group_makes_the_deployment_and_others_join_it() -> None:
    """SYSDEP-07, DEP-04."""
    job = replace(JOB, priority=70, modify_index=8, multiregion=Multiregion(regions=({},)))
    deployments = follow(None, job)
    deployments.join(WEB, EMPTY)
    deployments.join(make_fleet_group("db", update=roll(1)), EMPTY)
    deployments.join(make_fleet_group("none"), EMPTY)

    assert list_updates(deployments) == [("new", "running", "Deployment is running")]
    assert deployments.current == Deployment(
        id="new",
        namespace="default",
        job_id="j",
        job_version=1,
        job_modify_index=8,
        job_spec_modify_index=11,
        job_create_index=5,
        is_multiregion=True,
        status="running",
        status_description="Deployment is running",
        eval_priority=70,
        create_time_ns=NOW_NS,
        task_groups={
            "web": DeploymentState(auto_revert=True, auto_promote=True, progress_deadline_ns=9),
            "db": DeploymentState(),
        },
    )


@pytest.mark.parametrize(
    ("status", "groups", "joins"),
    [
        ("running", {}, True),
        ("blocked", {}, True),
        ("cancelled", {}, True),
        ("paused", {}, False),
        ("pending", {}, False),
        ("initializing", {}, False),
        ("failed", {}, False),
        ("running", {"web": None}, False),
        ("running", {"web": DeploymentState(desired_total=4)}, False),
    ],
)
def test_a_group_may_join_what_goes_on(status: str, groups: dict[str, Any], *, joins: bool) -> None:
    """SYSDEP-03, SYSDEP-06: an entry without content is one."""
    deployments = follow(make_deployment(JOB, status, **groups))
    deployments.join(WEB, EMPTY)

    assert deployments.current is not None
    assert (deployments.current.task_groups.get("web") == begin_state(WEB)) is joins
    assert list_updates(deployments) == []


@pytest.mark.parametrize(("version", "is_made"), [(1, False), (0, True)])
def test_a_version_is_deployed_once(version: int, *, is_made: bool) -> None:
    """SYSDEP-06."""
    deployments = follow(make_deployment(make_fleet_job(WEB, version=version), "successful"))
    deployments.retire()
    deployments.join(WEB, EMPTY)

    assert (deployments.current is not None) is is_made


@pytest.mark.parametrize(
    ("visited", "is_made", "is_seen"),
    [
        (Visited(live=(make_resident("n0", JOB),)), False, True),
        (Visited(live=(make_resident("n0", JOB),), updates=1), True, True),
        (Visited(ended=(make_resident("n0", JOB),)), False, False),
        (Visited(ended=(make_resident("n0", JOB),), updates=1), True, False),
        (Visited(live=(make_resident("n0", OLD),)), True, False),
        (Visited(live=(replace(make_resident("n0", JOB), job=None),)), True, False),
        (Visited(live=(make_resident("n0", replace(JOB, create_index=1)),)), True, False),
    ],
)
def test_a_node_that_has_the_version_needs_no_deployment(
    visited: Visited, *, is_made: bool, is_seen: bool
) -> None:
    """SYSDEP-06, NODE-28, NODE-29."""
    deployments = follow(None)
    deployments.join(WEB, visited)

    assert (deployments.current is not None, deployments.has_kept_some) == (is_made, is_seen)


def test_the_last_test_is_not_always_reached() -> None:
    """NODE-29."""
    deployments = follow(make_deployment(JOB, web=DeploymentState()))
    deployments.join(WEB, Visited(live=(make_resident("n0", JOB),)))

    assert not deployments.has_kept_some


@pytest.mark.parametrize(
    ("start", "has_kept_some", "version", "expected"),
    [
        (None, False, "1.11.0", "new"),
        (None, False, "", "new"),
        (None, False, "1.11.0-beta.1", None),
        (None, False, "1.10.9", None),
        (None, True, "2.0.0", None),
        (make_deployment(JOB, "successful"), True, "1.10.9", "d1"),
        (make_deployment(OLD, "successful"), True, "1.10.9", "new"),
    ],
)
def test_a_first_deployment_may_be_suppressed(
    start: Deployment | None, *, has_kept_some: bool, version: str, expected: str | None
) -> None:
    """SYSDEP-08, SYSDEP-09."""
    deployments = follow(start)
    deployments.retire()
    deployments.join(WEB, EMPTY)
    deployments.has_kept_some = has_kept_some
    settled = deployments.settle([make_host("n0", attributes={"nomad.version": version}), make_host("n1")])

    assert (settled.id if settled else None) == expected
    assert bool(deployments.updates) is (expected == "new")


@pytest.mark.parametrize(
    ("deployment", "job", "is_tried"),
    [
        (make_deployment(JOB, web=DeploymentState()), JOB, True),
        (make_deployment(JOB, web=DeploymentState(promoted=True)), JOB, False),
        (make_deployment(JOB, web=None), JOB, False),
        (None, JOB, False),
        (make_deployment(JOB, web=DeploymentState()), OLD, False),
    ],
)
def test_a_version_may_be_tried_first(deployment: Deployment | None, job: Job, *, is_tried: bool) -> None:
    """SYSDEP-12: never the first one."""
    assert is_trying(job, WEB, deployment) is is_tried
    assert not is_trying(job, make_fleet_group(update=roll(0, 50)), deployment)
    assert not is_trying(job, make_fleet_group(update=roll(1)), deployment)


@pytest.mark.parametrize(
    ("version", "is_old"), [("1.10.2", True), ("1.11.0-rc.1", True), ("1.11.0", False), ("odd", False)]
)
def test_old_clients_know_nothing_of_it(version: str, *, is_old: bool) -> None:
    """SYSDEP-08."""
    assert has_old_client(make_host("n0", attributes={"nomad.version": version})) is is_old
    assert not has_old_client(make_host("n0", attributes={}))


def test_a_group_without_an_update_block_begins_with_nothing() -> None:
    assert begin_state(make_fleet_group()) == DeploymentState()
