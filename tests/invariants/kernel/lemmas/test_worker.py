from typing import Any

from nomadspec.invariants.kernel.worker import (
    attempts_begin_without_a_plan,
    deliveries_begin_afresh,
    idle_workers_have_nothing,
    only_handled_evals_are_planned,
    only_registered_versions_are_planned,
    only_system_jobs_wait_for_a_node,
    planning_worker_has_an_attempt_left,
    worker_sees_running_allocs_of_its_job,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.worker import (
    ack,
    begin,
    block,
    nack,
    plan,
    submit,
)
from nomadspec.model.language.domain import NONE, Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, loosen, spoil

FULL = {**ALONE, "cap": 0, "evals": 3}


def try_again_from_the_start(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = 1


def use_up_attempts(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.tries[worker] = s.attempts


def plan_the_next_version(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plan[worker].version = 1


def remember_job(s: Any, t: Any, worker: Id, _job: Id, _number: Id) -> None:
    t.job[worker] = s.job[worker]


MATRIX = Matrix(
    {
        "what a system job lacks is for no node": Deviation(
            (only_system_jobs_wait_for_a_node,), changed=loosen(block, 4), sizes={**FULL, "kinds": 2}
        ),
        "a worker begins again with its plan": Deviation(
            (attempts_begin_without_a_plan,), changed=also(submit, try_again_from_the_start), sizes=ALONE
        ),
        "a delivery begins without an attempt left": Deviation(
            (planning_worker_has_an_attempt_left,), changed=also(begin, use_up_attempts), sizes=ALONE
        ),
        "an unknown trigger is planned for": Deviation(
            (only_handled_evals_are_planned,),
            changed=loosen(begin, 2),
            sizes={**ALONE, "evals": 2, "unhandled_triggers": 1},
        ),
        "a plan is for the version to come": Deviation(
            (only_registered_versions_are_planned,),
            changed=also(plan, plan_the_next_version),
            sizes={**ALONE, "updates": 1},
        ),
        "a worker remembers that something was blocked": Deviation(
            (deliveries_begin_afresh,), changed=spoil(ack, "made_blocked", True, "worker"), sizes=ALONE
        ),
        "an answer leaves something of the plan": Deviation(
            (attempts_begin_without_a_plan,),
            changed=spoil(apply_plan, "is_partial", True, "worker"),
            sizes=ALONE,
        ),
        "a worker does not see what runs": Deviation(
            (worker_sees_running_allocs_of_its_job,),
            changed=spoil(begin, "seen.occupies", NONE, "worker", 0, 0),
            sizes={**ALONE, "evals": 2, "updates": 1},
        ),
        "a worker remembers its job": Deviation(
            (idle_workers_have_nothing,),
            changed=also(nack, remember_job),
            sizes={**ALONE, "evals": 2, "errors": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
