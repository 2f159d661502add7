from typing import Any

from nomadspec.invariants.kernel.plan_queue import (
    plans_queue_by_priority,
    plans_with_the_applier_are_of_valid_deliveries,
    queued_plans_are_submitted,
)
from nomadspec.model.kernel.worker import submit
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    spoil,
)


def change_lines(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.higher_priority_plans.remove(worker)
    t.plans.remove(worker)
    t.higher_priority_plans.push(worker)


ALONE_PLANS = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2}


def leave_line(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plans.remove(worker)


def enter_both_lines(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.higher_priority_plans.push(worker)


MATRIX = Matrix(
    {
        "every plan has a higher priority": Deviation(
            (plans_queue_by_priority,), changed=also(submit, change_lines), sizes={**ALONE, "priorities": 1}
        ),
        "a plan does not reach the queue": Deviation(
            (queued_plans_are_submitted,), changed=also(submit, leave_line), sizes=ALONE_PLANS
        ),
        "a plan is queued twice": Deviation(
            (plans_queue_by_priority,), changed=also(submit, enter_both_lines), sizes=ALONE_PLANS
        ),
        "a plan is submitted and its delivery forgotten": Deviation(
            (plans_with_the_applier_are_of_valid_deliveries,),
            changed=spoil(submit, "holds", False, "worker"),
            sizes=ALONE_PLANS,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
