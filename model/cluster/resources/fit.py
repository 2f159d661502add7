"""Whether a set of allocations fits on a node, and what is short if not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.resources.amounts import NOTHING, Amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.resources.devices import has_device_used_twice
from nomadspec.model.cluster.resources.load import Load, compute_load
from nomadspec.model.cluster.resources.port_index import BadNodePortsError, add_allocs, index_node
from nomadspec.model.cluster.resources.volumes import has_conflicting_claims

FITS: Final = ""
TOO_MANY: Final = "max allocation exceeded"
TOO_MANY_ERROR: Final = "plan exceeds max allocation"


class Fit(msgspec.Struct, frozen=True):
    """The answer of a fit test."""

    dimension: str
    """The first thing that is short; empty where everything fits."""
    used: Amounts
    error: str = ""
    """Why there is no verdict at all; it fails more than this node."""

    @property
    def fits(self) -> bool:
        """True if everything fits."""
        return not self.dimension and not self.error


def find_shortage(node: Node, capacity: Amounts, load: Load) -> str:
    """Find the first dimension that a load exceeds; equality fits.

    Spec: RANK-30, RANK-32, OBJ-260, OBJ-261.
    """
    used = load.used
    if node.node_max_allocs != 0 and load.members > node.node_max_allocs:
        return TOO_MANY
    if load.has_shared_core:
        return "cores"
    if capacity.cpu_mhz < used.cpu_mhz:
        return "cpu"
    if capacity.cores and not used.cores <= capacity.cores:
        return "cores"
    if capacity.memory_mb < used.memory_mb:
        return "memory"
    return "disk" if capacity.disk_mb < used.disk_mb else FITS


def judge_fit(node: Node, allocs: Sequence[Allocation], *, checks_claims: bool = True) -> Fit:
    """Test whether allocations fit on a node, with their ports, and with their devices and volumes if asked.

    Spec: PLAN-54, RANK-31, NET-23, RANK-27.
    """
    load = compute_load(allocs)
    shortage = find_shortage(node, compute_capacity(node), load)
    if shortage == TOO_MANY:
        return Fit(shortage, NOTHING, TOO_MANY_ERROR)
    if not shortage:
        shortage = _find_port_problem(node, allocs)
    if not shortage and checks_claims:
        shortage = _find_claim_problem(node, allocs)
    return Fit(shortage, load.used)


def _find_port_problem(node: Node, allocs: Sequence[Allocation]) -> str:
    try:
        index = index_node(node)
    except BadNodePortsError as error:
        return f"reserved node port collision: {error}"
    problem = add_allocs(index, allocs)
    return f"reserved alloc port collision: {problem}" if problem else FITS


def _find_claim_problem(node: Node, allocs: Sequence[Allocation]) -> str:
    if has_device_used_twice(node, allocs):
        return "device oversubscribed"
    if has_conflicting_claims(allocs):
        return "conflicting claims for host volume with single-writer"
    return FITS
