"""Lemmas about nodes."""

from nomadspec.model.kernel.ids import NodeId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, count, for_all, implies, not_
from nomadspec.model.language.property import always


@always("NODEST-01", why="a node has one status", lemma=True, n=Kernel.nodes)
def nodes_have_one_status(s: Kernel, n: NodeId) -> Flag:
    """No node is more than one of ready, disconnected and initializing."""
    return count(flag for flag in (s.disconnected[n], s.node_up[n], s.initializing[n])) <= 1


@always(
    "NODEST-16", "NODEST-17", "DRAIN-01", why="nothing new may come to a node that is to be left", lemma=True
)
def drained_nodes_are_ineligible(s: Kernel) -> Flag:
    """A node that is being drained takes nothing new."""
    return for_all(implies(s.draining[n], not_(s.eligible[n])) for n in s.nodes)
