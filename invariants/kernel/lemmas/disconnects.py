"""Lemmas about disconnected nodes."""

from nomadspec.invariants.kernel.bounds import has_lost_no_node
from nomadspec.invariants.kernel.disconnects import shows_disconnected
from nomadspec.model.kernel.ids import AllocNumber, WorkerId
from nomadspec.model.kernel.records import JobView
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, DisconnectPhase, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, implies, not_, one_of
from nomadspec.model.language.property import always


@always(
    "NODEST-08", "DISC-02", "DISC-05", "TRIG-17", why="only missed heartbeats disconnect a node", lemma=True
)
def nothing_disconnects_without_missed_heartbeats(s: Kernel) -> Flag:
    """Until a node misses heartbeats none is disconnected, and nobody takes an allocation for unknown."""

    def is_seen(job_view: JobView, i: AllocNumber) -> Flag:
        return not_(
            one_of(
                job_view.disconnect_phase[i],
                DisconnectPhase.NEWLY_DISCONNECTED,
                DisconnectPhase.STILL_DISCONNECTED,
            )
        )

    return any_of(
        all_of(s.disconnects > 0, s.disconnects_made > 0),
        all_of(
            for_all(not_(s.disconnected[m]) for m in s.nodes),
            for_all(s.follow_up[j, i] == NONE for j in s.jobs for i in s.allocs),
            for_all(s.alloc_phase[j, i] != AllocPhase.UNKNOWN for j in s.jobs for i in s.allocs),
            for_all(is_seen(s.seen[w].job, i) for w in s.workers for i in s.allocs),
            for_all(
                is_seen(s.stale[o].jobs[j], i) for o in s.stale_servers for j in s.jobs for i in s.allocs
            ),
        ),
    )


@always("EVAL-17", "TRIG-17", why="what was not made falls due for nobody", lemma=True, w=Kernel.workers)
def follow_up_of_an_attempt_was_made(s: Kernel, w: WorkerId) -> Flag:
    """The follow-up that a worker shares among allocations is an evaluation of its job."""
    return implies(s.made_follow_up[w] != NONE, s.made_follow_up[w] < s.made[s.job[w]])


@always("NODEST-08", "WORKER-06", why="what is down in a snapshot must have been lost", lemma=True)
def nodes_are_seen_ready_until_one_is_lost(s: Kernel) -> Flag:
    """Nodes are ready, for planning workers and usable servers as well, while none has changed."""
    is_ready = for_all(s.node_up[m] for m in s.nodes)
    by_workers = for_all(
        implies(s.stage[w] == Stage.PLANNING, s.seen[w].node_up[m]) for w in s.workers for m in s.nodes
    )
    by_servers = for_all(
        implies(s.stale_usable[o, j], s.stale[o].node_up[m])
        for o in s.stale_servers
        for j in s.jobs
        for m in s.nodes
    )
    has_changed = any_of(s.node_changed > 0, s.disconnects_made > 0)
    return any_of(has_changed, all_of(is_ready, by_workers, by_servers))


@always("DISC-02", "WORKER-06", why="a worker that does not see it as disconnected gives it up", lemma=True)
def usable_stale_servers_show_disconnected_allocs(s: Kernel) -> Flag:
    """While one node was disconnected, once, usable servers show its allocations run, or out of reach."""
    are_shown = for_all(
        implies(s.stale_usable[o, j], shows_disconnected(s, s.stale[o], s.stale[o].jobs[j], j, i))
        for o in s.stale_servers
        for j in s.jobs
        for i in s.allocs
    )
    return any_of(not_(has_lost_no_node(s)), are_shown)
