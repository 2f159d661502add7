"""What workers do: dequeue, wait for the state, run a scheduler, write what it asks for, ack or nack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, Self

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.acts.commit import commit
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.acts.terminal_evals import is_ended_write
from nomadspec.model.cluster.components import broker, deliveries, leader_memory
from nomadspec.model.cluster.components.broker_state import Broker, list_candidate_queues
from nomadspec.model.cluster.components.plan_submission import normalize, submit
from nomadspec.model.cluster.entities import Evaluation, Plan, PlanResult
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.planner import (
    Call,
    Create,
    Effect,
    Reblock,
    Submit,
    Update,
    answer_plan,
    begin_call,
    grant,
    refuse,
)
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.cluster.world import Delivered, Worker, World, with_broker, with_memory, with_worker
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.quirks import FAILING_PURGE

SCHEDULERS: Final = ("service", "batch", "system", "sysbatch", "_core")
"""What a worker asks for.

Spec: WORKER-01.
"""


class Stage(StrEnum):
    """How far a worker has come with what it holds."""

    IDLE = "idle"
    CHOSEN = "chosen"
    """It holds an evaluation and has not begun with it."""
    CREATE = "create"
    UPDATE = "update"
    REBLOCK = "reblock"
    SUBMIT = "submit"
    WAITING = "waiting"
    """Its plan is with the leader."""
    ANSWERED = "answered"
    DONE = "done"
    FAILED = "failed"


_ASKING: Final[Mapping[type[Effect], Stage]] = {
    Create: Stage.CREATE,
    Update: Stage.UPDATE,
    Reblock: Stage.REBLOCK,
    Submit: Stage.SUBMIT,
}
"""The stage of a worker whose scheduler asks for something next."""


def find_stage(worker: Worker) -> Stage:
    """Find how far a worker has come."""
    if worker.held is None:
        return Stage.IDLE
    if worker.answer is not None:
        return Stage.ANSWERED
    if worker.awaits_plan:
        return Stage.WAITING
    if worker.call is None:
        return Stage.CHOSEN
    if worker.call.todo:
        return _ASKING[type(worker.call.todo[0])]
    return Stage.FAILED if worker.call.error else Stage.DONE


def list_workers(world: World, stage: Stage) -> tuple[Worker, ...]:
    """List the workers that are at a stage by their names."""
    return sort_by_stage(world.workers).get(stage, ())


@remember_last
def sort_by_stage(workers: HashTrieMap[str, Worker]) -> Mapping[Stage, tuple[Worker, ...]]:
    """Sort workers by the stage at which they are, and by their names; no stage is empty."""
    found: dict[Stage, tuple[Worker, ...]] = {}
    for _, worker in sorted(workers.items()):
        stage = find_stage(worker)
        found[stage] = (*found.get(stage, ()), worker)
    return found


def get_held(worker: Worker) -> Delivered:
    """Give what a worker holds, which it does whenever it works."""
    if worker.held is None:
        raise ImpossibleError(f"{worker.id} works on nothing.")
    return worker.held


def get_call(worker: Worker) -> Call:
    """Give the call of a scheduler that a worker is in."""
    if worker.call is None:
        raise ImpossibleError(f"{worker.id} is in no call of a scheduler.")
    return worker.call


@act("WORKER-03", "WORKER-04", "WORKER-05", "BROKER-22", actor="worker", stage=Stage.IDLE, refines="dequeue")
class Dequeue(Act, frozen=True, kw_only=True):
    """A worker takes the first evaluation of a queue, with a fresh token."""

    worker: str
    queue: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any idle worker, and any of the queues whose evaluations have an equal priority."""
        takers = [each for each in list_workers(world, Stage.IDLE) if not each.is_paused]
        queues = _list_queues(world.leader.memory.broker) if takers else ()
        for worker in takers if queues else ():
            if not _rests(world, worker):
                yield from (cls(worker=worker.id, queue=queue) for queue in queues)

    def take(self, world: World) -> World:
        """Count the delivery, and note how far the state of the worker must come."""
        number = world.deliveries + 1
        token = f"token-{number:05d}"
        memory, taken = leader_memory.deliver(
            world.leader.memory, world.state, self.queue, token, world.now_ns
        )
        world = with_memory(replace(world, deliveries=number), memory)
        if taken is None:
            return world
        held = Delivered(
            eval=taken,
            token=token,
            number=number,
            wait_index=deliveries.compute_wait_index(world.state, taken),
        )
        worker = replace(world.workers[self.worker], held=held, waits_since_ns=world.now_ns)
        return with_worker(world, worker)


@remember_last
def _list_queues(held_by: Broker) -> tuple[str, ...]:
    return list_candidate_queues(held_by, SCHEDULERS)


def _rests(world: World, worker: Worker) -> bool:
    """True while a worker waits for its server, to which it has given a delivery back."""
    is_behind = world.find_state(worker).latest_index < worker.rests_for
    return is_behind and world.now_ns < worker.rests_until_ns


