"""Judges what is collected: only what has ended, and what nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.model.cluster.components.gc_checks import (
    EvalCheck,
    check_eval,
    has_tagged_version,
    is_job_collectable,
)
from nomadspec.model.cluster.entities import Allocation, EvalStatus, Evaluation, Job, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_terminal as is_alloc_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    DeploymentDelete,
    EvalDelete,
    JobBatchDeregister,
    NodeBatchDeregister,
)

_NEVER_NS: Final = 1 << 63
"""Later than anything was written."""


def compare_deletion(request: EvalDelete, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare what is deleted of evaluations and allocations with what has ended.

    What still had to be worked on when it was deleted should have ended before.

    Spec: GC-20, GC-21, GC-25, EVAL-37, EVAL-47.
    """
    if request.user_initiated:
        return
    for eval_id in request.evals:
        entries = [(state, entry) for state in recent if (entry := state.find_eval(eval_id)) is not None]
        if entries and not any(_may_go_itself(*pair) for pair in entries):
            entry = entries[0][1]
            yield Difference(f"{path}.Evals", eval_id, f"it is {entry.status}", "GC-21")
            if entry.status == EvalStatus.PENDING:
                yield Difference(f"raft-log[{entry.create_index}].Evals", entry.status, "it ends", "EVAL-37")
        left = [_list_left(state, request, eval_id) for state, entry in entries if is_terminal(entry)]
        if left and all(left):
            yield Difference(f"{path}.Evals", eval_id, f"it has {left[0]}", "GC-21")
    for alloc_id in request.allocs:
        allocs = [(state, alloc) for state in recent if (alloc := state.find_alloc(alloc_id)) is not None]
        if allocs and not any(_may_go(*pair) for pair in allocs):
            yield Difference(f"{path}.Allocs", alloc_id, f"it is {allocs[0][1].client_status}", "GC-25")


def _list_left(state: State, request: EvalDelete, eval_id: str) -> Sequence[str]:
    """List the allocations that would outlive their evaluation.

    Spec: GC-21, GC-90.
    """
    return sorted({alloc.id for alloc in state.list_allocs_of_eval(eval_id)}.difference(request.allocs))


def _may_go(state: State, alloc: Allocation) -> bool:
    """True if an allocation is told with its evaluation, without which nobody looks at it.

    Spec: GC-22, GC-36.
    """
    entry = state.find_eval(alloc.eval_id)
    if entry is None:
        return False
    if alloc.id in _check(state, entry).allocs:
        return True
    return alloc.id in _check(state, entry, is_for_job=True).allocs and _goes_with_job(state, entry)


def _may_go_itself(state: State, entry: Evaluation) -> bool:
    """True if an evaluation may go with all its allocations, for its own sake or that of its job."""
    return _check(state, entry).is_collectable or _goes_with_job(state, entry)


def _goes_with_job(state: State, entry: Evaluation) -> bool:
    job = state.find_job(entry.namespace, entry.job_id)
    return job is not None and _may_be_purged(state, job)


def _check(state: State, entry: Evaluation, *, is_for_job: bool = False) -> EvalCheck:
    """Check an evaluation as if all of it were old, for its own sake or for that of its job.

    How old things must be is configured, and is next to nothing where an operator asks for it.

    Spec: GC-20, GC-31, GC-80.
    """
    return check_eval(state, entry, now_ns=_NEVER_NS, cutoff_ns=_NEVER_NS, is_dead_batch_allowed=is_for_job)


def compare_purge(request: JobBatchDeregister, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare which jobs are collected with which may be.

    Spec: GC-30, GC-31, GC-32.
    """
    for each in request.jobs:
        jobs = [
            (state, job) for state in recent if (job := state.find_job(each.namespace, each.id)) is not None
        ]
        if jobs and not any(_may_be_purged(*pair) for pair in jobs):
            yield Difference(f"{path}.Jobs", each.id, f"it is {jobs[0][1].status}", "GC-30")


def _may_be_purged(state: State, job: Job) -> bool:
    """True if a job may be collected, as far as that is no matter of age; its evaluations went before.

    Spec: GC-30, GC-31, GC-32.
    """
    entries = state.list_evals_of_job(job.namespace, job.id)
    return (
        is_job_collectable(job)
        and not has_tagged_version(state, job)
        and all(_check(state, entry, is_for_job=True).is_collectable for entry in entries)
    )


def compare_deployments(
    request: DeploymentDelete, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare which deployments are collected with which are over.

    Spec: GC-40.
    """
    for name in request.deployments:
        found = [each for state in recent if (each := state.find_deployment(name)) is not None]
        if found and all(map(is_active, found)):
            yield Difference(f"{path}.Deployments", name, f"it is {found[0].status}", "GC-40")


def compare_nodes(request: NodeBatchDeregister, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare which nodes are collected with which are down and empty.

    Spec: GC-60.
    """
    for node_id in request.node_ids:
        is_due = [
            node.status == NodeStatus.DOWN and all(map(is_alloc_terminal, state.list_allocs_of_node(node_id)))
            for state in recent
            if (node := state.find_node(node_id)) is not None
        ]
        if is_due and not any(is_due):
            yield Difference(f"{path}.NodeIDs", node_id, "it is needed", "GC-60")
