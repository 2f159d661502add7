import pytest

from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import COUNTED_ONCE, ORPHANED_DEPLOYMENT, STALE_DEPLOYMENT
from tests.model.kernel.playing import PLACED, SHORT, Play

BEGUN = ("Dequeue(1, 1, 1)", *PLACED)
DONE = (*BEGUN, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
GOOD, BAD = "ReportHealth(1, 1, 2)", "ReportHealth(1, 1, 1)"
RESUME, PAUSE, FAIL = (f"SetDeploymentStatus(1, {status})" for status in (2, 3, 5))
COUNTS = ("placed 1", "healthy 1", "unhealthy 1")
PLANNED_AGAIN = ("Dequeue(1, 1, 2)", *SHORT)
"""How worker 1 plans for what the first plan has placed already."""
COMMITTED = ("Submit(1, 1)", "ApplyPlan(1, 1)")


def start(profile: str = INTENDED.name, **sizes: int) -> Play:
    return Play(profile, deployments=1, **sizes)


def test_a_deployment_begins_and_counts_what_is_placed() -> None:
    play = start().play(*BEGUN)

    assert ["running", 1, 0, 0] == play.look("deployment 1", *COUNTS)


def test_a_deployment_begins_though_nothing_finds_a_place() -> None:
    """REC-87 asks whether something is to be placed, not whether it is."""
    play = start(cap=0).play("Dequeue(1, 1, 1)", *SHORT, "Block(1, 1, 1)", *COMMITTED)

    assert ["running", 0, 0, 0] == play.look("deployment 1", *COUNTS)


def test_a_deployment_succeeds_by_the_plan_of_the_evaluation_that_its_watcher_makes() -> None:
    play = start().play(*DONE, GOOD, "WatchHealth(1)", *PLANNED_AGAIN)

    assert ["running", 1, 1, 0] == play.look("deployment 1", *COUNTS)
    assert ["successful", 1, 1, 0] == play.play(*COMMITTED).look("deployment 1", *COUNTS)


def test_a_plan_that_finds_nothing_to_do_goes_on_with_a_deployment_without_a_commit() -> None:
    play = start(external_triggers=1).play(*DONE, "EvaluateJob(1, 2)", *PLANNED_AGAIN)

    assert not play.can("Submit(1, 1)")
    assert ["running"] == play.look("deployment 1")


def test_what_is_placed_again_joins_the_deployment_that_goes_on() -> None:
    failed = "FailAlloc(1, 1, 1)"
    play = start(reports=1).play(*DONE, failed, "Dequeue(1, 1, 2)", *PLACED)

    assert ["running", 2] == play.look("deployment 1", "placed 1")
    assert [True, True] == play.look("in_deployment 1 1", "in_deployment 1 2")


def test_an_unhealthy_allocation_fails_a_deployment() -> None:
    play = start().play(*BEGUN, BAD, "FailDeployment(1)")

    assert ["failed", 1, 0, 1, "pending"] == play.look("deployment 1", *COUNTS, "eval_record 1 2")


def test_health_that_is_regained_is_counted_only_without_the_quirk() -> None:
    mended = start(deployment_changes=1).play(*BEGUN, BAD, GOOD)
    shipped = start(COUNTED_ONCE.id, deployment_changes=1).play(*BEGUN, BAD, GOOD)

    assert [1, 1, 0] == mended.look(*COUNTS)
    assert [1, 0, 1] == shipped.look(*COUNTS)


def test_what_is_counted_once_can_be_less_than_nothing() -> None:
    """DEP-24: healthy again is not counted, unhealthy again is taken off."""
    mended = start(deployment_changes=2).play(*BEGUN, BAD, GOOD, BAD)
    shipped = start(COUNTED_ONCE.id, deployment_changes=2).play(*BEGUN, BAD, GOOD, BAD)

    assert [1, 0, 1] == mended.look(*COUNTS)
    assert [1, -1, 2] == shipped.look(*COUNTS)


def test_an_operator_pauses_and_fails_a_deployment() -> None:
    play = start(deployment_changes=2).play(*BEGUN, PAUSE)

    assert ["paused", "absent"] == play.look("deployment 1", "eval_record 1 2")
    assert ["failed", "pending"] == play.play(FAIL).look("deployment 1", "eval_record 1 2")


def test_where_no_evaluation_is_left_a_deployment_can_be_paused_and_nothing_else() -> None:
    play = start(deployment_changes=2, evals=1).play(*BEGUN)

    assert not play.can(FAIL)
    assert ["paused"] == play.play(PAUSE).look("deployment 1")
    assert not play.can(RESUME)
    assert not play.can(FAIL)


@pytest.mark.parametrize(
    ("kind", "profile", "status"),
    [
        (Kind.SYSTEM, INTENDED.name, "failed"),
        (Kind.SYSTEM, STALE_DEPLOYMENT.id, "successful"),
        (Kind.SERVICE, STALE_DEPLOYMENT.id, "failed"),
    ],
)
def test_a_plan_of_a_system_job_undoes_a_failure_with_the_quirk(
    kind: Kind, profile: str, status: str
) -> None:
    """It writes the deployment as its scheduler read it, and then its status update."""
    play = start(profile, deployment_changes=1, kinds=2)
    play.start(kind)
    play.play(*DONE, GOOD, "WatchHealth(1)", *PLANNED_AGAIN, FAIL, *COMMITTED)

    assert [status] == play.look("deployment 1")


def test_each_plan_of_a_system_job_has_its_deployment() -> None:
    """SYSDEP-23: whether or not anything changes, and whatever its status."""
    play = start(kinds=2)
    play.start(Kind.SYSTEM)
    play.play(*DONE, BAD, "FailDeployment(1)", *PLANNED_AGAIN)

    assert ["whole", "failed"] == play.look("plan.deployment.part 1", "plan.deployment.status 1")


def test_a_batch_job_has_no_deployment() -> None:
    play = start(kinds=2)
    play.start(Kind.BATCH)

    assert ["absent", 0] == play.play(*BEGUN).look("deployment 1", "placed 1")


def test_a_plan_begins_a_deployment_of_a_purged_job_only_with_the_quirk() -> None:
    calls = ("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)", "PurgeJob(1)")
    mended = start(purges=1).play(*calls, "ApplyPlan(1, 1)")
    shipped = start(ORPHANED_DEPLOYMENT.id, purges=1).play(*calls, "ApplyPlan(1, 1)")

    assert ["absent"] == mended.look("deployment 1")
    assert ["running", 0] == shipped.look("deployment 1", "placed 1")


def test_the_plan_for_a_stopped_job_cancels_its_deployment() -> None:
    play = start(stops=1).play(*DONE, "StopJob(1)")

    assert ["running"] == play.look("deployment 1")
    assert ["cancelled"] == play.play(*PLANNED_AGAIN, *COMMITTED).look("deployment 1")


def test_the_plan_for_a_new_version_begins_its_own_deployment() -> None:
    """DEP-10: the older one is cancelled by the same plan, and gives way to the new one."""
    play = start(updates=1).play(*DONE, GOOD, "UpdateJob(1)", "Dequeue(1, 1, 2)", *PLACED)

    assert ["running", 1, 1, 0, 0] == play.look("deployment 1", "deployment_version 1", *COUNTS)
    assert [False, True] == play.look("in_deployment 1 1", "in_deployment 1 2")


def test_a_rejected_plan_that_is_all_or_nothing_writes_no_deployment() -> None:
    play = start(all_at_once=1, node_changes=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)", "LoseNode(1)")

    assert ["absent"] == play.play("RejectAllAtOnce(1, 1, 1)").look("deployment 1")


def test_a_plan_that_loses_its_node_begins_its_deployment_all_the_same() -> None:
    """DEP-23: and so it counts as progress."""
    play = start(node_changes=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)", "LoseNode(1)")

    assert ["running", 0, 0] == play.play("ApplyPlan(1, 1)").look("deployment 1", "placed 1", "tries 1")
