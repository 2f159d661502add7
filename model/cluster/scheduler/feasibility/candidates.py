"""The nodes that a job may use: those of its pool and datacenters that are ready."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from nomadspec.model.cluster.entities import Job, Node
from nomadspec.model.cluster.entities.node import is_datacenter_of
from nomadspec.model.cluster.entities.pool import is_every_pool
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.scheduler.snapshot import Snapshot

_Asked: TypeAlias = tuple[str, tuple[str, ...]]
"""A pool, and the names of datacenters."""


class Candidates(Struct, frozen=True, kw_only=True):
    """The nodes that a job may use, and what is counted on the way.

    Spec: FEAS-09, FEAS-10, 06/S-07.
    """

    nodes: tuple[Node, ...] = ()
    """By ID."""
    by_datacenter: Mapping[str, int] = {}
    """How many of them each datacenter has that has any."""
    not_ready: frozenset[str] = frozenset()
    """The nodes of the pool that are not ready, whatever their datacenter."""


def find_candidates(snapshot: Snapshot, job: Job) -> Candidates:
    """Find the nodes that a job may use.

    Spec: FEAS-06, FEAS-07, FEAS-08, FEAS-09, FEAS-10.
    """
    asked = (job.node_pool, job.datacenters)
    known = _keep_candidates(snapshot.nodes)
    found = known.get(asked)
    if found is None:
        found = known[asked] = _find(snapshot, *asked)
    return found


@remember_last
def _keep_candidates(_: tuple[Node, ...]) -> dict[_Asked, Candidates]:
    """Begin to keep the candidates among some nodes, by what jobs ask for."""
    return {}


def _find(snapshot: Snapshot, pool: str, datacenters: tuple[str, ...]) -> Candidates:
    ready = _pick_pool(snapshot.ready_nodes, pool)
    counts = Counter([node.datacenter for node in ready])
    open_to_job = {name: count for name, count in counts.items() if is_datacenter_of(name, datacenters)}
    if len(open_to_job) < len(counts):
        ready = tuple([node for node in ready if node.datacenter in open_to_job])
    return Candidates(nodes=ready, by_datacenter=open_to_job, not_ready=_list_not_ready(snapshot, pool))


def _pick_pool(nodes: tuple[Node, ...], pool: str) -> tuple[Node, ...]:
    if is_every_pool(pool):
        return nodes
    return tuple([node for node in nodes if node.node_pool == pool])


def _list_not_ready(snapshot: Snapshot, name: str) -> frozenset[str]:
    return frozenset(node.id for node in _pick_pool(snapshot.other_nodes, name))
