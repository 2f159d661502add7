from typing import Any

from nomadspec.invariants.kernel.broker import (
    acking_worker_has_written_its_eval,
    arriving_blocked_evals_are_not_terminal,
    blocked_evals_are_in_one_place,
    blocked_evals_were_made_blocked,
    cancelable_evals_are_not_complete,
    core_jobs_are_not_in_the_store,
    deliveries_are_counted_while_they_last,
    evals_not_made_are_nowhere,
    evaluations_are_for_feasible_nodes,
    outstanding_eval_is_ended_by_its_worker,
    queued_evals_are_not_terminal,
    waiting_evals_are_pending,
    worker_of_a_blocked_eval_acks,
)
from nomadspec.model.kernel.broker import (
    dequeue,
    end_wait,
    enqueue_core_eval,
    reap_failed,
    request_evaluation,
)
from nomadspec.model.kernel.statuses import EvalRecord, InBroker
from nomadspec.model.kernel.worker import ack, begin, block, write_outcome
from nomadspec.model.language.domain import Id
from nomadspec.model.specification.quirks import LOST_ACK, WOKEN_TWICE
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil

ASKED = {**ALONE, "evals": 3, "requests": 1}


def keep_number(s: Any, t: Any, job: Id, _rank: Id) -> None:
    t.made[job] = s.made[job]


def count_on(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.delivered[job, number] = 1


def cancel_late(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.cancelable[job, number] = True


FULL = {**ALONE, "evals": 2, "cap": 0}


def queue_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.in_broker[job, s.made[job]] = InBroker.READY


def cancel_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.duplicate[job, s.made[job]] = True
    t.cancelable[job, s.made[job]] = True


def end_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.CANCELED


def wait_too(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.arriving[job, number] = 1


def call_it_pending(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.eval_record[job, number] = EvalRecord.PENDING


def cancel_what_is_taken(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.eval_record[job, number] = EvalRecord.CANCELED


def owe_it(_s: Any, t: Any, job: Id) -> None:
    t.owed[job] = True


def end_follow_up(s: Any, t: Any, job: Id, _number: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.COMPLETE


def aim_at_first(_s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.at[job, 0] = 0


MATRIX = Matrix(
    {
        "a number is given out twice": Deviation(
            (evals_not_made_are_nowhere,), changed=also(request_evaluation, keep_number), sizes=ASKED
        ),
        "deliveries are counted after the ack": Deviation(
            (deliveries_are_counted_while_they_last,), changed=also(ack, count_on), sizes=ASKED
        ),
        "what is done is to be canceled": Deviation(
            (cancelable_evals_are_not_complete,), changed=also(ack, cancel_late), sizes=ASKED
        ),
        "a blocked evaluation is ready": Deviation(
            (blocked_evals_are_in_one_place,), changed=also(block, queue_at_once), sizes=FULL
        ),
        "a blocked evaluation is to be canceled": Deviation(
            (blocked_evals_are_in_one_place,),
            changed=also(block, cancel_at_once),
            sizes=FULL,
        ),
        "a blocked evaluation has ended": Deviation(
            (arriving_blocked_evals_are_not_terminal,), changed=also(block, end_at_once), sizes=FULL
        ),
        "who blocks waits as well": Deviation(
            (worker_of_a_blocked_eval_acks, blocked_evals_were_made_blocked),
            changed=also(block, wait_too),
            sizes=FULL,
        ),
        "an outcome leaves the evaluation pending": Deviation(
            (acking_worker_has_written_its_eval,), changed=also(write_outcome, call_it_pending), sizes=FULL
        ),
        "what is taken is canceled": Deviation(
            (outstanding_eval_is_ended_by_its_worker,),
            changed=also(dequeue, cancel_what_is_taken),
            sizes=FULL,
        ),
        "somebody owes the collector an evaluation": Deviation(
            (core_jobs_are_not_in_the_store,),
            changed=also(enqueue_core_eval, owe_it),
            sizes={**FULL, "kinds": 4, "core_evals": 1},
        ),
        "a follow-up has ended before it is due": Deviation(
            (waiting_evals_are_pending,),
            changed=also(reap_failed, end_follow_up),
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1},
        ),
        "an evaluation is for a node where its job is infeasible": Deviation(
            (evaluations_are_for_feasible_nodes,),
            changed=also(begin, aim_at_first),
            sizes={**FULL, "infeasibilities": 1},
        ),
        "an ack is lost": Deviation(
            (queued_evals_are_not_terminal,), LOST_ACK.id, sizes={**FULL, "timeouts": 1}
        ),
        "what is woken stays under its node": Deviation(
            (blocked_evals_are_in_one_place,),
            WOKEN_TWICE.id,
            sizes={**FULL, "nodes": 2, "count": 2, "kinds": 2, "node_changes": 2},
            is_long=True,
        ),
        "what falls due waits once more": Deviation(
            (deliveries_are_counted_while_they_last,),
            changed=spoil(end_wait, "in_broker", InBroker.NACKED, "job", "number"),
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
