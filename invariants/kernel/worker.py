"""What must be true of workers: their snapshots, their tokens, and what they leave behind."""

from nomadspec.invariants.kernel.applier import list_plans
from nomadspec.invariants.kernel.bounds import has_lost_its_last_eval
from nomadspec.invariants.kernel.broker import is_at, is_blocked
from nomadspec.invariants.kernel.jobs import find_newest_version, is_gone
from nomadspec.invariants.kernel.phases import is_enqueued
from nomadspec.model.kernel.broker import (
    holds_delivery,
    is_batch_type,
    is_core,
    is_made_blocked,
    is_on,
    is_system,
)
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.records import ClusterView, Snapshot
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    WITH_APPLIER,
    AllocPhase,
    DisconnectPhase,
    EvalRecord,
    InBroker,
    JobPhase,
    Stage,
    TriggeredBy,
)
from nomadspec.model.kernel.worker import limit_of, makes_plans
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    exists,
    for_all,
    iff,
    implies,
    ite,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.language.property import lemma, sometimes, step


@step(
    "EVAL-37",
    "EVAL-39",
    "EVAL-40",
    "LEADER-21",
    "PLAN-90",
    "PLAN-97",
    why="its job is not placed, though it could be",
)
def eval_fails_only_with_its_attempts_or_deliveries_used_up(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber
) -> Flag:
    """An evaluation fails only with its attempts or deliveries used up, or if its trigger is not handled.

    One that used up its deliveries, or whose trigger is not handled, completes only if its job is deleted.
    """
    limit = ite(is_batch_type(s, j), s.batch_attempts, s.attempts)
    is_in_vain = exists(all_of(holds_delivery(s, w, j, e), s.tries[w] >= limit) for w in s.workers)
    is_unhandled = s.triggered_by[j, e] == TriggeredBy.UNHANDLED_TRIGGER
    must_fail = any_of(is_at(InBroker.FAILED, s, j, e), is_unhandled)
    return any_of(
        n.eval_record[j, e] == s.eval_record[j, e],
        all_of(
            implies(n.eval_record[j, e] == EvalRecord.FAILED, any_of(is_in_vain, must_fail)),
            implies(n.eval_record[j, e] == EvalRecord.COMPLETE, any_of(not_(must_fail), is_gone(n, j))),
        ),
    )


