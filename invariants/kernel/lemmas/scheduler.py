"""Lemmas about updates in place."""

from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies, one_of
from nomadspec.model.language.property import always


@always("PLAN-74", "GENERIC-54", why="what is stopped is not taken over by the new version", lemma=True)
def stopped_allocs_are_not_updated(s: Kernel) -> Value:
    """No plan and no entry updates in its place what it stops."""
    of_plans = for_all(
        any_of(s.plan[w].stops[i] == NONE, s.plan[w].keeps[i] == NONE) for w in s.workers for i in s.allocs
    )
    of_entries = for_all(
        any_of(s.entry[f].stops[i] == NONE, s.entry[f].keeps[i] == NONE) for f in s.entries for i in s.allocs
    )
    return all_of(of_plans, of_entries)


@always("PLAN-54", "GENERIC-54", why="room that is seen elsewhere is planned with by nobody", lemma=True)
def extra_ask_is_seen_on_the_same_node(s: Kernel) -> Value:
    """Workers and servers behind see what takes more than one unit take all of them on its node."""
    of_workers = for_all(
        one_of(s.seen[w].extra_at[j, i, x], NONE, s.seen[w].occupies[j, i])
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for x in s.extras
    )
    of_servers = for_all(
        one_of(s.stale[o].extra_at[j, i, x], NONE, s.stale[o].occupies[j, i])
        for o in s.stale_servers
        for j in s.jobs
        for i in s.allocs
        for x in s.extras
    )
    return all_of(of_workers, of_servers)


def is_where_it_runs(s: Kernel, job: JobId, alloc: Id, node: Value) -> Value:
    """True while an allocation was placed and runs on a node, unless none is named or it has ended."""
    was_placed = s.alloc_phase[job, alloc] != AllocPhase.ABSENT
    return any_of(node == NONE, all_of(was_placed, one_of(s.occupies[job, alloc], NONE, node)))


@always("PLAN-74", "GENERIC-54", why="an allocation does not move from node to node", lemma=True)
def seen_allocs_run_on_their_node(s: Kernel) -> Value:
    """What workers and servers behind see to run does so there, or has ended."""
    by_workers = for_all(
        is_where_it_runs(s, j, i, s.seen[w].occupies[j, i])
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
    )
    by_servers = for_all(
        is_where_it_runs(s, j, i, s.stale[o].occupies[j, i])
        for o in s.stale_servers
        for j in s.jobs
        for i in s.allocs
    )
    return all_of(by_workers, by_servers)


@always("PLAN-74", "GENERIC-54", why="an allocation is updated and stopped where it runs", lemma=True)
def planned_allocs_stay_on_their_node(s: Kernel) -> Value:
    """Plans and entries update and stop allocations on the nodes where they run, unless they have ended."""
    of_plans = for_all(
        implies(s.job[w] == j, is_where_it_runs(s, j, i, node))
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for node in (s.plan[w].keeps[i], s.plan[w].stops[i])
    )
    of_entries = for_all(
        implies(s.entry[f].job == j, is_where_it_runs(s, j, i, node))
        for f in s.entries
        for j in s.jobs
        for i in s.allocs
        for node in (s.entry[f].keeps[i], s.entry[f].stops[i])
    )
    return all_of(of_plans, of_entries)
