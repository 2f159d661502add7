"""What a client says of the tasks of an allocation."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Instant, Uint64


class TaskStatus(StrEnum):
    """How far a task has come."""

    PENDING = "pending"
    RUNNING = "running"
    DEAD = "dead"


class TaskEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a task."""

    type: str = ""
    time_ns: int = 0
    message: str = ""
    display_message: str = ""
    details: Mapping[str, str] = {}
    fails_task: bool = False
    restart_reason: str = ""
    setup_error: str = ""
    driver_error: str = ""
    exit_code: int = 0
    signal: int = 0
    kill_timeout_ns: int = 0
    kill_error: str = ""
    kill_reason: str = ""
    start_delay_ns: int = 0
    download_error: str = ""
    validation_error: str = ""
    disk_limit: int = 0
    failed_sibling: str = ""
    vault_error: str = ""
    task_signal_reason: str = ""
    task_signal: str = ""
    driver_message: str = ""
    generic_source: str = ""


class TaskState(Struct, frozen=True, kw_only=True):
    """What a client says of one task."""

    state: str = ""
    failed: bool = False
    restarts: Uint64 = 0
    last_restart_ns: Instant = 0
    started_at_ns: Instant = 0
    finished_at_ns: Instant = 0
    events: tuple[TaskEvent, ...] = ()
    paused: str = ""


def is_successful(state: TaskState) -> bool:
    """True if a task ended well.

    Spec: OBJ-217.
    """
    return state.state == TaskStatus.DEAD and not state.failed
