from nomadspec.invariants.kernel.collection import jobs_eligible_for_gc_were_found
from nomadspec.model.kernel.jobs import stop_job
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "a stop makes a job eligible for garbage collection": Deviation(
            (jobs_eligible_for_gc_were_found,),
            changed=spoil(stop_job, "eligible_for_gc", True, "job"),
            sizes={**ALONE, "stops": 1, "gc_deletions": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
