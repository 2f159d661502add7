"""The configuration that all schedulers read."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Uint64


class SchedulerAlgorithm(StrEnum):
    """Whether nodes are filled up or used evenly."""

    BINPACK = "binpack"
    SPREAD = "spread"


class PreemptionConfig(Struct, frozen=True, kw_only=True):
    """Which schedulers may evict allocations of lesser jobs."""

    system_scheduler_enabled: bool = False
    sys_batch_scheduler_enabled: bool = False
    batch_scheduler_enabled: bool = False
    service_scheduler_enabled: bool = False


class SchedulerConfiguration(Struct, frozen=True, kw_only=True):
    """The configuration that all schedulers read."""

    scheduler_algorithm: str = ""
    preemption_config: PreemptionConfig = PreemptionConfig()
    memory_oversubscription_enabled: bool = False
    reject_job_registration: bool = False
    pause_eval_broker: bool = False
    node_limit_for_feasibility_checks: Uint64 = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0


NEW_CLUSTERS: Final = SchedulerConfiguration(
    scheduler_algorithm=SchedulerAlgorithm.BINPACK.value,
    preemption_config=PreemptionConfig(system_scheduler_enabled=True),
)
"""What a new cluster is configured with.

Spec: OBJ-290.
"""
