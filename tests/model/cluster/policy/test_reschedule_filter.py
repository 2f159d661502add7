from typing import Any

import pytest

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocState,
    Deployment,
    DesiredTransition,
    DisconnectStrategy,
    ReschedulePolicy,
    RescheduleTracker,
    TaskState,
)
from nomadspec.model.cluster.policy.reschedule_filter import (
    ZERO_TIME_NS,
    Decision,
    Filtered,
    Placing,
    RescheduleCase,
    Verdict,
    decide,
    filter_alloc,
    judge_status,
)
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.policy.made import NOW_NS, ago, make_alloc, make_policy, seconds

FAILED_BEFORE = RescheduleTracker(last_reschedule="no placement")
ASKED = DesiredTransition(reschedule=True)
FORCED = DesiredTransition(force_reschedule=True)
DEAD = {"t": TaskState(state="dead")}
P = make_policy(delay=5)


def make_case(**fields: Any) -> RescheduleCase:
    return RescheduleCase(
        **{"profile": NOMAD_2_0, "now_ns": NOW_NS, "eval_id": "e1", "is_batch": False, **fields}
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Verdict.CHECK),
        ({"client_status": "pending"}, Verdict.CHECK),
        ({"client_status": "unknown"}, Verdict.CHECK),
        ({"client_status": "complete"}, Verdict.DROP),
        ({"client_status": "lost"}, Verdict.DROP),
        ({"desired_status": "stop"}, Verdict.DROP),
        ({"desired_status": "evict"}, Verdict.DROP),
        ({"desired_status": "stop", "reschedule_tracker": FAILED_BEFORE}, Verdict.CHECK),
    ],
)
def test_statuses_of_a_service(fields: dict[str, Any], expected: Verdict) -> None:
    """REC-43, REC-44, REC-48."""
    assert expected == judge_status(make_alloc(P, **fields), is_batch=False)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Verdict.CHECK),
        ({"client_status": "running"}, Verdict.KEEP),
        ({"client_status": "complete"}, Verdict.KEEP),
        ({"client_status": "unknown"}, Verdict.KEEP),
        ({"desired_status": "stop"}, Verdict.DROP),
        ({"desired_status": "stop", "task_states": DEAD}, Verdict.KEEP),
        ({"desired_status": "stop", "reschedule_tracker": FAILED_BEFORE}, Verdict.CHECK),
        ({"desired_status": "evict", "reschedule_tracker": FAILED_BEFORE}, Verdict.DROP),
        ({"desired_status": "stop", "desired_transition": ASKED}, Verdict.CHECK),
        (
            {"desired_transition": DesiredTransition(migrate_disable_placement=True, reschedule=True)},
            Verdict.KEEP,
        ),
    ],
)
def test_statuses_of_a_batch_allocation(fields: dict[str, Any], expected: Verdict) -> None:
    """REC-43, REC-44, BATCH-03, BATCH-08."""
    assert expected == judge_status(make_alloc(P, job_type="batch", **fields), is_batch=True)


@pytest.mark.parametrize(
    ("failed_s_ago", "expected"),
    [
        (10, Decision(is_now=True, time_ns=ago(5), rule="RESCHED-18")),
        (4, Decision(is_now=True, time_ns=NOW_NS + seconds(1), rule="RESCHED-18")),
        (3.9, Decision(is_later=True, time_ns=NOW_NS + seconds(1.1), rule="RESCHED-19")),
    ],
)
def test_what_is_due_within_a_second_is_due(failed_s_ago: float, expected: Decision) -> None:
    """RESCHED-18, RESCHED-19."""
    assert expected == decide(make_alloc(P, failed_s_ago=failed_s_ago), make_case())


@pytest.mark.parametrize(("followup", "is_now"), [("e1", True), ("e2", False)])
def test_a_followed_allocation_waits_for_its_eval(followup: str, is_now: bool) -> None:
    """RESCHED-18, RESCHED-19."""
    decision = decide(make_alloc(make_policy(delay=30), followup_eval_id=followup), make_case())

    assert (is_now, False) == (decision.is_now, decision.is_later)


