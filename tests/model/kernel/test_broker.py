from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    FORGOTTEN_BATCH,
    KEPT_TWICE,
    LOST_ACK,
    OLDEST_FIRST,
    STORED_CORE_EVAL,
)
from tests.model.kernel.playing import PLACED, SHORT, Play


def test_a_delivery_counts_and_gives_the_token() -> None:
    play = Play().play("Dequeue(1, 1, 1)")

    assert ["unacked", 1, "taken", True] == play.look("in_broker 1 1", "delivered 1 1", "stage 1", "holds 1")


def test_a_job_has_one_evaluation_out() -> None:
    play = Play(requests=1).play("RequestEvaluation(1, 1)")

    assert ["ready", "pending_behind_job"] == play.look("in_broker 1 1", "in_broker 1 2")
    assert not play.can("Dequeue(1, 1, 2)")


def test_an_ack_lets_the_newest_go_on_and_makes_the_others_cancelable() -> None:
    play = Play(requests=2).play("RequestEvaluation(1, 1)", "RequestEvaluation(1, 1)")
    play.play("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")

    assert ["out", "out", "ready"] == play.look("in_broker 1 1", "in_broker 1 2", "in_broker 1 3")
    assert [True, False] == play.look("cancelable 1 2", "cancelable 1 3")
    assert ["canceled"] == play.play("CancelCancelable(1, 2)").look("eval_record 1 2")


def test_the_highest_priority_goes_on_with_the_quirk() -> None:
    play = Play(profile=OLDEST_FIRST.id, requests=2, priorities=1)
    play.play("RequestEvaluation(1, 2)", "RequestEvaluation(1, 1)")
    play.play("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")

    assert ["ready", "out"] == play.look("in_broker 1 2", "in_broker 1 3")


def test_an_evaluation_of_a_higher_priority_is_delivered_first() -> None:
    play = Play(jobs=2, requests=1, priorities=1, evals=2)
    play.play("Dequeue(1, 1, 1)", "RequestEvaluation(1, 2)")
    play.play("Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)", "ApplyPlan(1, 1)", "WriteOutcome(1, 1, 1)")
    play.play("Ack(1, 1, 1)")

    assert play.can("Dequeue(1, 1, 2)")
    assert not play.can("Dequeue(1, 2, 1)")


def test_a_delivery_that_nobody_answers_for_is_taken_back() -> None:
    play = Play(timeouts=1).play("Dequeue(1, 1, 1)", "ExpireDelivery(1, 1, 1)")

    assert ["nacked", False, "taken"] == play.look("in_broker 1 1", "holds 1", "stage 1")
    assert ["ready"] == play.play("EndNackDelay(1, 1)").look("in_broker 1 1")


def test_the_timer_rests_while_the_applier_has_a_plan() -> None:
    play = Play(timeouts=1).play("Dequeue(1, 1, 1)", *PLACED[:3])

    assert not play.can("ExpireDelivery(1, 1, 1)")


def test_used_up_deliveries_end_in_a_failed_evaluation_with_a_follow_up() -> None:
    play = Play(deliveries=1, errors=1).play("Dequeue(1, 1, 1)", "FailOnError(1)", "Nack(1, 1, 1)")

    assert ["failed"] == play.look("in_broker 1 1")

    play.play("ReapFailed(1, 1)")

    assert ["failed", "pending", "failed-follow-up"] == play.look(
        "eval_record 1 1", "eval_record 1 2", "triggered_by 1 2"
    )
    assert ["out", "waiting"] == play.look("in_broker 1 1", "in_broker 1 2")
    assert ["ready"] == play.play("EndWait(1, 2)").look("in_broker 1 2")


def test_a_lost_ack_delivers_again_only_with_the_quirk() -> None:
    calls = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "ExpireDelivery(1, 1, 1)")

    assert ["out"] == Play(timeouts=1).play(*calls).look("in_broker 1 1")
    assert ["nacked"] == Play(profile=LOST_ACK.id, timeouts=1).play(*calls).look("in_broker 1 1")


