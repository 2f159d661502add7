"""Writing: a request becomes a log entry, the entry changes the state, and the leader's memory is told."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components import leader_memory, plan_submission
from nomadspec.model.cluster.components.periodic import add_job, remove_job
from nomadspec.model.cluster.components.plan_commit import answer_commit, leave_out_dropped
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import Evaluation, Plan
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.store.entries import Applied, Entry, apply
from nomadspec.model.cluster.store.handed_to_leader import Handed, TrackPeriodic, UntrackPeriodic
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.cluster.world import InFlight, World, with_memory, with_state, with_worker
from nomadspec.model.specification.quirks import SILENT_DROP, VOID_EFFECTS

LOST_ENTRY: Final = "leadership lost while committing log"


class Committed(msgspec.Struct, frozen=True):
    """The world after an entry, and what the store made of it."""

    world: World
    applied: Applied
    is_lost: bool = False
    """Whether the log did not commit it: nothing was written, and whoever asked is told so."""

    @property
    def error(self) -> str:
        """Why it was refused or lost; empty where it was neither."""
        return self.applied.error or ""


def commit(world: World, request: msgspec.Struct) -> Committed:
    """Write a request and apply it; entries of plans that were dispatched before come first.

    Spec: OBJ-020, FSM-01, PLAN-35.
    """
    while world.leader.in_flight:
        world = commit_plan(world)
    if world.losses:
        world = replace(world, losses=world.losses - 1)
        return Committed(world, Applied(world.state, LOST_ENTRY), is_lost=True)
    return _append(world, request)


def write_evals(world: World, *evals: Evaluation) -> World:
    """Write evaluations in one entry.

    Spec: EVAL-12, EVAL-32.
    """
    return commit(world, EvalUpdate(evals=evals)).world


def commit_plan(world: World) -> World:
    """Commit the entry of the plan that was dispatched first, and answer its worker.

    Spec: PLAN-31, PLAN-34, PLAN-35, X-18, 03/S13.
    """
    flying, left = world.leader.in_flight[0], world.leader.in_flight[1:]
    done = _append(replace(world, leader=replace(world.leader, in_flight=left)), flying.request)
    index = done.world.state.latest_index
    is_void = done.applied.error is not None and not world.settings.profile.has(VOID_EFFECTS)
    world = _note_end(done.world, flying, 0 if is_void else index)
    world = fail_plans_on_top(world) if is_void else world
    if flying.is_lost:
        return world
    try:
        result = answer_commit(flying.result, index, done.applied.error, profile=world.settings.profile)
    except PlanError as error:
        return answer_worker(world, flying.plan, Answer(error=str(error)))
    if not world.settings.profile.has(SILENT_DROP):
        result = leave_out_dropped(result, world.state)
    return answer_worker(world, flying.plan, Answer(result=result))


def fail_plan(world: World, reason: str) -> World:
    """Let the entry of the plan that was dispatched first fail: it is never committed.

    Spec: PLAN-34, PLAN-98.
    """
    flying, left = world.leader.in_flight[0], world.leader.in_flight[1:]
    world = _note_end(replace(world, leader=replace(world.leader, in_flight=left)), flying, 0)
    return world if flying.is_lost else answer_worker(world, flying.plan, Answer(error=reason))


def fail_plans_on_top(world: World) -> World:
    """Let all entries in flight fail that were judged as if an earlier one would be committed.

    Spec: X-10, X-18.
    """
    while world.leader.in_flight:
        world = fail_plan(world, LOST_ENTRY)
    return world


def answer_worker(world: World, plan: Plan, answer: Answer) -> World:
    """Answer a plan: the clock of its delivery runs again, and its worker goes on if it still waits.

    Spec: PLAN-13.
    """
    memory = world.leader.memory
    broker = plan_submission.return_plan(memory.broker, plan, world.now_ns)
    world = with_memory(world, replace(memory, broker=broker))
    for worker in world.workers.values():
        if worker.awaits_plan and worker.held is not None and worker.held.token == plan.eval_token:
            told = replace(worker, awaits_plan=False, answer=answer, waits_since_ns=world.now_ns)
            return with_worker(world, told)
    return world


def _append(world: World, request: msgspec.Struct) -> Committed:
    entry = Entry(world.state.latest_index + 1, request)
    applied = world.leader.applier.tried.find(world.state, entry, world.now_ns)
    if applied is None:
        applied = apply(world.state, entry, now_ns=world.now_ns, profile=world.settings.profile)
    world = with_state(world, applied.state, applied.transactions)
    if world.is_led:
        world = _hand_over(world, applied.handed)
    return Committed(world, applied)


def _hand_over(world: World, handed: tuple[Handed, ...]) -> World:
    """Tell the leader's memory what a committed entry means for it.

    Spec: FSM-01, FSM-02, FSM-03, FSM-24.
    """
    memory = leader_memory.take_in(world.leader.memory, handed, world.now_ns)
    dispatcher = world.leader.dispatcher
    for one in handed:
        match one:
            case TrackPeriodic(job=job):
                dispatcher = add_job(dispatcher, job, world.now_ns)
            case UntrackPeriodic(namespace=namespace, job_id=job_id):
                dispatcher = remove_job(dispatcher, namespace, job_id)
    return replace(world, leader=replace(world.leader, memory=memory, dispatcher=dispatcher))


def _note_end(world: World, flying: InFlight, index: int) -> World:
    """Report the end of an entry to the applier, which counts only those that it knows to be in flight."""
    if flying.is_lost:
        return world
    return replace(world, leader=replace(world.leader, ended=(*world.leader.ended, index)))
