"""Judges how old what is collected is, where servers were told how old it must be and nobody forced them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from nomadspec.checkers.durations import read_duration_ns
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.checkers.oracle.trace_window import CLOCKS_NS, read_time
from nomadspec.model.cluster.components.core_gc import DEFAULTS, Thresholds
from nomadspec.model.cluster.entities import JobType
from nomadspec.model.cluster.entities.node import compute_status_time_s
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    DeploymentDelete,
    EvalDelete,
    JobBatchDeregister,
    NodeBatchDeregister,
)

_FORCED: Final = "/v1/system/gc"
_KEYS: Final = {
    "eval_ns": "eval_gc_threshold",
    "batch_eval_ns": "batch_eval_gc_threshold",
    "job_ns": "job_gc_threshold",
    "node_ns": "node_gc_threshold",
    "deployment_ns": "deployment_gc_threshold",
}
"""What the configuration of a server calls each threshold."""


def read_thresholds(scenario: Mapping[str, Any], settings: Sequence[Mapping[str, Any]]) -> Thresholds | None:
    """Read how old things must be; None where somebody forced a collection, or nobody told.

    Spec: GC-02, GC-80.
    """
    actions = scenario.get("actions")
    if not settings or not isinstance(actions, list) or any(_FORCED in str(each) for each in actions):
        return None
    return Thresholds(**{name: _find_least(name, key, settings) for name, key in _KEYS.items()})


def _find_least(name: str, key: str, settings: Sequence[Mapping[str, Any]]) -> int:
    told = [read_duration_ns(str(each.get(key, ""))) for each in settings]
    usual: int = getattr(DEFAULTS, name)
    return min(usual if each is None else each for each in told)


def compare_ages(replay: Replay, thresholds: Thresholds, ended_ns: int) -> Iterator[Difference]:
    """List what was collected although it had changed too short a time before.

    Spec: GC-10, GC-11, GC-20, GC-31, GC-40.
    """
    steps = replay.steps
    for at, step in enumerate(steps):
        state = steps[at - 1].applied.state if at else step.applied.state
        collected = list(_list_due(step.typed.entry.request, state, thresholds))
        if not collected:
            continue
        latest_ns = next(filter(None, (read_time(each.typed.entry.request) for each in steps[at:])), ended_ns)
        for place, name, due_ns in collected:
            if due_ns > latest_ns + CLOCKS_NS:
                path = f"raft-log[{step.typed.entry.index}].{place}"
                yield Difference(path, name, f"not before {due_ns}", "GC-10")


def _list_due(request: object, state: State, thresholds: Thresholds) -> Iterator[tuple[str, str, int]]:
    """List what is collected, and when it is old enough for that.

    Spec: GC-10, GC-11, GC-20, GC-31, GC-40, GC-60.
    """
    match request:
        case EvalDelete(user_initiated=False, evals=names):
            for entry in filter(None, map(state.find_eval, names)):
                own_ns = thresholds.batch_eval_ns if entry.type == JobType.BATCH else thresholds.eval_ns
                yield "Evals", entry.id, entry.modify_time_ns + min(own_ns, thresholds.job_ns)
        case DeploymentDelete(deployments=names):
            for deployment in filter(None, map(state.find_deployment, names)):
                due_ns = deployment.modify_time_ns + thresholds.deployment_ns
                yield "Deployments", deployment.id, due_ns
        case JobBatchDeregister(jobs=jobs):
            for job in filter(None, (state.find_job(each.namespace, each.id) for each in jobs)):
                yield "Jobs", job.id, job.submit_time_ns + thresholds.job_ns
        case NodeBatchDeregister(node_ids=names):
            for node in filter(None, map(state.find_node, names)):
                yield "NodeIDs", node.id, compute_status_time_s(node) * NS_PER_S + thresholds.node_ns
