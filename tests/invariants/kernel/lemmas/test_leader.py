from nomadspec.invariants.kernel.leader import nothing_is_judged_without_a_leader
from nomadspec.model.kernel.leader import lose_leader
from nomadspec.model.kernel.statuses import Stage
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

LED = {**ALONE, "elections": 1}


MATRIX = Matrix(
    {
        "who has submitted a plan goes on waiting": Deviation(
            (nothing_is_judged_without_a_leader,),
            changed=spoil(lose_leader, "stage", Stage.SUBMITTED, 0),
            sizes=LED,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
