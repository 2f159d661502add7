"""The scheduler of services and batches: attempts, blocked and follow-up evaluations, the final status."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    DesiredTransition,
    Evaluation,
    Plan,
    PlanResult,
    ReschedulePolicy,
    SchedulerConfiguration,
    TaskState,
)
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from tests.model.cluster.scheduler.fleet import make_fleet_group, make_host
from tests.model.cluster.scheduler.made import (
    NOW_NS,
    make_alloc,
    make_eval,
    make_job,
    make_snapshot,
    take_all,
)

ROOM_FOR_NONE = make_host("n1", status="down")
SECOND_NS = 1_000_000_000


def process(
    snapshot: Snapshot,
    *answers: Answer,
    evaluation: Evaluation | None = None,
    scheduler: str = "service",
    profile: Profile = NOMAD_2_0,
) -> Outcome:
    waiting = list(answers)

    def submit(plan: Plan) -> Answer:
        return waiting.pop(0) if waiting else mark_new(take_all(plan))

    asked = evaluation or make_eval()
    return schedule(
        snapshot, asked, NOW_NS, FreeChoices(1), SubmitOnly(submit), scheduler=scheduler, profile=profile
    )


def mark_new(answer: Answer) -> Answer:
    """Give new allocations equal indexes, as the applier does."""
    result = answer.result or PlanResult()
    placed = {
        node: tuple(
            each if each.create_index else replace(each, create_index=9, modify_index=9) for each in allocs
        )
        for node, allocs in result.node_allocation.items()
    }
    return Answer(result=replace(result, node_allocation=placed))


def make_failed(**fields: Any) -> Allocation:
    """Make an allocation that failed a second ago and may be placed again after half a minute."""
    policy = ReschedulePolicy(unlimited=True, delay_ns=30 * SECOND_NS, delay_function="constant")
    job = make_job(make_fleet_group(reschedule_policy=policy))
    states = {"main": TaskState(state="dead", failed=True, finished_at_ns=NOW_NS - SECOND_NS)}
    return make_alloc(client_status="failed", job=job, task_states=states, **fields)


def test_an_unknown_reason_is_not_handled() -> None:
    """GENERIC-01."""
    outcome = process(
        make_snapshot(make_job(make_fleet_group())), evaluation=make_eval(triggered_by="scheduled")
    )

    (done,) = outcome.updated_evals
    assert (done.status, outcome.plans) == ("failed", ())
    assert done.status_description == "scheduler cannot handle 'scheduled' evaluation reason"


def test_without_a_node_a_blocked_evaluation_waits() -> None:
    """GENERIC-40, GENERIC-43, X-01."""
    outcome = process(make_snapshot(ROOM_FOR_NONE, make_job(make_fleet_group(count=10))))

    (blocked,), (done,) = outcome.created_evals, outcome.updated_evals

    assert outcome.plans == ()
    assert (blocked.status, blocked.triggered_by, blocked.previous_eval) == ("blocked", "queued-allocs", "e1")
    assert (done.status, done.blocked_eval) == ("complete", blocked.id)
    assert done.queued_allocations == {"web": 10}
    assert done.failed_tg_allocs["web"].coalesced_failures == 9


def test_a_blocked_evaluation_that_fails_again_is_blocked_again() -> None:
    """GENERIC-42, X-03."""
    outcome = process(
        make_snapshot(ROOM_FOR_NONE, make_job(make_fleet_group())), evaluation=make_eval(status="blocked")
    )

    (again,) = outcome.reblocked_evals
    assert (again.id, outcome.created_evals, outcome.updated_evals) == ("e1", (), ())


def test_a_blocked_evaluation_that_finds_room_completes() -> None:
    """GENERIC-43."""
    outcome = process(
        make_snapshot(make_host("n1"), make_job(make_fleet_group())), evaluation=make_eval(status="blocked")
    )

    assert [done.status for done in outcome.updated_evals] == ["complete"]
    assert outcome.updated_evals[0].queued_allocations == {"web": 0}


@pytest.mark.parametrize(("scheduler", "limit"), [("service", 5), ("batch", 2)])
def test_plans_that_are_refused_too_often_end_in_failure(scheduler: str, limit: int) -> None:
    """GENERIC-04, GENERIC-08, X-04."""
    snapshot = make_snapshot(make_host("n1"), make_job(make_fleet_group(), type=scheduler))
    refusals = [Answer(result=PlanResult(refresh_index=5), new_state=snapshot)] * limit
    outcome = process(snapshot, *refusals, scheduler=scheduler)

    (blocked,), (done,) = outcome.created_evals, outcome.updated_evals

    assert len(outcome.plans) == limit
    assert (blocked.triggered_by, done.blocked_eval) == ("max-plan-attempts", blocked.id)
    assert (done.status, done.deployment_id) == ("failed", "")
    assert done.status_description == f"maximum attempts reached ({limit})"


def test_a_part_that_is_missing_without_a_newer_state_is_an_error() -> None:
    """GENERIC-05."""
    outcome = process(
        make_snapshot(make_host("n1"), make_job(make_fleet_group())), Answer(result=PlanResult())
    )

    assert outcome.error == "missing state refresh after partial commit"
    assert outcome.updated_evals == ()


def test_a_failed_allocation_is_looked_at_again_later() -> None:
    """GENERIC-44, RESCHED-21, X-08."""
    failed = make_failed()
    outcome = process(make_snapshot(make_host("n1"), failed.job or make_job(make_fleet_group()), failed))

    (followup,), (done,) = outcome.created_evals, outcome.updated_evals
    (noted,) = outcome.plans[0].node_allocation["n1"]

    assert (followup.triggered_by, followup.previous_eval) == ("alloc-reschedule", "e1")
    assert followup.wait_until_ns == NOW_NS + 29 * SECOND_NS
    assert done.next_eval == followup.id == noted.followup_eval_id


def test_a_late_evaluation_writes_no_followup() -> None:
    """GENERIC-45, X-08."""
    failed = make_failed()
    late = make_eval(wait_until_ns=NOW_NS - 1)
    outcome = process(
        make_snapshot(make_host("n1"), failed.job or make_job(make_fleet_group()), failed), evaluation=late
    )

    assert outcome.created_evals == ()
    assert outcome.plans[0].node_allocation["n1"][0].followup_eval_id
    assert outcome.updated_evals[0].next_eval == ""


def test_a_late_evaluation_makes_the_followup_that_it_notes_where_that_is_mended() -> None:
    """X-62."""
    failed = make_failed()
    outcome = process(
        make_snapshot(make_host("n1"), failed.job or make_job(make_fleet_group()), failed),
        evaluation=make_eval(wait_until_ns=NOW_NS - 1),
        profile=find_profile("nomad-2.0 -X-62"),
    )

    (followup,) = outcome.created_evals
    assert followup.id == outcome.plans[0].node_allocation["n1"][0].followup_eval_id


@pytest.mark.parametrize(("profile", "count"), [(NOMAD_2_0, 1), (INTENDED, 2)])
def test_a_refused_plan_leaves_its_followup_in_memory(profile: Profile, count: int) -> None:
    """04/S-21, RESCHED-19: the next attempt finds it on what moves, and makes no other."""
    asked = DesiredTransition(migrate=True, reschedule=True)
    moving = make_failed(desired_transition=asked)
    job = replace(moving.job or make_job(make_fleet_group()), type="batch")
    snapshot = make_snapshot(make_host("n1"), job, replace(moving, client_status="running", job=job))
    refusal = Answer(result=PlanResult(refresh_index=5), new_state=snapshot)

    outcome = process(snapshot, refusal, scheduler="batch", profile=profile)

    stops = [plan.node_update["n1"][0].followup_eval_id for plan in outcome.plans]
    assert len(outcome.created_evals) == count
    assert stops == [outcome.created_evals[0].id, outcome.created_evals[-1].id]


def test_a_purged_job_is_stopped() -> None:
    """GENERIC-10, GENERIC-17, X-09."""
    job = make_job(make_fleet_group())
    outcome = process(make_snapshot(make_host("n1"), make_alloc(job=job)))

    (plan,), (done,) = outcome.plans, outcome.updated_evals

    assert [stop.desired_status for stop in plan.node_update["n1"]] == ["stop"]
    assert plan.job == job
    assert done.queued_allocations == {}


def test_a_dry_run_hands_over_what_would_be_done() -> None:
    """GENERIC-23, X-13."""
    job = make_job(make_fleet_group())
    outcome = process(
        make_snapshot(make_host("n1"), job, make_alloc(job=job)), evaluation=make_eval(annotate_plan=True)
    )

    (plan,) = outcome.plans
    assert plan.annotations is not None
    assert plan.annotations.desired_tg_updates["web"].ignore == 1
    assert plan.node_allocation == {}


def test_eviction_depends_on_the_scheduler_configuration() -> None:
    """GENERIC-34: without any configuration it is allowed, and there is still nobody to evict."""
    configuration = SchedulerConfiguration()
    outcome = process(
        make_snapshot(make_host("n1"), make_job(make_fleet_group()), configuration=configuration)
    )

    assert [len(plan.node_preemptions) for plan in outcome.plans] == [0]
