from nomadspec.model.kernel.statuses import BlockedIn
from nomadspec.model.specification.quirks import DISPLACED_IS_DELIVERED, FORGOTTEN_BATCH, LEFT_CAPTURED
from tests.model.kernel.playing import PLACED, SHORT, Play, SystemPlay

BLOCKED = ("LoseNode(1)", "Dequeue(1, 1, 1)", *SHORT, "Block(1, 1, 1)")
DONE = ("WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")


def test_a_blocked_evaluation_is_tracked() -> None:
    play = Play(node_changes=1).play(*BLOCKED)

    assert ["blocked", 1, "out"] == play.look("eval_record 1 2", "arriving 1 2", "blocked_in 1 2")
    assert [0, "captured"] == play.play("TrackBlocked(1, 2)").look("arriving 1 2", "blocked_in 1 2")


def test_a_job_that_no_class_answers_for_is_tracked_as_escaped() -> None:
    play = Play(node_changes=1, escapes=1)
    escaped = next(cells for cells in play.bounded.initial if play.bounded.describe(cells)["escaped[job1]"])
    play.cells = escaped

    assert ["escaped"] == play.play(*BLOCKED, "TrackBlocked(1, 2)").look("blocked_in 1 2")


def test_a_node_that_comes_back_wakes_what_is_tracked() -> None:
    play = Play(node_changes=2).play(*BLOCKED, "TrackBlocked(1, 2)", "RecoverNode(1)")

    assert ["out", "pending_behind_job"] == play.look("blocked_in 1 2", "in_broker 1 2")


def test_a_node_on_which_a_job_is_infeasible_wakes_nothing() -> None:
    play = Play(node_changes=2, infeasibilities=1)
    play.cells = next(
        cells for cells in play.bounded.initial if play.bounded.describe(cells)["infeasible[job1, node1]"]
    )
    play.play(*BLOCKED, "TrackBlocked(1, 2)", "RecoverNode(1)")

    assert ["captured"] == play.look("blocked_in 1 2")


def test_an_unblock_between_plan_and_tracker_is_not_lost() -> None:
    play = Play(node_changes=2).play("LoseNode(1)", "Dequeue(1, 1, 1)", *SHORT, "RecoverNode(1)")
    play.play("Block(1, 1, 1)")

    assert [True] == play.look("missed_unblock 1 2")
    assert ["out", "pending_behind_job"] == play.play("TrackBlocked(1, 2)").look(
        "blocked_in 1 2", "in_broker 1 2"
    )


def test_the_evaluation_that_comes_later_displaces_the_other() -> None:
    play = Play(node_changes=1, requests=1, evals=4).play(*BLOCKED, "TrackBlocked(1, 2)", *DONE)
    play.play("RequestEvaluation(1, 1)", "Dequeue(1, 1, 3)", *SHORT, "Block(1, 1, 3)", "TrackBlocked(1, 4)")

    assert ["out", "captured", True] == play.look("blocked_in 1 2", "blocked_in 1 4", "duplicate 1 2")
    assert ["canceled"] == play.play("CancelDuplicate(1, 2)").look("eval_record 1 2")


def test_the_tracker_looks_at_what_it_is_given_in_order() -> None:
    play = Play(node_changes=1, requests=1, evals=4).play(*BLOCKED, *DONE)
    play.play("RequestEvaluation(1, 1)", "Dequeue(1, 1, 3)", *SHORT, "Block(1, 1, 3)")

    assert [1, 2] == play.look("arriving 1 2", "arriving 1 4")
    assert not play.can("TrackBlocked(1, 4)")
    assert play.play("TrackBlocked(1, 2)").can("TrackBlocked(1, 4)")


def test_what_is_woken_while_it_is_acked_goes_to_the_broker_again() -> None:
    play = Play(node_changes=4).play(*BLOCKED, "TrackBlocked(1, 2)", *DONE, "RecoverNode(1)", "LoseNode(1)")
    play.play("Dequeue(1, 1, 2)", *SHORT, "WriteOutcome(1, 1, 2)", "TrackBlocked(1, 2)", "RecoverNode(1)")

    assert [True, "unacked"] == play.look("requeued 1", "in_broker 1 2")
    assert ["ready"] == play.play("Ack(1, 1, 2)").look("in_broker 1 2")


def test_a_job_that_is_placed_is_not_tracked_any_more() -> None:
    play = Play(node_changes=2, timeouts=1).play(*BLOCKED, "ExpireDelivery(1, 1, 1)")
    play.play(
        "WriteOutcome(1, 1, 1)", "Nack(1, 1, 1)", "EndNackDelay(1, 1)", "Dequeue(1, 1, 1)", "RecoverNode(1)"
    )
    play.play(*PLACED, "WriteOutcome(1, 1, 1)")

    assert ["complete", "canceled"] == play.look("eval_record 1 1", "eval_record 1 2")


