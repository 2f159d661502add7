"""How long allocations of jobs that end may run."""

from nomadspec.model.cluster.entities.allocation import Allocation
from nomadspec.model.cluster.entities.job import BATCH_TYPES
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired


def compute_deadline_ns(alloc: Allocation) -> int | None:
    """Compute when an allocation has run long enough, counted from its creation; None is never.

    Spec: OBJ-245.
    """
    group = find_own_group(alloc)
    if group is None or alloc.job is None or alloc.job.type not in BATCH_TYPES:
        return None
    limit_ns = group.max_run_duration_ns or 0
    return alloc.create_time_ns + limit_ns if limit_ns > 0 and alloc.create_time_ns else None


def has_run_out(alloc: Allocation, now_ns: int) -> bool:
    """True if a running allocation that is still wanted has run long enough.

    Spec: OBJ-245.
    """
    if alloc.desired_status != AllocDesired.RUN or alloc.client_status != AllocClient.RUNNING:
        return False
    deadline_ns = compute_deadline_ns(alloc)
    return deadline_ns is not None and deadline_ns <= now_ns
