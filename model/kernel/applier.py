"""The plan applier without a pipeline: judge the next plan by the store, commit and answer in one step."""

from collections.abc import Callable
from typing import Final

from nomadspec.model.kernel.broker import make_pending
from nomadspec.model.kernel.capacity import free_capacity, take_capacity, take_extras
from nomadspec.model.kernel.deployments import join_deployment, write_deployment, writes_deployment
from nomadspec.model.kernel.disconnects import write_unknown
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, Placement, WorkerId
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import is_next, take_plan
from nomadspec.model.kernel.records import NO_DEPLOYMENT, AppliedState, Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, PlannedStatus, Stage
from nomadspec.model.kernel.verdict import Verdict, calls_unknown, judge, updates, view_store
from nomadspec.model.kernel.worker import forget_plan, limit_of
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    Value,
    all_of,
    any_of,
    count,
    exists,
    implies,
    ite,
    minimum,
    none_of,
    not_,
)
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import REVIVED_ALLOCATION, SILENT_DROP, UNSEEN_LOSS


def stop_alloc(s: Kernel, t: Kernel, job: JobId, i: AllocNumber) -> None:
    """Stop an allocation, which gives its capacity back before its client reports that it ended."""
    t.alloc_phase[job, i] = AllocPhase.STOPPED
    t.when(s.endings).stopping_on[job, i] = s.occupies[job, i]
    free_capacity(t, job, i)


def make_alloc(s: Kernel, t: Kernel, job: JobId, i: AllocNumber, node: NodeId, plan: Plan) -> None:
    """Make an allocation on a node."""
    t.alloc_phase[job, i] = AllocPhase.RUNNING
    t.stopping_on[job, i] = NONE
    t.alloc_version[job, i] = plan.version
    take_capacity(s, t, job, i, node, plan)


def update_alloc(s: Kernel, t: Kernel, job: JobId, i: AllocNumber, node: NodeId, plan: Plan) -> None:
    """Update an allocation in its place; one that was stopped, and runs still, is to run again."""
    write_unknown(s, t.when(calls_unknown(plan, i)), job, i, node, plan)
    t = t.when(updates(plan, i))
    is_alive = s.occupies[job, i] != NONE
    t.when(is_alive).alloc_version[job, i] = plan.version
    take_extras(s, t.when(is_alive), job, i, node, plan)
    if s.has(REVIVED_ALLOCATION):
        is_stopping = all_of(s.alloc_phase[job, i] == AllocPhase.STOPPED, not_(s.is_reported[job, i]))
        make_alloc(s, t.when(all_of(not_(is_alive), is_stopping)), job, i, node, plan)


def answer(s: Kernel, t: Kernel, worker: WorkerId, *, is_whole: Flag, has_progress: Flag) -> None:
    """Answer a plan: all was committed, or plan again, or the attempts are used up."""
    tries = ite(has_progress, 0, s.tries[worker] + 1)
    t.tries[worker] = ite(is_whole, s.tries[worker], tries)
    again = ite(tries >= limit_of(s, worker), Stage.EXHAUSTED, Stage.REJECTED)
    t.stage[worker] = ite(is_whole, Stage.DECIDED, again)
    forget_plan(t, worker)


def places_any(s: Kernel, plan: Plan) -> Flag:
    """True if a plan places an allocation."""
    return exists(plan.to[k] != NONE for k in s.placements)


def changes_any(s: Kernel, plan: Plan) -> Flag:
    """True if a plan of a job stops or updates an allocation of this job."""
    return exists(any_of(plan.stops[i] != NONE, plan.keeps[i] != NONE) for i in s.allocs)


def is_no_op(s: Kernel, plan: Plan) -> Flag:
    """True if what is left of a plan changes nothing in the store."""
    is_marking = exists(plan.marks[n] for n in s.nodes)
    return none_of(places_any(s, plan), changes_any(s, plan), writes_deployment(plan.deployment), is_marking)


def answer_plan(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, plan: Plan, *, is_whole: Flag) -> None:
    """Answer a worker; as intended, placements left out for a job that is not wanted are no full commit."""
    has_placed = places_any(s, plan)
    is_told = any_of(s.has(SILENT_DROP), s.job_phase[job] == JobPhase.WANTED)
    has_progress = any_of(
        changes_any(s, plan), writes_deployment(plan.deployment), all_of(has_placed, is_told)
    )
    answer(s, t, worker, is_whole=all_of(is_whole, implies(has_placed, is_told)), has_progress=has_progress)


