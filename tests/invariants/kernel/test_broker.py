from typing import Any

from nomadspec.invariants.kernel.broker import (
    an_evaluation_is_canceled,
    broker_that_is_off_is_empty,
    cancelable_eval_gives_way_to_a_newer_or_higher_priority_one,
    cancelable_evals_are_canceled,
    cancelable_evals_are_not_delivered,
    core_evaluations_are_not_stored,
    delayed_eval_waits_until_it_is_due,
    deliveries_are_bounded,
    deliveries_end,
    deliveries_have_one_holder,
    eval_keeps_its_trigger_priority_and_node,
    higher_priority_eval_is_dequeued_first,
    new_eval_has_the_priority_of_its_job_or_predecessor,
    new_eval_is_offered_as_its_trigger_says,
    no_open_evaluation_is_forgotten,
    nothing_is_pending_for_a_free_job,
    one_eval_of_a_job_is_outstanding,
    pending_evaluations_end,
    stale_token_has_no_effect,
    terminal_eval_keeps_its_status,
)
from nomadspec.invariants.kernel.harm import missing_alloc_has_open_eval
from nomadspec.model.kernel.broker import (
    dequeue,
    expire_delivery,
    make_waiting,
    reap_failed,
    request_evaluation,
    return_delivery,
)
from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.jobs import update_job
from nomadspec.model.kernel.leader import gain_leader, lose_leader
from nomadspec.model.kernel.statuses import EvalRecord, InBroker, JobPhase, Stage, TriggeredBy
from nomadspec.model.kernel.worker import ack, begin, nack, release
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import all_of, exists, ite, not_
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    FORGOTTEN_BATCH,
    FORGOTTEN_REAPER,
    LOST_ACK,
    STORED_CORE_EVAL,
)
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, reword, spoil

CROWDED = {**ALONE, "evals": 4, "requests": 2}


def put_first(s: Any, t: Any, job: Id, _rank: Id) -> None:
    t.in_broker[job, s.made[job]] = InBroker.READY


def rank_as_job(s: Any, t: Any, job: Id, _number: Id) -> None:
    t.eval_priority[job, s.made[job]] = s.priority[job]


def follow_up_in_vain(s: Any, t: Any, job: Id, number: Id) -> None:
    gone = t.when(s.job_phase[job] == JobPhase.ABSENT)
    make_waiting(s, gone, JobId(job), TriggeredBy.FAILED_FOLLOW_UP, s.eval_priority[job, number])


