"""What must be true of plans that are committed in one step, and of every answer to a plan.

Of the invariants of plans that the specification proposes, the kernel cannot state five:

- that the index to refresh to covers the worker's own commit (PLAN-34): there are no numeric indexes, and a
  worker that has to wait for a state waits for the entry that brings it;
- that promotions are never taken back (PLAN-70): deployments have counters and a status, and no promotion;
- that no more entries are in flight than the pipeline is deep (PLAN-36): there are just as many places;
- that the timer of a delivery runs again after the answer (PLAN-13): it is that which a stage does not stop;
- that an attempt after a rejection fails for no reason that was visible (PLAN-80): reasons are not kept.
"""

from collections.abc import Iterator

from nomadspec.invariants.kernel.nodes import begins_to_drain, changes_status
from nomadspec.model.kernel.deployments import writes_deployment
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, Placement, WorkerId
from nomadspec.model.kernel.plan_queue import is_queued, is_with_applier
from nomadspec.model.kernel.records import Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, PlannedStatus, Stage
from nomadspec.model.kernel.verdict import calls_unknown, count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, sometimes, step


@always("PLAN-43", "PLAN-53", "PLAN-54", why="allocations that do not fit starve those that were there first")
def no_node_is_oversubscribed(s: Kernel) -> Flag:
    """No node holds more than it has room for."""
    return for_all(count_taken(s, m) <= s.cap for m in s.nodes)


