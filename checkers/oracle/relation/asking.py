"""Which recorded allocations nobody asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nomadspec.checkers.oracle.relation.expected import list_new, may_be_of
from nomadspec.checkers.oracle.relation.facts import Name
from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.policy.names import find_index
from nomadspec.model.cluster.scheduler.reasons import Requested


def list_unasked(
    turn: int, plan: Plan, requests: Sequence[Requested], *, is_doubled: bool
) -> Iterator[tuple[Name, str]]:
    """List the new allocations of a recorded plan that stand for no request of their own.

    A name may be another than was asked for only where several allocations have the same.

    Spec: GENERIC-35, GENERIC-36, SYSTEM-33.
    """
    names = Counter(request.alloc_name for request in requests if not request.node_id)
    is_doubled |= max(names.values(), default=0) > 1
    left = list(requests)
    for alloc in list_new(plan):
        found = next((each for each in left if _is_asked(alloc, each, is_doubled=is_doubled)), None)
        if found is not None:
            left.remove(found)
        else:
            title = f"{alloc.name} {alloc.previous_allocation}".strip()
            yield ("plans", str(turn), "NodeAllocation", title, "Request"), "asked for by nobody"


def _is_asked(alloc: Allocation, request: Requested, *, is_doubled: bool) -> bool:
    if request.node_id and request.node_id != alloc.node_id:
        return False
    return may_be_of(alloc, request) and (is_doubled or alloc.name == request.alloc_name)


def has_doubles(allocs: Iterable[Allocation], job_id: str) -> bool:
    """True if several allocations of a group of a job that are not told to stop have the same index.

    Spec: REC-60.
    """
    taken = [
        (alloc.task_group, find_index(alloc.name, job_id, alloc.task_group))
        for alloc in allocs
        if alloc.job_id == job_id and not is_server_terminal(alloc)
    ]
    return len(set(taken)) < len(taken)
