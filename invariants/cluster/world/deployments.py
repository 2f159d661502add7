"""What must be true of deployments: they count right, end once, and are successful only when they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, list_new, on_step
from nomadspec.model.cluster.entities import Allocation, Deployment, DeploymentStatus, JobType
from nomadspec.model.cluster.entities.allocation import DesiredDescription, is_healthy, is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.deployment import is_terminal as has_ended
from nomadspec.model.cluster.world import Delivered, World


@on_step("OBJ-273", "DEP-20", reads="deployments", because="An abandoned version would be deployed.")
def ended_deployment_stays_ended(step: Step) -> Iterator[str]:
    """A deployment that is successful, failed or cancelled keeps its status."""
    for was, now in list_changed(step.before.state.deployments, step.after.state.deployments):
        if has_ended(was) and now.status != was.status:
            yield f"deployment {now.id} was {was.status} and is {now.status}"


@on_step(
    "OBJ-272", "REC-11", reads="deployments", because="A deployment that an operator has paused would go on."
)
def paused_deployment_stays_paused(step: Step) -> Iterator[str]:
    """Only an operator lets a paused deployment go on; one with nothing left to do is successful (DEP-01)."""
    for was, now in list_changed(step.before.state.deployments, step.after.state.deployments):
        goes_on = now.status == DeploymentStatus.RUNNING
        if was.status == DeploymentStatus.PAUSED and goes_on and step.actor != "operator":
            yield f"deployment {now.id} was paused and is {now.status}"


@on_step("DEP-27", reads="deployments", because="Promoted canaries would count as unpromoted again.")
def promotion_is_never_undone(step: Step) -> Iterator[str]:
    """A promoted group stays promoted."""
    for was, now in list_changed(step.before.state.deployments, step.after.state.deployments):
        for name, group in was.task_groups.items():
            later = now.task_groups.get(name)
            if group and group.promoted and later and not later.promoted:
                yield f"deployment {now.id}: group {name} is not promoted any more"


@on_step(
    "REC-90",
    "DEP-24",
    reads="deployments",
    because="An operator would trust a version that does not run.",
)
def successful_deployment_is_healthy(step: Step) -> Iterator[str]:
    """A deployment becomes successful only when each group runs as many healthy allocations as it desired.

    What has ended or become unhealthy after the plan was made that says so counts still: a plan may be late.
    """
    made_at = min((held.snapshot_index for held in _list_held(step.before)), default=0)
    for was, now in list_changed(step.before.state.deployments, step.after.state.deployments):
        if was.status == now.status or now.status != DeploymentStatus.SUCCESSFUL:
            continue
        allocs = step.after.state.list_allocs_of_deployment(now.id)
        for name, group in now.task_groups.items():
            if group is None:
                continue
            runs = [alloc for alloc in allocs if not is_terminal(alloc) or alloc.modify_index > made_at]
            healthy = sum(_was_healthy(alloc, made_at) and alloc.task_group == name for alloc in runs)
            if healthy < group.desired_total:
                yield f"deployment {now.id}: {healthy} of {group.desired_total} of group {name} run healthy"
            if group.desired_canaries and not group.promoted:
                yield f"deployment {now.id}: group {name} was never promoted"


def _was_healthy(alloc: Allocation, made_at: int) -> bool:
    """True if an allocation is healthy, or was called unhealthy only after an index."""
    status = alloc.deployment_status
    return is_healthy(alloc) or (
        status is not None and status.healthy is False and status.modify_index > made_at
    )


def _list_held(world: World) -> Iterator[Delivered]:
    """List what workers hold, and may have made a plan for."""
    return (worker.held for worker in world.workers.values() if worker.held is not None)


@on_step("REC-09", "REC-87", reads="deployments", because="A service that lost its node could fail for good.")
def deployed_version_is_not_deployed_again(step: Step) -> Iterator[str]:
    """A version of a job that has a successful deployment gets no other one."""
    state = step.after.state
    for made in list_new(step.before.state.deployments, state.deployments):
        for other in state.list_deployments_of_job(made.namespace, made.job_id):
            is_same = (other.job_create_index, other.job_version) == (made.job_create_index, made.job_version)
            if is_same and other.id != made.id and other.status == DeploymentStatus.SUCCESSFUL:
                yield f"deployment {made.id} is of version {made.job_version}, which {other.id} has deployed"


@on_step(
    "REC-87", "REC-93", reads="deployments", because="A good version would fail at its progress deadline."
)
def deployment_desires_no_more_than_count(step: Step) -> Iterator[str]:
    """A new deployment of a service desires no more allocations of a group than its version has there."""
    state = step.after.state
    for made in list_new(step.before.state.deployments, state.deployments):
        job = state.find_job_version(made.namespace, made.job_id, made.job_version)
        if job is None or job.type != JobType.SERVICE or job.create_index != made.job_create_index:
            continue
        for group in job.task_groups:
            counted = made.task_groups.get(group.name)
            if counted is not None and counted.desired_total > group.count:
                desired = f"{counted.desired_total} of group {group.name}, whose count is {group.count}"
                yield f"deployment {made.id} of version {made.job_version} desires {desired}"


@always(
    "DEP-24",
    "DEP-25",
    "DEP-26",
    reads="deployments allocs",
    because="A deployment would end too early or never.",
)
def counts_of_deployment_are_possible(step: Step) -> Iterator[str]:
    """No count of a deployment is negative, and no more allocations are healthy or unhealthy than placed."""
    for deployment in step.after.state.deployments.values():
        for name, group in deployment.task_groups.items():
            if group is None:
                continue
            judged = group.healthy_allocs + group.unhealthy_allocs
            if min(group.healthy_allocs, group.unhealthy_allocs) < 0 or judged > group.placed_allocs:
                yield (
                    f"deployment {deployment.id}: group {name} counts {group.healthy_allocs} healthy and "
                    f"{group.unhealthy_allocs} unhealthy of {group.placed_allocs} placed"
                )


@always(
    "DEP-24",
    "DEP-25",
    "DEP-26",
    reads="deployments allocs",
    because="A deployment would end too early or never.",
)
def counts_of_deployment_equal_allocs(step: Step) -> Iterator[str]:
    """A deployment whose allocations are all kept counts as healthy those that are."""
    state = step.after.state
    for deployment in state.deployments.values():
        allocs = [state.allocs[each] for each in state.allocs_by_deployment.get(deployment.id, ())]
        for name, group in deployment.task_groups.items():
            own = [alloc for alloc in allocs if alloc.task_group == name]
            if group is None or len(own) != group.placed_allocs:
                continue
            healthy = sum(map(is_healthy, own))
            if healthy != group.healthy_allocs:
                counted = group.healthy_allocs
                yield f"deployment {deployment.id}: group {name} counts {counted}, {healthy} are healthy"


@always(
    "DEP-01", "OBJ-276", reads="deployments", because="Two versions would be deployed against each other."
)
def job_has_one_active_deployment(step: Step) -> Iterator[str]:
    """At most one deployment of a job goes on, or waits to go on."""
    active = Counter(
        (each.namespace, each.job_id, each.job_create_index)
        for each in step.after.state.deployments.values()
        if is_active(each)
    )
    for (_, job_id, _), count in active.items():
        if count > 1:
            yield f"job {job_id} has {count} active deployments"


@on_step("PLAN-70", "DEP-20", reads="allocs", because="An abandoned version would be deployed further.")
def ended_deployment_gets_no_new_alloc(step: Step) -> Iterator[str]:
    """A deployment that had ended in its scheduler's snapshot gets new allocations of older versions only.

    One that ends while a plan for it is on its way may get its allocations: the applier does not look. What
    is placed as an older version while canaries of the newer one are tried belongs to the older deployment.
    """
    for alloc, deployment in _list_joined(step):
        job = step.before.state.find_job(alloc.namespace, alloc.job_id)
        is_older = job is not None and deployment.job_version < job.version  # GENERIC-27
        if has_ended(deployment) and not is_older:
            yield f"alloc {alloc.id} was placed for deployment {deployment.id}, which is {deployment.status}"


@on_step(
    "SYSDEP-03",
    "REC-11",
    reads="allocs",
    because="A version that an operator has halted would replace the one that runs.",
)
def paused_deployment_replaces_no_alloc(step: Step) -> Iterator[str]:
    """No allocation is replaced by one of a version whose deployment its scheduler saw paused."""
    for alloc, deployment in _list_joined(step):
        if deployment.status != DeploymentStatus.PAUSED:
            continue
        was = step.before.state.find_alloc(alloc.previous_allocation)
        now = step.after.state.find_alloc(alloc.previous_allocation)
        is_updated = now is not None and now.desired_description == DesiredDescription.UPDATING
        if is_updated and was is not None and not is_terminal(was):
            yield f"alloc {was.id} was replaced for deployment {deployment.id}, which is paused"


def _list_joined(step: Step) -> Iterator[tuple[Allocation, Deployment]]:
    """List the new allocations, each with its deployment, where the scheduler saw this as it is now."""
    state = step.before.state
    seen = {held.eval.id: held.snapshot_index for held in _list_held(step.before)}
    for alloc in list_new(state.allocs, step.after.state.allocs):
        deployment = state.find_deployment(alloc.deployment_id) if alloc.deployment_id else None
        if deployment is not None and deployment.modify_index <= seen.get(alloc.eval_id, state.latest_index):
            yield alloc, deployment


DEPLOYMENT_PROPERTIES: Final = (
    ended_deployment_stays_ended,
    paused_deployment_stays_paused,
    paused_deployment_replaces_no_alloc,
    promotion_is_never_undone,
    successful_deployment_is_healthy,
    deployed_version_is_not_deployed_again,
    deployment_desires_no_more_than_count,
    counts_of_deployment_are_possible,
    counts_of_deployment_equal_allocs,
    job_has_one_active_deployment,
    ended_deployment_gets_no_new_alloc,
)
