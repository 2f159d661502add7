"""What people ask of jobs and allocations: to go back to a version, to be looked at again, to be stopped."""

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.admission.job_update import find_enforcement_refusal
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import Allocation, DesiredTransition, Job, Trigger
from nomadspec.model.cluster.entities.allocation import should_force_reschedule
from nomadspec.model.cluster.entities.job import find_group, is_parameterized, is_periodic
from nomadspec.model.cluster.entities.policy import is_enabled
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition
from nomadspec.model.cluster.store.state import State
from nomadspec.model.lifecycle.allocation import AllocClient

NO_JOB: Final = "job not found"
NO_ALLOC: Final = "allocation not found"
IS_PERIODIC: Final = "can't evaluate periodic job"
IS_PARAMETERIZED: Final = "can't evaluate parameterized job"
IS_CURRENT: Final = "can't revert to current version"
NO_JOB_NAMED: Final = 'job "{}" not found'
NO_VERSION: Final = 'job "{}" in namespace "{}" at version {} not found'
OTHER_PRIOR: Final = "Current job has version {}; enforcing version {}"


class Call(msgspec.Struct, frozen=True):
    """What comes of a call: the request that is to be written, or why there is none."""

    request: AllocUpdateDesiredTransition | None = None
    error: str = ""


class Revert(msgspec.Struct, frozen=True):
    """What comes of a wish to go back: the job that is to be registered, or why there is none."""

    job: Job | None = None
    error: str = ""


def stop_alloc(state: State, alloc_id: str, asked: DesiredTransition, eval_id: str, now_ns: int) -> Call:
    """Let an allocation be moved elsewhere, even if it has ended; each call makes an evaluation.

    Spec: ALLOC-16, TRIG-12, OBJ-216.
    """
    alloc = state.find_alloc(alloc_id)
    if alloc is None or alloc.job is None:
        return Call(error=NO_ALLOC)
    told = DesiredTransition(
        migrate=True,
        reschedule=bool(asked.reschedule),
        no_shutdown_delay=bool(asked.no_shutdown_delay),
    )
    made = make_eval(alloc.job, Trigger.ALLOC_STOP, eval_id, now_ns)
    made = replace(made, namespace=alloc.namespace, job_modify_index=alloc.job.modify_index)
    return Call(AllocUpdateDesiredTransition(allocs={alloc_id: told}, evals=(made,)))


def evaluate_job(
    state: State, namespace: str, job_id: str, eval_id: str, now_ns: int, *, is_forced: bool = False
) -> Call:
    """Let a job be looked at again; if forced, what has failed and was not placed again is.

    Spec: JOB-20, TRIG-05b, TRIG-27, RESCHED-25.
    """
    job = state.find_job(namespace, job_id)
    if job is None:
        return Call(error=NO_JOB)
    if is_periodic(job):
        return Call(error=IS_PERIODIC)
    if is_parameterized(job):
        return Call(error=IS_PARAMETERIZED)
    allocs = state.list_allocs_of_job(namespace, job_id) if is_forced else ()
    told = {
        alloc.id: DesiredTransition(force_reschedule=True) for alloc in allocs if _can_be_forced(alloc, job)
    }
    made = make_eval(job, Trigger.JOB_REGISTER, eval_id, now_ns)
    made = replace(made, job_modify_index=job.modify_index)
    return Call(AllocUpdateDesiredTransition(allocs=told, evals=(made,)))


def _can_be_forced(alloc: Allocation, job: Job) -> bool:
    group = find_group(job, alloc.task_group)
    policy = group.reschedule_policy if group else None
    return (
        alloc.job is not None
        and alloc.job.create_index == job.create_index
        and alloc.client_status == AllocClient.FAILED
        and not alloc.next_allocation
        and not should_force_reschedule(alloc)
        and is_enabled(policy)
    )


def derive_reverted_job(
    state: State, namespace: str, job_id: str, version: int, enforced_version: int | None = None
) -> Revert:
    """Derive the job that is registered to go back to a kept version; it may say the same as the present one.

    Spec: JOB-18, TRIG-05c.
    """
    current = state.find_job(namespace, job_id)
    if current is None:
        return Revert(error=NO_JOB_NAMED.format(job_id))
    if version == current.version:
        return Revert(error=IS_CURRENT)
    if enforced_version is not None and enforced_version != current.version:
        return Revert(error=OTHER_PRIOR.format(current.version, enforced_version))
    kept = state.find_job_version(namespace, job_id, version)
    if kept is None:
        return Revert(error=NO_VERSION.format(job_id, namespace, version))
    return Revert(replace(kept, stable=False, version_tag=None))


def find_revert_refusal(stored: Job | None, seen: Job) -> str | None:
    """Find why going back is refused when it is written: the job was registered again since it was looked at.

    Spec: JOB-18.
    """
    return find_enforcement_refusal(stored, seen.job_modify_index)