def test_an_evaluation_made_by_failed_plans_is_tried_again() -> None:
    play = Play(jobs=2, workers=2, attempts=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Dequeue(2, 2, 1)", "Begin(2, 2)")
    play.play("Plan(2, 2, [1])", "Submit(1, 1)", "Submit(2, 2)", "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")
    play.play("UseUpAttempts(2, 2, 1)", "TrackBlocked(2, 2)")

    assert ["failed", "blocked", "max-plan-attempts"] == play.look(
        "eval_record 2 1", "eval_record 2 2", "triggered_by 2 2"
    )
    assert ["out"] == play.play("RetryFailedPlans(2, 2)").look("blocked_in 2 2")


def test_an_entry_that_cancels_can_be_lost_only_with_the_quirk() -> None:
    def displace(profile: str) -> Play:
        play = Play(profile=profile, node_changes=1, requests=1, evals=4, failed_entries=1)
        play.play(
            *BLOCKED, "TrackBlocked(1, 2)", *DONE, "RequestEvaluation(1, 1)", "Dequeue(1, 1, 3)", *SHORT
        )
        return play.play("Block(1, 1, 3)", "TrackBlocked(1, 4)")

    assert not displace("intended").can("LoseDuplicate(1, 2)")

    play = displace(FORGOTTEN_BATCH.id).play("LoseDuplicate(1, 2)")

    assert ["blocked", False] == play.look("eval_record 1 2", "duplicate 1 2")


def displace_system(profile: str) -> Play:
    """Block a system job twice, the second time for another node."""
    play = SystemPlay(profile=profile, nodes=2, count=2, cap=0, requests=1, evals=5, node_changes=2)
    play.play(
        "Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [0, 0])", "BlockAt(1, 1, 1, 1)", "TrackBlocked(1, 2)"
    )
    play.play(*DONE, "RequestEvaluation(1, 1)", "Dequeue(1, 1, 3)", "Begin(1, 1)", "Plan(1, 1, [0, 0])")
    return play.play("BlockAt(1, 1, 3, 2)", "TrackBlocked(1, 4)", "CancelDuplicate(1, 2)")


def test_a_system_evaluation_that_was_displaced_is_woken_only_with_the_quirk() -> None:
    calls = ("LoseNode(1)", "RecoverNode(1)")
    mended = displace_system("intended").play(*calls)
    shipped = displace_system(DISPLACED_IS_DELIVERED.id).play(*calls)

    assert ["canceled", "out"] == mended.look("eval_record 1 2", "in_broker 1 2")
    assert ["canceled", "pending_behind_job"] == shipped.look("eval_record 1 2", "in_broker 1 2")


def place_system(profile: str) -> Play:
    """Block a system job, and find later that there is nothing to place."""
    play = SystemPlay(profile=profile, cap=0, requests=1, evals=4, node_changes=1).play("Dequeue(1, 1, 1)")
    play.play(*SHORT, "BlockAt(1, 1, 1, 1)", "TrackBlocked(1, 2)", *DONE, "RequestEvaluation(1, 1)")
    return play.play("LoseNode(1)", "Dequeue(1, 1, 3)", *SHORT, "WriteOutcome(1, 1, 3)")


def test_a_system_job_that_is_placed_stays_captured_only_with_the_quirk() -> None:
    assert ["canceled", "out"] == place_system("intended").look("eval_record 1 2", "blocked_in 1 2")
    assert ["canceled", "captured"] == place_system(LEFT_CAPTURED.id).look(
        "eval_record 1 2", "blocked_in 1 2"
    )


def test_what_its_class_and_its_node_wake_at_once_does_not_run_at_once() -> None:
    play = SystemPlay(DISPLACED_IS_DELIVERED.id, nodes=2, count=2, allocations=4, evals=4, node_changes=4)
    names = play.bounded.frame.cell_names
    cells = list(play.cells)
    for name, value in (
        ("blocked_in[job1, eval3]", BlockedIn.CAPTURED),
        ("by_node[job1, eval2]", True),
        ("at[job1, eval2]", 0),
        ("in_broker[job1, eval1]", 0),
        ("node_up[node1]", False),
    ):
        cells[names.index(name)] = value
    play.cells = tuple(cells)

    assert ["ready", "pending_behind_job"] == play.play("RecoverNode(1)").look(
        "in_broker 1 3", "in_broker 1 2"
    )
