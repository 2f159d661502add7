"""Workers: from a snapshot to a plan, from the applier's answer to the outcome."""

from nomadspec.model.kernel.blocked import hand_over, untrack
from nomadspec.model.kernel.broker import (
    has_ended,
    is_batch_type,
    is_core,
    is_on,
    is_system,
    leave_broker,
    make_record,
    next_number,
    return_delivery,
)
from nomadspec.model.kernel.columns import Delivery
from nomadspec.model.kernel.deployments import plan_deployment, writes_deployment
from nomadspec.model.kernel.disconnects import find_disconnect_phase, owes_follow_up
from nomadspec.model.kernel.ids import EvalNumber, JobId, NodeId, PlacedAt, ServerId, WorkerId
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import enqueue_plan
from nomadspec.model.kernel.records import NO_DEPLOYMENT, Plan, ServerState, Snapshot
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, InBroker, JobPhase, SnapshotIndex, Stage, TriggeredBy
from nomadspec.model.language.domain import NONE, Map, opt
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    exists,
    for_all,
    implies,
    ite,
    none_of,
    not_,
    one_of,
    remember,
)
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import (
    DEAD_END,
    FAILING_PURGE,
    OVERWRITTEN_END,
    RELABELLED_PLACEMENT,
)


def forget_plan(t: Kernel, worker: WorkerId) -> None:
    """Let a worker forget its plan."""
    t.plan[worker].clear()
    t.is_partial[worker] = False


def forget_snapshot(t: Kernel, worker: WorkerId) -> None:
    """Let a worker forget its snapshot."""
    t.seen[worker].clear()
    t.made_follow_up[worker] = NONE


def release(t: Kernel, worker: WorkerId) -> None:
    """Let a worker forget its delivery and everything about it."""
    t.seen[worker].clear()
    t.plan[worker].clear()
    t.clear(Delivery, worker)


def view_cluster(s: Kernel) -> ServerState:
    """Show the cluster to schedulers, as the store has it."""
    return ServerState.of(s, disconnect_phase=lambda job, i: find_disconnect_phase(s, job, i))


def take_snapshot(t: Kernel, worker: WorkerId, job: JobId, view: ServerState) -> None:
    """Copy what the scheduler reads of a server's state."""
    t.seen[worker] = Snapshot.of(view, job)
    t.made_follow_up[worker] = NONE
    t.stage[worker] = Stage.PLANNING


def make_blocked(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber, cause: TriggeredBy
) -> None:
    """Write a new blocked evaluation of the worker's job, which the leader hands to blocked evals."""
    make_record(s, t, job, EvalRecord.BLOCKED, cause, s.eval_priority[job, number])
    hand_over(s, t.when(is_on(s)), job, next_number(s, job), s.unseen_unblock[worker])