@act("WORKER-06", "WORKER-07", "WORKER-08", actor="worker", stage=Stage.CHOSEN, refines="begin fail_on_error")
class StartScheduler(Act, frozen=True, kw_only=True):
    """A worker whose state has come far enough takes a snapshot of it and calls the scheduler."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker that holds an evaluation for a scheduler, and has seen what it must have seen."""
        for worker in list_workers(world, Stage.CHOSEN):
            held = get_held(worker)
            if held.eval.type != "_core" and world.find_state(worker).latest_index >= held.wait_index:
                yield cls(worker=worker.id)

    def take(self, world: World) -> World:
        """Run the scheduler up to its first plan, or its end."""
        worker = world.workers[self.worker]
        held, state = get_held(worker), world.find_state(worker)
        call = begin_call(
            Call(
                snapshot=Snapshot.of(state),
                evaluation=held.eval,
                now_ns=world.now_ns,
                number=held.number,
                seed=world.settings.seed,
                profile=world.settings.profile,
            )
        )
        seen = replace(held, snapshot_index=state.latest_index)
        return with_worker(world, replace(worker, held=seen, call=call))


def _list_asking(world: World, stage: Stage) -> Iterator[str]:
    """List the workers whose scheduler asks the leader for something of a kind next.

    Without a leader they try again until there is one (WORKER-11).
    """
    return _list_names(world, stage) if world.is_led else iter(())


def _list_names(world: World, stage: Stage) -> Iterator[str]:
    return (worker.id for worker in list_workers(world, stage))


def _get_asked_eval(worker: Worker) -> Evaluation:
    asked = get_call(worker).todo[0]
    if isinstance(asked, Submit):
        raise ImpossibleError(f"{worker.id} has a plan next, and no evaluation.")
    return asked.evaluation


def _get_asked_plan(call: Call) -> Plan:
    asked = call.todo[0]
    if not isinstance(asked, Submit):
        raise ImpossibleError("The scheduler has an evaluation next, and no plan.")
    return asked.plan


def _go_on(world: World, error: str, worker: Worker) -> World:
    call = get_call(worker)
    return with_worker(world, replace(worker, call=refuse(call, error) if error else grant(call)))


def _write(world: World, worker: Worker, answer: deliveries.Answer) -> tuple[World, str]:
    """Write what the leader lets a worker write: the world, and why it was not written."""
    world = with_memory(world, answer.memory)
    if answer.written is None or is_ended_write(world, answer.written):
        return world, answer.error
    held = get_held(worker)
    signed = deliveries.sign(answer.written, held.snapshot_index, world.now_ns)
    done = commit(world, EvalUpdate(evals=(signed,)))
    return done.world, done.error


@act(
    "EVAL-12",
    "WORKER-20",
    "GENERIC-40",
    "GENERIC-44",
    actor="worker",
    stage=Stage.CREATE,
    refines="block block_at make_waiting make_pending fail_on_error",
)
class CreateEval(Act, frozen=True, kw_only=True):
    """The scheduler has a further evaluation written: one that is blocked, or one that comes later."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler asks for it next."""
        return (cls(worker=name) for name in _list_asking(world, Stage.CREATE))

    def take(self, world: World) -> World:
        """Write it, if the delivery is still its own."""
        worker = world.workers[self.worker]
        held, asked = get_held(worker), _get_asked_eval(worker)
        answer = deliveries.create_eval(world.leader.memory, world.state, asked, held.token, world.now_ns)
        return _go_on(*_write(world, worker, answer), worker)


@act(
    "EVAL-32",
    "WORKER-20",
    "GENERIC-43",
    "SYSTEM-37",
    actor="worker",
    stage=Stage.UPDATE,
    refines="write_outcome reject_trigger fail_on_error",
)
class UpdateEval(Act, frozen=True, kw_only=True):
    """The scheduler has the outcome of its evaluation written."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler asks for it next."""
        return (cls(worker=name) for name in _list_asking(world, Stage.UPDATE))

    def take(self, world: World) -> World:
        """Write it, if the delivery is still its own."""
        worker = world.workers[self.worker]
        held, asked = get_held(worker), _get_asked_eval(worker)
        answer = deliveries.update_eval(world.leader.memory, asked, held.token, world.now_ns)
        return _go_on(*_write(world, worker, answer), worker)


@act("EVAL-36", "WORKER-30", "WORKER-31", actor="worker", stage=Stage.REBLOCK, refines="write_outcome")
class ReblockEval(Act, frozen=True, kw_only=True):
    """The scheduler hands an evaluation back that it could not place; only a stale summary is written."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler asks for it next."""
        return (cls(worker=name) for name in _list_asking(world, Stage.REBLOCK))

    def take(self, world: World) -> World:
        """Give it to the blocked evaluations, if the delivery is still its own."""
        worker = world.workers[self.worker]
        held, entry = get_held(worker), _get_asked_eval(worker)
        if deliveries.has_stale_summary(world.find_state(worker), entry):
            first = deliveries.update_eval(world.leader.memory, entry, held.token, world.now_ns)
            world, error = _write(world, worker, first)
            if error:
                return _go_on(world, error, worker)
        signed = deliveries.sign(entry, held.snapshot_index, world.now_ns)
        answer = deliveries.reblock_eval(world.leader.memory, world.state, signed, held.token, world.now_ns)
        return _go_on(with_memory(world, answer.memory), answer.error, worker)


