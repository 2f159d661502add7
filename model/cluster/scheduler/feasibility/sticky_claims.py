"""Claims of a job on sticky volumes that no allocation lives up to."""

from __future__ import annotations

from nomadspec.model.cluster.entities import Allocation, HostVolumeClaim, Job
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


def list_unmet(snapshot: Snapshot, plan: PlanBuilder, job: Job) -> list[HostVolumeClaim]:
    """List the claims of a job that are not met, whatever group made them.

    Spec: FEAS-65, 06/S-10.
    """
    claims = snapshot.list_claims_of_job(job.namespace, job.id)
    return [claim for claim in claims if is_unmet(snapshot, plan, claim)]


def is_unmet(snapshot: Snapshot, plan: PlanBuilder, claim: HostVolumeClaim) -> bool:
    """True if a claim still holds, and nothing that is or will be on the volume's node meets it.

    Spec: FEAS-65.
    """
    claimant = snapshot.find_alloc(claim.alloc_id)
    volume = snapshot.find_host_volume(claim.namespace, claim.volume_id)
    if claimant is None or volume is None:
        return False
    proposed = plan.list_proposed(volume.node_id)
    return not any(_is_meeting(alloc, claim, claimant) for alloc in proposed)


def _is_meeting(alloc: Allocation, claim: HostVolumeClaim, claimant: Allocation) -> bool:
    if is_terminal(alloc):
        return False
    wanted = (claim.namespace, claim.job_id, claim.task_group_name, claimant.node_id)
    return (
        alloc.id == claimant.id or (alloc.namespace, alloc.job_id, alloc.task_group, alloc.node_id) == wanted
    )
