"""What a node has for allocations: what is there, less what it keeps for itself."""

from __future__ import annotations

from nomadspec.model.cluster.entities import Core, CpuTopology, Node, NodeResources
from nomadspec.model.cluster.resources.amounts import Amounts


def compute_capacity(node: Node) -> Amounts:
    """Compute what allocations may use of a node; it may be negative, and nothing refuses that.

    Spec: OBJ-152, OBJ-153, OBJ-154, RANK-24, RANK-25.
    """
    there = compute_totals(node.node_resources)
    kept = node.reserved_resources
    if kept is None:
        return there
    return Amounts(
        there.cpu_mhz - kept.cpu.cpu_shares,
        there.memory_mb - kept.memory.memory_mb,
        there.memory_max_mb - kept.memory.memory_mb,
        there.disk_mb - kept.disk.disk_mb,
        there.cores.difference(kept.cpu.reserved_cpu_cores),
    )


def compute_totals(resources: NodeResources | None) -> Amounts:
    """Compute what a node has, before it keeps anything for itself."""
    if resources is None:
        return Amounts()
    topology = resources.processors.topology
    memory_mb = resources.memory.memory_mb
    return Amounts(
        compute_total_mhz(topology),
        memory_mb,
        memory_mb,
        resources.disk.disk_mb,
        list_usable_cores(topology),
    )


def compute_total_mhz(topology: CpuTopology | None) -> int:
    """Compute the speed of all cores together, also of those that are switched off, unless overridden."""
    if topology is None:
        return 0
    if topology.override_total_compute > 0:
        return topology.override_total_compute
    return sum(compute_core_mhz(core) for core in topology.cores)


def compute_core_mhz(core: Core) -> int:
    """Compute the speed that counts of a core: the base speed if known, else the next best guess."""
    return core.base_speed or core.max_speed or core.guess_speed


def list_usable_cores(topology: CpuTopology | None) -> frozenset[int]:
    """List the cores that are not switched off."""
    if topology is None:
        return frozenset()
    return frozenset(core.id for core in topology.cores if not core.disable)
