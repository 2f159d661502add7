import pytest

from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import COUNTED_ONCE, ORPHANED_DEPLOYMENT, STALE_DEPLOYMENT
from tests.model.kernel.playing import PLACED, Play

BEGUN = ("Dequeue(1, 1, 1)", *PLACED, "ReadDeployment(1)", "WriteDeployment(1)", "JoinDeployment(1, 1)")
GOOD, BAD = "ReportHealth(1, 1, 2)", "ReportHealth(1, 1, 1)"
RESUME, PAUSE, FAIL = (f"SetDeploymentStatus(1, {status})" for status in (2, 3, 5))
COUNTS = ("placed 1", "healthy 1", "unhealthy 1")


def test_a_deployment_begins_and_counts_what_is_placed() -> None:
    play = Play(deployments=2).play(*BEGUN)

    assert ["running", 1, 0, 0] == play.look("deployment 1", *COUNTS)


def test_a_healthy_deployment_makes_an_evaluation_and_succeeds() -> None:
    play = Play(deployments=2).play(*BEGUN, GOOD, "WatchHealth(1)", "FinishDeployment(1)")

    assert ["successful", 1, 1, 0, "pending"] == play.look("deployment 1", *COUNTS, "eval_record 1 2")


def test_an_unhealthy_allocation_fails_a_deployment() -> None:
    play = Play(deployments=2).play(*BEGUN, BAD, "FailDeployment(1)")

    assert ["failed", 1, 0, 1, "pending"] == play.look("deployment 1", *COUNTS, "eval_record 1 2")


def test_health_that_is_regained_is_counted_only_without_the_quirk() -> None:
    mended = Play(deployments=2, deployment_changes=1).play(*BEGUN, BAD, GOOD)
    shipped = Play(profile=COUNTED_ONCE.id, deployments=2, deployment_changes=1).play(*BEGUN, BAD, GOOD)

    assert [1, 1, 0] == mended.look(*COUNTS)
    assert [1, 0, 1] == shipped.look(*COUNTS)


def test_what_is_counted_once_can_be_less_than_nothing() -> None:
    """DEP-24: healthy again is not counted, unhealthy again is taken off."""
    mended = Play(deployments=2, deployment_changes=2).play(*BEGUN, BAD, GOOD, BAD)
    shipped = Play(profile=COUNTED_ONCE.id, deployments=2, deployment_changes=2).play(*BEGUN, BAD, GOOD, BAD)

    assert [1, 0, 1] == mended.look(*COUNTS)
    assert [1, -1, 2] == shipped.look(*COUNTS)


def test_an_operator_pauses_and_fails_a_deployment() -> None:
    play = Play(deployments=2, deployment_changes=2).play(*BEGUN, PAUSE)

    assert ["paused", "absent"] == play.look("deployment 1", "eval_record 1 2")
    assert ["failed", "pending"] == play.play(FAIL).look("deployment 1", "eval_record 1 2")


def test_where_no_evaluation_is_left_a_deployment_can_be_paused_and_nothing_else() -> None:
    play = Play(deployments=2, deployment_changes=2, evals=1).play(*BEGUN)

    assert not play.can(FAIL)
    assert ["paused"] == play.play(PAUSE).look("deployment 1")
    assert not play.can(RESUME)
    assert not play.can(FAIL)


@pytest.mark.parametrize(
    ("kind", "profile", "status"),
    [
        (Kind.SYSTEM, INTENDED.name, "failed"),
        (Kind.SYSTEM, STALE_DEPLOYMENT.id, "running"),
        (Kind.SERVICE, STALE_DEPLOYMENT.id, "failed"),
    ],
)
def test_a_plan_of_a_system_job_revives_a_deployment_with_the_quirk(
    kind: Kind, profile: str, status: str
) -> None:
    play = Play(profile=profile, deployments=2, deployment_changes=1, kinds=2)
    play.start(kind)
    play.play("ReadDeployment(1)", "WriteDeployment(1)", "ReadDeployment(1)", FAIL, "WriteDeployment(1)")

    assert [status] == play.look("deployment 1")


def test_a_batch_job_has_no_deployment() -> None:
    play = Play(deployments=2, kinds=2)
    play.start(Kind.BATCH)

    assert not play.can("ReadDeployment(1)")


def test_a_plan_begins_a_deployment_of_a_purged_job_only_with_the_quirk() -> None:
    calls = ("ReadDeployment(1)", "PurgeJob(1)", "WriteDeployment(1)")
    mended = Play(deployments=1, purges=1).play(*calls)
    shipped = Play(profile=ORPHANED_DEPLOYMENT.id, deployments=1, purges=1).play(*calls)

    assert ["absent"] == mended.look("deployment 1")
    assert ["running"] == shipped.look("deployment 1")


def test_a_stopped_job_and_a_new_version_cancel_a_deployment() -> None:
    stopped = Play(deployments=2, stops=1).play(*BEGUN, "StopJob(1)", "CancelDeployment(1)")
    updated = Play(deployments=2, updates=1).play(*BEGUN, "UpdateJob(1)", "CancelDeployment(1)")

    assert ["cancelled"] == stopped.look("deployment 1")
    assert ["cancelled"] == updated.look("deployment 1")
