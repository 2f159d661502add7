"""An evaluation: the order to look at a job again."""

from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.annotation import PlanAnnotations
from nomadspec.model.cluster.entities.metric import AllocMetric
from nomadspec.model.cluster.entities.scalar import Instant, Uint64
from nomadspec.model.lifecycle.evaluation import EVALUATION, EvalStatus
from nomadspec.model.lifecycle.table import spell_ended


class Trigger(StrEnum):
    """Why an evaluation was made.

    Spec: OBJ-181, TRIG-01.
    """

    JOB_REGISTER = "job-register"
    JOB_DEREGISTER = "job-deregister"
    PERIODIC_JOB = "periodic-job"
    NODE_DRAIN = "node-drain"
    NODE_UPDATE = "node-update"
    ALLOC_STOP = "alloc-stop"
    SCHEDULED = "scheduled"
    ROLLING_UPDATE = "rolling-update"
    DEPLOYMENT_WATCHER = "deployment-watcher"
    FAILED_FOLLOW_UP = "failed-follow-up"
    MAX_PLAN_ATTEMPTS = "max-plan-attempts"
    ALLOC_FAILURE = "alloc-failure"
    QUEUED_ALLOCS = "queued-allocs"
    PREEMPTION = "preemption"
    JOB_SCALING = "job-scaling"
    MAX_DISCONNECT_TIMEOUT = "max-disconnect-timeout"
    RECONNECT = "reconnect"
    ALLOC_RESCHEDULE = "alloc-reschedule"


_TERMINAL: Final = spell_ended(EVALUATION)
_OPEN: Final = frozenset(EvalStatus) - _TERMINAL


class EvaluationStub(Struct, frozen=True, kw_only=True):
    """The short form in which related evaluations are shown."""

    id: str = ""
    namespace: str = ""
    priority: int = 0
    type: str = ""
    triggered_by: str = ""
    job_id: str = ""
    node_id: str = ""
    deployment_id: str = ""
    status: str = ""
    status_description: str = ""
    wait_until_ns: Instant = 0
    next_eval: str = ""
    previous_eval: str = ""
    blocked_eval: str = ""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0


class Evaluation(Struct, frozen=True, kw_only=True):
    """An evaluation: the order to look at a job again.

    Spec: OBJ-180, EVAL-05.
    """

    id: str = ""
    namespace: str = ""
    priority: int = 0
    type: str = ""
    triggered_by: str = ""
    job_id: str = ""
    job_modify_index: Uint64 = 0
    node_id: str = ""
    node_modify_index: Uint64 = 0
    deployment_id: str = ""
    status: str = ""
    status_description: str = ""
    wait_ns: int = 0
    wait_until_ns: Instant = 0
    next_eval: str = ""
    previous_eval: str = ""
    blocked_eval: str = ""
    related_evals: tuple[EvaluationStub, ...] = ()
    failed_tg_allocs: Mapping[str, AllocMetric] = {}
    class_eligibility: Mapping[str, bool] = {}
    quota_limit_reached: str = ""
    escaped_computed_class: bool = False
    missing_non_node_resources: tuple[str, ...] = ()
    annotate_plan: bool = False
    plan_annotations: PlanAnnotations | None = None
    queued_allocations: Mapping[str, int] = {}
    leader_acl: str = ""
    snapshot_index: Uint64 = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0


def is_terminal(evaluation: Evaluation) -> bool:
    """True while nothing will be done for an evaluation any more.

    Spec: OBJ-182.
    """
    return evaluation.status in _TERMINAL


def is_open(evaluation: Evaluation) -> bool:
    """True while an evaluation has still to be scheduled: it is pending or blocked.

    Spec: EVAL-01, OBJ-182.
    """
    return evaluation.status in _OPEN


def list_related(
    evaluation: Evaluation, find_evaluation: Callable[[str], Evaluation | None]
) -> tuple[Evaluation, ...]:
    """List all that an evaluation's links lead to, nearest first, without those that are gone.

    Spec: OBJ-184, EVAL-31.
    """
    reached = {evaluation.id: evaluation}
    queue = deque([evaluation])
    while queue:
        current = queue.popleft()
        for link in (current.next_eval, current.previous_eval, current.blocked_eval):
            found = find_evaluation(link) if link and link not in reached else None
            if found is not None:
                reached[link] = found
                queue.append(found)
    return tuple(reached.values())[1:]
