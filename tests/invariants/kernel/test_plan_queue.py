from nomadspec.invariants.kernel.plan_queue import higher_priority_plan_is_applied_first
from nomadspec.model.kernel.pipeline import evaluate
from tests.invariants.kernel.deviations import Deviation, Matrix, loosen

PAIR = {"jobs": 2, "nodes": 1, "workers": 2, "allocations": 1, "evals": 1, "depth": 1}


MATRIX = Matrix(
    {
        "a plan is judged while another is in hand": Deviation(
            (higher_priority_plan_is_applied_first,), changed=loosen(evaluate, 0), sizes=PAIR
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
