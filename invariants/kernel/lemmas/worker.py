"""Lemmas about workers, their plans and their attempts."""

from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.ids import EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import WITH_APPLIER, Stage, TriggeredBy
from nomadspec.model.kernel.worker import limit_of
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, iff, implies, none_of, not_, one_of
from nomadspec.model.language.property import always


@always(
    "WORKER-03", "WORKER-10", why="who has let go of a delivery must not act", lemma=True, w=Kernel.workers
)
def idle_workers_have_nothing(s: Kernel, w: WorkerId) -> Flag:
    """Exactly the idle workers have no evaluation, and these have no token, requeue or unblock left."""
    return all_of(
        iff(s.stage[w] == Stage.IDLE, s.job[w] == NONE),
        iff(s.stage[w] == Stage.IDLE, s.number[w] == NONE),
        implies(s.stage[w] == Stage.IDLE, none_of(s.holds[w], s.requeued[w], s.unseen_unblock[w])),
    )


_TRYING = (Stage.PLANNING, Stage.PLANNED, *WITH_APPLIER, Stage.REFUSED)


@always(
    "PLAN-90", "PLAN-91", why="without one it must not be sent back to plan", lemma=True, w=Kernel.workers
)
def planning_worker_has_an_attempt_left(s: Kernel, w: WorkerId) -> Flag:
    """A delivery begins with all its attempts, and its worker plans only while it has one left."""
    return all_of(
        implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), s.tries[w] == 0),
        implies(one_of(s.stage[w], *_TRYING), s.tries[w] < limit_of(s, w)),
    )


@always("PLAN-15", "PLAN-71", "JOB-07", why="a version that was not registered could not be run", lemma=True)
def only_registered_versions_are_planned(s: Kernel) -> Flag:
    """No snapshot, plan or entry has a version that is yet to come, unless jobs were deleted.

    And garbage collection finds no job eligible where it may delete nothing.
    """
    is_seen = for_all(
        all_of(s.seen[w].job.version <= s.job_version[s.job[w]], s.plan[w].version <= s.job_version[s.job[w]])
        for w in s.workers
    )
    is_sent = for_all(s.entry[f].version <= s.job_version[s.entry[f].job] for f in s.entries)
    is_known = for_all(
        s.stale[f].jobs[j].version <= s.job_version[j] for f in s.stale_servers for j in s.jobs
    )
    is_kept = for_all(not_(s.eligible_for_gc[j]) for j in s.jobs)
    is_registered = any_of(s.purged > 0, s.gc_deletions_made > 0, all_of(is_seen, is_sent, is_known))
    return all_of(is_registered, any_of(s.gc_deletions_made > 0, is_kept))


def plans_nothing(s: Kernel, worker: WorkerId) -> Flag:
    """True while a worker has no plan."""
    return all_of(s.plan[worker].is_clear(), not_(s.is_partial[worker]))


@always(
    "EVAL-13",
    "EVAL-15",
    why="an evaluation for a node is woken by that node, and any other by all nodes",
    lemma=True,
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def only_system_jobs_wait_for_a_node(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation is for a node exactly if it was made for what a system job lacks there."""
    return iff(s.at[j, e] != NONE, all_of(s.triggered_by[j, e] == TriggeredBy.QUEUED_ALLOCS, is_system(s, j)))


@always(
    "WORKER-03", "EVAL-13", "EVAL-36", why="what is left of one delivery must not decide the next", lemma=True
)
def deliveries_begin_afresh(s: Kernel) -> Flag:
    """A worker that has nothing, or has just taken something, remembers nothing of an attempt."""

    def remembers_nothing(w: WorkerId) -> Flag:
        return none_of(s.made_blocked[w], s.is_short[w], s.unseen_unblock[w], s.is_newer[w], s.awaits[w])

    return all_of(
        for_all(
            implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), remembers_nothing(w)) for w in s.workers
        ),
        for_all(implies(s.stage[w] == Stage.IDLE, not_(s.was_blocked[w])) for w in s.workers),
    )


@always(
    "PLAN-03", "PLAN-92", "WORKER-10", why="what one attempt leaves must not come with the next", lemma=True
)
def attempts_begin_without_a_plan(s: Kernel) -> Flag:
    """A worker has no plan before it has planned, and none once it has an answer."""
    before = (Stage.IDLE, Stage.TAKEN, Stage.PLANNING)
    after = (Stage.REFUSED, Stage.DECIDED, Stage.EXHAUSTED, Stage.ACKING)
    return for_all(implies(one_of(s.stage[w], *before, *after), plans_nothing(s, w)) for w in s.workers)


@always("WORKER-06", "EVAL-34", why="an allocation that is not seen is placed once more", lemma=True)
def worker_sees_running_allocs_of_its_job(s: Kernel) -> Flag:
    """A worker that plans under a valid token sees each allocation of its job that runs."""
    return for_all(
        implies(
            all_of(s.holds[w], s.stage[w] == Stage.PLANNING, s.job[w] == j, s.occupies[j, i] != NONE),
            s.seen[w].occupies[j, i] == s.occupies[j, i],
        )
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
    )
