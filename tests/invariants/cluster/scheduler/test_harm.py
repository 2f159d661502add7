"""Properties of what users fear."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import live_through
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS, SchedulerFinding
from nomadspec.model.cluster.entities import (
    Deployment,
    DesiredDescription,
    Evaluation,
    ReschedulePolicy,
)
from tests.invariants.cluster.scheduler.made import ask, make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job, make_snapshot


def find(name: str) -> SchedulerFinding:
    return next(one for one in SCHEDULER_FINDINGS if one.id == name)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("D-04", "j-service is deployed with 0 of 1 of web healthy"),
        ("D-10", "j-system is deployed with 0 of 1 of web healthy"),
        ("D-16", "j-system is deployed with 1 of 2 of web healthy"),
    ],
)
def test_a_deployment_that_succeeds_is_healthy(name: str, problem: str) -> None:
    """REC-90, SYSDEP-20."""
    finding = find(name)
    asked = [
        ask("successful_deployments_are_healthy", decision)
        for decision in live_through(finding.history, profile=finding.profile)
    ]

    assert [[], [problem]] == [asked[0], asked[-1]]


def test_what_is_stopped_is_emptied() -> None:
    """REC-12."""
    job, alloc = make_job(stop=True), make_alloc("a1")
    gone = replace(alloc, desired_status="stop")
    decision = make_decision(job=job, had=(alloc,))

    assert ["j was stopped and keeps 1"] == ask("stopped_jobs_are_emptied", decision)
    assert not ask("stopped_jobs_are_emptied", make_decision(job=job, had=(alloc,), stopped=(gone,)))
    assert not ask("stopped_jobs_are_emptied", make_decision(had=(alloc,)))


def test_what_is_done_is_not_done_again() -> None:
    """BATCH-01."""
    job = make_job(type="batch")
    done = replace(make_alloc("a1"), job=job, client_status="complete")
    again = replace(make_alloc("a2"), job=job)

    def count(**fields: object) -> int:
        had = (replace(done, **fields),)
        return len(ask("finished_work_is_done_once", make_decision(job=job, had=had, placed=(again,))))

    assert [1, 0, 0] == [count(), count(client_status="failed"), count(desired_status="stop")]


@pytest.mark.parametrize(("status", "count"), [("paused", 1), ("failed", 1), ("running", 0)])
def test_what_is_halted_stands_still(status: str, count: int) -> None:
    """REC-11."""
    job, alloc = make_job(), make_alloc("a1")
    stopped = replace(alloc, desired_status="stop", desired_description=DesiredDescription.UPDATING)
    deployment = Deployment(id="d1", namespace=job.namespace, job_id=job.id, status=status)
    decision = make_decision(job=job, had=(alloc,), stopped=(stopped,))
    halted = replace(decision, before=make_snapshot(job, alloc, deployments=[deployment]))

    assert count == len(ask("halted_deployments_stand_still", halted))


@pytest.mark.parametrize(
    ("policy", "waiting", "lacks"),
    [
        (ReschedulePolicy(unlimited=True), "", True),
        (ReschedulePolicy(unlimited=True), "blocked", False),
        (ReschedulePolicy(unlimited=True), "pending", False),
        (ReschedulePolicy(unlimited=True), "complete", True),
        (ReschedulePolicy(attempts=0), "", False),
    ],
)
def test_what_is_lacking_is_looked_for(policy: ReschedulePolicy, waiting: str, lacks: bool) -> None:
    """GENERIC-40, RESCHED-26."""
    job = make_job(make_group(reschedule_policy=policy))
    failed = replace(make_alloc("a1"), job=job, client_status="failed")
    other = Evaluation(id="other", namespace=job.namespace, job_id=job.id, status=waiting)
    decision = make_decision(job=job, had=(failed,))
    left = replace(decision, after=make_snapshot(job, failed, evals=[other] if waiting else []))

    assert lacks == bool(ask("lacking_work_is_looked_for", left))
