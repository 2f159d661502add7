from typing import Any

from nomadspec.model.kernel.statuses import Kind
from tests.model.kernel.playing import PLACED, Play

DONE = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
STOPPED = (
    "StopJob(1)",
    "Dequeue(1, 1, 2)",
    "Begin(1, 1)",
    "Plan(1, 1, [0])",
    "Submit(1, 1)",
    "ApplyPlan(1, 1)",
)


def test_an_allocation_that_fails_gives_its_capacity_back_and_makes_an_evaluation() -> None:
    play = Play(reports=1).play(*DONE, "FailAlloc(1, 1, 1)")

    assert ["failed", "NONE", "pending"] == play.look("alloc_phase 1 1", "occupies 1 1", "eval_record 1 2")


def test_a_node_that_is_down_reports_nothing() -> None:
    assert not Play(reports=1, node_changes=1).play(*DONE, "LoseNode(1)").can("FailAlloc(1, 1, 1)")


def test_the_end_of_a_stopped_allocation_is_reported_once_and_wakes_others() -> None:
    blocked = ("Dequeue(1, 2, 1)", "Begin(1, 2)", "Plan(1, 2, [0])", "Block(1, 2, 1)", "TrackBlocked(2, 2)")
    play = Play(jobs=2, stops=1).play(*DONE, *blocked, "WriteOutcome(1, 2, 1)", "Ack(1, 2, 1)", *STOPPED)

    assert ["captured"] == play.look("blocked_in 2 2")

    play.play("ReportEnd(1, 1)")

    assert ["out", "ready", "stopped"] == play.look("blocked_in 2 2", "in_broker 2 2", "alloc_phase 1 1")
    assert not play.can("ReportEnd(1, 1)")


def test_the_end_of_a_purged_allocation_is_reported_too() -> None:
    assert Play(purges=1).play(*DONE, "PurgeJob(1)").can("ReportEnd(1, 1)")


def test_a_scope_may_do_without_such_reports() -> None:
    assert not Play(stops=1, endings=0).play(*DONE, *STOPPED).can("ReportEnd(1, 1)")


def is_batch(s: Any) -> bool:
    return bool(s.kind[0] == Kind.BATCH)


def test_a_batch_allocation_that_is_done_is_not_replaced() -> None:
    play = Play(kinds=1, reports=1, external_triggers=1)
    play.cells = next(cells for cells in play.bounded.initial if is_batch(play.bounded.world(cells)))
    play.play(*DONE, "CompleteAlloc(1, 1, 1)", "EvaluateJob(1, 2)", "Dequeue(1, 1, 2)", "Begin(1, 1)")

    assert ["complete", "NONE", 1] == play.look("alloc_phase 1 1", "occupies 1 1", "reported")
    assert play.can("Plan(1, 1, [0])")
    assert not play.can("Plan(1, 1, [1])")


def test_an_allocation_of_a_service_does_not_complete() -> None:
    assert not Play(kinds=1, reports=1).play(*DONE).can("CompleteAlloc(1, 1, 1)")
