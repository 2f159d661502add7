"""A job: what the user wants to run."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.constraint import Affinity, Constraint, Spread
from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.periodic import ParameterizedJobConfig, PeriodicConfig
from nomadspec.model.cluster.entities.policy import UpdateStrategy
from nomadspec.model.cluster.entities.scalar import Uint64


class JobType(StrEnum):
    """Which scheduler a job is for."""

    SERVICE = "service"
    BATCH = "batch"
    SYSTEM = "system"
    SYSBATCH = "sysbatch"
    CORE = "_core"


GENERIC_TYPES: Final = frozenset({JobType.SERVICE, JobType.BATCH})
"""The types of jobs that want so many allocations of a group, wherever they are."""
SYSTEM_TYPES: Final = frozenset({JobType.SYSTEM, JobType.SYSBATCH})
"""The types of jobs that run on every node which they may use."""
BATCH_TYPES: Final = frozenset({JobType.BATCH, JobType.SYSBATCH})
"""The types of jobs whose work has an end."""


class Multiregion(Struct, frozen=True, kw_only=True):
    """The federation part of a job, which only the enterprise edition reads."""

    strategy: Mapping[str, object] | None = None
    regions: tuple[Mapping[str, object], ...] = ()


class UILink(Struct, frozen=True, kw_only=True):
    """A link that the user interface shows."""

    label: str = ""
    url: str = ""


class UIConfig(Struct, frozen=True, kw_only=True):
    """What the user interface shows about a job."""

    description: str = ""
    links: tuple[UILink, ...] = ()


class VersionTag(Struct, frozen=True, kw_only=True):
    """A name for a version of a job, which protects it from pruning."""

    name: str = ""
    description: str = ""
    tagged_time_ns: int = 0


class Job(Struct, frozen=True, kw_only=True, weakref=True):
    """A job: what the user wants to run."""

    stop: bool = False
    region: str = ""
    namespace: str = ""
    id: str = ""
    parent_id: str = ""
    name: str = ""
    type: str = ""
    priority: int = 0
    all_at_once: bool = False
    datacenters: tuple[str, ...] = ()
    node_pool: str = ""
    constraints: tuple[Constraint, ...] = ()
    affinities: tuple[Affinity, ...] = ()
    spreads: tuple[Spread, ...] = ()
    task_groups: tuple[TaskGroup, ...] = ()
    update: UpdateStrategy = UpdateStrategy()
    multiregion: Multiregion | None = None
    periodic: PeriodicConfig | None = None
    parameterized_job: ParameterizedJobConfig | None = None
    dispatched: bool = False
    dispatch_idempotency_token: str = ""
    payload: bytes = b""
    meta: Mapping[str, str] = {}
    consul_namespace: str = ""
    vault_namespace: str = ""
    nomad_token_id: str = ""
    status: str = ""
    status_description: str = ""
    stable: bool = False
    version: Uint64 = 0
    submit_time_ns: int = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    job_modify_index: Uint64 = 0
    ui: UIConfig | None = None
    version_tag: VersionTag | None = None


def is_periodic(job: Job) -> bool:
    """True if the clock launches a job, be it switched on or not.

    Spec: OBJ-055.
    """
    return job.periodic is not None


def is_periodic_active(job: Job) -> bool:
    """True if the clock launches a job now.

    Spec: OBJ-056.
    """
    return job.periodic is not None and job.periodic.enabled and not job.stop and not is_parameterized(job)


def is_parameterized(job: Job) -> bool:
    """True if a job only runs when it is dispatched.

    Spec: OBJ-057.
    """
    return job.parameterized_job is not None and not job.dispatched


def is_stopped(job: Job | None) -> bool:
    """True while a job is stopped or gone.

    Spec: OBJ-058.
    """
    return job is None or job.stop


def is_multiregion(job: Job) -> bool:
    """True if a job is for several regions.

    Spec: OBJ-059.
    """
    return job.multiregion is not None and bool(job.multiregion.regions)


def find_group(job: Job | None, name: str) -> TaskGroup | None:
    """Find a group of a job by its name."""
    return next((group for group in job.task_groups if group.name == name), None) if job else None
