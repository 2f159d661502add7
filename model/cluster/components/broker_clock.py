"""What the eval broker does by itself as time passes: delays end, dates come, nack timers expire."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.broker import make_ready, nack, watch_delayed
from nomadspec.model.cluster.components.broker_state import Broker, Delivery, Waiting
from nomadspec.model.specification.quirks import DROPPED_DELAYED_FIRES


class Alarm(msgspec.Struct, frozen=True, order=True):
    """A timer that will fire: when, the eval it is about, and which kind of timer it is."""

    due_ns: int
    eval_id: str
    kind: str


def list_alarms(broker: Broker) -> Iterator[Alarm]:
    """List the timers that run."""
    for eval_id, waiting in broker.waits.items():
        yield Alarm(waiting.due_ns, eval_id, "delay")
    for eval_id, delivery in broker.unack.items():
        if delivery.nack_at_ns is not None:
            yield Alarm(delivery.nack_at_ns, eval_id, "nack")
    if broker.watched:
        yield Alarm(broker.watched.due_ns, broker.watched.eval.id, "date")


def elapse(broker: Broker, now_ns: int) -> Broker:
    """Let every timer fire that is due by now, in the order of their times.

    Timers due at the same instant may fire in any order; here the IDs of their evals decide.

    Spec: BROKER-04, BROKER-10, BROKER-32.
    """
    while (alarm := min(list_alarms(broker), default=None)) and alarm.due_ns <= now_ns:
        broker = fire(broker, alarm)
    return broker


def fire(broker: Broker, alarm: Alarm) -> Broker:
    """Let one timer fire.

    Spec: BROKER-04, BROKER-32.
    """
    if alarm.kind == "delay":
        return _end_delay(broker, broker.waits[alarm.eval_id])
    if alarm.kind == "nack":
        return _expire(broker, broker.unack[alarm.eval_id], alarm.due_ns)
    return _reach_date(broker, alarm.due_ns)


def _end_delay(broker: Broker, waiting: Waiting) -> Broker:
    entry = waiting.eval
    count = broker.waiting_count - 1
    ended = replace(broker, waits=broker.waits.discard(entry.id), waiting_count=count)
    return make_ready(ended, entry, entry.type)


def _expire(broker: Broker, delivery: Delivery, now_ns: int) -> Broker:
    return nack(broker, delivery.eval.id, delivery.token, now_ns).broker


def _reach_date(broker: Broker, now_ns: int) -> Broker:
    """Offer the eval that the watcher slept on, even if it was called off meanwhile."""
    watched = broker.watched
    if watched is None:
        return broker
    entry = watched.eval
    left = tuple(waiting for waiting in broker.delayed if waiting.id != entry.id)
    is_called_off = len(left) == len(broker.delayed)
    if is_called_off and not broker.settings.profile.has(DROPPED_DELAYED_FIRES):
        return watch_delayed(broker, now_ns)
    reached = replace(broker, delayed=left, waiting_count=broker.waiting_count - 1)
    return watch_delayed(make_ready(reached, entry, entry.type), now_ns)
