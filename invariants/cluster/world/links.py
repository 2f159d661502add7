"""What must be true of how objects name each other: no link leads astray, and none is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, list_new, on_step
from nomadspec.model.cluster.entities import EvalStatus, Job, JobType, Trigger
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic

_CORE: Final = "_core"


@on_step("ALLOC-06", reads="allocs", because="A reader could not tell why an allocation was made.")
def new_alloc_names_eval_of_its_job(step: Step) -> Iterator[str]:
    """An allocation names an evaluation of its own job as the one that made it."""
    for alloc in list_new(step.before.state.allocs, step.after.state.allocs):
        entry = step.before.state.find_eval(alloc.eval_id)
        if entry is not None and (entry.namespace, entry.job_id) != (alloc.namespace, alloc.job_id):
            yield f"alloc {alloc.id} of {alloc.job_id} names {entry.id}, an eval of {entry.job_id}"


@on_step("EVAL-35", "EVAL-45", reads="evals", because="Blocked evals would look for room that no job needs.")
def completed_eval_leaves_no_blocked_sibling(step: Step) -> Iterator[str]:
    """When an evaluation completes with everything placed, no other one of its job stays blocked.

    A purge completes evaluations without looking at others (EVAL-46); the job is gone then.
    """
    for was, now in list_changed(step.before.state.evals, step.after.state.evals):
        if was.status == now.status or now.status != EvalStatus.COMPLETE or now.failed_tg_allocs:
            continue
        if step.after.state.find_job(now.namespace, now.job_id) is None:
            continue
        for other in step.after.state.list_evals_of_job(now.namespace, now.job_id):
            if other.id != now.id and other.status == EvalStatus.BLOCKED:
                yield f"eval {now.id} of {now.job_id} is complete, and {other.id} is still blocked"


@on_step("LEADER-22", "LEADER-23", reads="evals", because="A job would not be evaluated after a failure.")
def follow_up_of_failure_is_written_with_it(step: Step) -> Iterator[str]:
    """A follow-up of a failure names the evaluation that failed, which names it and is failed."""
    for entry in list_new(step.before.state.evals, step.after.state.evals):
        if entry.triggered_by != Trigger.FAILED_FOLLOW_UP:
            continue
        failed = step.after.state.find_eval(entry.previous_eval)
        if failed is None or failed.next_eval != entry.id or failed.status != EvalStatus.FAILED:
            yield f"eval {entry.id} follows {entry.previous_eval}, which did not fail or names another"


@on_step("EVAL-32", "OBJ-183", reads="evals", because="A plan would seem to know later writes.")
def snapshot_of_eval_is_older_than_its_entry(step: Step) -> Iterator[str]:
    """The snapshot that an evaluation names was taken before the entry that wrote it."""
    for entry in step.after.state.evals.values():
        if entry.snapshot_index > entry.modify_index:
            yield f"eval {entry.id}: snapshot of {entry.snapshot_index}, written at {entry.modify_index}"


@always("GC-01", "BROKER-18", reads="evals", because="Work of the leader would show among that of users.")
def core_eval_is_never_stored(step: Step) -> Iterator[str]:
    """No core evaluation is in the store.

    One that goes on with the work of another is: that is how keys are changed.
    """
    for entry in step.after.state.evals.values():
        if entry.type == _CORE and not entry.previous_eval:
            yield f"eval {entry.id} for {entry.job_id} is stored as {entry.status}"


@on_step("JOB-24", reads="evals", because="A job that never runs itself would get allocations.")
def parent_job_gets_no_eval(step: Step) -> Iterator[str]:
    """No evaluation is made for a periodic or parameterized job, but for the end of what it once was."""
    for entry in list_new(step.before.state.evals, step.after.state.evals):
        job = step.after.state.find_job(entry.namespace, entry.job_id)
        if job is not None and _is_parent(job) and entry.triggered_by == Trigger.JOB_REGISTER:
            yield f"eval {entry.id} is for {job.id}, which runs nothing itself"


def _is_parent(job: Job) -> bool:
    return is_periodic(job) or is_parameterized(job)


@on_step("NODEST-12", reads="evals", because="A job would be evaluated in vain.")
def node_event_gets_one_eval_of_job(step: Step) -> Iterator[str]:
    """One event of a node makes at most one evaluation of a job."""
    made = Counter(
        (entry.node_id, entry.namespace, entry.job_id, entry.create_index)
        for entry in list_new(step.before.state.evals, step.after.state.evals)
        if entry.triggered_by == Trigger.NODE_UPDATE
    )
    for (node_id, _, job_id, index), count in made.items():
        if count > 1:
            yield f"job {job_id} got {count} evaluations of node {node_id} at {index}"


@always(
    "SYSTEM-31", "EVAL-15", reads="evals", because="New room on that node would not unblock the system job."
)
def blocked_eval_of_system_job_names_node(step: Step) -> Iterator[str]:
    """A system job's evaluation that is blocked for lack of room names the node that it waits for."""
    for entry in step.after.state.evals.values():
        waits = entry.status == EvalStatus.BLOCKED and entry.triggered_by == Trigger.QUEUED_ALLOCS
        if waits and entry.type == JobType.SYSTEM and not entry.node_id:
            yield f"eval {entry.id} of {entry.job_id} is blocked for no node"


LINK_PROPERTIES: Final = (
    new_alloc_names_eval_of_its_job,
    completed_eval_leaves_no_blocked_sibling,
    follow_up_of_failure_is_written_with_it,
    snapshot_of_eval_is_older_than_its_entry,
    core_eval_is_never_stored,
    parent_job_gets_no_eval,
    node_event_gets_one_eval_of_job,
    blocked_eval_of_system_job_names_node,
)