def reblock(profile: str) -> Play:
    """Block an evaluation, wake it by a node, and find no place for it again."""
    play = Play(profile=profile, node_changes=3, timeouts=1).play("LoseNode(1)", "Dequeue(1, 1, 1)", *SHORT)
    play.play(
        "Block(1, 1, 1)", "TrackBlocked(1, 2)", "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "RecoverNode(1)"
    )
    play.play("LoseNode(1)", "Dequeue(1, 1, 2)", *SHORT, "WriteOutcome(1, 1, 2)", "TrackBlocked(1, 2)")
    return play.play("ExpireDelivery(1, 1, 2)")


def test_what_is_blocked_again_is_in_the_broker_too_only_with_the_quirk() -> None:
    assert ["out", "captured"] == reblock("intended").look("in_broker 1 2", "blocked_in 1 2")
    assert ["nacked", "captured"] == reblock(KEPT_TWICE.id).look("in_broker 1 2", "blocked_in 1 2")


def test_a_canceled_evaluation_is_delivered_only_with_the_quirk() -> None:
    calls = (
        "LoseNode(1)",
        "Dequeue(1, 1, 1)",
        *SHORT,
        "Block(1, 1, 1)",
        "TrackBlocked(1, 2)",
        "ExpireDelivery(1, 1, 1)",
        "WriteOutcome(1, 1, 1)",
        "Nack(1, 1, 1)",
        "EndNackDelay(1, 1)",
        "RecoverNode(1)",
        "Dequeue(1, 1, 1)",
        *PLACED,
        "WriteOutcome(1, 1, 1)",
        "Ack(1, 1, 1)",
    )
    mended = Play(timeouts=1, node_changes=2).play(*calls)
    shipped = Play(profile=CANCELLED_IS_DELIVERED.id, timeouts=1, node_changes=2).play(*calls)

    assert ["canceled", "ready"] == mended.look("eval_record 1 2", "in_broker 1 2")
    assert not mended.can("Dequeue(1, 1, 2)")
    assert ["out"] == mended.play("Discard(1, 2)").look("in_broker 1 2")
    assert shipped.can("Dequeue(1, 1, 2)")


def test_an_entry_that_cancels_can_be_lost_only_with_the_quirk() -> None:
    def make_cancelable(profile: str) -> Play:
        play = Play(profile=profile, requests=2, failed_entries=1)
        play.play("RequestEvaluation(1, 1)", "RequestEvaluation(1, 1)", "Dequeue(1, 1, 1)", *PLACED)
        return play.play("WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")

    assert not make_cancelable("intended").can("LoseCancelable(1, 2)")

    play = make_cancelable(FORGOTTEN_BATCH.id).play("LoseCancelable(1, 2)")

    assert ["pending", "out", False] == play.look("eval_record 1 2", "in_broker 1 2", "cancelable 1 2")


def make_core(profile: str = "intended") -> Play:
    """Begin with a core job, two evaluations of which wait behind the first."""
    play = Play(profile, kinds=4, core_evals=2, deliveries=1, errors=1)
    play.start(Kind.CORE)
    return play.play("Dequeue(1, 1, 1)", "EnqueueCoreEval(1)", "EnqueueCoreEval(1)", "RunCoreEval(1, 1)")


def test_a_core_evaluation_is_in_the_broker_only() -> None:
    play = make_core()

    assert ["absent", "absent", "acking"] == play.look("eval_record 1 1", "eval_record 1 2", "stage 1")
    assert ["pending_behind_job", "pending_behind_job"] == play.look("in_broker 1 2", "in_broker 1 3")
    assert not play.can("Begin(1, 1)")


def test_a_cancelable_core_evaluation_is_written_only_with_the_quirk() -> None:
    calls = ("Ack(1, 1, 1)", "CancelCancelable(1, 2)")

    assert ["absent"] == make_core().play(*calls).look("eval_record 1 2")
    assert ["canceled"] == make_core(STORED_CORE_EVAL.id).play(*calls).look("eval_record 1 2")


def test_a_core_evaluation_that_is_given_up_leaves_nothing() -> None:
    play = make_core().play(
        "Ack(1, 1, 1)", "Dequeue(1, 1, 3)", "FailOnError(1)", "Nack(1, 1, 3)", "ReapFailed(1, 3)"
    )

    assert ["out", "absent", 3] == play.look("in_broker 1 3", "eval_record 1 3", "made 1")
