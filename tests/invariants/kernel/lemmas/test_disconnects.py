from nomadspec.invariants.kernel.lemmas.disconnects import (
    no_alloc_seems_disconnected_without_missed_heartbeats,
    no_node_disconnects_without_missed_heartbeats,
)
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
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
