import pytest

from nomadspec.model.specification.quirks import REVIVED_ALLOCATION, UNSEEN_LOSS, VOID_EFFECTS
from tests.model.kernel.playing import Play

SUBMITTED = ("Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)")
LANDED = ("Dequeue(1, 1, 1)", *SUBMITTED, "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Commit(1, 1)")
BOTH = (
    "Dequeue(1, 1, 1)",
    "Dequeue(2, 2, 1)",
    "Begin(1, 1)",
    "Begin(2, 2)",
    "Plan(1, 1, [1])",
    "Plan(2, 2, [1])",
    "Submit(1, 1)",
    "Submit(2, 2)",
)


def test_an_entry_is_shown_in_the_snapshot_before_it_is_committed() -> None:
    play = Play(depth=1).play(*LANDED[:-1])

    assert ["node1", "NONE", "ahead"] == play.look("snapshot.occupies 1 1", "occupies 1 1", "snapshot.index")
    assert ["node1", "even", "decided"] == play.play("Commit(1, 1)").look(
        "occupies 1 1", "snapshot.index", "stage 1"
    )


@pytest.mark.parametrize(
    "applied", [("ApplyPlan(1, 1)",), ("Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Commit(1, 1)")]
)
@pytest.mark.parametrize(
    ("profile", "answer"), [("intended", ["rejected", 1]), ("nomad-2.0", ["decided", 0])]
)
def test_both_appliers_answer_alike_where_a_placement_was_left_out(
    applied: tuple[str, ...], profile: str, answer: list[object]
) -> None:
    play = Play(profile, depth=len(applied) // 3, stops=1)
    play.play("Dequeue(1, 1, 1)", *SUBMITTED, "StopJob(1)", *applied)

    assert answer == play.look("stage 1", "tries 1")


def test_the_snapshot_goes_with_the_last_completion() -> None:
    play = Play(depth=1).play(*LANDED, "NoticeCompletion(1)")

    assert [False, "NONE", "free"] == play.look("has_snap", "snapshot.occupies 1 1", "entry_status 1")


def test_a_refused_plan_waits_for_the_state_that_refused_it() -> None:
    play = Play(jobs=2, workers=2, depth=1)
    play.play(*BOTH, "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Evaluate(2, 2)")

    assert ["rejected", True] == play.look("stage 2", "awaits 2")
    assert not play.can("Refresh(2, 2)")
    assert play.play("Commit(1, 1)").can("Refresh(2, 2)")


def test_when_that_state_does_not_come_the_worker_gives_its_delivery_back() -> None:
    play = Play(jobs=2, workers=2, depth=1, failed_entries=1)
    play.play(
        *BOTH, "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Evaluate(2, 2)", "FailFirstEntry(1)", "MissRefresh(2)"
    )

    assert ["failing", "failing"] == play.look("stage 1", "stage 2")


def test_a_failed_entry_stays_in_the_snapshot() -> None:
    play = Play("X-10", depth=1, failed_entries=1).play(
        *LANDED[:-1], "FailFirstEntry(1)", "NoticeCompletion(1)"
    )

    assert [True, "node1", "NONE"] == play.look("has_snap", "snapshot.occupies 1 1", "occupies 1 1")


def test_mended_the_snapshot_goes_with_the_failed_entry() -> None:
    play = Play(depth=1, failed_entries=1).play(*LANDED[:-1], "FailFirstEntry(1)", "NoticeCompletion(1)")

    assert [False] == play.look("has_snap")


def test_mended_a_plan_judged_on_top_of_a_failed_entry_is_judged_again() -> None:
    play = Play(jobs=2, workers=2, depth=1, nodes=2, failed_entries=1)
    play.play(
        *BOTH[:5], "Plan(2, 2, [2])", *BOTH[6:], "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Evaluate(2, 2)"
    )
    play.play("FailFirstEntry(1)")

    assert not play.can("AwaitCompletion(1)")

    play.play("JudgeAgain(1, 2)")

    assert ["submitted", False, 1] == play.look("stage 2", "has_snap", "plans 2")


def test_an_entry_for_an_evaluation_that_the_snapshot_does_not_have_is_lost_sight_of() -> None:
    play = Play("nomad-2.0", depth=1, updates=1)
    play.play(
        *LANDED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "UpdateJob(1)", "Dequeue(1, 1, 2)", *SUBMITTED
    )
    play.play("Evaluate(1, 1)", "AwaitCompletion(1)", "Dispatch(1, 1, 1)")

    assert ["orphaned", "failing", True] == play.look("entry_status 1", "stage 1", "snapshot.lacks 1 2")
    assert ["free", "node1"] == play.play("Commit(1, 1)").look("entry_status 1", "occupies 1 2")


def test_mended_the_plan_waits_until_the_snapshot_can_be_renewed() -> None:
    play = Play(depth=1, updates=1)
    play.play(
        *LANDED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "UpdateJob(1)", "Dequeue(1, 1, 2)", *SUBMITTED
    )

    assert not play.can("Evaluate(1, 1)")
    assert play.play("NoticeCompletion(1)").can("Evaluate(1, 1)")


def test_an_entry_under_way_is_lost_or_committed_before_there_is_a_new_leader() -> None:
    play = Play(depth=1, elections=1).play(*LANDED[:-1], "LoseLeader()")

    assert ["failing", False] == play.look("stage 1", "has_snap")
    assert not play.can("GainLeader()")
    assert play.can("Commit(1, 1)")
    assert ["free", "NONE"] == play.play("LoseEntry(1)", "GainLeader()").look(
        "entry_status 1", "occupies 1 1"
    )


def test_completions_are_seen_in_the_order_of_their_commit() -> None:
    play = Play(jobs=2, workers=2, depth=2, nodes=2)
    play.play(
        *BOTH[:5], "Plan(2, 2, [2])", *BOTH[6:], "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Evaluate(2, 2)"
    )
    play.play("Dispatch(2, 2, 2)", "Commit(1, 1)", "Commit(2, 2)")

    assert not play.can("NoticeCompletion(2)")
    assert [True] == play.play("NoticeCompletion(1)").look("has_snap")
    assert [False] == play.play("NoticeCompletion(2)").look("has_snap")


def test_a_gang_is_refused_by_the_snapshot_too() -> None:
    play = Play(depth=1, nodes=2, count=2, node_changes=1, all_at_once=1, rejection_threshold=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1 2])", "Submit(1, 1)", "LoseNode(1)")

    assert not play.can("Evaluate(1, 1)")
    assert ["judged", "NONE", True, 1] == play.play("RejectAllAtOncePipelined(1, 1, 1)").look(
        "stage 1", "plan.to 1 1", "plan.marks 1 1", "plan_rejections 1"
    )


