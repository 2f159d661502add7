"""Processor time, memory and disk: what is added up, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nomadspec.invariants.cluster.resources.claim import Claim, Part, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import (
    Moment,
    compute_cpu_need,
    compute_disk_need,
    compute_memory_need,
    compute_need,
    is_ended,
)
from nomadspec.invariants.cluster.resources.shapes import (
    DrawTask,
    draw_alloc,
    draw_amounts,
    draw_bursting_task,
    draw_cpu_task,
    draw_load,
    draw_memory_task,
    draw_node,
)
from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.resources.fit import FITS, find_shortage
from nomadspec.model.cluster.resources.load import EMPTY, Load, compute_load
from nomadspec.model.language.logic import Value, all_of, any_of, implies

Amount = Callable[[Amounts], int]
Need = Callable[[Allocation, Moment], int]

CPU: Final = "cpu"
MEMORY: Final = "memory"
MEMORY_MAX: Final = "memory_max"
DISK: Final = "disk"

_SPEC: Final = (
    *("OBJ-152", "OBJ-153", "OBJ-154", "OBJ-259", "OBJ-260", "PLAN-54", "PLAN-55"),
    *("RANK-23", "RANK-24", "RANK-26", "RANK-30", "RANK-32"),
)

SCOPE: Final = "any number of allocations, each of up to 2 tasks; a node of up to 2 cores"
TASKS_SCOPE: Final = "any number of allocations, each of up to 2 tasks"
DISK_SCOPE: Final = "any number of allocations"


def say_nothing_is_used(amount: Amount) -> Callable[[Draw], Value]:
    """True while no allocation uses nothing."""
    return lambda _draw: amount(compute_load((), EMPTY).used) == 0


def say_one_adds_its_need(
    amount: Amount, need: Need, draw_task: DrawTask, tasks: int = 2
) -> Callable[[Draw], Value]:
    """True while one more allocation adds what it needs when it needs most, and nothing once it has ended."""

    def say(draw: Draw) -> Value:
        before = draw_load(draw)
        alloc = draw_alloc(draw, "alloc", draw_task, tasks)
        added = amount(compute_load([alloc], before).used) - amount(before.used)
        needs = [0 if is_ended(alloc) else need(alloc, moment) for moment in Moment]
        return all_of(*[need <= added for need in needs], any_of(*[added == need for need in needs]))

    return say


def say_capacity_excludes_reserved(
    amount: Amount, there: Callable[[Node], int], kept: Callable[[Node], int], cores: int = 0
) -> Callable[[Draw], Value]:
    """True while a node offers what is there, less what it keeps for itself."""

    def say(draw: Draw) -> Value:
        node = draw_node(draw, cores)
        return amount(compute_capacity(node)) == there(node) - kept(node)

    return say


def say_accepted_is_enough(amount: Amount) -> Callable[[Draw], Value]:
    """True while what the check lets pass is no more than the node offers."""

    def say(draw: Draw) -> Value:
        node, capacity, load = draw_check(draw)
        is_accepted = find_shortage(node, capacity, load) == FITS
        return implies(is_accepted, amount(load.used) <= amount(capacity))

    return say


def say_refused_is_short(amount: Amount, dimension: str) -> Callable[[Draw], Value]:
    """True while the check names a dimension only where more is used of it than the node offers."""

    def say(draw: Draw) -> Value:
        node, capacity, load = draw_check(draw)
        is_refused = find_shortage(node, capacity, load) == dimension
        return implies(is_refused, amount(load.used) > amount(capacity))

    return say


def draw_check(draw: Draw) -> tuple[Node, Amounts, Load]:
    """Draw what the check of a node looks at: any node, any capacity and any load."""
    node = Node(node_max_allocs=draw.number("node.max_allocs", least=0))
    return node, draw_amounts(draw, "capacity"), draw_load(draw, "load")


def compute_total_cpu(node: Node) -> int:
    """Compute the processor time of a node: the override if it is set, else the speed of all cores.

    Spec: RANK-24, OBJ-154.
    """
    topology = node.node_resources and node.node_resources.processors.topology
    if not topology:
        return 0
    speeds = [
        next((speed for speed in (core.base_speed, core.max_speed) if speed > 0), core.guess_speed)
        for core in topology.cores
    ]
    return topology.override_total_compute if topology.override_total_compute > 0 else sum(speeds)


def say_bursts_decide_nothing(draw: Draw) -> Value:
    """True while the answer is the same whatever may be used for a while: it is neither promised nor kept."""
    node, capacity, load = draw_check(draw)
    burst = draw.number("capacity.other_max_mb"), draw.number("load.other_max_mb")
    other = Amounts(capacity.cpu_mhz, capacity.memory_mb, burst[0], capacity.disk_mb, capacity.cores)
    used = load.used
    others = Load(
        Amounts(used.cpu_mhz, used.memory_mb, burst[1], used.disk_mb, used.cores),
        load.members,
        load.has_shared_core,
    )
    return find_shortage(node, capacity, load) == find_shortage(node, other, others)


def _compute_burst_need(alloc: Allocation, moment: Moment) -> int:
    return compute_need(alloc, moment, lambda task: task.memory.memory_max_mb or task.memory.memory_mb)


def _make_claim(dimension: str, scope: str, *others: Part) -> Claim:
    amount = _AMOUNTS[dimension]
    return Claim(
        f"{dimension}_is_never_oversubscribed",
        dimension,
        f"a set of allocations is taken exactly where the node has enough {dimension} for it",
        _SPEC,
        scope,
        (
            part("no allocation", say_nothing_is_used(amount)),
            part("accepted is enough", say_accepted_is_enough(amount)),
            part("refused is short", say_refused_is_short(amount, dimension)),
            *others,
        ),
    )


_AMOUNTS: Final[dict[str, Amount]] = {
    CPU: lambda amounts: amounts.cpu_mhz,
    MEMORY: lambda amounts: amounts.memory_mb,
    MEMORY_MAX: lambda amounts: amounts.memory_max_mb,
    DISK: lambda amounts: amounts.disk_mb,
}


AMOUNT_CLAIMS: Final = (
    _make_claim(
        CPU,
        SCOPE,
        part("one more allocation", say_one_adds_its_need(_AMOUNTS[CPU], compute_cpu_need, draw_cpu_task)),
        part(
            "what a node offers",
            say_capacity_excludes_reserved(
                _AMOUNTS[CPU],
                compute_total_cpu,
                lambda node: node.reserved_resources.cpu.cpu_shares if node.reserved_resources else 0,
                cores=2,
            ),
        ),
    ),
    _make_claim(
        MEMORY,
        TASKS_SCOPE,
        part(
            "one more allocation",
            say_one_adds_its_need(_AMOUNTS[MEMORY], compute_memory_need, draw_memory_task),
        ),
        part(
            "what a node offers",
            say_capacity_excludes_reserved(
                _AMOUNTS[MEMORY],
                lambda node: node.node_resources.memory.memory_mb if node.node_resources else 0,
                lambda node: node.reserved_resources.memory.memory_mb if node.reserved_resources else 0,
            ),
        ),
    ),
    _make_claim(
        DISK,
        DISK_SCOPE,
        part(
            "one more allocation",
            say_one_adds_its_need(_AMOUNTS[DISK], compute_disk_need, draw_memory_task, tasks=0),
        ),
        part(
            "what a node offers",
            say_capacity_excludes_reserved(
                _AMOUNTS[DISK],
                lambda node: node.node_resources.disk.disk_mb if node.node_resources else 0,
                lambda node: node.reserved_resources.disk.disk_mb if node.reserved_resources else 0,
            ),
        ),
    ),
    Claim(
        "memory_max_decides_nothing",
        MEMORY_MAX,
        "memory beyond what is promised is shared by whoever needs it, so no node is refused for it",
        ("RANK-27", "OBJ-259", "PLAN-54"),
        TASKS_SCOPE,
        (
            part("no allocation", say_nothing_is_used(_AMOUNTS[MEMORY_MAX])),
            part("the answer is the same", say_bursts_decide_nothing),
            part(
                "one more allocation",
                say_one_adds_its_need(_AMOUNTS[MEMORY_MAX], _compute_burst_need, draw_bursting_task),
            ),
        ),
    ),
)
