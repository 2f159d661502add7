from typing import Any

from nomadspec.invariants.kernel.blocked import (
    a_job_waits_beside_a_node_that_it_is_barred_from,
    duplicates_are_canceled,
    duplicates_are_not_tracked,
    failed_plans_are_retried,
    infeasible_capacity_wakes_nobody,
    missed_unblocks_are_made_up_for,
    new_capacity_wakes_the_blocked,
    newest_blocked_evaluation_is_kept,
    one_evaluation_of_a_job_is_tracked,
    tracked_evaluations_are_blocked,
    tracked_evaluations_are_not_queued,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.blocked import is_tracked, retry_failed_plans, track, wake_all
from nomadspec.model.kernel.nodes import recover_node
from nomadspec.model.kernel.state import Place, Record, Tracking
from nomadspec.model.logic import all_of, exists
from nomadspec.model.quirks import FORGOTTEN_BATCH, KEPT_TWICE, LEFT_CAPTURED
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, reword

FULL = {**ALONE, "cap": 0, "evals": 5, "requests": 1}
WOKEN = {**ALONE, "evals": 3, "node_changes": 2}
AGAIN = {**ALONE, "evals": 3, "node_changes": 3, "timeouts": 1}


def displace_nobody(s: Any, t: Any, job: Id, number: Id) -> None:
    for other in s.eval_numbers:
        if other != number:
            t.tracking[job, other] = s.tracking[job, other]


def keep_the_first(s: Any, t: Any, job: Id, number: Id) -> None:
    is_second = exists(is_tracked(s, job, other) for other in s.eval_numbers)
    second = t.when(is_second)
    second.duplicate[job, number] = True
    second.tracking[job, number] = Tracking.OUT
    for other in s.eval_numbers:
        t.when(is_tracked(s, job, other)).tracking[job, other] = s.tracking[job, other]
        t.when(is_tracked(s, job, other)).duplicate[job, other] = False


def capture_anyway(_s: Any, t: Any, job: Id, number: Id) -> None:
    t.tracking[job, number] = Tracking.CAPTURED
    t.place[job, number] = Place.OUT


def wake_nobody(s: Any, t: Any, _node: Id) -> None:
    t.tracking = s.tracking


def wake_everybody(s: Any, t: Any, _node: Id) -> None:
    wake_all(s, t)


def never_retry(_s: Any, t: Any, _job: Id, _number: Id) -> None:
    t.require(False)


def track_what_has_ended(s: Any, t: Any, job: Id, number: Id) -> None:
    t.when(all_of(s.record[job, number] == Record.BLOCKED)).record[job, number] = Record.CANCELED


MATRIX = Matrix(
    {
        "the tracker keeps every blocked evaluation": Deviation(
            (one_evaluation_of_a_job_is_tracked,),
            changed=also(track, displace_nobody),
            sizes=FULL,
        ),
        "the tracker keeps the first blocked evaluation": Deviation(
            (newest_blocked_evaluation_is_kept,), changed=also(track, keep_the_first), sizes=FULL
        ),
        "a system job that is placed stays captured": Deviation(
            (tracked_evaluations_are_blocked,),
            LEFT_CAPTURED.id,
            sizes={**ALONE, "cap": 0, "evals": 4, "kinds": 2, "requests": 1, "node_changes": 1},
        ),
        "tracking cancels": Deviation(
            (tracked_evaluations_are_blocked,), changed=also(track, track_what_has_ended), sizes=FULL
        ),
        "an evaluation is tracked and delivered again": Deviation(
            (tracked_evaluations_are_not_queued, duplicates_are_not_tracked), KEPT_TWICE.id, sizes=AGAIN
        ),
        "a missed unblock is not looked for": Deviation(
            (missed_unblocks_are_made_up_for,), changed=also(track, capture_anyway), sizes=WOKEN
        ),
        "a node comes back unnoticed": Deviation(
            (new_capacity_wakes_the_blocked,),
            changed=also(recover_node, wake_nobody),
            sizes=WOKEN,
        ),
        "a node wakes every job": Deviation(
            (infeasible_capacity_wakes_nobody,),
            changed=also(recover_node, wake_everybody),
            sizes={**WOKEN, "bars": 1},
        ),
        "failed plans are not tried again": Deviation(
            (failed_plans_are_retried,),
            changed=reword(retry_failed_plans, never_retry),
            sizes={"jobs": 2, "nodes": 1, "workers": 2, "evals": 3, "attempts": 1},
        ),
        "an entry that cancels fails": Deviation(
            (duplicates_are_canceled,), FORGOTTEN_BATCH.id, sizes={**FULL, "failed_entries": 1}
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_a_job_waits_while_a_node_is_ready_on_which_it_is_infeasible() -> None:
    sizes = {**WOKEN, "nodes": 2, "bars": 1}

    assert find_witness(a_job_waits_beside_a_node_that_it_is_barred_from, **sizes) is not None
