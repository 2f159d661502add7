from nomadspec.model.kernel.statuses import Kind
from tests.model.kernel.playing import Play

BEGUN = ("Dequeue(1, 1, 1)", "Begin(1, 1)")


def test_instances_go_where_there_is_room() -> None:
    play = Play(nodes=2, count=2, allocations=4).play(*BEGUN)

    assert play.can("Plan(1, 1, [1, 2])")
    assert not play.can("Plan(1, 1, [1, 1])")


def test_what_has_room_must_be_placed() -> None:
    play = Play(nodes=2, count=2, allocations=4).play(*BEGUN)

    assert not play.can("Plan(1, 1, [1, 0])")


def test_slots_are_filled_from_the_first() -> None:
    play = Play(count=2, allocations=4).play(*BEGUN)

    assert play.can("Plan(1, 1, [1, 0])")
    assert not play.can("Plan(1, 1, [0, 1])")


def test_nothing_goes_to_a_node_that_is_down_or_infeasible() -> None:
    play = Play(node_changes=1).play("LoseNode(1)", *BEGUN)

    assert not play.can("Plan(1, 1, [1])")

    play = Play(infeasibilities=1)
    play.cells = next(
        cells for cells in play.bounded.initial if play.bounded.describe(cells)["infeasible[job1, node1]"]
    )

    assert not play.play(*BEGUN).can("Plan(1, 1, [1])")


def test_a_job_that_is_stopped_loses_its_allocations() -> None:
    play = Play(stops=1).play(*BEGUN, "Plan(1, 1, [1])", "Submit(1, 1)", "ApplyPlan(1, 1)")
    play.play("WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "StopJob(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
    play.play("Plan(1, 1, [0])")

    assert ["node1"] == play.look("plan.stops 1 1")


def test_a_batch_job_of_which_more_is_done_than_it_asks_for_is_planned_without_placements() -> None:
    play = Play(nodes=2, evals=4, kinds=1, reports=2, disconnects=1)
    play.start(Kind.BATCH)
    play.play(*BEGUN, "Plan(1, 1, [1])", "Submit(1, 1)", "ApplyPlan(1, 1)", "WriteOutcome(1, 1, 1)")
    play.play("Ack(1, 1, 1)", "MissHeartbeat(1)", "WriteNodeEval(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
    play.play("ReconnectNode(1)", "WriteNodeEval(1)", "CompleteAlloc(1, 1, 1)", "MarkUnknown(1, 1, 2, 1, 1)")
    play.play("Plan(1, 1, [2])", "Submit(1, 1)", "ApplyPlan(1, 1)", "WriteOutcome(1, 1, 2)", "Ack(1, 1, 2)")
    play.play("CompleteAlloc(1, 2, 2)", "Dequeue(1, 1, 3)", "Begin(1, 1)")

    assert play.can("Plan(1, 1, [0])")
    assert not play.can("Plan(1, 1, [1])")
