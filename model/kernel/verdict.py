"""The verdict on a plan, node by node, against some view of what is taken and which nodes are usable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.records import AppliedState, Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    CLIENT_TERMINAL_ALLOC,
    LIVE_ALLOC,
    UNSTORED_ALLOC,
    AllocPhase,
    EvalRecord,
    PlannedStatus,
    SnapshotIndex,
)
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    none_of,
    not_,
    one_of,
    remember,
)
from nomadspec.model.specification.quirks import NOTED_AS_NEW, REVIVED_ALLOCATION, UNCHECKED_UPDATE


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of a plan may be committed."""

    stands: Callable[[NodeId], Flag]
    """Whether everything that the plan has for a node is committed."""
    rejects: Callable[[NodeId], Flag]
    """Whether a node is rejected: it does not fit."""
    is_whole: Flag
    """Whether no node is rejected."""
    may_commit: Flag
    """Whether anything may be committed: not of a plan that is all or nothing and not whole."""


def count_taken(s: Kernel | AppliedState, node: NodeId) -> int:
    """Count the units of a node that are taken, in the store or in a view of it."""
    return s.used[node] + s.used_more[node]


def is_stored(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True while the store has a record of the allocation."""
    return not_(one_of(s.alloc_phase[job, i], *UNSTORED_ALLOC))


def is_live(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True while an allocation is live: it runs, as far as is known, and takes capacity."""
    return one_of(s.alloc_phase[job, i], *LIVE_ALLOC)


def has_ended_on_client(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True while an allocation has ended on its client: no update in its place makes it run again."""
    phase = s.alloc_phase[job, i]
    return any_of(
        one_of(phase, *CLIENT_TERMINAL_ALLOC), all_of(phase == AllocPhase.STOPPED, s.is_reported[job, i])
    )


def view_store(s: Kernel) -> AppliedState:
    """View the replicated state as it is."""
    return AppliedState.of(
        s,
        knows=lambda job, number: s.eval_record[job, number] != EvalRecord.ABSENT,
        lacks=lambda job, i: not_(is_stored(s, job, i)),
        has_ended=lambda job, i: all_of(s.has(REVIVED_ALLOCATION), has_ended_on_client(s, job, i)),
        index=SnapshotIndex.EVEN,
    )


def count_leaving(s: Kernel, worker: WorkerId, job: JobId, node: NodeId, view: AppliedState) -> int:
    """Count the units of a node that a plan gives back, those of what it updates included."""
    plan = s.plan[worker]

    def goes(i: AllocNumber) -> Flag:
        is_own = any_of(plan.stops[i] == node, plan.keeps[i] == node)
        return all_of(is_own, view.occupies[job, i] == node)

    own = count(goes(i) for i in s.allocs) + count(
        all_of(goes(i), updates(plan, i), view.extra_at[job, i, x] == node)
        for i in s.allocs
        for x in s.extras
    )
    return own + count_preempted(s, worker, node, view)


def count_preempted(s: Kernel, worker: WorkerId, node: NodeId, view: AppliedState) -> int:
    """Count the units of a node that a plan takes from what it preempts."""

    def goes(job: JobId, i: AllocNumber) -> Flag:
        return all_of(s.plan[worker].preempted[job, i], view.occupies[job, i] == node)

    units = count(goes(job, i) for job in s.jobs for i in s.allocs)
    return units + count(
        all_of(goes(job, i), view.extra_at[job, i, x] == node)
        for job in s.jobs
        for i in s.allocs
        for x in s.extras
    )


def count_after(s: Kernel, worker: WorkerId, job: JobId, node: NodeId, view: AppliedState) -> int:
    """Count the units of a node that are taken once a plan is committed."""
    plan = s.plan[worker]
    coming = count_coming(s, worker, node)
    more = count(all_of(x < plan.ask, plan.to[k] == node) for k in s.placements for x in s.extras) + count(
        all_of(x < plan.ask, plan.keeps[i] == node, updates(plan, i)) for i in s.allocs for x in s.extras
    )
    return count_taken(view, node) - count_leaving(s, worker, job, node, view) + coming + more


def count_coming(s: Kernel, worker: WorkerId, node: NodeId) -> int:
    """Count what a plan places on a node, or keeps there, and that has not ended."""
    plan = s.plan[worker]
    placed = count(plan.to[k] == node for k in s.placements)
    is_alive = (all_of(plan.keeps[i] == node, plan.client_status[i] != PlannedStatus.ENDED) for i in s.allocs)
    return placed + count(is_alive)


def calls_unknown(plan: Plan, i: AllocNumber) -> Flag:
    """True while a plan writes an allocation as unknown."""
    return one_of(plan.client_status[i], PlannedStatus.UNKNOWN, PlannedStatus.UNKNOWN_AND_UPDATED)


def updates(plan: Plan, i: AllocNumber) -> Flag:
    """True while a plan, where it keeps an allocation, also gives it the plan's version and room."""
    return one_of(plan.client_status[i], PlannedStatus.AS_IT_IS, PlannedStatus.UNKNOWN_AND_UPDATED)


def fits(s: Kernel, worker: WorkerId, job: JobId, node: NodeId, view: AppliedState) -> Flag:
    """True while a node can take what the plan has for it; one that only loses something always can.

    Where the plan only updates what lives there, the node need not be eligible and, with one quirk, need not
    have the room. A disconnected node takes only that allocations are unknown. One that has ended is only
    noted, which asks nothing of its node; with another quirk it does.
    """
    plan = s.plan[worker]

    def keeps(i: AllocNumber) -> Flag:
        is_noted = plan.client_status[i] == PlannedStatus.ENDED
        return all_of(plan.keeps[i] == node, any_of(s.has(NOTED_AS_NEW), not_(is_noted)))

    placed = count(plan.to[k] == node for k in s.placements)
    has_room = count_after(s, worker, job, node, view) <= s.cap
    new = (all_of(keeps(i), view.occupies[job, i] != node) for i in s.allocs)
    is_kept = all_of(placed == 0, none_of(exists(new)))
    is_unchecked = all_of(s.has(UNCHECKED_UPDATE), is_kept)
    is_open = any_of(is_kept, view.eligible[node])
    is_fit = all_of(view.node_up[node], is_open, any_of(is_unchecked, has_room))
    is_marked = for_all(implies(keeps(i), plan.client_status[i] == PlannedStatus.UNKNOWN) for i in s.allocs)
    is_disconnected = all_of(view.disconnected[node], is_marked)
    is_untouched = all_of(placed == 0, for_all(not_(keeps(i)) for i in s.allocs))
    return any_of(is_untouched, is_fit, all_of(placed == 0, is_disconnected))


def judge(s: Kernel, worker: WorkerId, job: JobId, view: AppliedState) -> Verdict:
    """Judge each node of a worker's plan: what the plan has for a node stands or falls together."""
    is_fit = remember(lambda n: fits(s, worker, job, n, view), is_named=True)
    is_whole = for_all(is_fit(n) for n in s.nodes)
    may_commit = any_of(is_whole, not_(s.all_at_once))

    def stands(node: NodeId) -> Flag:
        return all_of(may_commit, exists(all_of(node == n, is_fit(n)) for n in s.nodes))

    return Verdict(stands=stands, rejects=lambda n: not_(is_fit(n)), is_whole=is_whole, may_commit=may_commit)
