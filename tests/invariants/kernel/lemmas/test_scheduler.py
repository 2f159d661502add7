from nomadspec.invariants.kernel.lemmas.scheduler import (
    extra_ask_is_seen_on_the_same_node,
    planned_allocs_stay_on_their_node,
    seen_allocs_run_on_their_node,
    stopped_allocs_are_not_updated,
)
from nomadspec.model.kernel.worker import begin, plan
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

UPDATED = {**ALONE, "cap": 2, "evals": 3, "updates": 1, "in_place_updates": 1, "extra_ask": 1}


MATRIX = Matrix(
    {
        "a plan stops what it updates": Deviation(
            (stopped_allocs_are_not_updated,),
            changed=spoil(plan, "plan.stops", lambda s, w, j, _: s.seen[w].occupies[j, 0], "worker", 0),
            sizes=UPDATED,
        ),
        "a worker sees more room taken than there is": Deviation(
            (extra_ask_is_seen_on_the_same_node,),
            changed=spoil(begin, "seen.extra_at", 0, "worker", 0, 0, 0),
            sizes=UPDATED,
        ),
        "a worker sees what does not run": Deviation(
            (seen_allocs_run_on_their_node,),
            changed=spoil(begin, "seen.occupies", 0, "worker", 0, 1),
            sizes=UPDATED,
        ),
        "a plan updates what does not run": Deviation(
            (planned_allocs_stay_on_their_node,),
            changed=spoil(plan, "plan.keeps", 0, "worker", 1),
            sizes=UPDATED,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