@act("PLAN-10", "PLAN-13", "PLAN-20", "WORKER-10", actor="worker", stage=Stage.SUBMIT, refines="submit")
class SubmitPlan(Act, frozen=True, kw_only=True):
    """A worker hands the scheduler's plan to the leader, where it waits for the applier."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler has a plan next."""
        return (cls(worker=name) for name in _list_asking(world, Stage.SUBMIT))

    def take(self, world: World) -> World:
        """Queue the plan; one that is refused at the door ends the call."""
        worker = world.workers[self.worker]
        call, held, leader = get_call(worker), get_held(worker), world.leader
        plan = normalize(_get_asked_plan(call), held.token, held.snapshot_index, world.settings.profile)
        if _has_lost_its_job(world, plan):
            index = world.state.latest_index
            again = Answer(result=PlanResult(refresh_index=index))
            return with_worker(world, replace(worker, answer=again, waits_since_ns=world.now_ns))
        done = submit(world.state, leader.memory.broker, leader.plans, plan, world.now_ns)
        memory = replace(leader.memory, broker=done.broker)
        world = replace(world, leader=replace(leader, memory=memory, plans=done.queue))
        if done.error:
            return with_worker(world, replace(worker, call=refuse(call, done.error)))
        return with_worker(world, replace(worker, awaits_plan=True))


def _has_lost_its_job(world: World, plan: Plan) -> bool:
    """True if the job of a plan was purged, for which its worker is to look again, as intended.

    Spec: PLAN-13, 03/S15.
    """
    info = plan.job_info
    is_gone = info is not None and world.state.find_job(info.namespace, info.id) is None
    return is_gone and not world.settings.profile.has(FAILING_PURGE)


@act("WORKER-10", "PLAN-80", "PLAN-92", actor="worker", stage=Stage.ANSWERED, refines="fail_on_error")
class ReceiveAnswer(Act, frozen=True, kw_only=True):
    """A worker goes on with what became of its plan, by a newer state where it was told to refresh."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose plan was answered, and whose state has come as far as the answer wants."""
        for worker in list_workers(world, Stage.ANSWERED):
            result = worker.answer.result if worker.answer else None
            wanted = result.refresh_index if result else 0
            if world.find_state(worker).latest_index >= wanted:
                yield cls(worker=worker.id)

    def take(self, world: World) -> World:
        """Run the scheduler up to its next plan, or its end."""
        worker = world.workers[self.worker]
        answer = worker.answer
        if answer is not None and answer.result is not None and answer.result.refresh_index:
            answer = replace(answer, new_state=Snapshot.of(world.find_state(worker)))
        if answer is None:
            raise ImpossibleError(f"{worker.id} has no answer to go on with.")
        call = answer_plan(get_call(worker), answer)
        return with_worker(world, replace(worker, call=call, answer=None))


@act("WORKER-03", "WORKER-33", "BROKER-36", actor="worker", stage=Stage.DONE, refines="ack")
class Ack(Act, frozen=True, kw_only=True):
    """A worker whose scheduler is done says so to the broker; that it may be too late does not matter."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler ended without an error."""
        return (cls(worker=name) for name in _list_names(world, Stage.DONE))

    def take(self, world: World) -> World:
        """Let the worker be idle, and the job have its next evaluation."""
        worker = world.workers[self.worker]
        held = get_held(worker)
        left = broker.ack(world.leader.memory.broker, held.eval.id, held.token, world.now_ns).broker
        return with_worker(with_broker(world, left), replace(worker, held=None, call=None))


@act("WORKER-03", "BROKER-40", "PLAN-98", actor="worker", stage=Stage.FAILED, refines="nack")
class Nack(Act, frozen=True, kw_only=True):
    """A worker whose scheduler ended with an error gives the delivery back."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker whose scheduler ended with an error."""
        return (cls(worker=name) for name in _list_names(world, Stage.FAILED))

    def take(self, world: World) -> World:
        """Let the worker be idle, and the broker deliver once more, unless the limit is reached."""
        return give_back(world, world.workers[self.worker])


def give_back(world: World, worker: Worker) -> World:
    """Give a delivery back to the leader, which delivers it once more unless the limit is reached.

    Spec: WORKER-03, BROKER-40.
    """
    held = get_held(worker)
    memory = leader_memory.give_back(world.leader.memory, world.state, held.eval.id, held.token, world.now_ns)
    return with_worker(with_memory(world, memory), replace(worker, held=None, call=None))
