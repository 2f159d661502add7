"""What is counted of each group while a job is put on every node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocMetric, DesiredUpdates, Job
from nomadspec.model.cluster.scheduler.reconcile.node import Buckets, NodeEntry, is_outdated
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import NodeBucket
from nomadspec.model.cluster.scheduler.system_updates import Updates
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import OUTDATED_CANDIDATES, UNCOUNTED_UNKNOWN

UINT64_VALUES: Final = 2**64

_COUNTED: Final[Mapping[NodeBucket, str]] = {
    NodeBucket.PLACE: "place",
    NodeBucket.MIGRATE: "migrate",
    NodeBucket.STOP: "stop",
    NodeBucket.IGNORE: "ignore",
    NodeBucket.DISCONNECTING: "disconnect",
    NodeBucket.RECONNECTING: "reconnect",
}
"""The buckets that have a counter of their own; what is lost has none."""


@dataclass(slots=True)
class Tally:
    """The counts of one group.

    Spec: SYSDEP-10, SYSDEP-12, SYSTEM-27.
    """

    candidates: int = 0
    """How many nodes the group has, or may still get; those that refused it are no longer counted."""
    destructive: int = 0
    """How many allocations have to be replaced, and may be."""
    place: int = 0
    """How many new allocations were asked for; those that no node can host are no longer counted."""
    has_existing: bool = False
    """Whether some node keeps its allocation."""


def tally_groups(
    job: Job | None, buckets: Buckets, updates: Updates, *, profile: Profile
) -> dict[str, Tally]:
    """Count the nodes of each group of a job before anything is placed.

    An allocation that comes back is among the updates, so only one that becomes unknown is in none of the
    lists that count.

    Spec: SYSDEP-10, SYSTEM-12, SYSTEM-27, 05/S9, X-59.
    """
    place = _count(buckets[NodeBucket.PLACE])
    kept = _count((*buckets[NodeBucket.IGNORE], *updates.in_place))
    if not profile.has(OUTDATED_CANDIDATES):
        kept -= _count(entry for entry in buckets[NodeBucket.IGNORE] if is_outdated(entry.alloc, job))
    destructive = _count(updates.destructive)
    waiting: Counter[str] = Counter()
    if not profile.has(UNCOUNTED_UNKNOWN):
        away = buckets[NodeBucket.DISCONNECTING]
        waiting = _count(entry for entry in away if not is_outdated(entry.alloc, job))
    return {
        group.name: Tally(
            candidates=place[group.name] + kept[group.name] + destructive[group.name] + waiting[group.name],
            destructive=destructive[group.name],
            place=place[group.name],
            has_existing=kept[group.name] > 0,
        )
        for group in (job.task_groups if job else ())
    }


def _count(entries: Iterable[NodeEntry]) -> Counter[str]:
    return Counter(entry.group.name for entry in entries)


def count_desired(buckets: Buckets, updates: Updates) -> Mapping[str, DesiredUpdates]:
    """Count what has to be done for each group, for the annotations.

    Spec: SYSTEM-36.
    """
    counts: dict[str, Counter[str]] = {}
    lists = [(name, buckets[bucket]) for bucket, name in _COUNTED.items()]
    lists += [("in_place_update", updates.in_place), ("destructive_update", updates.destructive)]
    for name, entries in lists:
        for entry in entries:
            counts.setdefault(entry.group.name, Counter())[name] += 1
    return {group: DesiredUpdates(**count) for group, count in counts.items()}


def wrap_count(count: int) -> int:
    """Show a count as an unsigned one, which below zero becomes huge.

    Spec: SYSTEM-36, 05/S15.
    """
    return count % UINT64_VALUES


def merge_filtered(known: AllocMetric | None, metrics: AllocMetric) -> AllocMetric:
    """Add the metrics of one more node that cannot host a group; only what was filtered is kept.

    Spec: SYSTEM-28.
    """
    known = known or AllocMetric()
    return replace(
        known,
        nodes_evaluated=known.nodes_evaluated + metrics.nodes_evaluated,
        nodes_filtered=known.nodes_filtered + metrics.nodes_filtered,
        class_filtered=_add(known.class_filtered, metrics.class_filtered),
        constraint_filtered=_add(known.constraint_filtered, metrics.constraint_filtered),
        allocation_time_ns=known.allocation_time_ns + metrics.allocation_time_ns,
    )


def _add(first: Mapping[str, int], second: Mapping[str, int]) -> Mapping[str, int]:
    return dict(Counter(first) + Counter(second))
