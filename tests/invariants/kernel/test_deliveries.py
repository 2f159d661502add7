from typing import Any

from nomadspec.invariants.kernel.deliveries import (
    arriving_evaluations_are_on_their_own,
    core_jobs_are_not_in_the_store,
    deliveries_are_counted_from_none,
    duplicates_are_nowhere_else,
    evaluations_are_for_feasible_nodes,
    misfits_come_from_outside,
    superseded_evaluations_are_not_awaited,
    what_arrives_in_time_has_not_ended,
    what_is_blocked_was_made_so,
    what_is_held_is_ended_by_its_worker,
    what_is_queued_has_a_record,
    what_is_to_be_canceled_is_not_done,
    what_is_to_be_delivered_has_not_ended,
    what_is_under_a_node_is_tracked,
    what_waits_is_pending,
    what_was_not_made_is_nowhere,
    who_acks_has_seen_to_its_evaluation,
    who_holds_what_is_awaited_acks,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import dequeue, enqueue_core, reap_failed, request_evaluation
from nomadspec.model.kernel.state import Cause, Place, Record
from nomadspec.model.kernel.worker import ack, begin, block, write_outcome
from nomadspec.model.quirks import HASTY_COLLECTION, LOST_ACK, WOKEN_TWICE
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also

ASKED = {**ALONE, "evals": 3, "requests": 1}
FULL = {**ALONE, "evals": 2, "cap": 0}


def keep_number(s: Any, t: Any, job: Id, _rank: Id) -> None:
    t.made[job] = s.made[job]


def make_misfit(s: Any, t: Any, job: Id, _rank: Id) -> None:
    t.cause[job, s.made[job]] = Cause.MISFIT


def count_on(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.delivered[job, number] = 1


def cancel_late(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.superseded[job, number] = True


def queue_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.place[job, s.made[job]] = Place.READY


def cancel_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.duplicate[job, s.made[job]] = True
    t.superseded[job, s.made[job]] = True


def end_at_once(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    t.record[job, s.made[job]] = Record.CANCELED


def wait_too(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.arriving[job, number] = 1


def call_it_pending(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.record[job, number] = Record.PENDING


def cancel_what_is_taken(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.record[job, number] = Record.CANCELED


def owe_it(_s: Any, t: Any, job: Id) -> None:
    t.owed[job] = True


def end_follow_up(s: Any, t: Any, job: Id, _number: Id) -> None:
    t.record[job, s.made[job]] = Record.COMPLETE


def aim_at_first(_s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.at[job, 0] = 0


MATRIX = Matrix(
    {
        "a number is given out twice": Deviation(
            (what_was_not_made_is_nowhere,),
            changed=also(request_evaluation, keep_number),
            sizes=ASKED,
        ),
        "a request is a misfit": Deviation(
            (misfits_come_from_outside,),
            changed=also(request_evaluation, make_misfit),
            sizes=ASKED,
        ),
        "deliveries are counted after the ack": Deviation(
            (deliveries_are_counted_from_none,), changed=also(ack, count_on), sizes=ASKED
        ),
        "what is done is to be canceled": Deviation(
            (what_is_to_be_canceled_is_not_done,), changed=also(ack, cancel_late), sizes=ASKED
        ),
        "a blocked evaluation is ready": Deviation(
            (arriving_evaluations_are_on_their_own,), changed=also(block, queue_at_once), sizes=FULL
        ),
        "a blocked evaluation is to be canceled": Deviation(
            (duplicates_are_nowhere_else, superseded_evaluations_are_not_awaited),
            changed=also(block, cancel_at_once),
            sizes=FULL,
        ),
        "a blocked evaluation has ended": Deviation(
            (what_arrives_in_time_has_not_ended,), changed=also(block, end_at_once), sizes=FULL
        ),
        "who blocks waits as well": Deviation(
            (who_holds_what_is_awaited_acks, what_is_blocked_was_made_so),
            changed=also(block, wait_too),
            sizes=FULL,
        ),
        "an outcome leaves the evaluation pending": Deviation(
            (who_acks_has_seen_to_its_evaluation,),
            changed=also(write_outcome, call_it_pending),
            sizes=FULL,
        ),
        "what is taken is canceled": Deviation(
            (what_is_held_is_ended_by_its_worker,),
            changed=also(dequeue, cancel_what_is_taken),
            sizes=FULL,
        ),
        "somebody owes the collector an evaluation": Deviation(
            (core_jobs_are_not_in_the_store,),
            changed=also(enqueue_core, owe_it),
            sizes={**FULL, "kinds": 4, "chores": 1},
        ),
        "a follow-up has ended before it is due": Deviation(
            (what_waits_is_pending,),
            changed=also(reap_failed, end_follow_up),
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1},
        ),
        "an evaluation is for a node where its job is infeasible": Deviation(
            (evaluations_are_for_feasible_nodes,),
            changed=also(begin, aim_at_first),
            sizes={**FULL, "bars": 1},
        ),
        "a collector is hasty": Deviation(
            (what_is_queued_has_a_record,), HASTY_COLLECTION.id, sizes={**FULL, "collections": 1}
        ),
        "an ack is lost": Deviation(
            (what_is_to_be_delivered_has_not_ended,), LOST_ACK.id, sizes={**FULL, "timeouts": 1}
        ),
        "what is woken stays under its node": Deviation(
            (what_is_under_a_node_is_tracked,),
            WOKEN_TWICE.id,
            sizes={**FULL, "nodes": 2, "count": 2, "kinds": 2, "node_changes": 2},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