def free_nobody(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    for other in s.eval_numbers:
        t.when(s.in_broker[job, other] == InBroker.PENDING_BEHIND_JOB).in_broker[job, other] = (
            InBroker.PENDING_BEHIND_JOB
        )


def free_the_oldest(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    """Let the oldest pending evaluation of the job go on, and make the newer ones cancelable."""

    def is_behind(number: Id) -> Any:
        return s.in_broker[job, number] == InBroker.PENDING_BEHIND_JOB

    for number in s.eval_numbers:
        is_first = not_(exists(all_of(o < number, is_behind(o)) for o in s.eval_numbers))
        behind = t.when(is_behind(number))
        behind.in_broker[job, number] = ite(is_first, InBroker.READY, InBroker.OUT)
        behind.cancelable[job, number] = not_(is_first)


def leave_token(_s: Any, t: Any, worker: Id, _job: Id, _number: Id) -> None:
    t.holds[worker] = True


def nack_without_a_look(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(s.stage[worker] == Stage.FAILING, s.job[worker] == job, s.number[worker] == number)
    return_delivery(s, t, job, number)
    release(t, worker)


ERRING = {**ALONE, "evals": 3, "deliveries": 1, "errors": 1}


def make_no_follow_up(s: Any, t: Any, job: Id, _number: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.ABSENT
    t.in_broker[job, s.made[job]] = InBroker.OUT
    t.made[job] = s.made[job]


def try_for_ever(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.in_broker[job, number] = InBroker.NACKED


def keep_places(s: Any, t: Any) -> None:
    t.in_broker = s.in_broker


def take_any(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(s.stage[worker] == Stage.IDLE, s.in_broker[job, number] == InBroker.READY)
    t.in_broker[job, number] = InBroker.UNACKED
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True


def never_begin(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.require(False)


WOKEN = {**ALONE, "evals": 4, "node_changes": 2}


def forget_blocked(_s: Any, t: Any) -> None:
    t.arriving = 0


def give_another_reason(s: Any, t: Any, job: Id) -> None:
    t.triggered_by[job, s.made[job]] = TriggeredBy.FAILED_FOLLOW_UP


MATRIX = Matrix(
    {
        "a new evaluation does not wait for its job": Deviation(
            (one_eval_of_a_job_is_outstanding,), changed=also(request_evaluation, put_first), sizes=CROWDED
        ),
        "an ack leaves those behind the job where they are": Deviation(
            (nothing_is_pending_for_a_free_job, cancelable_evals_are_not_delivered),
            changed=also(ack, free_nobody),
            sizes=CROWDED,
        ),
        "a token outlives its timer": Deviation(
            (deliveries_have_one_holder,),
            changed=also(expire_delivery, leave_token),
            sizes={**ALONE, "evals": 2, "timeouts": 1},
        ),
        "a nack does not look at its token": Deviation(
            (stale_token_has_no_effect,),
            changed=reword(nack, nack_without_a_look),
            sizes={**ALONE, "evals": 2, "timeouts": 1, "errors": 1},
        ),
        "the limit of deliveries is not looked at": Deviation(
            (deliveries_are_bounded,), changed=also(nack, try_for_ever), sizes=ERRING
        ),
        "an old leader keeps its broker": Deviation(
            (broker_that_is_off_is_empty,),
            changed=also(lose_leader, keep_places),
            sizes={**ALONE, "evals": 2, "elections": 1},
        ),
        "a worker takes any ready evaluation": Deviation(
            (higher_priority_eval_is_dequeued_first,),
            changed=reword(dequeue, take_any),
            sizes={**ALONE, "jobs": 2, "evals": 1, "priorities": 1},
        ),
        "an old evaluation goes before newer ones": Deviation(
            (cancelable_eval_gives_way_to_a_newer_or_higher_priority_one,),
            changed=also(ack, free_the_oldest),
            sizes={**ALONE, "evals": 3, "requests": 2},
        ),
        "workers never begin": Deviation(
            (deliveries_end,),
            changed=reword(begin, never_begin),
            sizes={**ALONE, "evals": 2},
        ),
        "the reaper is gone after a pause": Deviation(
            (deliveries_end,), FORGOTTEN_REAPER.id, sizes={**ERRING, "pauses": 1}
        ),
        "an entry that cancels fails": Deviation(
            (cancelable_evals_are_canceled,), FORGOTTEN_BATCH.id, sizes={**CROWDED, "failed_entries": 1}
        ),
        "a delivery whose ack was lost is written again": Deviation(
            (terminal_eval_keeps_its_status,),
            LOST_ACK.id,
            sizes={**ALONE, "evals": 2, "timeouts": 1, "errors": 1},
        ),
        "a canceled evaluation is delivered": Deviation(
            (terminal_eval_keeps_its_status,),
            CANCELLED_IS_DELIVERED.id,
            sizes={**WOKEN, "timeouts": 1},
            is_long=True,
        ),
        "the last delivery fails, and nobody tries again": Deviation(
            (missing_alloc_has_open_eval,), changed=also(reap_failed, make_no_follow_up), sizes=ERRING
        ),
        "a cancelable evaluation is forgotten": Deviation(
            (no_open_evaluation_is_forgotten,),
            FORGOTTEN_BATCH.id,
            sizes={**ALONE, "evals": 4, "requests": 2, "failed_entries": 1},
        ),
        "a new leader puts nothing blocked back": Deviation(
            (no_open_evaluation_is_forgotten,),
            changed=also(gain_leader, forget_blocked),
            sizes={**ALONE, "cap": 0, "evals": 3, "elections": 1},
        ),
        "the reaper is gone after a pause, as in evaluations": Deviation(
            (pending_evaluations_end,),
            FORGOTTEN_REAPER.id,
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1, "pauses": 1},
        ),
        "a cancelable core evaluation is stored": Deviation(
            (core_evaluations_are_not_stored,),
            STORED_CORE_EVAL.id,
            sizes={**ALONE, "evals": 3, "kinds": 4, "core_evals": 2},
        ),
        "an update makes an evaluation for another reason": Deviation(
            (new_eval_is_offered_as_its_trigger_says,),
            changed=also(update_job, give_another_reason),
            sizes={**ALONE, "evals": 2, "updates": 1},
        ),
        "a delivery changes what an evaluation is for": Deviation(
            (eval_keeps_its_trigger_priority_and_node,),
            changed=spoil(dequeue, "triggered_by", TriggeredBy.FAILED_FOLLOW_UP, "job", "number"),
            sizes=ALONE,
        ),
        "an update has to wait": Deviation(
            (delayed_eval_waits_until_it_is_due,),
            changed=spoil(update_job, "in_broker", InBroker.WAITING, "job", 1),
            sizes={**ALONE, "updates": 1},
        ),
        "a follow-up is as important as its job": Deviation(
            (new_eval_has_the_priority_of_its_job_or_predecessor,),
            changed=also(reap_failed, rank_as_job),
            sizes={**ALONE, "evals": 3, "requests": 1, "priorities": 1, "errors": 1, "deliveries": 1},
        ),
        "a job that is gone gets a follow-up": Deviation(
            (new_eval_has_the_priority_of_its_job_or_predecessor,),
            changed=also(reap_failed, follow_up_in_vain),
            sizes={**ALONE, "evals": 3, "purges": 1, "errors": 1, "deliveries": 1},
        ),
        "an update is evaluated as if it were more important": Deviation(
            (new_eval_has_the_priority_of_its_job_or_predecessor,),
            changed=spoil(update_job, "eval_priority", 1, "job", 1),
            sizes={**ALONE, "updates": 1, "priorities": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_an_evaluation_is_canceled_that_was_cancelable() -> None:
    assert find_witness(an_evaluation_is_canceled, **ALONE, evals=3, external_triggers=2) is not None
