from typing import Any

from nomadspec.invariants.kernel.applier import plan_is_committed_node_by_node
from nomadspec.invariants.kernel.pipeline import judged_plan_is_the_submitted_one_node_by_node
from nomadspec.invariants.kernel.preemption import (
    preempted_allocs_have_lower_priority,
    preempted_job_gets_one_eval,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.pipeline import evaluate
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import count, exists
from tests.invariants.kernel.deviations import (
    Deviation,
    Matrix,
    also,
    loosen,
)

ALONE = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2}


PAIR = {**ALONE, "jobs": 2, "workers": 2}


RANKS = {**PAIR, "evals": 3, "priorities": 1, "preempting": 1}


SPLIT_BY_A_LOSS = {
    **RANKS,
    "nodes": 2,
    "count": 2,
    "cap": 2,
    "evals": 2,
    "attempts": 1,
    "deliveries": 1,
    "endings": 0,
    "depth": 1,
    "node_changes": 1,
}


def tell_nobody(s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.made = s.made


def tell_of_each(s: Any, t: Any, worker: Id, _job: Id) -> None:
    plan = s.plan[worker]
    for job in s.jobs:
        hit = count(plan.preempted[job, i] for i in s.allocs)
        t.made[job] = s.made[job] + hit


def lose_what_others_make_way_for(s: Any, t: Any, worker: Id, job: Id) -> None:
    preempting = t.when(exists(s.plan[worker].preempted[k, i] for k in s.jobs for i in s.allocs))
    for i in s.allocs:
        preempting.when(i == s.alloc_made[job]).occupies[job, i] = NONE


def keep_preempting(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plan[worker].preempted = s.plan[worker].preempted


MATRIX = Matrix(
    {
        "a preempted allocation goes, and nothing comes": Deviation(
            (plan_is_committed_node_by_node,),
            changed=also(apply_plan, lose_what_others_make_way_for),
            sizes=RANKS,
            is_long=True,
        ),
        "a plan preempts what is of the same priority": Deviation(
            (preempted_allocs_have_lower_priority,),
            changed=loosen(plan_preemption, 3),
            sizes={**RANKS, "priorities": 0},
        ),
        "nobody is told that an allocation was preempted": Deviation(
            (preempted_job_gets_one_eval,),
            changed=also(apply_plan, tell_nobody),
            sizes=RANKS,
            is_long=True,
        ),
        "a job is told of each of two allocations that are preempted": Deviation(
            (preempted_job_gets_one_eval,),
            changed=also(apply_plan, tell_of_each),
            sizes={**RANKS, "count": 2, "cap": 2, "several_preempted": 1, "deliveries": 1, "attempts": 1},
            is_long=True,
        ),
        "an allocation is preempted on a node that is refused": Deviation(
            (judged_plan_is_the_submitted_one_node_by_node,),
            changed=also(evaluate, keep_preempting),
            sizes=SPLIT_BY_A_LOSS,
            is_long=True,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
