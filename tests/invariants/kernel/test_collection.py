from typing import Any

import pytest

from nomadspec.invariants.kernel.collection import (
    a_job_eligible_for_gc_is_wanted_again,
    a_job_is_eligible_for_gc_after_a_purge,
    an_ended_evaluation_is_still_queued,
    an_evaluation_is_deleted,
    deleted_eval_stays_deleted,
    evals_in_use_are_stored,
    needed_alloc_is_deleted_only_by_a_purge,
    wanted_job_is_deleted_only_by_a_purge,
)
from nomadspec.model.kernel.collection import gc_alloc
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, find_witness, loosen

REAPED = {**ALONE, "evals": 4, "stops": 1, "returns": 1, "gc_deletions": 1}


MATRIX = Matrix(
    {
        "the collector does not ask who still has an evaluation": Deviation(
            (evals_in_use_are_stored,), "X-21", sizes={**ALONE, "gc_deletions": 1}
        ),
        "what was collected is delivered, and written again": Deviation(
            (deleted_eval_stays_deleted,),
            "X-21 +09/S8",
            sizes={**ALONE, "evals": 3, "purges": 1, "gc_deletions": 1},
        ),
        "the collector purges what it found dead before": Deviation(
            (wanted_job_is_deleted_only_by_a_purge,), "X-22", sizes=REAPED
        ),
        "what runs is collected": Deviation(
            (needed_alloc_is_deleted_only_by_a_purge,),
            changed=loosen(gc_alloc, 1),
            sizes={**ALONE, "gc_deletions": 1},
        ),
        "work that is done is forgotten while its job wants it": Deviation(
            (needed_alloc_is_deleted_only_by_a_purge,),
            changed=loosen(gc_alloc, 1),
            sizes={**ALONE, "kinds": 1, "reports": 1, "gc_deletions": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_evaluation_is_deleted, {"gc_deletions": 1}),
        (a_job_eligible_for_gc_is_wanted_again, REAPED),
        (an_ended_evaluation_is_still_queued, {}),
        (a_job_is_eligible_for_gc_after_a_purge, {**REAPED, "purges": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
