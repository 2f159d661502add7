"""What operators say of versions of jobs: that one is stable, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from nomadspec.model.cluster.acts.operator_answers import ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components.job_calls import NO_VERSION
from nomadspec.model.cluster.entities import VersionTag
from nomadspec.model.cluster.store.requests import JobStability, JobVersionTagging
from nomadspec.model.cluster.world import World


@act("JOB-19", actor="operator", external=True)
class MarkStable(Act, frozen=True, kw_only=True):
    """An operator calls a version of a job stable, or no longer so; nothing is looked at for it."""

    job_id: str
    version: int
    stable: bool
    namespace: str = "default"

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any kept version of any job, to what it is not."""
        for job in world.state.list_jobs() if world.is_led else ():
            for kept in world.state.list_job_versions(job.namespace, job.id):
                yield cls(
                    job_id=job.id, namespace=job.namespace, version=kept.version, stable=not kept.stable
                )

    def take(self, world: World) -> World:
        """Write it, if there is such a version."""
        if world.state.find_job_version(self.namespace, self.job_id, self.version) is None:
            return refuse(world, NO_VERSION.format(self.job_id, self.namespace, self.version))
        request = JobStability(
            namespace=self.namespace, job_id=self.job_id, job_version=self.version, stable=self.stable
        )
        return ask(world, request).world


@act("JOB-36", "JOB-11", actor="operator", external=True)
class TagVersion(Act, frozen=True, kw_only=True):
    """An operator names a version of a job, which is then kept, or takes the name away."""

    job_id: str
    name: str
    version: int = 0
    is_removal: bool = False
    namespace: str = "default"

    def take(self, world: World) -> World:
        """Write it."""
        tag = None if self.is_removal else VersionTag(name=self.name, tagged_time_ns=world.now_ns)
        request = JobVersionTagging(
            namespace=self.namespace, job_id=self.job_id, name=self.name, tag=tag, version=self.version
        )
        return ask(world, request).world
