"""The fit test and the dimension that it names (RANK-30, PLAN-54)."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedPort,
    AllocatedShared,
    Allocation,
    NodeReservedResources,
    ReservedCpu,
)
from nomadspec.model.cluster.resources.fit import judge_fit
from tests.model.cluster.resources.making import IP, make_alloc, make_cores, make_node, make_ports, make_task


def taking(*, cpu_mhz: int = 0, memory_mb: int = 0, memory_max_mb: int = 0, disk_mb: int = 0) -> Allocation:
    """Make an allocation that takes so much."""
    task = make_task(cpu_mhz, memory_mb, memory_max_mb)
    return make_alloc(tasks={"web": task}, shared=AllocatedShared(disk_mb=disk_mb))


@pytest.mark.parametrize(
    ("alloc", "dimension"),
    [
        (taking(cpu_mhz=4000, memory_mb=4096, disk_mb=10_000), ""),
        (taking(cpu_mhz=4001, memory_mb=9999, disk_mb=99_999), "cpu"),
        (taking(memory_mb=4097, disk_mb=99_999), "memory"),
        (taking(disk_mb=10_001), "disk"),
        (taking(memory_mb=1, memory_max_mb=9999), ""),
    ],
)
def test_equality_fits_and_the_first_shortage_is_named(alloc: Allocation, dimension: str) -> None:
    """RANK-30, RANK-32, RANK-27."""
    assert dimension == judge_fit(make_node(), [alloc]).dimension


def test_too_many_is_an_error_and_nothing_is_used() -> None:
    """RANK-30: members that have ended count."""
    allocs = [make_alloc(), make_alloc("a2", client_status="complete")]
    fit = judge_fit(make_node(max_allocs=1), allocs)

    assert ("max allocation exceeded", "plan exceeds max allocation", 0) == (
        fit.dimension,
        fit.error,
        fit.used.cpu_mhz,
    )
    assert not fit.fits


def test_a_core_held_twice_comes_before_all_else() -> None:
    allocs = [make_alloc(name, tasks={"web": make_task(9999, cores=[1])}) for name in ("a1", "a2")]

    assert "cores" == judge_fit(make_node(), allocs).dimension


def test_cores_are_looked_at_only_where_the_node_has_some() -> None:
    alloc = make_alloc(tasks={"web": make_task(0, cores=[9])})

    assert "cores" == judge_fit(make_node(), [alloc]).dimension
    assert "" == judge_fit(make_node(cores=make_cores(2, disabled=[0, 1])), [alloc]).dimension


def test_a_core_that_the_node_keeps_cannot_be_had() -> None:
    """RANK-40."""
    kept = NodeReservedResources(cpu=ReservedCpu(reserved_cpu_cores=(0,)))
    node = replace(make_node(), reserved_resources=kept)

    assert "cores" == judge_fit(node, [make_alloc(tasks={"web": make_task(cores=[0])})]).dimension


def test_ports_come_after_the_dimensions() -> None:
    port = make_ports(AllocatedPort(value=80, host_ip=IP))
    allocs = [make_alloc("a1", shared=port), make_alloc("a2", shared=port)]

    assert judge_fit(make_node(), allocs).dimension.startswith("reserved alloc port collision: ")
    assert judge_fit(make_node(kept_ports="x"), allocs).dimension.startswith("reserved node port collision: ")
    assert "disk" == judge_fit(make_node(disk_mb=-1), allocs).dimension
