"""Garbage collection: the work of core evaluations, as requests to the leader.

One run decides on one snapshot. Tokens, keys and storage volumes are outside the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from nomadspec.model.cluster.components.gc_checks import (
    EvalCheck,
    check_eval,
    has_tagged_version,
    is_deployment_collectable,
    is_job_collectable,
    is_node_collectable,
    is_too_new,
)
from nomadspec.model.cluster.entities import Evaluation, Job
from nomadspec.model.cluster.entities.evaluation import Trigger
from nomadspec.model.cluster.entities.job import JobType
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import JobKey
from nomadspec.model.errors import UsageError
from nomadspec.model.lifecycle.evaluation import EvalStatus

_MINUTE_NS: Final = 60_000_000_000
_HOUR_NS: Final = 60 * _MINUTE_NS
_MOST_IDS: Final = 7281
"""So many IDs fit a request."""
_MOST_JOBS: Final = 2048
CORE_PRIORITY: Final = 32767
_CORE_NAMESPACE: Final = "-"


Item = TypeVar("Item")


class Work(StrEnum):
    """What a core evaluation asks for."""

    EVALS = "eval-gc"
    JOBS = "job-gc"
    DEPLOYMENTS = "deployment-gc"
    NODES = "node-gc"
    FORCED = "force-gc"


INTERVALS_NS: Final[Mapping[Work, int]] = {
    Work.EVALS: 5 * _MINUTE_NS,
    Work.JOBS: 5 * _MINUTE_NS,
    Work.DEPLOYMENTS: 5 * _MINUTE_NS,
    Work.NODES: 5 * _MINUTE_NS,
}
"""How long a leader waits before each run; what is forced runs on demand."""


class Thresholds(Struct, frozen=True, kw_only=True):
    """How old things must be to be collected; the defaults are the server's."""

    eval_ns: int = _HOUR_NS
    batch_eval_ns: int = 24 * _HOUR_NS
    job_ns: int = 4 * _HOUR_NS
    node_ns: int = 24 * _HOUR_NS
    deployment_ns: int = _HOUR_NS


DEFAULTS: Final = Thresholds()
_FORCED_NS: Final = 1_000_000
FORCED: Final = Thresholds(
    eval_ns=_FORCED_NS,
    batch_eval_ns=_FORCED_NS,
    job_ns=_FORCED_NS,
    node_ns=_FORCED_NS,
    deployment_ns=_FORCED_NS,
)
"""What a forced run puts in the place of every threshold."""


class ReapEvals(Struct, frozen=True, kw_only=True):
    """Asks to delete evaluations and allocations."""

    evals: tuple[str, ...] = ()
    allocs: tuple[str, ...] = ()


class PurgeJobs(Struct, frozen=True, kw_only=True):
    """Asks to purge jobs, all of them or none."""

    jobs: tuple[JobKey, ...] = ()


class ReapDeployments(Struct, frozen=True, kw_only=True):
    """Asks to delete deployments."""

    deployments: tuple[str, ...] = ()


class DeleteNodes(Struct, frozen=True, kw_only=True):
    """Asks to delete nodes."""

    nodes: tuple[str, ...] = ()


Request: TypeAlias = ReapEvals | PurgeJobs | ReapDeployments | DeleteNodes


def make_core_eval(work: Work, eval_id: str, index: int, leader_acl: str = "") -> Evaluation:
    """Make the evaluation that asks for a run; it is in no table.

    Spec: GC-01, GC-04, GC-05, GC-07, BROKER-18.
    """
    return Evaluation(
        id=eval_id,
        namespace=_CORE_NAMESPACE,
        priority=CORE_PRIORITY,
        type=JobType.CORE,
        triggered_by=Trigger.SCHEDULED,
        job_id=work,
        leader_acl=leader_acl,
        status=EvalStatus.PENDING,
        modify_index=index,
    )


def read_work(job_id: str) -> Work:
    """Read what a core evaluation asks for; what follows a colon is for the work itself.

    Spec: GC-03, GC-08.
    """
    name = job_id.partition(":")[0]
    if name not in set(Work):
        raise UsageError(f"core scheduler cannot handle job '{job_id}'")
    return Work(name)


def collect(work: Work, state: State, now_ns: int, thresholds: Thresholds = DEFAULTS) -> tuple[Request, ...]:
    """List the requests of one run, in order.

    Spec: GC-02, GC-05, GC-80, GC-81, GC-82, GC-83.
    """
    if work is Work.FORCED:
        return tuple(chain.from_iterable(step(state, now_ns, FORCED) for step in _STEPS.values()))
    return tuple(_STEPS[work](state, now_ns, thresholds))


