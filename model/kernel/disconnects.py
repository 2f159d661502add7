"""Allocations whose node is disconnected: they are unknown for a time, and may come back."""

from nomadspec.model.kernel.broker import drop_waiting, is_system, make_pending, make_waiting, next_number
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.records import Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ENDED_BY_ITSELF,
    AllocPhase,
    DisconnectPhase,
    EvalRecord,
    InBroker,
    Stage,
    TriggeredBy,
)
from nomadspec.model.kernel.verdict import calls_unknown, count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, ite, not_, one_of
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import (
    HASTY_CANCEL,
    OVERWRITTEN_REPORT,
    REVIVED_ALLOCATION,
    SHARED_FOLLOW_UP,
    UNMADE_FOLLOW_UP,
)


def has_time_left(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while the time of an unknown allocation is not up, whatever became of its follow-up."""
    return not_(s.is_late[job, alloc])


def is_heartbeating(s: Kernel, node: NodeId) -> Flag:
    """True while the client of a node heartbeats: the node is ready, or initializing."""
    return any_of(s.node_up[node], s.initializing[node])


def find_disconnect_phase(s: Kernel, job: JobId, alloc: AllocNumber) -> DisconnectPhase:
    """Say how a snapshot shows the allocation: newly or still disconnected, complete, or neither."""
    is_disconnected = exists(all_of(s.occupies[job, alloc] == node, s.disconnected[node]) for node in s.nodes)
    is_down = exists(
        all_of(s.occupies[job, alloc] == node, not_(s.disconnected[node]), not_(is_heartbeating(s, node)))
        for node in s.nodes
    )
    is_new = all_of(s.alloc_phase[job, alloc] == AllocPhase.RUNNING, is_disconnected)
    is_unknown = s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN
    is_still = all_of(is_unknown, not_(is_down), has_time_left(s, job, alloc))
    is_complete = s.alloc_phase[job, alloc] == AllocPhase.COMPLETE
    phase = ite(is_complete, DisconnectPhase.COMPLETE, DisconnectPhase.NEITHER)
    phase = ite(is_still, DisconnectPhase.STILL_DISCONNECTED, phase)
    return ite(is_new, DisconnectPhase.NEWLY_DISCONNECTED, phase)


def is_mark_taken(s: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> Flag:
    """True while the applier lets a plan call an allocation on the node unknown."""
    is_live = s.alloc_phase[job, alloc] == AllocPhase.RUNNING
    has_place = all_of(s.eligible[node], count_taken(s, node) < s.cap)
    return any_of(s.disconnected[node], all_of(s.node_up[node], any_of(is_live, has_place)))


@rule(
    "EVAL-17",
    "EVAL-18",
    "TRIG-17",
    "ALLOC-06",
    "ALLOC-10",
    "PLAN-51",
    "PLAN-74",
    instead_of=Kernel.plan_statuses,
    makes=Kernel.made,
    fair=weak("worker"),
)
def mark_unknown(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber, alloc: AllocNumber, node: NodeId
) -> None:
    """A plan calls an allocation unknown, after the attempt has made a follow-up for when its time is up."""
    t.require(s.stage[worker] == Stage.PLANNING, s.job[worker] == job, s.number[worker] == number)
    is_new = s.seen[worker].disconnect_phase[alloc] == DisconnectPhase.NEWLY_DISCONNECTED
    t.require(is_new, s.seen[worker].occupies[job, alloc] == node)
    is_valid = all_of(s.leading, s.holds[worker])
    is_followed = has_follow_ups(s, job, number)
    is_shared = s.made_follow_up[worker] != NONE
    made = t.when(all_of(is_valid, is_followed, not_(is_shared)))
    make_waiting(s, made, job, TriggeredBy.MAX_DISCONNECT_TIMEOUT, s.eval_priority[job, number])
    made.made_follow_up[worker] = next_number(s, job)
    t.seen[worker].disconnect_phase[alloc] = DisconnectPhase.STILL_DISCONNECTED
    t.when(not_(is_valid)).stage[worker] = Stage.FAILING
    t.when(all_of(is_valid, not_(is_mark_taken(s, job, alloc, node)))).stage[worker] = Stage.REJECTED
    is_revived = all_of(s.has(OVERWRITTEN_REPORT), s.alloc_phase[job, alloc] == AllocPhase.FAILED)
    is_written = any_of(s.alloc_phase[job, alloc] == AllocPhase.RUNNING, is_revived)
    marked = t.when(all_of(is_valid, is_written, is_mark_taken(s, job, alloc, node)))
    marked.when(is_revived).occupies[job, alloc] = node
    follow_up = ite(is_shared, s.made_follow_up[worker], next_number(s, job))
    make_unknown(marked, job, alloc, ite(is_followed, follow_up, NONE))
    note_entry(s, marked)


def make_unknown(t: Kernel, job: JobId, alloc: AllocNumber, follow_up: EvalNumber) -> None:
    """Make an allocation unknown, until a follow-up falls due."""
    t.alloc_phase[job, alloc] = AllocPhase.UNKNOWN
    t.follow_up[job, alloc] = follow_up
    t.is_late[job, alloc] = False


def write_unknown(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, node: NodeId, plan: Plan) -> None:
    """Write an allocation as unknown, as a plan has it, whatever it may have become meanwhile."""
    has_ended = one_of(s.alloc_phase[job, alloc], *ENDED_BY_ITSELF)
    is_stopped = s.alloc_phase[job, alloc] == AllocPhase.STOPPED
    keeps_end = all_of(not s.has(OVERWRITTEN_REPORT), s.is_reported[job, alloc])
    is_ended = all_of(s.has(OVERWRITTEN_REPORT), has_ended)
    is_revived = any_of(is_ended, all_of(s.has(REVIVED_ALLOCATION), is_stopped, not_(keeps_end)))
    t.when(is_revived).occupies[job, alloc] = node
    t.when(is_revived).stopping_on[job, alloc] = NONE
    make_unknown(
        t.when(any_of(s.occupies[job, alloc] != NONE, is_revived)), job, alloc, plan.follow_up[alloc]
    )


def has_follow_ups(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation makes a follow-up for when what it finds unknown runs out of time.

    Those of system jobs make none. With the quirk, one that was made for such a time makes no other one.
    """
    is_late = s.triggered_by[job, number] == TriggeredBy.MAX_DISCONNECT_TIMEOUT
    return not_(any_of(is_system(s, job), all_of(s.has(UNMADE_FOLLOW_UP), is_late)))


def owes_follow_up(s: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """True while a plan writes something as unknown without an evaluation for when its time is up."""
    plan = s.plan[worker]
    is_owed = exists(all_of(calls_unknown(plan, i), plan.follow_up[i] == NONE) for i in s.allocs)
    return all_of(is_owed, has_follow_ups(s, job, s.number[worker]))


@rule("EVAL-17", "EVAL-18", "TRIG-17", part_of=Kernel.plan_statuses, makes=Kernel.made, fair=weak("worker"))
def make_follow_up(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker makes the follow-up for when the unknown allocations of its plan run out of time."""
    t.require(s.stage[worker] == Stage.PLANNED, s.job[worker] == job)
    t.require(s.number[worker] == number, owes_follow_up(s, worker, job))
    t.when(not_(s.holds[worker])).stage[worker] = Stage.FAILING
    valid = t.when(s.holds[worker])
    make_waiting(s, valid, job, TriggeredBy.MAX_DISCONNECT_TIMEOUT, s.eval_priority[job, number])
    for i in s.allocs:
        valid.when(calls_unknown(s.plan[worker], i)).plan[worker].follow_up[i] = next_number(s, job)


def cancel_follow_up(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """Cancel the follow-up of an unknown allocation that its client reports on."""
    t.follow_up[job, alloc] = NONE
    t.is_late[job, alloc] = False
    for number in s.eval_numbers:
        is_meant = all_of(s.follow_up[job, alloc] == number, s.eval_record[job, number] != EvalRecord.ABSENT)
        if not s.has(SHARED_FOLLOW_UP):
            is_meant = all_of(is_meant, not_(has_another(s, job, alloc, number)))
        if not s.has(HASTY_CANCEL):
            is_meant = all_of(is_meant, s.in_broker[job, number] == InBroker.WAITING)
        t.when(is_meant).eval_record[job, number] = EvalRecord.CANCELED
        drop_waiting(s, t.when(is_meant), job, number)


def has_another(s: Kernel, job: JobId, alloc: AllocNumber, number: EvalNumber) -> Flag:
    """True while another allocation of the job still waits for the follow-up."""
    return exists(all_of(other != alloc, s.follow_up[job, other] == number) for other in s.allocs)


@rule("NODEST-08", "DISC-11", part_of=Kernel.disconnects, fair=weak("job", "alloc"), actor="leader")
def run_out_of_time(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """The time of an unknown allocation is up, though no follow-up falls due."""
    falls_due = exists(
        all_of(s.follow_up[job, alloc] == number, s.in_broker[job, number] == InBroker.WAITING)
        for number in s.eval_numbers
    )
    t.require(s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, has_time_left(s, job, alloc), not_(falls_due))
    t.is_late[job, alloc] = True


@rule(
    "FSM-20",
    "FSM-23",
    "FSM-24",
    "ALLOC-12",
    "ALLOC-13",
    "TRIG-14",
    makes=Kernel.made,
    fair=weak("job"),
    actor="client",
)
def reconnect_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> None:
    """The client of a node that is back reports that an unknown allocation runs."""
    t.require(s.leading, s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, s.occupies[job, alloc] == node)
    t.require(is_heartbeating(s, node))
    t.alloc_phase[job, alloc] = AllocPhase.RUNNING
    cancel_follow_up(s, t, job, alloc)
    make_pending(s, t, job)
