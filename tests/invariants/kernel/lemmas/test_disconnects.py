from nomadspec.invariants.kernel.disconnects import (
    follow_up_of_an_attempt_was_made,
    nothing_disconnects_without_missed_heartbeats,
    usable_stale_servers_show_disconnected_allocs,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.disconnects import mark_unknown
from nomadspec.model.kernel.stale_servers import catch_up
from nomadspec.model.kernel.worker import begin
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "a node falls silent when a worker begins": Deviation(
            (nothing_disconnects_without_missed_heartbeats,),
            changed=spoil(begin, "disconnected", True, 0),
            sizes=ALONE,
        ),
        "a snapshot shows as out of reach what never was": Deviation(
            (nothing_disconnects_without_missed_heartbeats,),
            changed=spoil(begin, "seen.disconnect_phase", 1, "worker", 0),
            sizes=ALONE,
        ),
        "an allocation that is placed has a follow-up": Deviation(
            (nothing_disconnects_without_missed_heartbeats,),
            changed=spoil(apply_plan, "follow_up", 0, "job", 0),
            sizes=ALONE,
        ),
        "a follow-up is counted before it is made": Deviation(
            (follow_up_of_an_attempt_was_made,),
            changed=spoil(mark_unknown, "made_follow_up", lambda s, *_: s.made[0] + 1, "worker"),
            sizes={**ALONE, "evals": 4, "disconnects": 1},
        ),
        "a server behind takes a disconnected node for lost": Deviation(
            (usable_stale_servers_show_disconnected_allocs,),
            changed=spoil(catch_up, "stale.disconnect_phase", 0, "server"),
            sizes={**ALONE, "evals": 3, "disconnects": 1, "stale_server_count": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
