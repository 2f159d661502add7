"""An allocation: a task group of a job on a node."""

from collections.abc import Mapping
from enum import StrEnum
from itertools import dropwhile, takewhile
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.allocated import AllocatedResources
from nomadspec.model.cluster.entities.job import Job, find_group
from nomadspec.model.cluster.entities.metric import AllocMetric
from nomadspec.model.cluster.entities.network import DNSConfig
from nomadspec.model.cluster.entities.resources import Resources
from nomadspec.model.cluster.entities.scalar import Instant, Uint64
from nomadspec.model.cluster.entities.task_state import TaskState, TaskStatus, is_successful
from nomadspec.model.lifecycle.allocation import (
    ALLOCATION_CLIENT,
    ALLOCATION_DESIRED,
    AllocClient,
)
from nomadspec.model.lifecycle.table import spell, spell_ended

_SERVER_TERMINAL: Final = spell_ended(ALLOCATION_DESIRED)
_CLIENT_TERMINAL: Final = spell_ended(ALLOCATION_CLIENT)
_REPORTED_ENDS: Final = spell(ALLOCATION_CLIENT.terminal)
_CLIENT_STATUS_FIELD: Final = 0


class DesiredDescription(StrEnum):
    """Why the servers want an allocation to end; who preempts follows after the last of them.

    Spec: OBJ-214.
    """

    LIVE = ""
    NOT_NEEDED = "alloc not needed due to job update"
    MIGRATING = "alloc is being migrated"
    UPDATING = "alloc is being updated due to job update"
    LOST = "alloc is lost since its node is down"
    TAINTED = "alloc not needed as node is tainted"
    RESCHEDULED = "alloc was rescheduled because it failed"
    RECONNECTED = "alloc not needed due to disconnected client reconnect"
    PREEMPTED_BY = "Preempted by alloc ID "


class ClientDescription(StrEnum):
    """What is said of an allocation on its node."""

    NOTHING = ""
    PENDING = "No tasks have started"
    RUNNING = "Tasks are running"
    COMPLETE = "All tasks have completed"
    FAILED = "Failed tasks"
    OVERDUE = "allocation exceeded max_run_duration"
    UNKNOWN = "alloc is unknown since its node is disconnected"


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

    events: tuple[RescheduleEvent, ...] | None = None
    """None is a list that was never made, which differs from an empty one: 01/S11."""
    last_reschedule: str = ""


class AllocNetworkStatus(Struct, frozen=True, kw_only=True):
    """The network that a client made for an allocation."""

    interface_name: str = ""
    address: str = ""
    address_ipv6: str = ""
    dns: DNSConfig | None = None


class Allocation(Struct, frozen=True, kw_only=True):
    """An allocation: a task group of a job on a node."""

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


def is_server_terminal(alloc: Allocation) -> bool:
    """True while the servers want an allocation to end.

    Spec: OBJ-230, FEAS-01.
    """
    return alloc.desired_status in _SERVER_TERMINAL


def is_client_terminal(alloc: Allocation) -> bool:
    """True if an allocation has ended on its node, or is lost; unknown is neither.

    Spec: OBJ-231, FEAS-01, 01/S19.
    """
    return alloc.client_status in _CLIENT_TERMINAL


def is_reported_end(client_status: str) -> bool:
    """True if a client status is one by which a client says that an allocation is over.

    Spec: ALLOC-09, ALLOC-14.
    """
    return client_status in _REPORTED_ENDS


def is_terminal(alloc: Allocation) -> bool:
    """True if an allocation has ended, or shall end.

    Spec: OBJ-232, FEAS-01.
    """
    return is_server_terminal(alloc) or is_client_terminal(alloc)


def has_run_successfully(alloc: Allocation) -> bool:
    """True if all tasks of an allocation ended well, whatever its status says.

    Spec: OBJ-233.
    """
    return bool(alloc.task_states) and all(is_successful(state) for state in alloc.task_states.values())


def wants_data_migration(alloc: Allocation) -> bool:
    """True if an allocation takes over the disk of the one that it replaces.

    Spec: OBJ-235.
    """
    group = find_group(alloc.job, alloc.task_group)
    disk = group.ephemeral_disk if group else None
    return bool(alloc.previous_allocation) and not is_server_terminal(alloc) and bool(disk and disk.migrate)


