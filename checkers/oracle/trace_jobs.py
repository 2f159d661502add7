"""Judges which evaluations came with registrations, launches and stops of jobs in a recorded cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.model.cluster.components.periodic import LAUNCH_MARK
from nomadspec.model.cluster.components.registration import (
    make_deregistration_eval,
    make_registration_eval,
    make_scaling_eval,
    never_runs,
)
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import JobDeregister, JobRegister, ScalingEventRegister


def compare_registration(request: JobRegister, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare the evaluation of a registration, dispatch or launch; what is scaled gets it an entry later.

    A launch that is there may be launched again within its second, or changed by an operator.

    Spec: TRIG-03, TRIG-05a, TRIG-08, JOB-22, JOB-24, JOB-25.
    """
    job, recorded = request.job, request.eval
    if job is None or (recorded is None and request.enforce_index):
        return
    model = make_registration_eval(job, "", 0, request.eval_priority)
    models = [model]
    if model is not None and job.parent_id and job.id.startswith(job.parent_id + LAUNCH_MARK):
        is_there = any(state.find_job(job.namespace, job.id) is not None for state in recent)
        launched = replace(model, triggered_by=Trigger.PERIODIC_JOB.value)
        models = [launched, model] if is_there else [launched]
    yield from _compare(recorded, models, path, "TRIG-03")


def compare_deregistration(
    request: JobDeregister, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare the evaluation of a job that is stopped with those that recent states give.

    Spec: TRIG-06.
    """
    jobs = [state.find_job(request.namespace, request.job_id) for state in recent]
    models = [make_deregistration_eval(job, "", 0, request.eval_priority) for job in jobs]
    yield from _compare(request.eval, models, path, "TRIG-06")


def compare_scaling(recorded: Evaluation, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare the evaluation of a job that was scaled.

    Spec: TRIG-22.
    """
    jobs = [
        job for state in recent if (job := state.find_job(recorded.namespace, recorded.job_id)) is not None
    ]
    models = [make_scaling_eval(job, job.modify_index, "", 0) for job in jobs]
    yield from _compare(recorded, models, path, "TRIG-22")


def compare_scaling_event(
    request: ScalingEventRegister, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare what is told of a group that was scaled with its counts, and with the evaluation made for it.

    Spec: JOB-22.
    """
    event, key = request.scaling_event, (request.namespace, request.job_id)
    if event is None or event.count is None or event.error:
        return
    place = f"{path}.ScalingEvent"
    jobs = [job for state in recent if (job := state.find_job(*key)) is not None]
    now = {group.count for job in jobs if (group := find_group(job, request.task_group)) is not None}
    versions = [job for state in recent for job in state.list_job_versions(*key)]
    ever = {group.count for job in versions if (group := find_group(job, request.task_group)) is not None}
    if jobs and event.count not in now:
        yield Difference(f"{place}.Count", event.count, sorted(now), "JOB-22")
    if versions and event.previous_count not in ever:
        yield Difference(f"{place}.PreviousCount", event.previous_count, sorted(ever), "JOB-22")
    entries = (state.find_eval(event.eval_id) for state in recent if event.eval_id)
    made = [entry for entry in entries if entry is not None]
    is_due = bool(jobs) and not any(map(never_runs, jobs))
    is_right = any((each.triggered_by, each.job_id) == (Trigger.JOB_SCALING, request.job_id) for each in made)
    if is_due and not is_right:
        yield Difference(f"{place}.EvalID", event.eval_id, "an evaluation of the job", "TRIG-22")


def _compare(
    recorded: Evaluation | None, models: Iterable[Evaluation | None], path: str, rule: str
) -> Iterator[Difference]:
    shown = [_strip(model) for model in models]
    if _strip(recorded) not in shown:
        yield Difference(f"{path}.Eval", _strip(recorded), shown[0] if shown else None, rule)


def _strip(evaluation: Evaluation | None) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Write an evaluation without what is chosen freely, and the index that the entry itself gives."""
    if evaluation is None:
        return None
    return write_plain(replace(evaluation, id="", create_time_ns=0, modify_time_ns=0))
