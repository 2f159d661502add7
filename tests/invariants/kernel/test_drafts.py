from typing import Any

from nomadspec.invariants.kernel.drafts import (
    entries_make_allocations_of_their_own,
    only_operators_delete_what_is_worked_on,
    only_registered_versions_are_planned,
    plans_wait_in_the_line_of_their_priority,
    servers_behind_show_the_job,
    victims_are_less_urgent,
    what_is_judged_is_known,
    who_plans_has_an_attempt_left,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.jobs import update_job
from nomadspec.model.kernel.pipeline import dispatch, evaluate
from nomadspec.model.kernel.state import Record
from nomadspec.model.kernel.worker import begin, plan, submit
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also


def change_lines(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.urgent_plans.remove(worker)
    t.plans.remove(worker)
    t.urgent_plans.push(worker)


def use_up_attempts(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.tries[worker] = s.attempts


def drive_out_its_own(_s: Any, t: Any, worker: Id, job: Id, _to: Any) -> None:
    t.plan_foe[worker] = job
    t.plan_victim[worker] = 0


def plan_the_next_version(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plan_version[worker] = 1


def give_no_number(s: Any, t: Any, _worker: Id, job: Id, _flight: Id) -> None:
    t.alloc_made[job] = s.alloc_made[job]


def keep_readable(_s: Any, t: Any, job: Id) -> None:
    t.old_usable[0, job] = True


def forget_evaluations(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.snap_knows = False


def delete_records(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.record = Record.ABSENT


MATRIX = Matrix(
    {
        "every plan is urgent": Deviation(
            (plans_wait_in_the_line_of_their_priority,),
            changed=also(submit, change_lines),
            sizes={**ALONE, "urgency": 1},
        ),
        "a delivery begins without an attempt left": Deviation(
            (who_plans_has_an_attempt_left,), changed=also(begin, use_up_attempts), sizes=ALONE
        ),
        "a plan drives out what is its own": Deviation(
            (victims_are_less_urgent,), changed=also(plan, drive_out_its_own), sizes=ALONE
        ),
        "a plan is for the version to come": Deviation(
            (only_registered_versions_are_planned,),
            changed=also(plan, plan_the_next_version),
            sizes={**ALONE, "updates": 1},
        ),
        "a server behind is read though the job has changed": Deviation(
            (servers_behind_show_the_job,),
            changed=also(update_job, keep_readable),
            sizes={**ALONE, "updates": 1, "lag": 1},
        ),
        "a plan is judged by a snapshot without its evaluation": Deviation(
            (what_is_judged_is_known,),
            changed=also(evaluate, forget_evaluations),
            sizes={**ALONE, "depth": 1},
        ),
        "a record vanishes while a worker looks at its evaluation": Deviation(
            (only_operators_delete_what_is_worked_on,),
            changed=also(begin, delete_records),
            sizes=ALONE,
        ),
        "an entry takes a number that is not given out": Deviation(
            (entries_make_allocations_of_their_own,),
            changed=also(dispatch, give_no_number),
            sizes={**ALONE, "depth": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
