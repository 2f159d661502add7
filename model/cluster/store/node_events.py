"""The last things that happened to a node."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Node, NodeEvent

KEPT_EVENTS: Final = 10
"""So many events of a node are kept."""


def add_node_event(node: Node, event: NodeEvent | None, index: int) -> Node:
    """Append an event to those of a node, and drop the oldest beyond the limit.

    Spec: OBJ-150, OBJ-165.
    """
    if event is None:
        return node
    return replace(node, events=(*node.events, replace(event, create_index=index))[-KEPT_EVENTS:])
