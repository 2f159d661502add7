"""The plan queue: plans of a higher priority first, and in the order of their submission otherwise."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.logic import Value, all_of, any_of, not_


def is_urgent(s: Kernel, worker: Id) -> Value:
    """Say that the evaluation that a worker plans for has more than the lowest priority."""
    return all_of(s.urgency > 0, s.rank[s.job[worker], s.number[worker]] > 0)


def is_queued(s: Kernel, worker: Id) -> Value:
    """Say that the plan of a worker waits in the queue."""
    return any_of(s.plans.has(worker), s.urgent_plans.has(worker))


def is_next(s: Kernel, worker: Id) -> Value:
    """Say that the plan of a worker is the next one; of priorities, two levels are told apart."""
    return any_of(s.urgent_plans.head(worker), all_of(s.urgent_plans.is_empty(), s.plans.head(worker)))


def enqueue_plan(s: Kernel, t: Kernel, worker: Id) -> None:
    """Put a worker's plan into the queue."""
    t.when(is_urgent(s, worker)).urgent_plans.push(worker)
    t.when(not_(is_urgent(s, worker))).plans.push(worker)


def take_plan(s: Kernel, t: Kernel, worker: Id) -> None:
    """Take the next plan, which is this worker's, out of the queue."""
    t.when(s.urgent_plans.has(worker)).urgent_plans.pop(worker)
    t.when(s.plans.has(worker)).plans.pop(worker)


def flush_plans(s: Kernel, t: Kernel) -> None:
    """Empty the queue, as when leadership is lost."""
    for worker in s.workers:
        t.plans.remove(worker)
        t.urgent_plans.remove(worker)
