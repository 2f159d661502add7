from typing import Any

import pytest

from nomadspec.invariants.kernel.jobs import (
    a_job_is_gone_while_it_is_planned,
    a_job_is_wanted_after_its_purge,
    a_stopped_job_has_allocations,
    evaluations_are_made_under_a_leader,
    numbers_only_grow,
    only_amended_jobs_grow,
    plans_of_purged_jobs_are_no_errors,
    purge_completes_what_is_pending,
    purge_leaves_nothing,
    unwanted_jobs_come_to_an_end,
    versions_are_rolled_out,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.jobs import evaluate_job, purge_job, stop_job, update_job
from nomadspec.model.kernel.state import Place, Record
from nomadspec.model.kernel.worker import submit
from nomadspec.model.quirks import FAILING_PURGE
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, loosen, spoil


def leave_pending(_s: Any, t: Any, job: Id) -> None:
    t.record[job, 0] = Record.PENDING


def begin_again(_s: Any, t: Any, job: Id) -> None:
    t.job_version[job] = 0


def make_no_evaluation(s: Any, t: Any, job: Id) -> None:
    t.record[job, s.made[job]] = Record.ABSENT
    t.place[job, s.made[job]] = Place.OUT


MATRIX = Matrix(
    {
        "a plan begins a deployment of a job that is gone": Deviation(
            (purge_leaves_nothing,),
            "X-23",
            sizes={**ALONE, "evals": 2, "purges": 1, "rollouts": 1},
        ),
        "a purge leaves what is pending": Deviation(
            (purge_completes_what_is_pending,),
            changed=also(purge_job, leave_pending),
            sizes={**ALONE, "evals": 2, "purges": 1},
        ),
        "a stop begins with the versions again": Deviation(
            (numbers_only_grow,),
            changed=also(stop_job, begin_again),
            sizes={**ALONE, "evals": 3, "updates": 1, "stops": 1},
            profile="intended",
        ),
        "a stop makes no evaluation": Deviation(
            (unwanted_jobs_come_to_an_end,),
            changed=also(stop_job, make_no_evaluation),
            sizes={**ALONE, "evals": 3, "stops": 1},
        ),
        "a plan of a job that is gone is an error": Deviation(
            (plans_of_purged_jobs_are_no_errors,), FAILING_PURGE.id, sizes={**ALONE, "evals": 2, "purges": 1}
        ),
        "a plan of a job that is gone lacks something": Deviation(
            (plans_of_purged_jobs_are_no_errors,),
            changed=spoil(submit, "is_short", True, "worker"),
            sizes={**ALONE, "evals": 2, "purges": 1},
        ),
        "an update lets a job grow": Deviation(
            (only_amended_jobs_grow,),
            changed=spoil(update_job, "job_bulk", 1, "job"),
            sizes={**ALONE, "updates": 1, "growth": 1},
        ),
        "an evaluation is asked for where there is no leader": Deviation(
            (evaluations_are_made_under_a_leader,),
            changed=loosen(evaluate_job, 0),
            sizes={**ALONE, "occasions": 1, "elections": 1},
        ),
        "an update makes no evaluation": Deviation(
            (versions_are_rolled_out,),
            changed=also(update_job, make_no_evaluation),
            sizes={**ALONE, "evals": 3, "updates": 1, "amends": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_job_is_gone_while_it_is_planned, {"purges": 1}),
        (a_stopped_job_has_allocations, {"stops": 1}),
        (a_job_is_wanted_after_its_purge, {"purges": 1, "returns": 1, "evals": 3}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