def _collect_evals(state: State, now_ns: int, thresholds: Thresholds) -> Iterator[Request]:
    """Collect what is told of every evaluation: its allocations may go before it does (GC-20)."""
    checks = {
        evaluation.id: check_eval(
            state,
            evaluation,
            now_ns=now_ns,
            cutoff_ns=now_ns - _find_threshold(evaluation, thresholds),
            is_dead_batch_allowed=False,
        )
        for evaluation in state.list_evals()
    }
    yield from _reap(checks)


def _find_threshold(evaluation: Evaluation, thresholds: Thresholds) -> int:
    return thresholds.batch_eval_ns if evaluation.type == JobType.BATCH else thresholds.eval_ns


def _collect_jobs(state: State, now_ns: int, thresholds: Thresholds) -> Iterator[Request]:
    """Collect jobs with all that belongs to them, or nothing of them.

    Spec: GC-31, GC-32, GC-34, GC-35, GC-36.
    """
    cutoff_ns = now_ns - thresholds.job_ns
    found: dict[JobKey, dict[str, EvalCheck]] = {}
    for job in state.list_jobs():
        if not is_job_collectable(job) or is_too_new(job.submit_time_ns, cutoff_ns):
            continue
        checks = _check_evals_of_job(state, job, now_ns, cutoff_ns)
        if all(check.is_collectable for check in checks.values()) and not has_tagged_version(state, job):
            found[job.namespace, job.id] = checks
    yield from _reap({name: check for checks in found.values() for name, check in checks.items()})
    yield from (PurgeJobs(jobs=batch) for batch in _split(tuple(found), _MOST_JOBS))


def _check_evals_of_job(state: State, job: Job, now_ns: int, cutoff_ns: int) -> dict[str, EvalCheck]:
    return {
        evaluation.id: check_eval(
            state, evaluation, now_ns=now_ns, cutoff_ns=cutoff_ns, is_dead_batch_allowed=True
        )
        for evaluation in state.list_evals_of_job(job.namespace, job.id)
    }


def _collect_deployments(state: State, now_ns: int, thresholds: Thresholds) -> Iterator[Request]:
    cutoff_ns = now_ns - thresholds.deployment_ns
    found = [one.id for one in state.list_deployments() if is_deployment_collectable(state, one, cutoff_ns)]
    yield from (ReapDeployments(deployments=batch) for batch in _split(found, _MOST_IDS))


def _collect_nodes(state: State, now_ns: int, thresholds: Thresholds) -> Iterator[Request]:
    """Delete nodes in batches; what ran on them stays for a later run.

    Spec: GC-61, GC-62.
    """
    cutoff_ns = now_ns - thresholds.node_ns
    found = [node.id for node in state.list_nodes() if is_node_collectable(state, node, cutoff_ns)]
    yield from (DeleteNodes(nodes=batch) for batch in _split(found, _MOST_IDS))


_STEPS: Final[Mapping[Work, Callable[[State, int, Thresholds], Iterator[Request]]]] = {
    Work.JOBS: _collect_jobs,
    Work.EVALS: _collect_evals,
    Work.DEPLOYMENTS: _collect_deployments,
    Work.NODES: _collect_nodes,
}
"""The kinds of work, in the order in which a forced run does them."""


def _reap(checks: Mapping[str, EvalCheck]) -> Iterator[ReapEvals]:
    evals = [name for name, check in checks.items() if check.is_collectable]
    return split_reap(evals, [alloc for check in checks.values() for alloc in check.allocs])


def split_reap(evals: Sequence[str], allocs: Sequence[str], most: int = _MOST_IDS) -> Iterator[ReapEvals]:
    """Split what is to be deleted into requests, allocations before evaluations.

    Spec: GC-90.
    """
    tagged = [*((True, alloc) for alloc in allocs), *((False, one) for one in evals)]
    for batch in _split(tagged, most):
        yield ReapEvals(
            evals=tuple(name for is_alloc, name in batch if not is_alloc),
            allocs=tuple(name for is_alloc, name in batch if is_alloc),
        )


def _split(items: Sequence[Item], most: int) -> Iterator[tuple[Item, ...]]:
    for start in range(0, len(items), most):
        yield tuple(items[start : start + most])
