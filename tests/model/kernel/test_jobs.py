from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import SILENT_PURGE
from tests.model.kernel.playing import PLACED, Play

DONE = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")


def test_an_update_makes_a_version_and_an_evaluation() -> None:
    play = Play(updates=1).play("UpdateJob(1)")

    assert [1, "pending", "pending_behind_job"] == play.look(
        "job_version 1", "eval_record 1 2", "in_broker 1 2"
    )
    assert not play.can("UpdateJob(1)")


def test_a_stopped_job_loses_what_it_has_and_can_come_back() -> None:
    play = Play(stops=1, returns=1).play(*DONE, "StopJob(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
    play.play("Plan(1, 1, [0])", "Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["stopped", "stopped", "NONE"] == play.look("job_phase 1", "alloc_phase 1 1", "occupies 1 1")
    assert ["wanted", "pending"] == play.play("RegisterAgain(1)").look("job_phase 1", "eval_record 1 3")


def test_an_external_trigger_makes_an_evaluation_and_nothing_else() -> None:
    before = Play(external_triggers=1).play(*DONE)
    after = Play(external_triggers=1).play(*DONE, "EvaluateJob(1, 3)")
    changed = {
        name
        for name, value in after.bounded.describe(after.cells).items()
        if before.bounded.describe(before.cells)[name] != value
    }

    assert ["pending", "ready", 1] == after.look("eval_record 1 2", "in_broker 1 2", "external_triggers_made")
    assert {"eval_record", "in_broker", "made", "external_triggers_made"} == {
        name.partition("[")[0] for name in changed
    }


def test_a_purge_deletes_everything_but_the_evaluations() -> None:
    play = Play(purges=1).play(*DONE, "PurgeJob(1)")

    assert ["absent", "gone", "NONE"] == play.look("job_phase 1", "alloc_phase 1 1", "occupies 1 1")
    assert ["complete", "pending", "ready"] == play.look(
        "eval_record 1 1", "eval_record 1 2", "in_broker 1 2"
    )


def test_a_purge_tells_the_broker_unless_it_is_silent() -> None:
    mended = Play(purges=1).play("PurgeJob(1)")
    shipped = Play(profile=SILENT_PURGE.id, purges=1).play("PurgeJob(1)")

    assert ["complete", "out", "ready"] == mended.look("eval_record 1 1", "in_broker 1 1", "in_broker 1 2")
    assert ["complete", "ready", "pending_behind_job"] == shipped.look(
        "eval_record 1 1", "in_broker 1 1", "in_broker 1 2"
    )


def test_a_purge_leaves_a_delivery_to_its_worker() -> None:
    play = Play(purges=1).play("Dequeue(1, 1, 1)", "PurgeJob(1)")

    assert ["unacked", "pending_behind_job", True] == play.look("in_broker 1 1", "in_broker 1 2", "holds 1")


def test_what_is_pending_for_what_a_purge_completes_moves_up() -> None:
    calls = ("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [0])", "Block(1, 1, 1)", "TrackBlocked(1, 2)")
    play = Play(cap=0, evals=5, purges=1, updates=1, node_changes=2)
    play.play(
        *calls, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "UpdateJob(1)", "LoseNode(1)", "RecoverNode(1)"
    )

    assert ["pending_behind_job", "ready"] == play.look("in_broker 1 2", "in_broker 1 3")

    play.play("PurgeJob(1)")

    assert ["ready", "out", "pending_behind_job"] == play.look(
        "in_broker 1 2", "in_broker 1 3", "in_broker 1 4"
    )


AMENDED = {"in_place_updates": 1, "extra_ask": 1, "updates": 2, "cap": 2}


def test_an_amended_job_is_taken_over_in_place() -> None:
    play = Play(INTENDED.name, **AMENDED).play(
        *DONE, "UpdateJobInPlace(1, 2)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])"
    )

    assert ["node1", 1, "planned"] == play.look("plan.keeps 1 1", "plan.ask 1", "stage 1")

    play.play("Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["running", 1, "node1", "node1"] == play.look(
        "alloc_phase 1 1", "alloc_version 1 1", "occupies 1 1", "extra_at 1 1 1"
    )


def test_an_allocation_may_grow_by_several_units() -> None:
    sizes = {**AMENDED, "extra_ask": 2, "cap": 3}
    play = Play(INTENDED.name, **sizes).play(
        *DONE, "UpdateJobInPlace(1, 3)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])"
    )
    play.play("Submit(1, 1)", "ApplyPlan(1, 1)")

    assert ["node1", "node1", "node1"] == play.look("occupies 1 1", "extra_at 1 1 1", "extra_at 1 1 2")

    smaller = Play(INTENDED.name, **{**sizes, "cap": 2}).play(
        *DONE, "UpdateJobInPlace(1, 3)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])"
    )

    assert ["node1", "NONE"] == smaller.look("plan.stops 1 1", "plan.keeps 1 1")


def test_where_there_is_no_room_to_grow_an_allocation_is_replaced() -> None:
    play = Play(INTENDED.name, **{**AMENDED, "nodes": 2, "cap": 1}).play(
        *DONE, "UpdateJobInPlace(1, 2)", "Dequeue(1, 1, 2)"
    )
    play.play("Begin(1, 1)", "Plan(1, 1, [0])")

    assert ["node1", "NONE"] == play.look("plan.stops 1 1", "plan.keeps 1 1")


def test_an_update_that_is_no_amendment_replaces_too() -> None:
    play = Play(INTENDED.name, **AMENDED).play(
        *DONE, "UpdateJob(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [1])"
    )

    assert ["node1", "NONE"] == play.look("plan.stops 1 1", "plan.keeps 1 1")
