"""Evaluations: the writes that create, finish and delete them."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_status import refresh_job_status
from nomadspec.model.cluster.store.requests import EvalDelete, EvalUpdate
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.summaries import count_queued
from nomadspec.model.cluster.store.tables import ALLOCS, EVALS, JobKey

BROKER_RUNS: Final = "eval broker is enabled; eval broker must be paused to delete evals"


def update_evals(run: Run, request: EvalUpdate) -> None:
    """Write evaluations as they come, then the status of their jobs.

    Spec: EVAL-33, EVAL-35, OBJ-404, FSM-02, FSM-03.
    """
    draft = run.begin()
    write_evals(draft, request.evals)
    refresh_jobs_of_evals(draft, request.evals)
    run.commit(draft)
    for evaluation in request.evals:
        run.hand_eval(evaluation)


def delete_evals(run: Run, request: EvalDelete) -> None:
    """Delete evaluations and allocations; an operator may only do so while the broker is paused.

    Spec: GC-91, GC-92, EVAL-27, EVAL-47, OBJ-017, OBJ-420.
    """
    draft = run.begin()
    if request.user_initiated and not _is_paused(draft):
        raise RefusedError(BROKER_RUNS)
    named = dict.fromkeys(request.evals)
    deleted = [evaluation for name in named if (evaluation := draft.evals.get(name)) is not None]
    for evaluation in deleted:
        draft.delete(EVALS, evaluation.id)
    if deleted:
        draft.touch(EVALS)
    allocs = [name for name in dict.fromkeys(request.allocs) if name in draft.allocs]
    for name in allocs:
        draft.delete(ALLOCS, name)
    if allocs:
        draft.touch(ALLOCS)
    for key in dict.fromkeys((evaluation.namespace, evaluation.job_id) for evaluation in deleted):
        refresh_job_status(draft, key, eval_deleted=True)
    run.commit(draft)


def write_evals(draft: Draft, evals: Iterable[Evaluation]) -> None:
    """Write evaluations with what follows for the summary and for blocked ones of the job.

    Spec: EVAL-33, EVAL-35.
    """
    for evaluation in evals:
        write_eval(draft, evaluation)
        draft.touch(EVALS)


def write_eval(draft: Draft, evaluation: Evaluation) -> None:
    """Write one evaluation; a complete one that placed everything cancels the blocked ones of its job.

    Spec: EVAL-33, EVAL-35, EVAL-45, OBJ-405, TRIG-28.
    """
    count_queued(draft, evaluation)
    if evaluation.status == EvalStatus.COMPLETE and not evaluation.failed_tg_allocs:
        _cancel_blocked(draft, evaluation)
    before = draft.evals.get(evaluation.id)
    created = draft.index if before is None else before.create_index
    draft.put(replace(evaluation, create_index=created, modify_index=draft.index))


def refresh_jobs_of_evals(draft: Draft, evals: Iterable[Evaluation]) -> None:
    """Write the status of each job that evaluations name.

    Spec: OBJ-052, JOB-32.
    """
    for key in dict.fromkeys((evaluation.namespace, evaluation.job_id) for evaluation in evals):
        refresh_job_status(draft, key)


def list_evals_of_job(draft: Draft, key: JobKey) -> tuple[Evaluation, ...]:
    """List the evaluations of a job by ID."""
    return tuple(draft.evals[member] for member in sorted(draft.evals_by_job.get(key, NOBODY)))


def _cancel_blocked(draft: Draft, completed: Evaluation) -> None:
    for evaluation in list_evals_of_job(draft, (completed.namespace, completed.job_id)):
        if evaluation.status == EvalStatus.BLOCKED:
            draft.put(
                replace(
                    evaluation,
                    status=EvalStatus.CANCELED.value,
                    status_description=f'evaluation "{completed.id}" successful',
                    modify_index=draft.index,
                    modify_time_ns=completed.modify_time_ns,
                )
            )


def _is_paused(draft: Draft) -> bool:
    return draft.configuration is not None and draft.configuration.pause_eval_broker
