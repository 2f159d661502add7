"""The nodes that a job may use: those of its pool and datacenters that are ready."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from nomadspec.model.entities import Job, Node
from nomadspec.model.entities.node import is_in_datacenters, is_ready
from nomadspec.model.entities.pool import POOL_ALL
from nomadspec.model.scheduler.snapshot import Snapshot

_EVERY_POOL: Final = ("", POOL_ALL)


class Candidates(Struct, frozen=True, kw_only=True):
    """The nodes that a job may use, and what is counted on the way.

    Spec: FEAS-09, FEAS-10.
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
    pool = [node for node in snapshot.nodes if job.node_pool in {*_EVERY_POOL, node.node_pool}]
    ready = [node for node in pool if is_ready(node)]
    nodes = tuple(node for node in ready if is_in_datacenters(node, job.datacenters))
    return Candidates(
        nodes=nodes,
        by_datacenter=dict(Counter(node.datacenter for node in nodes)),
        not_ready=frozenset(node.id for node in pool if not is_ready(node)),
    )
