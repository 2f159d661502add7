"""The cluster around a recorded deployment: its job, its allocs, and the state that takes the writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.shape import Whole
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDeploymentStatus,
    AllocDesired,
    Deployment,
    EvalStatus,
    Evaluation,
    Job,
    Namespace,
    NodePool,
)
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

_IMAGE: Final = "image"


class Version(msgspec.Struct, frozen=True):
    """A version of the job; two with the same image ask for the same."""

    Version: Whole
    Stable: bool
    image: str


class Placed(msgspec.Struct, frozen=True):
    """An alloc that is placed for the deployment."""

    ID: str
    TaskGroup: str
    Canary: bool


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A deployment, its watcher and the state, at a time."""

    state: State
    watchers: Watchers = Watchers()
    deployment_id: str
    profile: Profile
    start_ns: Whole
    now_ns: Whole
    made: Whole = 0
    """So many entries were written: it numbers the evals, whose IDs are not recorded."""
    calls: tuple[dict[str, Any], ...] = ()
    """What the watcher asked for during the present operation."""

    @property
    def next_id(self) -> str:
        """The ID of the next eval."""
        return f"eval-{self.made:06}"

    def write(self, request: msgspec.Struct) -> tuple[Scene, str]:
        """Apply an entry, and tell why it was refused, if it was."""
        index = self.state.latest_index + 1
        applied = apply(self.state, Entry(index, request), now_ns=self.now_ns, profile=self.profile)
        return replace(self, state=applied.state, made=self.made + 1), applied.error or ""


def make_scene(
    start_ns: int,
    job: Job,
    versions: Sequence[Version],
    deployment: Deployment,
    placed: Iterable[Placed],
    *,
    has_eval: bool,
    profile: Profile,
) -> Scene:
    """Set up the cluster as it is when the recording begins."""
    index = job.modify_index + 1
    jobs = [_make_version(job, version) for version in versions]
    if not jobs:
        raise InputError("the recording", "a job has at least one version", at="versions")
    deployment = replace(deployment, create_index=index, modify_index=index)
    allocs = [make_alloc(jobs[0], deployment.id, one, start_ns, index) for one in placed]
    entry = Evaluation(
        id="eval-before",
        namespace=job.namespace,
        job_id=job.id,
        type=job.type,
        status=EvalStatus.COMPLETE.value,
        create_index=index + 1,
        modify_index=index + 1,
    )
    state = State.of(
        jobs=jobs[:1],
        job_versions=jobs,
        evals=[entry] if has_eval else [],
        allocs=allocs,
        deployments=[deployment],
        namespaces=[Namespace(name=job.namespace)],
        node_pools=[NodePool(name=job.node_pool)],
        index=index + 1,
    )
    return Scene(
        state=state, deployment_id=deployment.id, profile=profile, start_ns=start_ns, now_ns=start_ns
    )


def _make_version(job: Job, version: Version) -> Job:
    made = replace(job, version=version.Version, stable=version.Stable)
    if not job.task_groups or not job.task_groups[0].tasks:
        raise InputError("the recording", "a job has at least one task", at="job")
    group = job.task_groups[0]
    task = replace(group.tasks[0], config={**group.tasks[0].config, _IMAGE: version.image})
    groups = (replace(group, tasks=(task, *group.tasks[1:])), *job.task_groups[1:])
    return replace(made, task_groups=groups)


def find_image(job: Job) -> str:
    """Find the setting that tells versions of the job apart."""
    return str(job.task_groups[0].tasks[0].config.get(_IMAGE, ""))


def make_alloc(job: Job, deployment_id: str, placed: Placed, now_ns: int, index: int = 0) -> Allocation:
    """Make an alloc that is placed now."""
    return Allocation(
        id=placed.ID,
        namespace=job.namespace,
        eval_id="eval-before",
        name=f"{job.id}.{placed.TaskGroup}[0]",
        job_id=job.id,
        job=job,
        task_group=placed.TaskGroup,
        desired_status=AllocDesired.RUN.value,
        client_status=AllocClient.PENDING.value,
        deployment_id=deployment_id,
        deployment_status=AllocDeploymentStatus(canary=True) if placed.Canary else None,
        create_index=index,
        modify_index=index,
        alloc_modify_index=index,
        create_time_ns=now_ns,
        modify_time_ns=now_ns,
    )


def place(scene: Scene, placed: Iterable[Placed]) -> Scene:
    """Place allocs for the deployment."""
    deployment = scene.state.deployments[scene.deployment_id]
    job = scene.state.jobs[deployment.namespace, deployment.job_id]
    allocs = tuple(make_alloc(job, deployment.id, one, scene.now_ns) for one in placed)
    request = ApplyPlanResults(job=job, allocs_updated=allocs, updated_at_ns=scene.now_ns)
    return scene.write(request)[0]


def make_update(scene: Scene, alloc_id: str, client_status: str, *, healthy: bool | None) -> Allocation:
    """Make what a client reports of an alloc now."""
    status = AllocDeploymentStatus(healthy=healthy, timestamp_ns=scene.now_ns)
    return Allocation(
        id=alloc_id,
        client_status=client_status,
        deployment_status=None if healthy is None else status,
        modify_time_ns=scene.now_ns,
    )
