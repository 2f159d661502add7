"""What clients do: pull allocations, run their tasks, watch their health, report, lose the servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Self, TypeVar

from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import commit
from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.components import client as clients
from nomadspec.model.cluster.components.client import Client, Runner
from nomadspec.model.cluster.components.client_evals import find_report_refusal, make_client_evals
from nomadspec.model.cluster.entities import AllocClient
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.cluster.world import World, make_id, with_client


def list_clients(world: World) -> list[Client]:
    """List the clients by their nodes."""
    return [world.clients[node_id] for node_id in sorted(world.clients)]


def _list_all_runners(world: World) -> Iterator[tuple[Client, Runner]]:
    for client in list_clients(world):
        for runner in clients.list_runners(client):
            yield client, runner


_Timed = TypeVar("_Timed", bound="_ClientTimer")


def _list_timers(
    cls: type[_Timed], world: World, find: Callable[[Runner], int | None]
) -> Iterator[tuple[int, _Timed]]:
    """List the timers of one kind that run, of all allocations with any."""
    for client in _pick_clients(world, world.agenda.timed):
        for alloc_id in sorted(client.timers):
            due_ns = find(client.runners[alloc_id])
            if due_ns is not None:
                yield due_ns, cls(node=client.node_id, alloc=alloc_id)


def _pick_clients(world: World, nodes: Iterable[str]) -> Iterator[Client]:
    return (world.clients[node_id] for node_id in sorted(nodes))


class _ClientTimer(Timer, frozen=True, kw_only=True):
    """A timer of a client about one of its allocations."""

    node: str
    alloc: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """List the timers that may fire now, unless no timer of any client has run out."""
        first_ns = world.agenda.first_due_ns
        return iter(()) if first_ns is None or first_ns > world.now_ns else super().choices(world)


@act("CLIENT-02", "CLIENT-03", "CLIENT-04", actor="client", independent=True)
class PullAllocs(Act, frozen=True, kw_only=True):
    """A client sees what the servers have changed of the allocations of its node."""

    node: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any client that is connected and has something new to see."""
        for client in _pick_clients(world, world.agenda.unpulled):
            if client.is_connected:
                yield cls(node=client.node_id)

    def take(self, world: World) -> World:
        """Take it over."""
        pulled = clients.pull(world.clients[self.node], world.state, world.now_ns)
        return with_client(world, pulled, has_seen_all=True)


class _OfAlloc(Act, frozen=True, kw_only=True):
    """An act of a client about one of its allocations."""

    node: str
    alloc: str


@act("CLIENT-05", "HEALTH-07", actor="client", independent=True)
class StartTasks(_OfAlloc, frozen=True, kw_only=True):
    """The tasks of an allocation start."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation that is wanted and has not started."""
        for client in _pick_clients(world, world.agenda.starting):
            yield from (cls(node=client.node_id, alloc=alloc_id) for alloc_id in sorted(client.to_start))

    def take(self, world: World) -> World:
        """Start them."""
        return with_client(world, clients.start_tasks(world.clients[self.node], self.alloc, world.now_ns))


@act("CLIENT-05", "CLIENT-06", "ALLOC-18", actor="client", external=True)
class EndTasks(_OfAlloc, frozen=True, kw_only=True):
    """The tasks of an allocation end by themselves: all well, or one of them for good with a failure."""

    failed: bool

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation that runs; it fails for good once it may not be started again where it is."""
        for client, runner in _list_all_runners(world):
            if runner.status == AllocClient.RUNNING and not clients.is_stopping(runner):
                yield cls(node=client.node_id, alloc=runner.alloc.id, failed=False)
                if not clients.may_restart(runner, world.now_ns):
                    yield cls(node=client.node_id, alloc=runner.alloc.id, failed=True)

    def take(self, world: World) -> World:
        """End them."""
        client = world.clients[self.node]
        return with_client(world, clients.end_tasks(client, self.alloc, world.now_ns, failed=self.failed))


@act("ALLOC-18", "HEALTH-09", actor="client", external=True)
class RestartTasks(_OfAlloc, frozen=True, kw_only=True):
    """Tasks of an allocation fail and are started again where they are, as the restart policy allows."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation that runs and may be started again."""
        for client, runner in _list_all_runners(world):
            if runner.status == AllocClient.RUNNING and clients.may_restart(runner, world.now_ns):
                yield cls(node=client.node_id, alloc=runner.alloc.id)

    def take(self, world: World) -> World:
        """Start them again."""
        client = world.clients[self.node]
        return with_client(world, clients.restart_tasks(client, self.alloc, world.now_ns))


