"""Holds recorded sequences of broker operations against the kernel's rules, timer by timer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families import broker as recorded
from nomadspec.checkers.oracle.refinement import broker_steps as steps
from nomadspec.checkers.oracle.refinement.broker_sight import (
    Sighting,
    Staged,
    assign,
    list_entries,
    look,
    put_on_stage,
)
from nomadspec.checkers.oracle.refinement.broker_steps import Act
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.components import broker as actions
from nomadspec.model.cluster.components.broker_clock import fire, list_alarms
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings, list_candidate_queues
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel.statuses import InBroker
from nomadspec.model.specification.profiles import Profile


def refine(vector: Mapping[str, Any], context: Context) -> Iterator[Step]:
    """Follow a broker, and hold each of its steps against the kernel."""
    shape = read_shape(recorded.Vector, vector)
    follower = _Follower(
        BrokerSettings(profile=context.profile, **msgspec.structs.asdict(shape.config)), context.profile
    )
    for position, operation in enumerate(shape.ops):
        now_ns = recorded.compute_now_ns(operation.t_ms)
        yield from follower.let_time_pass(position, now_ns)
        yield from follower.do(position, operation, now_ns)
        yield from follower.let_time_pass(position, now_ns)


class _Follower:
    """A broker on its way through a sequence."""

    def __init__(self, settings: BrokerSettings, profile: Profile) -> None:
        self._broker = Broker(settings=settings)
        self._profile = profile

    def let_time_pass(self, position: int, now_ns: int) -> Iterator[Step]:
        """Let every timer fire that is due."""
        while (alarm := min(list_alarms(self._broker), default=None)) and alarm.due_ns <= now_ns:
            before = self._broker
            is_nack = alarm.kind == "nack"
            act = steps.expire(before, alarm.eval_id) if is_nack else steps.end_wait(alarm.eval_id)
            yield self._step(position, alarm.kind, fire(before, alarm), act)

    def do(self, position: int, operation: recorded.AnyOperation, now_ns: int) -> Iterator[Step]:
        """Do one operation."""
        before = self._broker
        match operation:
            case recorded.EnqueueAll(evals=handed):
                for one in handed:
                    yield self._enqueue(
                        position, "enqueue-all", read(Evaluation, one.eval), one.token, now_ns
                    )
            case recorded.Enqueue(eval=raw):
                yield self._enqueue(position, "enqueue", read(Evaluation, raw), "", now_ns)
            case recorded.SetEnabled(enabled=is_on):
                after = actions.enable(before) if is_on else actions.disable(before)
                yield self._step(position, "set-enabled", after, steps.switch(before, is_on=is_on))
            case recorded.Dequeue(schedulers=queues, answer=answer):
                chosen = answer.eval if answer else ""
                after = self._deliver(chosen, answer.token if answer else "", queues, now_ns)
                yield self._step(position, "dequeue", after, steps.dequeue(before, chosen, queues))
            case recorded.Cancelable(batch=size):
                after, taken = actions.take_cancelable(before, size)
                yield self._step(position, "cancelable", after, steps.cancel(taken))
            case recorded.DropWaiting(eval=eval_id):
                after = actions.drop_waiting(before, eval_id)
                yield self._step(position, "drop-waiting", after, steps.drop_waiting(before, eval_id))
            case recorded.Ack(eval=eval_id, token=token):
                yield self._answer(position, operation, eval_id, token, now_ns)

    def _enqueue(self, position: int, name: str, entry: Evaluation, token: str, now_ns: int) -> Step:
        after = actions.enqueue(self._broker, entry, now_ns, token)
        return self._step(position, name, after, steps.enqueue(self._broker, entry, token), entry)

    def _deliver(self, chosen: str, token: str, queues: list[str], now_ns: int) -> Broker:
        """Deliver what was delivered, if it is among what the broker chooses from."""
        for name in list_candidate_queues(self._broker, queues):
            if self._broker.queues[name].ready[0].id == chosen:
                return actions.dequeue(self._broker, name, token, now_ns)[0]
        return self._broker

    def _answer(self, position: int, operation: recorded.Ack, eval_id: str, token: str, now_ns: int) -> Step:
        """A worker answers; what only moves the clock of a delivery is nothing to the kernel."""
        before = self._broker
        match operation:
            case recorded.Nack():
                after = actions.nack(before, eval_id, token, now_ns).broker
                return self._step(position, "nack", after, steps.answer_nack(before, eval_id, token))
            case recorded.OutstandingReset():
                after = actions.reset_nack_timer(before, eval_id, token, now_ns).broker
                return self._step(position, "outstanding-reset", after, steps.stutter)
            case recorded.PauseNack():
                after = actions.pause_nack_timer(before, eval_id, token).broker
                return self._step(position, "pause-nack", after, steps.stutter)
            case recorded.ResumeNack():
                after = actions.resume_nack_timer(before, eval_id, token, now_ns).broker
                return self._step(position, "resume-nack", after, steps.stutter)
        after = actions.ack(before, eval_id, token, now_ns).broker
        return self._step(position, "ack", after, steps.answer_ack(before, eval_id, token))

    def _step(self, position: int, name: str, after: Broker, act: Act, *others: Evaluation) -> Step:
        before, self._broker = self._broker, after
        try:
            staged = _stage(before, after, self._profile, others)
            seen = staged.see() if act(staged) else None
            return Step(position, name, seen, look(after), gap=staged.gap)
        except Outside as answer:
            return Step(position, name, outside=answer.name)


def _stage(before: Broker, after: Broker, profile: Profile, others: Iterable[Evaluation]) -> Staged:
    """Set the scene for the kernel's steps."""
    expected = look(after)
    behind = [eval_id for eval_id, one in look(before).items() if one.place is InBroker.PENDING_BEHIND_JOB]
    winners = [eval_id for eval_id in behind if _is_ready(expected.get(eval_id))]
    cast = assign([*list_entries(before), *list_entries(after), *others], winners)
    return put_on_stage(before, cast, profile)


def _is_ready(one: Sighting | None) -> bool:
    return one is not None and one.place is InBroker.READY
