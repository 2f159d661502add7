"""Lemmas about disconnected nodes."""

from nomadspec.invariants.kernel.bounds import has_lost_no_node
from nomadspec.model.kernel.disconnects import NEWLY_DISCONNECTED, STILL_DISCONNECTED
from nomadspec.model.kernel.ids import JobId, ServerId, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, Stage
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies, not_, one_of
from nomadspec.model.language.property import always


@always("NODEST-08", "DISC-02", why="a node is out of reach only after it missed its heartbeats", lemma=True)
def no_node_disconnects_without_missed_heartbeats(s: Kernel) -> Value:
    """No node is disconnected in a scope without disconnects."""
    return any_of(s.disconnects > 0, for_all(not_(s.disconnected[node]) for node in s.nodes))


@always("NODEST-08", "DISC-02", why="a snapshot shows as out of reach what was disconnected", lemma=True)
def no_alloc_seems_disconnected_without_missed_heartbeats(s: Kernel) -> Value:
    """Neither workers nor servers behind see an allocation on a disconnected node in such a scope."""
    by_workers = for_all(
        s.seen[worker].job.disconnect_phase[alloc] != NEWLY_DISCONNECTED
        for worker in s.workers
        for alloc in s.allocs
    )
    by_servers = for_all(
        s.stale[server].jobs[job].disconnect_phase[alloc] != NEWLY_DISCONNECTED
        for server in s.stale_servers
        for job in s.jobs
        for alloc in s.allocs
    )
    return any_of(s.disconnects > 0, all_of(by_workers, by_servers))


@always("EVAL-17", "TRIG-17", why="a follow-up that was not made falls due for nobody", lemma=True)
def follow_up_of_an_attempt_was_made(s: Kernel) -> Value:
    """The follow-up that a worker shares among allocations is an evaluation of its job."""

    def was_made(w: WorkerId) -> Value:
        return all_of(s.marking[w] <= s.made[s.job[w]], s.marking[w] <= s.evals)

    return for_all(any_of(s.marking[w] == 0, was_made(w)) for w in s.workers)


@always("TRIG-17", "DISC-05", why="an allocation whose node cannot disconnect has no deadline", lemma=True)
def no_alloc_has_a_deadline_without_missed_heartbeats(s: Kernel) -> Value:
    """No allocation has a follow-up in a scope without disconnects."""
    return any_of(s.disconnects > 0, for_all(s.deadline[j, i] == NONE for j in s.jobs for i in s.allocs))


@always("DISC-05", "ALLOC-10", why="only an allocation on a disconnected node becomes unknown", lemma=True)
def no_alloc_is_unknown_without_missed_heartbeats(s: Kernel) -> Value:
    """No allocation is unknown, or seems so to workers and servers, in a scope without disconnects."""
    is_known = for_all(s.alloc_phase[j, i] != AllocPhase.UNKNOWN for j in s.jobs for i in s.allocs)
    by_workers = for_all(
        s.seen[w].job.disconnect_phase[i] != STILL_DISCONNECTED for w in s.workers for i in s.allocs
    )
    by_servers = for_all(
        s.stale[o].jobs[j].disconnect_phase[i] != STILL_DISCONNECTED
        for o in s.stale_servers
        for j in s.jobs
        for i in s.allocs
    )
    return any_of(s.disconnects > 0, all_of(is_known, by_workers, by_servers))


@always("NODEST-08", "WORKER-06", why="what is down in a snapshot must have been lost", lemma=True)
def workers_see_all_nodes_ready_until_one_is_lost(s: Kernel) -> Value:
    """Nodes are ready, for workers that plan as well, while none has changed."""
    is_ready = for_all(s.node_up[m] for m in s.nodes)
    is_seen = for_all(
        implies(s.stage[w] == Stage.PLANNING, s.seen[w].node_up[m]) for w in s.workers for m in s.nodes
    )
    return any_of(s.node_changed > 0, s.disconnects_made > 0, all_of(is_ready, is_seen))


@always("NODEST-08", "WORKER-06", why="what is down for a server must have been lost", lemma=True)
def usable_stale_servers_show_all_nodes_ready_until_one_is_lost(s: Kernel) -> Value:
    """Servers behind by which workers may plan show all nodes ready while none has changed."""
    is_shown = for_all(
        implies(s.stale_usable[o, j], s.stale[o].node_up[m])
        for o in s.stale_servers
        for j in s.jobs
        for m in s.nodes
    )
    return any_of(s.node_changed > 0, s.disconnects_made > 0, is_shown)


@always(
    "DISC-02",
    "WORKER-06",
    why="a worker that does not see an allocation as disconnected gives it up",
    lemma=True,
)
def usable_stale_servers_show_disconnected_allocs(s: Kernel) -> Value:
    """While one node was disconnected, once, usable servers show its allocations run, or out of reach."""

    def is_shown(o: ServerId, j: JobId, i: Id) -> Value:
        node = s.stale[o].occupies[j, i]
        is_out = all_of(
            s.alloc_phase[j, i] == AllocPhase.LIVE, s.occupies[j, i] == node, s.disconnected[node]
        )
        is_away = one_of(s.stale[o].jobs[j].disconnect_phase[i], NEWLY_DISCONNECTED, STILL_DISCONNECTED)
        return implies(is_out, any_of(s.stale[o].node_up[node], is_away))

    are_shown = for_all(
        implies(s.stale_usable[o, j], is_shown(o, j, i))
        for o in s.stale_servers
        for j in s.jobs
        for i in s.allocs
    )
    return any_of(not_(has_lost_no_node(s)), are_shown)
