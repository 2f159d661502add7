"""What must be true of allocations, and of what clients report of them."""

from nomadspec.invariants.kernel.jobs import find_newest_version
from nomadspec.model.kernel.blocked import concerns, has_snapshot, is_arriving, is_tracked
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ENDED_BY_ITSELF,
    TERMINAL_ALLOC,
    AllocPhase,
    EvalRecord,
    JobPhase,
    Kind,
    Stage,
    TriggeredBy,
)
from nomadspec.model.kernel.verdict import is_live, is_stored
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, lemma, sometimes, step


def is_running(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation was made, and is neither over nor unknown."""
    return s.alloc_phase[job, alloc] == AllocPhase.RUNNING


def is_over(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation has ended, or was deleted."""
    return one_of(s.alloc_phase[job, alloc], *TERMINAL_ALLOC, AllocPhase.GONE)


def has_more_allocs_than_count(s: Kernel, job: JobId) -> Flag:
    """True while more allocations of a job run than are wanted."""
    return count(is_running(s, job, i) for i in s.allocs) > s.count


@step(
    "ALLOC-02",
    "ALLOC-09",
    "PLAN-74",
    why="the room of a terminal allocation may have been given away, and work done twice",
)
def terminal_alloc_stays_terminal(s: Kernel, n: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """An allocation which has ended keeps how it ended until it is deleted: it never runs or ends again."""
    is_kept = one_of(n.alloc_phase[job, i], s.alloc_phase[job, i], AllocPhase.GONE)
    return implies(is_over(s, job, i), is_kept)


@sometimes(
    "TRIG-16c",
    "TRIG-17",
    why="sharing matters only where two wait for one",
    scopes=("shared", "awaited-twice"),
)
def unknown_allocations_share_a_follow_up(s: Kernel, job: JobId, i: AllocNumber, o: AllocNumber) -> Flag:
    """Two unknown allocations of a job wait for the same follow-up."""
    return all_of(i < o, s.follow_up[job, i] != NONE, s.follow_up[job, i] == s.follow_up[job, o])


@sometimes(
    "DISC-08", "DISC-05", why="an allocation that comes back meets its replacement", scopes=("disconnect",)
)
def an_allocation_and_its_replacement_run(s: Kernel) -> Flag:
    """More allocations of a job run than are wanted."""
    return exists(has_more_allocs_than_count(s, job) for job in s.jobs)


@sometimes("FSM-23", why="a follow-up can only be called off where there is one", scopes=("disconnect",))
def a_follow_up_is_canceled(s: Kernel) -> Flag:
    """The follow-up of an unknown allocation is canceled."""
    return exists(
        all_of(
            s.triggered_by[job, e] == TriggeredBy.MAX_DISCONNECT_TIMEOUT,
            s.eval_record[job, e] == EvalRecord.CANCELED,
        )
        for job in s.jobs
        for e in s.eval_numbers
    )


@sometimes(
    "ALLOC-09", "FSM-22", why="failures matter only where something fails", scopes=("batch", "disconnect")
)
def an_allocation_fails(s: Kernel) -> Flag:
    """An allocation has failed."""
    return exists(s.alloc_phase[job, i] == AllocPhase.FAILED for job in s.jobs for i in s.allocs)


@sometimes("ALLOC-12", "BATCH-03", why="work that is done must not be done again", scopes=("batch",))
def an_allocation_completes(s: Kernel) -> Flag:
    """An allocation is complete."""
    return exists(s.alloc_phase[job, i] == AllocPhase.COMPLETE for job in s.jobs for i in s.allocs)


@sometimes(
    "ALLOC-12",
    "BATCH-05",
    why="the next version of a job is other work, to be done anew",
    scopes=("done-before",),
)
def a_job_is_registered_anew_after_its_work(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """An allocation is complete of a version which is not the newest one of its job."""
    return all_of(
        s.alloc_phase[job, i] == AllocPhase.COMPLETE,
        s.job_phase[job] == JobPhase.WANTED,
        s.alloc_version[job, i] < s.job_version[job],
    )


@sometimes(
    "ALLOC-12",
    "PLAN-51",
    why="a plan does not know reports after its snapshot, and the applier does not look",
    scopes=("repeated",),
)
def work_is_done_before_its_plan_is_applied(s: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """A plan which places is queued for a job of which as many are complete as it wants."""

    def is_complete(job: JobId, i: AllocNumber) -> Flag:
        is_current = s.alloc_version[job, i] == s.job_version[job]
        return all_of(is_current, s.alloc_phase[job, i] == AllocPhase.COMPLETE)

    return all_of(
        s.job[worker] == job,
        s.stage[worker] == Stage.SUBMITTED,
        exists(s.plan[worker].to[k] != NONE for k in s.placements),
        count(is_complete(job, i) for i in s.allocs) >= s.count,
    )


@step("GENERIC-55", "PLAN-74", "GENERIC-54", why="an allocation that moves loses what it has on its node")
def live_alloc_keeps_its_node(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that keeps running does so on its node, and in no older version."""
    return implies(
        all_of(s.occupies[j, i] != NONE, n.occupies[j, i] != NONE),
        all_of(n.occupies[j, i] == s.occupies[j, i], n.alloc_version[j, i] >= s.alloc_version[j, i]),
    )


@always("JOB-07", "PLAN-15", why="an allocation cannot run a version that was never registered")
def alloc_version_was_registered(s: Kernel) -> Flag:
    """No allocation has a version that its job never had."""
    return for_all(s.alloc_version[j, i] <= find_newest_version(s, j) for j in s.jobs for i in s.allocs)


@step("ALLOC-09", "ALLOC-12", "ALLOC-14", "FSM-22", why="clients report an end once")
def reported_alloc_has_ended(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """A client reports ends only of allocations that no longer run, and of each that ended by itself.

    None but the failure of an allocation, unless of a system job, makes an evaluation.
    """
    is_new = all_of(n.is_reported[j, i], not_(s.is_reported[j, i]))
    runs = any_of(n.alloc_phase[j, i] == AllocPhase.ABSENT, is_live(n, j, i))
    by_itself = one_of(n.alloc_phase[j, i], *ENDED_BY_ITSELF)
    is_to_replace = all_of(n.alloc_phase[j, i] == AllocPhase.FAILED, not_(is_system(s, j)))
    return all_of(
        implies(is_new, all_of(not_(runs), any_of(n.made[j] == s.made[j], is_to_replace))),
        implies(all_of(by_itself, n.alloc_phase[j, i] != s.alloc_phase[j, i]), n.is_reported[j, i]),
    )


@step("FSM-03", "BLOCKED-40", "ALLOC-14", why="blocked evaluations wait for it")
def new_capacity_unblocks_evals(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Room that comes free leaves no evaluation tracked that could use it."""
    return implies(gets_new_capacity(s, n, j), not_(is_tracked(n, j, e)))


def gets_new_capacity(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """True where a step frees room that a job could use: an allocation ends, or a node can be used again."""
    ended = exists(
        all_of(
            n.is_reported[k, i],
            not_(s.is_reported[k, i]),
            any_of(s.occupies[k, i] == NONE, concerns_node(s, job, s.occupies[k, i])),
        )
        for k in s.jobs
        for i in s.allocs
    )
    return any_of(ended, exists(all_of(is_opened(s, n, m), concerns(s, job, m)) for m in s.nodes))


def concerns_node(s: Kernel, job: JobId, node: NodeId) -> Flag:
    """True while capacity on a node matters to a job."""
    return exists(all_of(node == m, concerns(s, job, m)) for m in s.nodes)


@step("BLOCKED-30", "BLOCKED-40", "EVAL-12", why="what was planned without it must look again")
def freed_capacity_is_noted_by_evals_in_progress(s: Kernel, n: Kernel, j: JobId) -> Flag:
    """Workers, servers that are behind and evaluations about to block note that room came free."""
    is_noted = all_of(
        for_all(implies(all_of(has_snapshot(s, w), s.job[w] == j), n.unseen_unblock[w]) for w in s.workers),
        for_all(n.stale_unseen_unblock[f, j] for f in s.stale_servers),
        for_all(
            implies(all_of(is_arriving(s, j, e), is_arriving(n, j, e)), n.missed_unblock[j, e])
            for e in s.eval_numbers
        ),
    )
    return implies(gets_new_capacity(s, n, j), is_noted)


def is_opened(s: Kernel, n: Kernel, node: NodeId) -> Flag:
    """True where a step makes a node ready and eligible."""
    return all_of(n.node_up[node], n.eligible[node], not_(all_of(s.node_up[node], s.eligible[node])))


# lemmas


@lemma("ALLOC-02", "PLAN-53", why="what is not terminal is counted against its node")
def terminal_allocs_take_no_capacity(s: Kernel) -> Flag:
    """An allocation takes capacity exactly while it is live."""
    return for_all(iff(s.occupies[job, i] != NONE, is_live(s, job, i)) for job in s.jobs for i in s.allocs)


@lemma("GENERIC-35", why="numbers not given out name nothing")
def allocations_are_numbered(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """Only numbers that were given out have a record."""
    return implies(s.alloc_phase[job, i] != AllocPhase.ABSENT, i < s.alloc_made[job])


@lemma(
    "GC-91",
    "GC-96",
    "OBJ-048",
    why="what was said of an allocation that is gone must not be said of the next",
)
def deleted_allocations_leave_nothing(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that was not made, or was deleted, has no version, node, mark, follow-up or deadline."""
    is_blank = all_of(s.alloc_version[j, i] == 0, not_(s.migrate[j, i]), s.occupies[j, i] == NONE)
    says_nothing = all_of(is_blank, s.follow_up[j, i] == NONE, not_(s.is_late[j, i]))
    return implies(not_(is_stored(s, j, i)), says_nothing)


@lemma("DISC-05", "TRIG-17", "FSM-23", why="a deadline is for those who are out of reach")
def only_unknown_allocs_have_a_deadline(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that runs waits for no follow-up, and has used up no time that it has while unknown."""
    has_none = all_of(not_(s.is_late[j, i]), s.follow_up[j, i] == NONE)
    return implies(is_running(s, j, i), has_none)


@lemma("ALLOC-12", "GC-21", why="garbage collection keeps finished work")
def only_batch_jobs_have_complete_allocs(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that is complete is of a batch job."""
    return implies(
        s.alloc_phase[j, i] == AllocPhase.COMPLETE, all_of(s.kinds >= Kind.BATCH, s.kind[j] == Kind.BATCH)
    )


@lemma("ALLOC-09", "ALLOC-14", why="it would free room twice")
def end_of_a_running_alloc_is_not_reported(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """The client of an allocation that is to be made, runs or is unknown has not reported its end."""
    return implies(
        any_of(s.alloc_phase[j, i] == AllocPhase.ABSENT, is_live(s, j, i)), not_(s.is_reported[j, i])
    )
