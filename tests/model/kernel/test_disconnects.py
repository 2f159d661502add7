from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import (
    HASTY_CANCEL,
    OVERWRITTEN_REPORT,
    SHARED_FOLLOW_UP,
    UNMADE_FOLLOW_UP,
)
from tests.model.kernel.playing import PLACED, Play

DONE = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
SILENT = (*DONE, "MissHeartbeat(1)", "WriteNodeEval(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
MARKED = (*SILENT, "MarkUnknown(1, 1, 2, 1, 1)")


def test_an_unknown_allocation_keeps_its_capacity_and_gets_a_follow_up() -> None:
    play = Play(disconnects=1, evals=4, nodes=2).play(*MARKED)

    assert ["unknown", "node1", "eval3"] == play.look("alloc_phase 1 1", "occupies 1 1", "follow_up 1 1")
    assert ["pending", "max-disconnect-timeout", "waiting"] == play.look(
        "eval_record 1 3", "triggered_by 1 3", "in_broker 1 3"
    )


def test_a_plan_waits_for_the_marks_and_replaces_what_is_away() -> None:
    play = Play(disconnects=1, evals=4, nodes=2).play(*SILENT)

    assert not play.can("Plan(1, 1, [2])")

    play.play("MarkUnknown(1, 1, 2, 1, 1)", "Plan(1, 1, [2])", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["unknown", "running", "node2"] == play.look("alloc_phase 1 1", "alloc_phase 1 2", "occupies 1 2")


def test_a_node_that_went_down_takes_no_mark() -> None:
    play = Play(disconnects=1, node_changes=1, evals=4).play(*SILENT, "ReconnectNode(1)", "LoseNode(1)")
    play.play("MarkUnknown(1, 1, 2, 1, 1)")

    assert ["running", "rejected"] == play.look("alloc_phase 1 1", "stage 1")


def test_a_stale_token_marks_nothing() -> None:
    play = Play(disconnects=1, elections=1, evals=4).play(*SILENT, "LoseLeader", "GainLeader")
    play.play("MarkUnknown(1, 1, 2, 1, 1)")

    assert ["running", "failing", "absent"] == play.look("alloc_phase 1 1", "stage 1", "eval_record 1 3")


def test_a_report_is_overwritten_only_with_the_quirk() -> None:
    calls = (*SILENT, "ReconnectNode(1)", "FailAlloc(1, 1, 1)", "MarkUnknown(1, 1, 2, 1, 1)")
    sizes = {"disconnects": 1, "reports": 1, "evals": 5}

    assert ["failed"] == Play(INTENDED.name, **sizes).play(*calls).look("alloc_phase 1 1")
    assert ["unknown"] == Play(OVERWRITTEN_REPORT.id, **sizes).play(*calls).look("alloc_phase 1 1")


def test_an_allocation_that_comes_back_calls_off_its_follow_up() -> None:
    play = Play(disconnects=1, evals=5, nodes=2).play(*MARKED, "ReconnectNode(1)", "ReconnectAlloc(1, 1, 1)")

    assert ["running", "NONE"] == play.look("alloc_phase 1 1", "follow_up 1 1")
    assert ["canceled", "out", "pending"] == play.look("eval_record 1 3", "in_broker 1 3", "eval_record 1 4")


def test_a_follow_up_that_is_due_is_called_off_only_with_the_quirk() -> None:
    calls = (*MARKED, "EndWait(1, 3)", "ReconnectNode(1)", "ReconnectAlloc(1, 1, 1)")
    mended = Play(disconnects=1, evals=5, nodes=2).play(*calls)
    shipped = Play(profile=HASTY_CANCEL.id, disconnects=1, evals=5, nodes=2).play(*calls)

    assert ["pending", "pending_behind_job"] == mended.look("eval_record 1 3", "in_broker 1 3")
    assert ["canceled", "pending_behind_job"] == shipped.look("eval_record 1 3", "in_broker 1 3")


PAIR = {"disconnects": 1, "evals": 6, "count": 2, "cap": 2}
BOTH_UNKNOWN = (
    "Dequeue(1, 1, 1)",
    "Begin(1, 1)",
    "Plan(1, 1, [1 1])",
    "Submit(1, 1)",
    "ApplyPlan(1, 1)",
    "WriteOutcome(1, 1, 1)",
    "Ack(1, 1, 1)",
    "MissHeartbeat(1)",
    "WriteNodeEval(1)",
    "Dequeue(1, 1, 2)",
    "Begin(1, 1)",
    "MarkUnknown(1, 1, 2, 1, 1)",
    "MarkUnknown(1, 1, 2, 2, 1)",
)


def test_allocations_that_become_unknown_at_once_share_a_follow_up() -> None:
    play = Play(INTENDED.name, **PAIR).play(*BOTH_UNKNOWN)

    assert ["eval3", "eval3", 3] == play.look("follow_up 1 1", "follow_up 1 2", "made 1")


def test_a_shared_follow_up_is_called_off_with_the_first_only_with_the_quirk() -> None:
    calls = (*BOTH_UNKNOWN, "ReconnectNode(1)", "ReconnectAlloc(1, 1, 1)")
    mended = Play(INTENDED.name, **PAIR).play(*calls)

    assert ["canceled"] == Play(SHARED_FOLLOW_UP.id, **PAIR).play(*calls).look("eval_record 1 3")
    assert ["pending"] == mended.look("eval_record 1 3")
    assert ["canceled"] == mended.play("ReconnectAlloc(1, 2, 1)").look("eval_record 1 3")


def test_time_runs_out_without_a_follow_up_too() -> None:
    play = Play(SHARED_FOLLOW_UP.id, **PAIR).play(*BOTH_UNKNOWN)

    assert not play.can("RunOutOfTime(1, 2)")

    play.play("ReconnectNode(1)", "ReconnectAlloc(1, 1, 1)", "RunOutOfTime(1, 2)")

    assert [1, 0] == play.look("is_late 1 2", "is_late 1 1")


WRITES = {"disconnects": 1, "in_place_updates": 1, "plan_statuses": 1, "evals": 5, "nodes": 2}
SUBMITTED = (*SILENT, "Plan(1, 1, [2])", "MakeFollowUp(1, 1, 2)", "Submit(1, 1)")


def test_where_no_evaluation_is_left_a_stale_token_alone_goes_on() -> None:
    marking = Play(disconnects=1, elections=1, evals=2).play(*SILENT)
    making = Play(INTENDED.name, **{**WRITES, "evals": 2}, elections=1).play(*SILENT, "Plan(1, 1, [2])")
    acts = {"MarkUnknown(1, 1, 2, 1, 1)": marking, "MakeFollowUp(1, 1, 2)": making}

    for act, play in acts.items():
        assert not play.can(act)
        assert ["failing", 2] == play.play("LoseLeader", "GainLeader", act).look("stage 1", "made 1")


def test_one_plan_writes_an_allocation_as_unknown_and_replaces_it() -> None:
    play = Play(INTENDED.name, **WRITES).play(*SILENT)

    assert not play.can("MarkUnknown(1, 1, 2, 1, 1)")

    play.play("Plan(1, 1, [2])")

    assert ["node1", "unknown"] == play.look("plan.keeps 1 1", "plan.client_status 1 1")
    assert not play.can("Submit(1, 1)")

    play.play("MakeFollowUp(1, 1, 2)", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["unknown", "node1", "eval3"] == play.look("alloc_phase 1 1", "occupies 1 1", "follow_up 1 1")
    assert ["running", "node2"] == play.look("alloc_phase 1 2", "occupies 1 2")
    assert ["max-disconnect-timeout", "waiting"] == play.look("triggered_by 1 3", "in_broker 1 3")


def test_a_stale_token_makes_no_follow_up() -> None:
    play = Play(INTENDED.name, **WRITES, elections=1).play(
        *SILENT, "Plan(1, 1, [2])", "LoseLeader", "GainLeader"
    )

    assert ["failing", "absent"] == play.play("MakeFollowUp(1, 1, 2)").look("stage 1", "eval_record 1 3")


def test_a_plan_writes_unknown_over_an_end_only_with_the_quirk() -> None:
    calls = (*SUBMITTED, "ReconnectNode(1)", "FailAlloc(1, 1, 1)", "ApplyPlan(1, 1)")
    shipped = Play(OVERWRITTEN_REPORT.id, **WRITES, reports=1).play(*calls)

    assert ["failed"] == Play(INTENDED.name, **WRITES, reports=1).play(*calls).look("alloc_phase 1 1")
    assert ["unknown", "node1"] == shipped.look("alloc_phase 1 1", "occupies 1 1")


LATE = ("WriteOutcome(1, 1, 2)", "Ack(1, 1, 2)", "MissHeartbeat(2)", "EndWait(1, 3)", "Dequeue(1, 1, 3)")


def test_a_follow_up_makes_another_one_but_with_the_quirk() -> None:
    calls = (*SUBMITTED, "ApplyPlan(1, 1)", *LATE, "Begin(1, 1)", "Plan(1, 1, [0])", "Block(1, 1, 3)")
    sizes = {**WRITES, "disconnects": 2}

    assert Play(INTENDED.name, **sizes).play(*calls).can("MakeFollowUp(1, 1, 3)")
    shipped = Play(UNMADE_FOLLOW_UP.id, **sizes).play(*calls)
    assert not shipped.can("MakeFollowUp(1, 1, 3)")
    assert ["unknown", "NONE"] == shipped.play("Submit(1, 1)", "ApplyPlan(1, 1)").look(
        "alloc_phase 1 2", "follow_up 1 2"
    )


def test_a_mark_gets_a_follow_up_whatever_its_evaluation_was_made_for_but_with_the_quirk() -> None:
    replaced = (*MARKED, "Plan(1, 1, [2])", "Submit(1, 1)", "ApplyPlan(1, 1)")
    calls = (*replaced, *LATE, "Begin(1, 1)", "MarkUnknown(1, 1, 3, 2, 2)")
    sizes = {"disconnects": 2, "evals": 5, "nodes": 2}
    intended, shipped = (
        Play(profile, **sizes).play(*calls) for profile in (INTENDED.name, UNMADE_FOLLOW_UP.id)
    )

    assert ["unknown", "eval4"] == intended.look("alloc_phase 1 2", "follow_up 1 2")
    assert ["max-disconnect-timeout", "waiting"] == intended.look("triggered_by 1 4", "in_broker 1 4")
    assert ["unknown", "NONE"] == shipped.look("alloc_phase 1 2", "follow_up 1 2")
