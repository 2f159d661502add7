"""The plan applier without a pipeline: judge the next plan by the store, commit and answer in one step."""

from dataclasses import dataclass

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import is_next, take_plan
from nomadspec.model.kernel.state import AllocPhase, Cause, JobPhase, Kernel, Stage
from nomadspec.model.kernel.verdict import Verdict, find_kept, judge, view_store
from nomadspec.model.kernel.worker import forget_plan, limit_of
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    implies,
    ite,
    minimum,
    not_,
    one_of,
)
from nomadspec.model.quirks import REVIVED_ALLOCATION, SILENT_DROP
from nomadspec.model.rule import rule, weak


def stop_alloc(t: Kernel, job: Value, i: Value) -> None:
    """Stop an allocation, which gives its capacity back."""
    t.alloc_phase[job, i] = AllocPhase.STOPPED
    t.occupies[job, i] = NONE
    t.extra_at[job, i] = NONE


@dataclass(frozen=True, slots=True)
class Planned:
    """What a plan says of each of its instances: the version of the job, and the units beside the first."""

    version: Value
    bulk: Value


def make_alloc(s: Kernel, t: Kernel, job: Id, i: Value, node: Value, planned: Planned) -> None:
    """Make an allocation on a node."""
    t.alloc_phase[job, i] = AllocPhase.LIVE
    t.occupies[job, i] = node
    write_version(s, t, job, i, node, planned)


def write_version(s: Kernel, t: Kernel, job: Id, i: Value, node: Value, planned: Planned) -> None:
    """Give an allocation the version of a plan, and the room that it needs."""
    t.alloc_version[job, i] = planned.version
    for x in s.extras:
        t.extra_at[job, i, x] = ite(x < planned.bulk, node, NONE)


def update_alloc(s: Kernel, t: Kernel, job: Id, i: Id, node: Value, planned: Planned) -> None:
    """Update an allocation in its place; one that was stopped, and runs still, is to run again."""
    is_alive = s.occupies[job, i] != NONE
    write_version(s, t.when(is_alive), job, i, node, planned)
    if s.has(REVIVED_ALLOCATION):
        is_stopping = all_of(s.alloc_phase[job, i] == AllocPhase.STOPPED, not_(s.is_reported[job, i]))
        make_alloc(s, t.when(all_of(not_(is_alive), is_stopping)), job, i, node, planned)


def is_stored(s: Kernel, job: Value, i: Value) -> Value:
    """Say that the store has a record of the allocation."""
    return not_(one_of(s.alloc_phase[job, i], AllocPhase.ABSENT, AllocPhase.GONE))


def answer(s: Kernel, t: Kernel, worker: Id, *, is_whole: Value, has_progress: Value) -> None:
    """Answer a plan: all was committed, or plan again, or the attempts are used up."""
    tries = ite(has_progress, 0, s.tries[worker] + 1)
    t.tries[worker] = ite(is_whole, s.tries[worker], tries)
    again = ite(tries >= limit_of(s, worker), Stage.EXHAUSTED, Stage.REFUSED)
    t.stage[worker] = ite(is_whole, Stage.DECIDED, again)
    forget_plan(t, worker)


def admits_drops(s: Kernel) -> bool:
    """Say that an answer tells which placements were left out because the job is stopped."""
    return not s.has(SILENT_DROP)


def answer_error(t: Kernel, worker: Id) -> None:
    """Answer a plan with an error, for which its worker gives the delivery back."""
    t.stage[worker] = Stage.FAILING
    forget_plan(t, worker)


def is_marked(s: Kernel, verdict: Verdict, node: Id) -> Value:
    """Say that a node is refused once too often, and so is made ineligible."""
    return all_of(s.strikes > 0, verdict.refuses(node), s.refused[node] + 1 >= s.strikes)


def count_refusals(s: Kernel, t: Kernel, verdict: Verdict) -> None:
    """Count against each node that it was refused."""
    for n in s.nodes:
        count_refusal(s, t.when(verdict.refuses(n)), n)


def count_refusal(s: Kernel, t: Kernel, node: Id) -> None:
    """Count against a node that it was refused, where somebody counts."""
    t.when(s.strikes > 0).refused[node] = minimum(s.refused[node] + 1, s.strikes)


def names_missing(s: Kernel, worker: Id, job: Id) -> Value:
    """Say that a plan stops or drives out an allocation that the store has no more: it fails as a whole."""
    foe, victim = s.plan_foe[worker], s.plan_victim[worker]
    return any_of(
        exists(all_of(s.plan_stops[worker, i], not_(is_stored(s, job, i))) for i in s.allocs),
        all_of(s.preempting > 0, victim != NONE, not_(is_stored(s, foe, victim))),
    )


