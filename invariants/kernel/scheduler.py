"""What must be true of plans: they bring a job to what it wants, and touch nothing else."""

from nomadspec.invariants.kernel.applier import list_plans
from nomadspec.invariants.kernel.bounds import may_go_unevaluated
from nomadspec.model.kernel.applier import changes_any, places_any
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.deployments import is_active
from nomadspec.model.kernel.disconnects import is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, EntryId, JobId, NodeId, Placement, WorkerId
from nomadspec.model.kernel.pipeline import is_in_flight
from nomadspec.model.kernel.records import Plan
from nomadspec.model.kernel.scheduler import is_done, is_seen_disconnected, is_seen_heartbeating
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, Kind, Stage
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, lemma, step


def count_needed(s: Kernel, job: JobId) -> int:
    """Count the units that an allocation of the job needs."""
    return 1 + s.job_ask[job]


def is_short_of_room(s: Kernel, job: JobId) -> Flag:
    """True while no node whose client heartbeats could take another allocation of the job."""

    def is_usable(n: NodeId) -> Flag:
        is_taken = all_of(is_system(s, job), exists(s.occupies[job, i] == n for i in s.allocs))
        has_room = all_of(count_taken(s, n) + count_needed(s, job) <= s.cap, not_(is_taken))
        return all_of(is_heartbeating(s, n), s.eligible[n], not_(s.infeasible[job, n]), has_room)

    return for_all(not_(is_usable(n)) for n in s.nodes)


def is_to_be_placed(s: Kernel, job: JobId) -> Flag:
    """True while a job is wanted and comes back to a node that comes back, which a sysbatch job does not."""
    return all_of(s.job_phase[job] == JobPhase.WANTED, s.kind[job] != Kind.SYSBATCH)


@eventually("EVAL-13", "BLOCKED-40", "EVAL-37", why="free room must be used", given=is_to_be_placed)
def wanted_jobs_are_placed(s: Kernel, job: JobId) -> Flag:
    """A wanted job gets all its allocations, or there is no room for another one."""
    is_done = (s.alloc_phase[job, i] == AllocPhase.COMPLETE for i in s.allocs)
    has_enough = count(s.occupies[job, i] != NONE for i in s.allocs) + count(is_done) >= s.count
    is_placed = all_of(not_(is_system(s, job)), has_enough)
    is_over = any_of(may_go_unevaluated(s, job), s.job_phase[job] != JobPhase.WANTED)
    return any_of(is_over, is_placed, is_short_of_room(s, job))


@always(
    "REC-17", "BROKER-07", "WORKER-05", why="a job with more allocations than count takes room from others"
)
def no_more_allocs_than_count(s: Kernel) -> Flag:
    """No service or batch job has more allocations than its count, unless a node was disconnected."""
    has_enough = for_all(
        any_of(is_system(s, j), count(s.occupies[j, i] != NONE for i in s.allocs) <= s.count) for j in s.jobs
    )
    return any_of(s.disconnects_made > 0, has_enough)


@always("NODE-23", "NODE-24", why="a system job runs once on each node")
def system_job_has_one_alloc_per_node(s: Kernel) -> Flag:
    """No system job takes capacity twice on one node, unless a node was disconnected."""
    is_once = for_all(
        implies(
            all_of(is_system(s, j), i < o, s.occupies[j, i] != NONE), s.occupies[j, i] != s.occupies[j, o]
        )
        for j in s.jobs
        for i in s.allocs
        for o in s.allocs
    )
    return any_of(s.disconnects_made > 0, is_once)


@always("FEAS-12", "PLAN-92", why="an allocation on an infeasible node cannot run")
def alloc_is_on_feasible_node(s: Kernel) -> Flag:
    """Every allocation, and every placement that is planned, is on a node that its job may use."""
    stored = for_all(
        implies(s.occupies[j, i] == m, not_(s.infeasible[j, m]))
        for j in s.jobs
        for i in s.allocs
        for m in s.nodes
    )
    planned = for_all(
        implies(all_of(job == j, plan.to[k] == m), not_(s.infeasible[j, m]))
        for plan, job in list_plans(s)
        for j in s.jobs
        for k in s.placements
        for m in s.nodes
    )
    return all_of(stored, planned)


