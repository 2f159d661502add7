from nomadspec.invariants.kernel.blocked import (
    arriving_evals_have_the_first_turns,
    arriving_evals_have_turns_of_their_own,
    arriving_evals_were_made,
    evals_in_hand_do_not_arrive,
    nothing_arrives_while_blocked_evals_are_off,
    tracked_evals_are_escaped_as_their_jobs,
)
from nomadspec.model.kernel.blocked import track_blocked
from nomadspec.model.kernel.leader import lose_leader
from nomadspec.model.kernel.statuses import BlockedIn
from nomadspec.model.kernel.worker import begin, block
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

FULL = {**ALONE, "cap": 0, "evals": 3}

MATRIX = Matrix(
    {
        "a blocked evaluation has a later turn": Deviation(
            (arriving_evals_have_the_first_turns,), changed=spoil(block, "arriving", 2, "job", 1), sizes=FULL
        ),
        "another evaluation arrives at once": Deviation(
            (arriving_evals_have_turns_of_their_own, evals_in_hand_do_not_arrive),
            changed=spoil(block, "arriving", 1, "job", 0),
            sizes=FULL,
        ),
        "what was not made arrives": Deviation(
            (arriving_evals_were_made,), changed=spoil(begin, "arriving", 1, "job", 2), sizes=FULL
        ),
        "an evaluation arrives while the leader is lost": Deviation(
            (nothing_arrives_while_blocked_evals_are_off,),
            changed=spoil(lose_leader, "arriving", 1, 0, 0),
            sizes={**FULL, "elections": 1},
        ),
        "what no class answers for is captured": Deviation(
            (tracked_evals_are_escaped_as_their_jobs,),
            changed=spoil(track_blocked, "blocked_in", BlockedIn.CAPTURED, "job", "number"),
            sizes={**FULL, "escapes": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
