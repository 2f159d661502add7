"""What takes time between servers: followers apply the log later, and workers wait for them only so long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.acts.workers import Stage, get_call, get_held, give_back, list_workers
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.scheduler.planner import refuse
from nomadspec.model.cluster.world import Worker, World, with_worker

PATIENCE_NS: Final = 5 * NS_PER_S
"""For so long a worker waits for the state of its server."""
REST_NS: Final = 50 * NS_PER_S
"""For so long it takes nothing else, unless its server catches up."""
TIMED_OUT: Final = "timed out after 5s waiting for index={}"


def _compute_refresh_index(worker: Worker) -> int:
    result = worker.answer.result if worker.answer else None
    return result.refresh_index if result else 0


@act("PLAN-60", "WORKER-05", "WORKER-08", actor="follower")
class CatchUp(Act, frozen=True, kw_only=True):
    """A follower applies what it has not applied of the log."""

    server: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any follower that is behind."""
        for server in sorted(world.followers):
            if world.followers[server] is not world.state:
                yield cls(server=server)

    def take(self, world: World) -> World:
        """Apply all of it."""
        return replace(world, followers=world.followers.insert(self.server, world.state))


@act("WORKER-06", actor="worker", stage=Stage.CHOSEN, refines="fail_on_error nack")
class TimeOutWait(Timer, frozen=True, kw_only=True):
    """A worker whose server does not come as far as its evaluation wants gives the delivery back."""

    worker: str

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every worker that waits to start a scheduler."""
        for worker in list_workers(world, Stage.CHOSEN):
            if world.find_state(worker).latest_index < get_held(worker).wait_index:
                yield worker.waits_since_ns + PATIENCE_NS, cls(worker=worker.id)

    def take(self, world: World) -> World:
        """Give it back, and rest until the server has come so far, or for some time."""
        worker = world.workers[self.worker]
        rests = replace(worker, rests_for=get_held(worker).wait_index, rests_until_ns=world.now_ns + REST_NS)
        return give_back(world, rests)


@act("WORKER-10", "PLAN-98", actor="worker", stage=Stage.ANSWERED, refines="fail_on_error")
class TimeOutRefresh(Timer, frozen=True, kw_only=True):
    """A worker that was told to look at a newer state does not get it in time: its call ends."""

    worker: str

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every worker that waits to go on after a plan."""
        for worker in list_workers(world, Stage.ANSWERED):
            if world.find_state(worker).latest_index < _compute_refresh_index(worker):
                yield worker.waits_since_ns + PATIENCE_NS, cls(worker=worker.id)

    def take(self, world: World) -> World:
        """End the call with an error; the delivery is given back next."""
        worker = world.workers[self.worker]
        reason = TIMED_OUT.format(_compute_refresh_index(worker))
        return with_worker(world, replace(worker, call=refuse(get_call(worker), reason), answer=None))
