"""The steps of a broker, each with the kernel's steps that it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from nomadspec.checkers.oracle.refinement.broker_sight import Staged
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE, Broker
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel import broker as kernel
from nomadspec.model.kernel.blocked import offer
from nomadspec.model.kernel.leader import pause_broker, resume_broker
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import InBroker, JobPhase, Stage, TriggeredBy
from nomadspec.model.kernel.worker import ack, nack
from nomadspec.model.language.domain import Id

Act = Callable[[Staged], bool]
"""Takes the kernel's steps on a stage; False where the kernel does not allow them."""

_FROM_THE_FAILED: Final = "a delivery of an evaluation that reached the delivery limit"


def stutter(_staged: Staged) -> bool:
    """Do nothing that the kernel sees."""
    return True


def _make_waiting(s: Kernel, t: Kernel, job: Id, rank: Id) -> None:
    kernel.make_waiting(s, t, job, TriggeredBy.FAILED_FOLLOW_UP, rank)


def _offer(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    offer(s, t, job, number, is_second=False)


def enqueue(broker: Broker, entry: Evaluation, token: str) -> Act:
    """A new evaluation is offered, or falls due later; one that is known is ignored or kept for its ack."""

    def act(staged: Staged) -> bool:
        job, number = staged.cast.at(entry.id)
        if broker.is_enabled and entry.id in broker.known:
            if _is_at_delivery_limit(broker, entry.id):
                raise Outside(_FROM_THE_FAILED)
            if _is_outstanding(broker, entry.id, token):
                staged.scene.put("stage", Stage.ACKING, staged.workers[entry.id])
            return staged.scene.run(_offer, job, number)
        staged.scene.put("made", number, job)
        if entry.wait_until_ns and _is_next_called_off(broker):
            staged.gap = "with another date, the timer of one that was called off is forgotten"
        if entry.wait_ns > 0 or entry.wait_until_ns:
            return staged.scene.run(_make_waiting, job, staged.cast.rank(entry.id))
        return staged.scene.run(kernel.request_evaluation, job, staged.cast.rank(entry.id))

    return act


def _is_next_called_off(broker: Broker) -> bool:
    watched = broker.watched.eval.id if broker.watched else ""
    return bool(watched) and all(entry.id != watched for entry in broker.delayed)


def _is_outstanding(broker: Broker, eval_id: str, token: str) -> bool:
    delivery = broker.unack.get(eval_id)
    return delivery is not None and delivery.token == token


def dequeue(broker: Broker, chosen: str, queues: Iterable[str]) -> Act:
    """A worker gets what it asked for, or the kernel has nothing for it either."""

    def act(staged: Staged) -> bool:
        if chosen and chosen in {entry.id for entry in _ready(broker, FAILED_QUEUE)}:
            return True  # the kernel's reaper takes and writes it in one step
        if not chosen:
            waiting = [entry for name in queues if name != FAILED_QUEUE for entry in _ready(broker, name)]
            return not any(_may_take(staged, entry) for entry in waiting)
        if _is_passed_over(broker, chosen):
            staged.gap = "namespaces that share the ID of a job order their evaluations otherwise (02/S4)"
        return staged.scene.run(kernel.dequeue, staged.idle, *staged.cast.at(chosen))

    return act


def _may_take(staged: Staged, entry: Evaluation) -> bool:
    return staged.scene.allows(kernel.dequeue, staged.idle, *staged.cast.at(entry.id))


def _ready(broker: Broker, queue: str) -> tuple[Evaluation, ...]:
    return broker.queues[queue].ready if queue in broker.queues else ()


def _is_passed_over(broker: Broker, chosen: str) -> bool:
    """True if a queue gives one of a lower priority, because of job IDs that two namespaces share."""
    for queue in broker.queues.values():
        entry = next((one for one in queue.ready if one.id == chosen), None)
        if entry is not None:
            jobs = [one.job_id for one in queue.ready]
            return len(jobs) > len(set(jobs)) and any(one.priority > entry.priority for one in queue.ready)
    return False


def answer_ack(broker: Broker, eval_id: str, token: str) -> Act:
    """A worker is done, by a token that is valid or not."""

    def act(staged: Staged) -> bool:
        if _is_at_delivery_limit(broker, eval_id) and _is_outstanding(broker, eval_id, token):
            if token in broker.requeue:
                raise Outside(_FROM_THE_FAILED)
            staged.scene.fill("job_phase", JobPhase.ABSENT)  # its follow-up is an operation of its own
            return staged.scene.run(kernel.reap_failed, *staged.cast.at(eval_id))
        if _is_outstanding(broker, eval_id, token) and broker.unack[eval_id].nack_at_ns is None:
            raise Outside("an ack while the clock of the delivery stands still")
        return _answer(staged, ack, Stage.ACKING, eval_id, is_valid=_is_outstanding(broker, eval_id, token))

    return act


def answer_nack(broker: Broker, eval_id: str, token: str) -> Act:
    """A worker gives its delivery back; without a delay it is ready in the same step."""

    def act(staged: Staged) -> bool:
        is_valid = _is_outstanding(broker, eval_id, token)
        if _is_at_delivery_limit(broker, eval_id):
            return True  # it goes back to the failed queue
        is_done = _answer(staged, nack, Stage.FAILING, eval_id, is_valid=is_valid)
        return is_done and (not is_valid or _end_delay_of_nothing(staged, broker, eval_id))

    return act


def _answer(
    staged: Staged, rule: Callable[..., object], stage: Stage, eval_id: str, *, is_valid: bool
) -> bool:
    if eval_id not in staged.cast.entries:
        return True  # nobody in the kernel answers for an evaluation that is nowhere
    at = staged.cast.at(eval_id)
    worker = staged.workers[eval_id] if is_valid else staged.idle
    staged.scene.put("stage", stage, worker)
    staged.scene.put("job", at[0], worker)
    staged.scene.put("number", at[1], worker)
    return staged.scene.run(rule, worker, *at)


def _is_at_delivery_limit(broker: Broker, eval_id: str) -> bool:
    return eval_id in broker.unack and broker.known.get(eval_id, 0) > broker.settings.delivery_limit


def _end_delay_of_nothing(staged: Staged, broker: Broker, eval_id: str) -> bool:
    deliveries = broker.known.get(eval_id, 0)
    is_spent = deliveries >= broker.settings.delivery_limit
    if is_spent or compute_delay_ns(broker, deliveries) > 0:
        return True
    return staged.scene.run(kernel.end_nack_delay, *staged.cast.at(eval_id))


def compute_delay_ns(broker: Broker, deliveries: int) -> int:
    """Compute the delay after so many deliveries."""
    settings = broker.settings
    if deliveries <= 1:
        return settings.initial_nack_delay_ns
    return (deliveries - 1) * settings.subsequent_nack_delay_ns


def expire(broker: Broker, eval_id: str) -> Act:
    """Nobody answers for a delivery in time."""

    def act(staged: Staged) -> bool:
        if _is_at_delivery_limit(broker, eval_id):
            raise Outside(_FROM_THE_FAILED)
        is_done = staged.scene.run(kernel.expire_delivery, staged.workers[eval_id], *staged.cast.at(eval_id))
        return is_done and _end_delay_of_nothing(staged, broker, eval_id)

    return act


def end_wait(eval_id: str) -> Act:
    """A delay or a date comes: after a nack, or of an evaluation that was made to wait."""

    def act(staged: Staged) -> bool:
        at = staged.cast.at(eval_id)
        is_nacked = staged.scene.get("in_broker", *at) == InBroker.NACKED
        return staged.scene.run(kernel.end_nack_delay if is_nacked else kernel.end_wait, *at)

    return act


def drop_waiting(broker: Broker, eval_id: str) -> Act:
    """An evaluation that waits is called off."""

    def act(staged: Staged) -> bool:
        is_next = broker.watched is not None and broker.watched.eval.id == eval_id
        if not is_next and eval_id in staged.cast.entries:
            raise Outside("calling off an evaluation that is not the next to fall due")
        return True  # its timer runs all the same (02/S5)

    return act


def cancel(taken: Iterable[Evaluation]) -> Act:
    """The leader takes cancelable evaluations to cancel them."""
    return lambda staged: all(
        staged.scene.run(kernel.cancel_cancelable, *staged.cast.at(entry.id)) for entry in taken
    )


def switch(broker: Broker, *, is_on: bool) -> Act:
    """The broker is switched on or off; switching it to what it is changes nothing."""
    if broker.is_enabled == is_on:
        return stutter
    return lambda staged: staged.scene.run(resume_broker if is_on else pause_broker)
