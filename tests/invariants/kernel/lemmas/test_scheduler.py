from nomadspec.invariants.kernel.scheduler import (
    entry_for_one_alloc_stops_all_others,
    job_with_count_one_has_one_alloc,
    plan_for_one_alloc_stops_all_others,
    planned_allocs_stay_on_their_node,
    seen_allocs_run_on_their_node,
    submitted_plan_for_one_alloc_stops_all_others,
    system_entry_replaces_allocs_on_its_nodes,
    system_plan_replaces_allocs_on_its_nodes,
)
from nomadspec.model.kernel.pipeline import dispatch
from nomadspec.model.kernel.worker import begin, plan, submit
from nomadspec.model.language.domain import NONE
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

UPDATED = {**ALONE, "cap": 2, "evals": 3, "updates": 1, "in_place_updates": 1, "extra_ask": 1}


MATRIX = Matrix(
    {
        "a worker sees what does not run": Deviation(
            (seen_allocs_run_on_their_node,),
            changed=spoil(begin, "seen.occupies", 0, "worker", 0, 1),
            sizes=UPDATED,
        ),
        "a plan does not stop what it replaces": Deviation(
            (plan_for_one_alloc_stops_all_others, system_plan_replaces_allocs_on_its_nodes),
            changed=spoil(plan, "plan.stops", NONE, "worker", 0),
            sizes={**ALONE, "evals": 2, "updates": 1, "kinds": 2},
        ),
        "a submitted plan forgets what it stops": Deviation(
            (submitted_plan_for_one_alloc_stops_all_others,),
            changed=spoil(submit, "plan.stops", NONE, "worker", 0),
            sizes={**ALONE, "evals": 2, "updates": 1},
        ),
        "an entry does not stop what it replaces": Deviation(
            (entry_for_one_alloc_stops_all_others, system_entry_replaces_allocs_on_its_nodes),
            changed=spoil(dispatch, "entry.stops", NONE, "entry_id", 0),
            sizes={**ALONE, "depth": 1, "evals": 2, "updates": 1, "kinds": 2},
        ),
        "a plan leaves what it replaces beside it": Deviation(
            (job_with_count_one_has_one_alloc,),
            changed=spoil(plan, "plan.stops", NONE, "worker", 0),
            sizes={**ALONE, "cap": 2, "evals": 2, "updates": 1},
        ),
        "a plan updates what does not run": Deviation(
            (planned_allocs_stay_on_their_node,),
            changed=spoil(plan, "plan.keeps", 0, "worker", 1),
            sizes=UPDATED,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
