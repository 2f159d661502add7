"""What the configuration of the schedulers says to the ranking of nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities import Job, PreemptionConfig, SchedulerAlgorithm, SchedulerConfiguration
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.errors import NomadSpecError

DEFAULT_NODE_LIMIT: Final = 100
"""How many nodes are visited for affinities and spreads, unless the configuration says otherwise."""

_FLAGS: Final[Mapping[str, Callable[[PreemptionConfig], bool]]] = {
    "service": lambda preemption: preemption.service_scheduler_enabled,
    "batch": lambda preemption: preemption.batch_scheduler_enabled,
    "system": lambda preemption: preemption.system_scheduler_enabled,
    "sysbatch": lambda preemption: preemption.sys_batch_scheduler_enabled,
}


class NoConfigurationError(NomadSpecError):
    """A pool overrides a configuration that was never stored: the scheduler's attempt is aborted."""


class Settings(Struct, frozen=True, kw_only=True):
    """What is configured for the placements of one version of a job.

    Spec: RANK-76, RANK-79.
    """

    is_spreading: bool = False
    """Whether nodes are used evenly; otherwise they are filled up."""
    has_oversubscription: bool = False
    node_limit: int = DEFAULT_NODE_LIMIT


def find_settings(snapshot: Snapshot, job: Job) -> Settings:
    """Find what is configured, with what the pool of the job overrides.

    Where nothing was ever stored there is nothing to override, and the attempt breaks off.

    Spec: RANK-76, RANK-78, RANK-79.
    """
    configuration = snapshot.configuration or SchedulerConfiguration()
    algorithm = configuration.scheduler_algorithm
    has_oversubscription = configuration.memory_oversubscription_enabled
    pool = snapshot.find_node_pool(job.node_pool)
    own = pool.scheduler_configuration if pool else None
    if own is not None:
        if snapshot.configuration is None:
            raise NoConfigurationError(f'pool "{job.node_pool}" overrides a configuration: store one first.')
        algorithm = own.scheduler_algorithm or algorithm
        if own.memory_oversubscription_enabled is not None:
            has_oversubscription = own.memory_oversubscription_enabled
    return Settings(
        is_spreading=algorithm == SchedulerAlgorithm.SPREAD,
        has_oversubscription=has_oversubscription,
        node_limit=configuration.node_limit_for_feasibility_checks or DEFAULT_NODE_LIMIT,
    )


def may_preempt(configuration: SchedulerConfiguration | None, job_type: str) -> bool:
    """True if placements for a type of job may evict others; with nothing configured all may.

    Spec: RANK-77.
    """
    if configuration is None:
        return True
    flag = _FLAGS.get(job_type)
    return flag is not None and flag(configuration.preemption_config)