@step("PLAN-73", "PLAN-31", why="such an allocation would never be stopped")
def nothing_is_placed_for_stopped_jobs(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation is made only for a job that was wanted just before."""
    return implies(is_made(s, n, j, i), s.job_phase[j] == JobPhase.WANTED)


@eventually(
    "PLAN-13",
    "PLAN-22",
    "PLAN-31",
    "PLAN-34",
    why="a worker waits for its answer without a limit",
    given=is_with_applier,
)
def plans_are_answered(s: Kernel, worker: WorkerId) -> Flag:
    """A worker does not wait for ever, unless the scope has no number left for what it plans."""
    is_full = exists(any_of(s.alloc_made[j] + s.count > s.allocations, s.made[j] >= s.evals) for j in s.jobs)
    return any_of(is_full, not_(is_with_applier(s, worker)))


@sometimes("PLAN-53", why="capacity matters only where a node is full")
def a_node_is_full(s: Kernel) -> Flag:
    """A node holds all that it has room for."""
    return exists(count_taken(s, m) == s.cap for m in s.nodes)


@sometimes(
    "PLAN-51",
    "PLAN-74",
    why="the check of capacity matters only where an update needs more room",
    scopes=("in-place", "in-place-entry", "revival"),
)
def a_plan_updates_something_in_place(s: Kernel) -> Flag:
    """A queued plan takes an allocation over to another version in its place."""
    return exists(all_of(is_queued(s, w), s.plan[w].keeps[i] != NONE) for w in s.workers for i in s.allocs)


@sometimes(
    "PLAN-45",
    "PLAN-47",
    "PLAN-80",
    why="attempts, and plans that are all or nothing, matter only where one is rejected",
    scopes=("plan-rejections", "pipeline", "all-at-once", "all-at-once-entry"),
)
def a_plan_is_rejected(s: Kernel) -> Flag:
    """A worker is to plan again."""
    return exists(s.stage[w] == Stage.REJECTED for w in s.workers)


@sometimes(
    "PLAN-13", why="tokens matter only where a plan comes too late", scopes=("delivery-limit", "two-tokens")
)
def a_plan_is_late(s: Kernel) -> Flag:
    """A worker is about to submit a plan for a delivery that it has lost."""
    return exists(all_of(s.stage[w] == Stage.PLANNED, not_(s.holds[w])) for w in s.workers)


@sometimes(
    "PLAN-73",
    why="the rule for plans of stopped jobs matters only where there is one",
    scopes=("update", "gc", "plan-rejections-atomic"),
)
def a_plan_of_a_stopped_job_is_queued(s: Kernel, w: WorkerId, j: JobId, k: Placement) -> Flag:
    """A plan with a placement waits whose job is no longer wanted."""
    return all_of(is_queued(s, w), s.job[w] == j, s.job_phase[j] != JobPhase.WANTED, s.plan[w].to[k] != NONE)


@sometimes(
    "PLAN-15",
    why="versions matter only where a job changes while it is planned",
    scopes=("deployment", "update", "in-place"),
)
def a_plan_is_for_an_old_version(s: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A plan is about to be submitted whose job has been updated since."""
    return all_of(s.stage[w] == Stage.PLANNED, s.job[w] == j, s.plan[w].version < s.job_version[j])


@sometimes(
    "PLAN-46", "PLAN-90", why="nodes are judged one by one only where some are left", scopes=("partial",)
)
def a_plan_is_committed_in_part(s: Kernel) -> Flag:
    """A plan is rejected for one node and committed for another: the attempt does not count."""
    return exists(all_of(s.stage[w] == Stage.REJECTED, s.tries[w] == 0) for w in s.workers)


@sometimes("PLAN-47", why="all or nothing matters only where a plan has two placements", scopes=("partial",))
def a_plan_has_two_placements(s: Kernel) -> Flag:
    """A queued plan places two allocations."""
    return exists(
        all_of(is_queued(s, w), count(s.plan[w].to[k] != NONE for k in s.placements) > 1) for w in s.workers
    )


@sometimes("PLAN-51", why="stops matter only where a plan has some", scopes=("deployment", "update"))
def a_plan_stops_something(s: Kernel) -> Flag:
    """A plan stops an allocation."""
    return exists(s.plan[w].stops[i] != NONE for w in s.workers for i in s.allocs)


@sometimes(
    "PLAN-51", why="ineligible nodes matter only where a plan wants one", scopes=("pipeline", "partial")
)
def a_plan_wants_an_ineligible_node(s: Kernel) -> Flag:
    """A submitted plan places an allocation on a node that is down or ineligible by now."""
    return exists(
        all_of(s.stage[w] == Stage.SUBMITTED, s.plan[w].to[k] == m, not_(all_of(s.node_up[m], s.eligible[m])))
        for w in s.workers
        for k in s.placements
        for m in s.nodes
    )


@sometimes(
    "PLAN-04", "PLAN-87", why="a plan may do nothing but make a node ineligible", scopes=("ineligible-entry",)
)
def a_plan_only_marks_a_node_ineligible(s: Kernel, w: WorkerId) -> Flag:
    """A judged plan places nothing any more, and only marks a node ineligible."""
    placed = count(s.plan[w].to[k] != NONE for k in s.placements)
    is_alone = all_of(placed == 0, exists(s.plan[w].marks[m] for m in s.nodes))
    return all_of(s.stage[w] == Stage.JUDGED, is_alone)


@sometimes(
    "PLAN-86",
    why="a window matters only where a rejection falls out of it",
    scopes=("plan-rejections", "plan-rejections-atomic", "ineligible-entry"),
)
def plan_rejections_are_forgotten(s: Kernel) -> Flag:
    """No plan rejection counts any more against a node that they made ineligible."""
    return exists(all_of(not_(s.eligible[m]), s.plan_rejections[m] == 0) for m in s.nodes)


def is_made(s: Kernel, n: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True where a step makes an allocation."""
    return all_of(s.alloc_phase[job, i] == AllocPhase.ABSENT, n.alloc_phase[job, i] == AllocPhase.RUNNING)


def is_stopped_now(s: Kernel, n: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True where a step stops an allocation."""
    return all_of(s.alloc_phase[job, i] != AllocPhase.STOPPED, n.alloc_phase[job, i] == AllocPhase.STOPPED)


def is_applied(s: Kernel, n: Kernel, worker: WorkerId) -> Flag:
    """True where a submitted plan is answered in one step, other than with an error."""
    is_answered = one_of(n.stage[worker], Stage.DECIDED, Stage.REJECTED, Stage.EXHAUSTED)
    return all_of(s.stage[worker] == Stage.SUBMITTED, is_answered)


def count_promised(s: Kernel, worker: WorkerId) -> int:
    """Count the placements that a worker waits for, in the queue or in an entry in flight."""
    queued = count(s.plan[worker].to[k] != NONE for k in s.placements)
    sent = count(
        all_of(s.entry[f].worker == worker, s.entry[f].to[k] != NONE) for f in s.entries for k in s.placements
    )
    return ite(s.stage[worker] == Stage.IN_FLIGHT, sent, queued)


def count_made(s: Kernel, n: Kernel, job: JobId) -> int:
    """Count the allocations of a job that a step makes."""
    return count(is_made(s, n, job, i) for i in s.allocs)


@step("PLAN-34", "PLAN-73", "PLAN-92", why="a worker that is told so plans no more")
def full_commit_means_all_placements_stored(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A worker that is told of a full commit finds each placement of its plan in the store."""
    is_told = all_of(s.job[w] == j, is_with_applier(s, w), n.stage[w] == Stage.DECIDED)
    return implies(is_told, count_made(s, n, j) == count_promised(s, w))


@step("PLAN-05", "PLAN-57", "PLAN-80", why="allocations would be placed twice")
def fully_committed_plan_is_not_made_again(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A plan goes back only if a placement, an update or an unknown status of it was not written.

    A plan that was judged before, and lost a part then, goes back for that. Judged by the store, no placement
    is left out for a wanted job while all nodes of the plan are ready, eligible and have room.
    """

    def can_take(m: NodeId) -> Flag:
        coming = count(s.plan[w].to[k] == m for k in s.placements)
        more = count(all_of(s.plan[w].to[k] == m, x < s.plan[w].ask) for k in s.placements for x in s.extras)
        has_room = count_taken(s, m) + coming + more <= s.cap
        return any_of(coming == 0, all_of(s.node_up[m], s.eligible[m], has_room))

    def is_lacking(i: AllocNumber) -> Flag:
        is_unmarked = all_of(calls_unknown(s.plan[w], i), n.alloc_phase[j, i] != AllocPhase.UNKNOWN)
        return any_of(n.alloc_version[j, i] != s.plan[w].version, is_unmarked)

    is_undone = exists(all_of(s.plan[w].keeps[i] != NONE, is_lacking(i)) for i in s.allocs)
    is_elsewhere = any_of(s.stage[w] != Stage.SUBMITTED, s.has_snap)
    may_lose = any_of(
        is_elsewhere, s.job_phase[j] != JobPhase.WANTED, exists(not_(can_take(m)) for m in s.nodes)
    )
    is_left = any_of(all_of(may_lose, count_made(s, n, j) < count_promised(s, w)), is_undone)
    return implies(is_sent_back(s, n, w, j), any_of(is_left, s.is_partial[w]))


@step("PLAN-44", "PLAN-46", why="a stop without its replacement leaves a job one allocation short")
def plan_is_committed_node_by_node(s: Kernel, n: Kernel, w: WorkerId, j: JobId, m: NodeId) -> Flag:
    """All that a plan stops, preempts and places on a node is committed, or nothing of it.

    Placements for a job that is not wanted any more are left out. What it preempts may have ended before.
    """
    planned = count(s.plan[w].to[k] == m for k in s.placements)
    made = count(all_of(is_made(s, n, j, i), n.occupies[j, i] == m) for i in s.allocs)
    named = count(all_of(s.plan[w].stops[i] != NONE, s.occupies[j, i] == m) for i in s.allocs)
    gone = count(
        all_of(s.plan[w].stops[i] != NONE, s.occupies[j, i] == m, n.occupies[j, i] == NONE) for i in s.allocs
    )
    preempts = exists(
        all_of(s.plan[w].preempted[k, i], s.occupies[k, i] == m, is_stopped_now(s, n, k, i))
        for k in s.jobs
        for i in s.allocs
    )
    is_unwanted = s.job_phase[j] != JobPhase.WANTED
    is_placed = any_of(made == planned, is_unwanted)
    is_whole = any_of(all_of(is_placed, gone == named), all_of(made == 0, gone == 0))
    is_right = all_of(is_whole, implies(preempts, is_placed))
    return implies(all_of(is_applied(s, n, w), s.job[w] == j), is_right)


@step("PLAN-47", "PLAN-46", why="half of such a plan only takes room")
def all_at_once_plan_is_placed_whole(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """Of a plan that is all at once, all placements are made or none."""
    return implies(
        all_of(s.all_at_once, s.job[w] == j, is_with_applier(s, w), not_(is_with_applier(n, w))),
        one_of(count_made(s, n, j), 0, count_promised(s, w)),
    )


@step("PLAN-51", why="a stop that waits for a node to recover would never be made")
def plan_that_only_stops_is_never_rejected(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """A plan that stops something, and does nothing else, is not sent back for another attempt."""
    places = exists(s.plan[w].to[k] != NONE for k in s.placements)
    updates = exists(s.plan[w].keeps[i] != NONE for i in s.allocs)
    stops = exists(s.plan[w].stops[i] != NONE for i in s.allocs)
    only_stops = all_of(stops, not_(any_of(places, updates)))
    is_rejected = all_of(s.stage[w] == Stage.SUBMITTED, one_of(n.stage[w], Stage.REJECTED, Stage.EXHAUSTED))
    return implies(is_rejected, not_(only_stops))


@step("PLAN-42", "PLAN-60", "ALLOC-03", why="the applier decides on a plan and makes none of its own")
def alloc_is_placed_and_stopped_only_by_a_plan(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId
) -> Flag:
    """What is placed or stopped was so planned, by a plan in the queue or an entry in flight."""
    by_plan = exists(
        all_of(s.job[w] == j, is_queued(s, w), s.plan[w].to[k] == m) for w in s.workers for k in s.placements
    )
    is_placed = any_of(by_plan, is_placed_by_entry(s, j, m))
    return all_of(
        implies(all_of(is_made(s, n, j, i), n.occupies[j, i] == m), is_placed),
        implies(is_stopped_now(s, n, j, i), any_of(is_stopped_by_own(s, j, i), is_preempted(s, j, i))),
    )


def is_placed_by_entry(s: Kernel, job: JobId, node: NodeId) -> Flag:
    """True while an entry in flight places an allocation of a job on a node."""
    return exists(
        all_of(s.entry[f].job == job, s.entry[f].to[k] == node) for f in s.entries for k in s.placements
    )


def list_plans(s: Kernel) -> Iterator[tuple[Plan, JobId]]:
    """List the plan of each worker and of each entry, with its job."""
    for w in s.workers:
        yield s.plan[w], s.job[w]
    for f in s.entries:
        yield s.entry[f], s.entry[f].job


def is_stopped_by_own(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True while a plan in the queue, or an entry in flight, stops an allocation of its own job."""
    by_plan = exists(all_of(s.job[w] == job, is_queued(s, w), s.plan[w].stops[i] != NONE) for w in s.workers)
    by_entry = exists(all_of(s.entry[f].job == job, s.entry[f].stops[i] != NONE) for f in s.entries)
    return any_of(by_plan, by_entry)


def is_preempted(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """True while a plan in the queue, or an entry in flight, preempts an allocation."""
    by_plan = exists(all_of(is_queued(s, w), s.plan[w].preempted[job, i]) for w in s.workers)
    return any_of(by_plan, exists(s.entry[f].preempted[job, i] for f in s.entries))


@step("PLAN-51", "NODEST-01", why="a node that is down or ineligible starts nothing")
def new_alloc_is_on_ready_eligible_node(s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId) -> Flag:
    """An allocation is placed on a node that is ready and eligible, unless an entry in flight places it."""
    is_placed = all_of(is_made(s, n, j, i), n.occupies[j, i] == m, not_(is_placed_by_entry(s, j, m)))
    return implies(is_placed, all_of(s.node_up[m], s.eligible[m]))


def is_sent_back(s: Kernel, n: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """True where a worker learns that a plan of a job was not wholly committed."""
    is_again = all_of(is_with_applier(s, worker), one_of(n.stage[worker], Stage.REJECTED, Stage.EXHAUSTED))
    return all_of(is_again, s.job[worker] == job)


@step(
    "PLAN-90",
    "PLAN-91",
    "PLAN-95",
    why="attempts end where they are in vain, and nowhere else",
)
def only_attempts_in_vain_count(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """Attempts count anew where something was placed, updated or deployed, and one more where nothing was.

    Nothing is asked of a plan that stops what has ended, writes only a client status or carries a deployment,
    nor of one in the pipeline that updates in place.
    """
    is_updated = exists(n.alloc_version[j, i] != s.alloc_version[j, i] for i in s.allocs)
    is_deployed = any_of(
        n.deployment[j] != s.deployment[j], n.deployment_version[j] != s.deployment_version[j]
    )
    is_progress = any_of(count_made(s, n, j) > 0, is_updated, is_deployed)
    is_over = exists(all_of(s.plan[w].stops[i] != NONE, s.occupies[j, i] == NONE) for i in s.allocs)
    is_noted = exists(
        all_of(
            s.plan[w].keeps[i] != NONE,
            any_of(s.stage[w] != Stage.SUBMITTED, s.plan[w].client_status[i] != PlannedStatus.AS_IT_IS),
        )
        for i in s.allocs
    )
    may_count = any_of(is_over, is_noted, writes_deployment(s.plan[w].deployment))
    is_moved = exists(n.alloc_phase[j, i] != s.alloc_phase[j, i] for i in s.allocs)
    is_vain = none_of(is_moved, is_updated, may_count)
    is_right = all_of(implies(is_progress, n.tries[w] == 0), implies(is_vain, n.tries[w] == s.tries[w] + 1))
    return implies(is_sent_back(s, n, w, j), is_right)


@step("PLAN-86", "PLAN-87", why="a node for which every plan is rejected costs each of them an attempt")
def node_becomes_ineligible_when_rejected_too_often(s: Kernel, n: Kernel, m: NodeId) -> Flag:
    """A node is made ineligible once its plan rejections reach the limit, and else only by an operator.

    Where entries are in flight, the judged plan in hand makes it so.
    """
    is_often = all_of(n.plan_rejections[m] > 0, n.plan_rejections[m] >= s.rejection_threshold)
    is_due = all_of(is_often, n.plan_rejections[m] > s.plan_rejections[m])
    is_marked = any_of(exists(s.entry[f].marks[m] for f in s.entries), is_often)
    is_down = exists(changes_status(s, n, o) for o in s.nodes)
    is_asked = all_of(any_of(n.node_changed > s.node_changed, begins_to_drain(s, n, m)), not_(is_down))
    becomes_ineligible = all_of(s.eligible[m], not_(n.eligible[m]))
    in_hand = exists(all_of(n.stage[w] == Stage.JUDGED, n.plan[w].marks[m]) for w in s.workers)
    will_be = any_of(not_(n.eligible[m]), in_hand)
    return all_of(implies(is_due, will_be), implies(becomes_ineligible, any_of(is_asked, is_marked)))


@step("PLAN-86", why="a rejection that is counted for another node makes that one ineligible")
def rejection_counts_against_a_planned_node(s: Kernel, n: Kernel) -> Flag:
    """A rejection counts once, against a node that a queued plan wants; an all-at-once plan's against one."""

    def is_wanted(m: NodeId) -> Flag:
        placed = exists(
            all_of(is_queued(s, w), s.plan[w].to[k] == m) for w in s.workers for k in s.placements
        )
        kept = exists(all_of(is_queued(s, w), s.plan[w].keeps[i] == m) for w in s.workers for i in s.allocs)
        return any_of(placed, kept)

    def is_right(m: NodeId) -> Flag:
        grows = all_of(n.plan_rejections[m] == s.plan_rejections[m] + 1, is_wanted(m))
        return any_of(n.plan_rejections[m] == s.plan_rejections[m], n.plan_rejections[m] == 0, grows)

    is_one = count(n.plan_rejections[m] > s.plan_rejections[m] for m in s.nodes) <= 1
    return all_of(any_of(not_(s.all_at_once), is_one), for_all(is_right(m) for m in s.nodes))
