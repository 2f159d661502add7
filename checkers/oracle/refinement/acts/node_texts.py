"""What happens to nodes in recordings and in no scope of the kernel, written as its rules are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.kernel.disconnects import is_heartbeating
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.nodes import change_node
from nomadspec.model.language.logic import not_

if TYPE_CHECKING:
    from nomadspec.model.kernel.ids import NodeId
    from nomadspec.model.kernel.state import Kernel


def register_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A node that is not there registers: eligible, and initializing."""
    t.require(s.leading, not_(is_heartbeating(s, node)), not_(s.disconnected[node]), not_(s.eligible[node]))
    t.initializing[node] = True
    t.eligible[node] = True
    note_entry(s, t)


def forget_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """An operator deregisters a node, whatever is on it."""
    t.require(s.leading)
    t.node_up[node] = False
    t.disconnected[node] = False
    t.initializing[node] = False
    t.eligible[node] = False
    t.draining[node] = False
    change_node(s, t, node)


def cancel_drain(s: Kernel, t: Kernel, node: NodeId) -> None:
    """An operator cancels a drain, whatever is left on the node."""
    t.require(s.leading, s.draining[node])
    t.draining[node] = False
    note_entry(s, t)
