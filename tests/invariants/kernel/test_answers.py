from nomadspec.invariants.kernel.answers import (
    a_plan_has_only_a_node_to_close,
    answered_plans_are_forgotten,
    answers_say_what_was_refused,
    nodes_refused_too_often_are_closed,
    only_the_answered_wait_for_news,
    plans_are_judged_by_one_snapshot,
    plans_that_name_the_unknown_are_errors,
    progress_begins_the_count_anew,
    refusals_are_forgotten,
    states_before_an_entry_are_not_planned_by,
    who_is_refused_waits_for_what_refused_it,
    who_waits_in_vain_is_told,
)
from nomadspec.model.domain import NONE
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.pipeline import commit, evaluate, miss_refresh
from nomadspec.model.kernel.state import Stage
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, find_witness, loosen, spoil

PIPELINE = {**ALONE, "depth": 1}
CONTENDED = {"evals": 1, "spares": 1, "endings": 0, "depth": 1, "strikes": 1}
LOST = {**ALONE, "node_changes": 1}

MATRIX = Matrix(
    {
        "a placement is left of a plan": Deviation(
            (answered_plans_are_forgotten,), changed=spoil(apply_plan, "plan_to", 0, "worker", 0), sizes=ALONE
        ),
        "a worker waits for a state that is there": Deviation(
            (who_is_refused_waits_for_what_refused_it,),
            changed=spoil(evaluate, "awaits", True, "worker"),
            sizes={**PIPELINE, "node_changes": 1},
        ),
        "a plan that names nothing wrong is an error": Deviation(
            (plans_that_name_the_unknown_are_errors,),
            changed=spoil(evaluate, "stage", Stage.FAILING, "worker"),
            sizes=PIPELINE,
        ),
        "a placement that fits is not kept": Deviation(
            (plans_are_judged_by_one_snapshot,),
            changed=spoil(evaluate, "plan_to", NONE, "worker", 0),
            sizes=PIPELINE,
        ),
        "a server serves what is older than an entry": Deviation(
            (states_before_an_entry_are_not_planned_by,),
            changed=spoil(apply_plan, "old_usable", True, 0, "job"),
            sizes={**ALONE, "evals": 2, "lag": 1},
        ),
        "a server is behind though nothing was written": Deviation(
            (states_before_an_entry_are_not_planned_by,),
            changed=spoil(apply_plan, "old_usable", False, 0, "job"),
            sizes={**LOST, "evals": 2, "lag": 1},
        ),
        "a node that was refused too often stays open": Deviation(
            (nodes_refused_too_often_are_closed,),
            changed=spoil(apply_plan, "eligible", True, 0),
            sizes={**LOST, "strikes": 1},
        ),
        "nobody is told to close a node": Deviation(
            (nodes_refused_too_often_are_closed,),
            changed=spoil(evaluate, "plan_marks", False, "worker", 0),
            sizes={**LOST, "depth": 1, "strikes": 1},
        ),
        "an attempt of which an entry was written counts": Deviation(
            (progress_begins_the_count_anew,),
            changed=spoil(commit, "tries", 1, 0),
            sizes={**ALONE, "nodes": 2, "count": 2, "depth": 1, "node_changes": 1},
        ),
        "a plan that was placed in part counts as in vain": Deviation(
            (progress_begins_the_count_anew,),
            changed=spoil(apply_plan, "tries", 1, "worker"),
            sizes={**LOST, "nodes": 2, "count": 2, "spares": 4},
        ),
        "a refused plan is answered as done": Deviation(
            (answers_say_what_was_refused,),
            changed=spoil(apply_plan, "stage", Stage.DECIDED, "worker"),
            sizes={**LOST, "updates": 1},
        ),
        "who is to hear of an entry waits for another state": Deviation(
            (only_the_answered_wait_for_news,),
            changed=spoil(evaluate, "awaits", True, "worker"),
            sizes={**ALONE, "depth": 1},
        ),
        "who waits for nothing gets an error": Deviation(
            (who_waits_in_vain_is_told,),
            changed=loosen(miss_refresh, 1),
            sizes={**LOST, "depth": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_a_plan_may_have_only_a_node_to_close() -> None:
    assert find_witness(a_plan_has_only_a_node_to_close, **CONTENDED, nodes=2) is not None


def test_a_plan_that_is_kept_closes_no_node() -> None:
    assert find_witness(a_plan_has_only_a_node_to_close, **PIPELINE, strikes=1) is None


def test_refusals_may_be_forgotten() -> None:
    assert find_witness(refusals_are_forgotten, **CONTENDED, nodes=1) is not None


def test_nothing_is_forgotten_where_nobody_counts() -> None:
    assert find_witness(refusals_are_forgotten, **PIPELINE) is None