@pytest.mark.parametrize(
    ("status", "asked", "is_now"),
    [("running", None, False), ("paused", None, False), ("failed", None, True), ("running", True, True)],
)
def test_an_active_deployment_has_the_say(status: str, asked: bool | None, is_now: bool) -> None:
    """RESCHED-15."""
    alloc = make_alloc(
        P, deployment_id="d1", desired_transition=DesiredTransition(force_reschedule=True, reschedule=asked)
    )
    mine, other = Deployment(id="d1", status=status), Deployment(id="d2", status=status)

    assert is_now == decide(alloc, make_case(deployment=mine)).is_now
    assert decide(alloc, make_case(deployment=other)).is_now


@pytest.mark.parametrize(
    ("client_status", "is_now"), [("failed", True), ("complete", True), ("lost", True), ("running", False)]
)
def test_force_needs_no_policy(client_status: str, is_now: bool) -> None:
    """RESCHED-16."""
    alloc = make_alloc(ReschedulePolicy(), client_status=client_status, desired_transition=FORCED)

    assert Decision(is_now, rule="RESCHED-16" if is_now else "RESCHED-10") == decide(alloc, make_case())


def test_a_forced_allocation_may_be_due_later_too() -> None:
    """RESCHED-16."""
    alloc = make_alloc(make_policy(delay=30), desired_transition=FORCED)

    expected = Decision(is_now=True, is_later=True, time_ns=NOW_NS + seconds(20), rule="RESCHED-16")

    assert expected == decide(alloc, make_case())


@pytest.mark.parametrize("replace", [True, False])
def test_a_disconnecting_allocation_counts_from_now(replace: bool) -> None:
    """RESCHED-17, DISC-04."""
    alloc = make_alloc(P, DisconnectStrategy(replace=replace), client_status="running", followup_eval_id="")
    decision = decide(alloc, make_case(is_disconnecting=True))

    due = Decision(is_later=True, time_ns=NOW_NS + seconds(5), rule="RESCHED-19")

    assert (due if replace else Decision(rule="RESCHED-10")) == decision


def test_an_unknown_allocation_counts_from_when_it_was_lost_sight_of() -> None:
    """RESCHED-17, DISC-08."""
    states = (AllocState(value="unknown", time_ns=ago(5)),)
    known: dict[str, Any] = {"client_status": "unknown", "followup_eval_id": "e1"}

    assert Decision(is_now=True, time_ns=NOW_NS, rule="RESCHED-18") == decide(
        make_alloc(P, alloc_states=states, **known), make_case()
    )
    assert Decision(is_now=True, time_ns=ZERO_TIME_NS + seconds(5), rule="RESCHED-18") == decide(
        make_alloc(P, **known), make_case()
    )


DONE: dict[str, Any] = {"client_status": "complete"}


@pytest.mark.parametrize(
    ("alloc", "case", "expected"),
    [
        (make_alloc(P), {}, Filtered(Placing.NOW, rule="RESCHED-18")),
        (make_alloc(P, failed_s_ago=0), {}, Filtered(Placing.KEPT, NOW_NS + seconds(5), "RESCHED-19")),
        (make_alloc(P, next_allocation="a2"), {}, Filtered(Placing.DROPPED, rule="REC-42")),
        (
            make_alloc(P, next_allocation="a2", client_status="running"),
            {},
            Filtered(Placing.KEPT, rule="RESCHED-10"),
        ),
        (make_alloc(P, **DONE), {}, Filtered(Placing.DROPPED, rule="REC-44")),
        (make_alloc(P, job_type="batch", **DONE), {"is_batch": True}, Filtered(Placing.KEPT, rule="REC-43")),
        (
            make_alloc(P, client_status="unknown"),
            {"is_disconnecting": True},
            Filtered(Placing.DROPPED, rule="REC-41"),
        ),
        (
            make_alloc(P, job_type="batch", client_status="running"),
            {"is_batch": True, "is_disconnecting": True},
            Filtered(Placing.KEPT, NOW_NS + seconds(5), "RESCHED-19"),
        ),
        (make_alloc(None), {}, Filtered(Placing.KEPT, rule="RESCHED-10")),
    ],
)
def test_where_the_filter_puts_an_allocation(
    alloc: Allocation, case: dict[str, bool], expected: Filtered
) -> None:
    """REC-41, REC-42, REC-43, REC-44, REC-45, REC-46, REC-47."""
    assert expected == filter_alloc(alloc, make_case(**case))
