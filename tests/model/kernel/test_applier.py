from nomadspec.model.specification.quirks import REVIVED_ALLOCATION
from tests.model.kernel.playing import PLACED, Play

BOTH = (
    "Dequeue(1, 1, 1)",
    "Dequeue(2, 2, 1)",
    "Begin(1, 1)",
    "Begin(2, 2)",
    "Plan(1, 1, [1])",
    "Plan(2, 2, [1])",
)
SUBMITTED = (*BOTH, "Submit(1, 1)", "Submit(2, 2)")


def test_a_plan_that_fits_is_committed_and_answered() -> None:
    play = Play().play("Dequeue(1, 1, 1)", *PLACED)

    assert ["running", "node1", 1] == play.look("alloc_phase 1 1", "occupies 1 1", "alloc_made 1")
    assert ["decided", 0] == play.look("stage 1", "tries 1")


def test_a_plan_that_does_not_fit_is_refused_and_counts_as_an_attempt() -> None:
    play = Play(jobs=2, workers=2).play(*SUBMITTED, "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")

    assert ["rejected", 1, 0] == play.look("stage 2", "tries 2", "alloc_made 2")


def test_a_plan_for_a_stopped_job_places_nothing_and_is_answered_as_if_it_had() -> None:
    play = Play("03/S13", stops=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "StopJob(1)", "Submit(1, 1)")
    play.play("ApplyPlan(1, 1)")

    assert ["absent", "decided"] == play.look("alloc_phase 1 1", "stage 1")


def test_where_no_number_is_left_a_plan_waits_unless_it_places_nothing() -> None:
    play = Play(evals=3, allocations=1, updates=1, stops=1)
    play.play("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "UpdateJob(1)")
    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)")

    assert not play.can("ApplyPlan(1, 1)")
    assert ["stopped", 1] == play.play("StopJob(1)", "ApplyPlan(1, 1)").look(
        "alloc_phase 1 1", "alloc_made 1"
    )


def test_mended_it_is_sent_back_instead() -> None:
    play = Play(stops=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "StopJob(1)", "Submit(1, 1)")

    assert ["absent", "rejected"] == play.play("ApplyPlan(1, 1)").look("alloc_phase 1 1", "stage 1")


def test_a_gang_is_refused_as_a_whole() -> None:
    play = Play(jobs=1, nodes=2, count=2, node_changes=1, all_at_once=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1 2])", "Submit(1, 1)", "LoseNode(1)")

    assert not play.can("ApplyPlan(1, 1)")
    assert not play.can("RejectAllAtOnce(1, 1, 2)")
    assert [0, "rejected"] == play.play("RejectAllAtOnce(1, 1, 1)").look("alloc_made 1", "stage 1")


def test_without_a_gang_the_node_that_fits_is_committed() -> None:
    play = Play(jobs=1, nodes=2, count=2, node_changes=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1 2])", "Submit(1, 1)", "LoseNode(1)")

    assert [1, "node2", "rejected", 0] == play.play("ApplyPlan(1, 1)").look(
        "alloc_made 1", "occupies 1 1", "stage 1", "tries 1"
    )


def test_a_node_that_is_refused_too_often_is_closed() -> None:
    play = Play(jobs=2, workers=2, rejection_threshold=1).play(
        *SUBMITTED, "ApplyPlan(1, 1)", "ApplyPlan(2, 2)"
    )

    assert [False, 1] == play.look("eligible 1", "plan_rejections 1")
    assert [0] == play.play("ForgetPlanRejections(1)").look("plan_rejections 1")


def test_refusals_are_not_counted_by_default() -> None:
    play = Play(jobs=2, workers=2).play(*SUBMITTED, "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")

    assert [True] == play.look("eligible 1")
    assert not play.can("ForgetPlanRejections(1)")


def test_a_gang_is_held_against_the_node_that_was_met_first() -> None:
    play = Play(jobs=1, nodes=2, count=2, node_changes=2, all_at_once=1, rejection_threshold=1)
    play.play(
        "Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1 2])", "Submit(1, 1)", "LoseNode(1)", "LoseNode(2)"
    )
    play.play("RejectAllAtOnce(1, 1, 2)")

    assert [0, 1, True, False] == play.look(
        "plan_rejections 1", "plan_rejections 2", "eligible 1", "eligible 2"
    )


def revive(profile: str) -> Play:
    """Update an allocation in its place that a job of a higher priority has preempted meanwhile."""
    sizes = {"priorities": 1, "preempting": 1, "updates": 1, "in_place_updates": 1, "reports": 1}
    play = Play(profile, jobs=2, workers=2, **sizes)
    ranks = [play.bounded.frame.cell_names.index(f"priority[job{job}]") for job in (1, 2)]
    play.cells = next(cells for cells in play.bounded.initial if [0, 1] == [cells[at] for at in ranks])
    play.play("Dequeue(2, 2, 1)", "Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
    play.play("UpdateJobInPlace(1, 1)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])")
    play.play("Begin(2, 2)", "PlanPreemption(2, 2, [1], 1, 1)", "Submit(2, 2)", "ApplyPlan(2, 2)")
    return play.play("FailAlloc(2, 1, 1)", "Submit(1, 1)", "ApplyPlan(1, 1)")


def test_what_was_driven_out_is_told_to_run_again_only_with_the_quirk() -> None:
    assert ["stopped", "NONE"] == revive("intended").look("alloc_phase 1 1", "occupies 1 1")
    assert ["running", "node1", 1] == revive(REVIVED_ALLOCATION.id).look(
        "alloc_phase 1 1", "occupies 1 1", "alloc_version 1 1"
    )
