from nomadspec.invariants.kernel.planning import (
    attempts_begin_without_a_plan,
    deliveries_begin_afresh,
    later_snapshots_show_the_whole_state,
    newer_snapshots_are_known,
    only_the_short_are_blocked_again,
    only_usable_servers_are_planned_by,
    outcomes_are_written_under_a_token,
    plans_fit_their_snapshot,
    plans_keep_what_is_wanted,
    plans_place_on_usable_nodes,
    plans_place_what_is_missing,
    plans_stop_what_has_to_go,
    plans_that_change_something_are_submitted,
    snapshots_show_room_and_what_is_away,
    submitted_plans_are_queued,
    system_jobs_wait_for_what_is_left_out,
    updates_are_planned_in_place,
    victims_are_chosen,
    victims_are_named_in_full,
    victims_make_room,
    what_is_away_is_given_a_time,
    what_is_not_placed_is_blocked,
    what_is_not_planned_is_answered,
    what_lives_is_called_unknown,
    who_gives_up_spares_what_has_ended,
)
from nomadspec.model.domain import NONE
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.disconnects import mark_unknown
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Record, Stage
from nomadspec.model.kernel.worker import (
    ack,
    begin,
    begin_behind,
    block,
    block_at,
    err,
    plan,
    refresh,
    submit,
    write_outcome,
)
from nomadspec.model.quirks import OVERWRITTEN_END
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

FULL = {**ALONE, "cap": 0, "evals": 3}
LOST = {**ALONE, "node_changes": 1}
SILENT = {**ALONE, "evals": 4, "silences": 1}

MATRIX = Matrix(
    {
        "a worker remembers that something was blocked": Deviation(
            (deliveries_begin_afresh,), changed=spoil(ack, "made_blocked", True, "worker"), sizes=ALONE
        ),
        "an answer leaves something of the plan": Deviation(
            (attempts_begin_without_a_plan,),
            changed=spoil(apply_plan, "is_partial", True, "worker"),
            sizes=ALONE,
        ),
        "who looks again sees the job stopped": Deviation(
            (later_snapshots_show_the_whole_state,),
            changed=spoil(refresh, "seen_phase", JobPhase.STOPPED, "worker"),
            sizes=LOST,
        ),
        "a snapshot shows an allocation complete that is not there": Deviation(
            (snapshots_show_room_and_what_is_away,),
            changed=spoil(begin, "seen_away", 3, "worker", 0),
            sizes=ALONE,
        ),
        "a snapshot shows nothing of what is complete": Deviation(
            (snapshots_show_room_and_what_is_away,),
            changed=spoil(begin, "seen_away", 0, "worker"),
            sizes={**ALONE, "evals": 3, "reports": 1, "kinds": 1, "occasions": 1},
        ),
        "every snapshot counts as newer": Deviation(
            (newer_snapshots_are_known,),
            changed=spoil(begin, "is_newer", True, "worker"),
            sizes=ALONE,
        ),
        "a server behind has always missed something": Deviation(
            (only_usable_servers_are_planned_by,),
            changed=spoil(begin_behind, "unseen", True, "worker"),
            sizes={**ALONE, "lag": 1},
        ),
        "a plan places where it may not": Deviation(
            (plans_place_on_usable_nodes,), changed=loosen(plan, 5), sizes=LOST
        ),
        "a plan places where there is no room": Deviation(
            (plans_fit_their_snapshot,), changed=loosen(plan, 5), sizes=FULL
        ),
        "a plan is always short": Deviation(
            (plans_place_what_is_missing,),
            changed=spoil(plan, "is_short", True, "worker"),
            sizes=ALONE,
        ),
        "a plan stops what is not there": Deviation(
            (plans_stop_what_has_to_go,),
            changed=spoil(plan, "plan_stops", True, "worker", 0),
            sizes=ALONE,
        ),
        "a plan is for the next version": Deviation(
            (updates_are_planned_in_place,),
            changed=spoil(plan, "plan_version", 1, "worker"),
            sizes={**ALONE, "updates": 1},
        ),
        "a plan that changes something is not submitted": Deviation(
            (plans_that_change_something_are_submitted,),
            changed=spoil(plan, "stage", Stage.DECIDED, "worker"),
            sizes=ALONE,
        ),
        "a plan drives out what it has not chosen": Deviation(
            (victims_are_chosen, victims_are_named_in_full),
            changed=spoil(plan, "plan_victim", 0, "worker"),
            sizes=ALONE,
        ),
        "who has made a blocked evaluation makes another": Deviation(
            (what_is_not_placed_is_blocked,),
            changed=spoil(block, "made_blocked", False, "worker"),
            sizes=FULL,
        ),
        "a system job waits for a node that it is barred from": Deviation(
            (system_jobs_wait_for_what_is_left_out,),
            changed=loosen(block_at, 7),
            sizes={**ALONE, "nodes": 2, "count": 2, "cap": 0, "evals": 3, "kinds": 2, "bars": 1},
        ),
        "a plan is queued and its worker fails": Deviation(
            (submitted_plans_are_queued,),
            changed=spoil(submit, "stage", Stage.FAILING, "worker"),
            sizes=ALONE,
        ),
        "an outcome is not written": Deviation(
            (outcomes_are_written_under_a_token,),
            changed=spoil(write_outcome, "record", Record.PENDING, "job", "number"),
            sizes=ALONE,
        ),
        "what is placed is blocked again": Deviation(
            (only_the_short_are_blocked_again,),
            changed=spoil(write_outcome, "arriving", 1, "job", "number"),
            sizes=ALONE,
        ),
        "who has failed still sees the job": Deviation(
            (what_is_not_planned_is_answered,),
            changed=spoil(err, "seen_phase", JobPhase.WANTED, "worker"),
            sizes={**ALONE, "errors": 1},
        ),
        "who has failed keeps its plan": Deviation(
            (what_is_not_planned_is_answered,),
            changed=spoil(err, "plan_to", lambda s, worker: s.plan_to[worker, 0], "worker", 0),
            sizes={**ALONE, "errors": 1},
        ),
        "what is away waits for the evaluation that found it so": Deviation(
            (what_is_away_is_given_a_time,),
            changed=spoil(mark_unknown, "deadline", 0, "job", "alloc"),
            sizes=SILENT,
        ),
        "what is out of reach counts as running": Deviation(
            (what_lives_is_called_unknown,),
            changed=spoil(mark_unknown, "alloc_phase", AllocPhase.LIVE, "job", "alloc"),
            sizes=SILENT,
        ),
        "who gives up overwrites what a purge has written": Deviation(
            (who_gives_up_spares_what_has_ended,),
            OVERWRITTEN_END.id,
            sizes={**ALONE, "evals": 3, "purges": 1, "attempts": 1, "node_changes": 1},
        ),
        "a plan stops what may stay": Deviation(
            (plans_keep_what_is_wanted,),
            changed=spoil(
                plan, "plan_stops", lambda s, w, j, _: s.seen_occupies[w, j, 0] != NONE, "worker", 0
            ),
            sizes={**ALONE, "requests": 1},
        ),
        "who is driven out makes room for nothing": Deviation(
            (victims_make_room,),
            changed=spoil(plan_preemption, "plan_to", NONE, "worker", 0),
            sizes={**ALONE, "jobs": 2, "workers": 2, "spares": 1, "urgency": 1, "preempting": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