@sometimes("EVAL-37", why="that records stay matters only once some have ended")
def an_evaluation_completes(s: Kernel) -> Flag:
    """The record of an evaluation is complete."""
    return exists(s.eval_record[j, e] == EvalRecord.COMPLETE for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "EVAL-13",
    "EVAL-45",
    why="siblings are canceled only where some are blocked",
    scopes=("duplicates", "pause"),
)
def a_blocked_sibling_is_canceled(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """An evaluation is complete, and one that was made blocked is canceled."""
    return all_of(
        s.eval_record[j, e] == EvalRecord.COMPLETE,
        s.eval_record[j, o] == EvalRecord.CANCELED,
        is_made_blocked(s, j, o),
    )


@sometimes("EVAL-39", why="triggers matter only where one is not handled", scopes=("unhandled-triggers",))
def an_eval_with_unhandled_trigger_fails(s: Kernel) -> Flag:
    """An evaluation has failed whose trigger its scheduler does not handle."""
    return exists(
        all_of(
            s.eval_record[j, e] == EvalRecord.FAILED, s.triggered_by[j, e] == TriggeredBy.UNHANDLED_TRIGGER
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@sometimes(
    "EVAL-14", why="plans that keep failing leave a blocked evaluation behind", scopes=("types", "redelivery")
)
def plan_attempts_are_used_up(s: Kernel) -> Flag:
    """An evaluation is blocked because the plans of another one failed."""
    return exists(
        all_of(is_blocked(s, j, e), s.triggered_by[j, e] == TriggeredBy.MAX_PLAN_ATTEMPTS)
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("WORKER-10", "PLAN-13", "BROKER-31", why="two deliveries would make the same plan")
def no_delivery_expires_while_its_plan_is_judged(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """An evaluation is not taken back by the timer while the applier has a plan of it."""
    is_taken_back = all_of(is_with_applier(s, w), s.holds[w], not_(n.holds[w]), is_with_applier(n, w))
    return implies(is_on(n), not_(is_taken_back))


@sometimes(
    "PLAN-90", "WORKER-10", why="only a rejected plan is made again", scopes=("plan-rejections", "pipeline")
)
def a_worker_plans_again(s: Kernel) -> Flag:
    """A worker plans again on newer state after a rejection."""
    return exists(all_of(s.stage[w] == Stage.PLANNING, s.tries[w] > 0) for w in s.workers)


@sometimes(
    "WORKER-06",
    why="snapshots matter only where the state moves on without them",
    scopes=("plan-rejections", "pipeline"),
)
def a_snapshot_is_out_of_date(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A worker plans by a snapshot in which some allocation of another job is missing."""
    return all_of(
        s.stage[w] == Stage.PLANNING,
        s.job[w] != j,
        s.occupies[j, i] != NONE,
        s.seen[w].occupies[j, i] == NONE,
    )


@sometimes(
    "WORKER-03", "GC-06", why="core evaluations need no snapshot, but can fail too", scopes=("core-evals",)
)
def a_core_eval_is_nacked(s: Kernel) -> Flag:
    """A worker is about to give back an evaluation of a core job."""
    return exists(
        all_of(s.stage[w] == Stage.FAILING, s.job[w] == j, is_core(s, j)) for w in s.workers for j in s.jobs
    )


@sometimes(
    "WORKER-03",
    "EVAL-37",
    why="an error matters also where there is a snapshot and no plan",
    scopes=("purge-limit",),
)
def an_attempt_fails_before_its_plan(s: Kernel, w: WorkerId, j: JobId, e: EvalNumber) -> Flag:
    """A worker that has seen its job gone, and so has nothing to plan, is about to nack.

    That it has missed an unblock shows that it had a snapshot.
    """
    is_seen = all_of(s.job_phase[j] == JobPhase.ABSENT, s.eval_record[j, e] == EvalRecord.PENDING)
    return all_of(s.stage[w] == Stage.FAILING, holds_delivery(s, w, j, e), s.unseen_unblock[w], is_seen)


def shows_job(s: Kernel, view: Snapshot, job: JobId) -> Flag:
    """True while a view shows a job as it is, or before its collection, and each allocation that runs."""
    is_reaped = all_of(s.gc_deletions_made > 0, s.job_phase[job] == JobPhase.ABSENT)
    is_same = all_of(view.job_phase == s.job_phase[job], view.job_version == s.job_version[job])
    shows_allocs = for_all(
        implies(s.occupies[job, i] != NONE, view.occupies[job, i] == s.occupies[job, i]) for i in s.allocs
    )
    return all_of(any_of(is_reaped, is_same), shows_allocs)


def shows_completed(s: Kernel, view: Snapshot, job: JobId, i: AllocNumber) -> Flag:
    """True while a view shows work that is complete as complete, or as running still."""
    is_current = view.alloc_version[i] == s.alloc_version[job, i]
    is_running = view.occupies[job, i] != NONE
    is_complete = view.disconnect_phase[i] == DisconnectPhase.COMPLETE
    is_shown = all_of(is_current, iff(is_running, not_(is_complete)))
    return implies(s.alloc_phase[job, i] == AllocPhase.COMPLETE, is_shown)


@step("WORKER-05", "WORKER-06", "ALLOC-12", "EVAL-34", why="a plan would be repeated, and work done again")
def snapshot_shows_work_of_earlier_evals(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A worker's snapshot shows its job, the allocations placed for it, and what of its work is complete.

    That the job was collected meanwhile, it need not show.
    """
    is_done = for_all(shows_completed(s, n.seen[w], j, i) for i in s.allocs)
    is_shown = all_of(shows_job(s, n.seen[w], j), is_done)
    return implies(all_of(gets_snapshot(s, n, w), s.job[w] == j), is_shown)


def gets_snapshot(s: Kernel, n: Kernel, worker: WorkerId) -> Flag:
    """True where a worker gets a snapshot."""
    return all_of(n.stage[worker] == Stage.PLANNING, s.stage[worker] != Stage.PLANNING)


@step("PLAN-80", "PLAN-95", "WORKER-10", why="the old state would give the same plan")
def next_attempt_sees_the_newest_state(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """A worker whose plan was rejected plans again by the state of now, once that has come."""
    is_newest = all_of(ClusterView.of(n.seen[w]) == ClusterView.of(s), not_(s.awaits[w]))
    return implies(all_of(s.stage[w] == Stage.REJECTED, n.stage[w] == Stage.PLANNING), is_newest)


@step(
    "PLAN-13", "PLAN-15", "PLAN-71", "JOB-07", why="the next version may not fit, and would count as deployed"
)
def alloc_gets_the_version_it_was_planned_for(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """A plan keeps its version until it is answered, and what is placed or updated gets that of its plan."""

    def is_right(j: JobId, i: AllocNumber) -> Flag:
        version = n.alloc_version[j, i]
        is_new = any_of(s.alloc_phase[j, i] == AllocPhase.ABSENT, version != s.alloc_version[j, i])
        is_planned = exists(all_of(job == j, plan.version == version) for plan, job in list_plans(s))
        return implies(all_of(n.occupies[j, i] != NONE, is_new), is_planned)

    has_plan = all_of(one_of(s.stage[w], Stage.PLANNED, *WITH_APPLIER), is_with_applier(n, w))
    is_kept = implies(has_plan, n.plan[w].version == s.plan[w].version)
    return all_of(is_kept, for_all(is_right(j, i) for j in s.jobs for i in s.allocs))


@step("PLAN-13", "EVAL-37", "JOB-13", why="errors would fail the evaluation")
def plan_of_purged_job_is_no_error(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """Submitting a plan under a valid token is no error, whatever became of its job."""
    is_given_back = all_of(s.stage[w] == Stage.PLANNED, n.stage[w] == Stage.FAILING, n.erred == s.erred)
    return not_(all_of(is_given_back, s.leading, s.holds[w]))


@step(
    "EVAL-12", "EVAL-13", "EVAL-36", "WORKER-30", why="an allocation without room needs a blocked evaluation"
)
def eval_that_fell_short_leaves_a_blocked_one(s: Kernel, n: Kernel) -> Flag:
    """A worker that fell short or used up its attempts leaves its wanted job a blocked evaluation.

    It may have been unblocked already; and an operator may have deleted the last one of the job.
    """

    def is_done(w: WorkerId, j: JobId) -> Flag:
        ends = all_of(one_of(s.stage[w], Stage.DECIDED, Stage.EXHAUSTED), n.stage[w] == Stage.ACKING)
        fell_short = any_of(s.is_short[w], s.stage[w] == Stage.EXHAUSTED)
        return all_of(s.job[w] == j, ends, fell_short, s.job_phase[j] == JobPhase.WANTED)

    def waits(j: JobId) -> Flag:
        is_offered = all_of(is_made_blocked_any(n, j), is_on(n))
        return any_of(exists(n.eval_record[j, e] == EvalRecord.BLOCKED for e in s.eval_numbers), is_offered)

    return for_all(
        implies(is_done(w, j), any_of(waits(j), has_lost_its_last_eval(s, j)))
        for w in s.workers
        for j in s.jobs
    )


def is_made_blocked_any(s: Kernel, job: JobId) -> Flag:
    """True while the broker has an evaluation of the job that was made blocked and woken since."""
    return exists(all_of(is_made_blocked(s, job, e), is_enqueued(s, job, e)) for e in s.eval_numbers)


# lemmas


@lemma("WORKER-03", "WORKER-10", why="who has let go of a delivery must not act")
def idle_workers_have_nothing(s: Kernel, w: WorkerId) -> Flag:
    """Exactly the idle workers have no evaluation, and these have no token, requeue or unblock left."""
    return all_of(
        iff(s.stage[w] == Stage.IDLE, s.job[w] == NONE),
        iff(s.stage[w] == Stage.IDLE, s.number[w] == NONE),
        implies(s.stage[w] == Stage.IDLE, none_of(s.holds[w], s.requeued[w], s.unseen_unblock[w])),
    )


_TRYING = (Stage.PLANNING, Stage.PLANNED, *WITH_APPLIER, Stage.REJECTED)


@lemma("PLAN-90", "PLAN-91", why="without one it must not be sent back to plan")
def planning_worker_has_an_attempt_left(s: Kernel, w: WorkerId) -> Flag:
    """A delivery begins with all its attempts; its worker plans while one is left, and fails it with none."""
    return all_of(
        implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), s.tries[w] == 0),
        implies(one_of(s.stage[w], *_TRYING), s.tries[w] < limit_of(s, w)),
        implies(s.stage[w] == Stage.EXHAUSTED, s.tries[w] >= limit_of(s, w)),
    )


@lemma("EVAL-37", "EVAL-39", "GC-01", why="a scheduler must not guess what an unknown trigger means")
def only_handled_evals_are_planned(s: Kernel, w: WorkerId, j: JobId) -> Flag:
    """No worker plans for a core job, or for an evaluation whose trigger its scheduler does not handle."""
    is_planned = not_(one_of(s.stage[w], Stage.TAKEN, Stage.ACKING, Stage.FAILING))
    return implies(all_of(s.job[w] == j, is_planned), makes_plans(s, w, j))


@lemma("PLAN-15", "PLAN-71", "JOB-07", why="a version that was not registered could not be run")
def only_registered_versions_are_planned(s: Kernel) -> Flag:
    """No job, snapshot, plan or entry has a version that is yet to come."""

    def is_planned(w: WorkerId) -> Flag:
        newest = ite(s.job[w] == NONE, 0, find_newest_version(s, s.job[w]))
        return all_of(s.seen[w].job_version <= newest, s.plan[w].version <= newest)

    return all_of(
        for_all(s.job_version[j] <= s.updated for j in s.jobs),
        for_all(is_planned(w) for w in s.workers),
        for_all(s.entry[f].version <= find_newest_version(s, s.entry[f].job) for f in s.entries),
        for_all(
            s.stale[f].job_version[j] <= find_newest_version(s, j) for f in s.stale_servers for j in s.jobs
        ),
    )


def plans_nothing(s: Kernel, worker: WorkerId) -> Flag:
    """True while a worker has no plan."""
    return all_of(s.plan[worker].is_clear(), not_(s.is_partial[worker]))


@lemma("EVAL-13", "EVAL-15", why="an evaluation for a node is woken by that node, and any other by all nodes")
def only_system_jobs_wait_for_a_node(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation is for a node exactly if it was made for what a system job lacks there."""
    return iff(s.at[j, e] != NONE, all_of(s.triggered_by[j, e] == TriggeredBy.QUEUED_ALLOCS, is_system(s, j)))


@lemma("WORKER-03", "EVAL-13", "EVAL-36", why="what is left of one delivery must not decide the next")
def deliveries_begin_afresh(s: Kernel, w: WorkerId) -> Flag:
    """A worker that has nothing, or has just taken something, remembers nothing of an attempt."""
    begins = one_of(s.stage[w], Stage.IDLE, Stage.TAKEN)
    is_new = none_of(s.made_blocked[w], s.is_short[w], s.unseen_unblock[w], s.is_newer[w], s.awaits[w])
    return all_of(implies(begins, is_new), implies(s.stage[w] == Stage.IDLE, not_(s.was_blocked[w])))


@lemma("PLAN-03", "PLAN-92", "WORKER-10", why="what one attempt leaves must not come with the next")
def attempts_begin_without_a_plan(s: Kernel) -> Flag:
    """A worker has no plan before it has planned, and none once it has an answer."""
    before = (Stage.IDLE, Stage.TAKEN, Stage.PLANNING)
    after = (Stage.REJECTED, Stage.DECIDED, Stage.EXHAUSTED, Stage.ACKING)
    return for_all(implies(one_of(s.stage[w], *before, *after), plans_nothing(s, w)) for w in s.workers)


@lemma("WORKER-06", "EVAL-34", why="an allocation that is not seen is placed once more")
def worker_sees_running_allocs_of_its_job(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A worker that plans under a valid token sees each allocation of its job that runs."""
    plans = all_of(s.holds[w], s.stage[w] == Stage.PLANNING, s.job[w] == j)
    return implies(all_of(plans, s.occupies[j, i] != NONE), s.seen[w].occupies[j, i] == s.occupies[j, i])
