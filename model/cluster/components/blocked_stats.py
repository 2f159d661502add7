"""What blocked evals report about themselves: counts that drift, and the resources that are waited for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.components.broker_state import JobKey, get_job_key
from nomadspec.model.cluster.entities import AllocMetric, Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S

PRUNE_AGE_NS: Final = 15 * 60 * NS_PER_S
"""Older than this, what nobody waits for any more is forgotten."""

Pool = tuple[str, str, str]
"""Datacenter, node class and node pool."""


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """How much cpu and memory blocked evals wait for, and when that last changed."""

    cpu_mhz: int = 0
    memory_mb: int = 0
    changed_ns: int = 0


class BlockedStats(msgspec.Struct, frozen=True, kw_only=True):
    """The counters of blocked evals as they report them."""

    blocked: int = 0
    escaped: int = 0
    quota_limit: int = 0
    by_job: HashTrieMap[JobKey, Shortage] = HashTrieMap()
    by_pool: HashTrieMap[Pool, Shortage] = HashTrieMap()


def count_in(stats: BlockedStats, entry: Evaluation, now_ns: int) -> BlockedStats:
    """Count an eval that is tracked from now on.

    Spec: BLOCKED-47.
    """
    counted = replace(
        _move(stats, entry, 1, now_ns),
        blocked=stats.blocked + 1,
        quota_limit=stats.quota_limit + bool(entry.quota_limit_reached),
    )
    return replace(counted, escaped=stats.escaped + 1) if entry.escaped_computed_class else counted


def count_out(stats: BlockedStats, entry: Evaluation, now_ns: int) -> BlockedStats:
    """Count an eval that is tracked no longer; the number of escaped ones is left to the caller.

    Spec: BLOCKED-47, 02/S10.
    """
    return replace(
        _move(stats, entry, -1, now_ns),
        blocked=stats.blocked - 1,
        quota_limit=stats.quota_limit - bool(entry.quota_limit_reached),
    )


def prune(stats: BlockedStats, now_ns: int) -> BlockedStats:
    """Forget for what nothing has been waited for long.

    Spec: BLOCKED-47.
    """
    oldest_ns = now_ns - PRUNE_AGE_NS
    return replace(
        stats,
        by_job=HashTrieMap({job: kept for job, kept in stats.by_job.items() if _is_kept(kept, oldest_ns)}),
        by_pool=HashTrieMap(
            {pool: kept for pool, kept in stats.by_pool.items() if _is_kept(kept, oldest_ns)}
        ),
    )


def _is_kept(shortage: Shortage, oldest_ns: int) -> bool:
    return bool(shortage.cpu_mhz or shortage.memory_mb) or shortage.changed_ns >= oldest_ns


def _move(stats: BlockedStats, entry: Evaluation, sign: int, now_ns: int) -> BlockedStats:
    metrics = tuple(entry.failed_tg_allocs.values())
    wanted = [_sum_exhausted(metric) for metric in metrics]
    job = get_job_key(entry)
    cpu_mhz, memory_mb = (sign * sum(column) for column in zip((0, 0), *wanted, strict=True))
    moved = _add(stats.by_job.get(job, Shortage()), cpu_mhz, memory_mb, now_ns)
    by_pool = stats.by_pool
    for metric, (cpu_mhz, memory_mb) in zip(metrics, wanted, strict=True):
        for pool in _list_pools(metric):
            short = _add(by_pool.get(pool, Shortage()), sign * cpu_mhz, sign * memory_mb, now_ns)
            by_pool = by_pool.insert(pool, short)
    return replace(stats, by_job=stats.by_job.insert(job, moved), by_pool=by_pool)


def _sum_exhausted(metric: AllocMetric) -> tuple[int, int]:
    tasks = metric.resources_exhausted.values()
    return sum(task.cpu_mhz for task in tasks), sum(task.memory_mb for task in tasks)


def _list_pools(metric: AllocMetric) -> Iterator[Pool]:
    for datacenter in metric.nodes_available:
        for node_class in metric.class_exhausted or ("",):
            yield datacenter, node_class, metric.node_pool


def _add(shortage: Shortage, cpu_mhz: int, memory_mb: int, now_ns: int) -> Shortage:
    return Shortage(
        cpu_mhz=shortage.cpu_mhz + cpu_mhz, memory_mb=shortage.memory_mb + memory_mb, changed_ns=now_ns
    )
