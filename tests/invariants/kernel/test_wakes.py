from nomadspec.invariants.kernel.wakes import (
    evaluations_are_tracked_as_their_job_is,
    only_failed_plans_are_retried,
    only_unblocks_are_noted,
    placed_jobs_are_untracked,
    the_displaced_are_duplicates,
    the_tracker_is_given_what_is_blocked,
    the_tracker_takes_turns,
    the_unblocked_are_offered,
    unblocks_are_noted_by_who_planned_before,
    what_its_node_wakes_is_under_it_no_more,
)
from nomadspec.model.kernel.blocked import retry_failed_plans, track
from nomadspec.model.kernel.broker import request_evaluation
from nomadspec.model.kernel.nodes import open_node
from nomadspec.model.kernel.state import Place, Tracking
from nomadspec.model.kernel.worker import block, write_outcome
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

FULL = {**ALONE, "cap": 0, "evals": 3}

MATRIX = Matrix(
    {
        "who plans misses an unblock": Deviation(
            (unblocks_are_noted_by_who_planned_before,),
            changed=spoil(open_node, "unseen", False, 0),
            sizes={**ALONE, "evals": 3, "node_changes": 2},
        ),
        "a request counts as an unblock": Deviation(
            (only_unblocks_are_noted,),
            changed=spoil(request_evaluation, "missed", True, "job", 0),
            sizes={**ALONE, "requests": 1},
        ),
        "what is woken is forgotten": Deviation(
            (the_unblocked_are_offered,),
            changed=spoil(open_node, "place", Place.OUT, 0, 1),
            sizes={**FULL, "node_changes": 2},
        ),
        "what is blocked has missed something": Deviation(
            (the_tracker_is_given_what_is_blocked,),
            changed=spoil(block, "missed", True, "job", 1),
            sizes=FULL,
        ),
        "what has classes is escaped": Deviation(
            (evaluations_are_tracked_as_their_job_is,),
            changed=spoil(track, "tracking", Tracking.ESCAPED, "job", "number"),
            sizes=FULL,
        ),
        "what is tracked displaces itself": Deviation(
            (the_displaced_are_duplicates,),
            changed=spoil(track, "duplicate", True, "job", "number"),
            sizes=FULL,
        ),
        "a ticker wakes everything": Deviation(
            (only_failed_plans_are_retried,),
            changed=loosen(retry_failed_plans, 0),
            sizes=FULL,
        ),
        "what is placed stays under its node": Deviation(
            (placed_jobs_are_untracked,),
            changed=spoil(write_outcome, "by_node", True, "job", "number"),
            sizes=ALONE,
        ),
        "what has missed an unblock is forgotten": Deviation(
            (placed_jobs_are_untracked,),
            changed=spoil(write_outcome, "arriving", 0, 0, 1),
            sizes={**ALONE, "evals": 3, "node_changes": 2},
        ),
        "what its node has woken stays under it": Deviation(
            (what_its_node_wakes_is_under_it_no_more,),
            changed=spoil(open_node, "by_node", True, 0, 1),
            sizes={**FULL, "kinds": 2, "node_changes": 2},
        ),
        "the tracker looks at what was given last": Deviation(
            (the_tracker_takes_turns,),
            changed=loosen(track, 1),
            sizes={**FULL, "evals": 4, "requests": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
