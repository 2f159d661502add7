from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.specification.quirks import FORGOTTEN_HANDLER
from tests.model.kernel.playing import PLACED, Play

DONE = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")


def test_a_lost_node_owes_its_jobs_an_evaluation() -> None:
    play = Play(node_changes=1).play(*DONE, "LoseNode(1)")

    assert [False, True, "absent"] == play.look("node_up 1", "owed 1", "eval_record 1 2")
    assert [False, "pending"] == play.play("WriteNodeEval(1)").look("owed 1", "eval_record 1 2")


def test_a_node_without_allocations_owes_nothing() -> None:
    assert [False] == Play(node_changes=1).play("LoseNode(1)").look("owed 1")


def test_a_node_that_recovers_wakes_what_is_blocked() -> None:
    play = Play(node_changes=2).play("LoseNode(1)", "Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [0])")
    play.play(
        "Block(1, 1, 1)", "TrackBlocked(1, 2)", "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "RecoverNode(1)"
    )

    assert ["ready", "out"] == play.look("in_broker 1 2", "blocked_in 1 2")


def test_a_node_falls_silent_only_if_something_may_outlast_it() -> None:
    assert not Play(disconnects=1).can("MissHeartbeat(1)")

    play = Play(disconnects=1).play(*DONE, "MissHeartbeat(1)")

    assert [False, True, True] == play.look("node_up 1", "disconnected 1", "owed 1")
    assert [True, False] == play.play("ReconnectNode(1)").look("node_up 1", "disconnected 1")


def test_a_silent_node_is_given_up_when_nothing_there_has_time_left() -> None:
    play = Play(disconnects=1, evals=4).play(
        *DONE, "MissHeartbeat(1)", "WriteNodeEval(1)", "Dequeue(1, 1, 2)"
    )

    assert not play.can("ExpireDisconnectedNode(1)")

    play.play("Begin(1, 1)", "MarkUnknown(1, 1, 2, 1, 1)")

    assert not play.can("ExpireDisconnectedNode(1)")
    assert [False, False] == play.play("EndWait(1, 3)", "ExpireDisconnectedNode(1)").look(
        "node_up 1", "disconnected 1"
    )


def test_a_node_is_closed_and_opened() -> None:
    play = Play(node_changes=2).play(*DONE, "MarkIneligible(1)")

    assert [False, True, False] == play.look("eligible 1", "node_up 1", "owed 1")
    assert [True, True] == play.play("MarkEligible(1)").look("eligible 1", "owed 1")


def test_a_handler_without_a_leader_gives_up_only_with_the_quirk() -> None:
    calls = (*DONE, "LoseNode(1)", "LoseLeader")
    mended = Play(node_changes=1, elections=1).play(*calls)
    shipped = Play(profile=FORGOTTEN_HANDLER.id, node_changes=1, elections=1).play(*calls)

    assert not mended.can("WriteNodeEval(1)")
    assert mended.play("GainLeader").can("WriteNodeEval(1)")
    assert [False] == shipped.play("LoseHandler(1)").look("owed 1")


def test_a_node_may_be_starting_before_it_is_ready() -> None:
    play = Play(disconnects=1, evals=5, initializations=1).play(
        *DONE, "MissHeartbeat(1)", "WriteNodeEval(1)", "ReconnectNode(1)"
    )

    assert [False, False, True] == play.look("node_up 1", "disconnected 1", "initializing 1")

    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)")

    assert ["running", [1]] == [*play.look("alloc_phase 1 1"), play.look("seen.initializing 1 1")]
    assert [True, False, True] == play.play("ReadyNode(1)").look("node_up 1", "initializing 1", "owed 1")


def test_a_starting_node_waits_for_its_clients() -> None:
    play = Play(disconnects=1, evals=5, initializations=1).play(*DONE, "MissHeartbeat(1)", "WriteNodeEval(1)")
    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "MarkUnknown(1, 1, 2, 1, 1)", "ReconnectNode(1)")

    assert not play.can("ReadyNode(1)")
    assert play.play("ReconnectAlloc(1, 1, 1)").can("ReadyNode(1)")


def test_a_drain_closes_the_node_and_moves_what_is_there() -> None:
    play = Play(nodes=2, migrations=1).play(*DONE, "DrainNode(1)", "DrainAlloc(1, 1, 1)")

    assert [False, True, "pending"] == play.look("eligible 1", "migrate 1 1", "eval_record 1 2")
    assert not play.can("EndDrain(1)")

    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [2])", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["stopped", "node1", "node2"] == play.look("alloc_phase 1 1", "stopping_on 1 1", "occupies 1 2")
    assert not play.can("EndDrain(1)")
    assert [False, False] == play.play("ReportEnd(1, 1)", "EndDrain(1)").look("draining 1", "eligible 1")


def test_a_drain_ends_without_reports_where_clients_make_none() -> None:
    play = Play(nodes=2, migrations=1, endings=0).play(*DONE, "DrainNode(1)", "DrainAlloc(1, 1, 1)")
    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [2])", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert play.can("EndDrain(1)")


def test_a_drain_marks_a_system_job_as_it_ends() -> None:
    play = Play(kinds=2, migrations=1)
    play.start(Kind.SYSTEM)
    play.play(*DONE, "DrainNode(1)")

    assert not play.can("DrainAlloc(1, 1, 1)")
    play.play("EndDrain(1)")
    assert [False, True, "pending"] == play.look("draining 1", "migrate 1 1", "eval_record 1 2")

    play.play("Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])", "Submit(1, 1)", "ApplyPlan(1, 1)")
    assert ["stopped"] == play.look("alloc_phase 1 1")


def test_an_allocation_that_an_operator_stops_is_replaced_even_where_it_is() -> None:
    play = Play(migrations=1).play(*DONE, "MigrateAlloc(1, 1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
    play.play("Plan(1, 1, [1])", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["stopped", "node1"] == play.look("alloc_phase 1 1", "occupies 1 2")
