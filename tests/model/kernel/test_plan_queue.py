from tests.model.kernel.playing import Play

BOTH = (
    "Dequeue(1, 1, 1)",
    "Dequeue(2, 2, 1)",
    "Begin(1, 1)",
    "Begin(2, 2)",
    "Plan(1, 1, [1])",
    "Plan(2, 2, [1])",
)


def test_plans_of_one_priority_go_in_the_order_of_their_submission() -> None:
    play = Play(jobs=2, workers=2).play(*BOTH, "Submit(2, 2)", "Submit(1, 1)")

    assert play.can("ApplyPlan(2, 2)")
    assert not play.can("ApplyPlan(1, 1)")


def test_a_plan_of_a_higher_priority_goes_first() -> None:
    play = Play(jobs=2, workers=2, priorities=1)
    play.cells = next(
        cells
        for cells in play.bounded.initial
        if play.bounded.describe(cells)["priority[job2]"] == 1
        and play.bounded.describe(cells)["priority[job1]"] == 0
    )
    play.play("Dequeue(2, 2, 1)", "Dequeue(1, 1, 1)", *BOTH[2:], "Submit(1, 1)", "Submit(2, 2)")

    assert [1, 0, 0, 1] == play.look(
        "plans 1", "plans 2", "higher_priority_plans 1", "higher_priority_plans 2"
    )
    assert not play.can("ApplyPlan(1, 1)")
    assert play.play("ApplyPlan(2, 2)").can("ApplyPlan(1, 1)")


def test_losing_the_leader_empties_the_queue() -> None:
    play = Play(jobs=2, workers=2, elections=1).play(*BOTH, "Submit(1, 1)", "LoseLeader()")

    assert [0, "failing"] == play.look("plans 1", "stage 1")
