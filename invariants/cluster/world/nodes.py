"""What must be true of nodes: only what may run there is placed, and a drain closes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, on_step
from nomadspec.model.cluster.entities.node import Eligibility, is_unresponsive


@always("NODEST-16", "DRAIN-01", reads="nodes", because="A node that is emptied would be filled again.")
def draining_node_is_ineligible(step: Step) -> Iterator[str]:
    """A node that drains takes nothing new."""
    for node in step.after.state.nodes.values():
        if node.drain_strategy is not None and node.scheduling_eligibility != Eligibility.INELIGIBLE:
            yield f"node {node.id} drains and is {node.scheduling_eligibility}"


@on_step(
    "NODEST-16", "DRAIN-13", reads="nodes", because="A node under repair would be filled when it is empty."
)
def ineligible_node_stays_ineligible(step: Step) -> Iterator[str]:
    """Only an operator makes a node eligible again."""
    for was, now in list_changed(step.before.state.nodes, step.after.state.nodes):
        was_ineligible = was.scheduling_eligibility == Eligibility.INELIGIBLE
        if was_ineligible and now.scheduling_eligibility == Eligibility.ELIGIBLE and step.actor != "operator":
            yield f"node {now.id} was ineligible and is eligible"


@on_step("NODEST-08", "NODEST-12", reads="nodes", because="A healthy allocation would be replaced elsewhere.")
def reachable_node_is_not_marked_down(step: Step) -> Iterator[str]:
    """A node becomes down or disconnected only while its client is out of reach."""
    for was, now in list_changed(step.before.state.nodes, step.after.state.nodes):
        client = step.after.clients.get(now.id)
        if is_unresponsive(now) and not is_unresponsive(was) and client is not None and client.is_connected:
            yield f"node {now.id} is {now.status}, and its client is in reach"


NODE_PROPERTIES: Final = (
    draining_node_is_ineligible,
    ineligible_node_stays_ineligible,
    reachable_node_is_not_marked_down,
)
