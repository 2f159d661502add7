from typing import Any

from nomadspec.invariants.kernel.blocked import (
    a_job_is_blocked_beside_an_infeasible_node,
    blocked_eval_is_woken_only_by_capacity_or_retry,
    duplicate_blocked_eval_gives_way_to_a_newer_one,
    failed_plans_are_retried,
    infeasible_node_unblocks_only_escaped_evals,
    missed_unblock_requeues_blocked_eval,
    one_blocked_eval_of_a_job_is_tracked,
    placed_job_has_no_blocked_eval,
    tracked_evals_are_blocked,
    tracked_evals_are_nowhere_else,
)
from nomadspec.invariants.kernel.broker import cancelable_evals_are_canceled
from nomadspec.invariants.kernel.clients import new_capacity_unblocks_evals
from nomadspec.model.kernel.blocked import retry_failed_plans, track_blocked, wake_all
from nomadspec.model.kernel.nodes import (
    recover_node,
)
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker
from nomadspec.model.kernel.worker import write_outcome
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import all_of
from nomadspec.model.specification.quirks import (
    FORGOTTEN_BATCH,
    KEPT_TWICE,
    LEFT_CAPTURED,
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

FULL = {**ALONE, "cap": 0, "evals": 5, "requests": 1}


def displace_nobody(s: Any, t: Any, job: Id, number: Id) -> None:
    for other in s.eval_numbers:
        if other != number:
            t.blocked_in[job, other] = s.blocked_in[job, other]


def track_what_has_ended(s: Any, t: Any, job: Id, number: Id) -> None:
    t.when(all_of(s.eval_record[job, number] == EvalRecord.BLOCKED)).eval_record[job, number] = (
        EvalRecord.CANCELED
    )


AGAIN = {**ALONE, "evals": 3, "node_changes": 3, "timeouts": 1}


WOKEN = {**ALONE, "evals": 3, "node_changes": 2}


def capture_anyway(_s: Any, t: Any, job: Id, number: Id) -> None:
    t.blocked_in[job, number] = BlockedIn.CAPTURED
    t.in_broker[job, number] = InBroker.OUT


def wake_nobody(s: Any, t: Any, _node: Id) -> None:
    t.blocked_in = s.blocked_in


def wake_everybody(s: Any, t: Any, _node: Id) -> None:
    wake_all(s, t)


def never_retry(_s: Any, t: Any, _job: Id, _number: Id) -> None:
    t.require(False)


WOKEN_EVALUATIONS = {**ALONE, "evals": 4, "node_changes": 2}


def leave_siblings_blocked(s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    for other in s.eval_numbers:
        if other != number:
            t.eval_record[job, other] = s.eval_record[job, other]


CHANGING = {**ALONE, "evals": 3, "node_changes": 2}


def stay_down(s: Any, t: Any, node: Id) -> None:
    t.node_up[node] = s.node_up[node]


FULL_WAKES = {**ALONE, "cap": 0, "evals": 3}


MATRIX = Matrix(
    {
        "the tracker keeps every blocked evaluation": Deviation(
            (one_blocked_eval_of_a_job_is_tracked,), changed=also(track_blocked, displace_nobody), sizes=FULL
        ),
        "a system job that is placed stays captured": Deviation(
            (tracked_evals_are_blocked,),
            LEFT_CAPTURED.id,
            sizes={**ALONE, "cap": 0, "evals": 4, "kinds": 2, "requests": 1, "node_changes": 1},
            is_long=True,
        ),
        "blocked_in cancels": Deviation(
            (tracked_evals_are_blocked,), changed=also(track_blocked, track_what_has_ended), sizes=FULL
        ),
        "an evaluation is tracked and delivered again": Deviation(
            (tracked_evals_are_nowhere_else,),
            KEPT_TWICE.id,
            sizes=AGAIN,
        ),
        "a missed unblock is not looked for": Deviation(
            (missed_unblock_requeues_blocked_eval,), changed=also(track_blocked, capture_anyway), sizes=WOKEN
        ),
        "a node comes back unnoticed": Deviation(
            (new_capacity_unblocks_evals,), changed=also(recover_node, wake_nobody), sizes=WOKEN
        ),
        "a node wakes every job": Deviation(
            (infeasible_node_unblocks_only_escaped_evals,),
            changed=also(recover_node, wake_everybody),
            sizes={**WOKEN, "infeasibilities": 1},
        ),
        "failed plans are not tried again": Deviation(
            (failed_plans_are_retried,),
            changed=reword(retry_failed_plans, never_retry),
            sizes={"jobs": 2, "nodes": 1, "workers": 2, "evals": 3, "attempts": 1},
        ),
        "an entry that cancels fails": Deviation(
            (cancelable_evals_are_canceled,), FORGOTTEN_BATCH.id, sizes={**FULL, "failed_entries": 1}
        ),
        "siblings stay blocked": Deviation(
            (placed_job_has_no_blocked_eval,),
            changed=also(write_outcome, leave_siblings_blocked),
            sizes=WOKEN_EVALUATIONS,
        ),
        "a node that recovers stays down": Deviation(
            (blocked_eval_is_woken_only_by_capacity_or_retry,),
            changed=also(recover_node, stay_down),
            sizes=CHANGING,
        ),
        "what has classes is kept as escaped": Deviation(
            (infeasible_node_unblocks_only_escaped_evals,),
            changed=spoil(track_blocked, "blocked_in", BlockedIn.ESCAPED, "job", "number"),
            sizes={**WOKEN, "infeasibilities": 1},
        ),
        "the tracker looks at what was given last": Deviation(
            (duplicate_blocked_eval_gives_way_to_a_newer_one,),
            changed=loosen(track_blocked, 1),
            sizes={**FULL_WAKES, "evals": 4, "requests": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_a_job_waits_while_a_node_is_ready_on_which_it_is_infeasible() -> None:
    sizes = {**WOKEN, "nodes": 2, "infeasibilities": 1}

    assert find_witness(a_job_is_blocked_beside_an_infeasible_node, **sizes) is not None
