from typing import Any

from nomadspec.invariants.kernel.leader import nothing_is_judged_without_a_leader
from nomadspec.invariants.kernel.pipeline import (
    allocs_in_flight_are_not_made_yet,
    applier_holds_one_judged_plan,
    applier_snapshot_is_not_oversubscribed,
    applier_snapshot_knows_only_evals_that_were_made,
    applier_snapshot_shows_allocs_on_their_node,
    applier_snapshot_shows_entries_in_flight,
    applier_snapshot_shows_remaining_allocs,
    coming_placements_take_no_room_yet,
    committed_entries_were_in_the_applier_snapshot,
    dropped_snapshots_are_forgotten,
    ended_entries_are_forgotten,
    entries_in_flight_are_queued_once,
    entries_in_flight_have_an_applier_snapshot,
    entries_make_allocations_of_their_own,
    entries_match_the_plan_of_their_worker,
    entries_number_their_placements,
    followed_entries_have_room,
    judged_plan_has_an_applier_snapshot,
    late_committed_entries_have_room,
    no_entry_commits_after_a_failed_one,
    no_plan_is_newer_without_a_pipeline,
    one_entry_of_a_job_is_in_flight,
    plan_answers_reach_a_waiting_worker,
    plans_in_hand_fit_the_snapshot,
    plans_stop_allocs_where_the_applier_sees_them,
)
from nomadspec.model.kernel.leader import lose_leader
from nomadspec.model.kernel.pipeline import (
    commit,
    dispatch,
    evaluate,
    notice_completion,
)
from nomadspec.model.kernel.statuses import AllocPhase, Stage
from nomadspec.model.kernel.worker import begin, plan, submit
from nomadspec.model.language.domain import NONE, Id
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    loosen,
    spoil,
)

ALONE_APPLIER = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2, "depth": 1}


def lose_line(_s: Any, t: Any, _worker: Id, _job: Id, entry_id: Id) -> None:
    t.in_flight.remove(entry_id)


PAIR = {**ALONE_APPLIER, "jobs": 2, "workers": 2}