def test_an_update_in_place_goes_through_the_pipeline() -> None:
    play = Play(depth=1, in_place_updates=1, extra_ask=1, updates=1, cap=2)
    play.play(
        *LANDED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "UpdateJobInPlace(1, 2)", "NoticeCompletion(1)"
    )
    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])", "Submit(1, 1)", "Evaluate(1, 1)")

    assert ["node1", "NONE"] == play.play("Dispatch(1, 1, 1)").look(
        "snapshot.extra_at 1 1 1", "extra_at 1 1 1"
    )
    assert ["node1", 1] == play.play("Commit(1, 1)").look("extra_at 1 1 1", "alloc_version 1 1")


def test_who_is_placed_on_a_node_that_is_down_is_owed_an_evaluation_as_intended() -> None:
    calls = (*LANDED[:-1], "LoseNode(1)", "Commit(1, 1)")

    assert [True] == Play(depth=1, node_changes=1).play(*calls).look("owed 1")
    assert [False] == Play(UNSEEN_LOSS.id, depth=1, node_changes=1).play(*calls).look("owed 1")


VOID = (
    "Dequeue(2, 2, 1)",
    "Begin(2, 2)",
    "Plan(2, 2, [1, 1])",
    "Dequeue(1, 1, 1)",
    "Begin(1, 1)",
    "Plan(1, 1, [1, 1])",
    "Submit(1, 1)",
    "Evaluate(1, 1)",
    "Dispatch(1, 1, 1)",
    "Commit(1, 1)",
    "StopJob(1)",
    "WriteOutcome(1, 1, 1)",
    "Ack(1, 1, 1)",
    "Dequeue(1, 1, 2)",
    "Begin(1, 1)",
    "Plan(1, 1, [0, 0])",
    "Submit(1, 1)",
    "Submit(2, 2)",
    "NoticeCompletion(1)",
    "Evaluate(1, 1)",
    "Dispatch(1, 1, 1)",
    "Evaluate(2, 2)",
    "FailAlloc(1, 1, 1)",
    "GcAlloc(1, 1)",
    "Commit(1, 1)",
)
"""A plan for another job is judged on top of an entry that is void, since one of its two stops is deleted."""


