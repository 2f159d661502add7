from nomadspec.model.specification.profiles import INTENDED
from tests.model.kernel.playing import PLACED, Play


def make_play(**sizes: int) -> Play:
    """Begin with two jobs, the second of which has a higher priority, and the first of which is placed."""
    play = Play(INTENDED.name, jobs=2, workers=2, priorities=1, preempting=1, **sizes)
    play.cells = next(
        cells
        for cells in play.bounded.initial
        if [0, 1] == [play.bounded.describe(cells)[f"priority[job{job}]"] for job in (1, 2)]
    )
    return play.play("Dequeue(2, 2, 1)", "Dequeue(1, 1, 1)")


def test_a_job_of_a_higher_priority_preempts_another_one_which_is_told() -> None:
    play = make_play().play(*PLACED, "Begin(2, 2)", "PlanPreemption(2, 2, [1], 1, 1)", "Submit(2, 2)")

    assert [True] == play.look("plan.preempted 2 1 1")
    assert ["NONE", "node1", 2] == play.play("ApplyPlan(2, 2)").look("occupies 1 1", "occupies 2 1", "made 1")


def test_a_plan_drives_out_no_more_than_it_needs() -> None:
    play = make_play(cap=2).play(*PLACED, "Begin(2, 2)")

    assert not play.can("PlanPreemption(2, 2, [1], 1, 1)")


def test_no_alloc_is_preempted_by_a_job_of_no_higher_priority() -> None:
    play = make_play().play(
        "Begin(2, 2)", "Plan(2, 2, [1])", "Submit(2, 2)", "ApplyPlan(2, 2)", "Begin(1, 1)"
    )

    assert not play.can("PlanPreemption(1, 1, [1], 2, 1)")


def test_the_pipeline_carries_the_eviction_to_the_store() -> None:
    play = make_play(depth=1)
    play.play(
        "Begin(1, 1)",
        "Plan(1, 1, [1])",
        "Submit(1, 1)",
        "Evaluate(1, 1)",
        "Dispatch(1, 1, 1)",
        "Commit(1, 1)",
    )
    play.play(
        "Begin(2, 2)",
        "PlanPreemption(2, 2, [1], 1, 1)",
        "Submit(2, 2)",
        "NoticeCompletion(1)",
        "Evaluate(2, 2)",
    )
    play.play("Dispatch(2, 2, 1)")

    assert ["NONE", "node1"] == play.look("snapshot.occupies 1 1", "occupies 1 1")
    assert ["NONE", "node1", 2] == play.play("Commit(1, 2)").look("occupies 1 1", "occupies 2 1", "made 1")


TWO = {"count": 2, "cap": 2, "several_preempted": 1}
BOTH_PLACED = ("Begin(1, 1)", "Plan(1, 1, [1, 1])", "Submit(1, 1)")
BOTH_PREEMPTED = ("Begin(2, 2)", "PlanPreemptions(2, 2, [1, 1], 1)", "Submit(2, 2)")


def test_a_plan_preempts_two_allocations_whose_job_is_told_once() -> None:
    play = make_play(**TWO).play(*BOTH_PLACED, "ApplyPlan(1, 1)", *BOTH_PREEMPTED)

    assert [True, True] == play.look("plan.preempted 2 1 1", "plan.preempted 2 1 2")
    assert ["NONE", "NONE", 2] == play.play("ApplyPlan(2, 2)").look("occupies 1 1", "occupies 1 2", "made 1")
    assert ["node1", "node1"] == play.look("occupies 2 1", "occupies 2 2")


def test_a_plan_that_preempts_waits_where_no_evaluation_is_left_for_who_is_told() -> None:
    play = make_play(**TWO, evals=1).play(*BOTH_PLACED, "ApplyPlan(1, 1)", *BOTH_PREEMPTED)

    assert not play.can("ApplyPlan(2, 2)")


def test_a_plan_preempts_no_second_allocation_that_it_does_not_need() -> None:
    play = make_play(**TWO).play(*BOTH_PLACED, "ApplyPlan(1, 1)", "Begin(2, 2)")

    assert not play.can("PlanPreemptions(2, 2, [1, 0], 1)")


def test_the_pipeline_carries_both_to_the_store() -> None:
    play = make_play(**TWO, depth=1).play(*BOTH_PLACED, "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Commit(1, 1)")
    play.play(*BOTH_PREEMPTED, "NoticeCompletion(1)", "Evaluate(2, 2)", "Dispatch(2, 2, 1)")

    assert ["NONE", "NONE"] == play.look("snapshot.occupies 1 1", "snapshot.occupies 1 2")
    assert ["node1", "node1"] == play.look("occupies 1 1", "occupies 1 2")
    assert ["NONE", "NONE", 2] == play.play("Commit(1, 2)").look("occupies 1 1", "occupies 1 2", "made 1")
