"""Evaluations that look at allocations again later: how they are batched, and why they say they were made."""

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities.evaluation import Trigger
from nomadspec.model.cluster.entities.scalar import NS_PER_S

BATCH_NS: Final = 5 * NS_PER_S
"""Allocations that are due less than this after the first of a batch belong to it."""

DELAYED_RESCHEDULE: Final = "created for delayed rescheduling"
DELAYED_TIMEOUT: Final = "created for delayed disconnect timeout"


class Reason(NamedTuple):
    """Why an evaluation says that it was made."""

    trigger: Trigger
    description: str


class Purpose(Enum):
    """What a series of batches is for: the reason of its first evaluation, and that of the others.

    Spec: RESCHED-21, DISC-06, DISC-09, TRIG-16c.
    """

    RESCHEDULE = (Reason(Trigger.ALLOC_RESCHEDULE, DELAYED_RESCHEDULE), Reason(Trigger.ALLOC_FAILURE, ""))
    TIMEOUT = (Reason(Trigger.MAX_DISCONNECT_TIMEOUT, DELAYED_TIMEOUT),) * 2
    CLIENT_STOP = (Reason(Trigger.ALLOC_FAILURE, DELAYED_RESCHEDULE), Reason(Trigger.ALLOC_FAILURE, ""))

    def find_reason(self, position: int) -> Reason:
        """Find why the batch at a position was made.

        Spec: RESCHED-21.
        """
        first, later = self.value
        return later if position else first


class Due(NamedTuple):
    """An allocation and when it is due."""

    time_ns: int
    alloc_id: str


class Batch(NamedTuple):
    """Allocations that one evaluation will look at, and when."""

    time_ns: int
    alloc_ids: tuple[str, ...]


def batch_due(dues: Iterable[Due]) -> tuple[Batch, ...]:
    """Put allocations that are due at nearly one time together; each batch begins with the first left over.

    Spec: RESCHED-20, DISC-06, DISC-09, 09/S11.
    """
    batches: list[tuple[int, list[str]]] = []
    for due in sorted(dues, key=lambda due: due.time_ns):
        if not batches or due.time_ns - batches[-1][0] >= BATCH_NS:
            batches.append((due.time_ns, []))
        batches[-1][1].append(due.alloc_id)
    return tuple(Batch(time_ns, tuple(alloc_ids)) for time_ns, alloc_ids in batches)
