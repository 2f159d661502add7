"""Lemmas about updates in place, and about what replaces what."""

from collections.abc import Callable

from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, Placement, WorkerId
from nomadspec.model.kernel.pipeline import is_in_flight
from nomadspec.model.kernel.records import Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, implies, not_, one_of
from nomadspec.model.language.property import always


def is_where_it_runs(s: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> Flag:
    """True while an allocation was placed and runs on a node, unless none is named or it has ended."""
    was_placed = s.alloc_phase[job, alloc] != AllocPhase.ABSENT
    return any_of(node == NONE, all_of(was_placed, one_of(s.occupies[job, alloc], NONE, node)))


@always("PLAN-74", "GENERIC-54", why="an allocation does not move from node to node", lemma=True)
def seen_allocs_run_on_their_node(s: Kernel) -> Flag:
    """What snapshots and stale servers show to run on a node runs there, or has ended."""
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
def planned_allocs_stay_on_their_node(s: Kernel) -> Flag:
    """Plans update and stop allocations on the nodes where they run, unless they have ended."""
    return for_all(
        implies(s.job[w] == j, is_where_it_runs(s, j, i, node))
        for w in s.workers
        for j in s.jobs
        for i in s.allocs
        for node in (s.plan[w].keeps[i], s.plan[w].stops[i])
    )


def has_plan(s: Kernel, worker: WorkerId) -> Flag:
    """True while a worker has a plan that may yet be committed."""
    is_planned = one_of(s.stage[worker], Stage.PLANNED, Stage.SUBMITTED, Stage.JUDGED)
    return all_of(is_planned, any_of(s.holds[worker], s.stage[worker] != Stage.PLANNED))


def stops_on_its_nodes(s: Kernel, plan: Plan, job: JobId, k: Placement, i: AllocNumber) -> Flag:
    """True while a plan, where it places for a system job, stops an allocation that runs on the same node."""
    places = all_of(is_system(s, job), plan.to[k] != NONE)
    return implies(places, any_of(s.occupies[job, i] != plan.to[k], plan.stops[i] != NONE))


@always("SYSTEM-01", "NODE-01", why="a system job runs once on each node", lemma=True)
def system_plan_replaces_allocs_on_its_nodes(s: Kernel) -> Flag:
    """A plan of a system job stops what runs where it places, unless a node was disconnected."""
    is_replaced = for_all(
        implies(all_of(has_plan(s, w), s.job[w] == j), stops_on_its_nodes(s, s.plan[w], j, k, i))
        for w in s.workers
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.disconnects_made > 0, is_replaced)


@always("SYSTEM-01", "NODE-01", why="a system job runs once on each node", lemma=True)
def system_entry_replaces_allocs_on_its_nodes(s: Kernel) -> Flag:
    """An entry of a system job stops what runs where it places, unless a node was disconnected."""
    is_replaced = for_all(
        implies(all_of(is_in_flight(s, f), s.entry[f].job == j), stops_on_its_nodes(s, s.entry[f], j, k, i))
        for f in s.entries
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.disconnects_made > 0, is_replaced)


def stops_all_others(s: Kernel, plan: Plan, job: JobId, k: Placement, i: AllocNumber) -> Flag:
    """True while a plan, where it places for a service or batch job, stops an allocation of it that runs."""
    places = all_of(not_(is_system(s, job)), plan.to[k] != NONE)
    return implies(places, any_of(s.occupies[job, i] == NONE, plan.stops[i] != NONE))


@always("EVAL-10", "REC-78", why="a second instance takes room from others", lemma=True)
def plan_for_one_instance_stops_all_others(s: Kernel) -> Flag:
    """A plan that places where one instance is wanted stops what runs, unless a node was disconnected."""
    return is_planned_alone(s, lambda w: all_of(s.holds[w], s.stage[w] == Stage.PLANNED))


@always("EVAL-10", "PLAN-44", why="a second instance takes room from others", lemma=True)
def submitted_plan_for_one_instance_stops_all_others(s: Kernel) -> Flag:
    """A plan that is queued or judged and places the one instance that is wanted stops what runs."""
    return is_planned_alone(s, lambda w: one_of(s.stage[w], Stage.SUBMITTED, Stage.JUDGED))


def is_planned_alone(s: Kernel, has_plan: Callable[[WorkerId], Flag]) -> Flag:
    """True while such workers stop all that runs where they place the one instance that is wanted."""
    is_alone = for_all(
        implies(all_of(has_plan(w), s.job[w] == j), stops_all_others(s, s.plan[w], j, k, i))
        for w in s.workers
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.count > 1, s.disconnects_made > 0, is_alone)


@always("EVAL-10", "REC-78", "PLAN-44", why="a second instance takes room from others", lemma=True)
def entry_for_one_instance_stops_all_others(s: Kernel) -> Flag:
    """An entry that places where one instance is wanted stops what runs, unless a node was disconnected."""
    is_alone = for_all(
        implies(all_of(is_in_flight(s, f), s.entry[f].job == j), stops_all_others(s, s.entry[f], j, k, i))
        for f in s.entries
        for j in s.jobs
        for k in s.placements
        for i in s.allocs
    )
    return any_of(s.count > 1, s.disconnects_made > 0, is_alone)


@always("EVAL-10", "REC-78", why="a second instance where one is wanted takes room from others", lemma=True)
def job_that_wants_one_instance_has_one(s: Kernel) -> Flag:
    """No two allocations of a job that wants one instance run, unless a node was disconnected."""
    is_alone = for_all(
        any_of(i == o, is_system(s, j), s.occupies[j, i] == NONE, s.occupies[j, o] == NONE)
        for j in s.jobs
        for i in s.allocs
        for o in s.allocs
    )
    return any_of(s.count > 1, s.disconnects_made > 0, is_alone)
