from nomadspec.invariants.kernel.movers import (
    allocations_are_written_by_who_may,
    deployments_are_written_by_who_may,
    each_step_of_a_worker_leads_on,
    entries_go_from_step_to_step,
    evaluations_are_moved_by_who_may,
    records_are_written_by_who_may,
    steps_are_of_the_delivery,
    the_blocked_are_woken_for_a_reason,
    workers_go_from_step_to_step,
    workers_keep_to_themselves,
)
from nomadspec.model.kernel.broker import dequeue
from nomadspec.model.kernel.deployments import draft_rollout
from nomadspec.model.kernel.pipeline import collect
from nomadspec.model.kernel.state import AllocPhase, Flight, Place, Record, Rollout, Stage, Tracking
from nomadspec.model.kernel.worker import ack, begin
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

MATRIX = Matrix(
    {
        "an ack fails its evaluation": Deviation(
            (records_are_written_by_who_may,),
            changed=spoil(ack, "record", Record.FAILED, "job", "number"),
            sizes=ALONE,
        ),
        "a snapshot sends an evaluation back": Deviation(
            (evaluations_are_moved_by_who_may,),
            changed=spoil(begin, "place", Place.NACKED, "job", 0),
            sizes=ALONE,
        ),
        "what is delivered is tracked": Deviation(
            (the_blocked_are_woken_for_a_reason,),
            changed=spoil(dequeue, "tracking", Tracking.CAPTURED, "job", "number"),
            sizes=ALONE,
        ),
        "an ack stops an allocation": Deviation(
            (allocations_are_written_by_who_may,),
            changed=spoil(ack, "alloc_phase", AllocPhase.STOPPED, "job", 0),
            sizes=ALONE,
        ),
        "who reads a deployment pauses it": Deviation(
            (deployments_are_written_by_who_may,),
            changed=spoil(draft_rollout, "rollout", Rollout.PAUSED, "job"),
            sizes={**ALONE, "rollouts": 1},
        ),
        "a worker has a plan before it plans": Deviation(
            (workers_go_from_step_to_step,),
            changed=spoil(begin, "stage", Stage.PLANNED, "worker"),
            sizes=ALONE,
        ),
        "an entry that was committed fails when it is seen": Deviation(
            (entries_go_from_step_to_step,),
            changed=spoil(collect, "flight", Flight.CRASHED, "flight"),
            sizes={**ALONE, "depth": 1},
        ),
        "a worker wakes another one": Deviation(
            (workers_keep_to_themselves,),
            changed=spoil(begin, "stage", Stage.TAKEN, 1),
            sizes={**ALONE, "workers": 2},
        ),
        "a worker begins and begins": Deviation(
            (each_step_of_a_worker_leads_on,),
            changed=spoil(begin, "stage", Stage.TAKEN, "worker"),
            sizes=ALONE,
        ),
        "a worker acks another evaluation": Deviation(
            (steps_are_of_the_delivery,), changed=loosen(ack, 2), sizes=ALONE
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
