"""What plans rely on that update allocations in their place: lemmas about what they see, name and hand on."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import AllocPhase, Kernel
from nomadspec.model.logic import Value, all_of, any_of, for_all, implies, not_, one_of
from nomadspec.model.property import always


@always("PLAN-74", "GENERIC-54", why="what is stopped is not taken over by the new version", lemma=True)
def what_is_stopped_is_not_updated(s: Kernel) -> Value:
    """Say that no plan and no entry updates in its place what it stops."""
    of_plans = for_all(
        any_of(not_(s.plan_stops[w, i]), s.plan_keeps[w, i, a] == NONE)
        for w in s.workers
        for i in s.allocs
        for a in s.takeovers
    )
    of_entries = for_all(
        any_of(not_(s.flight_stops[f, i]), s.flight_keeps[f, i, a] == NONE)
        for f in s.flights
        for i in s.allocs
        for a in s.takeovers
    )
    return all_of(of_plans, of_entries)


@always("PLAN-54", "GENERIC-54", why="room that is seen elsewhere is planned with by nobody", lemma=True)
def more_room_is_seen_on_the_same_node(s: Kernel) -> Value:
    """Say that workers and servers behind see what takes more than one unit take all of them on its node."""
    of_workers = for_all(
        one_of(s.seen_extra[w, j, i, x], NONE, s.seen_occupies[w, j, i])
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for x in s.extras
    )
    of_servers = for_all(
        one_of(s.old_extra[o, j, i, x], NONE, s.old_occupies[o, j, i])
        for o in s.followers
        for j in s.jobs
        for i in s.allocs
        for x in s.extras
    )
    return all_of(of_workers, of_servers)


def is_where_it_runs(s: Kernel, job: Id, alloc: Id, node: Value) -> Value:
    """Say that an allocation was placed and runs on a node, unless none is named or it has ended."""
    was_placed = s.alloc_phase[job, alloc] != AllocPhase.ABSENT
    return any_of(node == NONE, all_of(was_placed, one_of(s.occupies[job, alloc], NONE, node)))


@always("PLAN-74", "GENERIC-54", why="an allocation does not move from node to node", lemma=True)
def what_is_seen_runs_where_it_is_seen(s: Kernel) -> Value:
    """Say that where updates in place can be planned, what is seen to run does so there, or has ended."""
    by_workers = for_all(
        is_where_it_runs(s, j, i, s.seen_occupies[w, j, i])
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for _ in s.takeovers
    )
    by_servers = for_all(
        is_where_it_runs(s, j, i, s.old_occupies[o, j, i])
        for o in s.followers
        for j in s.jobs
        for i in s.allocs
        for _ in s.takeovers
    )
    return all_of(by_workers, by_servers)


@always("PLAN-74", "GENERIC-54", why="an allocation is updated where it runs", lemma=True)
def what_is_updated_runs_there(s: Kernel) -> Value:
    """Say that plans and entries update allocations on the nodes where they run, unless they have ended."""
    of_plans = for_all(
        implies(s.job[w] == j, is_where_it_runs(s, j, i, s.plan_keeps[w, i, a]))
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for a in s.takeovers
    )
    of_entries = for_all(
        implies(s.flight_job[f] == j, is_where_it_runs(s, j, i, s.flight_keeps[f, i, a]))
        for f in s.flights
        for j in s.jobs
        for i in s.allocs
        for a in s.takeovers
    )
    return all_of(of_plans, of_entries)
