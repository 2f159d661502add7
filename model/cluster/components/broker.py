"""The eval broker of the leader: at-least-once delivery, and never two evals of a job at once.

Times are nanoseconds of a clock that the caller owns; tokens and the choice among queues of equal priority
are arguments. What happens by itself as time passes is in broker_clock.
"""

from collections.abc import Iterable
from functools import partial

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.broker_state import (
    FAILED_QUEUE,
    Broker,
    Delivery,
    EvalQueue,
    Waiting,
    get_job_key,
    is_pending_before,
    is_ready_before,
)
from nomadspec.model.cluster.components.heap import pop, push
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.quirks import DROPPED_DELAYED_FIRES, LEAKED_NACK_DELAY

DISABLED = "eval broker disabled"
NOT_FOUND = "Evaluation ID not found"
WRONG_TOKEN = "Token does not match for Evaluation ID"  # noqa: S105 - the text of an error
ACKED_LATE = "Evaluation ID Ack'd after Nack timer expiration"
NOT_OUTSTANDING = "evaluation is not outstanding"
OTHER_TOKEN = "evaluation token does not match"  # noqa: S105 - the text of an error
TIMED_OUT = "evaluation nack timeout reached"


class Reply(msgspec.Struct, frozen=True):
    """The broker after an operation, and the error that the caller gets, if any."""

    broker: Broker
    error: str = ""


def enqueue(broker: Broker, entry: Evaluation, now_ns: int, token: str = "") -> Broker:
    """Take an eval: it becomes ready, or waits for its job, its delay, its date or the ack of its delivery.

    Spec: BROKER-01, BROKER-02, BROKER-03, BROKER-04, BROKER-05, BROKER-09.
    """
    if not broker.is_enabled:
        return broker
    if entry.id in broker.known:
        return _remember(broker, entry, token)
    broker = replace(broker, known=broker.known.insert(entry.id, 0))
    if entry.wait_ns > 0:
        return start_wait(broker, entry, now_ns + entry.wait_ns)
    if entry.wait_until_ns:
        return _delay(broker, entry, now_ns)
    return make_ready(broker, entry, entry.type)


def enqueue_all(broker: Broker, handed: Iterable[tuple[Evaluation, str]], now_ns: int) -> Broker:
    """Take several evals with their tokens; which one of a job becomes ready is up to their order.

    Spec: BROKER-08.
    """
    for entry, token in handed:
        broker = enqueue(broker, entry, now_ns, token)
    return broker


def _remember(broker: Broker, entry: Evaluation, token: str) -> Broker:
    delivery = broker.unack.get(entry.id)
    if not token or delivery is None or delivery.token != token:
        return broker
    return replace(broker, requeue=broker.requeue.insert(token, entry))


def start_wait(broker: Broker, entry: Evaluation, due_ns: int) -> Broker:
    """Put an eval under a timer of its own; meanwhile it occupies nothing.

    Spec: BROKER-04, BROKER-05.
    """
    waits = broker.waits.insert(entry.id, Waiting(eval=entry, due_ns=due_ns))
    return replace(broker, waits=waits, waiting_count=broker.waiting_count + 1)


def _delay(broker: Broker, entry: Evaluation, now_ns: int) -> Broker:
    delayed = tuple(sorted((*broker.delayed, entry), key=lambda waiting: waiting.wait_until_ns))
    count = broker.waiting_count + 1
    return watch_delayed(replace(broker, delayed=delayed, waiting_count=count), now_ns)


def watch_delayed(broker: Broker, now_ns: int) -> Broker:
    """Let the watcher of dates look at the head of the heap, and sleep until that one is due.

    Spec: BROKER-10.
    """
    head = broker.delayed[0] if broker.delayed else None
    due = Waiting(eval=head, due_ns=max(head.wait_until_ns, now_ns)) if head else None
    return replace(broker, watched=due)


