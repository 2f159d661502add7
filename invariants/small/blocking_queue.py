"""What must be true of the bounded buffer."""

import sys

from nomadspec.model.language.logic import Flag, exists, not_
from nomadspec.model.language.property import always, properties_in, sometimes
from nomadspec.model.small.blocking_queue import BLOCKING_QUEUE as RULES
from nomadspec.model.small.blocking_queue import Buffer, everybody_waits


@always("BlockingQueue!NoDeadlock", why="where all wait, nobody is left to wake them")
def somebody_runs(s: Buffer) -> Flag:
    """Not all threads wait."""
    return not_(everybody_waits(s))


@sometimes("BlockingQueue!Full", why="a bound only matters where it is reached")
def a_producer_waits(s: Buffer) -> Flag:
    """A producer waits."""
    return exists(s.producer_waits[producer] for producer in s.producers)


@sometimes("BlockingQueue!Empty", why="a consumer only waits where there is nothing")
def a_consumer_waits(s: Buffer) -> Flag:
    """A consumer waits."""
    return exists(s.consumer_waits[consumer] for consumer in s.consumers)


BLOCKING_QUEUE = RULES.with_properties(properties_in(sys.modules[__name__]))
