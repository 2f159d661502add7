"""What must be true of workers, their snapshots and their deliveries."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import holds_delivery, is_core, is_on, is_system
from nomadspec.model.kernel.leader import resume
from nomadspec.model.kernel.state import JobPhase, Kernel, Record, Stage
from nomadspec.model.kernel.worker import begin, begin_behind, is_with_applier
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.property import By, always, sometimes, step
from nomadspec.model.quirks import SURVIVING_PLAN


@step("WORKER-05", "WORKER-06", "EVAL-34", why="a plan made without the last one of its job would repeat it")
def snapshots_show_what_the_job_did(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the first snapshot of a delivery shows the job, and the allocations placed for it.

    That the collector has deleted the job meanwhile, it need not show.
    """
    if not by.is_(begin, begin_behind):
        return True
    worker, job = by["worker"], by["job"]
    is_reaped = all_of(s.collected > 0, s.job_phase[job] == JobPhase.ABSENT)
    is_same = all_of(n.seen_phase[worker] == s.job_phase[job], n.seen_version[worker] == s.job_version[job])
    shows_allocs = for_all(
        implies(s.occupies[job, i] != NONE, n.seen_occupies[worker, job, i] == s.occupies[job, i])
        for i in s.allocs
    )
    return all_of(any_of(is_reaped, is_same), shows_allocs)


@always(
    "WORKER-03", "WORKER-10", why="a worker that has let go of its delivery must not act on it", lemma=True
)
def idle_workers_have_nothing(s: Kernel) -> Value:
    """Say that exactly the idle workers have no evaluation, and that only they may have none."""
    return for_all(
        all_of(
            iff(s.stage[w] == Stage.IDLE, s.job[w] == NONE),
            iff(s.stage[w] == Stage.IDLE, s.number[w] == NONE),
            implies(s.stage[w] == Stage.IDLE, none_of(s.holds[w], s.requeued[w], s.unseen[w])),
        )
        for w in s.workers
    )


@step("WORKER-10", "PLAN-13", "BROKER-31", why="two deliveries would plan for the same instances")
def no_delivery_expires_while_its_plan_is_judged(s: Kernel, n: Kernel) -> Value:
    """Say that an evaluation is not taken back by the timer while the applier has a plan of it."""

    def is_taken_back(w: Id) -> Value:
        return all_of(is_with_applier(s, w), s.holds[w], not_(n.holds[w]), is_with_applier(n, w))

    return for_all(implies(is_on(n), not_(is_taken_back(w))) for w in s.workers)


@step("LEADER-02", "LEADER-04", "PLAN-14", why="what is put back would be planned beside its own plan")
def no_plan_outlives_a_pause(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- what it was is in s
    """Say that the broker goes on only once no plan that was made before is queued, judged or under way."""
    if not by.is_(resume):
        return True
    if s.has(SURVIVING_PLAN):
        return True
    with_applier = (Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING)
    return for_all(not_(one_of(s.stage[w], *with_applier)) for w in s.workers)


@always(
    "EVAL-10", "BROKER-07", "WORKER-05", why="a job that runs more often than asked takes what others need"
)
def jobs_get_no_surplus(s: Kernel) -> Value:
    """Say that no job has more allocations than it wants, unless nodes fall silent and come back."""
    has_enough = for_all(
        any_of(is_system(s, j), count(s.occupies[j, i] != NONE for i in s.allocs) <= s.count) for j in s.jobs
    )
    return any_of(s.silences > 0, has_enough)


@sometimes(
    "PLAN-90",
    "WORKER-10",
    why="a plan that is refused makes its worker look again",
    scopes=("strikes", "pipeline"),
)
def a_worker_plans_again(s: Kernel) -> Value:
    """Say that a worker plans again on newer state after a refusal."""
    return exists(all_of(s.stage[w] == Stage.PLANNING, s.tries[w] > 0) for w in s.workers)


@sometimes(
    "WORKER-06",
    why="snapshots matter only where the state moves on without them",
    scopes=("strikes", "pipeline"),
)
def a_snapshot_is_out_of_date(s: Kernel) -> Value:
    """Say that a worker plans by a snapshot in which some allocation of another job is missing."""
    return exists(
        all_of(
            s.stage[w] == Stage.PLANNING,
            s.job[w] != j,
            s.occupies[j, i] != NONE,
            s.seen_occupies[w, j, i] == NONE,
        )
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
    )


@sometimes(
    "WORKER-03",
    "GC-06",
    why="an error matters also before there is a snapshot, and core work needs none",
    scopes=("chores",),
)
def core_work_is_given_back(s: Kernel) -> Value:
    """Say that a worker is about to give back an evaluation of a core job."""
    return exists(
        all_of(s.stage[w] == Stage.FAILING, s.job[w] == j, is_core(s, j)) for w in s.workers for j in s.jobs
    )


@sometimes(
    "WORKER-03",
    "EVAL-37",
    why="an error matters also where there is a snapshot and no plan",
    scopes=("purge-limit",),
)
def an_attempt_is_given_up_before_its_plan(s: Kernel) -> Value:
    """Say that who has seen that a job is gone, and so has nothing to plan, is about to give it back.

    That it has missed an unblock shows that it had a snapshot.
    """

    def is_given_back(w: Id, j: Id, e: Id) -> Value:
        is_seen = all_of(s.job_phase[j] == JobPhase.ABSENT, s.record[j, e] == Record.PENDING)
        return all_of(s.stage[w] == Stage.FAILING, holds_delivery(s, w, j, e), s.unseen[w], is_seen)

    return exists(is_given_back(w, j, e) for w in s.workers for j in s.jobs for e in s.eval_numbers)
