from nomadspec.invariants.kernel.ends import (
    appliers_wait_only_when_they_must,
    ends_say_what_was_written,
    failures_are_seen_last,
    nothing_is_built_on_what_failed,
    overtaken_snapshots_are_known,
    plans_are_judged_one_at_a_time,
    what_was_seen_since_the_last_plan_is_news,
)
from nomadspec.model.kernel.pipeline import await_completion, collect, commit, evaluate
from nomadspec.model.kernel.state import Flight
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

PIPELINE = {**ALONE, "depth": 1}
PAIR = {"jobs": 2, "nodes": 1, "workers": 2, "spares": 1, "evals": 1, "depth": 1}

MATRIX = Matrix(
    {
        "a plan is judged while another is in hand": Deviation(
            (plans_are_judged_one_at_a_time,), changed=loosen(evaluate, 1), sizes=PAIR
        ),
        "a plan is judged on top of an entry that failed": Deviation(
            (nothing_is_built_on_what_failed,),
            changed=loosen(evaluate, 5),
            sizes={**PIPELINE, "failed_entries": 1},
        ),
        "a failure is seen before what was built on it has failed": Deviation(
            (failures_are_seen_last,),
            changed=loosen(collect, 2),
            sizes={**PAIR, "depth": 2, "cap": 2, "failed_entries": 1},
        ),
        "the applier waits for an end with no plan in hand": Deviation(
            (appliers_wait_only_when_they_must,), changed=loosen(await_completion, 1), sizes=PIPELINE
        ),
        "what was seen before the last plan is news": Deviation(
            (what_was_seen_since_the_last_plan_is_news,),
            changed=spoil(evaluate, "has_news", True),
            sizes=PIPELINE,
        ),
        "what shows all that was handed out is old": Deviation(
            (overtaken_snapshots_are_known,), changed=spoil(commit, "is_outrun", True), sizes=PIPELINE
        ),
        "what was written has failed": Deviation(
            (ends_say_what_was_written,),
            changed=spoil(commit, "flight", Flight.CRASHED, "flight"),
            sizes=PIPELINE,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