def make_ready(broker: Broker, entry: Evaluation, queue_name: str) -> Broker:
    """Make an eval ready, or pending while another one occupies its job.

    Spec: BROKER-06, BROKER-07.
    """
    if not broker.is_enabled:
        return broker
    job = get_job_key(entry)
    if broker.slots.get(job, entry.id) != entry.id:
        behind = push(broker.pending.get(job, ()), entry, partial(is_pending_before, broker))
        return replace(broker, pending=broker.pending.insert(job, behind))
    queue = broker.queues.get(queue_name, EvalQueue())
    ready = replace(queue, ready=push(queue.ready, entry, is_ready_before))
    queues = broker.queues.insert(queue_name, ready)
    return replace(broker, queues=queues, slots=broker.slots.insert(job, entry.id))


def dequeue(broker: Broker, queue_name: str, token: str, now_ns: int) -> tuple[Broker, Evaluation]:
    """Deliver the first eval of a queue, one of list_candidate_queues, under a fresh token.

    Spec: BROKER-21, BROKER-22.
    """
    queue = broker.queues[queue_name]
    entry, ready = pop(queue.ready, is_ready_before)
    delivery = Delivery(eval=entry, token=token, nack_at_ns=now_ns + broker.settings.nack_timeout_ns)
    delivered = replace(
        broker,
        queues=broker.queues.insert(queue_name, EvalQueue(ready=ready, unacked=queue.unacked + 1)),
        unack=broker.unack.insert(entry.id, delivery),
        known=broker.known.insert(entry.id, broker.known.get(entry.id, 0) + 1),
    )
    return delivered, entry


def find_token(broker: Broker, eval_id: str) -> str | None:
    """Find the token under which an eval is outstanding."""
    delivery = broker.unack.get(eval_id)
    return delivery.token if delivery else None


def reset_nack_timer(broker: Broker, eval_id: str, token: str, now_ns: int) -> Reply:
    """Give the holder of a delivery the full time anew, also when the answer says that it is over.

    Spec: BROKER-30, 02/S9.
    """
    delivery = broker.unack.get(eval_id)
    if delivery is None or delivery.token != token:
        return Reply(broker, _complain(delivery))
    error = "" if delivery.nack_at_ns is not None else TIMED_OUT
    return Reply(_set_timer(broker, delivery, now_ns + broker.settings.nack_timeout_ns), error)


def pause_nack_timer(broker: Broker, eval_id: str, token: str) -> Reply:
    """Stop the clock of a delivery while its plan is applied.

    Spec: BROKER-31.
    """
    delivery = broker.unack.get(eval_id)
    if delivery is None or delivery.token != token:
        return Reply(broker, _complain(delivery))
    if delivery.nack_at_ns is None:
        return Reply(broker, TIMED_OUT)
    return Reply(_set_timer(broker, delivery, None))


def resume_nack_timer(broker: Broker, eval_id: str, token: str, now_ns: int) -> Reply:
    """Start the clock of a delivery again, with the full time.

    Spec: BROKER-31.
    """
    delivery = broker.unack.get(eval_id)
    if delivery is None or delivery.token != token:
        return Reply(broker, _complain(delivery))
    return Reply(_set_timer(broker, delivery, now_ns + broker.settings.nack_timeout_ns))


def _complain(delivery: Delivery | None) -> str:
    return OTHER_TOKEN if delivery else NOT_OUTSTANDING


def _set_timer(broker: Broker, delivery: Delivery, nack_at_ns: int | None) -> Broker:
    timed = replace(delivery, nack_at_ns=nack_at_ns)
    return replace(broker, unack=broker.unack.insert(delivery.eval.id, timed))


def ack(broker: Broker, eval_id: str, token: str, now_ns: int) -> Reply:
    """End a delivery that did its work: the best pending eval of the job goes on, the others are cancelable.

    Spec: BROKER-35, BROKER-36, BROKER-37, TRIG-27.
    """
    requeued = broker.requeue.get(token)
    broker = replace(broker, requeue=broker.requeue.discard(token))
    delivery = broker.unack.get(eval_id)
    if delivery is None or delivery.token != token:
        return Reply(broker, WRONG_TOKEN if delivery else NOT_FOUND)
    if delivery.nack_at_ns is None:
        return Reply(broker, ACKED_LATE)
    broker = _free_slot(_forget(broker, delivery.eval), delivery.eval)
    return Reply(enqueue(broker, requeued, now_ns) if requeued else broker)


