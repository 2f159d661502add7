"""What allocations need, moment by moment."""

import pytest

from nomadspec.invariants.cluster.resources.need import (
    Moment,
    compute_cpu_need,
    compute_disk_need,
    compute_memory_need,
    is_ended,
    is_enough,
    is_in,
    list_cores,
)
from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Lifecycle,
)


def alloc_of(*tasks: tuple[int, str, bool, tuple[int, ...]], client_status: str = "running") -> Allocation:
    """Make an allocation of tasks: processor time (and as much memory), hook, sidecar, cores."""
    given = {
        f"t{at}": AllocatedTask(
            cpu=AllocatedCpu(cpu_shares=mhz, reserved_cores=cores), memory=AllocatedMemory(memory_mb=mhz)
        )
        for at, (mhz, _, _, cores) in enumerate(tasks)
    }
    lifecycles = {
        f"t{at}": Lifecycle(hook=hook, sidecar=sidecar) if hook else None
        for at, (_, hook, sidecar, _) in enumerate(tasks)
    }
    shared = AllocatedShared(disk_mb=7)
    resources = AllocatedResources(tasks=given, task_lifecycles=lifecycles, shared=shared)
    return Allocation(client_status=client_status, allocated_resources=resources)


TABLE = [
    ([(2000, "prestart", False, ()), (4000, "", False, ()), (1000, "poststop", False, ())], 4000),
    ([(1000, "prestart", False, ()), (2000, "", False, (1, 2)), (1000, "poststop", False, ())], 3000),
    ([(500, "", False, ()), (300, "prestart", True, ()), (1000, "prestart", False, ())], 1300),
    ([(500, "", False, ()), (200, "poststart", False, ()), (600, "poststop", False, ())], 700),
    ([(500, "another", False, ())], 0),
]


@pytest.mark.parametrize(("tasks", "most"), TABLE)
def test_most_is_needed_as_the_table_of_the_rules_says(
    tasks: list[tuple[int, str, bool, tuple[int, ...]]], most: int
) -> None:
    """RANK-23, OBJ-259."""
    assert most == max(compute_cpu_need(alloc_of(*tasks), moment) for moment in Moment)


def test_memory_is_needed_by_pinned_tasks_when_they_run() -> None:
    alloc = alloc_of((5, "prestart", False, (1,)), (3, "", False, (2,)))

    assert (5, 3, 0) == tuple(compute_memory_need(alloc, moment) for moment in Moment)
    assert 8 == compute_cpu_need(alloc, Moment.AFTER)
    assert [1, 2] == list_cores(alloc)
    assert 7 == compute_disk_need(alloc)


def test_what_has_nothing_needs_nothing() -> None:
    assert 0 == compute_cpu_need(Allocation(), Moment.DURING) == compute_disk_need(Allocation())


@pytest.mark.parametrize(("status", "ended"), [("lost", True), ("failed", True), ("unknown", False)])
def test_what_ended_on_its_node_needs_nothing(status: str, ended: bool) -> None:
    """PLAN-54."""
    alloc = alloc_of((5, "", False, ()), client_status=status)

    assert ended is is_ended(alloc)
    assert ended is is_enough(4, [alloc], compute_cpu_need)


def test_the_moments_of_allocations_do_not_fit_together() -> None:
    early, late = alloc_of((5, "prestart", False, ())), alloc_of((5, "poststop", False, ()))

    assert is_enough(10, [early, late], compute_cpu_need)
    assert not is_enough(9, [early, late], compute_cpu_need)


def test_membership() -> None:
    assert is_in(1, {1, 2})
    assert not is_in(3, frozenset({1}))
