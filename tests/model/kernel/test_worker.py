from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.kernel.worker import limit_of, release
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import DEAD_END, FAILING_PURGE
from tests.model.kernel.playing import PLACED, SHORT, Play, SystemPlay


def test_an_evaluation_is_planned_applied_and_done() -> None:
    play = Play().play("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")

    assert ["complete", "out", "idle", "node1"] == play.look(
        "eval_record 1 1", "in_broker 1 1", "stage 1", "occupies 1 1"
    )


def test_the_job_must_be_in_the_snapshot() -> None:
    play = Play().play("Dequeue(1, 1, 1)", "Begin(1, 1)")

    assert ["wanted", "planning"] == play.look("seen.job_phase 1", "stage 1")
    assert play.can("Plan(1, 1, [1])")
    assert not play.can("Plan(1, 1, [0])")


def test_a_worker_that_finds_no_place_leaves_a_blocked_evaluation() -> None:
    play = Play(cap=0).play("Dequeue(1, 1, 1)", *SHORT)

    assert not play.can("WriteOutcome(1, 1, 1)")

    play.play("Block(1, 1, 1)", "WriteOutcome(1, 1, 1)")

    assert ["complete", "blocked", "queued-allocs"] == play.look(
        "eval_record 1 1", "eval_record 1 2", "triggered_by 1 2"
    )


def test_where_no_evaluation_is_left_a_worker_waits_unless_its_token_is_stale() -> None:
    play = Play(cap=0, evals=1, timeouts=1).play("Dequeue(1, 1, 1)", *SHORT)

    assert not play.can("Block(1, 1, 1)")

    play.play("ExpireDelivery(1, 1, 1)", "Block(1, 1, 1)")

    assert ["failing", 1] == play.look("stage 1", "made 1")


def test_where_no_evaluation_is_left_attempts_are_used_up_only_with_a_stale_token() -> None:
    play = Play(jobs=2, workers=2, attempts=1, evals=1, timeouts=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Dequeue(2, 2, 1)", "Begin(2, 2)")
    play.play("Plan(2, 2, [1])", "Submit(1, 1)", "Submit(2, 2)", "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")

    assert ["exhausted"] == play.look("stage 2")
    assert not play.can("UseUpAttempts(2, 2, 1)")

    play.play("ExpireDelivery(2, 2, 1)", "UseUpAttempts(2, 2, 1)")

    assert ["failing", "pending", 1] == play.look("stage 2", "eval_record 2 1", "made 2")


def test_a_worker_without_a_valid_token_changes_nothing() -> None:
    play = Play(timeouts=1).play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])")
    play.play("ExpireDelivery(1, 1, 1)", "Submit(1, 1)")

    assert ["failing", 0] == play.look("stage 1", "plans 1")

    play.play("Nack(1, 1, 1)")

    assert ["nacked", "idle", "pending"] == play.look("in_broker 1 1", "stage 1", "eval_record 1 1")


def test_an_evaluation_that_is_woken_and_short_again_is_blocked_again() -> None:
    play = Play(node_changes=3).play("LoseNode(1)", "Dequeue(1, 1, 1)", *SHORT, "Block(1, 1, 1)")
    play.play("TrackBlocked(1, 2)", "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)", "RecoverNode(1)", "LoseNode(1)")
    play.play("Dequeue(1, 1, 2)", *SHORT, "WriteOutcome(1, 1, 2)")

    assert ["blocked", 1, "acking"] == play.look("eval_record 1 2", "arriving 1 2", "stage 1")


def test_a_worker_can_plan_by_older_state_of_other_things() -> None:
    play = Play(stale_server_count=1, node_changes=1).play("CatchUp(1)", "LoseNode(1)", "Dequeue(1, 1, 1)")
    play.play("BeginStale(1, 1, 1)")

    assert [True] == play.look("seen.node_up 1 1")


def test_a_worker_cannot_plan_by_state_without_an_evaluation_of_its_job() -> None:
    play = Play(stale_server_count=1, requests=1).play(
        "CatchUp(1)", "RequestEvaluation(1, 1)", "Dequeue(1, 1, 1)"
    )

    assert not play.can("BeginStale(1, 1, 1)")
    assert play.play("CatchUp(1)").can("BeginStale(1, 1, 1)")


def test_an_unblock_that_older_state_lacks_is_remembered() -> None:
    play = Play(stale_server_count=1, node_changes=2).play("LoseNode(1)", "CatchUp(1)", "RecoverNode(1)")
    play.play("Dequeue(1, 1, 1)", "BeginStale(1, 1, 1)")

    assert [True, False] == play.look("unseen_unblock 1", "seen.node_up 1 1")


def test_an_error_gives_the_delivery_back() -> None:
    play = Play(errors=1).play("Dequeue(1, 1, 1)", "Begin(1, 1)", "FailOnError(1)", "Nack(1, 1, 1)")

    assert ["nacked", "pending"] == play.look("in_broker 1 1", "eval_record 1 1")


