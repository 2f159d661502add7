"""Lemmas about disconnected nodes."""

from nomadspec.model.kernel.disconnects import (
    NEWLY_DISCONNECTED,
)
from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
    for_all,
    not_,
)
from nomadspec.model.language.property import always


@always("NODEST-08", "DISC-02", why="who is out of reach was disconnected", lemma=True)
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


@always("TRIG-17", "DISC-05", why="who cannot be out of reach has no time that runs out", lemma=True)
def no_alloc_has_a_deadline_without_missed_heartbeats(s: Kernel) -> Value:
    """No allocation has a follow-up in a scope without disconnects."""
    return any_of(s.disconnects > 0, for_all(s.deadline[j, i] == NONE for j in s.jobs for i in s.allocs))
