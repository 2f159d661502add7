"""Lemmas about updates in place, and about what replaces what."""

from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.ids import JobId, WorkerId
from nomadspec.model.kernel.pipeline import is_in_flight
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, Stage
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies, not_, one_of
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
    """Plans update and stop allocations on the nodes where they run, unless they have ended."""
    return for_all(
        implies(s.job[w] == j, is_where_it_runs(s, j, i, node))
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for node in (s.plan[w].keeps[i], s.plan[w].stops[i])
    )


@always("PLAN-74", "GENERIC-54", why="an allocation is updated and stopped where it runs", lemma=True)
def entries_leave_allocs_on_their_node(s: Kernel) -> Value:
    """Entries update and stop allocations on the nodes where they run, unless they have ended."""
    return for_all(
        implies(s.entry[f].job == j, is_where_it_runs(s, j, i, node))
        for f in s.entries
        for j in s.jobs
        for i in s.allocs
        for node in (s.entry[f].keeps[i], s.entry[f].stops[i])
    )


def has_plan(s: Kernel, worker: WorkerId) -> Value:
    """True while a worker has a plan that may yet be committed."""
    is_planned = one_of(s.stage[worker], Stage.PLANNED, Stage.SUBMITTED, Stage.JUDGED)
    return all_of(is_planned, any_of(s.holds[worker], s.stage[worker] != Stage.PLANNED))


@always("SYSTEM-01", "NODE-01", why="a system job runs once on each node", lemma=True)
def system_plan_replaces_allocs_on_its_nodes(s: Kernel) -> Value:
    """A plan of a system job stops what runs where it places, unless nodes are disconnected."""
    is_replaced = for_all(
        implies(
            all_of(has_plan(s, w), s.job[w] == j, is_system(s, j), s.plan[w].to[k] != NONE),
            any_of(s.occupies[j, i] != s.plan[w].to[k], s.plan[w].stops[i] != NONE),
        )
        for w in s.workers
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.disconnects > 0, is_replaced)


@always("SYSTEM-01", "NODE-01", why="a system job runs once on each node", lemma=True)
def system_entry_replaces_allocs_on_its_nodes(s: Kernel) -> Value:
    """An entry of a system job stops what runs where it places, unless nodes are disconnected."""
    is_replaced = for_all(
        implies(
            all_of(is_in_flight(s, f), s.entry[f].job == j, is_system(s, j), s.entry[f].to[k] != NONE),
            any_of(s.occupies[j, i] != s.entry[f].to[k], s.entry[f].stops[i] != NONE),
        )
        for f in s.entries
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.disconnects > 0, is_replaced)


def stops_all_others(s: Kernel, worker: WorkerId, job: JobId) -> Value:
    """True while a plan that places stops all that its job has, unless it is a system job."""
    return for_all(
        implies(
            all_of(s.job[worker] == job, not_(is_system(s, job)), s.plan[worker].to[k] != NONE),
            any_of(s.occupies[job, i] == NONE, s.plan[worker].stops[i] != NONE),
        )
        for k in s.placements
        for i in s.allocs
    )


@always("EVAL-10", "REC-01", why="a second instance where one is wanted takes room from others", lemma=True)
def plan_for_one_instance_stops_all_others(s: Kernel) -> Value:
    """A plan that places where one instance is wanted stops what runs, unless nodes are disconnected."""
    is_alone = for_all(
        implies(all_of(s.holds[w], s.stage[w] == Stage.PLANNED), stops_all_others(s, w, j))
        for w in s.workers
        for j in s.jobs
    )
    return any_of(s.count > 1, s.disconnects > 0, is_alone)


@always("EVAL-10", "PLAN-44", why="a second instance where one is wanted takes room from others", lemma=True)
def submitted_plan_for_one_instance_stops_all_others(s: Kernel) -> Value:
    """A plan that is queued or judged and places the one instance that is wanted stops what runs."""
    is_alone = for_all(
        implies(one_of(s.stage[w], Stage.SUBMITTED, Stage.JUDGED), stops_all_others(s, w, j))
        for w in s.workers
        for j in s.jobs
    )
    return any_of(s.count > 1, s.disconnects > 0, is_alone)


@always("EVAL-10", "REC-01", why="a second instance where one is wanted takes room from others", lemma=True)
def entry_for_one_instance_stops_all_others(s: Kernel) -> Value:
    """An entry that places where one instance is wanted stops what runs, unless nodes are disconnected."""
    is_alone = for_all(
        implies(
            all_of(is_in_flight(s, f), s.entry[f].job == j, not_(is_system(s, j)), s.entry[f].to[k] != NONE),
            any_of(s.occupies[j, i] == NONE, s.entry[f].stops[i] != NONE),
        )
        for f in s.entries
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.count > 1, s.disconnects > 0, is_alone)


@always("EVAL-10", "REC-01", why="a second instance where one is wanted takes room from others", lemma=True)
def job_that_wants_one_instance_has_one(s: Kernel) -> Value:
    """No two allocations of a job that wants one instance run, unless nodes are disconnected."""
    is_alone = for_all(
        any_of(i == o, is_system(s, j), s.occupies[j, i] == NONE, s.occupies[j, o] == NONE)
        for j in s.jobs
        for i in s.allocs
        for o in s.allocs
    )
    return any_of(s.count > 1, s.disconnects > 0, is_alone)
