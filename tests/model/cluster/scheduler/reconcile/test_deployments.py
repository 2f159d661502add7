from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import DeploymentState, Job, Multiregion
from nomadspec.model.cluster.scheduler.reconcile.deployments import (
    JobDeployments,
    attach_state,
    find_deployments,
    settle_deployments,
)
from nomadspec.model.specification.profiles import find_profile
from tests.model.cluster.scheduler.reconcile.made import NOW_NS, Scene, case, make_deployment, make_update

HEALTHY: dict[str, Any] = {"desired_total": 3, "healthy_allocs": 3}

CASES = [
    case("W-17", {"deployment": make_deployment(**HEALTHY)}, "0-2 d+", deploy="d:successful", count="Ig3"),
    case(
        "it has failed, and its group is complete",
        {"deployment": make_deployment("failed", **HEALTHY)},
        "0-2 d+",
        deploy="d:successful",
        count="Ig3",
    ),
    case("not healthy yet", {"deployment": make_deployment(desired_total=3)}, "0-2 d", count="Ig3"),
    case(
        "not promoted",
        {"deployment": make_deployment(desired_canaries=1, **HEALTHY)},
        "0-2 d+",
        count="Ig3",
    ),
    case("has ended well", {"deployment": make_deployment("successful")}, "0-2 d+", count="Ig3"),
    case(
        "one lost is not replaced",
        {"deployment": make_deployment(**HEALTHY)},
        "0-2 d+; 0 down",
        stop="0LO",
        deploy="d:successful",
        count="Ig3 St1",
    ),
    case(
        "a region that begins",
        {"deployment": make_deployment("initializing", desired_total=3)},
        "0-2 d+",
        deploy="d:pending new total=3 canaries=0",
        count="Ig3",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_how_a_deployment_stands(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-89, REC-90, REC-91, REC-92."""
    assert expected == scene.solve(allocs)


@pytest.mark.parametrize(
    ("status", "version", "stop", "is_old", "cancelled"),
    [
        ("running", 1, True, True, True),
        ("failed", 1, True, True, False),
        ("paused", 0, False, True, True),
        ("blocked", 0, False, True, True),
        ("failed", 0, False, True, False),
        ("successful", 1, False, True, False),
        ("failed", 1, False, False, False),
        ("cancelled", 1, False, False, False),
    ],
)
def test_which_deployment_is_old(
    status: str, version: int, *, stop: bool, is_old: bool, cancelled: bool
) -> None:
    """REC-04, REC-05, REC-07, REC-08, REC-09, REC-10."""
    scene = Scene(deployment=make_deployment(status, version=version), stop=stop)

    deployments = find_deployments(scene.make_input(""))

    assert (is_old, not is_old) == (deployments.old is not None, deployments.current is not None)
    assert ["cancelled"] * cancelled == [update.status for update in deployments.updates]


@pytest.mark.parametrize(("version", "is_deployed"), [(0, True), (1, False)])
def test_a_version_that_was_deployed_is_deployed_again_by_the_release_only(
    version: int, *, is_deployed: bool
) -> None:
    """X-74, REC-09, REC-87: none of its allocations is left; of an earlier version all is as it was."""
    settings: dict[str, Any] = {"count": 1, "update": make_update()}
    settings["deployment"] = make_deployment("successful", version=version, desired_total=1)
    mended = Scene(**settings, profile=find_profile("nomad-2.0 -X-74")).solve("")

    assert "new total=1 canaries=0" == Scene(**settings).solve("")["deploy"]
    assert "0" == mended["place"]
    assert is_deployed == ("deploy" in mended)


def test_a_job_of_the_same_name_is_another_one() -> None:
    """REC-07."""
    deployment = replace(make_deployment(), job_create_index=1)

    assert deployment == find_deployments(Scene(deployment=deployment).make_input("")).old


@pytest.mark.parametrize(
    ("status", "is_paused", "is_failed"),
    [
        ("paused", True, False),
        ("pending", True, False),
        ("initializing", True, False),
        ("failed", False, True),
        ("running", False, False),
        ("blocked", False, False),
    ],
)
def test_what_holds_a_deployment(status: str, *, is_paused: bool, is_failed: bool) -> None:
    """REC-11."""
    deployments = find_deployments(Scene(deployment=make_deployment(status)).make_input(""))

    assert (is_paused, is_failed) == (deployments.is_paused, deployments.is_failed)


def test_a_new_deployment_says_what_it_is_for() -> None:
    """REC-88."""
    scene, deployments = Scene(), JobDeployments()
    job = scene.make_job(1)

    attach_state(deployments, scene.make_input(""), job, "web", DeploymentState(desired_total=3))
    attach_state(deployments, scene.make_input(""), job, "api", DeploymentState(desired_total=1))
    made = settle_deployments(deployments, is_complete=False)

    assert made is not None
    assert ("F1", "running", "Deployment is running") == (made.id, made.status, made.status_description)
    assert (1, 21, 21, 10) == (
        made.job_version,
        made.job_modify_index,
        made.job_spec_modify_index,
        made.job_create_index,
    )
    assert (50, NOW_NS, 0) == (made.eval_priority, made.create_time_ns, made.modify_time_ns)
    assert {"web", "api"} == made.task_groups.keys()
    assert not deployments.updates


@pytest.mark.parametrize(
    ("auto", "description"),
    [
        (True, "Deployment is running pending automatic promotion"),
        (False, "Deployment is running but requires manual promotion"),
    ],
)
def test_canaries_of_a_new_deployment_are_promoted(*, auto: bool, description: str) -> None:
    """REC-88."""
    made = Scene(update=make_update(1, 1, auto_promote=auto))
    deployments = JobDeployments()
    state = DeploymentState(desired_canaries=1, auto_promote=auto)

    attach_state(deployments, made.make_input(""), made.make_job(1), "web", state)
    deployment = settle_deployments(deployments, is_complete=False)

    assert deployment is not None
    assert description == deployment.status_description


@pytest.mark.parametrize(
    ("status", "expected"), [("running", ["blocked"]), ("unblocking", []), ("blocked", ["blocked"])]
)
def test_regions_wait_for_each_other(status: str, expected: list[str]) -> None:
    """REC-90."""
    deployments = JobDeployments(current=replace(make_deployment(status), is_multiregion=True))

    assert settle_deployments(deployments, is_complete=True) is None
    assert expected == [update.status for update in deployments.updates]


def test_a_job_of_regions_makes_a_deployment_of_regions() -> None:
    """REC-88."""
    job = Job(multiregion=Multiregion(regions=({"Name": "west"},)))
    deployments = JobDeployments()

    attach_state(deployments, Scene().make_input(""), job, "web", DeploymentState())

    assert deployments.current is not None
    assert deployments.current.is_multiregion


def test_a_state_without_content_is_at_its_start() -> None:
    """REC-15."""
    empty = replace(make_deployment(), task_groups={"web": None})
    deployments = JobDeployments(current=empty)

    assert DeploymentState() == deployments.find_state("web")
    assert deployments.find_state("api") is None
    deployments.put_state("api", DeploymentState(promoted=True))
    assert DeploymentState(promoted=True) == deployments.find_state("api")
    assert "api" not in empty.task_groups