def test_refused_plans_are_made_again_until_the_attempts_are_used_up() -> None:
    play = Play(jobs=2, workers=2, attempts=2)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Dequeue(2, 2, 1)", "Begin(2, 2)")
    play.play("Plan(2, 2, [1])", "Submit(1, 1)", "Submit(2, 2)", "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")

    assert ["rejected", 1] == play.look("stage 2", "tries 2")
    assert ["planning"] == play.play("Refresh(2, 2)").look("stage 2")


def test_a_system_job_gets_an_instance_on_each_node() -> None:
    play = SystemPlay(nodes=2, count=2).play("Dequeue(1, 1, 1)", "Begin(1, 1)")

    assert play.can("Plan(1, 1, [1, 2])")
    assert not play.can("Plan(1, 1, [1, 0])")


def test_a_system_job_is_blocked_for_a_node() -> None:
    play = SystemPlay(cap=0).play("Dequeue(1, 1, 1)", *SHORT, "BlockAt(1, 1, 1, 1)", "WriteOutcome(1, 1, 1)")

    assert ["complete", "blocked", "node1"] == play.look("eval_record 1 1", "eval_record 1 2", "at 1 2")
    assert [True, "captured"] == play.play("TrackBlocked(1, 2)").look("by_node 1 2", "blocked_in 1 2")


def test_a_system_job_that_is_woken_is_complete_even_if_it_is_short_again() -> None:
    play = SystemPlay(cap=0, node_changes=2, evals=5).play("Dequeue(1, 1, 1)", *SHORT)
    play.play("BlockAt(1, 1, 1, 1)", "TrackBlocked(1, 2)", "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
    play.play("LoseNode(1)", "RecoverNode(1)", "Dequeue(1, 1, 2)", *SHORT, "BlockAt(1, 1, 2, 1)")

    assert ["complete"] == play.play("WriteOutcome(1, 1, 2)").look("eval_record 1 2")


def use_up(profile: str) -> Play:
    """Let the plan of one of two system jobs be refused until it may not try again."""
    play = SystemPlay(profile=profile, jobs=2, workers=2, attempts=1)
    play.play("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "Dequeue(2, 2, 1)", "Begin(2, 2)")
    play.play("Plan(2, 2, [1])", "Submit(1, 1)", "Submit(2, 2)", "ApplyPlan(1, 1)", "ApplyPlan(2, 2)")
    return play.play("UseUpAttempts(2, 2, 1)")


def test_a_system_job_whose_plans_failed_is_left_alone_only_with_the_quirk() -> None:
    assert ["failed", "blocked"] == use_up("intended").look("eval_record 2 1", "eval_record 2 2")
    assert ["failed", "absent"] == use_up(DEAD_END.id).look("eval_record 2 1", "eval_record 2 2")


def test_a_batch_job_may_try_less_often() -> None:
    play = Play(kinds=1, attempts=2, batch_attempts=1)
    limits = []
    for kind in (Kind.SERVICE, Kind.BATCH):
        play.start(kind)
        world = play.play("Dequeue(1, 1, 1)").bounded.world(play.cells)
        assert isinstance(world, Kernel)
        limits.append(limit_of(world, WorkerId(0)))

    assert [2, 1] == limits


def test_a_trigger_that_is_not_handled_fails_the_evaluation_without_a_plan() -> None:
    play = Play(unhandled_triggers=1).play(
        "Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)"
    )
    play.play("MakeUnhandledTrigger(1)", "Dequeue(1, 1, 2)")

    assert not play.can("Begin(1, 1)")
    assert ["failed", "acking"] == play.play("RejectTrigger(1, 1, 2)").look("eval_record 1 2", "stage 1")


def test_the_plan_of_a_job_that_is_gone_is_an_error_only_with_the_quirk() -> None:
    calls = ("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1])", "PurgeJob(1)", "Submit(1, 1)")

    assert ["decided"] == Play(purges=1).play(*calls).look("stage 1")
    assert ["failing"] == Play(FAILING_PURGE.id, purges=1).play(*calls).look("stage 1")


def test_a_released_worker_keeps_nothing_and_the_others_keep_all() -> None:
    sizes = {"disconnects": 1, "stale_server_count": 1, "extra_ask": 1, "in_place_updates": 1, "updates": 1}
    frame = FiniteFrame(Kernel.schema, KERNEL.sizes_of({**sizes, "workers": 2, "depth": 1}), INTENDED)
    queues = {queue.name for queue in Kernel.schema.queues}
    held = [
        one
        for one in frame.placed.values()
        if one.field.index[:1] == (Kernel.workers,) and one.field.name not in queues
    ]
    own = [cell for one in held for cell in range(one.base, one.base + one.span // 2)]
    first = list(frame.first_cells())
    busy = [
        place.low if place.high == first[cell] else place.high for cell, place in enumerate(frame.intervals)
    ]
    after = list(busy)

    release(Kernel(frame, after, condition=True, guard=[]), WorkerId(0))

    assert len(held) > 20
    assert [first[cell] if cell in own else busy[cell] for cell in range(len(busy))] == after