@act("CLIENT-04", "CLIENT-05", "HEALTH-15", actor="client", independent=True)
class StopTasks(_OfAlloc, frozen=True, kw_only=True):
    """The tasks of an allocation that the servers want to stop have ended."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation that is to stop and has not."""
        for client in _pick_clients(world, world.agenda.stopping):
            for alloc_id in sorted(client.to_stop):
                if client.runners[alloc_id].tasks:
                    yield cls(node=client.node_id, alloc=alloc_id)

    def take(self, world: World) -> World:
        """End them well."""
        client = world.clients[self.node]
        return with_client(world, clients.end_tasks(client, self.alloc, world.now_ns, failed=False))


@act("HEALTH-05", "HEALTH-09", "HEALTH-10", "HEALTH-16", actor="client", independent=True)
class JudgeHealth(_ClientTimer, frozen=True, kw_only=True):
    """A client calls an allocation healthy, since it ran for long enough, or unhealthy at its deadline."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every allocation whose health is watched."""
        return _list_timers(cls, world, clients.find_health_due)

    def take(self, world: World) -> World:
        """Let its watch see the time."""
        client = world.clients[self.node]
        return with_client(world, clients.pass_time(client, self.alloc, world.now_ns))


@act("CLIENT-05", "CLIENT-09", "OBJ-245", actor="client")
class OverrunTasks(_ClientTimer, frozen=True, kw_only=True):
    """A client ends an allocation that ran for as long as its group allows (`max_run_duration`)."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every running allocation with such a limit."""
        return _list_timers(cls, world, clients.find_overrun_due)

    def take(self, world: World) -> World:
        """End it; it counts as complete."""
        return with_client(world, clients.overrun(world.clients[self.node], self.alloc, world.now_ns))


@act("CLIENT-09", "DISC-09", "OBJ-246", actor="client")
class StopOutOfReach(_ClientTimer, frozen=True, kw_only=True):
    """A client that lost the servers stops an allocation whose group wants that (`stop_on_client_after`)."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every such allocation of a client that is not connected."""
        for client in _pick_clients(world, world.agenda.cut_off):
            for alloc_id in sorted(client.leaving):
                due_ns = clients.find_out_of_reach_due(client, client.runners[alloc_id])
                if due_ns is not None:
                    yield due_ns, cls(node=client.node_id, alloc=alloc_id)

    def take(self, world: World) -> World:
        """End it."""
        client = world.clients[self.node]
        return with_client(world, clients.end_tasks(client, self.alloc, world.now_ns, failed=False))


@act(
    "CLIENT-07",
    "CLIENT-08",
    "ALLOC-11",
    "ALLOC-12",
    actor="client",
    independent=True,
    refines="cancel_follow_up make_pending fail_alloc complete_alloc reconnect_alloc report_health",
)
class ReportAllocs(Act, frozen=True, kw_only=True):
    """A client sends the newest news of all its allocations in one batch."""

    node: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any client that is connected and has news, unless the servers would refuse them now."""
        for client in _pick_clients(world, world.agenda.reporting) if world.is_led else ():
            if client.is_connected:
                reports = clients.make_reports(client, world.now_ns)
                if reports and not find_report_refusal(world.state, reports):
                    yield cls(node=client.node_id)

    def take(self, world: World) -> World:
        """Write them with the evaluations that they are a reason for."""
        client = world.clients[self.node]
        reports = clients.make_reports(client, world.now_ns)

        def next_id() -> str:
            nonlocal world
            world, made_id = make_id(world, "eval")
            return made_id

        evals = make_client_evals(world.state, reports, next_id, world.now_ns)
        done = commit(world, AllocClientUpdate(alloc=reports, evals=evals))
        if done.error:
            return done.world  # the client sends them again
        return with_client(done.world, clients.acknowledge(client, reports))


@act("NODEST-07", "NODEST-08", actor="client", external=True)
class LoseServers(Act, frozen=True, kw_only=True):
    """A client does not reach the servers any more: its heartbeats will be missed."""

    node: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any client that reaches them."""
        return (one for name in sorted(world.clients) if (one := cls(node=name)).is_possible(world))

    def is_possible(self, world: World) -> bool:
        """True while its client reaches the servers."""
        return self.node in world.clients and world.clients[self.node].is_connected

    def take(self, world: World) -> World:
        """Cut it off."""
        client = world.clients[self.node]
        return with_client(world, replace(client, is_connected=False, last_heartbeat_ns=world.now_ns))


@act("NODEST-09", "CLIENT-01", actor="client", external=True)
class FindServers(Act, frozen=True, kw_only=True):
    """A client reaches the servers again."""

    node: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any client that does not reach them."""
        return (cls(node=node_id) for node_id in sorted(world.agenda.cut_off))

    def take(self, world: World) -> World:
        """Connect it."""
        return with_client(world, replace(world.clients[self.node], is_connected=True))
