"""Attempts are repeated until one is done or too many in a row achieved nothing."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentStatus,
    DeploymentStatusUpdate,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.plan import is_full_commit
from nomadspec.model.cluster.scheduler.attempts import (
    CallError,
    Ending,
    count_down,
    describe_limit,
    describe_unhandled,
    has_progress,
    repeat_attempts,
)
from nomadspec.model.cluster.scheduler.outcome import Answer, Asking, answer_all
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.scheduler.made import make_alloc, make_call, make_snapshot

PLACED = {"n1": (make_alloc(),)}


@pytest.mark.parametrize(
    ("scheduler", "limit"), [("service", 5), ("batch", 2), ("system", 5), ("sysbatch", 2)]
)
def test_the_limit_depends_on_the_scheduler(scheduler: str, limit: int) -> None:
    """GENERIC-04, SYSTEM-04."""
    tried: list[int] = []

    def attempt() -> Asking[Ending]:
        tried.append(1)
        yield from ()
        return Ending.AGAIN

    call = make_call(make_snapshot(), scheduler=scheduler)
    assert not answer_all(repeat_attempts(call, attempt), call.planner)
    assert len(tried) == limit
    assert describe_limit(scheduler) == f"maximum attempts reached ({limit})"


def test_progress_starts_the_count_anew() -> None:
    """GENERIC-07, X-05."""
    call, tried = make_call(make_snapshot()), []

    def attempt() -> Asking[Ending]:
        tried.append(1)
        yield from ()
        call.last_result = PlanResult(node_allocation=PLACED) if len(tried) == 1 else PlanResult()
        return Ending.AGAIN

    assert not answer_all(repeat_attempts(call, attempt), call.planner)
    assert len(tried) == 6


def test_an_attempt_that_is_done_ends_it() -> None:
    call = make_call(make_snapshot())

    def attempt() -> Asking[Ending]:
        yield from ()
        return Ending.DONE

    assert answer_all(repeat_attempts(call, attempt), call.planner)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, False),
        (PlanResult(), False),
        (PlanResult(node_preemptions=PLACED), False),
        (PlanResult(node_update=PLACED), True),
        (PlanResult(node_allocation=PLACED), True),
        (PlanResult(deployment=Deployment()), True),
        (PlanResult(deployment_updates=(DeploymentStatusUpdate(),)), True),
    ],
    ids=range(7),
)
def test_evictions_alone_are_no_progress(result: PlanResult | None, expected: bool) -> None:
    """GENERIC-07, SYSTEM-05."""
    assert has_progress(result, NOMAD_2_0) is expected


def test_as_intended_a_deployment_alone_is_no_progress() -> None:
    """05/S4: it comes back even if all of its plan was refused."""
    assert not has_progress(PlanResult(deployment=Deployment()), INTENDED)
    assert has_progress(PlanResult(deployment_updates=(DeploymentStatusUpdate(),)), INTENDED)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (DeploymentStatus.RUNNING, True),
        (DeploymentStatus.SUCCESSFUL, False),
        (DeploymentStatus.FAILED, False),
    ],
    ids=str,
)
def test_as_intended_what_is_said_of_an_ended_deployment_is_no_progress(
    status: DeploymentStatus, expected: bool
) -> None:
    """05/S4, SYSDEP-21, SYSDEP-24: it is said again with each plan, and the store ignores it."""
    said = DeploymentStatusUpdate(deployment_id="d", status=DeploymentStatus.SUCCESSFUL)
    result = PlanResult(deployment=Deployment(id="d", status=status), deployment_updates=(said,))

    assert has_progress(result, INTENDED) is expected
    assert has_progress(result, NOMAD_2_0)
    assert has_progress(replace(result, node_update=PLACED), INTENDED)
    other = replace(said, deployment_id="older")
    assert has_progress(replace(result, deployment_updates=(said, other)), INTENDED)


def test_only_placements_are_compared() -> None:
    """GENERIC-06."""
    plan = Plan(node_allocation=PLACED, node_update=PLACED)

    assert is_full_commit(plan, PlanResult(node_allocation=PLACED))
    assert not is_full_commit(plan, PlanResult(node_update=PLACED))
    assert not is_full_commit(plan, None)
    assert is_full_commit(Plan(node_update=PLACED), None)


def test_only_new_allocations_of_known_groups_count_down() -> None:
    """GENERIC-24."""
    queued = {"web": 2}
    new = {"create_index": 9, "modify_index": 9}
    allocs = (make_alloc("a", **new), make_alloc("b"), make_alloc("c", task_group="other", **new))
    count_down(queued, PlanResult(node_allocation={"n1": allocs}))

    assert queued == {"web": 1}
    count_down(queued, None)
    assert queued == {"web": 1}


def test_a_plan_that_cannot_be_evaluated_ends_the_call() -> None:
    """GENERIC-05."""
    call = make_call(make_snapshot(), Answer(error="plan queue is disabled"))

    with pytest.raises(CallError, match=r"^plan queue is disabled$"):
        answer_all(call.submit_plan(Plan()), call.planner)
    assert call.plans == [Plan()]


def test_a_newer_state_takes_the_place_of_the_old_one() -> None:
    newer = make_snapshot(make_alloc())
    call = make_call(make_snapshot(), Answer(result=PlanResult(), new_state=newer))
    answer_all(call.submit_plan(Plan()), call.planner)

    assert call.snapshot is newer
    assert call.last_result == PlanResult()
    assert call.build("an error").error == "an error"


def test_an_unhandled_trigger_is_named() -> None:
    """GENERIC-01, SYSTEM-03."""
    assert describe_unhandled("scheduled") == "scheduler cannot handle 'scheduled' evaluation reason"
