"""What is used of nodes if the plan is carried out: measured once for each set of allocations."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.resources.use import Use, has_same, measure_use
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
        if before is not None and has_same(before.node, node) and is_measured(before, proposed):
            is_whole = before.node is node and is_same(before.allocs, proposed)
            use = before if is_whole else replace(before, node=node, allocs=proposed)
        else:
            use = measure_use(node, proposed, latest or before)
            if not self.context.plan.has_entries(node.id):
                there[node.id] = use
        self._latest[node.id] = use
        return use


def is_measured(use: Use, allocs: tuple[Allocation, ...]) -> bool:
    """True if a use is that of some allocations: those, or later forms of them that take the same.

    Their order matters only where ports may collide.
    """
    if is_same(use.allocs, allocs):
        return True
    if len(use.allocs) != len(allocs) or use.index.taken or use.problem:
        return False
    return _list_taken(use.allocs) == _list_taken(allocs)


def _list_taken(allocs: tuple[Allocation, ...]) -> list[int]:
    """List what allocations take: all later forms of one share the record of what it was given."""
    return sorted([id(_find_record(alloc)) for alloc in allocs])


def _find_record(alloc: Allocation) -> object:
    given = alloc.allocated_resources
    return alloc if given is None or is_client_terminal(alloc) else given


def is_same(allocs: tuple[Allocation, ...], others: tuple[Allocation, ...]) -> bool:
    """True if these are the very same allocations, in the same order."""
    return len(allocs) == len(others) and all(map(is_, allocs, others))
