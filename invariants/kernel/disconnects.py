"""What must be true of allocations on disconnected nodes: how long they are unknown, and who looks."""

from nomadspec.invariants.kernel.bounds import may_go_unevaluated
from nomadspec.invariants.kernel.phases import is_enqueued
from nomadspec.invariants.kernel.worker import gets_snapshot
from nomadspec.model.kernel.broker import is_system, next_number
from nomadspec.model.kernel.disconnects import is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId, NodeId, ServerId, WorkerId
from nomadspec.model.kernel.records import ClusterView, Snapshot
from nomadspec.model.kernel.scheduler import is_seen_out_of_reach
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ENDED_BY_ITSELF,
    AllocPhase,
    DisconnectPhase,
    EvalRecord,
    InBroker,
    Stage,
    TriggeredBy,
)
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies, not_, one_of
from nomadspec.model.language.property import always, eventually, lemma, step


def is_unknown(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation is unknown."""
    return s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN


def shows_disconnected(s: Kernel, view: Snapshot, job: JobId, i: AllocNumber) -> Flag:
    """True while a view shows what is on a disconnected node as running, or as out of reach.

    Nothing on a node that it shows ready is newly so.
    """
    node = view.occupies[job, i]
    is_out = all_of(
        s.alloc_phase[job, i] == AllocPhase.RUNNING, s.occupies[job, i] == node, s.disconnected[node]
    )
    is_new = view.disconnect_phase[i] == DisconnectPhase.NEWLY_DISCONNECTED
    is_seen = implies(is_out, any_of(view.node_up[node], is_seen_out_of_reach(view, i)))
    return all_of(is_seen, implies(is_new, not_(view.node_up[node])))


@step("DISC-02", "WORKER-06", why="a worker that does not see an allocation as disconnected gives it up")
def workers_see_disconnected_allocs(s: Kernel, n: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A snapshot shows what runs on a disconnected node as running or out of reach, until its worker plans.

    One of a server that is behind may not, while the job is owed an evaluation for its node. None shows as
    newly out of reach what is on a node that it shows ready.
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


@eventually(
    "ALLOC-10",
    "DISC-02",
    "DISC-11",
    "NODEST-08",
    "TRIG-17",
    why="an allocation that stays unknown keeps room that no job can use",
    given=is_unknown,
)
def unknown_allocations_are_settled(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """An unknown allocation reconnects or ends, or its time is up and nobody evaluates its job any more."""
    is_given_up = all_of(s.is_late[job, alloc], may_go_unevaluated(s, job))
    return any_of(not_(is_unknown(s, job, alloc)), is_given_up)


@always("ALLOC-10", "DISC-05", "EVAL-18", "PLAN-74", why="nobody would look when its lost_after is over")
def unknown_alloc_has_a_follow_up(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """An unknown allocation has a follow-up that was made, unless its job is a system job."""
    follow_up = s.follow_up[job, alloc]
    has_one = all_of(follow_up != NONE, follow_up < s.made[job])
    return implies(is_unknown(s, job, alloc), any_of(is_system(s, job), has_one))


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


@step(
    "DISC-05", "DISC-11", "TRIG-17", why="an unknown allocation has its lost_after until the follow-up is due"
)
def unknown_alloc_has_time_until_its_follow_up(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, e: EvalNumber
) -> Flag:
    """An unknown allocation's time is up as its follow-up falls due, or if that is gone."""
    is_up = all_of(not_(s.is_late[j, i]), n.is_late[j, i])
    is_waiting = all_of(n.follow_up[j, i] == e, n.in_broker[j, e] == InBroker.WAITING)
    was_waiting = all_of(s.follow_up[j, i] == e, s.in_broker[j, e] == InBroker.WAITING)
    is_told = implies(all_of(was_waiting, is_enqueued(n, j, e)), n.is_late[j, i])
    return all_of(implies(is_up, not_(is_waiting)), is_told)


@step("EVAL-17", "TRIG-17", "DISC-05", why="an evaluation for which nothing waits is made in vain")
def follow_up_is_made_for_an_alloc(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A follow-up is made by a worker that sees an allocation out of reach, or whose plan lets one wait."""
    is_late = n.triggered_by[j, e] == TriggeredBy.MAX_DISCONNECT_TIMEOUT
    is_made = all_of(e == next_number(s, j), n.made[j] > s.made[j], is_late)
    is_for_one = exists(
        all_of(s.job[w] == j, any_of(is_seen_out_of_reach(s.seen[w], i), n.plan[w].follow_up[i] == e))
        for w in s.workers
        for i in s.allocs
    )
    return implies(is_made, is_for_one)


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
