"""Scaling: another count of a group, in three entries of the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.jobs import REJECTED, find_surroundings
from nomadspec.model.cluster.acts.operator_answers import ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components.job_calls import NO_JOB_NAMED
from nomadspec.model.cluster.components.registration import make_scaling_eval
from nomadspec.model.cluster.entities import Job, JobType, ScalingEvent, TaskGroup
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.store.requests import EvalUpdate, JobRegister, ScalingEventRegister
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World, make_id

UNKNOWN_GROUP: Final = 'task group "{}" specified for scaling does not exist in job'
NEGATIVE: Final = "scaling action count can't be negative"
TOO_MANY: Final = 'jobs of type "system" can only be scaled between 0 and 1'
BELOW: Final = "group count was less than scaling policy minimum: {} < {}"
ABOVE: Final = "group count was greater than scaling policy maximum: {} > {}"
IN_TOTAL: Final = "total count was greater than configured job_max_count: {} > {}"
DEPLOYS: Final = "job scaling blocked due to active deployment"


@act("JOB-22", "TRIG-22", "DEP-58", actor="operator", external=True, refines="make_pending")
class ScaleJob(Act, frozen=True, kw_only=True):
    """An operator wants another count of a group."""

    job_id: str
    group: str
    count: int
    namespace: str = "default"
    message: str = ""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any group of any job, to one more and to one less."""
        for job in world.state.list_jobs() if world.is_led else ():
            for group in job.task_groups:
                for count in (group.count + 1, group.count - 1):
                    one = cls(job_id=job.id, namespace=job.namespace, group=group.name, count=count)
                    if count >= 0 and not one.find_refusal(world.state):
                        yield one

    def find_refusal(self, state: State) -> str:
        """Find why nothing is scaled; empty if something is.

        Spec: JOB-22.
        """
        if state.configuration is not None and state.configuration.reject_job_registration:
            return REJECTED
        if self.count < 0:
            return NEGATIVE
        job = state.find_job(self.namespace, self.job_id)
        if job is None:
            return NO_JOB_NAMED.format(self.job_id)
        group = find_group(job, self.group)
        if job.type == JobType.SYSTEM and self.count > 1:
            return TOO_MANY
        if group is None:
            return UNKNOWN_GROUP.format(self.group)
        return self._find_limit(job, group, state) or _find_deployment(state, job)

    def _find_limit(self, job: Job, group: TaskGroup, state: State) -> str:
        policy = group.scaling
        if policy is not None and self.count < policy.min:
            return BELOW.format(self.count, policy.min)
        if policy is not None and self.count > policy.max:
            return ABOVE.format(self.count, policy.max)
        total = sum(each.count for each in job.task_groups) - group.count + self.count
        most = find_surroundings(state).most_count
        return IN_TOTAL.format(total, most) if most and total > most else ""

    def take(self, world: World) -> World:
        """Write the job, then its evaluation, then what was done; what fails ends the rest."""
        error = self.find_refusal(world.state)
        job = world.state.find_job(self.namespace, self.job_id)
        if error or job is None:
            return refuse(world, error)
        before = next(each.count for each in job.task_groups if each.name == self.group)
        groups = tuple(
            replace(each, count=self.count) if each.name == self.group else each for each in job.task_groups
        )
        scaled = replace(job, task_groups=groups, submit_time_ns=world.now_ns)
        written = ask(
            world, JobRegister(job=scaled, enforce_index=True, job_modify_index=job.job_modify_index)
        )
        if written.error:
            return written.world
        world, eval_id = make_id(written.world, "eval")
        made = make_scaling_eval(scaled, world.state.latest_index, eval_id, world.now_ns)
        if made is not None:
            looked = ask(world, EvalUpdate(evals=(made,)))
            if looked.error:
                return looked.world
            world = looked.world
        event = ScalingEvent(
            time_ns=world.now_ns,
            count=self.count,
            previous_count=before,
            message=self.message,
            eval_id=eval_id if made is not None else None,
        )
        noted = ScalingEventRegister(
            namespace=self.namespace, job_id=self.job_id, task_group=self.group, scaling_event=event
        )
        return ask(world, noted).world


def _find_deployment(state: State, job: Job) -> str:
    latest = state.find_latest_deployment(job.namespace, job.id)
    is_in_way = latest is not None and is_active(latest) and latest.job_create_index == job.create_index
    return DEPLOYS if is_in_way else ""
