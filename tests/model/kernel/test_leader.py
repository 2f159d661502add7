from nomadspec.model.specification.quirks import FORGOTTEN_REAPER, FORGOTTEN_WAKE, SURVIVING_PLAN
from tests.model.kernel.playing import PLACED, SHORT, Play


def test_an_old_leader_forgets_and_a_new_one_puts_back() -> None:
    play = Play(elections=1, requests=1).play("RequestEvaluation(1, 1)", "LoseLeader")

    assert ["out", "out"] == play.look("in_broker 1 1", "in_broker 1 2")
    assert ["ready", "pending_behind_job"] == play.play("GainLeader").look("in_broker 1 1", "in_broker 1 2")


def test_a_delivery_under_an_old_leader_is_worth_nothing() -> None:
    play = Play(elections=1).play("Dequeue(1, 1, 1)", *PLACED[:3], "LoseLeader")

    assert ["failing", False, 0] == play.look("stage 1", "holds 1", "plans 1")


def test_a_new_leader_runs_what_was_blocked_unless_it_has_forgotten_why() -> None:
    calls = ("LoseNode(1)", "Dequeue(1, 1, 1)", *SHORT, "Block(1, 1, 1)", "TrackBlocked(1, 2)", "LoseLeader")
    mended = Play(elections=1, node_changes=1).play(*calls, "GainLeader", "TrackBlocked(1, 2)")
    shipped = Play(profile=FORGOTTEN_WAKE.id, elections=1, node_changes=1)
    shipped.play(*calls, "GainLeader", "TrackBlocked(1, 2)")

    assert ["out"] == mended.look("blocked_in 1 2")
    assert ["captured"] == shipped.look("blocked_in 1 2")


def test_a_follow_up_waits_again_under_a_new_leader() -> None:
    play = Play(deliveries=1, errors=1, elections=1).play(
        "Dequeue(1, 1, 1)", "FailOnError(1)", "Nack(1, 1, 1)"
    )
    play.play("ReapFailed(1, 1)", "EndWait(1, 2)", "LoseLeader", "GainLeader")

    assert ["waiting"] == play.look("in_broker 1 2")


def test_a_pause_empties_the_broker_until_it_goes_on() -> None:
    play = Play(pauses=1).play("Dequeue(1, 1, 1)", "PauseBroker")

    assert ["out", False] == play.look("in_broker 1 1", "holds 1")
    assert ["ready"] == play.play("ResumeBroker").look("in_broker 1 1")


def test_a_new_leader_leaves_a_paused_broker_empty() -> None:
    play = Play(pauses=1, elections=1).play("PauseBroker", "LoseLeader", "GainLeader")

    assert ["out", True] == play.look("in_broker 1 1", "paused")


def test_a_pause_ends_the_reaper_only_with_the_quirk() -> None:
    assert [True] == Play(pauses=1).play("PauseBroker", "ResumeBroker").look("reaping")

    play = Play(profile=FORGOTTEN_REAPER.id, pauses=1, elections=1).play("PauseBroker", "ResumeBroker")

    assert [False] == play.look("reaping")
    assert [True] == play.play("LoseLeader", "GainLeader").look("reaping")


def test_a_plan_survives_a_pause_only_with_the_quirk() -> None:
    calls = ("Dequeue(1, 1, 1)", *PLACED[:3], "PauseBroker")

    assert not Play(pauses=1).play(*calls).can("ResumeBroker")
    assert Play(profile=SURVIVING_PLAN.id, pauses=1).play(*calls).can("ResumeBroker")
