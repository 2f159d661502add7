"""From an evaluation to its final status: what is handled, how often it is tried, and how it ends."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Plan, PlanResult
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.system import HANDLED
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.fleet import (
    make_fleet_job,
    make_host,
    make_hosts,
    make_resident,
    run_system,
    see,
)
from tests.model.cluster.scheduler.made import take_all

SYSTEM = make_fleet_job()
SYSBATCH = make_fleet_job(type="sysbatch")
NOTHING = Answer(result=PlanResult())


@pytest.mark.parametrize(
    ("scheduler", "trigger"),
    [
        ("system", "periodic-job"),
        ("system", "alloc-failure"),
        ("system", "max-plan-attempts"),
        ("sysbatch", "alloc-reschedule"),
        ("sysbatch", "scheduled"),
        ("sysbatch", "max-disconnect-timeout"),
    ],
)
def test_some_triggers_are_refused(scheduler: str, trigger: str) -> None:
    """SYSTEM-02, SYSTEM-03."""
    outcome = run_system(
        see(make_host("n0"), SYSTEM),
        scheduler=scheduler,
        triggered_by=trigger,
        queued_allocations={"web": 3},
        deployment_id="d9",
    )
    (written,) = outcome.updated_evals

    assert not outcome.plans
    assert (written.status, written.deployment_id) == ("failed", "")
    assert written.status_description == f"scheduler cannot handle '{trigger}' evaluation reason"
    assert written.queued_allocations == {"web": 3}


def test_only_jobs_that_run_once_are_launched_periodically() -> None:
    """SYSTEM-02."""
    assert HANDLED["sysbatch"] - HANDLED["system"] == {"periodic-job"}
    assert len(HANDLED["system"]) == 12


@pytest.mark.parametrize(("job", "attempts"), [(SYSTEM, 5), (SYSBATCH, 2)], ids=["system", "sysbatch"])
def test_attempts_without_progress_are_limited(job: Any, attempts: int) -> None:
    """SYSTEM-04, SYSTEM-06, 02/S12."""
    outcome = run_system(see(make_host("n0"), job), *[NOTHING] * attempts, scheduler=job.type)
    (written,) = outcome.updated_evals

    assert len(outcome.plans) == attempts
    assert (written.status, written.blocked_eval) == ("failed", "")
    assert written.status_description == f"maximum attempts reached ({attempts})"
    assert not outcome.created_evals


def test_something_should_stay_behind_that_tries_again() -> None:
    """02/S12."""
    outcome = run_system(see(make_host("n0"), SYSTEM), *[NOTHING] * 5, profile=INTENDED)
    (blocked,) = outcome.created_evals

    assert (blocked.status, blocked.triggered_by) == ("blocked", "max-plan-attempts")


@pytest.mark.parametrize("scheduler", ["system", "sysbatch"])
def test_what_stays_behind_should_be_tried(scheduler: str) -> None:
    """02/S12, SYSTEM-02, TRIG-19: the release makes no such evaluation, and refuses one (SYSTEM-03)."""
    job = make_fleet_job(type=scheduler)
    snapshot = see(make_host("n0"), job)
    outcome = run_system(snapshot, scheduler=scheduler, triggered_by="max-plan-attempts", profile=INTENDED)

    assert [list(plan.node_allocation) for plan in outcome.plans] == [["n0"]]
    assert outcome.updated_evals[0].status == "complete"


def test_progress_starts_the_count_anew() -> None:
    """SYSTEM-05."""

    def take_first(plan: Plan) -> Answer:
        taken = dict(list(plan.node_allocation.items())[:1])
        return Answer(result=PlanResult(node_allocation=taken))

    answers = [NOTHING] * 4
    first = run_system(see(*make_hosts(2), SYSTEM), *answers).plans[0]
    outcome = run_system(see(*make_hosts(2), SYSTEM), *answers, take_first(first), *answers)

    assert len(outcome.plans) == 10
    assert outcome.updated_evals[0].status == "complete"


def test_an_error_of_a_submission_ends_the_call() -> None:
    """SYSTEM-07."""
    outcome = run_system(see(make_host("n0"), SYSTEM), Answer(error="no leader"))

    assert outcome.error == "no leader"
    assert not outcome.updated_evals


def test_a_newer_state_is_looked_at() -> None:
    """SYSTEM-08, SYSTEM-35."""
    newer = see(*make_hosts(2), SYSTEM)
    outcome = run_system(see(make_host("n0"), SYSTEM), Answer(result=PlanResult(), new_state=newer))

    assert [sorted(plan.node_allocation) for plan in outcome.plans] == [["n0"], ["n0", "n1"]]


def test_what_was_newly_placed_no_longer_waits() -> None:
    """SYSTEM-35, SYSTEM-37."""
    snapshot = see(*make_hosts(2), SYSTEM)
    (written,) = run_system(snapshot).updated_evals

    assert (written.status, written.queued_allocations) == ("complete", {"web": 0})


def test_what_existed_before_is_not_taken_for_new() -> None:
    """SYSTEM-35: an update in place has been created earlier than it is modified."""
    newer = replace(SYSTEM, job_modify_index=99, priority=60)
    snapshot = see(make_host("n0"), newer, make_resident("n0", SYSTEM))
    outcome = run_system(snapshot)
    (update,) = outcome.plans[0].node_allocation["n0"]

    assert update.id == "web-n0"
    assert take_all(outcome.plans[0]).result is not None
    assert outcome.updated_evals[0].queued_allocations == {"web": 0}


def test_a_blocked_evaluation_ends_like_any_other() -> None:
    """SYSTEM-38: what still finds no room is waited for by another one."""
    full = see(make_host("n0", cpu_mhz=400), SYSTEM)
    outcome = run_system(full, status="blocked", triggered_by="queued-allocs", node_id="n0")

    assert not outcome.reblocked_evals
    assert outcome.updated_evals[0].status == "complete"
    assert [blocked.node_id for blocked in outcome.created_evals] == ["n0"]
