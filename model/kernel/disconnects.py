"""Allocations whose node is disconnected: they are unknown for a time, and may come back."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import drop_waiting, has_room, is_on, make_pending, make_waiting
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import AllocPhase, Cause, Kernel, Place, Record, Stage
from nomadspec.model.logic import Value, all_of, any_of, exists, ite, not_
from nomadspec.model.quirks import HASTY_CANCEL, OVERWRITTEN_REPORT
from nomadspec.model.rule import rule, weak

NEWLY_AWAY = 1
"""In a snapshot: the node of the allocation is silent, and the allocation has still to be marked."""
STILL_AWAY = 2
"""In a snapshot: the allocation is unknown, and has time left."""
COMPLETE = 3
"""In a snapshot: the allocation is complete, and needs no other in its place."""


def has_time_left(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that the follow-up of an unknown allocation has not fallen due."""

    def waits(number: Id) -> Value:
        is_stored = all_of(s.record[job, number] == Record.PENDING, s.place[job, number] == Place.OUT)
        return any_of(s.place[job, number] == Place.WAITING, all_of(is_stored, not_(is_on(s))))

    return exists(all_of(s.deadline[job, alloc] == number, waits(number)) for number in s.eval_numbers)


def find_away(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say how a snapshot taken now shows the allocation: newly or still away, complete, or neither (0)."""
    is_silent = exists(all_of(s.occupies[job, alloc] == node, s.silent[node]) for node in s.nodes)
    is_down = exists(
        all_of(s.occupies[job, alloc] == node, not_(s.silent[node]), not_(s.node_up[node]))
        for node in s.nodes
    )
    is_new = all_of(s.alloc_phase[job, alloc] == AllocPhase.LIVE, is_silent)
    has_time = any_of(s.deadline[job, alloc] == NONE, has_time_left(s, job, alloc))
    is_still = all_of(s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, not_(is_down), has_time)
    is_complete = s.alloc_phase[job, alloc] == AllocPhase.COMPLETE
    return ite(is_new, NEWLY_AWAY, ite(is_still, STILL_AWAY, ite(is_complete, COMPLETE, 0)))


def is_mark_taken(s: Kernel, job: Id, alloc: Id, node: Id) -> Value:
    """Say that the applier lets a plan call an allocation on the node unknown."""
    is_live = s.alloc_phase[job, alloc] == AllocPhase.LIVE
    has_place = all_of(s.eligible[node], s.used[node] < s.cap)
    return any_of(s.silent[node], all_of(s.node_up[node], any_of(is_live, has_place)))


@rule(
    "EVAL-17",
    "EVAL-18",
    "TRIG-17",
    "ALLOC-06",
    "ALLOC-10",
    "PLAN-51",
    "PLAN-74",
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
    alloc=Kernel.allocs,
    node=Kernel.nodes,
)
def mark_unknown(s: Kernel, t: Kernel, worker: Id, job: Id, number: Id, alloc: Id, node: Id) -> None:
    """A plan calls an allocation unknown, after a follow-up was made that falls due when its time is up."""
    t.require(s.stage[worker] == Stage.PLANNING, s.job[worker] == job, s.number[worker] == number)
    t.require(s.seen_away[worker, alloc] == NEWLY_AWAY, s.seen_occupies[worker, job, alloc] == node)
    t.require(has_room(s, job))
    is_valid = all_of(s.leading, s.holds[worker])
    has_deadline = s.cause[job, number] != Cause.DEADLINE
    make_waiting(s, t.when(all_of(is_valid, has_deadline)), job, Cause.DEADLINE, s.rank[job, number])
    t.seen_away[worker, alloc] = STILL_AWAY
    t.when(not_(is_valid)).stage[worker] = Stage.FAILING
    t.when(all_of(is_valid, not_(is_mark_taken(s, job, alloc, node)))).stage[worker] = Stage.REFUSED
    is_revived = all_of(s.has(OVERWRITTEN_REPORT), s.alloc_phase[job, alloc] == AllocPhase.FAILED)
    is_written = any_of(s.alloc_phase[job, alloc] == AllocPhase.LIVE, is_revived)
    marked = t.when(all_of(is_valid, is_written, is_mark_taken(s, job, alloc, node)))
    marked.alloc_phase[job, alloc] = AllocPhase.UNKNOWN
    marked.when(is_revived).occupies[job, alloc] = node
    marked.deadline[job, alloc] = ite(has_deadline, s.made[job], NONE)


def call_off(s: Kernel, t: Kernel, job: Id, alloc: Id) -> None:
    """Cancel the follow-up of an unknown allocation that its client reports on."""
    t.deadline[job, alloc] = NONE
    for number in s.eval_numbers:
        is_meant = all_of(s.deadline[job, alloc] == number, s.record[job, number] != Record.ABSENT)
        if not s.has(HASTY_CANCEL):
            is_meant = all_of(is_meant, s.place[job, number] == Place.WAITING)
        t.when(is_meant).record[job, number] = Record.CANCELED
        drop_waiting(s, t.when(is_meant), job, number)


@rule(
    "FSM-20",
    "FSM-23",
    "FSM-24",
    "ALLOC-12",
    "ALLOC-13",
    "TRIG-14",
    fair=weak("job"),
    job=Kernel.jobs,
    alloc=Kernel.allocs,
    node=Kernel.nodes,
)
def reconnect_alloc(s: Kernel, t: Kernel, job: Id, alloc: Id, node: Id) -> None:
    """The client of a node that is back reports that an unknown allocation runs."""
    t.require(s.leading, s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, s.occupies[job, alloc] == node)
    t.require(s.node_up[node], has_room(s, job))
    t.alloc_phase[job, alloc] = AllocPhase.LIVE
    note_entry(s, t)
    call_off(s, t, job, alloc)
    make_pending(s, t, job, Cause.EVENT)
