from typing import Any

import pytest

from nomadspec.invariants.kernel.workers import (
    an_attempt_is_given_up_before_its_plan,
    core_work_is_given_back,
    idle_workers_have_nothing,
    jobs_get_no_surplus,
    no_delivery_expires_while_its_plan_is_judged,
    no_plan_outlives_a_pause,
    snapshots_show_what_the_job_did,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.broker import expire_delivery, holds_delivery, take_back
from nomadspec.model.kernel.leader import resume
from nomadspec.model.kernel.worker import nack
from nomadspec.model.quirks import SURVIVING_PLAN
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, loosen, reword


def tell_no_follower(s: Any, t: Any, _worker: Id, job: Id) -> None:
    for follower in s.followers:
        t.old_usable[follower, job] = s.old_usable[follower, job]


def expire_at_any_time(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(s.timed_out < s.timeouts, holds_delivery(s, worker, job, number))
    t.timed_out = s.timed_out + 1
    take_back(s, t, job, number)
    t.holds[worker] = False


def remember_job(s: Any, t: Any, worker: Id, _job: Id, _number: Id) -> None:
    t.job[worker] = s.job[worker]


MATRIX = Matrix(
    {
        "a server that is behind does not know of a plan": Deviation(
            (snapshots_show_what_the_job_did,),
            changed=also(apply_plan, tell_no_follower),
            sizes={**ALONE, "evals": 2, "lag": 1, "timeouts": 1},
        ),
        "the timer runs while a plan is judged": Deviation(
            (no_delivery_expires_while_its_plan_is_judged,),
            changed=reword(expire_delivery, expire_at_any_time),
            sizes={**ALONE, "evals": 2, "timeouts": 1},
        ),
        "a plan survives a pause": Deviation(
            (jobs_get_no_surplus,),
            SURVIVING_PLAN.id,
            sizes={**ALONE, "nodes": 2, "workers": 2, "evals": 2, "spares": 3, "pauses": 1},
        ),
        "the broker goes on while a plan is under way": Deviation(
            (no_plan_outlives_a_pause,), changed=loosen(resume, 2), sizes={**ALONE, "pauses": 1}
        ),
        "a worker remembers its job": Deviation(
            (idle_workers_have_nothing,),
            changed=also(nack, remember_job),
            sizes={**ALONE, "evals": 2, "errors": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (core_work_is_given_back, {"kinds": 4, "errors": 1}),
        (an_attempt_is_given_up_before_its_plan, {"purges": 1, "errors": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
