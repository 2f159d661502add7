"""While canaries are out, the newest version that a deployment let pass is placed."""

from nomadspec.model.cluster.entities import Deployment, DeploymentState, Job, UpdateStrategy
from nomadspec.model.cluster.scheduler.requests import PlacementRequest
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.scheduler.stable_version import find_downgrade
from tests.model.cluster.scheduler.made import make_group, make_job, make_snapshot

REQUEST = PlacementRequest(name="j.web[0]", group=make_group(), is_downgrade=True)


def make_deployment(version: int, state: DeploymentState | None, *, create_index: int = 5) -> Deployment:
    return Deployment(
        id=f"d{version}",
        namespace="default",
        job_id="j",
        job_version=version,
        job_create_index=create_index,
        task_groups={"web": state},
    )


def make_versions(*deployments: Deployment, versions: tuple[Job, ...] | None = None) -> Snapshot:
    kept = versions or tuple(make_job(version=number) for number in range(4))
    return make_snapshot(kept[-1], job_versions=kept, deployments=deployments)


WAITING = DeploymentState(desired_canaries=1)
PROMOTED = DeploymentState(desired_canaries=1, promoted=True)


def test_the_newest_version_that_passed_is_found() -> None:
    """GENERIC-29."""
    snapshot = make_versions(
        make_deployment(0, DeploymentState()),
        make_deployment(1, PROMOTED),
        make_deployment(2, WAITING),
        make_deployment(3, None),
    )

    found = find_downgrade(snapshot, make_job(version=3), REQUEST)

    assert found is not None
    assert (found.job.version, found.group.name, found.deployment_id) == (1, "web", "d1")


def test_an_earlier_job_of_the_name_does_not_count() -> None:
    """GENERIC-29."""
    snapshot = make_versions(
        make_deployment(1, DeploymentState(), create_index=4),
        versions=(make_job(version=3, update=UpdateStrategy(max_parallel=1)),),
    )

    assert find_downgrade(snapshot, make_job(version=3), REQUEST) is None


def test_without_a_deployment_the_least_version_is_taken() -> None:
    """GENERIC-29."""
    request = PlacementRequest(name="j.web[0]", group=make_group(), is_downgrade=True, min_version=2)

    found = find_downgrade(make_versions(), make_job(version=3), request)

    assert found is not None
    assert (found.job.version, found.deployment_id) == (2, "")


def test_a_version_that_is_too_old_or_lacks_the_group_is_not_taken() -> None:
    """GENERIC-27."""
    newer = PlacementRequest(name="j.web[0]", group=make_group(), is_downgrade=True, min_version=2)
    old = make_versions(make_deployment(1, PROMOTED))
    other = make_versions(
        make_deployment(1, PROMOTED), versions=(make_job(make_group("api"), version=1), make_job(version=3))
    )

    assert find_downgrade(old, make_job(version=3), newer) is None
    assert find_downgrade(other, make_job(version=3), REQUEST) is None


def test_a_version_that_is_no_longer_kept_is_not_taken() -> None:
    """GENERIC-29."""
    snapshot = make_versions(make_deployment(1, PROMOTED), versions=(make_job(version=3),))

    assert find_downgrade(snapshot, make_job(version=3), REQUEST) is None


def test_other_requests_are_placed_as_they_are() -> None:
    """GENERIC-27."""
    request = PlacementRequest(name="j.web[0]", group=make_group())

    assert find_downgrade(make_versions(make_deployment(1, PROMOTED)), make_job(version=3), request) is None
