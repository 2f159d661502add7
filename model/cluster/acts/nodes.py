"""What nodes do, seen from the servers: they register, and their heartbeats come or are missed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import commit, write_evals
from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.components import heartbeats, node_evals
from nomadspec.model.cluster.components.client import Client
from nomadspec.model.cluster.entities import Node, NodeEvent, NodeStatus
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import NodeRegister, NodeUpdateStatus
from nomadspec.model.cluster.world import Reply, World, make_id, with_client
from nomadspec.model.errors import ImpossibleError

NO_NODE: Final = "node not found"


def list_nodes(world: World) -> list[Node]:
    """List the nodes that the servers know."""
    return list(world.state.list_nodes())


def find_node(world: World, node_id: str) -> Node:
    """Find a node that the servers know."""
    node = world.state.find_node(node_id)
    if node is None:
        raise ImpossibleError(f"The servers do not know the node {node_id}.")
    return node


@act(
    "NODEST-02",
    "NODEST-06",
    "TRIG-10",
    actor="client",
    external=True,
    refines="make_pending register_node ready_node",
)
class RegisterNode(Act, frozen=True, kw_only=True):
    """A client registers its node, as new or once more."""

    node: Node

    def take(self, world: World) -> World:
        """Write it with the status that it has, and the evaluations of the jobs that may care.

        Spec: NODEST-02, NODEST-06, X-06.
        """
        stored = world.state.find_node(self.node.id)
        node = self.node if stored is None else replace(self.node, status=stored.status)
        done = commit(world, NodeRegister(node=node))
        if done.error:
            return replace(done.world, reply=Reply(error=done.error))
        world = _connect(done.world, self.node.id)
        index = world.state.latest_index
        if heartbeats.is_asked_again(find_node(world, self.node.id).status):
            world = expect_heartbeat(world, self.node.id)
        if not node_evals.is_woken_by_registration(stored, node):
            return world
        return write_node_evals(world, find_node(world, self.node.id), index)


@act(
    "NODEST-08",
    "NODEST-12",
    "NODEST-13",
    "TRIG-10",
    actor="leader",
    refines="make_pending lose_node miss_heartbeat expire_disconnected_node",
)
class MissHeartbeat(Timer, frozen=True, kw_only=True):
    """A node missed its heartbeat: the leader calls it down, or disconnected if something may wait."""

    node: str

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Every node whose client does not reach the servers: the others come in time."""
        for node_id in sorted(world.agenda.cut_off) if world.is_led else ():
            client, due_ns = world.clients[node_id], world.leader.heartbeats.get(node_id)
            if due_ns is not None:
                ttl_ns = heartbeats.compute_shortest_ttl_ns(len(world.leader.heartbeats))
                last_ns = heartbeats.compute_expiry_ns(client.last_heartbeat_ns, ttl_ns)
                yield max(due_ns, last_ns), cls(node=node_id)

    def take(self, world: World) -> World:
        """Write the status with an event, and wake the jobs that may care."""
        leader = replace(world.leader, heartbeats=world.leader.heartbeats.discard(self.node))
        world = replace(world, leader=leader)
        node = world.state.find_node(self.node)
        if node is None:
            return world
        status = heartbeats.compute_missed_status(world.state, node, world.now_ns)
        if status != NodeStatus.DOWN:
            world = expect_heartbeat(world, self.node)
        event = NodeEvent(message=heartbeats.MISSED, subsystem="Cluster", timestamp_ns=world.now_ns)
        return update_status(world, node, status.value, event)


@act(
    "NODEST-07",
    "NODEST-09",
    "NODEST-10",
    "TRIG-10",
    actor="client",
    refines="make_pending recover_node reconnect_node ready_node",
)
class Heartbeat(Act, frozen=True, kw_only=True):
    """A client sends a heartbeat: its node is ready, or first initializing, and is awaited anew."""

    node: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node whose client sends heartbeats again, or is not ready yet and would be called otherwise."""
        for node_id in sorted(world.agenda.unready) if world.is_led else ():
            node, client = world.state.nodes[node_id], world.clients.get(node_id)
            status = heartbeats.compute_heartbeat_status(world.state, node, profile=world.settings.profile)
            if client is not None and client.is_connected and status != node.status:
                yield cls(node=node.id)

    def take(self, world: World) -> World:
        """Write the status where it is new."""
        node = find_node(world, self.node)
        status = heartbeats.compute_heartbeat_status(world.state, node, profile=world.settings.profile)
        world = expect_heartbeat(world, self.node)
        if not heartbeats.is_worth_an_entry(node, status.value, has_event=False):
            return world
        return update_status(world, node, status.value, None)


def _connect(world: World, node_id: str) -> World:
    client = world.clients.get(node_id, Client(node_id=node_id))
    return with_client(world, replace(client, is_connected=True, last_heartbeat_ns=world.now_ns))


def expect_heartbeat(world: World, node_id: str) -> World:
    """Note when a node is missed that was told to come again.

    Spec: NODEST-07.
    """
    ttl_ns = heartbeats.compute_shortest_ttl_ns(len(world.leader.heartbeats))
    due_ns = heartbeats.compute_expiry_ns(world.now_ns, ttl_ns)
    leader = replace(world.leader, heartbeats=world.leader.heartbeats.insert(node_id, due_ns))
    return replace(world, leader=leader)


def update_status(world: World, node: Node, status: str, event: NodeEvent | None) -> World:
    """Write the status of a node, and the evaluations of the jobs that may care.

    Spec: NODEST-10, NODEST-12, NODEST-13.
    """
    request = NodeUpdateStatus(
        node_id=node.id, status=status, node_event=event, updated_at_s=world.now_ns // NS_PER_S
    )
    done = commit(world, request)
    world = done.world
    if done.error or not node_evals.is_woken_by_status(node.status, status):
        return world
    return write_node_evals(world, find_node(world, node.id), world.state.latest_index)


def forget_nodes(world: World, nodes: Iterable[Node]) -> World:
    """Await no heartbeat of nodes that were deleted by the last entry, and wake the jobs that may care.

    Spec: NODEST-07, NODEST-15, GC-63.
    """
    index = world.state.latest_index
    for node in nodes:
        leader = replace(world.leader, heartbeats=world.leader.heartbeats.discard(node.id))
        world = write_node_evals(replace(world, leader=leader), node, index)
    return world


def write_node_evals(world: World, node: Node, index: int) -> World:
    """Write an evaluation for each job that may care about an event of a node.

    Spec: TRIG-09, TRIG-29.
    """
    made: list[str] = []

    def next_id() -> str:
        nonlocal world
        world, made_id = make_id(world, "eval")
        made.append(made_id)
        return made_id

    evals = node_evals.make_node_evals(
        world.state, node, index, next_id, world.now_ns, profile=world.settings.profile
    )
    return world if evals is None else write_evals(world, *evals)
