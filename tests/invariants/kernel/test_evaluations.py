from typing import Any

from nomadspec.invariants.kernel.evaluations import (
    completion_cancels_blocked_siblings,
    core_evaluations_are_not_stored,
    failed_plans_leave_a_blocked_evaluation,
    giving_up_leaves_a_follow_up,
    misfits_are_not_planned,
    no_blocked_evaluation_is_forgotten,
    no_pending_evaluation_is_forgotten,
    pending_evaluations_end,
    terminal_records_stay,
    wanted_jobs_are_placed,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import reap_failed
from nomadspec.model.kernel.leader import gain_leader
from nomadspec.model.kernel.state import Record, Stage
from nomadspec.model.kernel.worker import begin, take_snapshot, write_outcome
from nomadspec.model.quirks import (
    CANCELLED_IS_DELIVERED,
    DEAD_END,
    FORGOTTEN_BATCH,
    FORGOTTEN_REAPER,
    FORGOTTEN_WAKE,
    LOST_ACK,
    STORED_CORE_EVAL,
)
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, reword

WOKEN = {**ALONE, "evals": 4, "node_changes": 2}


def leave_siblings_blocked(s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    for other in s.eval_numbers:
        if other != number:
            t.record[job, other] = s.record[job, other]


def forget_blocked(_s: Any, t: Any) -> None:
    t.arriving = 0


def make_no_follow_up(s: Any, t: Any, job: Id, _number: Id) -> None:
    t.record[job, s.made[job]] = Record.ABSENT


def begin_anyway(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(s.stage[worker] == Stage.TAKEN, s.job[worker] == job)
    take_snapshot(s, t, worker, job)


MATRIX = Matrix(
    {
        "a delivery whose ack was lost is written again": Deviation(
            (terminal_records_stay,), LOST_ACK.id, sizes={**ALONE, "evals": 2, "timeouts": 1, "errors": 1}
        ),
        "a canceled evaluation is delivered": Deviation(
            (terminal_records_stay,), CANCELLED_IS_DELIVERED.id, sizes={**WOKEN, "timeouts": 1}
        ),
        "a superseded evaluation is forgotten": Deviation(
            (no_pending_evaluation_is_forgotten,),
            FORGOTTEN_BATCH.id,
            sizes={**ALONE, "evals": 4, "requests": 2, "failed_entries": 1},
        ),
        "a new leader puts nothing blocked back": Deviation(
            (no_blocked_evaluation_is_forgotten,),
            changed=also(gain_leader, forget_blocked),
            sizes={**ALONE, "cap": 0, "evals": 3, "elections": 1},
        ),
        "siblings stay blocked": Deviation(
            (completion_cancels_blocked_siblings,),
            changed=also(write_outcome, leave_siblings_blocked),
            sizes=WOKEN,
        ),
        "giving up makes no follow-up": Deviation(
            (giving_up_leaves_a_follow_up,),
            changed=also(reap_failed, make_no_follow_up),
            sizes={**ALONE, "evals": 2, "deliveries": 1, "errors": 1},
        ),
        "a system job is left alone": Deviation(
            (failed_plans_leave_a_blocked_evaluation,),
            DEAD_END.id,
            sizes={"jobs": 2, "nodes": 1, "workers": 2, "evals": 2, "spares": 2, "attempts": 1, "kinds": 2},
        ),
        "the reaper is gone after a pause": Deviation(
            (pending_evaluations_end,),
            FORGOTTEN_REAPER.id,
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1, "pauses": 1},
        ),
        "a new leader has forgotten a wake-up": Deviation(
            (wanted_jobs_are_placed,), FORGOTTEN_WAKE.id, sizes={**WOKEN, "elections": 1}
        ),
        "a scheduler plans whatever it is given": Deviation(
            (misfits_are_not_planned,),
            changed=reword(begin, begin_anyway),
            sizes={**ALONE, "evals": 2, "misfits": 1},
        ),
        "a superseded core evaluation is stored": Deviation(
            (core_evaluations_are_not_stored,),
            STORED_CORE_EVAL.id,
            sizes={**ALONE, "evals": 3, "kinds": 4, "chores": 2},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
