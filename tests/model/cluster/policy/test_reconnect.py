from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocMetric,
    DesiredTransition,
    Job,
    NodeScoreMeta,
    Task,
    TaskGroup,
    TaskState,
)
from nomadspec.model.cluster.policy.reconnect import (
    Return,
    find_score,
    find_start_ns,
    is_older,
    is_replacement_kept,
    judge_return,
)

GROUP = TaskGroup(name="web", tasks=(Task(name="a"), Task(name="b")))
LED = TaskGroup(name="web", tasks=(Task(name="a"), Task(name="b", leader=True)))
JOB = Job(version=2, create_index=7, task_groups=(GROUP,))
NOW_NS = 1000


def make_alloc(score: float | None = None, client_status: str = "running", **fields: Any) -> Allocation:
    scored = () if score is None else (NodeScoreMeta(norm_score=score), NodeScoreMeta(norm_score=9))
    known = {"task_group": "web", "job": JOB, "desired_status": "run", "client_status": client_status}
    return Allocation(metrics=AllocMetric(score_meta_data=scored), **{**known, **fields})


def started(**starts_ns: int) -> dict[str, TaskState]:
    return {task: TaskState(started_at_ns=start_ns) for task, start_ns in starts_ns.items()}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Return.COMPETE),
        ({"client_status": "unknown"}, Return.COMPETE),
        ({"client_status": "failed"}, Return.STOP_FAILED),
        ({"client_status": "failed", "desired_status": "stop"}, Return.STOP),
        ({"desired_status": "evict"}, Return.STOP),
        ({"desired_transition": DesiredTransition(migrate=True)}, Return.STOP),
        ({"desired_transition": DesiredTransition(reschedule=True)}, Return.STOP),
        ({"desired_transition": DesiredTransition(force_reschedule=True)}, Return.STOP),
        ({"desired_transition": DesiredTransition(migrate=False)}, Return.COMPETE),
        ({"job": replace(JOB, version=1)}, Return.STOP),
        ({"job": replace(JOB, create_index=3)}, Return.STOP),
        ({"job": replace(JOB, version=3)}, Return.COMPETE),
    ],
)
def test_what_becomes_of_an_allocation_that_comes_back(fields: dict[str, Any], expected: Return) -> None:
    """REC-49, DISC-15."""
    assert expected == judge_return(make_alloc(**fields), JOB)


def test_an_allocation_is_older_by_version_or_incarnation() -> None:
    """REC-16, REC-49."""
    assert is_older(make_alloc(job=replace(JOB, version=1)), JOB)
    assert not is_older(make_alloc(), JOB)


@pytest.mark.parametrize(
    ("ours", "theirs", "our_status", "their_status", "expected"),
    [
        (5, 10, "running", "running", True),
        (10, 5, "running", "running", False),
        (5, 5, "running", "running", False),
        (5, 10, "running", "pending", False),
        (5, 10, "unknown", "pending", True),
        (None, 0, "running", "running", True),
        (None, None, "unknown", "running", False),
        (-1, None, "unknown", "running", False),
    ],
)
def test_the_better_score_wins(
    ours: float | None, theirs: float | None, our_status: str, their_status: str, expected: bool
) -> None:
    """REC-52."""
    original, replacement = make_alloc(ours, our_status), make_alloc(theirs, their_status)

    assert expected == is_replacement_kept(original, replacement, "best_score", NOW_NS)
    assert expected == is_replacement_kept(original, replacement, "", NOW_NS)


def test_only_the_first_score_counts() -> None:
    """REC-52."""
    assert find_score(make_alloc(3)) == 3
    assert find_score(Allocation()) is None


@pytest.mark.parametrize(("strategy", "expected"), [("keep_original", False), ("keep_replacement", True)])
def test_a_strategy_may_decide_alone(strategy: str, expected: bool) -> None:
    """REC-52."""
    assert expected == is_replacement_kept(make_alloc(5), make_alloc(5), strategy, NOW_NS)


@pytest.mark.parametrize("newer", [replace(JOB, version=3), replace(JOB, create_index=8)])
def test_a_newer_replacement_always_stays(newer: Job) -> None:
    """REC-52."""
    assert is_replacement_kept(make_alloc(9), make_alloc(1, job=newer), "keep_original", NOW_NS)


@pytest.mark.parametrize(
    ("ours_ns", "theirs_ns", "expected"),
    [(10, 20, False), (20, 10, True), (10, 10, True), (10, 0, False), (0, 10, True), (0, 0, True)],
)
def test_who_began_first_wins_and_else_the_score(ours_ns: int, theirs_ns: int, expected: bool) -> None:
    """REC-52."""
    original = make_alloc(1, task_states=started(a=ours_ns))
    replacement = make_alloc(2, task_states=started(a=theirs_ns))

    assert expected == is_replacement_kept(original, replacement, "longest_running", NOW_NS)


@pytest.mark.parametrize(
    ("group", "states", "start_ns"),
    [
        (GROUP, started(a=30, b=20), 20),
        (GROUP, started(a=0, b=NOW_NS), 0),
        (GROUP, started(other=5), 0),
        (LED, started(a=10, b=20), 20),
        (LED, started(a=10), 0),
        (GROUP, {"a": TaskState(started_at_ns=10, restarts=1, last_restart_ns=40)}, 40),
        (None, started(a=10), 0),
    ],
)
def test_when_an_allocation_began_its_work(
    group: TaskGroup | None, states: dict[str, TaskState], start_ns: int
) -> None:
    """REC-53."""
    assert start_ns == find_start_ns(make_alloc(task_states=states), group, NOW_NS)
