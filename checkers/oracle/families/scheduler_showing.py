"""Shows what a scheduler did as JSON in which jobs are numbers of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.families.scheduler_reading import Jobs
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, Plan
from nomadspec.model.cluster.scheduler.outcome import Outcome

EVALS = ("created_evals", "updated_evals", "reblocked_evals")


def list_evals(outcome: Outcome) -> Mapping[str, Sequence[Evaluation]]:
    """List the evaluations that a call wrote, by how it wrote them."""
    return {name: list(getattr(outcome, name)) for name in EVALS}


def show_plan(plan: Plan, jobs: Jobs) -> dict[str, Any]:
    """Show a plan."""
    bare = replace(plan, job=None, node_update={}, node_allocation={}, node_preemptions={})
    shown = {**write(bare), "JobRef": find_number(plan.job, jobs)}
    by_node = {
        "NodeUpdate": plan.node_update,
        "NodeAllocation": plan.node_allocation,
        "NodePreemptions": plan.node_preemptions,
    }
    for name, lists in by_node.items():
        shown[name] = {node: [show_alloc(alloc, jobs) for alloc in allocs] for node, allocs in lists.items()}
    return shown


def show_alloc(alloc: Allocation, jobs: Jobs) -> dict[str, Any]:
    """Show an allocation."""
    return {**write(replace(alloc, job=None)), "JobRef": find_number(alloc.job, jobs)}


def find_number(job: Job | None, jobs: Jobs) -> int | None:
    """Find the first document that is the same job at the same moment; -1 where there is none."""
    if job is None:
        return None
    return next((number for number, each in enumerate(jobs.documents) if each == job), -1)
