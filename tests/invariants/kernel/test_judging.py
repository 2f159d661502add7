from nomadspec.invariants.kernel.judging import (
    attempts_are_used_up_one_by_one,
    instances_take_the_room_that_was_planned,
    judged_plans_keep_what_stands,
    judged_updates_stay_where_they_are,
    placements_are_numbered_in_turn,
    plans_are_committed_as_they_are,
    plans_that_name_the_deleted_are_errors,
    refusals_are_counted,
    updates_are_made_in_place,
    updates_are_not_left_out,
    victims_are_stopped,
    victims_make_way,
    what_fits_is_not_refused,
)
from nomadspec.model.kernel.applier import apply_plan, forget_refusals
from nomadspec.model.kernel.pipeline import evaluate
from nomadspec.model.kernel.state import AllocPhase, Stage
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

LOST = {**ALONE, "node_changes": 1}
TWO = {**ALONE, "count": 2, "cap": 2}
GROWING = {**ALONE, "amends": 1, "growth": 1}

MATRIX = Matrix(
    {
        "a sound plan is an error": Deviation(
            (plans_that_name_the_deleted_are_errors,),
            changed=spoil(apply_plan, "stage", Stage.FAILING, "worker"),
            sizes=ALONE,
        ),
        "what fits is not placed": Deviation(
            (what_fits_is_not_refused,),
            changed=spoil(apply_plan, "alloc_phase", AllocPhase.ABSENT, "job", 0),
            sizes=ALONE,
        ),
        "half of what a node is to get is placed": Deviation(
            (plans_are_committed_as_they_are,),
            changed=spoil(apply_plan, "alloc_phase", AllocPhase.ABSENT, "job", 1),
            sizes=TWO,
        ),
        "what is stopped has failed": Deviation(
            (victims_are_stopped,),
            changed=spoil(apply_plan, "alloc_phase", AllocPhase.FAILED, "job", 0),
            sizes={**ALONE, "stops": 1},
        ),
        "an instance takes more than it needs": Deviation(
            (instances_take_the_room_that_was_planned,),
            changed=spoil(apply_plan, "extra_at", 0, "job", 0, 0),
            sizes=GROWING,
        ),
        "a plan gives a version to what is not there": Deviation(
            (updates_are_made_in_place,),
            changed=spoil(apply_plan, "alloc_version", 1, "job", 1),
            sizes={**ALONE, "updates": 1},
        ),
        "an update in place is left out": Deviation(
            (updates_are_not_left_out,),
            changed=spoil(apply_plan, "alloc_version", 0, "job", 0),
            sizes={**GROWING, "updates": 1},
        ),
        "who has an attempt left gives up": Deviation(
            (attempts_are_used_up_one_by_one,),
            changed=spoil(apply_plan, "stage", Stage.EXHAUSTED, "worker"),
            sizes=ALONE,
        ),
        "a stop of what is over is left out": Deviation(
            (judged_plans_keep_what_stands,),
            changed=spoil(evaluate, "plan_stops", False, "worker", 0),
            sizes={**ALONE, "depth": 1, "stops": 1, "reports": 1},
        ),
        "a refusal is not counted": Deviation(
            (refusals_are_counted,),
            changed=spoil(apply_plan, "refused", 0, 0),
            sizes={**LOST, "strikes": 2},
        ),
        "a refusal is not forgotten": Deviation(
            (refusals_are_counted,),
            changed=spoil(forget_refusals, "refused", 1, "node"),
            sizes={**LOST, "strikes": 2},
        ),
        "a judged plan updates what it did not name": Deviation(
            (judged_updates_stay_where_they_are,),
            changed=spoil(evaluate, "plan_keeps", 0, "worker", 0, 0),
            sizes={**ALONE, "depth": 1, "amends": 1},
        ),
        "a judged plan is for the next version": Deviation(
            (judged_plans_keep_what_stands,),
            changed=spoil(evaluate, "plan_version", 1, "worker"),
            sizes={**ALONE, "depth": 1, "updates": 1},
        ),
        "an applied plan leaves out a number": Deviation(
            (placements_are_numbered_in_turn,),
            changed=spoil(apply_plan, "alloc_made", 2, "job"),
            sizes=ALONE,
        ),
        "who is driven out stays": Deviation(
            (victims_make_way,),
            changed=spoil(apply_plan, "occupies", 0, 0, 0),
            sizes={**ALONE, "jobs": 2, "workers": 2, "spares": 1, "urgency": 1, "preempting": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
