"""What allocations need of a node, as the rules say it: moment by moment, task by task.

The model adds up per allocation and takes the greatest sum. Here nothing is summed up beforehand: at every
moment in the life of each allocation the tasks that run then must have what they were given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import product
from types import MappingProxyType
from typing import Final

from nomadspec.model.cluster.entities import AllocatedTask, Allocation, AllocClient
from nomadspec.model.language.logic import Value, all_of, not_
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT
from nomadspec.model.lifecycle.table import spell_ended

AmountOf = Callable[[AllocatedTask], int]


ALIVE_OR_ENDED: Final = (AllocClient.RUNNING, AllocClient.COMPLETE)
"""What proofs try: an allocation that needs what it was given, and one that has ended."""

_ENDED: Final = spell_ended(ALLOCATION_CLIENT)


class Moment(Enum):
    """A time in the life of an allocation, by what runs then.

    Spec: RANK-23, OBJ-259.
    """

    BEFORE = "before the main tasks"
    DURING = "while the main tasks run"
    AFTER = "after the main tasks"


_RUNS: Final[Mapping[tuple[str, bool], frozenset[Moment]]] = MappingProxyType(
    {
        ("", False): frozenset({Moment.DURING}),
        ("prestart", False): frozenset({Moment.BEFORE}),
        ("prestart", True): frozenset({Moment.BEFORE, Moment.DURING}),
        ("poststart", False): frozenset({Moment.DURING}),
        ("poststop", False): frozenset({Moment.AFTER}),
    }
)
"""When a task runs, by its hook and whether it is a sidecar; with another hook it counts at no moment."""


def is_ended(alloc: Allocation) -> bool:
    """True if an allocation has ended on its node, so that it needs nothing.

    Spec: PLAN-54, RANK-26.
    """
    return alloc.client_status in _ENDED


def list_tasks(alloc: Allocation) -> Iterator[tuple[AllocatedTask, frozenset[Moment]]]:
    """List the tasks of an allocation, each with the moments at which it runs."""
    given = alloc.allocated_resources
    for name, task in given.tasks.items() if given is not None else ():
        lifecycle = given.task_lifecycles.get(name) if given is not None else None
        key = (lifecycle.hook, lifecycle.sidecar) if lifecycle is not None else ("", False)
        yield task, _RUNS.get(key, frozenset())


def compute_need(alloc: Allocation, moment: Moment, amount_of: AmountOf) -> int:
    """Compute what the tasks of an allocation that run at a moment need together."""
    return sum(amount_of(task) for task, runs in list_tasks(alloc) if moment in runs)


def compute_cpu_need(alloc: Allocation, moment: Moment) -> int:
    """Compute the processor time that an allocation needs at a moment; pinned tasks need theirs at any.

    Spec: PLAN-55, RANK-23.
    """
    pinned = sum(task.cpu.cpu_shares for task, _ in list_tasks(alloc) if task.cpu.reserved_cores)
    return pinned + compute_need(alloc, moment, _compute_shared_cpu)


def compute_memory_need(alloc: Allocation, moment: Moment) -> int:
    """Compute the memory that an allocation needs at a moment."""
    return compute_need(alloc, moment, lambda task: task.memory.memory_mb)


def _compute_shared_cpu(task: AllocatedTask) -> int:
    return 0 if task.cpu.reserved_cores else task.cpu.cpu_shares


def compute_disk_need(alloc: Allocation, _moment: Moment = Moment.DURING) -> int:
    """Give the disk of an allocation, which it has all the time."""
    return alloc.allocated_resources.shared.disk_mb if alloc.allocated_resources is not None else 0


def is_enough(there: int, allocs: Sequence[Allocation], need: Callable[[Allocation, Moment], int]) -> Value:
    """True while there is enough for allocations at whichever moments they are.

    Spec: RANK-30, RANK-32.
    """
    living = [alloc for alloc in allocs if not is_ended(alloc)]
    return all_of(
        *[
            sum(need(alloc, moment) for alloc, moment in zip(living, moments, strict=True)) <= there
            for moments in product(Moment, repeat=len(living))
        ]
    )


def list_cores(alloc: Allocation) -> list[int]:
    """List the cores that tasks of an allocation have for themselves."""
    return [core for task, _ in list_tasks(alloc) for core in task.cpu.reserved_cores]


def is_in(number: int, numbers: frozenset[int] | set[int]) -> Value:
    """True while a number is in a set, without asking at once as Python's ``in`` does."""
    return not_(numbers.isdisjoint((number,)))
