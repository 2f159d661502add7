from nomadspec.invariants.kernel.broker import deliveries_end
from nomadspec.invariants.kernel.leader import store_changes_only_under_a_leader
from nomadspec.model.kernel.leader import gain_leader
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "a node is lost with the old leader": Deviation(
            (store_changes_only_under_a_leader,),
            changed=spoil(gain_leader, "node_up", False, 0),
            sizes={**ALONE, "elections": 1},
        ),
        "a new leader reaps nothing": Deviation(
            (deliveries_end,),
            changed=spoil(gain_leader, "reaping", False),
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1, "elections": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