def judge_oneself(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.JUDGED


def go_on(_s: Any, t: Any, worker: Id, _job: Id, _flight: Id) -> None:
    t.stage[worker] = Stage.DECIDED


PIPELINE = {**ALONE, "evals": 2, "depth": 1}


def keep_entry(s: Any, t: Any, entry_id: Id, _job: Id) -> None:
    t.entry[entry_id].job = s.entry[entry_id].job


def forget_evaluations(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.snapshot.knows = False


def give_no_number(s: Any, t: Any, _worker: Id, job: Id, _flight: Id) -> None:
    t.alloc_made[job] = s.alloc_made[job]


PIPELINE_ENTRIES = {**ALONE, "depth": 1}


PIPELINE_PIPELINES = {**ALONE, "depth": 1}


TWO_ENTRIES = {
    "nodes": 1,
    "depth": 2,
    "cap": 2,
    "evals": 1,
    "allocations": 1,
    "attempts": 1,
    "deliveries": 1,
    "endings": 0,
}


LEADERLESS = {**PIPELINE_PIPELINES, "elections": 1}


def keep_a_snapshot(_s: Any, t: Any) -> None:
    t.has_snap = True


def fill_the_store(_s: Any, t: Any, *_arguments: Id) -> None:
    t.occupies = 0


def drop_the_snapshot(_s: Any, t: Any, *_arguments: Id) -> None:
    t.has_snap = False


def show_nothing(_s: Any, t: Any, *_arguments: Id) -> None:
    t.snapshot.occupies = NONE


def show_the_other_node(_s: Any, t: Any, *_arguments: Id) -> None:
    t.snapshot.occupies = 1


def show_a_full_node(_s: Any, t: Any, *_arguments: Id) -> None:
    t.snapshot.occupies = 0


MATRIX = Matrix(
    {
        "an entry leaves out what its plan places": Deviation(
            (entries_match_the_plan_of_their_worker,),
            changed=spoil(dispatch, "entry.to", NONE, "entry_id", 0),
            sizes=ALONE_APPLIER,
        ),
        "an entry is in no line": Deviation(
            (entries_in_flight_are_queued_once,), changed=also(dispatch, lose_line), sizes=ALONE_APPLIER
        ),
        "workers judge their own plans": Deviation(
            (applier_holds_one_judged_plan,), changed=also(submit, judge_oneself), sizes=PAIR
        ),
        "a worker goes on before its entry is committed": Deviation(
            (plan_answers_reach_a_waiting_worker,), changed=also(dispatch, go_on), sizes=ALONE_APPLIER
        ),
        "an entry stays after its commit": Deviation(
            (ended_entries_are_forgotten,), changed=also(commit, keep_entry), sizes=PIPELINE
        ),
        "a plan is judged by a snapshot without its evaluation": Deviation(
            (judged_plan_has_an_applier_snapshot,),
            changed=also(evaluate, forget_evaluations),
            sizes={**ALONE, "depth": 1},
        ),
        "an entry takes a number that is not given out": Deviation(
            (entries_make_allocations_of_their_own,),
            changed=also(dispatch, give_no_number),
            sizes={**ALONE, "depth": 1},
        ),
        "a node stays in a snapshot that is dropped": Deviation(
            (dropped_snapshots_are_forgotten,),
            changed=spoil(notice_completion, "snapshot.node_up", True, 0),
            sizes=PIPELINE_ENTRIES,
        ),
        "a snapshot knows an evaluation before it is made": Deviation(
            (applier_snapshot_knows_only_evals_that_were_made,),
            changed=spoil(evaluate, "snapshot.knows", True, "job", 1),
            sizes={**ALONE, "evals": 2, "depth": 1},
        ),
        "a plan is judged and the snapshot forgotten": Deviation(
            (judged_plan_has_an_applier_snapshot,),
            changed=spoil(evaluate, "has_snap", False),
            sizes=PIPELINE_ENTRIES,
        ),
        "a placement has no number": Deviation(
            (entries_number_their_placements,),
            changed=spoil(dispatch, "entry.alloc", NONE, "entry_id", 0),
            sizes=PIPELINE_ENTRIES,
        ),
        "a snapshot outlives its leader": Deviation(
            (nothing_is_judged_without_a_leader,),
            changed=also(lose_leader, keep_a_snapshot),
            sizes=LEADERLESS,
        ),
        "the store fills while an entry is in flight": Deviation(
            (late_committed_entries_have_room,), changed=also(lose_leader, fill_the_store), sizes=LEADERLESS
        ),
        "the store fills while two entries are in flight": Deviation(
            (followed_entries_have_room,),
            changed=also(dispatch, fill_the_store),
            sizes={**TWO_ENTRIES, "allocations": 2},
        ),
        "the snapshot is dropped too early": Deviation(
            (entries_in_flight_have_an_applier_snapshot,),
            changed=also(dispatch, drop_the_snapshot),
            sizes=PIPELINE_PIPELINES,
        ),
        "the snapshot does not show what is handed out": Deviation(
            (applier_snapshot_shows_entries_in_flight, committed_entries_were_in_the_applier_snapshot),
            changed=also(dispatch, show_nothing),
            sizes=PIPELINE_PIPELINES,
        ),
        "the snapshot forgets what was committed": Deviation(
            (applier_snapshot_shows_remaining_allocs,),
            changed=also(commit, show_nothing),
            sizes=PIPELINE_PIPELINES,
        ),
        "the snapshot shows more than there is room for": Deviation(
            (applier_snapshot_is_not_oversubscribed, plans_in_hand_fit_the_snapshot),
            changed=also(evaluate, show_a_full_node),
            sizes=PIPELINE_PIPELINES,
        ),
        "room is taken by an allocation that is not made": Deviation(
            (coming_placements_take_no_room_yet,), changed=spoil(begin, "occupies", 0, "job", 1), sizes=ALONE
        ),
        "an entry makes what is there already": Deviation(
            (allocs_in_flight_are_not_made_yet,),
            changed=spoil(dispatch, "alloc_phase", AllocPhase.STOPPED, "job", 0),
            sizes=PIPELINE_PIPELINES,
        ),
        "the snapshot shows an allocation on another node": Deviation(
            (applier_snapshot_shows_allocs_on_their_node,),
            changed=also(dispatch, show_the_other_node),
            sizes={**PIPELINE_PIPELINES, "nodes": 2},
        ),
        "a plan stops an allocation on another node": Deviation(
            (plans_stop_allocs_where_the_applier_sees_them,),
            changed=spoil(plan, "plan.stops", 1, "worker", 0),
            sizes={**PIPELINE_PIPELINES, "nodes": 2, "updates": 1},
        ),
        "an entry is committed behind one that failed": Deviation(
            (no_entry_commits_after_a_failed_one,),
            changed=loosen(commit, 2),
            sizes={**TWO_ENTRIES, "failed_entries": 1},
        ),
        "an entry names another job": Deviation(
            (one_entry_of_a_job_is_in_flight,),
            changed=spoil(dispatch, "entry.job", 0, "entry_id"),
            sizes=TWO_ENTRIES,
        ),
        "a plan is newer than a snapshot that nobody has": Deviation(
            (no_plan_is_newer_without_a_pipeline,),
            changed=spoil(begin, "is_newer", True, "worker"),
            sizes=ALONE,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
