"""What is used of nodes if the plan is carried out: measured once for each set of allocations."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.resources.use import Use, measure_use
from nomadspec.model.cluster.scheduler.context import Context


@dataclass(slots=True)
class Uses:
    """What one attempt knows of the use of nodes."""

    context: Context
    _latest: dict[str, Use] = field(default_factory=dict)

    def find(self, node: Node, proposed: tuple[Allocation, ...]) -> Use:
        """Find what is used of a node if the plan is carried out."""
        latest = self._latest.get(node.id)
        if latest is not None and latest.allocs is proposed:
            return latest
        there = self.context.snapshot.uses
        before = there.get(node.id)
        if before is not None and before.node is node and is_measured(before, proposed):
            use = before if is_same(before.allocs, proposed) else replace(before, allocs=proposed)
        else:
            use = measure_use(node, proposed, latest or before)
            if not self.context.plan.has_entries(node.id):
                there[node.id] = use
        self._latest[node.id] = use
        return use


def is_measured(use: Use, allocs: tuple[Allocation, ...]) -> bool:
    """Tell whether a use is that of some allocations; their order matters only where ports may collide."""
    if is_same(use.allocs, allocs):
        return True
    if len(use.allocs) != len(allocs) or use.index.taken or use.problem:
        return False
    return {id(alloc) for alloc in use.allocs} == {id(alloc) for alloc in allocs}


def is_same(allocs: tuple[Allocation, ...], others: tuple[Allocation, ...]) -> bool:
    """Tell whether these are the very same allocations, in the same order."""
    return len(allocs) == len(others) and all(map(is_, allocs, others))
