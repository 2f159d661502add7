from typing import Any

import pytest

from nomadspec.invariants.kernel.broker import no_open_evaluation_is_forgotten
from nomadspec.invariants.kernel.harm import (
    missing_alloc_has_open_eval,
    unwanted_allocs_are_stopped_or_updated,
)
from nomadspec.invariants.kernel.jobs import (
    a_job_is_gone_while_it_is_planned,
    a_job_is_wanted_after_its_purge,
    a_stopped_job_has_allocations,
    job_is_registered_stopped_or_purged_alone,
    numbers_only_grow,
    purge_leaves_nothing,
)
from nomadspec.model.kernel.jobs import purge_job, stop_job, update_job
from nomadspec.model.kernel.statuses import EvalRecord, InBroker, JobPhase
from nomadspec.model.kernel.worker import ack
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, loosen, spoil


def leave_pending(_s: Any, t: Any, job: Id) -> None:
    t.eval_record[job, 0] = EvalRecord.PENDING


def begin_again(_s: Any, t: Any, job: Id) -> None:
    t.job_version[job] = 0


def stop_all(s: Any, t: Any, _job: Id) -> None:
    for job in s.jobs:
        t.job_phase[job] = JobPhase.STOPPED


def make_no_evaluation(s: Any, t: Any, job: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.ABSENT
    t.in_broker[job, s.made[job]] = InBroker.OUT
    t.made[job] = s.made[job]


MATRIX = Matrix(
    {
        "a plan begins a deployment of a job that is gone": Deviation(
            (purge_leaves_nothing,), "X-23", sizes={**ALONE, "evals": 2, "purges": 1, "deployments": 1}
        ),
        "a purge leaves what is pending": Deviation(
            (no_open_evaluation_is_forgotten,),
            changed=also(purge_job, leave_pending),
            sizes={**ALONE, "evals": 2, "purges": 1},
        ),
        "a stop begins with the versions again": Deviation(
            (numbers_only_grow,),
            changed=also(stop_job, begin_again),
            sizes={**ALONE, "evals": 3, "updates": 1, "stops": 1},
            profile="intended",
        ),
        "a stop stops every job": Deviation(
            (job_is_registered_stopped_or_purged_alone,),
            changed=also(stop_job, stop_all),
            sizes={**ALONE, "jobs": 2, "evals": 2, "stops": 1},
        ),
        "a stop makes no evaluation": Deviation(
            (unwanted_allocs_are_stopped_or_updated,),
            changed=also(stop_job, make_no_evaluation),
            sizes={**ALONE, "evals": 3, "stops": 1},
        ),
        "an update makes no evaluation": Deviation(
            (unwanted_allocs_are_stopped_or_updated,),
            changed=also(update_job, make_no_evaluation),
            sizes={**ALONE, "evals": 3, "updates": 1, "in_place_updates": 1},
        ),
        "a stopped job comes back with an ack": Deviation(
            (missing_alloc_has_open_eval,),
            changed=spoil(ack, "job_phase", JobPhase.WANTED, "job"),
            sizes={**ALONE, "evals": 3, "stops": 1},
        ),
        "a stopped job gets a new version": Deviation(
            (numbers_only_grow,),
            changed=loosen(update_job, 1),
            sizes={**ALONE, "evals": 3, "stops": 1, "updates": 1},
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
