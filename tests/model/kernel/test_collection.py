from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import HASTY_COLLECTION, HASTY_REAP
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
DEAD = (*DONE, *STOPPED, "WriteOutcome(1, 1, 2)", "Ack(1, 1, 2)")


def test_only_an_evaluation_that_has_ended_is_collected() -> None:
    play = Play(gc_deletions=1)

    assert not play.can("GcEval(1, 1)")
    assert ["absent"] == play.play(*DONE, "GcEval(1, 1)").look("eval_record 1 1")


def test_what_a_worker_still_has_is_collected_only_with_the_quirk() -> None:
    assert not Play(gc_deletions=1).play(*DONE[:-1]).can("GcEval(1, 1)")
    assert Play(profile=HASTY_COLLECTION.id, gc_deletions=1).play(*DONE[:-1]).can("GcEval(1, 1)")


def test_only_an_allocation_that_is_of_no_use_is_collected() -> None:
    play = Play(gc_deletions=1, reports=1, stops=1).play(*DONE)

    assert not play.can("GcAlloc(1, 1)")
    assert not play.play("FailAlloc(1, 1, 1)").can("GcAlloc(1, 1)")
    assert ["gone"] == play.play("StopJob(1)", "GcAlloc(1, 1)").look("alloc_phase 1 1")


def test_an_operator_deletes_what_waits_while_the_broker_is_paused() -> None:
    play = Play(gc_deletions=1, pauses=1)

    assert not play.can("DeleteEval(1, 1)")
    assert ["absent"] == play.play("PauseBroker", "DeleteEval(1, 1)").look("eval_record 1 1")


def test_a_dead_job_is_found_and_purged_without_an_evaluation() -> None:
    play = Play(gc_deletions=1, stops=1)

    assert not play.play(*DONE).can("FindJobEligibleForGc(1)")
    assert ["absent", 2] == play.play(*DEAD[len(DONE) :], "FindJobEligibleForGc(1)", "GcJob(1)").look(
        "job_phase 1", "made 1"
    )


def test_a_job_that_came_back_is_purged_only_with_the_quirk() -> None:
    calls = (*DEAD, "FindJobEligibleForGc(1)", "RegisterAgain(1)")
    sizes = {"gc_deletions": 1, "stops": 1, "returns": 1}
    mended = Play(INTENDED.name, **sizes).play(*calls)

    assert not mended.can("GcJob(1)")
    assert [False] == mended.play("SkipGcJob(1)").look("eligible_for_gc 1")
    assert ["absent"] == Play(HASTY_REAP.id, **sizes).play(*calls, "GcJob(1)").look("job_phase 1")
