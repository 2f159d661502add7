"""Judges what is collected: only what has ended, and what nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.model.cluster.components.gc_checks import is_job_collectable
from nomadspec.model.cluster.entities import NodeStatus
from nomadspec.model.cluster.entities.allocation import is_terminal as is_alloc_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal as is_eval_terminal
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    DeploymentDelete,
    EvalDelete,
    JobBatchDeregister,
    NodeBatchDeregister,
)


def compare_deletion(request: EvalDelete, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare what is deleted of evaluations and allocations with what has ended.

    Spec: GC-20, GC-21, GC-25, EVAL-47.
    """
    if request.user_initiated:
        return
    for eval_id in request.evals:
        entries = [entry for state in recent if (entry := state.find_eval(eval_id)) is not None]
        if entries and not any(map(is_eval_terminal, entries)):
            yield Difference(f"{path}.Evals", eval_id, f"it is {entries[0].status}", "GC-21")
    for alloc_id in request.allocs:
        allocs = [alloc for state in recent if (alloc := state.find_alloc(alloc_id)) is not None]
        if allocs and not any(map(is_alloc_terminal, allocs)):
            yield Difference(f"{path}.Allocs", alloc_id, f"it is {allocs[0].client_status}", "GC-25")


def compare_purge(request: JobBatchDeregister, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare which jobs are collected with which may be.

    Spec: GC-30, GC-31.
    """
    for each in request.jobs:
        jobs = [job for state in recent if (job := state.find_job(each.namespace, each.id)) is not None]
        if jobs and not any(map(is_job_collectable, jobs)):
            yield Difference(f"{path}.Jobs", each.id, f"it is {jobs[0].status}", "GC-30")


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
