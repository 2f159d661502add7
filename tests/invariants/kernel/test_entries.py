from nomadspec.invariants.kernel.entries import (
    appliers_see_one_state,
    dropped_snapshots_are_forgotten,
    ends_are_seen_in_turn,
    entries_answer_who_waits,
    entries_are_written_as_they_are,
    entries_fail_for_a_reason,
    entries_number_what_they_place,
    entries_say_the_whole_plan,
    late_placements_are_owed_an_evaluation,
    snapshots_show_the_room_of_what_is_handed_out,
    snapshots_show_what_is_handed_out,
    the_log_moves_on_with_what_is_written,
    who_judges_has_a_snapshot,
)
from nomadspec.model.domain import NONE
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.leader import pause
from nomadspec.model.kernel.pipeline import collect, commit, dispatch, evaluate, fall
from nomadspec.model.kernel.state import AllocPhase, Lead, Stage
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

PIPELINE = {**ALONE, "depth": 1}

MATRIX = Matrix(
    {
        "the applier takes a node for lost": Deviation(
            (appliers_see_one_state,),
            changed=spoil(evaluate, "snap_up", False, 0),
            sizes=PIPELINE,
        ),
        "a node stays in a snapshot that is dropped": Deviation(
            (dropped_snapshots_are_forgotten,),
            changed=spoil(collect, "snap_up", True, 0),
            sizes=PIPELINE,
        ),
        "the snapshot lacks what is handed out": Deviation(
            (snapshots_show_what_is_handed_out,),
            changed=spoil(dispatch, "snap_occupies", NONE, "job", 0),
            sizes=PIPELINE,
        ),
        "the snapshot shows more than is handed out": Deviation(
            (snapshots_show_the_room_of_what_is_handed_out,),
            changed=spoil(dispatch, "snap_extra", 0, "job", 0, 0),
            sizes={**PIPELINE, "amends": 1, "growth": 1},
        ),
        "an entry has another number": Deviation(
            (entries_say_the_whole_plan,),
            changed=spoil(dispatch, "flight_alloc", 1, "flight", 0),
            sizes=PIPELINE,
        ),
        "an entry makes nothing": Deviation(
            (entries_are_written_as_they_are,),
            changed=spoil(commit, "alloc_phase", AllocPhase.ABSENT, "job", 0),
            sizes=PIPELINE,
        ),
        "every entry owes an evaluation": Deviation(
            (late_placements_are_owed_an_evaluation,),
            changed=spoil(commit, "owed", True, "job"),
            sizes=PIPELINE,
        ),
        "who waits is not answered": Deviation(
            (entries_answer_who_waits,),
            changed=spoil(commit, "stage", Stage.FLYING, 0),
            sizes=PIPELINE,
        ),
        "a snapshot outlives the last entry": Deviation(
            (ends_are_seen_in_turn,), changed=spoil(collect, "has_snap", True), sizes=PIPELINE
        ),
        "an entry fails after none that did": Deviation(
            (entries_fail_for_a_reason,), changed=loosen(fall, 1), sizes=PIPELINE
        ),
        "the log does not move on": Deviation(
            (the_log_moves_on_with_what_is_written,),
            changed=spoil(commit, "snap_lead", Lead.AHEAD),
            sizes=PIPELINE,
        ),
        "a report of an end is no entry": Deviation(
            (the_log_moves_on_with_what_is_written,),
            changed=spoil(report_end, "snap_lead", lambda s, *_: s.snap_lead),
            sizes={**PIPELINE, "evals": 3, "stops": 1},
        ),
        "a pause is no entry": Deviation(
            (the_log_moves_on_with_what_is_written,),
            changed=spoil(pause, "snap_lead", lambda s, *_: s.snap_lead),
            sizes={**PIPELINE, "pauses": 1},
        ),
        "what is handed out leaves a plan newer than the snapshot": Deviation(
            (snapshots_show_what_is_handed_out,),
            changed=spoil(dispatch, "is_newer", True, "worker"),
            sizes=PIPELINE,
        ),
        "who waits for what was written hears of an error": Deviation(
            (entries_answer_who_waits,),
            changed=spoil(commit, "stage", Stage.FAILING, 0),
            sizes=PIPELINE,
        ),
        "a plan is judged and the snapshot forgotten": Deviation(
            (who_judges_has_a_snapshot,),
            changed=spoil(evaluate, "has_snap", False),
            sizes=PIPELINE,
        ),
        "a placement has no number": Deviation(
            (entries_number_what_they_place,),
            changed=spoil(dispatch, "flight_alloc", NONE, "flight", 0),
            sizes=PIPELINE,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
