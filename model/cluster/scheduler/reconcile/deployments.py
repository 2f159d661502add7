"""The deployments of a job while it is reconciled: which is old, which goes on, and what is made anew."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentDescription,
    DeploymentState,
    DeploymentStatus,
    DeploymentStatusUpdate,
    Job,
)
from nomadspec.model.cluster.entities.deployment import has_auto_promote, is_active, needs_promotion
from nomadspec.model.cluster.entities.job import is_multiregion
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.reconcile.inputs import ReconcileInput
from nomadspec.model.lifecycle.deployment import PAUSED

PEERS_PENDING = "Deployment is pending, waiting for peer region"
PEERS_BLOCKED = "Deployment is complete but waiting for peer region"


@dataclass(slots=True)
class JobDeployments:
    """The deployments of a job, as far as one call of the reconciler has come."""

    old: Deployment | None = None
    """One of an earlier version, or one that has ended well."""
    current: Deployment | None = None
    is_created: bool = False
    """Whether the current one was made in this call."""
    is_paused: bool = False
    is_failed: bool = False
    updates: list[DeploymentStatusUpdate] = field(default_factory=list)

    def set_status(self, deployment: Deployment, status: str, description: str) -> None:
        """Ask for another status of a deployment."""
        self.updates.append(
            DeploymentStatusUpdate(deployment_id=deployment.id, status=status, status_description=description)
        )

    def find_state(self, group: str) -> DeploymentState | None:
        """Find how far a group has come under the current deployment; one without content is at its start.

        Spec: REC-15.
        """
        if self.current is None or group not in self.current.task_groups:
            return None
        return self.current.task_groups[group] or DeploymentState()

    def has_succeeded(self, job: Job) -> bool:
        """True if the very version of a job was deployed already.

        Spec: REC-09.
        """
        old = self.old
        return old is not None and old.status == DeploymentStatus.SUCCESSFUL and is_of(old, job)

    def put_state(self, group: str, state: DeploymentState) -> None:
        """Keep in mind how far a group has come under the current deployment."""
        if self.current is not None:
            self.current = replace(self.current, task_groups={**self.current.task_groups, group: state})


def find_deployments(call: ReconcileInput) -> JobDeployments:
    """Tell the old deployment from the current one, and cancel what goes on for no reason.

    Spec: REC-04, REC-05, REC-06, REC-07, REC-08, REC-09, REC-10, REC-11.
    """
    deployment, job = call.deployment, call.job
    if deployment is None:
        return JobDeployments()
    if job is None or job.stop:
        return _retire(deployment, DeploymentDescription.JOB_STOPPED)
    if not is_of(deployment, job):
        return _retire(deployment, DeploymentDescription.NEWER_VERSION)
    if deployment.status == DeploymentStatus.SUCCESSFUL:
        return JobDeployments(old=deployment)
    return JobDeployments(
        current=deployment,
        is_paused=deployment.status in PAUSED,
        is_failed=deployment.status == DeploymentStatus.FAILED,
    )


def is_of(deployment: Deployment, job: Job) -> bool:
    """True if a deployment is of this version of the job."""
    return (deployment.job_create_index, deployment.job_version) == (job.create_index, job.version)


def _retire(deployment: Deployment, description: str) -> JobDeployments:
    deployments = JobDeployments(old=deployment)
    if is_active(deployment):
        deployments.set_status(deployment, DeploymentStatus.CANCELLED, description)
    return deployments


def attach_state(
    deployments: JobDeployments, call: ReconcileInput, job: Job, group: str, state: DeploymentState
) -> None:
    """Add a group to the current deployment; where there is none, one is made with the evaluation's priority.

    Spec: REC-87, REC-88, OBJ-277.
    """
    if deployments.current is None:
        new_id = call.choices.next_id(IdKind.DEPLOYMENT)
        deployments.current = make_deployment(job, new_id, call.evaluation.priority, call.now_ns)
        deployments.is_created = True
    deployments.put_state(group, state)


def make_deployment(job: Job, deployment_id: str, eval_priority: int, now_ns: int) -> Deployment:
    """Make a deployment of a job's current version, whose evaluations are to have a priority.

    Spec: REC-88, SYSDEP-07.
    """
    return Deployment(
        id=deployment_id,
        namespace=job.namespace,
        job_id=job.id,
        job_version=job.version,
        job_modify_index=job.modify_index,
        job_spec_modify_index=job.job_modify_index,
        job_create_index=job.create_index,
        is_multiregion=is_multiregion(job),
        status=DeploymentStatus.RUNNING,
        status_description=DeploymentDescription.RUNNING,
        eval_priority=eval_priority,
        create_time_ns=now_ns,
    )


def settle_deployments(deployments: JobDeployments, *, is_complete: bool) -> Deployment | None:
    """Say how the current deployment stands now; give it where it has to be written as a whole.

    Spec: REC-88, REC-90, REC-91, REC-92.
    """
    current = deployments.current
    if current is None:
        return None
    if is_complete:
        _complete(deployments, current)
    if current.status == DeploymentStatus.INITIALIZING:
        deployments.set_status(current, DeploymentStatus.PENDING, PEERS_PENDING)
        return current
    return _describe(current) if deployments.is_created else None


def _complete(deployments: JobDeployments, current: Deployment) -> None:
    if waits_for_peers(current):
        deployments.set_status(current, DeploymentStatus.BLOCKED, PEERS_BLOCKED)
    elif not current.is_multiregion:
        deployments.set_status(current, DeploymentStatus.SUCCESSFUL, DeploymentDescription.SUCCESSFUL)


def waits_for_peers(deployment: Deployment) -> bool:
    """True while a deployment that is complete here still waits for those of other regions."""
    is_free = deployment.status in {DeploymentStatus.UNBLOCKING, DeploymentStatus.SUCCESSFUL}
    return deployment.is_multiregion and not is_free


def _describe(created: Deployment) -> Deployment:
    """Say on a new deployment whether somebody has to promote it."""
    if not needs_promotion(created):
        return created
    description = (
        DeploymentDescription.AWAITS_PROMOTION
        if has_auto_promote(created)
        else DeploymentDescription.NEEDS_PROMOTION
    )
    return replace(created, status_description=description)
