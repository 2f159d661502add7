"""The plan queue of the leader: plans wait for the one applier, the highest priority first."""

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Plan

DISABLED: Final = "plan queue is disabled"
FLUSHED: Final = "plan queue flushed"


class QueuedPlan(msgspec.Struct, frozen=True):
    """A plan that waits, and since when."""

    plan: Plan
    since_ns: int


class PlanQueue(msgspec.Struct, frozen=True, kw_only=True):
    """The plans that wait, the next one first."""

    is_enabled: bool = False
    waiting: tuple[QueuedPlan, ...] = ()


def enable(queue: PlanQueue) -> PlanQueue:
    """Let the queue take plans.

    Spec: PLAN-22.
    """
    return replace(queue, is_enabled=True)


def disable(queue: PlanQueue) -> tuple[PlanQueue, tuple[tuple[Plan, str], ...]]:
    """Switch the queue off, and return the plans that waited with what they are answered.

    A plan that the applier has taken already is not affected.

    Spec: PLAN-22.
    """
    return PlanQueue(), tuple((queued.plan, FLUSHED) for queued in queue.waiting)


def enqueue(queue: PlanQueue, plan: Plan, now_ns: int) -> tuple[PlanQueue, str]:
    """Let a plan wait for the applier, or say why it may not.

    Spec: PLAN-13, PLAN-20.
    """
    if not queue.is_enabled:
        return queue, DISABLED
    waiting = sorted((*queue.waiting, QueuedPlan(plan, now_ns)), key=_compute_rank)
    return replace(queue, waiting=tuple(waiting)), ""


def list_next(queue: PlanQueue) -> tuple[QueuedPlan, ...]:
    """List the plans of which any may be the next; there are several where priority and time tie.

    Spec: PLAN-20.
    """
    first = queue.waiting[:1]
    return tuple(queued for queued in queue.waiting if _compute_rank(queued) == _compute_rank(first[0]))


def dequeue(queue: PlanQueue, taken: QueuedPlan) -> PlanQueue:
    """Take one of list_next for the applier.

    Spec: PLAN-21.
    """
    at = queue.waiting.index(taken)
    return replace(queue, waiting=queue.waiting[:at] + queue.waiting[at + 1 :])


def _compute_rank(queued: QueuedPlan) -> tuple[int, int]:
    return -queued.plan.priority, queued.since_ns