def play_void_entry(profile: str) -> Play:
    sizes = {
        "jobs": 2,
        "nodes": 1,
        "workers": 2,
        "count": 2,
        "cap": 2,
        "allocations": 2,
        "evals": 3,
        "depth": 1,
    }
    return Play(profile, **sizes, stops=1, reports=1, gc_deletions=1).play(*VOID)


def test_what_was_judged_on_top_of_a_void_entry_fills_a_node_twice() -> None:
    play = play_void_entry(VOID_EFFECTS.id).play("AwaitCompletion(1)", "Dispatch(2, 2, 1)", "Commit(1, 2)")

    assert ["node1", "node1", "node1"] == play.look("occupies 1 2", "occupies 2 1", "occupies 2 2")


def test_mended_it_is_judged_again_and_refused() -> None:
    play = play_void_entry("intended")

    assert not play.can("AwaitCompletion(1)")
    play.play("JudgeAgain(1, 2)", "Evaluate(2, 2)")
    assert ["node1", "NONE", "NONE"] == play.look("occupies 1 2", "occupies 2 1", "plan.to 2 1")


def test_a_node_that_is_to_become_ineligible_stays_so_when_its_plan_is_judged_again() -> None:
    play = Play(jobs=2, workers=2, depth=1, nodes=1, failed_entries=1, rejection_threshold=1)
    play.play(*BOTH, "Evaluate(1, 1)", "Dispatch(1, 1, 1)", "Evaluate(2, 2)")

    assert ["judged", True, 1] == play.look("stage 2", "plan.marks 2 1", "plan_rejections 1")
    play.play("FailFirstEntry(1)", "JudgeAgain(1, 2)", "Evaluate(2, 2)")
    assert ["judged", True, 1] == play.look("stage 2", "plan.marks 2 1", "plan_rejections 1")


def update_what_has_ended() -> Play:
    """Dispatch an update in its place of an allocation that has failed since it was planned."""
    play = Play(REVIVED_ALLOCATION.id, depth=1, updates=1, in_place_updates=1, reports=1, evals=4)
    play.play(*LANDED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "NoticeCompletion(1)")
    play.play("UpdateJobInPlace(1, 1)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])", "Submit(1, 1)")
    return play.play("FailAlloc(1, 1, 1)", "Evaluate(1, 1)", "Dispatch(1, 1, 1)")


def test_an_update_in_place_of_an_alloc_that_has_ended_is_shown_to_take_no_room() -> None:
    play = update_what_has_ended()

    assert ["node1", "NONE", True] == play.look(
        "entry.keeps 1 1", "snapshot.occupies 1 1", "snapshot.has_ended 1 1"
    )
    assert ["failed", "NONE"] == play.play("Commit(1, 1)").look("alloc_phase 1 1", "occupies 1 1")


def test_an_entry_writes_an_allocation_as_unknown_when_it_is_committed() -> None:
    play = Play(depth=1, nodes=2, disconnects=1, in_place_updates=1, plan_statuses=1, evals=4)
    play.play(*LANDED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "NoticeCompletion(1)", "MissHeartbeat(1)")
    play.play("WriteNodeEval(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [2])")
    play.play("MakeFollowUp(1, 1, 2)", "Submit(1, 1)", "Evaluate(1, 1)", "Dispatch(1, 1, 1)")

    assert ["running", "unknown", "eval3"] == play.look(
        "alloc_phase 1 1", "entry.client_status 1 1", "entry.follow_up 1 1"
    )
    assert ["node1", "node2"] == play.look("snapshot.occupies 1 1", "snapshot.occupies 1 2")
    assert ["unknown", "eval3"] == play.play("Commit(1, 1)").look("alloc_phase 1 1", "follow_up 1 1")
