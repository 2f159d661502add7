"""What operators ask of allocations: to run elsewhere, or to be started again where they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from nomadspec.model.cluster.acts.operator_answers import accept, ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components import client as clients
from nomadspec.model.cluster.components import job_calls
from nomadspec.model.cluster.entities import AllocClient, DesiredTransition
from nomadspec.model.cluster.world import World, make_id, with_client

NO_NODE: Final = "no path to node {}"
NOT_RUNNING: Final = "Task not running"


@act("ALLOC-16", "TRIG-12", actor="operator", external=True, refines="make_pending")
class StopAlloc(Act, frozen=True, kw_only=True):
    """An operator wants an allocation stopped where it is, and placed again."""

    alloc: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation: each call makes an evaluation, even for one that has ended."""
        for alloc in world.state.list_allocs() if world.is_led else ():
            if alloc.job is not None:
                yield cls(alloc=alloc.id)

    def take(self, world: World) -> World:
        """Write the mark with its evaluation."""
        world, eval_id = make_id(world, "eval")
        call = job_calls.stop_alloc(world.state, self.alloc, DesiredTransition(), eval_id, world.now_ns)
        return refuse(world, call.error) if call.request is None else ask(world, call.request).world


@act("ALLOC-17", actor="operator", external=True)
class RestartAlloc(Act, frozen=True, kw_only=True):
    """An operator has the tasks of an allocation started again: only its client is told."""

    alloc: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation that runs on a client in reach."""
        for node_id in sorted(world.clients):
            client = world.clients[node_id]
            for runner in clients.list_runners(client) if client.is_connected else ():
                if runner.status == AllocClient.RUNNING:
                    yield cls(alloc=runner.alloc.id)

    def take(self, world: World) -> World:
        """Restart them; the servers learn of it by the state of the tasks."""
        alloc = world.state.find_alloc(self.alloc)
        if alloc is None:
            return refuse(world, job_calls.NO_ALLOC)
        client = world.clients.get(alloc.node_id)
        if client is None or not client.is_connected:
            return refuse(world, NO_NODE.format(alloc.node_id))
        runner = client.runners.get(self.alloc)
        if runner is None or runner.status != AllocClient.RUNNING:
            return refuse(world, NOT_RUNNING)
        restarted = clients.restart_tasks(client, self.alloc, world.now_ns)
        return accept(with_client(world, restarted))
