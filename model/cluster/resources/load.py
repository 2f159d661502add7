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


def add_amounts(load: Load, amounts: Amounts) -> Load:
    """Add one more member that takes something."""
    used = load.used
    return Load(
        Amounts(
            used.cpu_mhz + amounts.cpu_mhz,
            used.memory_mb + amounts.memory_mb,
            used.memory_max_mb + amounts.memory_max_mb,
            used.disk_mb + amounts.disk_mb,
            used.cores | amounts.cores,
        ),
        load.members + 1,
        load.has_shared_core or not used.cores.isdisjoint(amounts.cores),
    )


def compute_load(allocs: Iterable[Allocation], load: Load = EMPTY) -> Load:
    """Add allocations to a load; one that has ended on its client takes nothing.

    Spec: RANK-26, OBJ-261.
    """
    for alloc in allocs:
        amounts = NOTHING if is_client_terminal(alloc) else compute_amounts(find_given(alloc))
        load = add_amounts(load, amounts)
    return load
