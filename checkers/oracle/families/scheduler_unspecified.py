"""Recorded calls that the rules leave unspecified: what they were given is nothing that servers store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from nomadspec.checkers.oracle.judgement import Undecided
from nomadspec.model.cluster.entities import Evaluation, Job, Plan, TaskGroup
from nomadspec.model.cluster.scheduler.ranking.asks import list_affinities
from nomadspec.model.cluster.store.state import State


def demand_told(state: State, evaluation: Evaluation, plans: Sequence[Plan]) -> None:
    """Leave a call undecided of which the rules do not tell what it has to do.

    Spec: OBJ-120, RANK-55, RANK-56, RANK-58, RANK-61, GENERIC-37.
    """
    reason = next(list_unspecified(state, evaluation, plans), None)
    if reason is not None:
        raise Undecided(f"the rules do not tell what is done where {reason}")


def list_unspecified(state: State, evaluation: Evaluation, plans: Sequence[Plan]) -> Iterator[str]:
    """List what a call was given, or came to, of which the rules tell nothing."""
    key = evaluation.namespace, evaluation.job_id
    current = state.find_job(*key)
    for job in (*((current,) if current else ()), *state.list_job_versions(*key)):
        for group in job.task_groups:
            yield from _list_of_group(job, group)
    if any(alloc.job is None for alloc in state.allocs.values()):
        yield "an allocation has no job"
    stopped = (Counter(stop.id for stops in plan.node_update.values() for stop in stops) for plan in plans)
    if any(times > 1 for counts in stopped for times in counts.values()):
        yield "a plan stops an allocation twice"


def _list_of_group(job: Job, group: TaskGroup) -> Iterator[str]:
    if any(task.resources is None for task in group.tasks):
        yield "a task has no resources"
    if group.ephemeral_disk is None:
        yield "a group has no ephemeral disk"
    affinities = list_affinities(job, group)
    if affinities and not any(each.weight for each in affinities):
        yield "the weights of affinities sum to zero"
    spreads = (*job.spreads, *group.spreads)
    if spreads and not any(each.weight for each in spreads):
        yield "the weights of spreads sum to zero"
