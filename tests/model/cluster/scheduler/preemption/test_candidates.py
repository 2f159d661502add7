"""Who may have to go (PREEMPT-03 to PREEMPT-06, PREEMPT-13)."""

import pytest

from nomadspec.model.cluster.entities import Allocation, MigrateStrategy
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.preemption.candidates import (
    compute_penalty,
    count_evicted,
    find_priority,
    is_eligible,
    list_candidates,
    list_classes,
    order_tasks,
    penalise,
    without,
)
from tests.model.cluster.scheduler.made import make_alloc, make_context, make_group, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_tenant

JOB = make_job(priority=50)


def ids(allocs: list[Allocation] | tuple[Allocation, ...]) -> list[str]:
    return [alloc.id for alloc in allocs]


def test_allocations_of_the_same_job_are_none() -> None:
    """PREEMPT-03."""
    there = [make_alloc("own"), make_alloc("namesake", namespace="lab"), make_tenant("other")]

    assert ["namesake", "other"] == ids(list_candidates(there, JOB))


@pytest.mark.parametrize(("priority", "expected"), [(39, True), (40, True), (41, False), (60, False)])
def test_a_gap_of_ten_is_enough(priority: int, expected: bool) -> None:
    """PREEMPT-06."""
    assert expected == is_eligible(make_tenant("t", priority=priority), JOB)


def test_who_has_no_job_stays() -> None:
    """PREEMPT-06."""
    assert not is_eligible(make_alloc(), JOB)
    assert find_priority(make_alloc()) == 0


def test_the_least_important_come_first() -> None:
    """PREEMPT-11."""
    there = [make_tenant(f"t{at}", priority=priority) for at, priority in enumerate((30, 20, 45, 30))]

    assert [["t1"], ["t0", "t3"]] == [ids(each) for each in list_classes(there, JOB)]


@pytest.mark.parametrize(
    ("allowed", "evicted", "penalty"), [(0, 5, 0), (1, 0, 0), (1, 1, 50), (1, 2, 100), (2, 1, 0), (3, 5, 150)]
)
def test_penalty(allowed: int, evicted: int, penalty: float) -> None:
    """PREEMPT-13."""
    assert penalty == penalise(allowed, evicted)


def test_evictions_in_the_plan_name_no_group() -> None:
    """PREEMPT-24, 07/S-11: so nothing is ever penalised."""
    job = make_job(make_group(migrate=MigrateStrategy(max_parallel=1)), id="other", priority=30)
    victim = make_tenant("t1", job=job)
    plan = make_context(make_snapshot(), JOB).plan
    plan.append_preempted(victim, "new")
    assert compute_penalty(make_tenant("t2", job=job), plan) == 0.0

    plan.node_preemptions["n1"].append(victim)
    assert count_evicted(victim, plan) == 1
    assert compute_penalty(make_tenant("t2", job=job), plan) == 50.0


def test_who_has_to_go_is_left_out() -> None:
    first, second = make_tenant("t1"), make_tenant("t2")

    assert (second,) == without((first, second), [first])


def test_tasks_are_visited_in_the_order_of_their_names() -> None:
    given = make_tenant("t1").allocated_resources
    assert given is not None
    tasks = {**given.tasks, "after": given.tasks["main"]}
    ordered = order_tasks(type(given)(tasks=tasks), ReplayedChoices())

    assert ["after", "main"] == list(ordered.tasks)