def answer_error(t: Kernel, worker: WorkerId) -> None:
    """Answer a plan with an error, for which its worker gives the delivery back."""
    t.stage[worker] = Stage.FAILING
    forget_plan(t, worker)


def is_marked(s: Kernel, verdict: Verdict, node: NodeId) -> Flag:
    """True while a node is rejected once too often, and so is made ineligible."""
    # Where nobody counts, the threshold is 0, and every count is as high.
    return all_of(
        s.rejection_threshold > 0, verdict.rejects(node), s.plan_rejections[node] + 1 >= s.rejection_threshold
    )


def count_rejections(s: Kernel, t: Kernel, verdict: Verdict) -> None:
    """Count a plan rejection of each node that is refused."""
    for n in s.nodes:
        count_rejection(s, t.when(verdict.rejects(n)), n)


def count_rejection(s: Kernel, t: Kernel, node: NodeId) -> None:
    """Count a plan rejection of a node, up to the number that makes it ineligible: 0 where nobody counts."""
    t.plan_rejections[node] = minimum(s.plan_rejections[node] + 1, s.rejection_threshold)


def names_missing(s: Kernel, plan: Plan, job: JobId, view: AppliedState) -> Flag:
    """True while a plan stops or preempts an allocation that a view does not have: it fails as a whole."""
    return any_of(
        exists(all_of(plan.stops[i] != NONE, view.lacks[job, i]) for i in s.allocs),
        exists(all_of(plan.preempted[j, i], view.lacks[j, i]) for j in s.jobs for i in s.allocs),
    )


def find_committed_part(
    s: Kernel, worker: WorkerId, verdict: Verdict, view: AppliedState, counts: Callable[[NodeId], Flag]
) -> Plan:
    """Give what a verdict by a view leaves of a worker's plan, and the nodes that it makes ineligible.

    Which of the refused nodes count is said by the caller: of a plan that is all or nothing, the first alone.
    """
    plan, stands = s.plan[worker], verdict.stands
    return Plan.of(
        plan,
        to=lambda k: ite(stands(plan.to[k]), plan.to[k], NONE),
        stops=lambda i: ite(stands(plan.stops[i]), plan.stops[i], NONE),
        keeps=lambda i: ite(stands(plan.keeps[i]), plan.keeps[i], NONE),
        client_status=lambda i: ite(stands(plan.keeps[i]), plan.client_status[i], PlannedStatus.AS_IT_IS),
        follow_up=lambda i: ite(stands(plan.keeps[i]), plan.follow_up[i], NONE),
        preempted=lambda j, i: all_of(plan.preempted[j, i], stands(view.occupies[j, i])),
        marks=lambda n: all_of(counts(n), is_marked(s, verdict, n)),
        deployment=ite(verdict.may_commit, plan.deployment, NO_DEPLOYMENT),
    )


def take_checked_plan(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, view: AppliedState) -> Kernel:
    """Take a plan from the queue; give the writer for where the applier finds all that the plan names."""
    take_plan(s, t, worker)
    is_wrong = names_missing(s, s.plan[worker], job, view)
    answer_error(t.when(is_wrong), worker)
    return t.when(not_(is_wrong))


def count_placed(s: Kernel, plan: Plan) -> int:
    """Count what a plan places."""
    return count(plan.to[k] != NONE for k in s.placements)


def number_placed(s: Kernel, plan: Plan, job: JobId, k: Placement) -> AllocNumber:
    """Give the allocation that is made by one of the placements of a plan of which all is committed."""
    earlier = count(all_of(before < k, plan.to[before] != NONE) for before in s.placements)
    number: Value = s.alloc_made[job] + earlier
    given: AllocNumber = ite(plan.to[k] != NONE, number, NONE)
    return given


def owes_eval(s: Kernel, plan: Plan, job: JobId) -> Flag:
    """True while a job gets an evaluation, because an allocation of it is preempted and the job exists."""
    is_hit = exists(plan.preempted[job, i] for i in s.allocs)
    return all_of(is_hit, s.job_phase[job] != JobPhase.ABSENT)