def owes_eval(s: Kernel, foe: Value, is_hit: Value) -> Value:
    """Say that a job gets an evaluation, because an allocation of it is driven out and the job exists."""
    return all_of(s.preempting > 0, is_hit, s.job_phase[foe] != JobPhase.ABSENT)


def evict(s: Kernel, t: Kernel, foe: Value, victim: Value, is_hit: Value) -> None:
    """Drive an allocation of another job out, and write an evaluation for that job."""
    is_alive = all_of(s.preempting > 0, is_hit, s.occupies[foe, victim] != NONE)
    stop_alloc(t.when(is_alive), foe, victim)
    make_pending(s, t.when(owes_eval(s, foe, is_hit)), foe, Cause.EVENT)


@rule(
    "PLAN-02",
    "PLAN-21",
    "PLAN-40",
    "PLAN-44",
    "PLAN-45",
    "PLAN-46",
    "PLAN-51",
    "PLAN-53",
    "PLAN-62",
    "PLAN-70",
    "PLAN-73",
    "PLAN-74",
    "PLAN-86",
    "PLAN-87",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
)
def apply_plan(s: Kernel, t: Kernel, worker: Id, job: Id) -> None:
    """The applier takes the next plan, commits the nodes that fit, and answers."""
    t.require(s.depth == 0)
    t.require(is_next(s, worker), s.job[worker] == job)
    verdict = judge(s, worker, job, view_store(s))
    t.require(any_of(s.gangs == 0, verdict.is_whole))
    is_wanted = s.job_phase[job] == JobPhase.WANTED
    t.require(s.alloc_made[job] + count(verdict.commits(k) for k in s.slots) <= s.spares)
    foe, victim = s.plan_foe[worker], s.plan_victim[worker]
    t.require(implies(owes_eval(s, foe, verdict.evicts), has_room(s, foe)))
    take_plan(s, t, worker)
    is_void = names_missing(s, worker, job)
    answer_error(t.when(is_void), worker)
    valid = t.when(not_(is_void))
    is_dropped = all_of(not_(is_wanted), exists(verdict.commits(k) for k in s.slots))
    is_true = any_of(not_(admits_drops(s)), not_(is_dropped))
    is_whole = all_of(verdict.is_whole, is_true)
    has_stops = exists(all_of(verdict.stops(i), s.occupies[job, i] != NONE) for i in s.allocs)
    has_updates = exists(verdict.keeps(i) for i in s.allocs)
    has_progress = all_of(verdict.has_progress, any_of(is_true, has_stops, has_updates))
    answer(s, valid, worker, is_whole=is_whole, has_progress=has_progress)
    count_refusals(s, valid, verdict)
    for n in s.nodes:
        valid.when(is_marked(s, verdict, n)).eligible[n] = False
    planned = Planned(s.plan_version[worker], s.plan_bulk[worker])
    for i in s.allocs:
        stop_alloc(valid.when(all_of(verdict.stops(i), s.occupies[job, i] != NONE)), job, i)
        update_alloc(s, valid.when(verdict.keeps(i)), job, i, find_kept(s, worker, i), planned)
    evict(s, valid, foe, victim, verdict.evicts)
    for k in s.slots:
        number = s.alloc_made[job] + count(all_of(before < k, verdict.commits(before)) for before in s.slots)
        filled = valid.when(all_of(is_wanted, verdict.commits(k)))
        make_alloc(s, filled, job, number, s.plan_to[worker, k], planned)
        filled.alloc_made[job] = number + 1
    is_written = any_of(verdict.has_progress, exists(is_marked(s, verdict, n) for n in s.nodes))
    note_eval(s, valid.when(is_written), job)


@rule(
    "PLAN-45",
    "PLAN-47",
    "PLAN-86",
    "PLAN-87",
    actor="applier",
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    node=Kernel.nodes,
)
def refuse_gang(s: Kernel, t: Kernel, worker: Id, job: Id, node: Id) -> None:
    """The applier refuses all of a plan that is all or nothing, on account of the node that it met first."""
    t.require(s.depth == 0, s.gangs > 0)
    t.require(is_next(s, worker), s.job[worker] == job)
    verdict = judge(s, worker, job, view_store(s))
    t.require(verdict.refuses(node))
    take_plan(s, t, worker)
    is_void = names_missing(s, worker, job)
    answer_error(t.when(is_void), worker)
    valid = t.when(not_(is_void))
    answer(s, valid, worker, is_whole=False, has_progress=False)
    count_refusal(s, valid, node)
    marking = valid.when(is_marked(s, verdict, node))
    marking.eligible[node] = False
    note_eval(s, marking, job)


@rule("PLAN-86", actor="applier", node=Kernel.nodes)
def forget_refusals(s: Kernel, t: Kernel, node: Id) -> None:
    """Time goes by, and what was held against a node no longer counts."""
    t.require(s.strikes > 0, s.refused[node] > 0)
    t.refused[node] = 0
