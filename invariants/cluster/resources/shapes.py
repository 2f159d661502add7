"""Nodes, allocations and sums of them, made of what is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import ALIVE_OR_ENDED
from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Core,
    CpuTopology,
    Eligibility,
    Hook,
    Lifecycle,
    Node,
    NodeDiskResources,
    NodeMemoryResources,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    NodeStatus,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
)
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.load import Load

LIFECYCLES: Final = (
    None,
    Lifecycle(hook=Hook.PRESTART),
    Lifecycle(hook=Hook.PRESTART, sidecar=True),
    Lifecycle(hook=Hook.POSTSTART),
    Lifecycle(hook=Hook.POSTSTOP),
    Lifecycle(hook="another"),
)
"""When a task may run."""

FEW_LIFECYCLES: Final = (None, LIFECYCLES[-1])
"""For what is held at all moments: the usual, and one that no moment knows."""

DrawTask = Callable[[Draw, str], AllocatedTask]


def draw_alloc(
    draw: Draw,
    name: str,
    draw_task: DrawTask,
    tasks: int,
    lifecycles: tuple[Lifecycle | None, ...] = LIFECYCLES,
) -> Allocation:
    """Draw an allocation with so many tasks, which lives or has ended."""
    names = [f"task{number}" for number in range(1, tasks + 1)]
    given = AllocatedResources(
        tasks={task: draw_task(draw, f"{name}.{task}") for task in names},
        task_lifecycles={task: draw.pick(f"{name}.{task}.lifecycle", lifecycles) for task in names},
        shared=AllocatedShared(disk_mb=draw.number(f"{name}.disk_mb")),
    )
    return Allocation(
        id=name,
        node_id="node",
        desired_status="run",
        client_status=draw.pick(f"{name}.client_status", ALIVE_OR_ENDED),
        allocated_resources=given,
    )


def draw_cpu_task(draw: Draw, name: str) -> AllocatedTask:
    """Draw a task with processor time, some of it on a core of its own."""
    cores = draw_cores(draw, name, draw.pick(f"{name}.cores", (0, 1)))
    return AllocatedTask(cpu=AllocatedCpu(cpu_shares=draw.number(f"{name}.cpu_mhz"), reserved_cores=cores))


def draw_pinned_task(draw: Draw, name: str) -> AllocatedTask:
    """Draw a task with up to two cores of its own."""
    return AllocatedTask(
        cpu=AllocatedCpu(reserved_cores=draw_cores(draw, name, draw.pick(f"{name}.cores", (0, 1, 2))))
    )


def draw_cores(draw: Draw, name: str, count: int) -> tuple[int, ...]:
    """Draw so many cores, which need not differ."""
    return tuple(draw.number(f"{name}.core{number}") for number in range(1, count + 1))


def draw_memory_task(draw: Draw, name: str) -> AllocatedTask:
    """Draw a task with memory."""
    return AllocatedTask(memory=AllocatedMemory(memory_mb=draw.number(f"{name}.memory_mb")))


def draw_bursting_task(draw: Draw, name: str) -> AllocatedTask:
    """Draw a task with memory, and perhaps more that it may use for a while."""
    memory_mb = draw.number(f"{name}.memory_mb")
    most_mb = draw.number(f"{name}.memory_max_mb", least=0)
    return AllocatedTask(memory=AllocatedMemory(memory_mb=memory_mb, memory_max_mb=most_mb))


def draw_amounts(draw: Draw, name: str) -> Amounts:
    """Draw an amount of each thing, and any set of cores."""
    return Amounts(
        draw.number(f"{name}.cpu_mhz"),
        draw.number(f"{name}.memory_mb"),
        draw.number(f"{name}.memory_max_mb"),
        draw.number(f"{name}.disk_mb"),
        draw.numbers(f"{name}.cores"),
    )


def draw_load(draw: Draw, name: str = "before") -> Load:
    """Draw the sum of any number of allocations."""
    return Load(
        draw_amounts(draw, name),
        draw.number(f"{name}.members", least=0),
        draw.flag(f"{name}.has_shared_core"),
    )


def draw_node(draw: Draw, cores: int) -> Node:
    """Draw a node with up to so many cores, which keeps something for itself or nothing."""
    return Node(
        id="node",
        status=NodeStatus.READY,
        scheduling_eligibility=Eligibility.ELIGIBLE,
        node_max_allocs=draw.number("node.max_allocs", least=0),
        node_resources=NodeResources(
            processors=NodeProcessorResources(topology=_draw_topology(draw, cores)),
            memory=NodeMemoryResources(memory_mb=draw.number("node.memory_mb")),
            disk=NodeDiskResources(disk_mb=draw.number("node.disk_mb")),
        ),
        reserved_resources=_draw_reserved(draw, cores) if draw.pick("node.keeps", (True, False)) else None,
    )


def _draw_topology(draw: Draw, cores: int) -> CpuTopology:
    there = draw.pick("node.cores", tuple(range(cores + 1)))
    return CpuTopology(
        cores=tuple(_draw_core(draw, f"node.core{number}") for number in range(there)),
        override_total_compute=draw.number("node.override_mhz"),
    )


def _draw_core(draw: Draw, name: str) -> Core:
    return Core(
        id=draw.number(f"{name}.id"),
        disable=draw.pick(f"{name}.disabled", (False, True)),
        base_speed=draw.number(f"{name}.base_mhz", least=0),
        max_speed=draw.number(f"{name}.max_mhz", least=0),
        guess_speed=draw.number(f"{name}.guess_mhz", least=0),
    )


def _draw_reserved(draw: Draw, cores: int) -> NodeReservedResources:
    kept = draw.pick("node.kept_cores", tuple(range(cores + 1)))
    return NodeReservedResources(
        cpu=ReservedCpu(
            cpu_shares=draw.number("node.kept_mhz"),
            reserved_cpu_cores=tuple(draw.number(f"node.kept_core{number}") for number in range(kept)),
        ),
        memory=ReservedMemory(memory_mb=draw.number("node.kept_memory_mb")),
        disk=ReservedDisk(disk_mb=draw.number("node.kept_disk_mb")),
    )
