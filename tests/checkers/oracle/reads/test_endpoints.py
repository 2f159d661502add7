"""What a path of the API asks for, and what no table answers."""

import pytest

from nomadspec.checkers.oracle.reads.endpoints import find_endpoint
from nomadspec.model.cluster.store.tables import JOB_SUMMARIES, JOB_VERSIONS, JOBS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("job/web", (JOBS, "web")),
        ("job/web/versions", (JOB_VERSIONS, "web")),
        ("job/web/summary", (JOB_SUMMARIES, "web")),
        ("job/a%2Fb/summary", (JOB_SUMMARIES, "a/b")),
        ("job/a/b", (JOBS, "a/b")),
        ("job/a%2Fallocations", (JOBS, "a/allocations")),
    ],
)
def test_the_id_of_a_job_may_hold_slashes(path: str, expected: tuple[str, str]) -> None:
    """WIRE-061, WIRE-063."""
    found = find_endpoint(f"/v1/{path}")

    assert found is not None
    assert (found.table, found.name) == expected


@pytest.mark.parametrize(
    "path",
    [
        "job/web/allocations",
        "job/web/allocations?all=true",
        "job/web/evaluations",
        "job/a%2Fb/deployment",
        "job/web/deployments",
        "evaluation/e/allocations",
        "node/n/allocations",
        "deployment/allocations/d",
    ],
)
def test_what_is_listed_beside_one_object_is_not_compared(path: str) -> None:
    """WIRE-044, WIRE-064."""
    assert find_endpoint(f"/v1/{path}") is None


def test_lists_of_allocations_and_jobs_show_parts_and_that_of_evaluations_does_not() -> None:
    """WIRE-041, 11/S1."""
    found = {name: find_endpoint(f"/v1/{name}") for name in ("allocations", "jobs", "nodes", "evaluations")}

    assert {name: one.is_stub for name, one in found.items() if one is not None} == {
        "allocations": True,
        "jobs": True,
        "nodes": True,
        "evaluations": False,
    }
