from nomadspec.invariants.kernel.scheduler import (
    alloc_is_on_feasible_node,
    missing_alloc_is_placed_or_waited_for,
    no_more_allocs_than_count,
    plan_leaves_no_unwanted_alloc,
    satisfied_job_is_left_alone,
    settled_alloc_is_stopped_only_as_surplus,
    system_job_has_one_alloc_per_node,
    wanted_jobs_are_placed,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.kernel.worker import (
    plan,
)
from nomadspec.model.language.domain import NONE
from nomadspec.model.specification.quirks import (
    FORGOTTEN_WAKE,
    SURVIVING_PLAN,
)
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

WOKEN = {**ALONE, "evals": 4, "node_changes": 2}


PAIR = {**ALONE, "nodes": 2}


MATRIX = Matrix(
    {
        "a new leader has forgotten a wake-up": Deviation(
            (wanted_jobs_are_placed,),
            FORGOTTEN_WAKE.id,
            sizes={**WOKEN, "elections": 1},
            is_long=True,
        ),
        "a plan is always short": Deviation(
            (missing_alloc_is_placed_or_waited_for,),
            changed=spoil(plan, "is_short", True, "worker"),
            sizes=ALONE,
        ),
        "a plan stops what may stay": Deviation(
            (settled_alloc_is_stopped_only_as_surplus,),
            changed=spoil(plan, "plan.stops", lambda s, w, j, _: s.seen[w].occupies[j, 0], "worker", 0),
            sizes={**ALONE, "requests": 1},
        ),
        "a system job is placed twice on a node": Deviation(
            (system_job_has_one_alloc_per_node,),
            changed=spoil(apply_plan, "occupies", 0, "job", 1),
            sizes={**ALONE, "cap": 2, "kinds": 2},
        ),
        "an allocation comes to an infeasible node": Deviation(
            (alloc_is_on_feasible_node,),
            changed=spoil(apply_plan, "occupies", 1, "job", 0),
            sizes={**PAIR, "infeasibilities": 1},
        ),
        "a scheduler submits a plan for nothing": Deviation(
            (satisfied_job_is_left_alone,),
            changed=spoil(plan, "stage", Stage.PLANNED, "worker"),
            sizes={**ALONE, "evals": 3, "external_triggers": 1},
        ),
        "a plan leaves what a stopped job runs": Deviation(
            (plan_leaves_no_unwanted_alloc,),
            changed=spoil(plan, "plan.stops", NONE, "worker", 0),
            sizes={**ALONE, "evals": 3, "stops": 1},
        ),
        "a plan survives a pause": Deviation(
            (no_more_allocs_than_count,),
            SURVIVING_PLAN.id,
            sizes={**ALONE, "nodes": 2, "workers": 2, "evals": 2, "allocations": 3, "pauses": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
