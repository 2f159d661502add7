"""What must be true while there is no leader."""

from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.pipeline import is_awaited_entry, is_in_flight
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, iff, not_
from nomadspec.model.language.property import lemma, step


@step("NODEST-16", "NODEST-17", "LEADER-01", why="only a leader may write to the replicated state")
def store_changes_only_under_a_leader(s: Kernel, n: Kernel) -> Flag:
    """While there is no leader, jobs, deployments and nodes stay as they are, and so do allocations.

    An entry that is in flight may yet be committed: it places and stops allocations, writes a deployment,
    and makes nodes ineligible.
    """
    is_entry = exists(not_(is_in_flight(n, f)) != not_(is_in_flight(s, f)) for f in s.entries)

    def is_job_kept(j: JobId) -> Flag:
        is_same = all_of(n.job_phase[j] == s.job_phase[j], n.job_version[j] == s.job_version[j])
        is_deployed = all_of(
            n.deployment[j] == s.deployment[j],
            n.deployment_version[j] == s.deployment_version[j],
            all_of(n.placed[j] == s.placed[j], n.healthy[j] == s.healthy[j]),
            n.unhealthy[j] == s.unhealthy[j],
        )
        return all_of(is_same, any_of(is_entry, is_deployed))

    def is_node_kept(m: NodeId) -> Flag:
        is_same = all_of(iff(n.node_up[m], s.node_up[m]), iff(n.disconnected[m], s.disconnected[m]))
        is_left_out = any_of(s.eligible[m], not_(n.eligible[m]))
        return all_of(
            is_same, is_left_out, n.initializing[m] == s.initializing[m], n.draining[m] == s.draining[m]
        )

    def is_alloc_kept(j: JobId, i: AllocNumber) -> Flag:
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


# lemmas


@lemma("LEADER-08", "PLAN-30", "PLAN-98", why="an applier without a leader has nothing in hand")
def nothing_is_judged_without_a_leader(s: Kernel) -> Flag:
    """Without a leader no plan is with the applier, and no end of an entry is waited for."""
    is_idle = for_all(not_(is_with_applier(s, w)) for w in s.workers)
    is_over = for_all(any_of(is_in_flight(s, f), not_(is_awaited_entry(s, f))) for f in s.entries)
    return any_of(s.leading, all_of(is_idle, is_over, not_(s.has_snap)))
