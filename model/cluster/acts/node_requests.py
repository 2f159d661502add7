"""What operators ask of nodes: to drain, open, close, forget them, and to look at what may care."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from nomadspec.model.cluster.acts.nodes import NO_NODE, forget_nodes, list_nodes, write_node_evals
from nomadspec.model.cluster.acts.operator_answers import accept, ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.entities import DrainStrategy, Eligibility, Node, NodeEvent
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.nodes import STILL_DRAINS
from nomadspec.model.cluster.store.requests import (
    NodeDeregister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
)
from nomadspec.model.cluster.world import World

DRAIN_SET: Final = "Node drain strategy set"
MARKED_ELIGIBLE: Final = "Node marked as eligible for scheduling"
MARKED_INELIGIBLE: Final = "Node marked as ineligible for scheduling"


class _OfNode(Act, frozen=True, kw_only=True):
    """A request about one node."""

    node: str

    def find(self, world: World) -> Node | None:
        """Find the node."""
        return world.state.find_node(self.node)


def _make_event(world: World, message: str, subsystem: str = "Drain") -> NodeEvent:
    return NodeEvent(message=message, subsystem=subsystem, timestamp_ns=world.now_ns)


@act(
    "NODEST-16",
    "NODEST-17",
    "DRAIN-01",
    "DRAIN-02",
    actor="operator",
    external=True,
    refines="make_pending drain_node",
)
class DrainNode(_OfNode, frozen=True, kw_only=True):
    """An operator wants a node emptied, or changes how; no evaluation comes of that itself."""

    deadline_ns: int = 0
    """How long it may take: none if 0, and at once if below."""
    ignores_system_jobs: bool = False

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node that is not draining: without a deadline, with one, and at once."""
        for node in list_nodes(world) if world.is_led else ():
            if node.drain_strategy is None:
                yield from (cls(node=node.id, deadline_ns=each) for each in (0, 3600 * NS_PER_S, -1))

    def take(self, world: World) -> World:
        """Write the strategy; the node is ineligible with it."""
        node = self.find(world)
        if node is None:
            return refuse(world, NO_NODE)
        deadline_ns = world.now_ns + self.deadline_ns if self.deadline_ns > 0 else 0
        started_ns = node.drain_strategy.started_at_ns if node.drain_strategy else world.now_ns
        strategy = DrainStrategy(
            deadline_ns=self.deadline_ns,
            ignore_system_jobs=self.ignores_system_jobs,
            force_deadline_ns=deadline_ns,
            started_at_ns=started_ns,
        )
        request = NodeUpdateDrain(
            node_id=self.node,
            drain_strategy=strategy,
            node_event=_make_event(world, DRAIN_SET),
            updated_at_s=world.now_ns // NS_PER_S,
        )
        return ask(world, request).world


@act(
    "NODEST-16",
    "NODEST-17",
    "TRIG-10",
    actor="operator",
    external=True,
    refines="make_pending cancel_drain mark_eligible",
)
class EndDrain(_OfNode, frozen=True, kw_only=True):
    """An operator does not want a node emptied any more, and may open it again."""

    marks_eligible: bool = False

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node that is draining, both ways."""
        for node in list_nodes(world) if world.is_led else ():
            if node.drain_strategy is not None:
                yield from (cls(node=node.id, marks_eligible=each) for each in (False, True))

    def take(self, world: World) -> World:
        """Remove the strategy; a node that is eligible again wakes the jobs that may care."""
        node = self.find(world)
        if node is None:
            return refuse(world, NO_NODE)
        request = NodeUpdateDrain(
            node_id=self.node,
            mark_eligible=self.marks_eligible,
            node_event=_make_event(world, "Node drain disabled"),
            updated_at_s=world.now_ns // NS_PER_S,
        )
        done = ask(world, request)
        is_marked_eligible = self.marks_eligible and node.scheduling_eligibility == Eligibility.INELIGIBLE
        if done.error or not is_marked_eligible:
            return done.world
        return write_node_evals(done.world, node, done.world.state.latest_index)


@act(
    "NODEST-18",
    "TRIG-10",
    actor="operator",
    external=True,
    refines="make_pending mark_ineligible mark_eligible",
)
class SetEligibility(_OfNode, frozen=True, kw_only=True):
    """An operator opens a node for placements, or closes it."""

    eligible: bool

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node, to what it is not."""
        for node in list_nodes(world) if world.is_led else ():
            if node.drain_strategy is None:
                is_eligible = node.scheduling_eligibility == Eligibility.ELIGIBLE
                yield cls(node=node.id, eligible=not is_eligible)

    def take(self, world: World) -> World:
        """Write it where it is new; a node that is eligible again wakes the jobs that may care."""
        node = self.find(world)
        if node is None:
            return refuse(world, NO_NODE)
        wanted = Eligibility.ELIGIBLE if self.eligible else Eligibility.INELIGIBLE
        if node.drain_strategy is not None and self.eligible:
            return refuse(world, STILL_DRAINS)
        if node.scheduling_eligibility == wanted:
            return accept(world)
        request = NodeUpdateEligibility(
            node_id=self.node,
            eligibility=wanted.value,
            node_event=_make_event(world, MARKED_ELIGIBLE if self.eligible else MARKED_INELIGIBLE, "Cluster"),
            updated_at_s=world.now_ns // NS_PER_S,
        )
        done = ask(world, request)
        if done.error or not self.eligible:
            return done.world
        return write_node_evals(done.world, node, done.world.state.latest_index)


@act("NODEST-15", "TRIG-10", actor="operator", external=True, refines="make_pending forget_node")
class PurgeNode(_OfNode, frozen=True, kw_only=True):
    """An operator has the servers forget a node, whatever runs on it."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node."""
        return (cls(node=node.id) for node in list_nodes(world) if world.is_led)

    def take(self, world: World) -> World:
        """Delete it, await no heartbeat of it, and wake the jobs that may care."""
        node = self.find(world)
        if node is None:
            return refuse(world, NO_NODE)
        done = ask(world, NodeDeregister(node_id=self.node))
        if done.error:
            return done.world
        return forget_nodes(done.world, [node])


@act("TRIG-10", "TRIG-29", actor="operator", external=True, refines="make_pending")
class EvaluateNode(_OfNode, frozen=True, kw_only=True):
    """An operator has all jobs looked at again that may care about a node."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any node."""
        return (cls(node=node.id) for node in list_nodes(world) if world.is_led)

    def take(self, world: World) -> World:
        """Write the evaluations, as of the last change of the node."""
        node = self.find(world)
        if node is None:
            return refuse(world, NO_NODE)
        return accept(write_node_evals(world, node, node.modify_index))