def fail_record(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Write an evaluation as failed, unless a purge has completed it meanwhile."""
    note_eval(s, t, job)
    is_open = any_of(s.has(OVERWRITTEN_END), not_(has_ended(s, job, number)))
    t.when(is_open).eval_record[job, number] = EvalRecord.FAILED


def makes_plans(s: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """True while the scheduler of the worker's job makes plans, and handles the trigger of its evaluation."""
    return not_(any_of(is_core(s, job), has_unhandled_trigger(s, job, s.number[worker])))


def has_unhandled_trigger(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the scheduler does not handle the trigger of an evaluation."""
    return s.triggered_by[job, number] == TriggeredBy.UNHANDLED_TRIGGER


@rule("EVAL-37", "EVAL-39", part_of=Kernel.unhandled_triggers, fair=weak("worker"))
def reject_trigger(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A scheduler that does not handle a trigger fails the evaluation without an attempt."""
    t.require(s.stage[worker] == Stage.TAKEN, s.job[worker] == job, s.number[worker] == number)
    t.require(has_unhandled_trigger(s, job, number))
    t.stage[worker] = ite(s.holds[worker], Stage.ACKING, Stage.FAILING)
    fail_record(s, t.when(s.holds[worker]), job, number)


@rule("GC-01", "GC-05", "GC-06", "WORKER-07", fair=weak("worker"))
def run_core_eval(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """The core scheduler does its work, and writes nothing about the evaluation that asked for it."""
    t.require(is_core(s, job), s.stage[worker] == Stage.TAKEN, s.job[worker] == job)
    t.stage[worker] = Stage.ACKING


@rule("WORKER-06", "WORKER-08", fair=weak("worker"))
def begin(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """A worker gets a snapshot that is as new as its delivery."""
    t.require(s.stage[worker] == Stage.TAKEN, s.job[worker] == job, makes_plans(s, worker, job))
    take_snapshot(t, worker, job, view_cluster(s))
    t.is_newer[worker] = all_of(s.has_snap, s.snapshot.index == SnapshotIndex.BEHIND)


@rule("WORKER-05", "WORKER-06", "WORKER-08")
def begin_stale(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, server: ServerId) -> None:
    """A worker gets a snapshot of a server that is behind, but not as to the evaluations of the job."""
    t.require(s.stage[worker] == Stage.TAKEN, s.job[worker] == job, makes_plans(s, worker, job))
    t.require(s.stale_usable[server, job])
    take_snapshot(t, worker, job, s.stale[server])
    t.unseen_unblock[worker] = s.stale_unseen_unblock[server, job]


@rule("WORKER-03", "WORKER-06", "EVAL-37", spends=Kernel.erred)
def fail_on_error(s: Kernel, t: Kernel, worker: WorkerId) -> None:
    """A worker meets an error: its server lags too long, or the scheduler fails; nothing is written."""
    t.require(one_of(s.stage[worker], Stage.TAKEN, Stage.PLANNING, Stage.PLANNED, Stage.REJECTED))
    forget_snapshot(t, worker)
    forget_plan(t, worker)
    t.stage[worker] = Stage.FAILING


def propose(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, to: PlacedAt, reading: Reading, is_short: Flag
) -> None:
    """Write the plan that the scheduler has come to; one that changes nothing needs no applier."""
    deployment = plan_deployment(s, worker, job, reading)
    is_empty = all_of(
        for_all(to[k] == NONE for k in s.placements),
        for_all(all_of(not_(reading.stops(i)), reading.find_kept(i) == NONE) for i in s.allocs),
        not_(writes_deployment(deployment)),
    )
    t.plan[worker] = Plan(
        to=lambda k: to[k],
        stops=reading.find_stop,
        keeps=reading.find_kept,
        client_status=reading.find_status,
        follow_up=NONE,
        ask=ite(is_empty, 0, s.seen[worker].job_ask),
        preempted=False,
        marks=False,
        version=ite(is_empty, 0, s.seen[worker].job_version),
        deployment=ite(is_empty, NO_DEPLOYMENT, deployment),
    )
    t.is_short[worker] = is_short
    forget_snapshot(t, worker)
    t.stage[worker] = ite(is_empty, Stage.DECIDED, Stage.PLANNED)


@rule(
    "PLAN-92",
    "EVAL-37",
    "DEP-01",
    "DEP-04",
    "DEP-08",
    "DEP-09",
    "DEP-10",
    "DEP-11",
    "REC-87",
    "REC-89",
    "SYSDEP-01",
    "SYSDEP-05",
    "SYSDEP-06",
    "SYSDEP-20",
    "SYSDEP-23",
    fair=weak("worker"),
    to=Map(Kernel.placements, opt(Kernel.nodes)),
)
def plan(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, to: PlacedAt) -> None:
    """The scheduler answers with any plan that its contract allows."""
    t.require(s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    reading = Reading(s, worker, job, to)
    propose(s, t, worker, job, to, reading, contract(s, t, reading, worker, to))


def owes_blocked(s: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """True while the delivery has yet to make a blocked evaluation for what it could not place."""
    is_new = any_of(not_(s.was_blocked[worker]), is_system(s, job))
    return all_of(s.is_short[worker], is_new, not_(s.made_blocked[worker]))


def limit_of(s: Kernel, worker: WorkerId) -> int:
    """Give the plans that a worker may submit without progress."""
    is_batch = exists(all_of(s.job[worker] == job, is_batch_type(s, job)) for job in s.jobs)
    return ite(is_batch, s.batch_attempts, s.attempts)


@rule("EVAL-12", "EVAL-13", "TRIG-18", makes=Kernel.made, fair=weak("worker"))
def block(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker makes a blocked evaluation for what found no place, before it submits its plan."""
    t.require(one_of(s.stage[worker], Stage.PLANNED, Stage.DECIDED), owes_blocked(s, worker, job))
    t.require(s.job[worker] == job, s.number[worker] == number, not_(is_system(s, job)))
    make_blocked(s, t.when(s.holds[worker]), worker, job, number, TriggeredBy.QUEUED_ALLOCS)
    t.made_blocked[worker] = True
    t.when(not_(s.holds[worker])).stage[worker] = Stage.FAILING


def leaves_out(s: Kernel, worker: WorkerId, job: JobId, node: NodeId) -> Flag:
    """True while a plan places nothing on a node on which its job has nothing."""
    is_placed = exists(s.plan[worker].to[k] == node for k in s.placements)
    is_there = exists(s.occupies[job, i] == node for i in s.allocs)
    return none_of(is_placed, is_there, s.infeasible[job, node])


@rule("EVAL-12", "EVAL-15", "TRIG-18", makes=Kernel.made, fair=weak("worker"))
def block_at(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber, node: NodeId) -> None:
    """A worker makes a blocked evaluation of a system job for a node that its plan leaves out."""
    t.require(is_system(s, job))
    t.require(one_of(s.stage[worker], Stage.PLANNED, Stage.DECIDED), owes_blocked(s, worker, job))
    t.require(s.job[worker] == job, s.number[worker] == number, not_(s.infeasible[job, node]))
    t.require(for_all(s.plan[worker].to[k] != node for k in s.placements))
    # What the plan left out may be there by now: an allocation that was out of reach when it was planned.
    is_left_out = remember(lambda n: leaves_out(s, worker, job, n), is_named=True)
    t.require(implies(exists(is_left_out(n) for n in s.nodes), is_left_out(node)))
    make_blocked(s, t.when(s.holds[worker]), worker, job, number, TriggeredBy.QUEUED_ALLOCS)
    t.when(s.holds[worker]).at[job, next_number(s, job)] = node
    t.made_blocked[worker] = True


@rule("WORKER-10", "PLAN-13", "PLAN-15", fair=weak("worker"))
def submit(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """A worker submits its plan, which is queued if its token is valid and its job still exists."""
    t.require(s.stage[worker] == Stage.PLANNED, not_(owes_blocked(s, worker, job)), s.job[worker] == job)
    t.require(not_(owes_follow_up(s, worker, job)))
    is_valid = all_of(s.leading, s.holds[worker])
    is_gone = s.job_phase[job] == JobPhase.ABSENT
    is_taken = all_of(is_valid, not_(is_gone))
    t.stage[worker] = ite(is_taken, Stage.SUBMITTED, Stage.FAILING)
    if not s.has(FAILING_PURGE):
        t.when(all_of(is_valid, is_gone)).stage[worker] = Stage.DECIDED
        t.when(all_of(is_valid, is_gone)).is_short[worker] = False
    if s.has(RELABELLED_PLACEMENT):
        t.when(is_taken).plan[worker].version = s.job_version[job]
    enqueue_plan(s, t.when(is_taken), worker)
    forget_plan(t.when(not_(is_taken)), worker)


@rule("PLAN-80", "PLAN-90", "PLAN-91", fair=weak("worker"))
def refresh(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """A worker whose plan was rejected plans again on newer state."""
    t.require(s.stage[worker] == Stage.REJECTED, s.job[worker] == job, not_(s.awaits[worker]))
    take_snapshot(t, worker, job, view_cluster(s))
    t.when(is_system(s, job)).made_blocked[worker] = False


@rule("EVAL-32", "EVAL-35", "EVAL-37", "TRIG-28", fair=weak("worker"))
def write_outcome(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker writes the outcome of its evaluation, or blocks it again, under its token."""
    t.require(s.stage[worker] == Stage.DECIDED, not_(owes_blocked(s, worker, job)))
    t.require(s.job[worker] == job, s.number[worker] == number)
    again = all_of(s.was_blocked[worker], s.is_short[worker], not_(is_system(s, job)))
    is_blocked = s.eval_record[job, number] == EvalRecord.BLOCKED
    is_rejected = any_of(not_(s.holds[worker]), all_of(again, not_(is_blocked)))
    t.stage[worker] = ite(is_rejected, Stage.FAILING, Stage.ACKING)
    valid = t.when(not_(is_rejected))
    hand_over(s, valid.when(again), job, number, s.unseen_unblock[worker])
    done = valid.when(not_(again))
    note_eval(s, done, job)
    whole = done.when(not_(s.is_short[worker]))
    for other in s.eval_numbers:
        blocked = whole.when(s.eval_record[job, other] == EvalRecord.BLOCKED)
        blocked.eval_record[job, other] = EvalRecord.CANCELED
    untrack(s, whole, job)
    done.eval_record[job, number] = EvalRecord.COMPLETE


@rule("EVAL-14", "EVAL-16", "EVAL-37", "PLAN-97", "TRIG-19", makes=Kernel.made, fair=weak("worker"))
def use_up_attempts(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker whose plans were rejected too often fails its evaluation and leaves a blocked one behind."""
    t.require(s.stage[worker] == Stage.EXHAUSTED, s.job[worker] == job, s.number[worker] == number)
    t.stage[worker] = ite(s.holds[worker], Stage.ACKING, Stage.FAILING)
    valid = t.when(s.holds[worker])
    tries_again = any_of(not s.has(DEAD_END), not_(is_system(s, job)))
    make_blocked(s, valid.when(tries_again), worker, job, number, TriggeredBy.MAX_PLAN_ATTEMPTS)
    fail_record(s, valid, job, number)


@rule("BROKER-35", "BROKER-36", fair=weak("worker"))
def ack(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker is done: the job is free for the next pending evaluation; a stale token changes nothing."""
    t.require(s.stage[worker] == Stage.ACKING, s.job[worker] == job, s.number[worker] == number)
    valid = t.when(s.holds[worker])
    leave_broker(s, valid, job, number)
    is_followed = exists(s.in_broker[job, other] == InBroker.PENDING_BEHIND_JOB for other in s.eval_numbers)
    place = ite(is_followed, InBroker.PENDING_BEHIND_JOB, InBroker.READY)
    valid.when(s.requeued[worker]).in_broker[job, number] = place
    release(t, worker)


@rule("BROKER-40", "WORKER-03", fair=weak("worker"))
def nack(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker gives its delivery back; a stale token changes nothing."""
    t.require(s.stage[worker] == Stage.FAILING, s.job[worker] == job, s.number[worker] == number)
    return_delivery(s, t.when(s.holds[worker]), job, number)
    release(t, worker)
