from nomadspec.invariants.kernel.offers import (
    acked_evaluations_leave_the_broker,
    deliveries_begin_with_a_token,
    evaluations_are_made_for_jobs,
    evaluations_say_what_they_are_for,
    new_evaluations_are_offered,
    only_idle_workers_take,
    what_an_evaluation_is_for_stays,
    what_falls_due_is_late,
    what_is_given_back_is_delivered_again,
    what_is_given_up_is_failed,
    what_is_to_be_canceled_is_canceled,
)
from nomadspec.model.kernel.blocked import cancel_duplicate
from nomadspec.model.kernel.broker import (
    cancel_superseded,
    dequeue,
    end_wait,
    reap_failed,
    request_evaluation,
)
from nomadspec.model.kernel.jobs import update_job
from nomadspec.model.kernel.state import Cause, Place, Record
from nomadspec.model.kernel.worker import ack, begin, nack
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

MATRIX = Matrix(
    {
        "an update makes a follow-up": Deviation(
            (evaluations_say_what_they_are_for,),
            changed=spoil(update_job, "cause", Cause.FOLLOW_UP, "job", 1),
            sizes={**ALONE, "updates": 1},
        ),
        "a delivery changes what an evaluation is for": Deviation(
            (what_an_evaluation_is_for_stays,),
            changed=spoil(dequeue, "cause", Cause.FOLLOW_UP, "job", "number"),
            sizes=ALONE,
        ),
        "an update has to wait": Deviation(
            (new_evaluations_are_offered,),
            changed=spoil(update_job, "place", Place.WAITING, "job", 1),
            sizes={**ALONE, "updates": 1},
        ),
        "a worker gets no token": Deviation(
            (deliveries_begin_with_a_token,),
            changed=spoil(dequeue, "holds", False, "worker"),
            sizes=ALONE,
        ),
        "what is given back is gone": Deviation(
            (what_is_given_back_is_delivered_again,),
            changed=spoil(nack, "place", Place.OUT, "job", "number"),
            sizes={**ALONE, "errors": 1},
        ),
        "what is acked is ready again": Deviation(
            (acked_evaluations_leave_the_broker,),
            changed=spoil(ack, "place", Place.READY, "job", "number"),
            sizes=ALONE,
        ),
        "what falls due waits once more": Deviation(
            (what_falls_due_is_late,),
            changed=spoil(end_wait, "place", Place.NACKED, "job", "number"),
            sizes={**ALONE, "evals": 3, "deliveries": 1, "errors": 1},
        ),
        "what is given up is complete": Deviation(
            (what_is_given_up_is_failed,),
            changed=spoil(reap_failed, "record", Record.COMPLETE, "job", "number"),
            sizes={**ALONE, "deliveries": 1, "errors": 1},
        ),
        "what is superseded stays on its list": Deviation(
            (what_is_to_be_canceled_is_canceled,),
            changed=spoil(cancel_superseded, "superseded", True, "job", "number"),
            sizes={**ALONE, "evals": 4, "occasions": 3},
        ),
        "an operator has a job evaluated that is gone": Deviation(
            (evaluations_are_made_for_jobs,),
            changed=loosen(request_evaluation, 2),
            sizes={**ALONE, "evals": 3, "purges": 1, "requests": 1},
        ),
        "a worker takes another evaluation while it has one": Deviation(
            (only_idle_workers_take,), changed=spoil(begin, "number", 1, "worker"), sizes=ALONE
        ),
        "what is on no list is taken off it": Deviation(
            (what_is_to_be_canceled_is_canceled,), changed=loosen(cancel_duplicate, 0), sizes=ALONE
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
