"""What must be true of workers, their snapshots and their deliveries."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import is_on, is_system
from nomadspec.model.kernel.state import JobPhase, Kernel, Stage
from nomadspec.model.kernel.worker import begin, begin_behind, is_with_applier
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, iff, implies, none_of, not_
from nomadspec.model.property import By, always, sometimes, step


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
