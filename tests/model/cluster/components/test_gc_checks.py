"""What may be collected as garbage."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.gc_checks import (
    EvalCheck,
    check_eval,
    has_tagged_version,
    is_alloc_collectable,
    is_deployment_collectable,
    is_job_collectable,
    is_node_collectable,
    is_too_new,
)
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    Evaluation,
    Job,
    Node,
    ParameterizedJobConfig,
    PeriodicConfig,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    TaskGroup,
    VersionTag,
)
from nomadspec.model.cluster.store.state import State

NOW, CUTOFF = 1000, 500
LIMITED = ReschedulePolicy(attempts=2, interval_ns=100)
UNLIMITED = ReschedulePolicy(unlimited=True)
FAILED = Allocation(
    id="a", eval_id="e", job_id="j", task_group="g", desired_status="run", client_status="failed"
)


def job_with(policy: ReschedulePolicy | None = LIMITED, **fields: Any) -> Job:
    base = Job(id="j", status="running", task_groups=(TaskGroup(name="g", reschedule_policy=policy),))
    return replace(base, **fields)


def tracker(*times: int) -> RescheduleTracker:
    return RescheduleTracker(events=tuple(RescheduleEvent(reschedule_time_ns=time) for time in times))


def test_what_is_as_old_as_the_cutoff_is_old_enough() -> None:
    """GC-10."""
    assert [False, True] == [is_too_new(time, CUTOFF) for time in (CUTOFF, CUTOFF + 1)]


@pytest.mark.parametrize(
    ("row", "alloc", "job", "expected"),
    [
        (1, replace(FAILED, client_status="running"), None, False),
        (1, replace(FAILED, modify_time_ns=CUTOFF + 1), None, False),
        (1, replace(FAILED, modify_time_ns=CUTOFF), None, True),
        (2, replace(FAILED, client_status="running", desired_status="stop"), None, False),
        (3, FAILED, job_with(stop=True), True),
        (3, FAILED, job_with(status="dead"), True),
        (4, replace(FAILED, desired_status="stop"), job_with(), True),
        (4, replace(FAILED, desired_status="stop", client_status="pending"), job_with(), True),
        (4, replace(FAILED, desired_status="evict"), job_with(), False),
        (5, replace(FAILED, client_status="lost"), job_with(), True),
        (6, replace(FAILED, task_group="gone"), job_with(), True),
        (6, FAILED, job_with(None), True),
        (6, FAILED, job_with(ReschedulePolicy(attempts=0)), True),
        (7, replace(FAILED, next_allocation="b"), job_with(), True),
        (8, replace(FAILED, reschedule_tracker=tracker(0)), job_with(UNLIMITED), False),
        (9, FAILED, job_with(), False),
        (10, replace(FAILED, reschedule_tracker=tracker(0, NOW - 100)), job_with(), False),
        (10, replace(FAILED, reschedule_tracker=tracker(NOW, NOW - 101)), job_with(), True),
    ],
)  # fmt: skip
def test_an_alloc_goes_when_nobody_needs_it(
    row: int, alloc: Allocation, job: Job | None, expected: bool
) -> None:
    """GC-25, by the rows of its table."""
    assert expected == is_alloc_collectable(alloc, job, NOW, CUTOFF), f"row {row}"


def check(
    evaluation: Evaluation, *allocs: Allocation, job: Job | None = None, is_allowed: bool = False
) -> EvalCheck:
    state = State.of(jobs=[job] if job else [], evals=[evaluation], allocs=allocs)
    return check_eval(state, evaluation, now_ns=NOW, cutoff_ns=CUTOFF, is_dead_batch_allowed=is_allowed)


DONE = Evaluation(id="e", job_id="j", type="service", status="complete")
BATCH = replace(DONE, type="batch")
OLD = replace(FAILED, id="old", client_status="complete", create_index=1)
WHOLE = EvalCheck(is_collectable=True, allocs=("new", "old"))
OLD_ONLY = EvalCheck(is_collectable=False, allocs=("old",))
CURRENT = replace(OLD, id="new", create_index=9)


@pytest.mark.parametrize("status", ["blocked", "pending"])
def test_an_eval_that_is_not_over_stays_with_its_allocs(status: str) -> None:
    """GC-23."""
    assert EvalCheck() == check(replace(DONE, status=status), OLD)
    assert EvalCheck() == check(replace(DONE, modify_time_ns=CUTOFF + 1), OLD)


def test_some_allocs_may_go_before_their_eval() -> None:
    """GC-22."""
    running = replace(OLD, id="running", client_status="running")

    assert OLD_ONLY == check(DONE, OLD, running)
    assert EvalCheck(is_collectable=True, allocs=("old",)) == check(DONE, OLD)
    assert EvalCheck(is_collectable=True) == check(DONE)


@pytest.mark.parametrize(
    ("job", "is_allowed", "expected"),
    [
        (None, False, WHOLE),
        (job_with(status="dead", stop=True, job_modify_index=9), False, WHOLE),
        (job_with(status="dead", job_modify_index=9), False, OLD_ONLY),
        (job_with(status="dead", job_modify_index=9), True, WHOLE),
        (job_with(stop=True, job_modify_index=9), True, OLD_ONLY),
    ],
)  # fmt: skip
def test_finished_work_of_a_live_batch_job_stays(
    job: Job | None, is_allowed: bool, expected: EvalCheck
) -> None:
    """GC-26."""
    assert expected == check(BATCH, OLD, CURRENT, job=job, is_allowed=is_allowed)


def test_the_exception_keys_on_the_type_of_the_eval() -> None:
    """GC-27."""
    job = job_with(status="dead", type="batch", job_modify_index=9)

    assert WHOLE == check(DONE, OLD, CURRENT, job=job)


def test_old_batch_work_must_be_strictly_older_than_the_cutoff() -> None:
    """GC-21."""
    at_cutoff, before = (replace(OLD, modify_time_ns=time) for time in (CUTOFF, CUTOFF - 1))

    assert [(), ("old",)] == [
        check(BATCH, one, job=job_with(job_modify_index=9)).allocs for one in (at_cutoff, before)
    ]


DISPATCH = ParameterizedJobConfig()
PERIODIC = PeriodicConfig(enabled=True)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"status": "running", "stop": True}, False),
        ({"status": "dead", "stop": True}, True),
        ({"status": "dead", "type": "service"}, False),
        ({"status": "dead", "type": "system"}, False),
        ({"status": "dead", "type": "batch"}, True),
        ({"status": "dead", "type": "sysbatch"}, True),
        ({"status": "dead", "type": "batch", "version_tag": VersionTag(name="v")}, False),
        ({"status": "running", "type": "batch", "periodic": PERIODIC, "stop": True}, True),
        ({"status": "dead", "type": "batch", "periodic": PERIODIC}, False),
        ({"status": "dead", "type": "batch", "periodic": PeriodicConfig()}, True),
        ({"status": "dead", "type": "batch", "parameterized_job": DISPATCH}, False),
        ({"status": "dead", "type": "batch", "parameterized_job": DISPATCH, "dispatched": True}, True),
    ],
)  # fmt: skip
def test_a_job_goes_when_it_is_over(fields: dict[str, Any], expected: bool) -> None:
    """GC-30."""
    assert expected == is_job_collectable(job_with(**fields))


def test_a_tag_on_any_stored_version_keeps_a_job() -> None:
    """GC-32."""
    current = Job(id="j", version=1)
    tagged = Job(id="j", version=0, version_tag=VersionTag(name="v"))

    assert has_tagged_version(State.of(jobs=[current], job_versions=[current, tagged]), current)
    assert not has_tagged_version(State.of(jobs=[current]), current)


@pytest.mark.parametrize(
    ("deployment", "client", "expected"),
    [
        (Deployment(id="d", status="successful"), "complete", True),
        (Deployment(id="d", status="successful"), "running", False),
        (Deployment(id="d", status="running"), "complete", False),
        (Deployment(id="d", status="blocked"), "complete", False),
        (Deployment(id="d", status="failed", modify_time_ns=CUTOFF + 1), "complete", False),
    ],
)
def test_a_deployment_goes_with_its_last_alloc(deployment: Deployment, client: str, expected: bool) -> None:
    """GC-40."""
    state = State.of(
        deployments=[deployment], allocs=[replace(FAILED, deployment_id="d", client_status=client)]
    )

    assert expected == is_deployment_collectable(state, deployment, CUTOFF)


@pytest.mark.parametrize(
    ("status", "client", "updated_at_s", "expected"),
    [
        ("down", "lost", 5, True),
        ("down", "unknown", 5, False),
        ("down", "lost", 6, False),
        ("down", "lost", 5_000_000_000, False),
        ("disconnected", "lost", 5, False),
        ("ready", "lost", 5, False),
    ],
)
def test_a_node_goes_when_it_is_down_for_long(
    status: str, client: str, updated_at_s: int, expected: bool
) -> None:
    """GC-60, 10/S1."""
    node = Node(id="n", status=status, status_updated_at_s=updated_at_s)
    state = State.of(nodes=[node], allocs=[replace(FAILED, node_id="n", client_status=client)])

    assert expected == is_node_collectable(state, node, 5_000_000_000)
