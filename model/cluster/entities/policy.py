"""The policy blocks of a group: update, migrate, reschedule, restart, disconnect."""

from enum import StrEnum

from msgspec import Struct


class HealthCheck(StrEnum):
    """Who says that an allocation is healthy."""

    CHECKS = "checks"
    TASK_STATES = "task_states"
    MANUAL = "manual"


class DelayFunction(StrEnum):
    """How the delay grows from one reschedule to the next."""

    CONSTANT = "constant"
    EXPONENTIAL = "exponential"
    FIBONACCI = "fibonacci"


class RestartMode(StrEnum):
    """What a client does with a task that has failed too often in an interval."""

    FAIL = "fail"
    DELAY = "delay"


class Reconcile(StrEnum):
    """Which of two allocations stays when a disconnected client comes back."""

    BEST_SCORE = "best_score"
    LONGEST_RUNNING = "longest_running"
    KEEP_ORIGINAL = "keep_original"
    KEEP_REPLACEMENT = "keep_replacement"


class UpdateStrategy(Struct, frozen=True, kw_only=True):
    """How a group moves to a new version of its job."""

    stagger_ns: int = 0
    max_parallel: int = 0
    health_check: str = ""
    min_healthy_time_ns: int = 0
    healthy_deadline_ns: int = 0
    progress_deadline_ns: int = 0
    auto_revert: bool = False
    auto_promote: bool = False
    canary: int = 0


class MigrateStrategy(Struct, frozen=True, kw_only=True):
    """How a group leaves a draining node."""

    max_parallel: int = 0
    health_check: str = ""
    min_healthy_time_ns: int = 0
    healthy_deadline_ns: int = 0


class ReschedulePolicy(Struct, frozen=True, kw_only=True):
    """How often, and after which delay, a failed allocation is placed again."""

    attempts: int = 0
    interval_ns: int = 0
    delay_ns: int = 0
    delay_function: str = ""
    max_delay_ns: int = 0
    unlimited: bool = False


class RestartPolicy(Struct, frozen=True, kw_only=True):
    """How often a client starts a failed task again where it is."""

    attempts: int = 0
    interval_ns: int = 0
    delay_ns: int = 0
    mode: str = ""
    render_templates: bool = False


class DisconnectStrategy(Struct, frozen=True, kw_only=True):
    """What happens to allocations whose client is out of reach.

    Spec: DISC-01.
    """

    lost_after_ns: int = 0
    stop_on_client_after_ns: int | None = None
    replace: bool | None = None
    reconcile: str = ""


def is_enabled(policy: ReschedulePolicy | None) -> bool:
    """True if a policy allows any reschedule.

    Spec: OBJ-105, RESCHED-01.
    """
    return policy is not None and (policy.attempts > 0 or policy.unlimited)
