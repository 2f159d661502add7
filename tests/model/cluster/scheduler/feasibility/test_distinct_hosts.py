"""Distinct hosts."""

import pytest

from nomadspec.model.cluster.entities import Allocation, Constraint, Job
from nomadspec.model.cluster.scheduler.feasibility.distinct_hosts import DistinctHosts, is_enabled
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

DISTINCT = (Constraint(operand="distinct_hosts"),)
OTHER = Constraint(ltarget="a", operand="=", rtarget="a")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), False),
        (("",), True),
        (("false",), False),
        (("1",), True),
        (("odd",), True),
        (("f", "true"), False),
    ],
)
def test_the_first_constraint_switches_it(values: tuple[str, ...], expected: bool) -> None:
    """FEAS-42."""
    constraints = [Constraint(operand="distinct_hosts", rtarget=value) for value in values]

    assert expected == is_enabled([OTHER, *constraints])


def find_blocker(
    job: Job, *allocs: Allocation, planned: tuple[Allocation, ...] = (), profile: Profile = NOMAD_2_0
) -> object:
    """Name the allocation that keeps a node from the job's first group."""
    context = make_context(make_snapshot(make_node(), job, *allocs), job, profile=profile)
    for alloc in planned:
        context.plan.append_alloc(alloc)
    refused = DistinctHosts.begin(context, job, job.task_groups[0]).check(make_node())
    assert refused is None or "distinct_hosts" == refused.text
    return refused.operands["alloc"] if refused else None


def test_the_job_or_only_the_group_is_kept_apart() -> None:
    """FEAS-43."""
    alloc = make_alloc(task_group="db")
    plain, own = make_group(), make_group(constraints=DISTINCT)

    assert "a1" == find_blocker(make_job(plain, constraints=DISTINCT), alloc)
    assert find_blocker(make_job(own), alloc) is None
    assert "a1" == find_blocker(make_job(own), make_alloc())
    assert find_blocker(make_job(plain), make_alloc()) is None


def test_what_is_only_noted_keeps_its_host_in_the_release_alone() -> None:
    """FEAS-44, X-57."""
    job, ended = make_job(constraints=DISTINCT), make_alloc(client_status="failed")
    found = [find_blocker(job, ended, planned=(ended,), profile=profile) for profile in (NOMAD_2_0, INTENDED)]

    assert ["a1", None] == found
    assert "a1" == find_blocker(job, planned=(make_alloc(),), profile=INTENDED)


def test_other_jobs_and_namespaces_do_not_count() -> None:
    """FEAS-43."""
    job = make_job(constraints=DISTINCT)

    assert find_blocker(job, make_alloc(job_id="k"), make_alloc("a2", namespace="x")) is None


def test_statuses_matter_only_to_what_is_proposed() -> None:
    """FEAS-44: ended ones do not block, stopped ones that run and ended ones in the plan do."""
    job = make_job(constraints=DISTINCT)
    failed = make_alloc(client_status="failed")

    assert find_blocker(job, failed) is None
    assert "a1" == find_blocker(job, failed, planned=(failed,))
    assert "a1" == find_blocker(job, make_alloc(desired_status="stop"))
