from nomadspec.invariants.kernel.restoring import (
    leaders_come_and_go_as_told,
    leaders_restore_what_is_blocked,
    leaders_restore_what_is_pending,
    lost_leaders_answer_with_errors,
    nothing_is_judged_without_a_leader,
    nothing_is_written_without_a_leader,
    the_blocked_are_restored_in_order,
)
from nomadspec.model.kernel.jobs import stop_job
from nomadspec.model.kernel.leader import gain_leader, lose_leader, pause
from nomadspec.model.kernel.nodes import close_node
from nomadspec.model.kernel.state import Place, Stage
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

LED = {**ALONE, "elections": 1}

MATRIX = Matrix(
    {
        "a new leader forgets what is pending": Deviation(
            (leaders_restore_what_is_pending,),
            changed=spoil(gain_leader, "place", Place.OUT, 0, 0),
            sizes=LED,
        ),
        "a new leader believes that nothing was missed": Deviation(
            (leaders_restore_what_is_blocked,),
            changed=spoil(gain_leader, "missed", False, 0, 1),
            sizes={**LED, "cap": 0, "evals": 3},
        ),
        "who has submitted a plan goes on waiting": Deviation(
            (lost_leaders_answer_with_errors, nothing_is_judged_without_a_leader),
            changed=spoil(lose_leader, "stage", Stage.SUBMITTED, 0),
            sizes=LED,
        ),
        "a pause ends the reaper": Deviation(
            (leaders_come_and_go_as_told,),
            changed=spoil(pause, "reaping", False),
            sizes={**ALONE, "pauses": 1},
        ),
        "what is blocked comes back in any order": Deviation(
            (the_blocked_are_restored_in_order,),
            changed=spoil(gain_leader, "arriving", 1, 0, 3),
            sizes={**LED, "cap": 0, "evals": 4, "requests": 1},
        ),
        "an operator closes a node though there is no leader": Deviation(
            (nothing_is_written_without_a_leader,),
            changed=loosen(close_node, 0),
            sizes={**LED, "node_changes": 1},
        ),
        "a job is stopped without a leader": Deviation(
            (nothing_is_written_without_a_leader,),
            changed=loosen(stop_job, 0),
            sizes={**ALONE, "elections": 1, "stops": 1},
        ),
        "leadership is lost that nobody has": Deviation(
            (leaders_come_and_go_as_told,), changed=loosen(lose_leader, 0), sizes={**ALONE, "elections": 2}
        ),
        "who has an error remembers its plan": Deviation(
            (lost_leaders_answer_with_errors,), changed=spoil(lose_leader, "is_partial", True, 0), sizes=LED
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
