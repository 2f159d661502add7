from nomadspec.invariants.kernel.lemmas.disconnects import (
    follow_up_of_an_attempt_was_made,
    no_alloc_has_a_deadline_without_missed_heartbeats,
    no_alloc_seems_disconnected_without_missed_heartbeats,
    no_node_disconnects_without_missed_heartbeats,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.disconnects import mark_unknown
from nomadspec.model.kernel.worker import begin
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "a node falls silent when a worker begins": Deviation(
            (no_node_disconnects_without_missed_heartbeats,),
            changed=spoil(begin, "disconnected", True, 0),
            sizes=ALONE,
        ),
        "a snapshot shows as out of reach what never was": Deviation(
            (no_alloc_seems_disconnected_without_missed_heartbeats,),
            changed=spoil(begin, "seen.job.disconnect_phase", 1, "worker", 0),
            sizes=ALONE,
        ),
        "an allocation that is placed has a follow-up": Deviation(
            (no_alloc_has_a_deadline_without_missed_heartbeats,),
            changed=spoil(apply_plan, "deadline", 0, "job", 0),
            sizes=ALONE,
        ),
        "a follow-up is counted before it is made": Deviation(
            (follow_up_of_an_attempt_was_made,),
            changed=spoil(mark_unknown, "marking", lambda s, *_: s.made[0] + 2, "worker"),
            sizes={**ALONE, "evals": 4, "disconnects": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
