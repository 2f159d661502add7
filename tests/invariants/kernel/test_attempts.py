from nomadspec.invariants.kernel.attempts import (
    attempts_know_what_the_delivery_has_blocked,
    only_system_jobs_wait_for_a_node,
    plans_list_their_placements_first,
    who_comes_too_late_gives_up,
)
from nomadspec.model.kernel.worker import block, plan, refresh
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

FULL = {**ALONE, "cap": 0, "evals": 3}
REFUSED = {**ALONE, "attempts": 3, "node_changes": 1}

MATRIX = Matrix(
    {
        "a plan leaves a gap": Deviation(
            (plans_list_their_placements_first,),
            changed=loosen(plan, 4),
            sizes={**ALONE, "count": 2},
        ),
        "who has lost its delivery goes on": Deviation(
            (who_comes_too_late_gives_up,),
            changed=spoil(block, "stage", lambda s, worker, *_: s.stage[worker], "worker"),
            sizes={**FULL, "timeouts": 1},
        ),
        "another attempt remembers what nobody has blocked": Deviation(
            (attempts_know_what_the_delivery_has_blocked,),
            changed=spoil(refresh, "made_blocked", True, "worker"),
            sizes=REFUSED,
        ),
        "what a system job lacks is for no node": Deviation(
            (only_system_jobs_wait_for_a_node,), changed=loosen(block, 5), sizes={**FULL, "kinds": 2}
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
