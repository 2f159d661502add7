"""Scaling policies: written with the jobs whose groups they are of."""

from __future__ import annotations

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Job, ScalingPolicy, TaskGroup
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.tables import SCALING_POLICIES, JobKey


def write_policies(draft: Draft, job: Job) -> Job:
    """Write the policies of a job and drop those of groups that are gone; the job shows what is written.

    A policy that is as it was is not written again, and the job then shows what it was registered with.

    Spec: OBJ-395.
    """
    key = (job.namespace, job.id)
    there = {_name(policy): policy for policy in draft.scaling_policies.get(key, ())}
    kept: dict[tuple[str, ...], ScalingPolicy] = {}
    groups = tuple(_write_policy(draft, group, there, kept) for group in job.task_groups)
    policies = tuple(kept.values())
    if policies != draft.scaling_policies.get(key, ()):
        _put(draft, key, policies)
    return replace(job, task_groups=groups) if there or kept else job


def delete_policies(draft: Draft, key: JobKey) -> None:
    """Delete the policies of a job.

    Spec: OBJ-048, OBJ-395.
    """
    if draft.scaling_policies.get(key):
        _put(draft, key, ())


def _put(draft: Draft, key: JobKey, policies: tuple[ScalingPolicy, ...]) -> None:
    draft.put_scaling_policies(key, policies)
    draft.touch(SCALING_POLICIES)


def _write_policy(
    draft: Draft,
    group: TaskGroup,
    there: dict[tuple[str, ...], ScalingPolicy],
    kept: dict[tuple[str, ...], ScalingPolicy],
) -> TaskGroup:
    asked = group.scaling
    if asked is None:
        return group
    name = _name(asked)
    before = there.get(name)
    if before is not None and _strip(before) == _strip(asked):
        kept[name] = before
        return group
    written = replace(asked, create_index=draft.index, modify_index=draft.index)
    if before is not None:
        written = replace(written, id=before.id, create_index=before.create_index)
    kept[name] = written
    return replace(group, scaling=written)


def _name(policy: ScalingPolicy) -> tuple[str, ...]:
    """Name a policy among those of its job: by its type and what it is for."""
    return policy.type, *(part for pair in sorted(policy.target.items()) for part in pair)


def _strip(policy: ScalingPolicy) -> ScalingPolicy:
    return replace(policy, id="", create_index=0, modify_index=0)
