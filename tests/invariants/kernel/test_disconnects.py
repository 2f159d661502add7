from nomadspec.invariants.kernel.disconnects import (
    attempts_make_one_follow_up,
    marks_are_refused_for_a_reason,
    snapshots_tell_silence_from_loss,
    the_unknown_come_back_or_run_out_of_time,
)
from nomadspec.model.kernel.disconnects import mark_unknown, run_out_of_time
from nomadspec.model.kernel.state import Stage
from nomadspec.model.kernel.worker import begin
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil, unfair

SILENT = {**ALONE, "evals": 4, "silences": 1}

MATRIX = Matrix(
    {
        "a snapshot shows nothing of what is out of reach": Deviation(
            (snapshots_tell_silence_from_loss,),
            changed=spoil(begin, "seen_away", 0, "worker"),
            sizes=SILENT,
        ),
        "what is called unknown on a silent node is refused": Deviation(
            (marks_are_refused_for_a_reason,),
            changed=spoil(mark_unknown, "stage", Stage.REFUSED, "worker"),
            sizes=SILENT,
        ),
        "an attempt forgets the follow-up that it has made": Deviation(
            (attempts_make_one_follow_up,),
            changed=spoil(mark_unknown, "marking", 0, "worker"),
            sizes=SILENT,
        ),
        "time does not run out where no follow-up falls due": Deviation(
            (the_unknown_come_back_or_run_out_of_time,),
            changed=unfair(run_out_of_time),
            sizes={**SILENT, "pauses": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