def is_shown_as_wanted(s: Kernel, worker: WorkerId, job: JobId, i: AllocNumber) -> Flag:
    """True while a snapshot shows an allocation as its job wants it: current, on a node in reach, to stay."""
    shown = s.seen[worker]
    is_there = is_seen_heartbeating(s, worker, shown.occupies[job, i])
    is_current = all_of(shown.alloc_version[i] == shown.job_version, not_(shown.migrate[i]))
    return all_of(
        shown.job_phase == JobPhase.WANTED, is_there, is_current, not_(is_seen_disconnected(s, worker, i))
    )


def has_planned(s: Kernel, n: Kernel, worker: WorkerId) -> Flag:
    """True where a worker's scheduler comes to a plan, or to none."""
    return all_of(s.stage[worker] == Stage.PLANNING, one_of(n.stage[worker], Stage.PLANNED, Stage.DECIDED))


@step("REC-74", "REC-78", "EVAL-38", why="such a plan moves allocations for nothing")
def satisfied_job_is_left_alone(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A scheduler that sees a service or batch job with all allocations as they should be submits no plan.

    One that sees an active deployment may submit a plan that ends it, and does nothing else.
    """
    settled = count(is_shown_as_wanted(s, w, j, i) for i in s.allocs)
    there = count(s.seen[w].occupies[j, i] != NONE for i in s.allocs)
    done = exists(is_done(s, w, i) for i in s.allocs)
    is_satisfied = all_of(settled == s.count, there == s.count, not_(done), not_(is_system(s, j)))
    ends_it = all_of(
        is_active(s.seen[w].deployment), not_(places_any(n, n.plan[w])), not_(changes_any(n, n.plan[w]))
    )
    is_right = any_of(n.stage[w] == Stage.DECIDED, ends_it)
    return implies(all_of(has_planned(s, n, w), s.job[w] == j, is_satisfied), is_right)


@step(
    "DISC-02",
    "DISC-05",
    "DRAIN-16",
    "GENERIC-54",
    "REC-74",
    why="an allocation stopped without need is missing until it is replaced",
)
def settled_alloc_is_stopped_only_as_surplus(
    s: Kernel, n: Kernel, w: WorkerId, j: JobId, i: AllocNumber
) -> Flag:
    """A plan stops or updates no allocation that is as its job wants it, unless there are too many.

    For system jobs this is not asked. What is out of reach, and may come back in time, is stopped by no plan.
    """
    settled = count(is_shown_as_wanted(s, w, j, o) for o in s.allocs)
    is_touched = any_of(n.plan[w].stops[i] != NONE, n.plan[w].keeps[i] != NONE)
    is_needed = all_of(is_shown_as_wanted(s, w, j, i), settled <= s.count, not_(is_system(s, j)))
    is_left = implies(is_seen_disconnected(s, w, i), n.plan[w].stops[i] == NONE)
    is_right = all_of(implies(is_needed, not_(is_touched)), is_left)
    return implies(all_of(has_planned(s, n, w), s.job[w] == j), is_right)


@step(
    "REC-12", "JOB-12", "GENERIC-54", "DRAIN-16", why="allocations that a job no longer wants must be stopped"
)
def plan_leaves_no_unwanted_alloc(s: Kernel, n: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A plan stops or updates whatever its snapshot shows unwanted, unless it is out of reach."""
    is_there = s.seen[w].occupies[j, i] != NONE
    is_touched = any_of(n.plan[w].stops[i] != NONE, n.plan[w].keeps[i] != NONE)
    is_left = all_of(
        is_there, not_(is_shown_as_wanted(s, w, j, i)), not_(is_seen_disconnected(s, w, i)), not_(is_touched)
    )
    return implies(all_of(has_planned(s, n, w), s.job[w] == j), not_(is_left))


@step("PLAN-92", "EVAL-13", "EVAL-38", why="a job waits for what is missing")
def missing_alloc_is_placed_or_waited_for(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A plan brings a wanted job to its count and not above, or falls short; not asked of system jobs."""

    def stays(i: AllocNumber) -> Flag:
        is_there = all_of(s.seen[w].occupies[j, i] != NONE, not_(n.plan[w].stops[i] != NONE))
        return any_of(all_of(is_there, not_(is_seen_disconnected(s, w, i))), is_done(s, w, i))

    placed = count(n.plan[w].to[k] != NONE for k in s.placements)
    there = count(stays(i) for i in s.allocs) + placed
    is_wanted = s.seen[w].job_phase == JobPhase.WANTED
    is_right = all_of(
        implies(is_wanted, iff(n.is_short[w], there < s.count)),
        implies(placed > 0, all_of(is_wanted, there <= s.count)),
    )
    return implies(all_of(has_planned(s, n, w), s.job[w] == j, not_(is_system(s, j))), is_right)


# lemmas


def is_where_it_runs(s: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> Flag:
    """True while an allocation was placed and runs on a node, unless none is named or it has ended."""
    was_placed = s.alloc_phase[job, alloc] != AllocPhase.ABSENT
    return any_of(node == NONE, all_of(was_placed, one_of(s.occupies[job, alloc], NONE, node)))


@lemma("PLAN-74", "GENERIC-54", why="an allocation does not move from node to node")
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


@lemma("PLAN-74", "GENERIC-54", why="an allocation is updated and stopped where it runs")
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


@lemma("NODE-16", "NODE-24", why="a system job runs once on each node")
def system_plan_replaces_allocs_on_its_nodes(
    s: Kernel, w: WorkerId, j: JobId, k: Placement, i: AllocNumber
) -> Flag:
    """A plan of a system job stops what runs where it places, unless a node was disconnected."""
    is_its = all_of(has_plan(s, w), s.job[w] == j)
    is_replaced = implies(is_its, stops_on_its_nodes(s, s.plan[w], j, k, i))
    return any_of(s.disconnects_made > 0, is_replaced)


@lemma("NODE-16", "NODE-24", why="a system job runs once on each node")
def system_entry_replaces_allocs_on_its_nodes(
    s: Kernel, f: EntryId, j: JobId, k: Placement, i: AllocNumber
) -> Flag:
    """An entry of a system job stops what runs where it places, unless a node was disconnected."""
    is_its = all_of(is_in_flight(s, f), s.entry[f].job == j)
    is_replaced = implies(is_its, stops_on_its_nodes(s, s.entry[f], j, k, i))
    return any_of(s.disconnects_made > 0, is_replaced)


def stops_all_others(s: Kernel, plan: Plan, job: JobId, k: Placement, i: AllocNumber) -> Flag:
    """True while a plan, where it places for a service or batch job, stops an allocation of it that runs.

    Nothing is asked where more than one allocation is wanted, or a node was disconnected.
    """
    places = all_of(not_(is_system(s, job)), plan.to[k] != NONE)
    is_stopped = any_of(s.occupies[job, i] == NONE, plan.stops[i] != NONE)
    return any_of(s.count > 1, s.disconnects_made > 0, implies(places, is_stopped))


@lemma("REC-17", "PLAN-44", "REC-78", why="a second allocation takes room from others")
def plan_for_one_alloc_stops_all_others(
    s: Kernel, w: WorkerId, j: JobId, k: Placement, i: AllocNumber
) -> Flag:
    """A plan that places the one allocation that is wanted stops what runs."""
    is_its = all_of(s.holds[w], s.stage[w] == Stage.PLANNED, s.job[w] == j)
    return implies(is_its, stops_all_others(s, s.plan[w], j, k, i))


@lemma("REC-17", "PLAN-44", why="a second allocation takes room from others")
def submitted_plan_for_one_alloc_stops_all_others(
    s: Kernel, w: WorkerId, j: JobId, k: Placement, i: AllocNumber
) -> Flag:
    """A plan that is queued or judged and places the one allocation that is wanted stops what runs."""
    is_its = all_of(one_of(s.stage[w], Stage.SUBMITTED, Stage.JUDGED), s.job[w] == j)
    return implies(is_its, stops_all_others(s, s.plan[w], j, k, i))


@lemma("REC-17", "PLAN-44", "REC-78", why="a second allocation takes room from others")
def entry_for_one_alloc_stops_all_others(
    s: Kernel, f: EntryId, j: JobId, k: Placement, i: AllocNumber
) -> Flag:
    """An entry that places the one allocation that is wanted stops what runs."""
    is_its = all_of(is_in_flight(s, f), s.entry[f].job == j)
    return implies(is_its, stops_all_others(s, s.entry[f], j, k, i))


@lemma("REC-17", "REC-78", why="a second allocation where one is wanted takes room from others")
def job_with_count_one_has_one_alloc(s: Kernel, j: JobId, i: AllocNumber, o: AllocNumber) -> Flag:
    """No two allocations of a job that wants one run, unless a node was disconnected."""
    is_alone = any_of(i == o, is_system(s, j), s.occupies[j, i] == NONE, s.occupies[j, o] == NONE)
    return any_of(s.count > 1, s.disconnects_made > 0, is_alone)
