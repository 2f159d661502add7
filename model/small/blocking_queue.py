"""A bounded buffer with threads that wait: producers while it is full, consumers while it is empty.

It teaches that whom one wakes decides. Where producers and consumers wait in one room, one of them may wake
one of its own kind, until everybody waits: but only if there are more than twice as many threads as places.
"""

from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Flag, all_of, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, size
from nomadspec.model.specification.mistakes import ONE_WAITING_ROOM


class Buffer(World):
    """How full the buffer is, and who waits."""

    producers = ids("producer", 2, "threads that put something in")
    consumers = ids("consumer", 1, "threads that take something out")
    capacity = size(1, "how much the buffer holds")

    filled = field(upto(capacity), init=0, about="how much is in the buffer")
    producer_waits = field(producers, FLAG, init=False, about="a producer waits")
    consumer_waits = field(consumers, FLAG, init=False, about="a consumer waits")


def no_producer_waits(s: Buffer) -> Flag:
    """True while no producer waits."""
    return for_all(not_(s.producer_waits[producer]) for producer in s.producers)


def no_consumer_waits(s: Buffer) -> Flag:
    """True while no consumer waits."""
    return for_all(not_(s.consumer_waits[consumer]) for consumer in s.consumers)


def put_in(s: Buffer, t: Buffer, producer: Id) -> None:
    """Let a producer that runs put something in."""
    t.require(not_(s.producer_waits[producer]), s.filled < s.capacity)
    t.filled = s.filled + 1


def take_out(s: Buffer, t: Buffer, consumer: Id) -> None:
    """Let a consumer that runs take something out."""
    t.require(not_(s.consumer_waits[consumer]), s.filled > 0)
    t.filled = s.filled - 1


@rule("BlockingQueue!Put", producer=Buffer.producers)
def put(s: Buffer, t: Buffer, producer: Id) -> None:
    """A producer puts something in, and there is nobody to wake."""
    put_in(s, t, producer)
    t.require(no_consumer_waits(s))
    if s.has(ONE_WAITING_ROOM):
        t.require(no_producer_waits(s))


@rule("BlockingQueue!Put", producer=Buffer.producers, woken=Buffer.consumers)
def put_and_wake(s: Buffer, t: Buffer, producer: Id, woken: Id) -> None:
    """A producer puts something in, and wakes a consumer."""
    put_in(s, t, producer)
    t.require(s.consumer_waits[woken])
    t.consumer_waits[woken] = False


@rule("BlockingQueue!Put", producer=Buffer.producers, woken=Buffer.producers)
def put_and_wake_producer(s: Buffer, t: Buffer, producer: Id, woken: Id) -> None:
    """A producer puts something in, and wakes a producer: only in a room that all share."""
    put_in(s, t, producer)
    t.require(s.has(ONE_WAITING_ROOM), s.producer_waits[woken])
    t.producer_waits[woken] = False


@rule("BlockingQueue!Wait", producer=Buffer.producers)
def wait_to_put(s: Buffer, t: Buffer, producer: Id) -> None:
    """A producer that finds the buffer full waits."""
    t.require(not_(s.producer_waits[producer]), s.filled == s.capacity)
    t.producer_waits[producer] = True


@rule("BlockingQueue!Get", consumer=Buffer.consumers)
def get(s: Buffer, t: Buffer, consumer: Id) -> None:
    """A consumer takes something out, and there is nobody to wake."""
    take_out(s, t, consumer)
    t.require(no_producer_waits(s))
    if s.has(ONE_WAITING_ROOM):
        t.require(no_consumer_waits(s))


@rule("BlockingQueue!Get", consumer=Buffer.consumers, woken=Buffer.producers)
def get_and_wake(s: Buffer, t: Buffer, consumer: Id, woken: Id) -> None:
    """A consumer takes something out, and wakes a producer."""
    take_out(s, t, consumer)
    t.require(s.producer_waits[woken])
    t.producer_waits[woken] = False


@rule("BlockingQueue!Get", consumer=Buffer.consumers, woken=Buffer.consumers)
def get_and_wake_consumer(s: Buffer, t: Buffer, consumer: Id, woken: Id) -> None:
    """A consumer takes something out, and wakes a consumer: only in a room that all share."""
    take_out(s, t, consumer)
    t.require(s.has(ONE_WAITING_ROOM), s.consumer_waits[woken])
    t.consumer_waits[woken] = False


@rule("BlockingQueue!Wait", consumer=Buffer.consumers)
def wait_to_get(s: Buffer, t: Buffer, consumer: Id) -> None:
    """A consumer that finds the buffer empty waits."""
    t.require(not_(s.consumer_waits[consumer]), s.filled == 0)
    t.consumer_waits[consumer] = True


def everybody_waits(s: Buffer) -> Flag:
    """True while no thread runs any more."""
    return all_of(
        for_all(s.producer_waits[producer] for producer in s.producers),
        for_all(s.consumer_waits[consumer] for consumer in s.consumers),
    )


BLOCKING_QUEUE = Model(
    name="blocking-queue",
    about="threads put into and take out of a bounded buffer, and wake each other",
    world=Buffer,
    rules=(
        *(put, put_and_wake, put_and_wake_producer, wait_to_put),
        *(get, get_and_wake, get_and_wake_consumer, wait_to_get),
    ),
    is_at_rest=lambda s: s.filled > s.capacity,
    scopes=(
        Scope("small", "two producers, one consumer, one place"),
        Scope(
            "crowd",
            "four producers, three consumers, three places",
            {"producers": 4, "consumers": 3, "capacity": 3},
        ),
        Scope(
            "shared-room",
            "all wait in one room, three threads and one place: must fail",
            {},
            ONE_WAITING_ROOM.id,
        ),
    ),
)
