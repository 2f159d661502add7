from typing import Any

import pytest

from nomadspec.invariants.kernel.worker import (
    a_core_eval_is_nacked,
    alloc_gets_the_version_it_was_planned_for,
    an_attempt_fails_before_its_plan,
    eval_fails_only_with_its_attempts_or_deliveries_used_up,
    eval_that_fell_short_leaves_a_blocked_one,
    next_attempt_sees_the_newest_state,
    no_delivery_expires_while_its_plan_is_judged,
    plan_of_purged_job_is_no_error,
    snapshot_shows_work_of_earlier_evals,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.broker import expire_delivery, holds_delivery, reap_failed, return_delivery
from nomadspec.model.kernel.statuses import EvalRecord, Stage
from nomadspec.model.kernel.worker import (
    begin,
    refresh,
)
from nomadspec.model.language.domain import Id
from nomadspec.model.specification.quirks import (
    DEAD_END,
    FAILING_PURGE,
)
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_witness,
    loosen,
    reword,
    spoil,
)

ALONE_PLANS = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2}


def tell_no_follower(s: Any, t: Any, _worker: Id, job: Id) -> None:
    for server in s.stale_servers:
        t.stale_usable[server, job] = s.stale_usable[server, job]


def expire_at_any_time(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(holds_delivery(s, worker, job, number))
    return_delivery(s, t, job, number)
    t.holds[worker] = False


MATRIX = Matrix(
    {
        "a system job is left alone": Deviation(
            (eval_that_fell_short_leaves_a_blocked_one,),
            DEAD_END.id,
            sizes={
                "jobs": 2,
                "nodes": 1,
                "workers": 2,
                "evals": 2,
                "allocations": 2,
                "attempts": 1,
                "kinds": 2,
            },
            is_long=True,
        ),
        "a scheduler plans whatever it is given": Deviation(
            (eval_fails_only_with_its_attempts_or_deliveries_used_up,),
            changed=loosen(begin, 2),
            sizes={**ALONE, "evals": 2, "unhandled_triggers": 1},
        ),
        "who has an attempt left gives up": Deviation(
            (eval_fails_only_with_its_attempts_or_deliveries_used_up,),
            changed=spoil(apply_plan, "stage", Stage.EXHAUSTED, "worker"),
            sizes=ALONE,
        ),
        "what used up its deliveries is written as complete": Deviation(
            (eval_fails_only_with_its_attempts_or_deliveries_used_up,),
            changed=spoil(reap_failed, "eval_record", EvalRecord.COMPLETE, "job", "number"),
            sizes={**ALONE, "evals": 3, "errors": 1, "deliveries": 1},
        ),
        "a plan of a job that is gone is an error": Deviation(
            (plan_of_purged_job_is_no_error,), FAILING_PURGE.id, sizes={**ALONE, "evals": 2, "purges": 1}
        ),
        "a plan is submitted as one for the newest version": Deviation(
            (alloc_gets_the_version_it_was_planned_for,), "X-30", sizes={**ALONE_PLANS, "updates": 1}
        ),
        "a worker plans again by half of the state": Deviation(
            (next_attempt_sees_the_newest_state,),
            changed=spoil(refresh, "seen.eligible", False, "worker", 0),
            sizes={**ALONE, "evals": 3, "node_changes": 2},
        ),
        "a server that is behind does not know of a plan": Deviation(
            (snapshot_shows_work_of_earlier_evals,),
            changed=also(apply_plan, tell_no_follower),
            sizes={**ALONE, "evals": 2, "stale_server_count": 1, "timeouts": 1},
        ),
        "the timer runs while a plan is judged": Deviation(
            (no_delivery_expires_while_its_plan_is_judged,),
            changed=reword(expire_delivery, expire_at_any_time),
            sizes={**ALONE, "evals": 2, "timeouts": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_core_eval_is_nacked, {"kinds": 4, "errors": 1}),
        (an_attempt_fails_before_its_plan, {"purges": 1, "errors": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
