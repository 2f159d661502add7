from nomadspec.invariants.kernel.updates import (
    more_room_is_seen_on_the_same_node,
    what_is_seen_runs_where_it_is_seen,
    what_is_stopped_is_not_updated,
    what_is_updated_runs_there,
)
from nomadspec.model.domain import NONE
from nomadspec.model.kernel.worker import begin, plan
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

UPDATED = {**ALONE, "cap": 2, "evals": 3, "updates": 1, "amends": 1, "growth": 1}

MATRIX = Matrix(
    {
        "a plan stops what it updates": Deviation(
            (what_is_stopped_is_not_updated,),
            changed=spoil(
                plan, "plan_stops", lambda s, w, j, _: s.seen_occupies[w, j, 0] != NONE, "worker", 0
            ),
            sizes=UPDATED,
        ),
        "a worker sees more room taken than there is": Deviation(
            (more_room_is_seen_on_the_same_node,),
            changed=spoil(begin, "seen_extra", 0, "worker", 0, 0, 0),
            sizes=UPDATED,
        ),
        "a worker sees what does not run": Deviation(
            (what_is_seen_runs_where_it_is_seen,),
            changed=spoil(begin, "seen_occupies", 0, "worker", 0, 1),
            sizes=UPDATED,
        ),
        "a plan updates what does not run": Deviation(
            (what_is_updated_runs_there,),
            changed=spoil(plan, "plan_keeps", 0, "worker", 1, 0),
            sizes=UPDATED,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
