"""What a node has for allocations (RANK-24, OBJ-154)."""

from nomadspec.model.cluster.entities import (
    Core,
    CpuTopology,
    Node,
    NodeReservedResources,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
)
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity, compute_core_mhz, compute_total_mhz
from tests.model.cluster.resources.making import make_cores, make_node


def test_what_the_node_keeps_is_taken_off() -> None:
    kept = NodeReservedResources(
        cpu=ReservedCpu(cpu_shares=500, reserved_cpu_cores=(0,)),
        memory=ReservedMemory(memory_mb=96),
        disk=ReservedDisk(disk_mb=1000),
    )
    node = make_node(cores=make_cores(3))
    node = Node(node_resources=node.node_resources, reserved_resources=kept)

    assert Amounts(2500, 4000, 4000, 9000, frozenset({1, 2})) == compute_capacity(node)


def test_a_core_that_is_switched_off_counts_for_speed_only() -> None:
    """RANK-24: all cores are summed, and only those that are on can be had."""
    capacity = compute_capacity(make_node(cores=make_cores(4, disabled=[3])))

    assert (4000, frozenset({0, 1, 2})) == (capacity.cpu_mhz, capacity.cores)


def test_an_override_replaces_the_sum() -> None:
    assert 123 == compute_total_mhz(CpuTopology(cores=make_cores(4), override_total_compute=123))


def test_the_best_known_speed_of_a_core_counts() -> None:
    assert 1 == compute_core_mhz(Core(base_speed=1, max_speed=2, guess_speed=3))
    assert 2 == compute_core_mhz(Core(max_speed=2, guess_speed=3))
    assert 3 == compute_core_mhz(Core(guess_speed=3))


def test_capacity_may_be_negative() -> None:
    node = Node(reserved_resources=NodeReservedResources(memory=ReservedMemory(memory_mb=1)))

    assert -1 == compute_capacity(node).memory_mb


def test_a_node_without_reservations_keeps_nothing() -> None:
    node = Node(node_resources=make_node().node_resources)

    assert 4096 == compute_capacity(node).memory_mb