def should_migrate(alloc: Allocation) -> bool:
    """True if an allocation was asked to go elsewhere.

    Spec: OBJ-215.
    """
    return alloc.desired_transition.migrate is True


def should_reschedule_by_request(alloc: Allocation) -> bool:
    """True if a deployment asked that a failed allocation be placed again.

    Spec: OBJ-215.
    """
    return alloc.desired_transition.reschedule is True


def should_force_reschedule(alloc: Allocation) -> bool:
    """True if an operator asked that a failed allocation be placed again at once.

    Spec: OBJ-215.
    """
    return alloc.desired_transition.force_reschedule is True


def should_ignore_shutdown_delay(alloc: Allocation) -> bool:
    """True if an allocation was asked to stop without its delay.

    Spec: OBJ-215.
    """
    return alloc.desired_transition.no_shutdown_delay is True


def should_migrate_without_replacement(alloc: Allocation) -> bool:
    """True if an allocation was asked to go, and nothing to come in its place.

    Spec: OBJ-215.
    """
    return alloc.desired_transition.migrate_disable_placement is True


def has_health(alloc: Allocation) -> bool:
    """True if an allocation was found healthy or unhealthy.

    Spec: OBJ-223.
    """
    return alloc.deployment_status is not None and alloc.deployment_status.healthy is not None


def is_healthy(alloc: Allocation) -> bool:
    """True if an allocation was found healthy.

    Spec: OBJ-223.
    """
    return alloc.deployment_status is not None and alloc.deployment_status.healthy is True


def is_unhealthy(alloc: Allocation) -> bool:
    """True if an allocation was found unhealthy.

    Spec: OBJ-223.
    """
    return alloc.deployment_status is not None and alloc.deployment_status.healthy is False


def is_canary(alloc: Allocation) -> bool:
    """True if an allocation is a canary that was not promoted.

    Spec: OBJ-223.
    """
    return alloc.deployment_status is not None and alloc.deployment_status.canary


def find_last_unknown_ns(alloc: Allocation) -> int:
    """Read since when an allocation was unknown the last time; 0 if it never was.

    Spec: OBJ-222, ALLOC-21, OBJ-221.
    """
    states = [state for state in reversed(alloc.alloc_states) if state.field == _CLIENT_STATUS_FIELD]
    since_last = dropwhile(lambda state: state.value != AllocClient.UNKNOWN, states)
    run = takewhile(lambda state: state.value == AllocClient.UNKNOWN, since_last)
    return next((state.time_ns for state in reversed(list(run))), 0)


def needs_to_reconnect(alloc: Allocation) -> bool:
    """True if an allocation was last seen to become unknown.

    Spec: OBJ-222, ALLOC-21, OBJ-221.
    """
    states = (state for state in reversed(alloc.alloc_states) if state.field == _CLIENT_STATUS_FIELD)
    return next((state.value for state in states if state.value), "") == AllocClient.UNKNOWN


def has_reschedule_failed(alloc: Allocation) -> bool:
    """True if the last attempt to place an allocation again found no node.

    Spec: OBJ-243.
    """
    tracker = alloc.reschedule_tracker
    return tracker is not None and tracker.last_reschedule not in {"", LastReschedule.OK}


def find_last_start_ns(alloc: Allocation, task: str) -> int:
    """Read when a task was last started; 0 if it never was.

    Spec: OBJ-249.
    """
    state = alloc.task_states.get(task)
    if state is None:
        return 0
    return state.last_restart_ns if state.restarts > 0 else state.started_at_ns


def compute_client_status(task_states: Mapping[str, TaskState]) -> tuple[str, str]:
    """Work out what a client says of an allocation from its tasks: the status and a description.

    Spec: OBJ-218.
    """
    states = task_states.values()
    if any(state.state == TaskStatus.DEAD and state.failed for state in states):
        return AllocClient.FAILED, ClientDescription.FAILED
    if any(state.state == TaskStatus.RUNNING for state in states):
        return AllocClient.RUNNING, ClientDescription.RUNNING
    if any(state.state == TaskStatus.PENDING for state in states):
        return AllocClient.PENDING, ClientDescription.PENDING
    if any(state.state == TaskStatus.DEAD for state in states):
        return AllocClient.COMPLETE, ClientDescription.COMPLETE
    return "", ""
