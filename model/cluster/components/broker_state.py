"""What the eval broker remembers: queues, deliveries, timers; and the two orders of its queues."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from rpds import HashTrieMap

from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import OLDEST_FIRST

JobKey = tuple[str, str]
"""Namespace and ID of a job."""

FAILED_QUEUE: Final = "_failed"
"""The queue of evals that were delivered too often."""


class BrokerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a broker, and the profile under which it works."""

    nack_timeout_ns: int = 60 * NS_PER_S
    initial_nack_delay_ns: int = 1 * NS_PER_S
    subsequent_nack_delay_ns: int = 20 * NS_PER_S
    delivery_limit: int = 3
    profile: Profile


class EvalQueue(msgspec.Struct, frozen=True, kw_only=True):
    """The evals of one type that are ready, in heap array order, and how many deliveries are booked on it."""

    ready: tuple[Evaluation, ...] = ()
    unacked: int = 0


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An eval that a worker holds, with its token; no due time means that the nack timer stands still."""

    eval: Evaluation
    token: str
    nack_at_ns: int | None


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """An eval under a timer of its own."""

    eval: Evaluation
    due_ns: int


class Broker(msgspec.Struct, frozen=True, kw_only=True):
    """The eval broker of a leader."""

    settings: BrokerSettings
    is_enabled: bool = False
    known: HashTrieMap[str, int] = HashTrieMap()
    """Deliveries by eval."""
    slots: HashTrieMap[JobKey, str] = HashTrieMap()
    """The one eval of each job that may be ready or delivered."""
    pending: HashTrieMap[JobKey, tuple[Evaluation, ...]] = HashTrieMap()
    """Heaps of the pending evals of each job."""
    queues: HashTrieMap[str, EvalQueue] = HashTrieMap()
    unack: HashTrieMap[str, Delivery] = HashTrieMap()
    requeue: HashTrieMap[str, Evaluation] = HashTrieMap()
    """What is enqueued once the delivery with that token is acked."""
    waits: HashTrieMap[str, Waiting] = HashTrieMap()
    delayed: tuple[Evaluation, ...] = ()
    """Evals with a date, the next one first."""
    watched: Waiting | None = None
    """The head of the delayed evals as their watcher last saw it."""
    cancelable: tuple[Evaluation, ...] = ()
    waiting_count: int = 0
    """The count that is reported; it drifts from the evals that wait."""


def get_job_key(entry: Evaluation) -> JobKey:
    """Give what serialises evals: namespace and job."""
    return entry.namespace, entry.job_id


def is_ready_before(first: Evaluation, second: Evaluation) -> bool:
    """True if one ready eval comes before another; not transitive when namespaces share the ID of a job.

    Spec: BROKER-15, 02/S4.
    """
    if first.job_id != second.job_id and first.priority != second.priority:
        return first.priority > second.priority
    return first.create_index < second.create_index


def is_kept_before(first: Evaluation, second: Evaluation) -> bool:
    """True if one pending eval of a job is kept rather than another: the higher priority, then the newer one.

    Of two that tie, either comes before the other: recordings show that the one that moves in the heap wins.

    Spec: BROKER-16, 02/S2.
    """
    if first.priority != second.priority:
        return first.priority > second.priority
    return is_newer(first, second)


def is_newer(first: Evaluation, second: Evaluation) -> bool:
    """True if one eval was written later than another, or at the same index."""
    return first.modify_index >= second.modify_index


def is_pending_before(broker: Broker, first: Evaluation, second: Evaluation) -> bool:
    """True if one pending eval of a job comes before another, under the profile of this broker."""
    oldest_first = broker.settings.profile.has(OLDEST_FIRST)
    return is_kept_before(first, second) if oldest_first else is_newer(first, second)


def list_candidate_queues(broker: Broker, queues: Iterable[str]) -> tuple[str, ...]:
    """List the requested queues among which a dequeue chooses at random.

    A queue is represented by the last element of its array, which need not be that of the highest priority.

    Spec: BROKER-21, BROKER-23.
    """
    ready = {name: queue.ready for name in queues if (queue := broker.queues.get(name)) and queue.ready}
    highest = max((heap[-1].priority for heap in ready.values()), default=0)
    return tuple(name for name, heap in ready.items() if heap[-1].priority == highest)
