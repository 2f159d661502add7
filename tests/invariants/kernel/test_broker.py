from typing import Any

from nomadspec.invariants.kernel.broker import (
    broker_that_is_off_is_empty,
    deliveries_are_bounded,
    deliveries_end,
    deliveries_have_one_holder,
    given_up_evaluations_are_reaped,
    newest_evaluation_goes_next,
    no_acked_evaluation_is_lost,
    nothing_waits_behind_a_free_job,
    one_evaluation_of_a_job_is_out,
    stale_token_changes_nothing,
    superseded_evaluations_are_canceled,
    superseded_evaluations_are_out,
    urgent_evaluations_go_first,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import dequeue, expire_delivery, request_evaluation, take_back
from nomadspec.model.kernel.leader import lose_leader
from nomadspec.model.kernel.state import Place, Record, Stage
from nomadspec.model.kernel.worker import ack, begin, nack, release, write_outcome
from nomadspec.model.quirks import FORGOTTEN_BATCH, FORGOTTEN_REAPER, OLDEST_FIRST
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, reword

ERRING = {**ALONE, "evals": 3, "deliveries": 1, "errors": 1}
CROWDED = {**ALONE, "evals": 4, "requests": 2}


def put_first(s: Any, t: Any, job: Id, _rank: Id) -> None:
    t.place[job, s.made[job]] = Place.READY


def free_nobody(s: Any, t: Any, _worker: Id, job: Id, _number: Id) -> None:
    for other in s.eval_numbers:
        t.when(s.place[job, other] == Place.BEHIND).place[job, other] = Place.BEHIND


def leave_token(_s: Any, t: Any, worker: Id, _job: Id, _number: Id) -> None:
    t.holds[worker] = True


def nack_without_a_look(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(s.stage[worker] == Stage.FAILING, s.job[worker] == job, s.number[worker] == number)
    take_back(s, t, job, number)
    release(t, worker)


def try_for_ever(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.place[job, number] = Place.NACKED


def keep_places(s: Any, t: Any) -> None:
    t.place = s.place


def take_any(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    t.require(s.stage[worker] == Stage.IDLE, s.place[job, number] == Place.READY)
    t.place[job, number] = Place.UNACKED
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True


def call_it_pending(_s: Any, t: Any, _worker: Id, job: Id, number: Id) -> None:
    t.record[job, number] = Record.PENDING


def never_begin(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.require(False)


MATRIX = Matrix(
    {
        "a new evaluation does not wait for its job": Deviation(
            (one_evaluation_of_a_job_is_out,),
            changed=also(request_evaluation, put_first),
            sizes=CROWDED,
        ),
        "an ack leaves those behind the job where they are": Deviation(
            (nothing_waits_behind_a_free_job, superseded_evaluations_are_out),
            changed=also(ack, free_nobody),
            sizes=CROWDED,
        ),
        "a token outlives its timer": Deviation(
            (deliveries_have_one_holder,),
            changed=also(expire_delivery, leave_token),
            sizes={**ALONE, "evals": 2, "timeouts": 1},
        ),
        "a nack does not look at its token": Deviation(
            (stale_token_changes_nothing,),
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
            (urgent_evaluations_go_first,),
            changed=reword(dequeue, take_any),
            sizes={**ALONE, "jobs": 2, "evals": 1, "urgency": 1},
        ),
        "an old evaluation goes before newer ones": Deviation(
            (newest_evaluation_goes_next,),
            OLDEST_FIRST.id,
            sizes={**ALONE, "evals": 3, "requests": 2, "urgency": 1},
        ),
        "an outcome leaves the evaluation pending": Deviation(
            (no_acked_evaluation_is_lost,),
            changed=also(write_outcome, call_it_pending),
            sizes={**ALONE, "evals": 2},
        ),
        "workers never begin": Deviation(
            (deliveries_end,), changed=reword(begin, never_begin), sizes={**ALONE, "evals": 2}
        ),
        "the reaper is gone after a pause": Deviation(
            (given_up_evaluations_are_reaped,), FORGOTTEN_REAPER.id, sizes={**ERRING, "pauses": 1}
        ),
        "an entry that cancels fails": Deviation(
            (superseded_evaluations_are_canceled,), FORGOTTEN_BATCH.id, sizes={**CROWDED, "failed_entries": 1}
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
