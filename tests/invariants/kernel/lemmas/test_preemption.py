from typing import Any

from nomadspec.invariants.kernel.preemption import (
    preempted_allocs_are_of_other_jobs,
)
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import Deviation, Matrix, also

ALONE_PLANS = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2}


PAIR = {**ALONE_PLANS, "jobs": 2, "workers": 2}


RANKS = {**PAIR, "evals": 3, "priorities": 1, "preempting": 1}


def drive_out_its_own_of_plans(
    _s: Any, t: Any, worker: Id, job: Id, _to: Any, _other: Id, _alloc: Id
) -> None:
    t.plan[worker].preempted[job, 0] = True


MATRIX = Matrix(
    {
        "a plan preempts its own": Deviation(
            (preempted_allocs_are_of_other_jobs,),
            changed=also(plan_preemption, drive_out_its_own_of_plans),
            sizes=RANKS,
            is_long=True,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
