"""Nodes and allocations made of what is drawn."""

from nomadspec.invariants.cluster.resources.draw import GivenValues
from nomadspec.invariants.cluster.resources.shapes import (
    LIFECYCLES,
    draw_alloc,
    draw_bursting_task,
    draw_cpu_task,
    draw_load,
    draw_memory_task,
    draw_node,
    draw_pinned_task,
)
from nomadspec.model.cluster.entities import AllocatedCpu, AllocatedMemory
from nomadspec.model.cluster.resources.load import EMPTY


def test_nothing_given_is_nothing_drawn() -> None:
    assert EMPTY == draw_load(GivenValues())
    assert {} == draw_alloc(GivenValues(), "a", draw_memory_task, 0).allocated_resources.tasks  # type: ignore[union-attr] # it is there


def test_tasks_take_what_is_given() -> None:
    draw = GivenValues({"t.cores": 1, "t.core1": 3, "t.cpu_mhz": 5, "t.memory_mb": 6, "t.memory_max_mb": 7})

    assert AllocatedCpu(cpu_shares=5, reserved_cores=(3,)) == draw_cpu_task(draw, "t").cpu
    assert AllocatedMemory(memory_mb=6) == draw_memory_task(draw, "t").memory
    assert AllocatedMemory(memory_mb=6, memory_max_mb=7) == draw_bursting_task(draw, "t").memory
    assert (3,) == draw_pinned_task(draw, "t").cpu.reserved_cores


def test_lifecycles_go_by_task() -> None:
    alloc = draw_alloc(GivenValues({"a.task2.lifecycle": 2}), "a", draw_memory_task, 2)

    assert alloc.allocated_resources is not None
    assert {"task1": None, "task2": LIFECYCLES[2]} == alloc.allocated_resources.task_lifecycles


def test_a_node_has_the_cores_that_are_given() -> None:
    node = draw_node(GivenValues({"node.cores": 2, "node.core1.id": 4, "node.keeps": 1}), cores=2)

    assert node.node_resources is not None
    assert node.node_resources.processors.topology is not None
    assert [0, 4] == [core.id for core in node.node_resources.processors.topology.cores]
    assert node.reserved_resources is None
    assert draw_node(GivenValues(), cores=0).reserved_resources is not None
