from nomadspec.invariants.kernel.jobs import (
    gone_jobs_were_deleted,
    only_updated_jobs_ask_for_more,
)
from nomadspec.model.kernel.jobs import stop_job, update_job
from nomadspec.model.kernel.statuses import JobPhase
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "an update lets a job grow": Deviation(
            (only_updated_jobs_ask_for_more,),
            changed=spoil(update_job, "job_ask", 1, "job"),
            sizes={**ALONE, "updates": 1, "extra_ask": 1},
        ),
        "a stop deletes the job": Deviation(
            (gone_jobs_were_deleted,),
            changed=spoil(stop_job, "job_phase", JobPhase.ABSENT, "job"),
            sizes={**ALONE, "stops": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
