"""Evicts for processor time, memory and disk: greedily by distance, then no more than needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.resources.amounts import Amounts, compute_amounts
from nomadspec.model.cluster.resources.given import find_given

Penalty = Callable[[Allocation], float]


def choose_preempted(
    classes: Sequence[Sequence[Allocation]], free: Amounts, ask: Amounts, penalty: Penalty
) -> tuple[Allocation, ...]:
    """Choose who has to go so that an ask fits into what is free; nobody when that does not help.

    Spec: PREEMPT-11, PREEMPT-14, 07/S-21.
    """
    picked = _pick_greedily(classes, free, ask, penalty)
    return _trim(picked, free, ask)


def compute_free(capacity: Amounts, candidates: Iterable[Allocation]) -> Amounts:
    """Compute what a node has left beside those that could be asked to go; it may be negative.

    Spec: PREEMPT-09.
    """
    free = capacity
    for alloc in candidates:
        used = compute_amounts(find_given(alloc))
        free = Amounts(
            free.cpu_mhz - used.cpu_mhz,
            free.memory_mb - used.memory_mb,
            free.memory_max_mb - used.memory_max_mb,
            free.disk_mb - used.disk_mb,
            free.cores - used.cores,
        )
    return free


def is_enough(free: Amounts, ask: Amounts) -> bool:
    """True if an ask fits into what is free; where no core is free none is asked for.

    Spec: PREEMPT-10.
    """
    has_amounts = (
        free.cpu_mhz >= ask.cpu_mhz and free.memory_mb >= ask.memory_mb and free.disk_mb >= ask.disk_mb
    )
    return has_amounts and (not free.cores or ask.cores <= free.cores)


def compute_distance(need: Amounts, alloc: Amounts) -> float:
    """Compute how far what an allocation has is from what is needed.

    Spec: PREEMPT-12.
    """
    memory = _compute_part(need.memory_mb, alloc.memory_mb)
    cpu = _compute_part(need.cpu_mhz, alloc.cpu_mhz)
    disk = _compute_part(need.disk_mb, alloc.disk_mb)
    return math.sqrt(memory * memory + cpu * cpu + disk * disk)


def _compute_part(need: int, have: int) -> float:
    return (float(need) - float(have)) / float(need) if need > 0 else 0.0


def _pick_greedily(
    classes: Sequence[Sequence[Allocation]], free: Amounts, ask: Amounts, penalty: Penalty
) -> list[Allocation]:
    """Pick the nearest to what is still needed, a class after the other; nobody when all are too few.

    Spec: PREEMPT-11.
    """
    picked: list[Allocation] = []
    need, have = ask, free
    for members in classes:
        left = list(members)
        while left:
            costs = [_compute_cost(need, alloc, penalty) for alloc in left]
            alloc = _take_out(left, costs.index(min(costs)))
            amounts = compute_amounts(find_given(alloc))
            picked.append(alloc)
            have, need = _add(have, amounts), _subtract(need, amounts)
            if is_enough(have, ask):
                return picked
    return []


def _take_out(left: list[Allocation], at: int) -> Allocation:
    """Take one out; the last takes its place, which decides between equal costs later."""
    alloc, left[at] = left[at], left[-1]
    left.pop()
    return alloc


def _compute_cost(need: Amounts, alloc: Allocation, penalty: Penalty) -> float:
    return compute_distance(need, compute_amounts(find_given(alloc))) + penalty(alloc)


def _trim(picked: Iterable[Allocation], free: Amounts, ask: Amounts) -> tuple[Allocation, ...]:
    """Keep the farthest from the ask until it fits.

    Spec: PREEMPT-14.
    """
    amounts = {alloc.id: compute_amounts(find_given(alloc)) for alloc in picked}
    kept: list[Allocation] = []
    have = free
    for alloc in sorted(picked, key=lambda each: -compute_distance(ask, amounts[each.id])):
        kept.append(alloc)
        have = _add(have, amounts[alloc.id])
        if is_enough(have, ask):
            break
    return tuple(kept)


def _add(free: Amounts, more: Amounts) -> Amounts:
    return Amounts(
        free.cpu_mhz + more.cpu_mhz,
        free.memory_mb + more.memory_mb,
        free.memory_max_mb + more.memory_max_mb,
        free.disk_mb + more.disk_mb,
        free.cores | more.cores,
    )


def _subtract(need: Amounts, less: Amounts) -> Amounts:
    return Amounts(
        cpu_mhz=need.cpu_mhz - less.cpu_mhz,
        memory_mb=need.memory_mb - less.memory_mb,
        disk_mb=need.disk_mb - less.disk_mb,
    )
