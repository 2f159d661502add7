"""An allocation: one instance of a group on a node."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.entities.allocated import AllocatedResources
from nomadspec.model.entities.job import Job
from nomadspec.model.entities.metric import AllocMetric
from nomadspec.model.entities.network import DNSConfig
from nomadspec.model.entities.resources import Resources
from nomadspec.model.entities.scalar import Instant, Uint64
from nomadspec.model.entities.task_state import TaskState


class AllocDesired(StrEnum):
    """What the servers want of an allocation."""

    RUN = "run"
    STOP = "stop"
    EVICT = "evict"


class AllocClient(StrEnum):
    """What is known of an allocation on its node."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETE = "complete"
    FAILED = "failed"
    LOST = "lost"
    UNKNOWN = "unknown"


class LastReschedule(StrEnum):
    """How the last attempt to reschedule ended."""

    OK = "ok"
    NO_PLACEMENT = "no placement"


class DesiredTransition(Struct, frozen=True, kw_only=True):
    """What servers asked of an allocation: none = never asked, false = asked not to."""

    migrate: bool | None = None
    reschedule: bool | None = None
    force_reschedule: bool | None = None
    no_shutdown_delay: bool | None = None
    migrate_disable_placement: bool | None = None


class AllocState(Struct, frozen=True, kw_only=True):
    """A change of status that a scheduler wrote down."""

    field: int = 0
    value: str = ""
    time_ns: Instant = 0


class AllocDeploymentStatus(Struct, frozen=True, kw_only=True):
    """Health of an allocation, and whether it is a canary."""

    healthy: bool | None = None
    timestamp_ns: Instant = 0
    canary: bool = False
    modify_index: Uint64 = 0


class RescheduleEvent(Struct, frozen=True, kw_only=True):
    """One earlier reschedule."""

    reschedule_time_ns: int = 0
    prev_alloc_id: str = ""
    prev_node_id: str = ""
    delay_ns: int = 0


class RescheduleTracker(Struct, frozen=True, kw_only=True):
    """The reschedules that led to an allocation."""

    events: tuple[RescheduleEvent, ...] = ()
    last_reschedule: str = ""


class AllocNetworkStatus(Struct, frozen=True, kw_only=True):
    """The network that a client made for an allocation."""

    interface_name: str = ""
    address: str = ""
    address_ipv6: str = ""
    dns: DNSConfig | None = None


class Allocation(Struct, frozen=True, kw_only=True):
    """An allocation: one instance of a group on a node."""

    id: str = ""
    namespace: str = ""
    eval_id: str = ""
    name: str = ""
    node_id: str = ""
    node_name: str = ""
    job_id: str = ""
    job: Job | None = None
    task_group: str = ""
    resources: Resources | None = None
    shared_resources: Resources | None = None
    task_resources: Mapping[str, Resources] = {}
    allocated_resources: AllocatedResources | None = None
    metrics: AllocMetric | None = None
    desired_status: str = ""
    desired_description: str = ""
    desired_transition: DesiredTransition = DesiredTransition()
    client_status: str = ""
    client_description: str = ""
    task_states: Mapping[str, TaskState] = {}
    alloc_states: tuple[AllocState, ...] = ()
    previous_allocation: str = ""
    next_allocation: str = ""
    deployment_id: str = ""
    deployment_status: AllocDeploymentStatus | None = None
    reschedule_tracker: RescheduleTracker | None = None
    network_status: AllocNetworkStatus | None = None
    followup_eval_id: str = ""
    preempted_allocations: tuple[str, ...] = ()
    preempted_by_allocation: str = ""
    signed_identities: Mapping[str, str] = {}
    signing_key_id: str = ""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    alloc_modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0


class AllocationStub(Struct, frozen=True, kw_only=True):
    """The short form of an allocation that lists and plan annotations show."""

    id: str = ""
    eval_id: str = ""
    name: str = ""
    namespace: str = ""
    node_id: str = ""
    node_name: str = ""
    job_id: str = ""
    job_type: str = ""
    job_version: Uint64 = 0
    task_group: str = ""
    allocated_resources: AllocatedResources | None = None
    desired_status: str = ""
    desired_description: str = ""
    client_status: str = ""
    client_description: str = ""
    desired_transition: DesiredTransition = DesiredTransition()
    task_states: Mapping[str, TaskState] = {}
    deployment_status: AllocDeploymentStatus | None = None
    followup_eval_id: str = ""
    next_allocation: str = ""
    reschedule_tracker: RescheduleTracker | None = None
    preempted_allocations: tuple[str, ...] = ()
    preempted_by_allocation: str = ""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0
