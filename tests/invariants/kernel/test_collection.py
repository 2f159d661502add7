from typing import Any

import pytest

from nomadspec.invariants.kernel.collection import (
    a_doomed_job_is_wanted_again,
    a_job_is_doomed_after_a_purge,
    an_ended_evaluation_is_still_queued,
    an_evaluation_is_deleted,
    nothing_alive_is_collected,
    nothing_queued_is_collected,
    only_operators_delete_wanted_jobs,
    only_operators_delete_what_waits,
    what_is_deleted_stays_deleted,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.collection import collect_eval
from nomadspec.model.kernel.state import Record
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, find_witness, reword

REAPED = {**ALONE, "evals": 4, "stops": 1, "returns": 1, "collections": 1}


def collect_anything(s: Any, t: Any, job: Id, number: Id) -> None:
    t.require(s.collected < s.collections, s.record[job, number] != Record.ABSENT)
    t.collected = s.collected + 1
    t.record[job, number] = Record.ABSENT


MATRIX = Matrix(
    {
        "the collector does not ask who still has an evaluation": Deviation(
            (nothing_queued_is_collected,), "X-21", sizes={**ALONE, "collections": 1}
        ),
        "what was collected is delivered, and written again": Deviation(
            (what_is_deleted_stays_deleted,),
            "X-21 +09/S8",
            sizes={**ALONE, "evals": 3, "purges": 1, "collections": 1},
        ),
        "the collector purges what it found dead before": Deviation(
            (nothing_alive_is_collected, only_operators_delete_wanted_jobs), "X-22", sizes=REAPED
        ),
        "the collector takes what waits": Deviation(
            (only_operators_delete_what_waits,),
            changed=reword(collect_eval, collect_anything),
            sizes={**ALONE, "collections": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_evaluation_is_deleted, {"collections": 1}),
        (a_doomed_job_is_wanted_again, REAPED),
        (an_ended_evaluation_is_still_queued, {}),
        (a_job_is_doomed_after_a_purge, {**REAPED, "purges": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
