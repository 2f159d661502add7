"""What happens to evaluations without a worker: the broker's timers, blocked evaluations, the reapers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import commit
from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.acts.terminal_evals import is_ended_write, list_unended
from nomadspec.model.cluster.components import blocked, broker, leader_memory, reapers
from nomadspec.model.cluster.components.broker_clock import Alarm, list_alarms
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.cluster.world import World, make_id, with_broker, with_memory
from nomadspec.model.specification.quirks import FORGOTTEN_BATCH, STORED_CORE_EVAL

FOLLOW_UP_WAITS_NS: Final = (
    reapers.FOLLOW_UP_WAIT_NS[0],
    reapers.FOLLOW_UP_WAIT_NS[len(reapers.FOLLOW_UP_WAIT_NS) // 2],
    reapers.FOLLOW_UP_WAIT_NS[-1],
)
"""The waits that are tried of all that are possible: the shortest, one between, the longest."""

UNBLOCK_FAILED_NS: Final = 60 * NS_PER_S


@act("BROKER-04", "BROKER-10", "BROKER-32", actor="broker", refines="expire_delivery end_nack_delay end_wait")
class FireBrokerTimer(Timer, frozen=True, kw_only=True):
    """A delay ends, the date of a delayed evaluation comes, or a delivery was held for too long."""

    kind: str
    eval: str
    due_ns: int

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every timer that runs."""
        for alarm in sorted(list_alarms(world.leader.memory.broker)):
            yield alarm.due_ns, cls(kind=alarm.kind, eval=alarm.eval_id, due_ns=alarm.due_ns)

    def take(self, world: World) -> World:
        """Let it fire."""
        alarm = Alarm(self.due_ns, self.eval, self.kind)
        return with_memory(world, leader_memory.fire(world.leader.memory, world.state, alarm))


@act("BLOCKED-02", "BLOCKED-40", "BLOCKED-41", actor="blocked evals", refines="track_blocked hand_back")
class ProcessUnblock(Act, frozen=True, kw_only=True):
    """The blocked evaluations look at the capacity that appeared first, and free whom it may help."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while something waits for it."""
        if world.leader.memory.blocked_evals.changes:
            yield cls()

    def take(self, world: World) -> World:
        """Hand what is freed to the broker."""
        return with_memory(world, leader_memory.process_next(world.leader.memory, world.now_ns))


@act(
    "LEADER-20",
    "LEADER-21",
    "LEADER-22",
    "LEADER-23",
    "EVAL-19",
    actor="leader",
    refines="reap_failed make_waiting",
)
class ReapFailedEval(Act, frozen=True, kw_only=True):
    """The leader fails an evaluation that was delivered too often, and has its job looked at again later."""

    wait_ns: int

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while one waits in the queue of those that failed, with any of the waits."""
        queue = world.leader.memory.broker.queues.get(FAILED_QUEUE)
        if queue is not None and queue.ready and world.leader.has_reaper:
            yield from (cls(wait_ns=wait_ns) for wait_ns in FOLLOW_UP_WAITS_NS)

    def take(self, world: World) -> World:
        """Write both in one entry, then acknowledge the delivery."""
        number = world.deliveries + 1
        token = f"token-{number:05d}"
        left, taken = broker.dequeue(world.leader.memory.broker, FAILED_QUEUE, token, world.now_ns)
        world, follow_up_id = make_id(with_broker(replace(world, deliveries=number), left), "eval")
        limit = world.settings.delivery_limit
        written = reapers.fail_undeliverable(
            world.state, taken, limit, world.now_ns, follow_up_id, self.wait_ns
        )
        if written and not is_ended_write(world, taken):
            done = commit(world, EvalUpdate(evals=written))
            world = done.world
            if done.is_lost:
                return world  # neither acknowledged nor given back: its timer runs
        acked = broker.ack(world.leader.memory.broker, taken.id, token, world.now_ns)
        return with_broker(world, acked.broker)


def _write_unended(world: World, written: Iterable[Evaluation]) -> tuple[World, bool]:
    """Write what has not ended otherwise meanwhile: the world, and whether it has to be tried again."""
    keeps_core = world.settings.profile.has(STORED_CORE_EVAL)
    unended = [each for each in list_unended(world, written) if keeps_core or each.type != reapers.CORE]
    if not unended:
        return world, False
    done = commit(world, EvalUpdate(evals=tuple(unended)))
    return done.world, done.is_lost and not world.settings.profile.has(FORGOTTEN_BATCH)


@act("LEADER-30", "EVAL-45", "BLOCKED-23", actor="leader", refines="cancel_duplicate lose_duplicate")
class CancelDuplicates(Act, frozen=True, kw_only=True):
    """The leader cancels blocked evaluations that gave way to others of their jobs."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while there are any."""
        if world.leader.memory.blocked_evals.duplicates:
            yield cls()

    def take(self, world: World) -> World:
        """Write all of them in one entry."""
        memory = world.leader.memory
        left, entries = blocked.take_duplicates(memory.blocked_evals)
        world = with_memory(world, replace(memory, blocked_evals=left))
        world, is_due = _write_unended(world, reapers.cancel_duplicates(entries, world.now_ns))
        if not is_due:
            return world
        memory = world.leader.memory
        kept = replace(memory.blocked_evals, duplicates=(*entries, *memory.blocked_evals.duplicates))
        return with_memory(world, replace(memory, blocked_evals=kept))


@act("LEADER-40", "EVAL-45", "WORKER-33", actor="leader", refines="cancel_cancelable lose_cancelable")
class CancelCancelable(Act, frozen=True, kw_only=True):
    """The leader cancels evaluations that were pending for a job whose newer one was worked on."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while there are any."""
        if world.leader.memory.broker.cancelable:
            yield cls()

    def take(self, world: World) -> World:
        """Write one batch in one entry."""
        listed = world.leader.memory.broker.cancelable
        left, written = reapers.cancel_cancelable(world.leader.memory.broker, world.now_ns)
        world, is_due = _write_unended(with_broker(world, left), written)
        if not is_due:
            return world
        behind = world.leader.memory.broker
        return with_broker(world, replace(behind, cancelable=(*listed[: len(written)], *behind.cancelable)))


@act("LEADER-50", "BLOCKED-44", actor="leader", refines="retry_failed_plans")
class UnblockFailed(Timer, frozen=True, kw_only=True):
    """Once a minute the leader tries again what was blocked because its plans were rejected."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """The first full minute of this leadership after the oldest of them was written."""
        waiting = [
            held.eval.modify_time_ns for held in blocked.list_failed(world.leader.memory.blocked_evals)
        ]
        if waiting:
            elected_ns = world.leader.elected_at_ns
            minutes = max(0, min(waiting) - elected_ns) // UNBLOCK_FAILED_NS + 1
            yield elected_ns + minutes * UNBLOCK_FAILED_NS, cls()

    def take(self, world: World) -> World:
        """Hand them to the broker."""
        return with_memory(world, leader_memory.unblock_failed(world.leader.memory, world.now_ns))
