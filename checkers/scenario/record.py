"""What a chart of a run shows, after each act: evaluations by status, queues, delays of placements."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities import Allocation, EvalStatus, Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.tables import ALLOCS, EVALS
from nomadspec.model.cluster.world import World, list_written

STATUSES: Final = tuple(
    status.value
    for status in (
        EvalStatus.COMPLETE,
        EvalStatus.CANCELED,
        EvalStatus.FAILED,
        EvalStatus.BLOCKED,
        EvalStatus.PENDING,
    )
)
QUEUES: Final = ("ready", "with workers", "pending per job", "delayed", "blocked", "plans")


class Sample(NamedTuple):
    """What there was after one act."""

    at_ns: int
    line: int
    """The line of the scenario that it came of."""
    statuses: tuple[int, ...]
    queues: tuple[int, ...]
    delays: tuple[float, ...]
    """Of the allocations that the act placed: the seconds since what they were placed for was written."""


@dataclass(slots=True)
class Record:
    """The samples of a run."""

    samples: list[Sample] = field(default_factory=list)
    _statuses: Counter[str] = field(default_factory=Counter)

    def note(self, after: World, line: int) -> None:
        """Count what an act has changed: what it has written must be known of the world after it."""
        for key, was in list_written(after, EVALS).items():
            now = after.state.find_eval(str(key))
            self._statuses.subtract([was.status] if isinstance(was, Evaluation) else ())
            self._statuses.update([now.status] if now is not None else ())
        self.samples.append(
            Sample(
                after.now_ns,
                line,
                tuple(self._statuses[status] for status in STATUSES),
                count_queues(after),
                tuple(_list_delays(after)),
            )
        )


def count_queues(world: World) -> tuple[int, ...]:
    """Count what waits where, in the order of `QUEUES`."""
    leader, memory = world.leader, world.leader.memory
    broker, blocked_evals = memory.broker, memory.blocked_evals
    return (
        sum(len(queue.ready) for queue in broker.queues.values()),
        len(broker.unack),
        sum(len(heap) for heap in broker.pending.values()),
        len(broker.waits) + len(broker.delayed),
        len(blocked_evals.captured) + len(blocked_evals.escaped) + len(blocked_evals.system),
        len(leader.plans.waiting) + len(leader.in_flight) + (leader.judged is not None),
    )


def _list_delays(world: World) -> list[float]:
    found = []
    for key, was in list_written(world, ALLOCS).items():
        alloc = world.state.find_alloc(str(key))
        if isinstance(was, Allocation) or alloc is None:
            continue
        entry = world.state.find_eval(alloc.eval_id)
        if entry is not None:
            found.append((alloc.create_time_ns - entry.create_time_ns) / NS_PER_S)
    return found
