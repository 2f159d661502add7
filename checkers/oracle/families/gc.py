"""Judges the recordings of garbage collection: one run on one snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import parse_instant, read
from nomadspec.model.cluster.components.core_gc import (
    DeleteNodes,
    PurgeJobs,
    ReapDeployments,
    ReapEvals,
    Request,
    Thresholds,
    Work,
    collect,
)
from nomadspec.model.cluster.components.gc_checks import EvalCheck, check_eval
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import InputError

_RULES: Final[Rules] = (
    ("per_eval", "GC-21"),
    ("evals", "GC-20"),
    ("allocs", "GC-25"),
    ("jobs", "GC-31"),
    ("deployments", "GC-40"),
    ("nodes", "GC-60"),
    ("", "GC-80"),
)


class Tables(Struct, frozen=True):
    """The snapshot."""

    nodes: list[dict[str, Any]]
    jobs: list[dict[str, Any]]
    job_version: list[dict[str, Any]]
    evals: list[dict[str, Any]]
    allocs: list[dict[str, Any]]
    deployment: list[dict[str, Any]]


class Ages(Struct, frozen=True):
    """The thresholds, in nanoseconds."""

    eval: Whole
    batch_eval: Whole
    job: Whole
    node: Whole
    deployment: Whole


class Vector(Struct, frozen=True):
    """One recording: what was asked."""

    job: Work
    now: str
    thresholds: Ages
    state: Tables


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:  # noqa: ARG001 -- every judge is given it
    """Compare the deletions that were asked for, and the check of every evaluation."""
    asked = read_shape(Vector, vector)
    now_ns = parse_instant(asked.now)
    if now_ns is None:
        raise InputError("the recording", f"{asked.now!r} is no time", at="now")
    state = _read_state(asked.state)
    ages = asked.thresholds
    thresholds = Thresholds(
        eval_ns=ages.eval,
        batch_eval_ns=ages.batch_eval,
        job_ns=ages.job,
        node_ns=ages.node,
        deployment_ns=ages.deployment,
    )
    calls = [_describe(request) for request in collect(asked.job, state, now_ns, thresholds)]
    checks = _list_checks(state, now_ns, now_ns - ages.eval)
    yield from compare(vector.get("calls", ABSENT), calls, "calls", _RULES)
    yield from compare(vector.get("per_eval", ABSENT), checks, "per_eval", _RULES)


def _read_state(tables: Tables) -> State:
    return State.of(
        nodes=[read(Node, raw) for raw in tables.nodes],
        jobs=[read(Job, raw) for raw in tables.jobs],
        job_versions=[read(Job, raw) for raw in tables.job_version],
        evals=[read(Evaluation, raw) for raw in tables.evals],
        allocs=[read(Allocation, raw) for raw in tables.allocs],
        deployments=[read(Deployment, raw) for raw in tables.deployment],
    )


def _describe(request: Request) -> dict[str, object]:
    match request:
        case ReapEvals():
            return {"method": "Eval.Reap", "evals": sorted(request.evals), "allocs": sorted(request.allocs)}
        case PurgeJobs():
            names = sorted(f"{namespace}/{name}" for namespace, name in request.jobs)
            return {"method": "Job.BatchDeregister", "jobs": names, "purge": True}
        case ReapDeployments():
            return {"method": "Deployment.Reap", "deployments": sorted(request.deployments)}
        case DeleteNodes():
            return {"method": "Node.BatchDeregister", "nodes": sorted(request.nodes)}


def _list_checks(state: State, now_ns: int, cutoff_ns: int) -> list[dict[str, object]]:
    def check(evaluation: Evaluation, *, is_dead_batch_allowed: bool) -> dict[str, object]:
        return _describe_check(
            check_eval(
                state,
                evaluation,
                now_ns=now_ns,
                cutoff_ns=cutoff_ns,
                is_dead_batch_allowed=is_dead_batch_allowed,
            )
        )

    return [
        {
            "eval": evaluation.id,
            "strict": check(evaluation, is_dead_batch_allowed=False),
            "dead_batch_allowed": check(evaluation, is_dead_batch_allowed=True),
        }
        for evaluation in state.list_evals()
    ]


def _describe_check(check: EvalCheck) -> dict[str, object]:
    return {"collect": check.is_collectable, "allocs": sorted(check.allocs)}


JUDGES: Final[Mapping[str, Judge]] = {"cases": judge}
