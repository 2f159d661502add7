"""The plan queue: plans of a higher priority first, and in the order of their submission otherwise."""

from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import WITH_APPLIER
from nomadspec.model.language.logic import Flag, all_of, any_of, not_, one_of


def has_higher_priority(s: Kernel, worker: WorkerId) -> Flag:
    """True while the evaluation that a worker plans for has more than the lowest priority."""
    return s.eval_priority[s.job[worker], s.number[worker]] > 0


def is_with_applier(s: Kernel, worker: WorkerId) -> Flag:
    """True while a worker's plan is queued, judged or in flight."""
    return one_of(s.stage[worker], *WITH_APPLIER)


def is_queued(s: Kernel, worker: WorkerId) -> Flag:
    """True while the plan of a worker waits in the queue."""
    return any_of(s.plans.has(worker), s.higher_priority_plans.has(worker))


def is_next(s: Kernel, worker: WorkerId) -> Flag:
    """True while the plan of a worker is the next one; of priorities, two levels are told apart."""
    return any_of(
        s.higher_priority_plans.head(worker), all_of(s.higher_priority_plans.is_empty(), s.plans.head(worker))
    )


def enqueue_plan(s: Kernel, t: Kernel, worker: WorkerId) -> None:
    """Put a worker's plan into the queue."""
    t.when(has_higher_priority(s, worker)).higher_priority_plans.push(worker)
    t.when(not_(has_higher_priority(s, worker))).plans.push(worker)


def take_plan(s: Kernel, t: Kernel, worker: WorkerId) -> None:
    """Take the next plan, which is this worker's, out of the queue."""
    t.when(s.higher_priority_plans.has(worker)).higher_priority_plans.pop(worker)
    t.when(s.plans.has(worker)).plans.pop(worker)


def flush_plans(s: Kernel, t: Kernel) -> None:
    """Empty the queue, as when leadership is lost."""
    for worker in s.workers:
        t.plans.remove(worker)
        t.higher_priority_plans.remove(worker)
