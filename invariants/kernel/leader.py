"""What must be true while there is no leader."""

from nomadspec.model.kernel.ids import JobId, NodeId
from nomadspec.model.kernel.pipeline import is_awaited_entry, is_in_flight
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.records import ClusterView, StoredJob
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, iff, not_
from nomadspec.model.language.property import lemma, step


@step("LEADER-08", "PLAN-98", "LEADER-01", why="only a leader may write to the replicated state")
def store_changes_only_under_a_leader(s: Kernel, n: Kernel, j: JobId, m: NodeId) -> Flag:
    """While there is no leader, jobs and statuses of nodes stay as they are, and all else but for an entry.

    An entry that is in flight may yet be committed: it places and stops allocations, writes a deployment,
    and makes nodes ineligible.
    """
    is_job = all_of(n.job_phase[j] == s.job_phase[j], n.job_version[j] == s.job_version[j])
    is_node = all_of(iff(n.node_up[m], s.node_up[m]), iff(n.disconnected[m], s.disconnected[m]))
    is_left = all_of(n.initializing[m] == s.initializing[m], n.draining[m] == s.draining[m])
    is_entry = exists(not_(is_in_flight(n, f)) != not_(is_in_flight(s, f)) for f in s.entries)
    is_seen = all_of(ClusterView.of(n) == ClusterView.of(s), StoredJob.of(n, j) == StoredJob.of(s, j))
    is_kept = all_of(is_seen, for_all(n.alloc_phase[j, i] == s.alloc_phase[j, i] for i in s.allocs))
    return any_of(s.leading, all_of(is_job, is_node, is_left, any_of(is_entry, is_kept)))


# lemmas


@lemma("LEADER-08", "PLAN-30", "PLAN-98", why="an applier without a leader has nothing in hand")
def nothing_is_judged_without_a_leader(s: Kernel) -> Flag:
    """Without a leader no plan is with the applier, and no end of an entry is waited for."""
    is_idle = for_all(not_(is_with_applier(s, w)) for w in s.workers)
    is_over = for_all(any_of(is_in_flight(s, f), not_(is_awaited_entry(s, f))) for f in s.entries)
    return any_of(s.leading, all_of(is_idle, is_over, not_(s.has_snap)))
