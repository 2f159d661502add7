"""What a set of allocations takes of their node, kept as a sum that grows one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.resources.amounts import NOTHING, Amounts, compute_amounts
from nomadspec.model.cluster.resources.given import find_given


class Load(msgspec.Struct, frozen=True, gc=False):
    """The sum over a set of allocations on one node."""

    used: Amounts = NOTHING
    members: int = 0
    """How many are in the set; the dead ones count here and nowhere else."""
    has_shared_core: bool = False
    """Whether some core is held by two of them."""


EMPTY: Final = Load()
"""The load of no allocation."""


def add_amounts(load: Load, *added: Amounts) -> Load:
    """Add more members, each of which takes something."""
    used, has_shared_core = load.used, load.has_shared_core
    cpu_mhz, memory_mb, memory_max_mb = used.cpu_mhz, used.memory_mb, used.memory_max_mb
    disk_mb, cores = used.disk_mb, used.cores
    for amounts in added:
        cpu_mhz += amounts.cpu_mhz
        memory_mb += amounts.memory_mb
        memory_max_mb += amounts.memory_max_mb
        disk_mb += amounts.disk_mb
        if amounts.cores:
            has_shared_core = has_shared_core or not cores.isdisjoint(amounts.cores)
            cores |= amounts.cores
    used = Amounts(cpu_mhz, memory_mb, memory_max_mb, disk_mb, cores)
    return Load(used, load.members + len(added), has_shared_core)


def compute_load(allocs: Iterable[Allocation], load: Load = EMPTY) -> Load:
    """Add allocations to a load.

    Spec: RANK-26, OBJ-261.
    """
    return add_amounts(load, *map(_compute_share, allocs))


def _compute_share(alloc: Allocation) -> Amounts:
    """Compute what an allocation takes; one that has ended on its client takes nothing."""
    return NOTHING if is_client_terminal(alloc) else compute_amounts(find_given(alloc))
