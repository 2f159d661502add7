from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Job, TaskGroup
from nomadspec.model.cluster.policy.run_limit import compute_deadline_ns, has_run_out

GROUP = TaskGroup(name="web", max_run_duration_ns=10)
ALLOC = Allocation(
    task_group="web",
    job=Job(type="batch", task_groups=(GROUP,)),
    desired_status="run",
    client_status="running",
    create_time_ns=100,
)


def with_job(job_type: str, limit_ns: int | None = 10) -> dict[str, Any]:
    return {"job": Job(type=job_type, task_groups=(replace(GROUP, max_run_duration_ns=limit_ns),))}


@pytest.mark.parametrize(
    ("changed", "deadline_ns"),
    [
        ({}, 110),
        (with_job("sysbatch"), 110),
        (with_job("service"), None),
        (with_job("batch", 0), None),
        (with_job("batch", None), None),
        ({"create_time_ns": 0}, None),
        ({"task_group": "gone"}, None),
        ({"job": None}, None),
    ],
)
def test_the_limit_counts_from_creation(changed: dict[str, Any], deadline_ns: int | None) -> None:
    """OBJ-245."""
    assert deadline_ns == compute_deadline_ns(replace(ALLOC, **changed))


@pytest.mark.parametrize(
    ("changed", "now_ns", "expected"),
    [
        ({}, 110, True),
        ({}, 109, False),
        ({"client_status": "pending"}, 200, False),
        ({"desired_status": "stop"}, 200, False),
        (with_job("service"), 200, False),
    ],
)
def test_only_what_runs_and_is_wanted_runs_out(changed: dict[str, Any], now_ns: int, expected: bool) -> None:
    """OBJ-245."""
    assert expected == has_run_out(replace(ALLOC, **changed), now_ns)