def _forget(broker: Broker, entry: Evaluation) -> Broker:
    is_spent = broker.known.get(entry.id, 0) > broker.settings.delivery_limit
    return replace(
        _book_return(broker, FAILED_QUEUE if is_spent else entry.type),
        unack=broker.unack.discard(entry.id),
        known=broker.known.discard(entry.id),
        slots=broker.slots.discard(get_job_key(entry)),
    )


def _book_return(broker: Broker, queue_name: str) -> Broker:
    queue = broker.queues.get(queue_name, EvalQueue())
    returned = replace(queue, unacked=queue.unacked - 1)
    return replace(broker, queues=broker.queues.insert(queue_name, returned))


def _free_slot(broker: Broker, entry: Evaluation) -> Broker:
    job = get_job_key(entry)
    behind = broker.pending.get(job, ())
    if not behind:
        return broker
    following, others = pop(behind, partial(is_pending_before, broker))
    cancelable = (*broker.cancelable, *others)
    freed = replace(broker, pending=broker.pending.discard(job), cancelable=cancelable)
    return make_ready(freed, following, following.type)


def nack(broker: Broker, eval_id: str, token: str, now_ns: int) -> Reply:
    """Take back a delivery that failed: it is ready again later, or fails at the delivery limit.

    Spec: BROKER-40, BROKER-41, BROKER-42, BROKER-53.
    """
    broker = replace(broker, requeue=broker.requeue.discard(token))
    delivery = broker.unack.get(eval_id)
    if delivery is None or delivery.token != token:
        return Reply(broker, WRONG_TOKEN if delivery else NOT_FOUND)
    entry = delivery.eval
    broker = replace(_book_return(broker, entry.type), unack=broker.unack.discard(eval_id))
    return Reply(_take_back(broker, entry, now_ns))


def _take_back(broker: Broker, entry: Evaluation, now_ns: int) -> Broker:
    deliveries = broker.known.get(entry.id, 0)
    if deliveries >= broker.settings.delivery_limit:
        return make_ready(broker, entry, FAILED_QUEUE)
    delay_ns = compute_nack_delay_ns(broker, deliveries)
    if broker.settings.profile.has(LEAKED_NACK_DELAY):
        entry = replace(entry, wait_ns=delay_ns)
    if delay_ns > 0:
        return start_wait(broker, entry, now_ns + delay_ns)
    return make_ready(broker, entry, entry.type)


def compute_nack_delay_ns(broker: Broker, deliveries: int) -> int:
    """Compute how long an eval waits after so many deliveries that failed.

    Spec: BROKER-40.
    """
    if deliveries <= 1:
        return broker.settings.initial_nack_delay_ns
    return (deliveries - 1) * broker.settings.subsequent_nack_delay_ns


def drop_waiting(broker: Broker, eval_id: str) -> Broker:
    """Call off an eval that waits for its date; the watcher of dates is not told.

    The release forgets an eval also where its date has come, although it is ready then.

    Spec: BROKER-50, 02/S5.
    """
    if eval_id not in broker.known:
        return broker
    has_come = all(waiting.id != eval_id for waiting in broker.delayed)
    if has_come and not broker.settings.profile.has(DROPPED_DELAYED_FIRES):
        return broker
    return replace(
        broker,
        known=broker.known.discard(eval_id),
        delayed=tuple(waiting for waiting in broker.delayed if waiting.id != eval_id),
        waiting_count=broker.waiting_count - 1,
    )


def take_cancelable(broker: Broker, batch_size: int) -> tuple[Broker, tuple[Evaluation, ...]]:
    """Take the first evals off the list of cancelable ones.

    Spec: BROKER-51.
    """
    taken, left = broker.cancelable[:batch_size], broker.cancelable[batch_size:]
    return replace(broker, cancelable=left), taken


def enable(broker: Broker) -> Broker:
    """Let the broker take evals.

    Spec: BROKER-52.
    """
    return replace(broker, is_enabled=True)


def disable(broker: Broker) -> Broker:
    """Flush everything and refuse evals; only what was to be enqueued after an ack stays, under dead tokens.

    Spec: BROKER-52.
    """
    return Broker(settings=broker.settings, requeue=broker.requeue)
