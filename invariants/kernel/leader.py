"""What must be true while there is no leader."""

from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.pipeline import is_in_flight
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, iff, not_
from nomadspec.model.language.property import step


@step("NODEST-16", "NODEST-17", "LEADER-01", why="only a leader may write to the replicated state")
def store_changes_only_under_a_leader(s: Kernel, n: Kernel) -> Flag:
    """While there is no leader, jobs, deployments and nodes stay as they are, and so do allocations.

    An entry that is in flight may yet be committed, and place and stop allocations.
    """

    def is_job_kept(j: JobId) -> Flag:
        return all_of(
            n.job_phase[j] == s.job_phase[j],
            n.job_version[j] == s.job_version[j],
            n.deployment[j] == s.deployment[j],
            all_of(n.placed[j] == s.placed[j], n.healthy[j] == s.healthy[j]),
        )

    def is_node_kept(m: NodeId) -> Flag:
        is_same = all_of(iff(n.node_up[m], s.node_up[m]), iff(n.disconnected[m], s.disconnected[m]))
        return all_of(is_same, n.initializing[m] == s.initializing[m], n.draining[m] == s.draining[m])

    def is_alloc_kept(j: JobId, i: AllocNumber) -> Flag:
        is_entry = exists(not_(is_in_flight(n, f)) != not_(is_in_flight(s, f)) for f in s.entries)
        is_same = all_of(n.alloc_phase[j, i] == s.alloc_phase[j, i], n.migrate[j, i] == s.migrate[j, i])
        return any_of(is_entry, is_same)

    return any_of(
        s.leading,
        all_of(
            for_all(is_job_kept(j) for j in s.jobs),
            for_all(is_node_kept(m) for m in s.nodes),
            for_all(is_alloc_kept(j, i) for j in s.jobs for i in s.allocs),
        ),
    )
