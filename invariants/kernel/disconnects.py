"""What must be true of allocations on disconnected nodes: how long they are unknown, and who looks."""

from nomadspec.invariants.kernel.applier import list_plans
from nomadspec.invariants.kernel.worker import gets_snapshot
from nomadspec.model.kernel.broker import is_enqueued, is_system
from nomadspec.model.kernel.disconnects import is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId, NodeId, ServerId, WorkerId
from nomadspec.model.kernel.records import ClusterView, Snapshot
from nomadspec.model.kernel.scheduler import is_seen_disconnected, is_seen_heartbeating, is_seen_out_of_reach
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ENDED_BY_ITSELF,
    AllocPhase,
    DisconnectPhase,
    EvalRecord,
    InBroker,
    JobPhase,
    Stage,
)
from nomadspec.model.kernel.verdict import calls_unknown
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, for_all, implies, not_, one_of
from nomadspec.model.language.property import eventually, lemma, step


def is_unknown(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation is unknown."""
    return s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN


@step("WORKER-06", "ALLOC-12", why="work that is done must not be run again")
def snapshot_shows_completed_work(s: Kernel, n: Kernel, w: WorkerId, i: AllocNumber) -> Flag:
    """A snapshot shows work that is complete as complete, or as running still."""
    job = s.job[w]
    is_current = n.seen[w].alloc_version[i] == s.alloc_version[job, i]
    is_running = n.seen[w].occupies[job, i] != NONE
    is_complete = n.seen[w].disconnect_phase[i] == DisconnectPhase.COMPLETE
    is_shown = implies(
        s.alloc_phase[job, i] == AllocPhase.COMPLETE, all_of(is_current, is_running != is_complete)
    )
    return implies(gets_snapshot(s, n, w), is_shown)


def shows_disconnected(s: Kernel, view: Snapshot, job: JobId, i: AllocNumber) -> Flag:
    """True while a view shows an allocation on a disconnected node as running, or as out of reach."""
    node = view.occupies[job, i]
    is_out = all_of(
        s.alloc_phase[job, i] == AllocPhase.RUNNING, s.occupies[job, i] == node, s.disconnected[node]
    )
    return implies(is_out, any_of(view.node_up[node], is_seen_out_of_reach(view, i)))


@step("DISC-02", "WORKER-06", why="a worker that does not see an allocation as disconnected gives it up")
def workers_see_disconnected_allocs(s: Kernel, n: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A snapshot shows what runs on a disconnected node as running or out of reach, until its worker plans.

    One of a server that is behind may not, while the job is owed an evaluation for its node.
    """
    is_stale = exists(n.seen[w] == Snapshot.of(s.stale[o], j) for o in s.stale_servers)
    is_shown = any_of(shows_disconnected(s, n.seen[w], j, i), all_of(s.owed[j], is_stale))
    is_same = all_of(
        ClusterView.of(n.seen[w]) == ClusterView.of(s.seen[w]),
        implies(is_seen_out_of_reach(s.seen[w], i), is_seen_out_of_reach(n.seen[w], i)),
    )
    goes_on = all_of(s.stage[w] == Stage.PLANNING, n.stage[w] == Stage.PLANNING)
    return implies(
        s.job[w] == j, all_of(implies(gets_snapshot(s, n, w), is_shown), implies(goes_on, is_same))
    )


@step("DISC-02", "DISC-05", "WORKER-06", why="a disconnected allocation may come back in time")
def disconnected_alloc_is_not_stopped(
    s: Kernel, n: Kernel, w: WorkerId, j: JobId, i: AllocNumber, m: NodeId
) -> Flag:
    """No plan stops what runs on a disconnected node, unless for its job, version, migration or surplus.

    A node that the snapshot shows down may be disconnected by now, and what ran there counts as lost. Nothing
    is asked of plans of system jobs.
    """
    is_out = all_of(s.alloc_phase[j, i] == AllocPhase.RUNNING, s.occupies[j, i] == m, s.disconnected[m])
    is_shown = all_of(
        s.seen[w].occupies[j, i] == m, any_of(is_seen_heartbeating(s, w, m), is_seen_disconnected(s, w, i))
    )
    shown = s.seen[w]
    is_wanted = all_of(shown.job_phase == JobPhase.WANTED, not_(shown.migrate[i]))
    is_current = all_of(shown.alloc_version[i] == shown.job_version, shown.job_version == s.job_version[j])
    taken = count(s.seen[w].occupies[j, o] != NONE for o in s.allocs)
    is_needed = all_of(is_wanted, is_current, taken <= s.count, not_(is_system(s, j)))
    is_kept = implies(all_of(is_out, is_shown, is_needed), n.plan[w].stops[i] == NONE)
    has_planned = all_of(s.stage[w] == Stage.PLANNING, n.stage[w] == Stage.PLANNED)
    return implies(all_of(has_planned, s.job[w] == j), is_kept)


@eventually(
    "DISC-02",
    "DISC-11",
    "NODEST-08",
    why="an allocation that stays unknown for ever is neither replaced nor lost",
    given=is_unknown,
)
def unknown_allocs_reconnect_or_run_out_of_time(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """An allocation does not stay unknown with time left."""
    return any_of(not_(is_unknown(s, job, alloc)), s.is_late[job, alloc])


@step(
    "DISC-13",
    "TRIG-17",
    "FSM-23",
    "ALLOC-13",
    why="an allocation without its follow-up stays unknown past its lost_after",
)
def follow_up_is_called_off_only_with_its_last_alloc(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, e: EvalNumber
) -> Flag:
    """A follow-up that is not due yet is canceled only if no unknown allocation waits for it any more."""
    is_unknown = all_of(s.alloc_phase[j, i] == AllocPhase.UNKNOWN, n.alloc_phase[j, i] == AllocPhase.UNKNOWN)
    waits = all_of(is_unknown, s.follow_up[j, i] == e, n.follow_up[j, i] == e)
    is_canceled = all_of(
        s.eval_record[j, e] == EvalRecord.PENDING, n.eval_record[j, e] == EvalRecord.CANCELED
    )
    return not_(all_of(waits, is_canceled, s.in_broker[j, e] == InBroker.WAITING))


@step("DISC-05", "ALLOC-10", "PLAN-74", "EVAL-18", why="an allocation on a ready node needs no replacement")
def alloc_becomes_unknown_with_a_follow_up(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation becomes unknown on its node, with time left, by a plan of its job with a follow-up.

    System jobs have none.
    """
    becomes = all_of(s.alloc_phase[j, i] != AllocPhase.UNKNOWN, n.alloc_phase[j, i] == AllocPhase.UNKNOWN)
    stays = any_of(s.occupies[j, i] == NONE, n.occupies[j, i] == s.occupies[j, i])
    plans = exists(
        all_of(
            s.job[w] == j,
            s.stage[w] == Stage.PLANNING,
            s.holds[w],
            any_of(n.follow_up[j, i] != NONE, is_system(s, j)),
        )
        for w in s.workers
    )
    is_planned = any_of(all_of(plans, s.leading), is_written_unknown(s, j, i, n.follow_up[j, i]))
    return implies(becomes, all_of(stays, is_planned, not_(n.is_late[j, i])))


def is_written_unknown(s: Kernel, job: JobId, i: AllocNumber, follow_up: EvalNumber) -> Flag:
    """True while a plan or an entry writes an allocation as unknown, until a follow-up falls due."""
    return exists(
        all_of(
            owner == job,
            calls_unknown(plan, i),
            plan.follow_up[i] == follow_up,
            any_of(follow_up != NONE, is_system(s, job)),
        )
        for plan, owner in list_plans(s)
    )


@step(
    "DISC-05", "DISC-11", "TRIG-17", why="an unknown allocation has its lost_after until the follow-up is due"
)
def unknown_alloc_has_time_until_its_follow_up(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, e: EvalNumber
) -> Flag:
    """An unknown allocation's time is up as its follow-up falls due, or if that is gone."""
    is_up = all_of(not_(s.is_late[j, i]), n.is_late[j, i])
    waits = all_of(s.follow_up[j, i] == e, s.in_broker[j, e] == InBroker.WAITING)
    falls_due = n.in_broker[j, e] != InBroker.WAITING
    is_told = implies(all_of(waits, falls_due, is_enqueued(n, j, e)), n.is_late[j, i])
    return all_of(implies(all_of(is_up, waits), falls_due), is_told)


@step(
    "NODEST-09", "NODEST-20", "FSM-20", "ALLOC-13", why="only its client knows that an allocation runs again"
)
def alloc_reconnects_only_on_a_heartbeating_node(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId
) -> Flag:
    """An allocation reconnects, fails or completes only on a heartbeating node, and has no deadline then."""
    back = all_of(s.alloc_phase[j, i] == AllocPhase.UNKNOWN, n.alloc_phase[j, i] == AllocPhase.RUNNING)
    ended = one_of(n.alloc_phase[j, i], *ENDED_BY_ITSELF)
    is_said = all_of(n.alloc_phase[j, i] != s.alloc_phase[j, i], any_of(back, ended))
    is_cleared = all_of(n.follow_up[j, i] == NONE, not_(n.is_late[j, i]))
    return implies(all_of(is_said, s.occupies[j, i] == m), all_of(is_heartbeating(s, m), is_cleared))


# lemmas


@lemma("NODEST-08", "DISC-02", "DISC-05", "TRIG-17", why="only missed heartbeats disconnect a node")
def nothing_disconnects_without_missed_heartbeats(s: Kernel) -> Flag:
    """Until a node misses heartbeats none is disconnected, and nobody takes an allocation for unknown."""
    return any_of(
        all_of(s.disconnects > 0, s.disconnects_made > 0),
        all_of(
            for_all(not_(s.disconnected[m]) for m in s.nodes),
            for_all(s.follow_up[j, i] == NONE for j in s.jobs for i in s.allocs),
            for_all(s.alloc_phase[j, i] != AllocPhase.UNKNOWN for j in s.jobs for i in s.allocs),
            for_all(not_(is_seen_out_of_reach(s.seen[w], i)) for w in s.workers for i in s.allocs),
            for_all(
                not_(is_seen_out_of_reach(Snapshot.of(s.stale[o], j), i))
                for o in s.stale_servers
                for j in s.jobs
                for i in s.allocs
            ),
        ),
    )


@lemma("EVAL-17", "TRIG-17", why="what was not made falls due for nobody")
def follow_up_of_an_attempt_was_made(s: Kernel, w: WorkerId) -> Flag:
    """The follow-up that a worker shares among allocations is an evaluation of its job."""
    return implies(s.made_follow_up[w] != NONE, s.made_follow_up[w] < s.made[s.job[w]])


@lemma("DISC-02", "WORKER-06", why="a worker that does not see it as disconnected gives it up")
def usable_stale_servers_show_disconnected_allocs(s: Kernel, o: ServerId, j: JobId, i: AllocNumber) -> Flag:
    """Usable servers show what runs on a disconnected node as running, or as out of reach.

    That a node went down, and was disconnected since, is told to jobs that are there by an evaluation.
    """
    is_asked = all_of(s.stale_usable[o, j], not_(s.owed[j]))
    return implies(is_asked, shows_disconnected(s, Snapshot.of(s.stale[o], j), j, i))