def preempt(s: Kernel, t: Kernel, plan: Plan) -> None:
    """Preempt allocations of other jobs, and write one evaluation for each of these jobs."""
    for job in s.jobs:
        for i in s.allocs:
            stop_alloc(s, t.when(all_of(plan.preempted[job, i], s.occupies[job, i] != NONE)), job, i)
        make_pending(s, t.when(owes_eval(s, plan, job)), job)


def write_plan(
    s: Kernel, t: Kernel, job: JobId, plan: Plan, numbers: Callable[[Placement], AllocNumber]
) -> None:
    """Write what is left of a plan, in one log entry; placements only where their job is still wanted."""
    for i in s.allocs:
        stop_alloc(s, t.when(all_of(plan.stops[i] != NONE, s.occupies[job, i] != NONE)), job, i)
        update_alloc(s, t.when(plan.keeps[i] != NONE), job, i, plan.keeps[i], plan)
    preempt(s, t, plan)
    for n in s.nodes:
        t.when(plan.marks[n]).eligible[n] = False
    for k in s.placements:
        filled = t.when(all_of(s.job_phase[job] == JobPhase.WANTED, plan.to[k] != NONE))
        make_alloc(s, filled, job, numbers(k), plan.to[k], plan)
        if not s.has(UNSEEN_LOSS):
            filled.when(not_(s.node_up[plan.to[k]])).owed[job] = True
    write_deployment(s, t, job, plan.deployment)
    join_deployment(s, t, job, plan, numbers)


WRITES_PLAN: Final = (
    "PLAN-62",
    "PLAN-70",
    "PLAN-73",
    "TRIG-20",
    "DEP-20",
    "DEP-22",
    "DEP-23",
    "DEP-24",
    "SYSDEP-24",
)
"""What the specification says of writing a plan."""

REJECTS_ALL_AT_ONCE: Final = ("PLAN-45", "PLAN-47", "PLAN-86", "PLAN-87")
"""What the specification says of a plan that is all or nothing, and loses a node."""


@rule(
    "PLAN-02",
    "PLAN-21",
    "PLAN-40",
    "PLAN-44",
    "PLAN-45",
    "PLAN-46",
    "PLAN-51",
    "PLAN-53",
    "PLAN-74",
    "PLAN-86",
    "PLAN-87",
    *WRITES_PLAN,
    makes=(Kernel.made, Kernel.alloc_made),
    instead_of=Kernel.depth,
    actor="applier",
    fair=weak(),
)
def apply_plan(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """The applier takes the next plan, commits the nodes that fit, and answers."""
    t.require(is_next(s, worker), s.job[worker] == job)
    view = view_store(s)
    verdict = judge(s, worker, job, view)
    t.require(verdict.may_commit)
    rest = find_committed_part(s, worker, verdict, view, verdict.rejects)
    valid = take_checked_plan(s, t, worker, job, view)
    answer_plan(s, valid, worker, job, rest, is_whole=verdict.is_whole)
    count_rejections(s, valid, verdict)
    placed = count_placed(s, rest)
    is_wanted = s.job_phase[job] == JobPhase.WANTED
    valid.when(all_of(is_wanted, placed > 0)).alloc_made[job] = s.alloc_made[job] + placed
    write_plan(s, valid, job, rest, lambda k: number_placed(s, rest, job, k))
    note_eval(s, valid.when(not_(is_no_op(s, rest))), job)


@rule(
    *REJECTS_ALL_AT_ONCE,
    part_of=Kernel.all_at_once,
    instead_of=Kernel.depth,
    actor="applier",
    fair=weak("worker"),
)
def reject_all_at_once(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, node: NodeId) -> None:
    """The applier rejects all of a plan that is all or nothing, on account of the node that it met first."""
    t.require(is_next(s, worker), s.job[worker] == job)
    view = view_store(s)
    verdict = judge(s, worker, job, view)
    t.require(verdict.rejects(node))
    valid = take_checked_plan(s, t, worker, job, view)
    count_rejection(s, valid, node)
    answer(s, valid, worker, is_whole=False, has_progress=False)
    marking = valid.when(is_marked(s, verdict, node))
    marking.eligible[node] = False
    note_eval(s, marking, job)


@rule("PLAN-86", part_of=Kernel.rejection_threshold, actor="applier")
def forget_plan_rejections(s: Kernel, t: Kernel, node: NodeId) -> None:
    """Time goes by, and the plan rejections of a node no longer count."""
    t.require(s.plan_rejections[node] > 0)
    t.plan_rejections[node] = 0
